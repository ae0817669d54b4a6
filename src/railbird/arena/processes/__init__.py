"""Agents in processes of their own.

- `frames`: messages over a socket: JSON objects behind their lengths (four bytes, big-endian)
- `isolated_worker`: one agent in its own process: it answers the questions of the arena until the connection ends
- `isolation`: `IsolatedAgent`: an agent in a process of its own, with limits on time, memory and open files
- `nursery`: the process from which agents' processes come: `python -m railbird.arena.processes.nursery FD`, started
  by `isolation`
- `open_nursery`: the nursery as the arena sees it
- `supervision`: processes with agents in them, as those who start them see them: begun apart from the terminal,
  ended in groups
"""
