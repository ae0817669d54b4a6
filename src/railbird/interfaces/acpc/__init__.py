"""The ACPC's protocol over sockets: our agents as clients, and our dealer.

- `client`: an agent at a table of an ACPC dealer: it sees what it would see at our own table, and answers over a
  socket
- `clock`: the time limits of the official ACPC dealer: for a response, for a hand, and on average for the hands of a
  match
- `connection`: lines over a socket, as both sides of the ACPC's protocol read and write them: time and memory have
  limits
- `dealer`: the dealer of an ACPC match: deals the official server's cards, asks the players over sockets, and keeps
  the books
- `house`: one run of the dealer: its files, its ports, the players who come, and the score at the end
- `ports`: the ports of a dealer: one for each seat, and each for one player, once
"""
