"""Agents in processes of their own.

- `isolated_worker`: one agent in its own process: it answers the questions of `messages` until the connection ends
- `isolation`: `IsolatedAgent`: an agent in a process of its own, with limits on time, memory and open files
- `messages`: what the arena and an agent in its own process say to each other: plain data, never code
- `nursery`: the process from which agents' processes come: `python -m railbird.arena.processes.nursery FD`, started
  by `isolation`
- `open_nursery`: the nursery as the arena sees it
"""
