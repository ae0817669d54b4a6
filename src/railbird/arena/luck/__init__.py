"""Luck that can be removed from results without bias: the same mean, less spread.

A part of every result is certainly luck, whoever plays: its expectation is zero given everything that happened before
it was drawn.

- `all_in`: the luck of the board after the last decision
- `board`: the luck of the board while betting goes on, which is most of the luck in a limit game
- `rates`: the rates of a match with luck removed as far as possible without bias
- `variates`: control variates: numbers whose expectation is zero, which are removed from results as far as they
  explain them
"""
