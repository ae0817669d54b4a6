"""The lobby: games, opponents, new sessions, and tables for several people.

- `games`: the games, with their seats and stakes
- `opponents`: the agents: the games and parameters of each, and how strong it is
- `beginning`: new sessions: what a browser asks for, checked and stored
- `invitations`: invitations to tables for several people
- `guests`: the sessions in which people are guests
- `routes`: what can be played, the player's sessions, and new ones
"""
