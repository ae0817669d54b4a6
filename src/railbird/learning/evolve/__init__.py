"""Weights of similarities found by evolution.

- `convergence`: the figure of an evolution: how the losses fell, generation by generation. It reads in grey
- `evolution`: weights found by evolution (casper-2008 §VII: CASPERGeneral), with CMA-ES
- `objectives`: what weights are tried for: to imitate better, or to win more. Both are losses, which an evolution
  makes small
- `trials`: weights that were tried, and what came of them, on disk: a stopped evolution goes on where it was
- `weights`: `evolve_weights`, from a pack to a file of weights with their recipe
"""
