"""baycarp-2011 §7.3, figures 7.3 to 7.11: sessions of the published BayCaRP1 and BayCaRP2, and what they show.

BayCaRP1 sits at a table of eight (figure 7.4), BayCaRP2 at one of nine, with Anders (figure 7.9). Several sessions of
the thesis's length are played, so that what is said of one of them can be judged.
"""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from math import hypot, sqrt
from statistics import fmean
from typing import TypeAlias

from railbird.arena.results.rates import Rate
from railbird.engine.record import HandRecord
from railbird.engine.rules import ROUND_NAMES
from railbird.experiments.baycarp.play import MAJORITY, OUTCOMES, PUBLISHED1, PUBLISHED2
from railbird.experiments.frame import Experiment, Finding, Laboratory
from railbird.experiments.opponent_tables import THESIS_HANDS, THESIS_PLAYERS
from railbird.experiments.played_hands import labels_of, noted_records
from railbird.experiments.published import NORMAL_QUANTILE, Portion, PublishedRate
from railbird.explanation.formats import format_percent, format_signed
from railbird.features.player_counts import (
    CALLS,
    FOLDS,
    HANDS,
    SHOWDOWNS,
    SHOWDOWNS_WON,
    UNCONTESTED,
    VPIP,
    Counts,
    count_record,
    decisions_in,
    no_counts,
)
from railbird.hands.types import HandType, hand_type

SESSION, SESSIONS = 4_500, 4
"""Hands of a session, and number of sessions."""
KARMA, ANDERS = "Karma", "Anders"
ROUNDS = {name: number for number, name in enumerate(ROUND_NAMES)}
KINDS = ("high card", "pair", "two pair", "three of a kind", "better")
FIGURE_7_4: Mapping[str, tuple[int, ...]] = {
    "Absinthe": (29, 14, 9, 10, 48),
    "BayCaRP": (26, 14, 10, 6, 63),
    "Doyle": (23, 12, 7, 10, 46),
    "Erasmus": (18, 10, 6, 8, 41),
    "Frida": (29, 15, 9, 11, 48),
    "Hari": (17, 9, 5, 7, 53),
    "Jake": (43, 20, 13, 14, 51),
    "Karma": (18, 10, 6, 7, 49),
}
FIGURE_7_9: Mapping[str, tuple[int, ...]] = {
    "Absinthe": (28, 12, 6, 11, 50),
    "Anders": (29, 13, 7, 12, 48),
    "BayCaRP": (25, 11, 7, 9, 50),
    "Doyle": (21, 9, 5, 10, 41),
    "Erasmus": (19, 9, 5, 8, 50),
    "Frida": (29, 13, 7, 12, 51),
    "Hari": (19, 8, 4, 8, 51),
    "Jake": (42, 17, 10, 15, 46),
    "Karma": (19, 9, 5, 9, 49),
}
"""Hands played and won, won without a showdown, showdowns seen, and won of these, by player, in percent."""
TURN: Mapping[str, Mapping[int, float]] = {
    "BayCaRP1": {FOLDS: 0.19, CALLS: 0.09},
    KARMA: {FOLDS: 0.07, CALLS: 0.33},
}
"""Shares of the decisions on the turn (figure 7.5)."""
PAIRS: Mapping[str, PublishedRate] = {
    "BayCaRP1": PublishedRate(-35 / 4_501, 4_501),
    KARMA: PublishedRate(380 / 4_501, 4_501),
}
"""What was won with a pair on the flop, as a rate of all hands (figures 7.6 and 7.7)."""


def kind_of(made: HandType) -> str:
    """The kind of a hand in figures 7.6, 7.7 and 7.11."""
    match made:
        case HandType.BUSTED:
            return KINDS[0]
        case HandType.TWO_PAIR:
            return KINDS[2]
        case HandType.THREE_OF_A_KIND:
            return KINDS[3]
    return KINDS[1] if "Pair" in made.label else KINDS[4]


Statistics: TypeAlias = tuple[Portion, ...]
"""A row of figures 7.4 and 7.9."""


