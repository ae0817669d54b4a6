"""How people and other programs reach the table.

- `offer`: which agents somebody on another machine may ask for
- `terminal`: a person plays with the keyboard in a terminal
- `explaining`: an agent's reasons in the terminal
- `replayer`: a hand from a file in the terminal, step by step
- `acpc_client`: an agent of ours plays on an ACPC server
- `acpc_house`: a run of our ACPC dealer, of `acpc_dealer` (the match), `acpc_ports`, `acpc_connection` and `acpc_clock`
- `brain_server`: agents as a server for bodies at other tables, of `brain_requests` (what may be asked),
  `brain_sessions` and `brain_agents` (the agents), `brain_messages`, `brain_views`, `brain_endings` and
  `brain_fields` (what is said, checked)
- `brain_client`: a body with the contract of an agent, over a `brain_wire`
"""
