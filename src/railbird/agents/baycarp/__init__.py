"""BayCaRP (baycarp-2011): acts by similar experience, where a Bayesian network reads the opponents.

- `agent`: BayCaRP: acts by similar experience, where a Bayesian network says what the opponents hold (baycarp-2011)
- `attributes`: BayCaRP's attributes of a situation (baycarp-2011 §5.4.1, fig. 5.7), of the seat to act
- `cases`: BayCaRP's cases: the schema and the similarity of every stage, as one table (baycarp-2011 §5.4 and §6.2.1)
- `explanation`: why BayCaRP acts so: what it believes of its opponents, its hand against that, and the similar
  situations
- `network`: BayCaRP's networks at rest: which variant a file holds is seen from its nodes; groups of players lie
  beside it
- `parts`: what all joins of BayCaRP's network and cases share: the parts, what a join gives, and what an action's
  price is
- `players`: how BayCaRP tells opponents apart (baycarp-2011 §9.1): one network for all, one for each, or one for each
  group
- `view`: how BayCaRP sees a situation: the attributes of its cases, and the beliefs behind them
- `watching`: how BayCaRP's cases are watched: everybody at the table is followed, and read by the network, as in play
- `joins/`: BayCaRP's network and cases joined in each of the four ways (baycarp-2011 §4.2)
- `strategies/`: BayCaRP with strategies for a whole betting round as solutions (baycarp-2011 §8.2.3, §9.1)
"""
