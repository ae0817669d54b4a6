"""Learning by watching: from hands that others played to packs of cases.

- `systems`: whose cases can be learnt, and how each describes a decision
- `watching`: hands in, cases out
- `recipes`: where the cases of a pack come from, and whether that is true
- `imitation`: how well cases predict decisions of hands that were held out
- `evolving`: weights found by evolution; `objectives` says what for, `trials` keeps what was tried, `convergence`
  draws it
"""