@dataclass(slots=True)
class Played:
    """What a player did and won in all sessions."""

    counts: Counts = field(default_factory=no_counts)
    won: list[float] = field(default_factory=list)
    """By hand, in small bets."""
    by_kind: dict[str, list[float]] = field(default_factory=lambda: {kind: [] for kind in KINDS})
    """The same of hands that saw the flop, by their kind there."""

    @property
    def hands(self) -> int:
        """The number of hands."""
        return self.counts[HANDS]

    def share(self, *entries: int) -> float:
        """The share of hands counted by these entries."""
        return sum(self.counts[each] for each in entries) / self.hands

    @property
    def showdowns_won(self) -> float:
        """The share of showdowns that were won."""
        return self.counts[SHOWDOWNS_WON] / max(1, self.counts[SHOWDOWNS])

    @property
    def statistics(self) -> Statistics:
        """The columns of figures 7.4 and 7.9."""
        columns = ((VPIP,), (UNCONTESTED, SHOWDOWNS_WON), (UNCONTESTED,), (SHOWDOWNS,))
        of_hands = (Portion(self.share(*entries), self.hands) for entries in columns)
        return (*of_hands, Portion(self.showdowns_won, self.counts[SHOWDOWNS]))

    def actions(self, stage: str) -> list[float]:
        """The shares of folds, checks, calls, bets and raises in a round."""
        found = decisions_in(self.counts, ROUNDS[stage])
        return [each / max(1, sum(found)) for each in found]

    def deviation(self, won: Sequence[float]) -> float:
        """The standard deviation of what a hand adds to a part of the winnings."""
        mean = sum(won) / self.hands
        return sqrt((sum(each**2 for each in won) - self.hands * mean**2) / max(1, self.hands - 1))

    def rate(self, won: Sequence[float]) -> Rate:
        """A part of the winnings, per hand of all hands."""
        mean, half = sum(won) / self.hands, NORMAL_QUANTILE * self.deviation(won) / sqrt(self.hands)
        return Rate("sb/h", mean, mean - half, mean + half, self.hands)


def printed_statistics(percents: Sequence[int], hands: int) -> Statistics:
    """A printed row; the last column is a share of the showdowns that the one before it counts."""
    *of_hands, won = (percent / 100 for percent in percents)
    return (*(Portion(share, hands) for share in of_hands), Portion(won, round(of_hands[-1] * hands)))


def counted(records: Sequence[HandRecord], names: Mapping[str, str]) -> dict[str, Played]:
    """What every player did, by the names of labels."""
    found = {name: Played() for name in names.values()}
    for record in records:
        players = [found[names[label]] for label in record.players]
        seen = count_record(record, [each.counts for each in players])
        for seat, player in enumerate(players):
            won = float(seen.chips[seat]) / record.rules.small_bet
            player.won.append(won)
            hole = seen.holes[seat]
            if seen.at_flop >> seat & 1 and hole is not None:
                player.by_kind[kind_of(hand_type(hole, seen.flop))].append(won)
    return found


def _session(laboratory: Laboratory, agent: str, *, without: str = "") -> dict[str, Played]:
    """Sessions of BayCaRP with the thesis's opponents, perhaps without one of them."""
    seats = {"BayCaRP": agent, **{name: bot for name, bot in THESIS_PLAYERS.items() if name != without}}
    agents = tuple(seats.values())
    names = dict(zip(labels_of(agents), seats, strict=True))
    count = laboratory.sized(SESSION, 25)
    records = []
    for number in range(laboratory.sized(SESSIONS, 1)):
        note = f"session {number}: {count} hands of {' '.join(agents)}"
        seed = f"{laboratory.seed} session {number}"
        records += noted_records(laboratory, note, f"limit-{len(agents)}max", agents, count, seed)
    laboratory.note_provenance(agents)
    return counted(records, names)


