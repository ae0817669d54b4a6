"""Strategies: abstractions, public trees, solved games, and how much a best response wins.

- `actions`: bets as letters, and real bets read as abstract ones
- `tree`: the public betting tree of a game as arrays
- `card_abstraction`: holdings put into buckets
- `clusters`: situations of similar chances put together
- `portable_clusters`: clusters as a strategy file carries them, found without tables
- `streets`: heads-up limit hold'em in streets, sixteen betting histories at once
- `programs`: the programs that walk them
- `solvers/`: equilibria of heads-up limit hold'em, of hold'em with any betting tree, and of small games
- `table_strategy`: solved strategies at rest
- `exact_strategy`: solved small games at rest; strategy files of either kind
- `following`: real hands followed through a tree: bets read as letters, and letters as bets
- `situations`: what a strategy does in one situation with every holding
- `files`: strategies and checkpoints as files, with a header and a digest
- `best_response`: the true best response to a table strategy, flop by flop
- `flop_walk`: the best response below one flop
- `local_response`: the local best response of a seat that knows its opponent's range
- `small_games`: games whose deals can all be listed: exact values, best responses, exploitability
"""
