"""Commands that learn from hands and manage what was learnt.

- `watch`: hands into cases
- `casebase`: packs of cases
- `train_network`: hands into a Bayesian network
- `network`: Bayesian networks in files
- `evolve`: weights of similarities
"""
