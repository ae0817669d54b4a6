"""Where agents meet: matches, duplicate deals, tournaments, statistics.

- `play/`: one hand, one match, what is planned before it and what becomes of faults
- `run/`: many matches: jobs, workers, journals, and when to stop
- `processes/`: agents in processes of their own
- `results/`: exact sums, rates with intervals, standings, statistics, figures
"""
