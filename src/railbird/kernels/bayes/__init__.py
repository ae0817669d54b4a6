"""Inference in Bayesian networks, compiled.

- `expectation`: how often every entry of a network's tables was used, expected over unknown variables
- `forward`: exact inference in a Bayesian network whose queries are laid out as programs
  (`railbird.bayes.programs`)
"""
