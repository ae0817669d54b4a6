"""Where agents meet: matches, duplicate deals, tournaments, statistics.

- `play/`: one hand, one match, match plans, and the handling of faults
- `run/`: many matches: jobs, workers, journals, and when to stop
- `processes/`: agents in separate processes
- `luck/`: luck that can be removed from results without bias
- `results/`: exact sums, rates with intervals, standings, statistics, figures
"""
