"""BayCaRP with strategies for a whole betting round as solutions (baycarp-2011 §8.2.3, §9.1).

- `cases`: strategies as solutions: a player's actions in a whole betting round, found in a pack of single decisions
- `explanation`: the reasons for BayCaRP's plans: the second actions in similar rounds, and the strategy being followed
- `rounds`: BayCaRP with strategies as solutions (baycarp-2011 §8.2.3, §9.1): less truthful, since a check may be a
  trap
"""
