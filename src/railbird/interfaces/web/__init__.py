"""The table in the browser: a server that keeps hidden information, and pages that draw its views.

- `server`: the server and its keys
- `starting`: starting the server, for the local user or for others
- `app`: all parts as one application
- `web`: what the parts share
- `agent_descriptions`: what the pages tell of an agent and its parameters
- `lobby/`: games, opponents, new sessions, and tables for several people
- `wire/`: connections and their limits
- `http/`: authorisation, size and rate limits; requests and responses in JSON
- `table/`: a session at its table, and what one viewer may see of it
- `thinking/`: agents in separate processes
- `study/`: strength, advice and comparisons; results of sessions
- `explore/`: case bases, networks and agents
- `tournaments/`: live tournaments between agents

The pages are plain ES modules in `static/`; `app.js` loads the one that the address names. What all pages share is in
`page/` (elements, dialogs, requests), `words/` (numbers, units, sentences) and `bots/` (names, stars, parameters).
`help/` has the tour and the glossary, `lobby/` the lobby and invitations, `table/` the table, `acting/` the player's
own actions, `reasons/` explanations and ranges, `afterwards/` results, reviews and the replayer; `explore/` and
`tournaments/` have pages of their own.
"""
