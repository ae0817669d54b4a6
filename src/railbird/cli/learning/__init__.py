"""Commands that learn from hands or solve games, and manage what was learnt.

- `watch`: hands into cases
- `imitate`: how faithful an imitator is
- `casebase`: packs of cases
- `train_network`: hands into a Bayesian network
- `network`: Bayesian networks in files
- `evolve`: weights of similarities
- `solve`: equilibria
"""
