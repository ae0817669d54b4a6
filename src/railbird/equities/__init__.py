"""Ranges, and how hands fare against them.

- `ranges`: weights over the 1,326 holdings: card removal, set operations, sampling
- `range_notation`: ranges as text, read and written
- `strength`: HS, PPot, NPot, EHS, E[HS], E[HS²] of one holding, and of all holdings of a board
- `showdown`: equities of 2–10 players
- `showdown_ways`: the methods of computing them
- `matchups`: equities before the flop, from a table
- `tables`: strength over all situations up to suits, built once
- `buckets`: uniform and percentile buckets
- `table_files`: tables on disk
- `asking`: equities of hands and ranges given as text
- `reading`: all measures and categories of one hand on one board
"""
