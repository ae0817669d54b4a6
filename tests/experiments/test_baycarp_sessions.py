"""Sessions of BayCaRP: what is counted, and when it agrees with the thesis's figures."""

from math import sqrt
from statistics import fmean, stdev

import pytest

from railbird.engine.record import HandRecord
from railbird.experiments.baycarp import sessions
from railbird.experiments.baycarp.sessions import (
    FIGURE_7_4,
    FIGURE_7_9,
    Played,
    counted,
    kind_of,
    printed_statistics,
)
from railbird.experiments.opponent_tables import THESIS_PLAYERS
from railbird.experiments.played_hands import hands, labels_of
from railbird.experiments.published import NORMAL_QUANTILE, Portion
from railbird.features.player_counts import HANDS, SHOWDOWNS, SHOWDOWNS_WON, UNCONTESTED, VPIP
from railbird.hands.types import HandType

AGENTS = ("always-raise", "always-call", "rulebot")


def test_what_players_of_a_session_did_and_won() -> None:
    names = dict(zip(labels_of(AGENTS), ("Ann", "Bob", "Cid"), strict=True))
    played = list(hands("limit-3p", AGENTS, 40, "session"))
    found = counted([HandRecord.of(hand.state, hand.labels, str(hand.number)) for hand in played], names)
    ann, bob, cid = found.values()
    assert [each.hands for each in found.values()] == [40, 40, 40]
    for hand, *won in zip(played, ann.won, bob.won, cid.won, strict=True):
        paid = {names[label]: payoff for label, payoff in zip(hand.labels, hand.state.payoffs, strict=True)}
        assert [paid["Ann"], paid["Bob"], paid["Cid"]] == pytest.approx([10 * each for each in won])
    assert sum(ann.won) + sum(bob.won) + sum(cid.won) == pytest.approx(0.0)
    assert ann.share(VPIP) == bob.share(VPIP) == 1.0 > cid.share(VPIP)
    assert ann.actions("turn")[4] + ann.actions("turn")[3] > 0.5
    assert bob.actions("flop")[0] == 0.0
    # These two are at every showdown, with no hand won by a fold.
    assert bob.share(SHOWDOWNS) == 1.0
    assert bob.share(UNCONTESTED) == 0.0
    assert bob.showdowns_won == bob.share(SHOWDOWNS_WON)
    by_kind = [won for kind in bob.by_kind.values() for won in kind]
    assert len(by_kind) == 40
    assert sum(by_kind) == pytest.approx(sum(bob.won))


def test_rates_of_a_part_of_the_winnings_are_means_over_all_hands() -> None:
    player = Played(won=[4.0, -2.0, 0.0, -2.0, 0.0], by_kind={"pair": [4.0, -2.0]})
    player.counts[HANDS] = 5
    for won, of_all in ((player.won, player.won), (player.by_kind["pair"], [4.0, -2.0, 0.0, 0.0, 0.0])):
        rate, half = player.rate(won), NORMAL_QUANTILE * stdev(of_all) / sqrt(5)
        assert player.deviation(won) == pytest.approx(stdev(of_all))
        mean = fmean(of_all)
        assert [rate.mean, rate.low, rate.high] == pytest.approx([mean, mean - half, mean + half])
        assert rate.hands == 5


def test_shares_of_a_figure_are_known_as_well_as_the_hands_allow() -> None:
    """In 4,501 hands, 26 % is known to 1.3 points; 63 % of the 270 showdowns to 5.7."""
    played, *_, showdowns, won = printed_statistics(FIGURE_7_4["BayCaRP"], 4_501)
    assert (played.of, showdowns.of, won.of) == (4_501, 4_501, 270)
    assert [round(100 * each.half_width, 1) for each in (played, showdowns, won)] == [1.3, 0.7, 5.7]


def test_a_row_agrees_if_all_its_shares_do() -> None:
    played = {player: Played() for player in FIGURE_7_4}
    for each, (share, _, uncontested, showdowns, won) in zip(
        played.values(), FIGURE_7_4.values(), strict=True
    ):
        each.counts[HANDS], each.counts[VPIP] = 18_000, 180 * share
        each.counts[UNCONTESTED], each.counts[SHOWDOWNS] = 180 * uncontested, 180 * showdowns
        each.counts[SHOWDOWNS_WON] = 180 * showdowns * won // 100
    # Hands won are uncontested ones and showdowns won, here as in the printed row, but for rounding.
    printed = {
        player: (row[0], Portion(played[player].statistics[1].share, 4_501), *row[2:])
        for player, row in ((name, printed_statistics(row, 4_501)) for name, row in FIGURE_7_4.items())
    }
    *rows, differing, mean_played, mean_uncontested = sessions._statistics("BayCaRP1", played, printed, "7.4")
    assert [row.agrees for row in rows] == [True] * 8
    assert rows[1].published == "26/14/10/6/63 % (± 1.3/1.0/0.9/0.7/5.7)"
    assert differing.measured == "0 of 40, by column 0/0/0/0/0"
    assert (mean_played.published, mean_uncontested.published) == ("25.4 % (± 0.4)", "8.1 % (± 0.3)")
    played["Jake"].counts[VPIP] = 180 * 46
    *rows, differing, _, _ = sessions._statistics("BayCaRP1", played, printed, "7.4")
    assert [row.agrees for row in rows] == [True] * 6 + [False, True]
    assert differing.measured == "1 of 40, by column 1/0/0/0/0"


def test_what_the_text_prints_of_actions_and_pairs_is_judged() -> None:
    """Half of all hands reach the turn, as many in the thesis as here."""
    karma = Played(won=[0.0] * 2_000)
    karma.counts[HANDS] = 2_000
    start = len(karma.counts) - 10  # the decisions on the turn, before those on the river
    karma.counts[start : start + 5] = [70, 400, 200, 200, 130]
    karma.by_kind["pair"] = [2.0, -1.0] * 200
    _, folds, calls, pairs = sessions._actions_and_kinds("Karma", karma, 500, "7.5 and 7.6", "")
    assert (folds.measured, folds.published) == ("7.0 % (± 1.6) of 1,000", "7 % (about ± 1.1)")
    assert (folds.agrees, calls.agrees) == (True, False)
    assert pairs.published == "+0.084 sb/h (about ± 0.020, 4,501 hands)"
    assert pairs.agrees is True


def test_kinds_of_hands_as_in_the_figures() -> None:
    kinds = {made.label: kind_of(made) for made in HandType}
    assert kinds["Busted"] == "high card"
    assert {label for label, kind in kinds.items() if kind == "pair"} == {
        label for label in kinds if "Pair" in label and label != "TwoPair"
    }
    assert kinds["TwoPair"] == "two pair"
    assert {label for label, kind in kinds.items() if kind == "better"} == {
        "Straight",
        "Flush",
        "FullHouse",
        "FourOfAKind",
        "StraightFlush",
    }


def test_the_figures_have_the_players_of_the_table() -> None:
    assert set(FIGURE_7_9) == {"BayCaRP", *THESIS_PLAYERS}
    assert set(FIGURE_7_4) == set(FIGURE_7_9) - {"Anders"}
