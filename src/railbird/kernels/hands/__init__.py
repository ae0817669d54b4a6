"""Cards as hands, compiled: values, types, draws, and situations up to the names of the suits.

- `all_holdings`: the values of all holdings on one board
- `board_textures`: the texture of a board: which flushes and straights it allows (sartre-2012, table 5), by number
- `draws`: straight and flush draws of holdings, by sets of ranks held as bits (bit 0 the deuce … bit 12 the ace)
- `evaluation`: the value of five, six or seven cards by two table lookups, and of fewer cards by counting
- `evaluation_tables`: the lookup array of the hand evaluator: how it is laid out and how it is built
- `expert_categories`: the expert category of holdings on a board, as a number `((made · 4 + place) · 3 + kicker) · 6
  + draw`
- `four_hands`: four hands of seven cards at once: the sums of their cards' numbers, without a lookup in memory
- `holdings`: the 1,326 two-card holdings as indices: `high · (high − 1) / 2 + low` for cards `high > low`
- `isomorphism`: a perfect index of what a player sees, up to the names of the suits: 0, 1, 2 … without gaps
- `types`: the hand type of every holding on one board
"""
