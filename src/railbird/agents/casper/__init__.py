"""CASPER (casper-2007, casper-2008): acts as experts did in the most similar situations that it watched.

- `agent`: CASPER: acts as experts did in the most similar situations that it watched (casper-2007, casper-2008)
- `attributes`: CASPER's attributes of a situation (casper-2007, table 1), of the seat to act
- `cases`: CASPER's cases: the schema and the similarity of every stage, as one table (casper-2007 §5 and §6)
- `explanation`: the reasons for CASPER's actions: what the experts did in similar situations, and how similar these
  were
- `holdings`: CASPER's view of one public situation with many holdings: one description, and what differs by holding
- `online`: CASPER that learns while it plays (casper-2008 §VIII): every decision that it makes becomes a case
- `watching`: how CASPER's cases are made: one situation at a time
"""
