"""Weights of similarities found by evolution.

- `convergence`: the figure of an evolution: the losses by generation; readable in greyscale
- `evolution`: weights found by evolution (casper-2008 §VII: CASPERGeneral), with CMA-ES
- `objectives`: the objectives of an evolution: to imitate better, or to win more; both are losses to be minimised
- `trials`: a journal of tried weights and their losses on disk: an interrupted evolution resumes
- `weighted`: the systems whose weights evolve: attributes, packs and retrieval
- `weights`: `evolve_weights`, from a pack to a file of weights with their recipe
"""
