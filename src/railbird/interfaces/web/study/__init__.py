"""Beside the tables: strength, advice, comparisons, and what was played.

- `afterwards`: after a session: its hands, replays, results and downloads, and the same deals played by an agent
- `jobs`: questions that take long: they are worked on in the background while whoever asked looks at the progress
- `questions`: what is worked out beside the tables: how strong a hand is, and how an agent would have fared in
  somebody's chair
- `session_results`: what a session brought, from the hands that are over: a list of them, the lines of a chart, rates
  and statistics
- `thinkers`: who answers what people ask beside the play: how strong a hand is, what an agent would do, how a
  duplicate fares
"""
