"""Solvers: iterations whose average strategies approach an equilibrium.

- `limit_solver`: heads-up limit hold'em, all holdings of a sampled board at once
- `sampled_solver`: hold'em with any betting tree, sampled deals and actions
- `strangers`: opponents who ignore their cards, against whom it learns to play as well
- `regret_minimisation`: small games, all deals of which are listed
"""
