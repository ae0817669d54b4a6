"""Attributes of a situation: what the papers' agents compare when they look for similar ones.

- `betting`: what the betting round says: who was in at its start, position, bets, odds
- `casper`: the attributes of casper-2007, table 1, of the seat to act
- `casey`: CASEY's attributes, and what a hand came to by stage
"""
