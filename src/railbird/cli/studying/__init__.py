"""Commands that answer questions.

- `explain`: what an agent would do in a situation, and why
- `strategy`: solved strategies in files
- `exploit`: what a best response wins
- `equity`, `tables`: what a hand is worth, and the look-up tables behind it
- `agents`, `games`, `papers`: the available agents and games, and the publications behind them
- `rate`: how strong the agents are
- `reproduce`: the papers' experiments
- `bench`: speed against peers
"""
