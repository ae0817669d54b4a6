"""Packs: Parquet files of cases, with the recipe that made them, checked when they are read.

- `bounds`: the size of a Parquet file when unpacked, determined before anything is unpacked
- `files`: packs: case bases in one Parquet file that any data tool opens
- `forms`: information about bases that is not in the table of a pack: schemas, order of symbols, numbers of rows
- `merging`: equal descriptions as one case, and one case as single decisions (sartre-2012 §5.2.3, table 2)
- `table`: the case bases of a pack as one table, and back
- `thrift`: Thrift's compact protocol, the encoding of Parquet metadata, read from untrusted bytes
"""
