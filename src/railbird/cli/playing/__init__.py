"""Commands that play.

- `play`: a table against the bots
- `serve`: tables in the browser for others
- `match`, `tournament`, `selfplay`: agents against each other
- `agent`, `dealer`: agents and our table in the ACPC's protocol
- `brain`: agents as a server, for bodies at other tables
"""
