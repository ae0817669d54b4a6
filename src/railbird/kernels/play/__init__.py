"""Decisions and whole hands, compiled: what acting depends on, policies, and hands played to their ends.

- `holding_weights`: values of all 1,326 holdings on a board, and the chances with which each of them would act:
  re-weighting's kernels
- `log_lines`: a finished hand in one go, from the text of its betting and its cards: what happened and what it paid
- `playout`: whole hands of random play in compiled code, through the same rules as everything else
- `poki_formula`: Pokibot's rules after the flop as chances to fold, call and raise, for compiled play-outs
- `prob_triple`: ProbTriple: from a situation and a holding to the chances to fold, to call (or check) and to raise
  (or bet)
- `rollouts`: roll-outs: deal whole tables at random, let everybody call to the end, credit each with its income
- `simulation`: simulated hands of limit hold'em: what is hidden is drawn, and the hand is played to its end by a
  policy
- `situations`: what a limit decision depends on besides the cards: a small vector, read from the rules and the
  betting state
"""
