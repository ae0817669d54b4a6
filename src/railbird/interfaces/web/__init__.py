"""The table in the browser: a server that keeps the secrets, and pages that draw what it tells.

- `app`, `safety`, `server`: the HTTP and WebSocket interface, who may use it, and how it is started
- `lobby`: which games and opponents there are, and new sessions
- `live_table`, `table_keeper`: a session while it is played, and all of them
- `dealt_hand`, `views`, `messages`: a hand with its cards, what one viewer may see of it, what is said over the socket
- `journal`: everything is written to the store before it is told
- `thinkers`, `thinker`, `study`: agents think in processes of their own
- `afterwards`, `exploring`, `tournaments`: what was played, what was learnt, and agents among themselves
"""
