"""The store: hands and experience in SQL, in one SQLite file by default or in PostgreSQL by URL.

- `store`: `open_store` and `Store`: add hands, read them back, list and remove their sources
- `sources`, `names`: the files and sessions that hands come from; the nearest of the names in them
- `importing`: hands from files into a store
- `tables`: the tables, for everyone who asks them with SQL
- `rows`: a hand record as rows, and back without loss
- `writing`, `reading`: batches of rows into the tables and out of them
- `lived`, `experiences`: what learners lived through, as plain data, and in the tables, one transaction a hand
- `session_changes`, `session_rows`, `sessions`: sessions at the table in the browser, as plain data, as values for the
  tables, and in the tables, every action kept
- `addresses`: from a URL or a file's name to a connection, and how each database is set up
- `privacy`: new files and folders that only their owner may read
- `versions`, `migrations/`: the version of a store's tables, and the steps from each version to the next
"""
