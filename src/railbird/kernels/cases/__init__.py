"""Exact search for similar cases, compiled.

- `lanes`: thirty-two cases at once, a vector type for compiled code
- `search`: exact search in a tree of boxes over cases (`tree`): all above a threshold, or the k most similar
- `similarity`: local similarities of cases in compiled form, and the tables in which a search looks up its bounds
- `sorting`: the order of found cases: most similar first, equally similar ones by number
- `steps`: numbers of cases in equal steps, thirty-two cases in a block: the first filter of a search
- `tallies`: the decisions in all cases above a threshold, for many targets at once: counted, not listed
- `tree`: a tree of boxes over cases: bins, codes, and the splitting
"""
