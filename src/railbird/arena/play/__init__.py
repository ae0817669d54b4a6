"""Playing: one hand, one match, match plans, and the handling of faults.

- `asking`: what an agent would do in one situation, and why
- `breaks`: breaks in a seating: the hands before are kept, and retold to new agents
- `experience`: what agents experienced in earlier matches, as a starting point for later ones
- `guard`: handles agents that misbehave: every fault is recorded and has a defined consequence
- `hand`: one hand between agents: deal, ask, perform, announce, award
- `match`: plays a planned match: each seating hand by hand, and all seatings combined into one result
- `payoffs`: what entrants won in the hands of a match, from what the seats won
- `plan`: the definition of a match as frozen data: from a plan alone, any process plays exactly the same hands
"""
