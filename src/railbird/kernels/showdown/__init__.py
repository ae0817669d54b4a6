"""Showdowns between ranges, compiled: exact, sampled, and before the flop.

- `equity`: who wins how often: exact sums over deals
- `joint_draws`: holdings of several players drawn at once: each in proportion to its weights, no card twice
- `preflop_matchups`: how often every holding beats every other one over all boards, before the flop
- `sampling`: random showdowns: of known holdings on random boards, and of ranges
"""
