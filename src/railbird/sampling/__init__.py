"""Sampling with no poker in it.

- `selective`: selective sampling (loki-1999, figure 3): draw the hidden information, try every move, and repeat
"""
