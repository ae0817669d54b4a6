"""A table: the session, its storage and progress, and what one viewer may see of it.

- `agents`: the agents and advisors of one table
- `dealing`: cards for live play, from the operating system's entropy, not determined before they are dealt
- `dealt_hand`: a hand at the table with all hidden information: its start, its cards and its actions
- `ending`: the end of a hand as its viewers are told: the last action, the opened hands, street after street, the
  result
- `keeper`: the open tables; others are in the store until they are opened again
- `kept_session`: a session and its stored form: every change is written first, then applied
- `live_table`: a session in play: deals, queries agents, takes people's actions, and updates every viewer
- `messages`: the WebSocket messages between a table and a browser, validated field by field
- `pace`: the pace of a table, which reveals nothing about hidden cards, and the clock of people's turns
- `people`: the people at a table that several share: who sits where, the invitation, the clock, what the host allows
- `session_journal`: writes all changes to the store in one thread, with group commit
- `session_plan`: the plan of a session as stored: the game, the players, training and speed
- `session_state`: the state of a session: its hand, stacks, results, and what may be disclosed. Nothing here waits or
  writes
- `socket`: one browser at one table: reads its messages, answers each, and sends the newest view
- `viewers`: the browsers that look at one table: each is shown what its player may see
- `views`: what one viewer may see of a table. This is the only path from a hand to the network
"""
