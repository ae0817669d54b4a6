"""Learning by watching: from hands that others played to packs of cases, networks and weights.

- `systems`: whose cases can be learnt, by name
- `watching`: hands in, cases out
- `recipes`: where the cases of a pack come from, and whether that is true
- `networks`: the network that reads opponents, trained from recorded hands
- `imitation`: how well cases predict decisions of hands that were held out
- `solve`: games solved, with checkpoints
- `exploit`: what best responses win against tables and against agents
- `evolve/`: weights found by evolution
"""
