"""Equilibrium players: strategies of solved games, played at real tables.

- `agent`: `Equilibrium`, which plays a strategy file
- `explanation`: the reasons for its actions: the probabilities of the holding's bucket, its neighbours, bets as read
- `self_play`: hands of a strategy against itself, compiled
"""
