"""How good solved strategies are.

- `curves`: exploitability against the number of iterations and of buckets
"""
