"""Bayesian networks over named states, with no poker in them.

- `structure`: variables and who depends on whom
- `network`: a structure with a table of probabilities for every variable
"""
