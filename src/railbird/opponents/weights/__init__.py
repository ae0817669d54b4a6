"""Loki's weights: what opponents may hold, and how they play, as tables over the 1,326 holdings.

- `beliefs`: Loki's weights: for every opponent, how probable each of the 1,326 holdings is after what it did in this
  hand
- `book`: an observer's knowledge of the players at its table, from hand to hand: by label, as long as a match lasts
- `chances`: with which chance each of the 1,326 holdings would fold, call or raise in a situation: shared by all
  observers
- `explaining`: beliefs about opponents as sections of an explanation: a grid of starting hands and the most probable
  holdings
- `holding_values`: the value of every holding, before the flop and on a board: what ProbTriple compares
- `lessons`: what a finished hand teaches about one player in it, seen from the rail: the same for all who think alike
  of it
- `quality`: how good beliefs about hidden cards were, once the true holdings are known
- `styles`: styles of play: the vectors that bend ProbTriple, made from a few numbers with names
- `tendencies`: what one player did, against what a generic player would have done: from it follow a style and its
  sharpness
"""
