"""A table: the session, how it is kept and goes on, and what one viewer may see of it.

- `agents`: the agents of one table, wherever they think, and who is asked for advice there
- `dealing`: cards for people: from the operating system's entropy, and never known before they are dealt
- `dealt_hand`: a hand at the table with everything that is hidden: where it began, its cards, and what was done
- `keeper`: all tables at which somebody sits or sat a moment ago; the others are in the store until they are looked
  at again
- `kept_session`: a session and the store: every change is written down, and only then done
- `live_table`: a session while it is played: deals, lets agents think, takes the person's actions, and tells every
  viewer
- `messages`: what a table and a browser say to each other over the WebSocket, checked field by field
- `pace`: how fast a table goes, and why its pace tells nothing about hidden cards
- `session_journal`: the way of all changes into the store: one thread writes, and everything that waits is written
  together
- `session_plan`: what a session is, as it is kept in the store: the game, who sits where, how it is practised, how
  fast it goes
- `session_state`: how a session stands: its hand, the stacks, what was won, what may be told of it. Nothing here
  waits or writes
- `socket`: one browser at one table: reads its messages, answers each, and shows the newest view
- `views`: what one viewer may see of a table. This is the only way from a hand to the network
"""