def _sessions(laboratory: Laboratory) -> Iterator[Finding]:
    one = _session(laboratory, PUBLISHED1, without=ANDERS)
    two = _session(laboratory, PUBLISHED2)
    session = laboratory.sized(SESSION, 25)
    yield from _told("BayCaRP1", one, session, OUTCOMES, FIGURE_7_4, ("7.3", "7.4", "7.5 and 7.7"))
    yield from _told("BayCaRP2", two, session, MAJORITY, FIGURE_7_9, ("7.8", "7.9", "7.10 and 7.11"))
    yield from _actions_and_kinds(KARMA, one[KARMA], session, "7.5 and 7.6", "high card below zero")
    first, second, karma = one["BayCaRP"], two["BayCaRP"], one[KARMA]
    others = [player for name, player in one.items() if name != "BayCaRP"]
    turn, river = "turn", "river"
    for said, holds in (
        (
            "BayCaRP1 wins more of its showdowns than anybody else",
            first.showdowns_won > max(each.showdowns_won for each in others),
        ),
        (
            "BayCaRP1 sees fewer showdowns than anybody else",
            first.share(SHOWDOWNS) < min(each.share(SHOWDOWNS) for each in others),
        ),
        (
            "BayCaRP1 wins more hands uncontested than the mean of the others",
            first.share(UNCONTESTED) > sum(each.share(UNCONTESTED) for each in others) / len(others),
        ),
        (
            "on the turn, BayCaRP1 folds more and calls less than Karma",
            first.actions(turn)[FOLDS] > karma.actions(turn)[FOLDS]
            and first.actions(turn)[CALLS] < karma.actions(turn)[CALLS],
        ),
        (
            "on turn and river, BayCaRP2 folds less and calls more than BayCaRP1",
            all(
                second.actions(stage)[FOLDS] < first.actions(stage)[FOLDS]
                and second.actions(stage)[CALLS] > first.actions(stage)[CALLS]
                for stage in (turn, river)
            ),
        ),
        (
            "BayCaRP2 wins fewer hands uncontested and sees more showdowns than BayCaRP1",
            second.share(UNCONTESTED) < first.share(UNCONTESTED)
            and second.share(SHOWDOWNS) > first.share(SHOWDOWNS),
        ),
        (
            "high cards lose money for Karma, and more for BayCaRP1",
            sum(first.by_kind[KINDS[0]]) < sum(karma.by_kind[KINDS[0]]) < 0,
        ),
        (
            "pairs on the flop earn less for BayCaRP1 than for Karma, and more for BayCaRP2",
            sum(first.by_kind[KINDS[1]]) < min(sum(each.by_kind[KINDS[1]]) for each in (karma, second)),
        ),
    ):
        yield Finding(said, "yes" if holds else "no", "yes", "as in the thesis", holds)


def _told(
    name: str,
    table: Mapping[str, Played],
    session: int,
    printed: PublishedRate,
    statistics: Mapping[str, Sequence[int]],
    figures: tuple[str, str, str],
) -> Iterator[Finding]:
    """The figures of one of the two sessions."""
    baycarp, hands = table["BayCaRP"], printed.hands
    assert hands is not None
    deviation = baycarp.deviation(baycarp.won)
    yield printed.finding(f"{name}: won", baycarp.rate(baycarp.won), deviation)
    quarters = [round(session * part / 4) for part in range(1, 5)]
    ends = [sum(baycarp.won[:number]) for number in quarters]
    half, other = (NORMAL_QUANTILE * deviation * sqrt(number) for number in (session, hands))
    yield Finding(
        f"{name}: small bets won after each quarter of the first session (fig. {figures[0]})",
        f"{', '.join(format_signed(end, 0) for end in ends)} (the last ± {half:.0f})",
        f"{format_signed(printed.mean * hands, 0)} (about ± {other:.0f}) at the end",
        agrees=abs(ends[-1] - printed.mean * hands) <= hypot(half, other),
    )
    yield from _statistics(
        name, table, {who: printed_statistics(row, hands) for who, row in statistics.items()}, figures[1]
    )
    yield from _actions_and_kinds(
        name, baycarp, session, figures[2], "" if name in PAIRS else "pair above zero"
    )


