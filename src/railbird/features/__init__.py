"""Attributes of a situation that several papers share; attributes of a single paper are in its folder of `agents/`.

- `betting`: attributes of a betting round: players at its start, position, bets, odds
- `action_kinds`: named actions, and each player's most aggressive action by round
- `positions`: blinds, early, middle and late
- `player_counts`: the actions of every player in a hand, counted from its events
- `flop_types`: the types of hands at the flop, evaluated many at a time
- `tallies`: what players did and won, added up at every stake apart
- `playing_style`: VPIP, PFR and aggression of the players at a table, in intervals
- `intervals`: percentages as the states of a network's node
- `relative`: a hand measured against the opponents' believed ranges
- `outcomes`: the cost and the value of an action, in small bets
"""
