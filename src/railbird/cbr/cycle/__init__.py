"""The phases of case-based reasoning: retrieve, reuse, revise, retain; and what they hand on.

- `episode`: one problem on its way through the four phases
- `index`: the search tree over a case base: exact, and growing with it
- `joining`: case bases and packs joined: the cases of the second after those of the first, and so on
- `maintenance`: looking after a case base: what is redundant or covered, what may be forgotten, how well cases
  predict each other
- `many`: many problems at once that differ in some numbers only
- `pending`: episodes that wait for their outcome (baycarp-2011 §5.4.6): they are no cases before it is known
- `plans`: plans: solutions of two steps, what to do first and what to do if the problem comes back (baycarp-2011
  §4.3.2)
- `reasoner`: the four phases in a row
- `retain`: retain: an episode becomes a case
- `retrieve`: retrieve: which cases a problem is compared with. Always exact, in a fixed order
- `reuse`: reuse: from the retrieved cases to a strategy over solutions
- `revise`: revise: what an outcome is worth, before it becomes experience
"""
