"""BayCaRP (baycarp-2011): acts by similar cases, with a Bayesian network that reads the opponents.

- `agent`: BayCaRP: acts by similar cases, with a Bayesian network that estimates the opponents' hands (baycarp-2011)
- `attributes`: BayCaRP's attributes of a situation (baycarp-2011 §5.4.1, fig. 5.7), of the seat to act
- `cases`: BayCaRP's cases: the schema and the similarity of every stage, as one table (baycarp-2011 §5.4 and §6.2.1)
- `explanation`: the reasons for BayCaRP's actions: its beliefs about opponents, its hand against them, and the similar
  situations
- `knowledge`: what BayCaRP has learnt: its versions, and packs as its agents use them
- `network`: files of BayCaRP's networks: the variant is recognised by the nodes; groups of players are located next to
  it
- `outcomes`: how BayCaRP judges a decision: by its cost, or by its value against what opponents are believed to hold
  (G-bucks)
- `parts`: shared by all joins of BayCaRP's network and cases: the parts, the result of a join, and the price of an
  action
- `players`: how BayCaRP distinguishes opponents (baycarp-2011 §9.1): one network for all, one per player, or one per
  group
- `view`: how BayCaRP sees a situation: the attributes of its cases, and the beliefs behind them
- `watching`: how BayCaRP's cases are made: all players at the table are observed and read by the network, as in play
- `joins/`: BayCaRP's network and cases joined in each of the four ways (baycarp-2011 §4.2)
- `strategies/`: BayCaRP with strategies for a whole betting round as solutions (baycarp-2011 §8.2.3, §9.1)
"""
