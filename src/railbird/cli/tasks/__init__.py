"""What commands do, between their options and what they show.

- `contest`: what `match`, `tournament` and `selfplay` share: plans from options, running them, and showing what came
  of it
- `conversion`: what `railbird convert` does: hands from files of any format into one file, and a list of what did not
  get there
- `evolution`: what `railbird evolve` does: an evolution with a bar, the weights with their recipe, a table and a
  figure
- `importing`: what `railbird import` and `railbird stats` do: hands from files or a store, with a bar and a word on
  bad hands
- `network_training`: what `railbird train-network` does: hands into a network
- `output`: where a command writes: beside the place first, and into it when everything is there. Nothing is
  half-written
- `pack_making`: what `railbird watch` and `railbird casebase` do: packs from hands, from other packs, and into other
  files
- `reproduction`: running experiments from the command line: a bar while they run, a table of findings, and a file for
  each
- `serving`: how `railbird play` and `railbird serve` start the server
- `sources`: the files of hands that a command was given, one after another
"""
