"""Text and hand records, a folder for each family of formats.

- `acpc/`: games, logs and protocol states of the Annual Computer Poker Competition
- `phh/`: PHH hands, read and written
- `rooms/`: hand histories of PokerStars and Poker Academy
- `records`: Railbird's own JSON lines
- `formats`: what each format is called, how it is recognised, read and written, and what it loses
- `hands`: hands in and out of files, the short way
- `files`: the hands of any file
- `sources`: files and folders of hands, read one after another
- `outputs`: where hands and cases are written; nothing is half-written
- `conversion`: hands from files of any format into one file
- `unpacking`: compressed files, bounded before they are unpacked
- `reading`: hands that can be read, and those that cannot, with the reason
- `showdowns`: hands that end as their source says, with rake and with cards that nobody saw
- `game_names`: a game by its name or by the path of a `.game` file
"""
