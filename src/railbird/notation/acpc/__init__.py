"""The formats of the Annual Computer Poker Competition: games, logs, and the states of its protocol.

- `betting`: betting and cards as the ACPC writes them: what STATE and MATCHSTATE lines have in common
- `dealing`: the cards of the official ACPC server: the same seed deals the same hands
- `game`: the `.game` files of the Annual Computer Poker Competition's server, read into `GameRules` and written from
  them
- `header`: the comments of ACPC logs that matter: which game it is, and where a hand begins otherwise than usual
- `log`: logs of the Annual Computer Poker Competition, read hand by hand into records and written from them
- `match`: MATCHSTATE lines: what the ACPC's server tells one player, and what the player answers
- `replay`: STATE lines into records at the speed of a log: betting, cards, pots and payoffs of a line in one compiled
  call
- `reply`: what the official ACPC server makes of a player's reply
- `state`: the lines of the logs that the Annual Computer Poker Competition's server writes
- `transactions`: the official ACPC dealer's transaction log: every action with its times, enough to resume a match
"""
