"""Text and hand records: one module for each format, pure text in and out.

- `acpc_game`: the `.game` files of the Annual Computer Poker Competition
- `acpc_log`: its STATE log lines
- `game_names`: a game by its name or by the path of a `.game` file
"""
