"""How commands show what they found, and that they are at work.

- `archive`: how `railbird stats` and `railbird store` show what they found
- `contest`: what `match` and `tournament` show and write when they are finished
- `explanation`: a situation given as a MATCHSTATE line, what an agent answers to it, and the answer as text and as
  JSON
- `figures`: the figures of a match or a tournament, drawn into a folder as PNG and SVG
- `knowledge`: equities and hand readings as tables for people and as JSON for programs
- `network`: how `railbird network show` answers: as text, as a picture and as plain data
- `packs`: how `railbird watch` and `railbird casebase` show packs
- `progress`: what is shown while one waits, on the error stream so that results can be piped: progress bars, a notice
"""
