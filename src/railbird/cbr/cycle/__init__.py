"""The phases of case-based reasoning: retrieve, reuse, revise, retain; and the data they pass on.

- `episode`: one problem on its way through the four phases
- `index`: the search tree over a case base: exact, and updated as the case base grows
- `joining`: case bases and packs joined: the cases of the second after those of the first, and so on
- `maintenance`: maintenance of a case base: redundancy, coverage, deletion, and how well cases predict each other
- `many`: many problems at once that differ in some numbers only
- `pending`: episodes that wait for their outcome (baycarp-2011 §5.4.6): they become cases when it is known
- `plans`: solutions of two steps: what to do first, and what to do if the problem recurs (baycarp-2011 §4.3.2)
- `ramps`: the losses of the numbers in which many problems differ, as straight lines over the distance in equal marks
- `reasoner`: the four phases in sequence
- `retain`: an episode becomes a case
- `retrieve`: the cases with which a problem is compared; always exact, in a fixed order
- `reuse`: from the retrieved cases to a strategy over solutions
- `revise`: the value of an outcome, before it is retained
"""
