"""The store: hands and experience in SQL, in one SQLite file by default or in PostgreSQL by URL.

- `store`: `open_store` and `Store`: add hands, read them back, list and remove their sources
- `sources`, `names`: the files and sessions that hands come from; suggestions for unknown names
- `importing`: hands from files into a store
- `tables`: the table definitions, documented for direct SQL queries
- `rows`: conversion of hand records to rows and back, without loss
- `writing`, `reading`: batches of rows into the tables and out of them
- `tallying`: what players did and won, added up when hands are written, so that statistics are fast
- `lived`, `experiences`: learners' experiences, as plain data, and in the tables, one transaction per hand
- `sessions/`: sessions at the browser table, with every action stored, and reviews of them
- `addresses`: from a URL or a file name to a connection, and the set-up of each kind of database
- `versions`, `migrations/`: the version of a store's tables, and the steps from each version to the next
"""
