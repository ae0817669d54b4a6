"""The agents: one module for each system of the papers, and the baselines.

- `baselines`: random, always-call, always-raise, always-fold
- `pokibot`: Poki's formulas; `rulebot`, `jagbot`, `probtriple`: the other rule players of Loki's family; `profiles`:
  their styles; `limit_agent`: what they share
- `simbot`: simulated hands in place of formulas; `simulated_hands`: the trials of a decision
"""
