"""The ACPC's protocol over sockets: our agents as clients, and our dealer.

- `client`: an agent as a client of an ACPC dealer, with the same observations as at our own table
- `clock`: the time limits of the official ACPC dealer: per response, per hand, and on average per hand of a match
- `connection`: line-based connections for both sides of the ACPC's protocol, with time and memory limits
- `dealer`: the dealer of an ACPC match: deals the official server's cards, queries the players over sockets, and
  writes the logs
- `house`: one run of the dealer: its files, its ports, the connecting players, and the final score
- `ports`: the ports of a dealer: one for each seat, and each accepts one player, once
- `rehearsing`: a few hands before an agent connects, so that nothing is compiled while a dealer's clock runs
"""
