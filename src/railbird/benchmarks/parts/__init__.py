"""The figures of one part of the system in each module: a function `figures()` yields them one by one.

- `evaluator`, `strength`: hand evaluation; equities and potentials
- `engine`, `environment`, `arena`, `protocol`: random hands; rollouts; matches; the ACPC's formats and protocol
- `store`, `reading`: hands into and out of the store; hand histories
- `decisions`, `watching`: agents that decide; agents that learn
- `retrieval`, `growth`: searches for similar cases; how their cost grows with the number of cases
- `inference`, `solving`: Bayesian networks; strategies
- `memory`: memory and disk space of many hands
- `start`: compilation and the first command
"""
