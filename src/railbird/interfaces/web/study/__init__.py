"""Outside of play: strength, advice, comparisons, and results of sessions.

- `afterwards`: after a session: its hands, replays, results and downloads, and the same deals played by an agent
- `inquiries`: questions at a table: the strength of one's hand, advice, and the reasons for actions
- `jobs`: long-running questions: answered in the background while the client polls the progress
- `questions`: what is computed outside of play: hand strength, and how an agent would have done in a player's seat
- `review`: the decisions of a session in which an agent would have acted differently, ordered by what they cost
- `review_routes`: reviews of a player's decisions: begun in the background, and stored with the session
- `recent_play`: how the others at a table have played lately, as far as one player saw it
- `session_results`: the results of a session from its finished hands: a list of them, the lines of a chart, rates and
  statistics
- `thinkers`: the processes that answer questions outside of play: hand strength, advice, duplicates,
  reviews
"""
