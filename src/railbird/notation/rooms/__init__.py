"""Hand histories of card rooms.

- `hands`: text divided into hands, and what lines have in common: cards, seats, times
- `money`: amounts as rooms print them
- `play`: described play, replayed by the rules
- `told`: a hand as a text tells it, filled in line by line by the reader of a room
- `settling`: from a told hand to its record, with pots, rake and winners checked
- `pokerstars`: PokerStars and GGPoker, and converters that write the same text: limit and no-limit hold'em, in English
- `pokerstars_header`: the first two lines of such a hand: game, stakes, place and time
- `pokerstars_text`: its other lines
- `pokerstars_writing`: hands as PokerStars text, with the play exactly as it was
- `winamax`: Winamax
- `partypoker`: PartyPoker and 888poker
- `partypoker_header`: the game and the table of such a hand
- `ipoker`: the iPoker network, XML
- `poker_academy`: Poker Academy Pro, the program in which CASPER and BayCaRP played
- `poker_academy_text`: the lines of a hand in Poker Academy Pro's histories
- `unsupported`: other known rooms and programs, recognised to be refused by name
"""
