"""baycarp-2011.

- `ablation`: baycarp-2011 §8.2.3: is the combination of network and cases better than either of them?
- `example`: baycarp-2011 §6.3: the printed run of BayCaRP1, with its cases and beliefs
- `play`: baycarp-2011 §7.3: what BayCaRP wins, as published and improved, at a table like the thesis's
- `players`: baycarp-2011 §9.1: does it help to have a network for each player, or for each group of players?
- `results`: baycarp-2011 §7.2: how well the network reads opponents
- `sessions`: baycarp-2011 §7.3, figures 7.3 to 7.11: sessions of the published BayCaRP1 and BayCaRP2
- `structure`: baycarp-2011 §5.3.2: the hand-drawn structure compared with structures learnt from the same hands
"""
