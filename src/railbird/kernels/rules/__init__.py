"""The rules of the game, compiled: betting, pots, and what a showdown pays.

- `betting`: the betting rules of hold'em, once: compiled functions over a small vector of ints
- `known_betting`: betting situations that were reached before: what may be done there, and where it leads
- `pots`: main pot, side pots and who gets them: compiled functions over the state of `kernels.rules.betting`
- `sequences`: betting sequences performed in one pass, for hands whose actions are all known
- `showdown`: from cards to chips: hand values at the showdown, and what every seat takes out of a finished hand
"""
