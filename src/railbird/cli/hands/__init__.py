"""Commands for recorded hands.

- `convert`: from one format to another
- `replay`: a hand, step by step
- `import_hands`: hands into the store
- `stats`: what players did and won
- `store`: the content of a store
"""
