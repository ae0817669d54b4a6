"""Attributes of a situation: what the papers' agents compare when they look for similar ones.

- `betting`: what the betting round says: who was in at its start, position, bets, odds
- `action_kinds`: the names that players give to actions, and the most aggressive one of everybody by round
- `positions`: blinds, early, middle and late
- `playing_style`: VPIP, PFR and aggression of everybody at a table, in intervals
- `intervals`: percentages as the states of a network's node
- `casper`: the attributes of casper-2007, table 1, of the seat to act
- `casey`: CASEY's attributes, and what a hand came to by stage
"""
