"""BayCaRP with strategies for a whole betting round as solutions (baycarp-2011 §8.2.3, §9.1).

- `cases`: strategies as solutions: what a player did in a whole betting round, found in a pack of single decisions
- `explanation`: why BayCaRP plans so: what was done in similar rounds when they came back, and that a strategy is
  being followed
- `rounds`: BayCaRP with strategies as solutions (baycarp-2011 §8.2.3, §9.1): less truthful, since a check may be a
  trap
"""
