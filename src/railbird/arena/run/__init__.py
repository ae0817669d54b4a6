"""Running many matches: jobs, workers, journals, and when to stop.

- `contest`: `match` and `tournament`, from their options to their results
- `experiment`: many matches at once: what the journal lacks is shared out to the workers, and what is finished is
  written down
- `growing_journal`: a text file of JSON lines that only grows, and that a kill cannot spoil: what journals have in
  common
- `job`: the unit of work that workers share: one seating of one match
- `journal`: what an experiment has finished so far, on disk: a killed one goes on where it was
- `pool`: jobs shared out to processes on this machine
- `ray_cluster`: jobs shared out by Ray: on a cluster of its own on this machine, or on one that exists
- `sequential`: stopping a comparison as soon as it is decided, with error rates that survive looking after every hand
- `stopping`: stopping an experiment as soon as its question is decided, with a stated error rate
- `terms`: what all matches of a contest have in common, whoever plays
- `workers`: who plays the jobs: this process, a pool of processes, or Ray. The outcomes are the same to the byte
"""
