"""Commands that play.

- `play`: a table against the bots
- `serve`: tables in the browser for others
- `match`, `tournament`, `selfplay`: agents against each other
- `agent`, `dealer`: an agent and a dealer for the ACPC protocol
- `brain`: agents as a server for clients of other tables
"""
