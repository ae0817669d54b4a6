"""The table: rules as data, one hand's state, and the record of what happened.

- `rules`: `GameRules`, a game as frozen data, and its named options
- `games`: named games and their parameters (`limit-9max:cap=5`)
- `actions`: fold, call, raise-to, and what is legal
- `events`: what happens in a hand, as frozen records
- `setup`: the start of a hand: players, stacks and blinds
- `betting_tree`: the betting situations of a setup, each computed once
- `betting_facts`: public facts of a betting situation
- `state`: `State`, one hand in progress
- `history`: the events of a hand
- `record`: `HandRecord`, the form in which hands are stored and exchanged
- `json_form`: rules and records as plain data
- `table`: between hands: button, blinds, missing players, stacks
- `batch`: many hands at once in compiled code
"""
