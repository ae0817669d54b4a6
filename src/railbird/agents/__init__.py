"""The agents: a folder for each paper with all that is that paper's alone, the baselines, and what they share.

- `loki/`: Loki's family: ProbTriple, Pokibot, Simbot, Jagbot
- `casper/`: what experts did in similar situations
- `casey/`: a learner that starts with nothing, and the rule player that it learnt against
- `baycarp/`: similar experience, where a Bayesian network reads the opponents
- `baselines`: random, always-call, always-raise, always-fold
- `holdem`: what agents of limit hold'em share: the games they play, their randomness, acting by a triple
- `shipped`: packs, networks and weights that come with the package (`data/`), and others by path
- `system`: a system whose cases can be learnt, and how it describes a decision
"""
