"""Exploring case bases, networks and agents in the browser.

- `agents`: agents as plain data: their descriptions, and statistics of their players in this store
- `cases`: packs of cases as plain data: content, filtered cases, and the neighbours of a case
- `knowledge`: the packs and networks available for exploration, by ids that are not paths
- `networks`: Bayesian networks as plain data: layout, and posteriors given evidence
- `routes`: the routes below `/api/explore/`, all GET, all JSON
"""
