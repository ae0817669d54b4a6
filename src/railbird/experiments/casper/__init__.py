"""casper-2007 and casper-2008.

- `online`: CASPER that retains its own play against a new kind of opponents (casper-2008 §VIII, figs. 5 and 6)
- `tables`: casper-2007 and casper-2008: what CASPER wins at the two tables, and its agreement with the players it
  watched
"""
