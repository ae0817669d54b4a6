"""Attributes of a situation that several papers share; what one paper alone compares is in its folder of `agents/`.

- `betting`: what the betting round says: who was in at its start, position, bets, odds
- `action_kinds`: the names that players give to actions, and the most aggressive one of everybody by round
- `positions`: blinds, early, middle and late
- `player_counts`: what every player did in a hand, counted from its events
- `playing_style`: VPIP, PFR and aggression of everybody at a table, in intervals
- `intervals`: percentages as the states of a network's node
- `relative`: a hand measured against what the opponents are believed to hold
- `outcomes`: what an action costs, and what it is worth, in small bets
"""
