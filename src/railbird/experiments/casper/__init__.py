"""casper-2007 and casper-2008.

- `measured`: CASPERs that record, hand by hand, how similar the cases were that they retrieved, and what they won
- `online`: CASPER that retains its own play against a new kind of opponents (casper-2008 §VIII, figs. 5 and 6)
- `people`: what CASPER wins from people at tables of two to nine players, and how similar its cases are there
- `sizes`: how often CASPER finds a similar case at tables of two to nine players
- `tables`: casper-2007 and casper-2008: what CASPER wins at the two tables, and its agreement with the players it
  watched
"""
