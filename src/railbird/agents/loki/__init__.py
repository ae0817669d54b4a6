"""Loki's family (Papp 1998, loki-1999): ProbTriple, Pokibot, Simbot, and Jagbot, which is made of the same parts.

- `income_thresholds`: hard thresholds before the flop: one of Papp's strategies by income rate
- `jagbot`: Jagbot: loose, aggressive and non-adaptive, the second table of casper-2007 §7
- `pokibot`: Pokibot: Poki's formula-based strategy against weighted opponents (Papp 1998 ch. 6, loki-1999,
  baycarp-2011 §4.3)
- `probtriple`: ProbTriple as a player: loki-1999 calls its routine a complete betting strategy that is not
  deterministic
- `profiles`: named profiles: the same agent playing tight or loose, passive or aggressive
- `simbot`: Simbot: tries every action in simulated hands (loki-1999, "selective sampling")
- `simulated_hands`: trials of a decision in limit hold'em, for `sampling.selective`: from an observation to
  `kernels.play.simulation`
"""
