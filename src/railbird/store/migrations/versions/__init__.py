"""One module for each version of the tables. Released migrations are never changed.

- `v0001_hands`: hands and their sources
- `v0002_experiences`: learners' experiences
- `v0003_sessions`: sessions at the browser table
- `v0004_session_use`: when a session was last used
- `v0005_tallies`: what players did and won, added up
- `v0006_reviews`: reviews of sessions
"""