def _statistics(
    name: str, table: Mapping[str, Played], printed: Mapping[str, Statistics], figure: str
) -> Iterator[Finding]:
    """All columns of a figure."""
    differing: list[list[bool]] = []
    for player, published in printed.items():
        measured = table[player].statistics
        differs = [not one.agrees(other) for one, other in zip(measured, published, strict=True)]
        differing.append(differs)
        yield Finding(
            f"{name}'s table, {player}: hands played and won, uncontested, showdowns, of these won (fig. {figure})",
            _row(measured, 1),
            _row(published, 0),
            agrees=not any(differs),
        )
    columns = [sum(column) for column in zip(*differing, strict=True)]
    count = len(columns) * len(printed)
    yield Finding(
        f"{name}'s table: shares that differ significantly (fig. {figure})",
        f"{sum(columns)} of {count}, by column {'/'.join(map(str, columns))}",
        f"about {0.05 * count:.0f} by chance",
    )
    for place, what in ((0, "hands played"), (2, "hands won uncontested")):
        mean, other = (
            Portion(fmean(row[place].share for row in rows), sum(row[place].of for row in rows))
            for rows in ([each.statistics for each in table.values()], printed.values())
        )
        yield Finding(
            f"{name}'s table: mean of {what} (fig. {figure})",
            str(mean),
            str(other),
            agrees=mean.agrees(other),
        )


def _row(statistics: Statistics, decimals: int) -> str:
    shares = "/".join(f"{100 * each.share:.{decimals}f}" for each in statistics)
    return f"{shares} % (± {'/'.join(f'{100 * each.half_width:.1f}' for each in statistics)})"


def _actions_and_kinds(name: str, player: Played, session: int, figures: str, said: str) -> Iterator[Finding]:
    """What a player did in every round and won by kind of hand, and those of it that are printed."""
    yield Finding(
        f"actions of {name}, won by kind of hand on the flop (fig. {figures})",
        f"{_actions(player)}; {_kinds(player, session)}",
        said,
    )
    made = decisions_in(player.counts, ROUNDS["turn"])
    for entry, share in TURN.get(name, {}).items():
        measured = Portion(made[entry] / max(1, sum(made)), sum(made))
        # How many decisions the thesis counts is not printed; as many in a hand as here.
        other = Portion(share, round(sum(made) / player.hands * THESIS_HANDS))
        yield Finding(
            f"{name}: {'folds' if entry == FOLDS else 'calls'} among its decisions on the turn (fig. 7.5)",
            f"{measured} of {measured.of:,}",
            f"{format_percent(share, 0)} (about ± {100 * other.half_width:.1f})",
            agrees=measured.agrees(other),
        )
    if name in PAIRS:
        pairs = player.by_kind[KINDS[1]]
        yield PAIRS[name].finding(
            f"{name}: won with a pair on the flop, per hand of all (fig. {figures})",
            player.rate(pairs),
            player.deviation(pairs),
        )


def _actions(player: Played) -> str:
    """Folds, checks, calls, bets and raises by stage, in percent."""
    shares = {
        stage: "/".join(f"{100 * share:.0f}" for share in player.actions(stage)) for stage in ROUND_NAMES
    }
    return f"{', '.join(f'{stage} {told}' for stage, told in shares.items())} % (fold/check/call/bet/raise)"


def _kinds(player: Played, session: int) -> str:
    """What each kind of hand won in a session, in small bets."""
    scale = session / player.hands
    return "won per session: " + ", ".join(
        f"{kind} {format_signed(sum(won) * scale, 0)}" for kind, won in player.by_kind.items()
    )


EXPERIMENTS = (
    Experiment(
        name="baycarp-sessions",
        paper="baycarp-2011 §7.3, figs. 7.3 to 7.11",
        claim="BayCaRP1 is aggressive, wins most of its showdowns, folds too much; BayCaRP2 plays like its teachers.",
        setup="Four sessions of 4,500 hands of limit with the thesis's opponents: the published BayCaRP1 at a table of "
        "eight, BayCaRP2 at one of nine, both retaining their own decisions. bb/h of the thesis are sb/h here.",
        run=_sessions,
    ),
)
