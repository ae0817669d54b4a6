"""How people and other programs reach the table.

- `offer`: which agents somebody on another machine may ask for
- `visitors`: what counts as one visitor where visitors are counted by their addresses
- `ratings`: how strong the agents are, and their stars
- `company`: who sits at a table where nobody is named
- `terminal`: a person plays with the keyboard in a terminal
- `fitting`: tables and views that fit the width of a terminal
- `explaining`: an agent's reasons in the terminal
- `replayer`: a hand from a file in the terminal, step by step
- `acpc/`: an agent of ours on an ACPC server, and our own dealer
- `brain/`: agents as a server for bodies at other tables
- `web/`: the table in the browser
"""

DEFAULT_GAME = "limit-6max"
"""The game of a table where nobody names one."""
