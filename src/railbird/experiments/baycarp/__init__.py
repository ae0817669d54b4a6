"""baycarp-2011.

- `players`: baycarp-2011 §9.1: does it help to have a network for each player, or for each group of players?
- `results`: baycarp-2011: how well the network reads opponents (§7.2), and what BayCaRP wins (§7.3)
- `structure`: baycarp-2011 §5.3.2: the hand-drawn structure compared with structures learnt from the same hands
"""
