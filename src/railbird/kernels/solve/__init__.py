"""Solving games: regret minimisation and best responses.

Heads-up limit hold'em is walked for sixteen betting histories at once, other betting trees deal by deal.

- `trees`: betting trees, grown by the rules
- `lanes`: sixteen numbers at once, a vector type
- `boards`: the holdings of a board by strength
- `buckets`: in which bucket each of them is
- `ends`: what holdings win at the end of a hand against ranges
- `programs`: the steps of walks through a betting tree
- `regrets`: regret minimisation on a sampled board
- `responses`: best responses to strategies in tables
- `deals`: the buckets of one deal, and who wins
- `sampling`: regret minimisation on sampled deals with sampled actions
"""
