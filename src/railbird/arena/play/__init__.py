"""Playing: one hand, one match, what is planned before it and what becomes of faults.

- `asking`: what an agent would do in one situation, and why
- `experience`: what agents lived through in earlier matches, and how later ones start from it
- `guard`: what becomes of agents that misbehave: every fault has a record and a stated consequence
- `hand`: one hand between agents: deal, ask, do, tell everyone, award
- `match`: playing a planned match: every seating of it hand by hand, and the seatings joined into one result
- `plan`: what a match is, as frozen data: from a plan alone, any process plays exactly the same hands
"""
