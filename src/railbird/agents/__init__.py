"""The agents: a folder for each paper with everything specific to it, the baselines, and shared modules.

- `loki/`: Loki's family: ProbTriple, Pokibot, Simbot, Jagbot
- `people/`: people who play for play money or for small stakes, each drawn from a population
- `casper/`: what experts did in similar situations
- `casey/`: a learner that starts with no cases, and the rule-based player that it learnt against
- `baycarp/`: similar cases, and a Bayesian network that reads the opponents
- `equilibrium/`: strategies of solved games
- `sartre/`: what an expert did in the most similar situation, in three games
- `retaining/`: agents that learn while they play: their own decisions become cases
- `baselines`: random, always-call, always-raise, always-fold
- `holdem`: shared by agents for limit hold'em: the games they play, their randomness, acting by a triple
- `provenance`: where the knowledge of an agent comes from, in one line
- `shipped`: packs, networks, weights and strategies shipped with the package (`data/`), and others by path
- `system`: a system whose cases can be learnt, and how it describes a decision
"""
