"""How strong holdings are, compiled: now, and over all cards to come.

- `board`: all holdings of a board at once: how much of a range each of them beats, now and over all run-outs
- `buckets`: the bucket of a value
- `classes`: shared by the kernels of potential and expected strength: rank classes of cards, and kinds of cards
- `comparison`: a holding against the others on the present board: ahead, tied or behind, holding by holding
- `grouped`: potential against a weighted range: run-outs of the same ranks are taken together
- `kinds`: expected strength of all holdings of a flop or turn against a random one: exact counts over all run-outs
- `places`: values replaced by their places, and the score at every place: how many things are compared without pairs
- `sampled`: hand strength by comparing with a sample of holdings: for boards that occur once, where comparing with all
  would be too expensive
- `tables`: tables of hand strength over canonical situations: filled board by board, and looked up
- `transitions`: potential of all holdings of a flop or turn at once, against any number of ranges: exact sums over all
  run-outs
- `uniform`: potential and expected strength against a random holding: exact counts over all opponents and all
  run-outs
- `weighted`: potential and expected strength against a weighted range: sums over its holdings and all run-outs
"""
