"""Sampling without poker in it.

- `selective`: selective sampling (loki-1999, figure 3): where information is missing, draw it, try every move, and
  repeat
"""
