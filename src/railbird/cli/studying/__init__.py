"""Commands that answer questions.

- `explain`: what an agent would do in a situation, and why
- `equity`, `tables`: what a hand is worth, and the look-up tables behind it
- `agents`, `games`: what there is to play with
- `reproduce`: what the papers claim, measured again
- `bench`: speed against peers
"""
