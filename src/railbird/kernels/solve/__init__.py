"""Solving games: regret minimisation and best responses, sixteen betting histories at once.

- `lanes`: sixteen numbers at once, a vector type
- `boards`: the holdings of a board by strength
- `buckets`: in which bucket each of them is
- `ends`: what holdings win at the end of a hand against ranges
- `programs`: the steps of walks through a betting tree
- `regrets`: regret minimisation on a sampled board
- `responses`: best responses to strategies in tables
"""
