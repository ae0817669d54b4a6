"""One module for each version of the tables. What a published one does is never changed.

- `v0001_hands`: hands and their sources
- `v0002_experiences`: what learners lived through
- `v0003_sessions`: sessions at the table in the browser
- `v0004_session_use`: when a session was last used
"""
