"""How people and other programs reach the table.

- `terminal`: a person plays with the keyboard in a terminal
"""
