"""Exact search for similar cases, compiled.

- `search`: exact search in a tree of boxes over cases (`case_tree`): all above a threshold, or the k most similar
- `similarity`: local similarities of cases in compiled form, and the tables in which a search looks up its bounds
- `sorting`: the order of found cases: most similar first, equally similar ones by number
- `tree`: a tree of boxes over cases: bins, codes, and the splitting
"""
