"""Learning by watching: from hands that others played to packs of cases, networks and weights.

- `systems`: whose cases can be learnt, by name
- `watching`: hands in, cases out
- `packs`: packs made by watching files of hands (`watch`), joined, exported and verified
- `reading`: hands of files on their way to a learner
- `recipes`: where the cases of a pack come from, and whether that is true
- `networks`: the network that reads opponents, trained from recorded hands
- `training`: `train_network`, from files of hands to a network in a file
- `imitation`: how well cases predict decisions of hands that were held out
- `evolve/`: weights found by evolution
"""
