"""Where agents meet.

- `hand`: one hand between agents, from the deal to the award
"""
