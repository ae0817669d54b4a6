"""The standings of a round robin, as the Annual Computer Poker Competition determines its winners (sartre-2012 §3.2).

- `total_bankroll`: ranks entrants by their winnings over all matches.
- `instant_runoff`: repeatedly removes the worst entrant together with what the others won from it; the last one
  remaining is first. Large profits from weak opponents therefore do not help.
- `head_to_head` and `all_head_to_heads`: who beats whom, with p-values, also corrected for multiple comparisons.

Standings are based on exact sums; only rates, intervals and p-values are floats. Ties are broken deterministically:
by the total bankroll in the run-off, then by the order of the crosstable's labels. Intervals over several tables are
valid if each table has its own deals; tables that share deals are not independent.
"""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from fractions import Fraction
from itertools import combinations

from railbird.arena.results.rates import Estimate, Rate
from railbird.arena.results.tally import Tally
from railbird.engine.rules import GameRules
from railbird.kernels.rules.pots import PARTS


class CrosstableError(ValueError):
    """Results from which standings cannot be computed."""


@dataclass(frozen=True, slots=True)
class Meeting:
    """Everything that one group of entrants played at one table."""

    labels: tuple[str, ...]
    tally: Tally
    """The tally, with players in the order of the labels."""

    def estimate(self, label: str) -> Estimate:
        """What an entrant won per hand at this table."""
        return Estimate.of(self.tally, [int(other == label) for other in self.labels])


@dataclass(frozen=True, slots=True)
class Crosstable:
    """The results of a round robin: one meeting for every group of entrants that fills a table."""

    rules: GameRules
    labels: tuple[str, ...]
    meetings: tuple[Meeting, ...]

    @classmethod
    def of(
        cls, rules: GameRules, labels: Sequence[str], matches: Iterable[tuple[Sequence[str], Tally]]
    ) -> "Crosstable":
        """From matches in any order, each the labels of its players and their tally in that order.

        Matches between the same entrants are added up, in whatever order the entrants are named.
        """
        order = {label: place for place, label in enumerate(labels)}
        if len(order) < len(labels):
            raise CrosstableError(f"entrants need different labels, but these are {', '.join(labels)}")
        if len(labels) < rules.players:
            raise CrosstableError(
                f"a table of {rules.name} has {rules.players} players, but only {len(labels)} entered"
            )
        groups = {group: Tally.empty(rules.players) for group in combinations(labels, rules.players)}
        for players, tally in matches:
            for label in players:
                if label not in order:
                    raise CrosstableError(
                        f"{label!r} played, but the entrants are {', '.join(map(repr, labels))}"
                    )
            if len(players) != len(tally.totals):
                raise CrosstableError(
                    f"{_listed(players)} met, but their tally has {len(tally.totals)} players"
                )
            seats = sorted(range(len(players)), key=lambda seat: order[players[seat]])
            group = tuple(players[seat] for seat in seats)
            if group not in groups:
                raise CrosstableError(
                    f"a table of {rules.name} has {rules.players} different players, not {_listed(players)}"
                )
            groups[group] += _reordered(tally, seats)
        for group, tally in groups.items():
            if not tally.hands:
                raise CrosstableError(f"standings need every table, but {_listed(group)} never met")
        return cls(rules, tuple(labels), tuple(Meeting(group, tally) for group, tally in groups.items()))

    def meetings_with(self, *labels: str) -> tuple[Meeting, ...]:
        """The meetings in which all of these entrants sat."""
        for label in labels:
            if label not in self.labels:
                raise CrosstableError(
                    f"{label!r} is not one of the entrants {', '.join(map(repr, self.labels))}"
                )
        return tuple(meeting for meeting in self.meetings if set(labels) <= set(meeting.labels))

    def among(self, pool: Iterable[str]) -> "Crosstable":
        """The crosstable of a subset of the entrants: only tables without anyone else."""
        kept = set(pool)
        return Crosstable(
            self.rules,
            tuple(label for label in self.labels if label in kept),
            tuple(meeting for meeting in self.meetings if set(meeting.labels) <= kept),
        )

    def bankroll(self, label: str) -> int:
        """An entrant's exact profit or loss over all tables, in parts of a chip (`kernels.rules.pots.PARTS`)."""
        return sum(meeting.tally.totals[meeting.labels.index(label)] for meeting in self.meetings_with(label))

    def standing(self, label: str) -> "Standing":
        """An entrant's line over all tables."""
        estimate = Estimate.pooled([meeting.estimate(label) for meeting in self.meetings_with(label)])
        return Standing(label, Fraction(self.bankroll(label), PARTS), Rate.of(self.rules, estimate))


