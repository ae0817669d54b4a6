"""Ways to join a Bayesian network and a case-based reasoner, independent of poker (baycarp-2011 §4.1, §4.2).

One of the two computes something that the other needs. Which one does, and how closely they are coupled, gives four
architectures:

- `bn_cbr_1`: the network selects the cases that are compared, and learns from failures
- BN-CBR-2: the network's beliefs describe the problem; this needs only attributes of `cbr.schema` and, for symbols
  compared by their probabilities, `cbr.similarity.ByProbability`
- `cbr_bn_1`: the retrieved cases make or complete the network that decides, or a network adapts their solutions
- `cbr_bn_2`: the retrieved case selects the network that decides

`docs/joins.md` shows all four with an example of patients in pain.
"""
