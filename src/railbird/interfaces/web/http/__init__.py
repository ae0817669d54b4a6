"""Requests: authorisation, size and rate limits; requests and responses in JSON.

- `asgi`: the types of ASGI
- `asked`: validated parameters of a request's URL
- `desk`: a small thread pool for lookups, which refuses requests when too many wait
- `rates`: rate limits
- `replies`: requests and responses in JSON, validated by msgspec
- `room`: a limited number of places, shared fairly between addresses
- `safety`: authorisation, and the security headers of every response
- `tokens`: signed random tokens that identify players, stored in a cookie
"""
