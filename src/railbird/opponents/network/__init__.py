"""BayCaRP's Bayesian network of one opponent (baycarp-2011 §5.3): its nodes, and the rows it learns from.

- `nodes`: the structure as published, and the variants that the thesis proposes
- `rows`: hands and observations as codes of the nodes' states
- `beliefs`: what the network believes of opponents in play
- `quality`: how well it tells what players hold
- `adapting`: a network for each player
- `groups`, `group_files`: one for each group of players, in play and at rest
"""
