"""Case-based reasoning with no poker in it: a new problem is solved as similar ones were.

A *case* is a description (attributes and values), a solution (one of a few) and its outcome. The modules follow a
case:

- `schema`: which attributes a description has, and which solutions there are
- `similarity`: how similar two values, and two descriptions, are
- `staged`: schemas and similarities that change from stage to stage, as one table
- `weights`: files of weights that replace those of such a table
- `measure`: a similarity in the form that compiled searches take
- `target`: the description of the problem to be solved
- `case_base`: cases in columns
- `columns`: a case base as named arrays and back
- `cycle/`: retrieve, reuse, revise, retain; each takes a case base and an episode and returns the episode one step
  further
- `explain`: which cases made a decision, and how similar each attribute was
- `packs/`: case bases at rest, in one Parquet file
"""
