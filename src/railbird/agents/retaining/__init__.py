"""Agents that learn while they play: their own decisions become cases once the outcome of the hand is known.

- `memory`: watched cases, followed by the cases of an agent's own play
- `retainer`: decisions that wait for the end of their hand, and where they are kept
"""
