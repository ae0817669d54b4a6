"""Inference in Bayesian networks, compiled.

- `expectation`: how often every entry of a network's tables was used, expected over what is unknown
- `forward`: exact inference in a Bayesian network whose questions are laid out as programs
  (`railbird.bayes.programs`)
"""
