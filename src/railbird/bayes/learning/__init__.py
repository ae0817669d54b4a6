"""Learning networks from rows: tables, structures, and how well they fit.

- `adapting`: networks of many, each one's own: all start from an average network, and each follows the rows that are
  its own
- `counts`: tables learnt by counting: what was seen, added to what was believed before
- `expectation`: tables learnt from rows with unknown states: expectation and maximisation in turns (EM)
- `likelihood`: how probable rows are under a network, unknown states summed out: a measure of how well it fits
- `structures`: which variable depends on which, found in rows by pyAgrum's searches, and structures compared
"""
