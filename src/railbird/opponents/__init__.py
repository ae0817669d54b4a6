"""Models of opponents: what they may hold and how they play.

- `weights/`: Loki's weight tables over the 1,326 holdings, and the statistics behind them
- `network/`: BayCaRP's Bayesian network of an opponent
"""
