"""Packs: cases at rest in Parquet files, with the recipe that made them, read with care.

- `bounds`: how large a Parquet file is when it is unpacked, found out before anything of it is
- `files`: packs: case bases at rest, in one Parquet file that any data tool opens
- `forms`: what the table of a pack does not tell of its bases: schemas, the order of symbols, and how many rows
  belong to each
- `merging`: equal descriptions as one case, and one case as single decisions (sartre-2012 §5.2.3, table 2)
- `table`: the case bases of a pack as one table, and back
- `thrift`: Thrift's compact protocol, in which Parquet files tell what is in them, read from bytes of anybody
"""
