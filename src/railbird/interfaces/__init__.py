"""How people and other programs reach the table.

- `terminal`: a person plays with the keyboard in a terminal
- `explaining`: an agent's reasons in the terminal
- `replayer`: a hand from a file in the terminal, step by step
- `acpc_client`: an agent of ours plays on an ACPC server
- `acpc_house`: a run of our ACPC dealer, of `acpc_dealer` (the match), `acpc_ports`, `acpc_connection` and `acpc_clock`
"""
