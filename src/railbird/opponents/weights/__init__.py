"""Loki's weights: what opponents may hold, and how they play, as tables over the 1,326 holdings.

- `beliefs`: the probability of each of the 1,326 holdings of every opponent, after its actions in this hand
- `book`: an observer's knowledge of the players at its table, by label, over a match
- `chances`: the probability that each of the 1,326 holdings folds, calls or raises in a situation; shared by all
  observers
- `explaining`: beliefs about opponents as sections of an explanation: a grid of starting hands and the most probable
  holdings
- `holding_values`: the value of every holding, before the flop and on a board: what ProbTriple compares
- `lessons`: what a finished hand reveals about one of its players; shared by observers with the same model of it
- `quality`: how good beliefs about hidden cards were, once the true holdings are known
- `styles`: styles of play: the vectors that adjust ProbTriple, made from a few named numbers
- `tendencies`: a player's actions compared with a generic player's, which give its style and sharpness
"""
