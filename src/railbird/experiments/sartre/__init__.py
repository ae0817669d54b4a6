"""sartre-2012: case-based strategies in three games.

- `expert`: the expert that SARTRE watches in these experiments
- `representations`: figure 2: three ways to describe hand strength, with parts of the case base
- `solutions`: tables 2 and 3: single and vector solutions, and the three policies of re-use
- `switching`: table 15: SARTRE with three players, with and without strategy switching
- `tournaments`: tables 8, 13 and 16: a tournament of all agents in each of the three games
"""
