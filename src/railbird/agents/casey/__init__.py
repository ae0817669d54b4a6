"""CASEY (Sandven and Tessem 2006, as described in baycarp-2011 §4.3.2): learns from cases of its own play.

- `agent`: CASEY: a case-based learner that starts with no cases (Sandven and Tessem 2006, as described in
  baycarp-2011 §4.3.2)
- `attributes`: CASEY's attributes of a situation, and the outcome of a hand (baycarp-2011 §4.3.2)
- `cases`: CASEY's cases: two schemas, similarities as one table, strategies as solutions, and the search for the best
- `explanation`: the reasons for CASEY's actions: what similar situations earned, by strategy and by stage
- `rulebot`: RuleBot: a few simple rules, the kind of opponent that CASEY learned against (baycarp-2011 §4.3.2)
"""
