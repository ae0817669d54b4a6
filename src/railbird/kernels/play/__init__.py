"""Decisions and whole hands, compiled: situations, policies, and hands played to their ends.

- `deals`: the cards of many hands, and the values of everyone's hand
- `holding_weights`: values of all 1,326 holdings on a board, and the probabilities of their actions: the kernels of
  re-weighting
- `log_lines`: a finished hand in one pass, from the text of its betting and its cards: actions and payoffs
- `playout`: whole hands of random play in compiled code, through the same rules as everything else
- `poki_formula`: Pokibot's rules after the flop as probabilities of fold, call and raise, for compiled play-outs
- `prob_triple`: ProbTriple: from a situation and a holding to the probabilities of fold, call (or check) and raise (or
  bet)
- `rollouts`: roll-outs: deal whole tables at random, let all players call to the end, record each one's income
- `simulation`: simulated hands of limit hold'em: hidden cards are drawn, and the hand is played to its end by a policy
- `situations`: the situation of a limit decision without the cards: a small vector, read from the rules and the
  betting state
- `table_hands`: whole hands between players of one strategy in a table
"""
