"""Migrations from each version of a store's tables to the next.

- `versions/`: one module for each version
"""
