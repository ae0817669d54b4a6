"""SARTRE (sartre-2012): does what an expert did in the most similar situation that it watched.

- `agent`: SARTRE: does what an expert did in the most similar situation that it watched (sartre-2012 §5)
- `cases`: SARTRE's cases: the attributes of every stage and how they are compared (sartre-2012, tables 1 and 4)
- `explanation`: the reasons for SARTRE's actions: the most similar situations, what the expert did there, and what it
  earned
- `hand_strength`: three ways to describe the strength of a hand after the flop (sartre-2012 §5.2.1 and §5.3.1)
- `imitator`: an imitator of one expert: its cases, with how they are compared, retrieved and reused
- `imitators`: several imitators of different experts, combined (sartre-2012 §5.4.3; Rubin and Watson 2011)
- `nolimit/`: SartreNL: SARTRE for heads-up no-limit hold'em (sartre-2012 §6)
- `sequences`: betting sequences of limit hold'em as text, and how similar two of them are (sartre-2012 §5.3.2 and
  §7.2.2)
- `situations`: situations of limit hold'em as SARTRE describes them: hand strength, betting sequence and board texture
- `switching`: strategy switching: heads-up cases for a three-player hand in which one player folded (sartre-2012 §7.1)
- `systems`: the names of SARTRE's systems, as packs record them: the game, and how hands are described
- `three_player`: SARTRE for three players: limit hold'em, with strategy switching (sartre-2012 §7)
- `tabulation`: SARTRE as a table: what it does at every decision of heads-up limit hold'em, for each hand strength and
  texture
- `watching`: how SARTRE's cases are made: one situation at a time, equal ones merged unless cases are single
"""
