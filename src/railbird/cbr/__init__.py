"""Case-based reasoning with no poker in it: a new problem is solved as similar ones were.

A *case* is a description (attributes and values), a solution (one of a few) and its outcome. The modules follow a
case:

- `schema`: which attributes a description has, and which solutions there are
- `similarity`: how similar two values, and two descriptions, are
- `case_base`: cases in columns; `merging`: equal descriptions as one case and back
- `index`: the search tree, which finds exactly what looking at every case would find
- `retrieve`, `reuse`, `revise`, `retain`: the four phases; each takes a case base and an `episode` and returns the
  episode one step further
- `plans`: solutions of two steps, the second for when the problem comes back
- `pending`: episodes that wait for their outcome
- `explain`: which cases made a decision, and how similar each attribute was
- `columns`: a case base as named arrays and back
- `packs`: case bases at rest, in one Parquet file (its columns: `pack_table`; what these do not tell: `pack_forms`);
  `parquet_bounds`, `thrift`: how large such a file is, before it is unpacked; `joining`: several as one
- `maintenance`: what is redundant, what is covered, what may be forgotten, and how well the cases predict each other
"""
