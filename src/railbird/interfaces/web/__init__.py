"""The table in the browser: a server that keeps the secrets, and pages that draw what it tells.

- `app`, `safety`, `server`, `web`: the HTTP and WebSocket interface, who may use it, how it is started, what is shared
- `asked`, `replies`: requests and answers in JSON
- `lobby`, `session_plan`: which games and opponents there are, and new sessions
- `session_state`, `table_agents`, `live_table`, `pace`: how a session stands, who plays in it, how it goes on, how fast
- `table_keeper`, `table_socket`: all tables, one browser at one
- `dealing`, `dealt_hand`, `views`, `messages`: a hand with its cards, what one viewer may see of it, what is said
- `journal`: everything is written to the store before it is told
- `thinkers`, `thinking_process`, `thinker`, `thought`, `answers`, `frames`: agents think in processes of their own
- `study_thinkers`, `study`, `jobs`: strength, advice and comparisons, beside the tables
- `afterwards`, `session_results`: what was played
- `exploring…`, `knowledge`: case bases, networks and agents
- `tournaments`, `tournament_…`: agents among themselves, live
"""
