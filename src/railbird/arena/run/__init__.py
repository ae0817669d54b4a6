"""Running many matches: jobs, workers, journals, and when to stop.

- `break_journal`: the hands of unfinished seatings on disk, from which an interrupted match resumes
- `contest`: `match` and `tournament`, from their options to their results
- `experiment`: many matches at once: matches missing in the journal are distributed to workers, finished ones recorded
- `fork_server`: how the workers of a pool are started: forked from a server that has loaded what they need
- `growing_journal`: the base of all journals: an append-only file of JSON lines that survives a kill
- `job`: the unit of work for workers: one seating of one match
- `journal`: the finished matches of an experiment on disk, from which a killed one resumes
- `kept_journals`: journals of runs without a file for their results, in the user's data folder
- `pool`: jobs distributed to processes on this machine
- `preloaded`: what the fork server loads before it forks workers
- `ray_cluster`: jobs distributed by Ray: on a cluster started on this machine, or on an existing one
- `sequential`: stopping a comparison as soon as it is decided, with error rates valid after any number of looks
- `stopping`: stopping an experiment as soon as its question is decided, with a stated error rate
- `terms`: what all matches of a contest have in common, whoever plays
- `workers`: where jobs run: in this process, in a pool of processes, or on Ray; the outcomes are identical
"""
