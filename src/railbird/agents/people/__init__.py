"""People who play for play money or for small stakes, as casper-2008 §VII met them.

- `agent`: a person of a population, who may go on tilt
- `characters`: the characters of people, and how frequent they are where they play for what
"""
