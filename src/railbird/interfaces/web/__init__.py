"""The table in the browser: a server that keeps the secrets, and pages that draw what it tells.

- `app`, `safety`, `tokens`, `server`, `web`: HTTP and WebSockets, who may use them, how it is started, what is shared
- `wire/`, `rates`, `asgi`: connections and their bounds, how often something may happen, the types of the interface
- `asked`, `replies`: requests and answers in JSON
- `lobby`, `session_plan`: which games and opponents there are, and new sessions
- `session_state`, `kept_session`, `live_table`, `pace`: how a session stands, how it is kept, how it goes on, how fast
- `table_agents`: who plays in it
- `table_keeper`, `table_socket`: all tables, one browser at one
- `dealing`, `dealt_hand`, `views`, `messages`: a hand with its cards, what one viewer may see of it, what is said
- `journal`: everything is written to the store before it is told
- `thinkers`, `thinking_process`, `thinker`, `thought`, `answers`, `frames`, `quarantine`: agents think in processes of
  their own
- `study_thinkers`, `study`, `jobs`: strength, advice and comparisons, beside the tables
- `afterwards`, `session_results`, `desk`: what was played; threads that look things up
- `exploring…`, `knowledge`: case bases, networks and agents
- `tournaments`, `tournament_…`: agents among themselves, live
"""
