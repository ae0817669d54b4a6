"""What was won and done: exact sums, rates with intervals, standings, statistics, figures.

- `adjustment`: the rates of a match with the luck taken out that can be taken out without bias (`arena.results.luck`)
- `archive`: the careers of players in files of hands, or in a store
- `career`: what players did and won over recorded hands of any games: the statistics of a match for hands that others
  played
- `drawing`: all figures of a match or a tournament, drawn into a folder as PNG and SVG
- `figures`: figures of results: bankroll curve, crosstable, action frequencies, winnings per hand type; PNG or SVG
- `interim`: the standings of a tournament while it is played: of those who met, as far as they met
- `luck`: luck that can be taken out of results without bias: the same mean, less spread
- `outcomes`: results as objects, with their report as plain data and as data frames
- `rates`: what a player wins per hand: a mean with its 95 % interval and the number of hands
- `report`: results as plain data, in the form that `match` and `tournament` write: schema `railbird.results/1`
- `standings`: the standings of a round robin, as the Annual Computer Poker Competition finds its winners (sartre-2012
  §3.2)
- `statistics`: what players did and what it brought, as exact counts: the statistics of a session (baycarp-2011 §7.3)
- `statistics_collector`: from hand records to `PlayerStatistics`: one pass over the events of every hand, for all its
  players at once
- `student`: Student's t distribution: the tails from which intervals and p-values of few units are made
- `tally`: what players won, added up exactly: the sums from which every mean and interval is made
"""
