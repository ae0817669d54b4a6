"""Agents as a server for bodies at other tables, and a body of our own (docs/brain.md).

- `agents`: agents for bodies: made if they are offered, and how a body is told that one of them does not play
- `client`: `RemoteAgent`: a body with the contract of an agent, whose decisions are made in a brain (baycarp-2011
  §6.2)
- `messages`: what a body and a brain say to each other: `railbird.brain/1`, plain data in JSON (baycarp-2011 §6.2,
  figure 6.2)
- `refusals`: why a brain refuses a request: a sentence, its code and its status of HTTP; and bodies that are not
  strict JSON
- `requests`: the requests that a brain answers, without the wire that they come over
- `server`: the brain over HTTP/1.1: one address, JSON in and out, connections that stay open, a thread for each
- `sessions`: the sessions of a brain: each has an agent of its own, plays one match at a time, and is dropped when
  nobody asks
- `views`: what a body sees of a hand in progress: a view in plain data, or an ACPC MATCHSTATE line, as an
  `Observation`
- `wire`: a body's end of the wire to a brain: one connection that stays open, and the session that goes with it
"""
