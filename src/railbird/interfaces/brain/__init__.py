"""Agents as a server for clients of other tables ("bodies"), and a body of our own (docs/brain.md).

- `agents`: creates agents for bodies if they are offered, and reports why one cannot play
- `client`: `RemoteAgent`: a body with the contract of an agent, whose decisions are made in a brain (baycarp-2011
  §6.2)
- `endings`: the result of a hand from its last view, the hands that were shown and the payoffs
- `messages`: the messages between a body and a brain: `railbird.brain/1`, plain data in JSON (baycarp-2011 §6.2,
  figure 6.2)
- `refusals`: why a brain refuses a request: a message, a code and an HTTP status; reading of strict JSON
- `requests`: the requests that a brain answers, independent of the transport
- `server`: the brain over HTTP/1.1: one address, JSON in and out, persistent connections, a thread for each
- `sessions`: the sessions of a brain: each has its own agent, plays one match at a time, and is closed when unused
- `views`: what a body sees of a hand in progress: a view in plain data, or an ACPC MATCHSTATE line, as an
  `Observation`
- `wire`: a body's end of the connection to a brain, which is persistent and belongs to a session
"""
