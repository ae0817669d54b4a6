"""Railbird for reinforcement learning and game theory: its games and agents elsewhere, and players of others here.

- `encoding`: situations of a game as numbers: its actions by number, and what a seat sees as a vector
- `pettingzoo`: every game as an environment of PettingZoo
- `openspiel`: our agents as bots of OpenSpiel, and its policies and bots as our agents
- `spiel_games`: games of OpenSpiel and the same games here: their rules, and situations translated both ways
- `rlcard`: players of RLCard's limit hold'em as our agents
"""
