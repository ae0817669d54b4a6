"""SartreNL: SARTRE for heads-up no-limit hold'em (sartre-2012 §6).

- `agent`: SartreNL: SARTRE for heads-up no-limit hold'em (sartre-2012 §6)
- `amounts`: letters as real amounts: randomised reverse translation (sartre-2012, equation 6)
- `cases`: SartreNL's cases: the attributes of every stage and how they are compared (sartre-2012, table 10 and §6.3.4)
- `explanation`: the reasons for SartreNL's actions: as at limit, how bets were read, and what the letters are in chips
- `sequences`: betting sequences of no-limit hold'em: bets read as letters, and how similar two sequences are
  (sartre-2012 §6.3)
- `situations`: situations of no-limit hold'em as SartreNL describes them: as at limit, and the stack commitment
- `watching`: how SartreNL's cases are made: bets are read by hard translation, so that the same hands give the same
  cases
"""
