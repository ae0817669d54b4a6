"""Bayesian networks over named states, with no poker in them.

- `structure`: variables and who depends on whom
- `network`: a structure with a table of probabilities for every variable
- `elimination`: in which order a question is answered
- `inference`: what is probable, the plain way
- `forward`, `programs`, `loops`: the same question many times a second, compiled
- `rows`: many observations as codes
- `learning/`: tables and structures from rows
- `agrum`: networks to and from pyAgrum
- `xdsl/`: networks in files, as GeNIe has them
- `picture`, `text`, `layout`: networks drawn with what is probable
"""
