"""Learning networks from rows: tables, structures, and how well they fit.

- `adapting`: individual networks that start from a shared average network and adapt to their own rows
- `counts`: tables learnt by counting, with a prior
- `expectation`: tables learnt from rows with unknown states by expectation maximisation (EM)
- `likelihood`: the likelihood of rows under a network, unknown states summed out
- `structures`: structures learnt from rows by pyAgrum's searches, and compared
"""
