"""Solving games: regret minimisation and best responses, sixteen betting histories at once.

- `lanes`: sixteen numbers at once, a vector type
- `boards`: the holdings of a board by strength, and their buckets
- `ends`: what holdings win at the end of a hand against ranges
- `regrets`: regret minimisation on a sampled board
- `responses`: best responses to strategies in tables
"""
