"""Text and hand records: one module for each format, pure text in and out.

- `acpc_game`: the `.game` files of the Annual Computer Poker Competition
- `acpc_betting`: betting and cards as its lines write them
- `acpc_state`: its STATE and SCORE log lines; `acpc_replay` reads them fast
- `acpc_log`, `acpc_header`: its logs, and the comments in them that matter
- `acpc_match`: its MATCHSTATE lines; `acpc_reply`: what the dealer makes of an answer
- `acpc_dealing`, `acpc_transactions`: the cards that its dealer deals, and the transactions it notes
- `phh`: PHH hands read; `phh_writing`: written. `phh_cutting`, `phh_fields`, `phh_game`, `phh_actions` and
  `phh_details` are their parts: hands in a file, TOML, stakes and rules, actions, everything else
- `showdowns`: hands that end as their source says, with rake and with cards that nobody saw
- `formats`: what each format is called, how it is recognised, read and written, and what it loses
- `files`: the hands of any file, plain or compressed (`unpacking`)
- `records`: Railbird's own JSON lines
- `game_names`: a game by its name or by the path of a `.game` file
"""
