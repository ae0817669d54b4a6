"""Solvers: iterations whose average strategies approach an equilibrium.

- `limit_solver`: heads-up limit hold'em, all holdings of a sampled board at once
- `sampled_solver`: hold'em with any betting tree, sampled deals and actions
- `regret_minimisation`: small games, all deals of which are listed
"""
