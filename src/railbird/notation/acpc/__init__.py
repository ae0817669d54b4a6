"""The formats of the Annual Computer Poker Competition: games, logs, and the states of its protocol.

- `betting`: betting and cards as the ACPC writes them: what STATE and MATCHSTATE lines have in common
- `dealing`: the cards of the official ACPC server: the same seed deals the same hands
- `game`: the `.game` files of the Annual Computer Poker Competition's server, read into `GameRules` and written from
  them
- `header`: comments in ACPC logs that carry data: the game, and unusual stacks and blinds of a hand
- `log`: logs of the Annual Computer Poker Competition, read hand by hand into records and written from them
- `match`: MATCHSTATE lines: what the ACPC's server sends to one player, and the player's reply
- `replay`: STATE lines into records, fast: betting, cards, pots and payoffs of a line in one compiled call
- `reply`: how the official ACPC server interprets a player's reply
- `state`: the lines of the logs that the Annual Computer Poker Competition's server writes
- `transactions`: the official ACPC dealer's transaction log: every action with its times, enough to resume a match
"""
