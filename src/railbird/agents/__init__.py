"""The agents: one module for each system of the papers, and the baselines.

- `baselines`: random, always-call, always-raise, always-fold
- `pokibot`: Poki's formulas; `rulebot`, `jagbot`, `probtriple`: the other rule players of Loki's family; `profiles`:
  their styles; `limit_agent`: what they share
- `simbot`: simulated hands in place of formulas; `simulated_hands`: the trials of a decision
- `casper`: what experts did in similar situations; `casper_explanation`: in a player's words
- `casey`: starts with nothing; `casey_cases`: its strategies and cases; `casey_explanation`: in a player's words
"""
