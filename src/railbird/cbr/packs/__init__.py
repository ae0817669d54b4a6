"""Packs: Parquet files of cases, with the recipe that made them, checked when they are read.

- `bounds`: the size of a Parquet file when unpacked, determined before anything is unpacked
- `contents`: the case bases of a pack and their riders, from the columns of its table
- `files`: packs: case bases in one Parquet file that any data tool opens
- `forms`: information about bases that is not in the table of a pack: schemas, order of symbols, numbers of rows
- `merging`: equal descriptions as one case, and one case as single decisions (sartre-2012 §5.2.3, table 2)
- `pages`: the pages of a Parquet file: where they are, and what their headers state
- `parquet`: the columns of a Parquet file as arrays
- `table`: the case bases of a pack as one table of Polars, which writes it
- `thrift`: Thrift's compact protocol, the encoding of Parquet metadata, read from untrusted bytes
"""
