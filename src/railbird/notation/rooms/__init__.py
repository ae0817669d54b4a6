"""Hand histories of card rooms: PokerStars and Poker Academy.

- `hands`: what the texts of card rooms have in common: splitting lines into hands, and replaying described play
- `poker_academy`: hand histories of Poker Academy Pro, the program in which CASPER and BayCaRP played: limit and
  no-limit hold'em
- `poker_academy_text`: the lines of a hand in Poker Academy Pro's histories, read one by one; `poker_academy` turns
  them into a record
- `pokerstars`: hand histories of PokerStars: limit and no-limit hold'em for money or play money, in English
- `pokerstars_header`: the first two lines of a PokerStars hand: game, stakes, place and time
- `pokerstars_text`: the lines of a PokerStars hand, read one by one; `pokerstars` turns them into a record
- `pokerstars_writing`: hands as PokerStars text, with the play exactly as it was
"""
