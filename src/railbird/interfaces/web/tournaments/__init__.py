"""Tournaments of agents, to start and to watch.

- `plan`: the definition of a tournament in the browser: game, agents, number of hands and matches, and their limits
- `process`: the process that plays a tournament: `python -m railbird.interfaces.web.tournaments.process FOLDER ID`
- `queue`: the tournaments of a server: kept in a folder, played one after the other, each in a separate process
- `routes`: tournaments of agents, to start and to watch: `/api/tournaments…`, JSON; errors are answered with a message
"""
