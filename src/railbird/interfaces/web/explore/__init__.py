"""Case bases, networks and agents to look at.

- `agents`: agents as plain data for the browser: what each is, and what players of its name did in the hands of this
  store
- `cases`: packs of cases as plain data for the browser: what a pack holds, its cases by filters, and the neighbours
  of a case
- `knowledge`: what agents learnt and may be looked at: packs of cases and networks, by ids that are no paths
- `networks`: bayesian networks as plain data for the browser: where boxes and arcs go, and what is probable given
  what is known
- `routes`: looking at what agents learnt: `/api/explore/…`, all by GET, all JSON; what is wrong is answered with one
  sentence
"""
