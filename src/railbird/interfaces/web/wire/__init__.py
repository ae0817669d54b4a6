"""The connections of the server: how many there are, how long they may take, and what they may hold.

- `limits`: the bounds, and what the operating system allows
- `doorkeeper`: counts connections, and ends those that take too long
- `connections`, `lines`, `config`: uvicorn's HTTP and WebSockets under these bounds
- `bodies`: requests are read whole before anybody looks at them
- `proxies`: who asks where a reverse proxy stands before the server
- `log_rate`: nobody fills the disk with our log
"""
