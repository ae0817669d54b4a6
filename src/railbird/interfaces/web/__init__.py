"""The table in the browser: a server that keeps the secrets, and pages that draw what it tells.

- `server`: the server and its keys
- `starting`: a table of one's own, or tables for others
- `app`: all parts as one application
- `web`: what the parts share
- `lobby`: which games and opponents there are, and new sessions
- `wire/`: connections and their bounds
- `http/`: who may ask, how much and how often; questions and answers in JSON
- `table/`: a session at its table, and what one viewer may see of it
- `thinking/`: agents think in processes of their own
- `study/`: strength, advice and comparisons, beside the tables; what was played
- `explore/`: case bases, networks and agents
- `tournaments/`: agents among themselves, live

The pages are plain ES modules in `static/`.
"""
