"""The agents: one module for each system of the papers, and the baselines.

- `baselines`: random, always-call, always-raise, always-fold
"""
