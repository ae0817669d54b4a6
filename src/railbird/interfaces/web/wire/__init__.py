"""The connections of the server: limits on their number, time and memory.

- `limits`: the limits, and those of the operating system
- `doorkeeper`: counts connections, and closes those that take too long
- `connections`, `lines`, `config`: uvicorn's HTTP and WebSockets under these limits
- `bodies`: request bodies are read completely before they are processed
- `proxies`: the visitor's address behind a reverse proxy
- `log_rate`: a rate limit for the log, so that no client can fill the disk
"""
