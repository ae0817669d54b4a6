"""Where agents meet: matches, duplicate deals, tournaments, statistics.

- `plan`: a match as data; `hand`: one hand between agents; `match`: a planned match, seating by seating
- `tally`: exact sums; `rates`: means with intervals (`student`: the t distribution); `sequential`: stopping early
- `statistics`: what a player did; `statistics_collector`: counting it; `luck`: taking chance out without bias
- `standings`: crosstable, total bankroll, instant run-off; `report`: results as data; `figures`: as pictures
- `faults`: agents that misbehave; `isolation`: agents in processes (`nursery`, `isolated_worker`, `messages`)
- `experiment`: many matches; `journal`: resuming; `job`, `workers`: sharing them out (`pool`, `ray_cluster`)
"""