@dataclass(frozen=True, slots=True)
class Standing:
    """One line of the standings."""

    label: str
    chips: Fraction
    """Profit or loss over the tables that count, exactly."""
    rate: Rate
    """The same per hand."""


@dataclass(frozen=True, slots=True)
class HeadToHead:
    """How one entrant did against another.

    Heads-up the rate is what the first won from the second; at larger tables it is how much more the first won than
    the second, over all tables where both sat.
    """

    first: str
    second: str
    rate: Rate
    p_value: float
    """The two-sided p-value: the probability of a difference at least as large between equal players."""
    adjusted_p_value: float
    """The p-value with Holm's correction for all comparisons made."""

    def significant(self, alpha: float = 0.05) -> bool:
        """Whether the two differ significantly; `alpha` bounds the probability of any false claim in the tournament."""
        return self.adjusted_p_value <= alpha

    def __invert__(self) -> "HeadToHead":
        """The same from the other's side."""
        rate = replace(self.rate, mean=-self.rate.mean, low=-self.rate.high, high=-self.rate.low)
        return replace(self, first=self.second, second=self.first, rate=rate)


def total_bankroll(crosstable: Crosstable) -> tuple[Standing, ...]:
    """Entrants by their total winnings; ties keep the order of the labels."""
    # Python's sort is stable, in reverse too: equals stay in the order of the labels.
    ranked = sorted(crosstable.labels, key=crosstable.bankroll, reverse=True)
    return tuple(crosstable.standing(label) for label in ranked)


def instant_runoff(crosstable: Crosstable) -> tuple[Standing, ...]:
    """Entrants ranked by repeatedly removing the worst from the pool of those remaining.

    1. Add up what every entrant won at tables where only members of the pool sat.
    2. Remove the one with the least. Ties go to the one with the smaller total bankroll over the whole tournament, then
       to the one whose label comes later.
    3. Repeat until the pool fills just one table, whose result ranks those remaining.

    Each line has what the entrant won against the pool from which it was removed.
    """
    if not crosstable.labels:
        return ()
    whole = {label: crosstable.bankroll(label) for label in crosstable.labels}
    removed: list[Standing] = []
    pool = crosstable
    while True:
        won = {label: (pool.bankroll(label), whole[label]) for label in pool.labels}
        ranked = sorted(pool.labels, key=won.__getitem__, reverse=True)
        if len(ranked) == crosstable.rules.players:
            return (*(pool.standing(label) for label in ranked), *reversed(removed))
        removed.append(pool.standing(ranked[-1]))
        pool = pool.among(ranked[:-1])


def head_to_head(crosstable: Crosstable, first: str, second: str) -> HeadToHead:
    """How the first did against the second, as a single comparison."""
    if first == second:
        raise CrosstableError(f"{first!r} cannot be compared with itself")
    heads_up = crosstable.rules.players == 2
    estimates = [
        Estimate.of(
            meeting.tally,
            [int(label == first) - int(label == second and not heads_up) for label in meeting.labels],
        )
        for meeting in crosstable.meetings_with(first, second)
    ]
    estimate = Estimate.pooled(estimates)
    p_value = estimate.p_value
    return HeadToHead(first, second, Rate.of(crosstable.rules, estimate), p_value, p_value)


def all_head_to_heads(crosstable: Crosstable) -> tuple[HeadToHead, ...]:
    """Every two entrants compared, in the order of the labels, with Holm's correction over all of them."""
    alone = [head_to_head(crosstable, first, second) for first, second in combinations(crosstable.labels, 2)]
    adjusted = holm([comparison.p_value for comparison in alone])
    return tuple(
        replace(comparison, adjusted_p_value=value) for comparison, value in zip(alone, adjusted, strict=True)
    )


def holm(p_values: Sequence[float]) -> tuple[float, ...]:
    """P-values corrected for their number by Holm's step-down method (1979).

    Rejecting all hypotheses with a corrected p-value of at most alpha makes any false claim with probability at most
    alpha, however the comparisons depend on each other.

    >>> holm([0.01, 0.04, 0.03])
    (0.03, 0.06, 0.06)
    """
    adjusted = [0.0] * len(p_values)
    largest = 0.0
    for rank, place in enumerate(sorted(range(len(p_values)), key=lambda place: p_values[place])):
        largest = max(largest, min(1.0, (len(p_values) - rank) * p_values[place]))
        adjusted[place] = largest
    return tuple(adjusted)


def _reordered(tally: Tally, seats: Sequence[int]) -> Tally:
    """The tally with its players in another order."""
    return replace(
        tally,
        totals=tuple(tally.totals[seat] for seat in seats),
        products=tuple(tuple(tally.products[row][column] for column in seats) for row in seats),
    )


def _listed(labels: Sequence[str]) -> str:
    return " and ".join(map(repr, labels))
