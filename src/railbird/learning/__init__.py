"""Learning by watching: from hands of other players to packs of cases, networks and weights.

- `systems`: the systems whose cases can be learnt, by name
- `watching`: hands in, cases out
- `packs`: packs made by watching files of hands (`watch`), joined, thinned, exported and verified
- `reading`: passes the hands of files to a learner
- `recipes`: the origin of the cases of a pack, and its verification
- `networks`: the network that reads opponents, trained from recorded hands
- `training`: `train_network`, from files of hands to a network in a file
- `imitation`: how well cases predict the decisions of held-out hands
- `fidelity`: how faithful an imitator is (`imitate`): it learns from most hands and predicts the others
- `solvers`: what a run solves: heads-up limit hold'em in an abstraction, small games exactly
- `solve`: solved games, with checkpoints
- `exploit`: how exploitable a strategy or an agent is, by the method that suits it
- `flop_responses`: the true best response to a table, flop by flop
- `local_best_response`: what a local best response wins against an agent
- `measured`: who is measured: a strategy file or an agent
- `kept_jobs`: work whose outcomes are kept, so that a stopped measurement resumes
- `evolve/`: weights found by evolution
"""
