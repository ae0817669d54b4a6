"""casper-2007 and casper-2008.

- `agreement`: casper-2007 §6, casper-2008 §VI: CASPER's agreement with the players it watched, which the papers do not
  measure
- `measured`: CASPERs that record, hand by hand, how similar the cases were that they retrieved, and what they won
- `online`: CASPER that retains its own play against a new kind of opponents (casper-2008 §VIII, figs. 5 and 6)
- `people`: what CASPER wins from people at tables of two to nine players, and how similar its cases are there
- `sizes`: how often CASPER finds a similar case at tables of two to nine players
- `tables`: casper-2007 §7, casper-2008 §VII: what CASPER wins at the two tables, and how often it finds no similar case
"""
