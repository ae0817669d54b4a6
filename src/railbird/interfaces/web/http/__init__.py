"""Requests: who may ask, how much and how often; questions and answers in JSON.

- `asgi`: the types of ASGI, by which the server, its guard and the application talk
- `asked`: what the address of a request asks for, checked: whatever is wrong with it is answered with one sentence
- `desk`: a few threads that look things up, beside the tables; who asks when too many wait is sent away
- `rates`: how often something may happen
- `replies`: requests and answers in JSON, checked by msgspec
- `room`: room for a number of things at a time, shared fairly: no address takes all of it, and everybody has a turn
- `safety`: who may ask, and what every answer says to the browser
- `tokens`: the tokens by which a server knows its players: random names that it signed itself, kept by browsers in a
  cookie
"""
