"""loki-1999, and what the later papers say of its family.

- `opponents`: what Loki's family knows of its opponents, and how its members play: log-likelihoods, calibration,
  styles
- `simulation`: loki-1999: what simulation wins over the formula, how many trials it needs, and what a trial may cost
"""
