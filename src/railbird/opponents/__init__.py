"""What opponents may hold and how they play: Loki's weight tables and the statistics behind them.

- `holding_values`: the strength and potential of all holdings on a board, computed once and shared
- `chances`: with which chance each holding would act, by ProbTriple; shared where situation and style are equal
- `styles`: styles of play for ProbTriple, made from a few numbers
- `tendencies`: what one player did against what a generic player would have done, and the style that follows
- `lessons`: what a finished hand teaches about everybody in it
- `book`: an observer's knowledge of all players at its table
- `beliefs`: the weights of one hand, brought up to date when their observer must act
- `quality`: how good beliefs were, once the true holdings are known
- `network`: BayCaRP's Bayesian network of an opponent
"""
