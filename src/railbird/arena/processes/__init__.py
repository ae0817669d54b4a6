"""Agents in separate processes.

- `environment`: environment variables for processes that are started within a block
- `frames`: messages over a socket: JSON objects prefixed with their length (four bytes, big-endian)
- `isolated_worker`: one agent in its own process: it answers the questions of the arena until the connection ends
- `isolation`: `IsolatedAgent`: an agent in a separate process, with limits on time, memory and open files
- `nursery`: the process that forks agents' processes: `python -m railbird.arena.processes.nursery FD MODULE`, started
  by `open_nursery`
- `open_nursery`: the other side of a nursery: opened when first needed, asked for processes, closed at the end
- `supervision`: starting processes that run agents, detached from the terminal, and ending them as groups
"""
