"""Results: exact sums, rates with intervals, standings, statistics, figures.

- `archive`: the careers of players in files of hands, or in a store
- `career`: what players did and won over recorded hands of any games: the statistics of a match for hands played
  elsewhere
- `compact`: finished matches in little memory
- `drawing`: all figures of a match or a tournament, drawn into a folder as PNG and SVG
- `figures`: figures of results: bankroll curve, crosstable, action frequencies, winnings per hand type; PNG or SVG
- `interim`: the standings of a tournament in progress, from the matches played so far
- `outcomes`: results as objects, with their report as plain data and as data frames
- `rates`: what a player wins per hand: a mean with its 95 % interval and the number of hands
- `report`: results as plain data, in the form that `match` and `tournament` write: schema `railbird.results/1`
- `standings`: the standings of a round robin, as the Annual Computer Poker Competition determines its winners
  (sartre-2012 §3.2)
- `statistics`: what players did and won, as exact counts: the statistics of a session (baycarp-2011 §7.3)
- `statistics_collector`: from hand records to `PlayerStatistics`: one pass over the events of every hand, for all its
  players at once
- `student`: Student's t distribution: the tails behind intervals and p-values of few units
- `tally`: what players won, added up exactly: the sums behind every mean and interval
"""
