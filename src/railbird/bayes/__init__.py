"""Bayesian networks over named states, with no poker in them.

- `structure`: variables and who depends on whom
- `network`: a structure with a table of probabilities for every variable
- `elimination`: in which order a question is answered; `inference`: what is probable, the plain way
- `forward`: the same question many times a second, compiled; with `programs` and `loops`
- `rows`: many observations as codes; `likelihood`: how probable they are
- `learning`: tables by counting, with priors; `expectation`: tables from rows with unknown states
- `adapting`: networks of many, each its own, that start from an average one and follow what is seen
- `structures`: which variable depends on which, found in rows; `agrum`: networks to and from pyAgrum
- `xdsl`: networks in files, as GeNIe has them; with `xdsl_tables` and `safe_xml`
- `picture`, `text`: networks drawn with what is probable; with `layout`
"""
