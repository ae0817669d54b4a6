"""The PHH format: read, checked, and written.

- `actions`: the actions of a PHH hand: what was dealt, done and shown, from its list of notations
- `cutting`: a PHH text split into hands: everything under one heading, or the whole text if there is none
- `details`: what a PHH hand contains beyond the play: names, seats, place and time, and everything else as notes;
  read and written
- `fields`: the fields of a PHH hand as TOML: read, written, and values as the text of a note
- `game`: the game of a PHH hand: variant, amounts and rules, from its fields to a `Setup` and back
- `reader`: PHH, the poker hand history format of PokerKit's authors: hands read from `.phh` and `.phhs` files
- `writing`: hands written as PHH: one for a `.phh` file, or one after another under their headings for a `.phhs` file
"""
