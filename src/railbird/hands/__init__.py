"""What cards are worth and what players call them.

- `evaluator`: the value of 5, 6 or 7 cards
- `categories`: the category of a value and a spoken description
- `small`: hands of fewer than five cards, for Kuhn and Leduc poker
- `holdings`: the 1,326 holdings and their 169 classes
- `starting`: the ranking 1 … 169
- `groups`: the ten hand groups
- `income`: Loki's income rates
- `types`: the 17 hand types
- `draws`: partial hands
- `sartre_categories`: the expert list of 284
- `boards`: board textures, board states and their changes
- `isomorphism`: situations up to a renaming of suits, as indices
"""
