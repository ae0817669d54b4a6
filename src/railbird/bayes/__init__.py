"""Bayesian networks over named states, with no poker in them.

- `structure`: variables and their dependencies
- `network`: a structure with a table of probabilities for every variable
- `elimination`: the order in which variables are summed out
- `inference`: exact posteriors with numpy
- `forward`, `programs`, `loops`: the same, compiled, for many queries per second
- `rows`: many observations as codes
- `learning/`: tables and structures from rows
- `agrum`: conversion from and to pyAgrum
- `xdsl/`: network files in GeNIe's format
- `picture`, `text`, `layout`: networks drawn with the probabilities of their states
"""
