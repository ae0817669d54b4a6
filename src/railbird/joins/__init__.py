"""Ways to join a Bayesian network and a case-based reasoner, with no poker in them (baycarp-2011 §4.1, §4.2).

One of the two computes something that the other needs. Which one, and how closely they are coupled, makes four
architectures:

- `bn_cbr_1`: the network says which cases are compared at all, and learns from what fails
- BN-CBR-2: what the network holds probable describes the problem; this needs nothing but attributes of `cbr.schema`
  and, where symbols are compared by how probable they are, `cbr.similarity.ByProbability`
- `cbr_bn_1`: the retrieved cases make the network that decides, or a network adapts what they say
- `cbr_bn_2`: the retrieved case says which network decides

`docs/joins.md` has all four for patients in pain.
"""
