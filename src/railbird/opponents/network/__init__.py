"""BayCaRP's Bayesian network of one opponent (baycarp-2011 §5.3): its nodes, and the rows it learns from.

- `nodes`: the published structure, and the variants that the thesis proposes
- `rows`: hands and observations as codes of the nodes' states
- `beliefs`: the network's beliefs about opponents in play
- `quality`: how well it predicts what players hold
- `adapting`: a network for each player
- `groups`, `group_files`: a network for each group of players, in play and on disk
"""
