"""Text and hand records, a folder for each family of formats.

- `acpc/`: games, logs and protocol states of the Annual Computer Poker Competition
- `phh/`: PHH hands, read and written
- `rooms/`: hand histories of card rooms: PokerStars, GGPoker, Winamax, PartyPoker, 888poker, iPoker, Poker Academy
- `records`: Railbird's own JSON lines
- `digests`: a set of hands, by their digests, that stays small for millions of hands
- `formats`: the name of each format, how it is recognised, read and written, and what it loses
- `hands`: reading and writing files of hands in one call
- `files`: the hands of any file
- `sources`: files and folders of hands, read one after another
- `refusals`: hands and files that could not be used, counted by reason and kept in a `.bad` file
- `outputs`: output files of hands and cases, written completely or not at all
- `conversion`: hands from files of any format into one file
- `encodings`: the encoding of a text, found out from its bytes
- `unpacking`: compressed files, with bounds on size and memory
- `reading`: what readers return: hand records, and refused hands with the reason
- `showdowns`: hands that end as their source says, with rake and with unseen cards
- `game_names`: a game by its name or by the path of a `.game` file
"""
