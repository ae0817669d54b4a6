"""How commands show their results.

- `agents`: what `agents` and `papers` show
- `archive`: what `stats` and `store` show
- `contest`: what `match`, `selfplay` and `tournament` show
- `evolution`: what `evolve` shows
- `explanation`: what `explain` shows
- `findings`: what `reproduce` shows
- `imitation`: what `imitate` shows
- `knowledge`: what `equity` shows
- `network`: what `network show` shows
- `packs`: what `watch` and `casebase` show
- `ratings`: what `rate` shows
- `strategies`: what `solve`, `strategy` and `exploit` show
"""
