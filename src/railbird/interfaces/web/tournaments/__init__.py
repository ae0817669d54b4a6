"""Tournaments of agents, to start and to watch.

- `plan`: what a tournament in the browser is: which agents meet in which game, how often; and how much of it is too
  much
- `process`: the process that plays a tournament: `python -m railbird.interfaces.web.tournaments.process FOLDER ID`
- `queue`: the tournaments of a server: kept in a folder, played one after the other, each in a process of its own
- `routes`: tournaments of agents, to start and to watch: `/api/tournaments…`, JSON; what is wrong is answered with
  one sentence
"""
