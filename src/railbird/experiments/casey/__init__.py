"""The learning curve of CASEY (baycarp-2011 §4.3.2).

- `learning_curve`: CASEY's learning curve (baycarp-2011 §4.3.2, casper-2007 §2): from an empty case base, in blocks of
  hands
"""
