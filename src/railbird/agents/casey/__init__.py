"""CASEY (Sandven and Tessem 2006, as told in baycarp-2011 §4.3.2): learns from cases of its own play.

- `agent`: CASEY: a case-based learner that starts with nothing (Sandven and Tessem 2006, as told in baycarp-2011
  §4.3.2)
- `attributes`: CASEY's attributes of a situation, and the outcome of a hand (baycarp-2011 §4.3.2)
- `cases`: CASEY's cases: two schemas, similarities as one table, strategies as solutions, and how the best one is
  found
- `explanation`: why CASEY acted so, in a player's words: what similar situations earned, strategy by strategy and
  stage by stage
- `rulebot`: RuleBot: a handful of plain rules, the kind of opponent that CASEY learned against (baycarp-2011 §4.3.2)
"""
