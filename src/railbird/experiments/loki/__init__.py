"""loki-1999, and what the later papers report about its family.

- `opponents`: opponent models and playing styles of Loki's family: log-likelihoods, calibration, styles
- `simulation`: loki-1999: the gain of simulation over the formula, the number of trials, and the cost of a trial
"""
