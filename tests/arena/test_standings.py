"""Standings: total bankroll and instant run-off (sartre-2012 §3.2), the paper's tables, and who beats whom."""

from collections.abc import Mapping
from fractions import Fraction
from itertools import combinations

import pytest
import scipy
from hypothesis import given
from hypothesis import strategies as st

from railbird.arena.results.rates import Estimate
from railbird.arena.results.standings import (
    Crosstable,
    CrosstableError,
    Standing,
    all_head_to_heads,
    head_to_head,
    holm,
    instant_runoff,
    total_bankroll,
)
from railbird.arena.results.tally import Tally
from railbird.engine.games import named_game
from railbird.engine.rules import GameRules
from railbird.kernels.rules.pots import PARTS
from reference.standings import Match, places_by_bankroll, places_by_runoff, profit

HEADS_UP, THREE_PLAYERS = named_game("limit-2p"), named_game("limit-3p")
NO_LIMIT = named_game("nolimit-2p")


def pair(chips: int | Fraction, noise: int = 5, units: int = 100) -> Tally:
    """A heads-up match in which the first won so many chips in every unit, give or take the noise."""
    parts = int(chips * PARTS)
    return Tally.of(
        [(parts + sign * noise * PARTS, -parts - sign * noise * PARTS) for sign in (1, -1)] * (units // 2)
    )


def heads_up(*results: tuple[str, str, int]) -> Crosstable:
    """Say who won how much from whom in every unit."""
    labels = sorted({label for result in results for label in result[:2]})
    return Crosstable.of(HEADS_UP, labels, [((a, b), pair(chips)) for a, b, chips in results])


def order(standings: tuple[Standing, ...]) -> list[str]:
    return [standing.label for standing in standings]


# The paper's point: a bully that wins everything from the weakest and loses to everybody else.
BULLY = (
    ("bully", "weak", 100),
    ("strong", "bully", 10),
    ("steady", "bully", 5),
    ("strong", "steady", 2),
    ("strong", "weak", 20),
    ("steady", "weak", 30),
)


def test_the_total_bankroll_winner_may_have_lost_to_everyone_but_the_weakest() -> None:
    assert order(total_bankroll(heads_up(*BULLY))) == ["bully", "steady", "strong", "weak"]


def test_the_instant_runoff_does_not_favour_who_exploits_the_weakest() -> None:
    standings = instant_runoff(heads_up(*BULLY))
    assert order(standings) == ["strong", "steady", "bully", "weak"]
    # Each line counts what was won against the pool from which the entrant was removed.
    assert [standing.chips for standing in standings] == [200, -200, -1500, -15000]


def test_everyone_has_its_rate_over_all_opponents() -> None:
    bully = total_bankroll(heads_up(*BULLY))[0]
    assert bully.chips == 100 * (100 - 10 - 5)
    assert (bully.rate.unit, bully.rate.hands) == ("sb/h", 300)
    assert bully.rate.mean == pytest.approx(85 / 3 / 10)
    assert bully.rate.low < bully.rate.mean < bully.rate.high


def test_no_limit_standings_are_in_big_blinds() -> None:
    standings = total_bankroll(Crosstable.of(NO_LIMIT, "ab", [("ab", pair(250))]))
    assert [(line.rate.unit, line.rate.mean) for line in standings] == [("bb/h", 2.5), ("bb/h", -2.5)]


def test_equals_stand_in_the_order_of_the_labels() -> None:
    matches = [(group, pair(0)) for group in combinations("dbca", 2)]
    crosstable = Crosstable.of(HEADS_UP, "dbca", matches)
    assert order(total_bankroll(crosstable)) == order(instant_runoff(crosstable)) == ["d", "b", "c", "a"]


def test_in_the_runoff_equals_are_told_apart_by_the_total_bankroll_first() -> None:
    # Once z is out, a and b have won nothing from each other or from c; over everything b has more.
    crosstable = heads_up(
        ("a", "z", 10), ("b", "z", 20), ("c", "z", 15), ("a", "b", 0), ("a", "c", 0), ("b", "c", 0)
    )
    assert order(instant_runoff(crosstable)) == ["b", "c", "a", "z"]


def test_standings_are_decided_by_a_single_part_of_a_chip() -> None:
    huge = 10**15 * PARTS
    totals = {("a", "b"): 0, ("a", "c"): huge, ("b", "c"): huge + 1}
    crosstable = Crosstable.of(
        HEADS_UP,
        "abc",
        [(group, Tally(1, 1, (won, -won), ((0, 0), (0, 0)))) for group, won in totals.items()],
    )
    assert order(total_bankroll(crosstable)) == ["b", "a", "c"]
    first, second, _ = total_bankroll(crosstable)
    assert first.rate.mean == second.rate.mean
    assert first.chips - second.chips == Fraction(1, PARTS)


def test_matches_add_up_in_any_order_of_matches_and_of_players() -> None:
    matches = [(("a", "b"), pair(3)), (("b", "a"), pair(1)), (("c", "a"), pair(4)), (("b", "c"), pair(1))]
    crosstable = Crosstable.of(HEADS_UP, "abc", matches)
    assert crosstable == Crosstable.of(HEADS_UP, "abc", reversed(matches))
    assert crosstable.bankroll("a") == 100 * (3 - 1 - 4) * PARTS
    assert crosstable.meetings[0].tally.units == 200


def three_player_table(group: tuple[str, ...], strength: Mapping[str, int]) -> Tally:
    """Everyone wins three times its strength less what the whole table has."""
    total = sum(strength[label] for label in group)
    won = [(3 * strength[label] - total) * PARTS for label in group]
    shift = 7 * PARTS
    return Tally.of(
        [(won[0] + shift, won[1] - shift, won[2]), (won[0] - shift, won[1] + shift, won[2])] * 20, 6
    )


def test_three_player_standings_end_with_one_table() -> None:
    strength = {"a": 1, "b": 5, "c": 3, "d": -2, "e": -9}
    matches = [(group, three_player_table(group, strength)) for group in combinations("abcde", 3)]
    crosstable = Crosstable.of(THREE_PLAYERS, "abcde", matches)
    assert order(total_bankroll(crosstable)) == order(instant_runoff(crosstable)) == ["b", "c", "a", "d", "e"]
    last = instant_runoff(crosstable)[:3]
    # At the table of b, c and a: 3·5 − 9, 3·3 − 9 and 3·1 − 9 chips in each of forty units.
    assert [line.chips for line in last] == [240, 0, -240]
    assert last[0].rate.hands == 40 * 6


def test_three_players_run_off_differently_from_their_bankrolls() -> None:
    def table(a: int, b: int, c: int) -> Tally:
        return Tally.of([(a * PARTS, b * PARTS, c * PARTS)] * 10)

    # z gives everything to x wherever the two meet; without z, x is the weakest.
    crosstable = Crosstable.of(
        THREE_PLAYERS,
        "vwxz",
        [
            ("vwx", table(6, 3, -9)),
            ("vwz", table(4, 1, -5)),
            ("vxz", table(1, 40, -41)),
            ("wxz", table(2, 40, -42)),
        ],
    )
    assert order(total_bankroll(crosstable)) == ["x", "v", "w", "z"]
    assert order(instant_runoff(crosstable)) == ["v", "w", "x", "z"]


@st.composite
def tournaments(draw: st.DrawFn) -> tuple[GameRules, str, list[Match]]:
    rules = draw(st.sampled_from([HEADS_UP, THREE_PLAYERS]))
    labels = "abcdef"[: draw(st.integers(rules.players, 6))]
    # Few different results, so that ties are common.
    results = st.lists(st.integers(-2, 2), min_size=rules.players - 1, max_size=rules.players - 1)
    matches = []
    for group in combinations(labels, rules.players):
        players = tuple(draw(st.permutations(group)))
        units = [[*won, -sum(won)] for won in draw(st.lists(results, min_size=1, max_size=3))]
        matches.append((players, units))
    return rules, labels, matches


@given(tournaments())
def test_standings_are_those_made_by_hand(tournament: tuple[GameRules, str, list[Match]]) -> None:
    rules, labels, matches = tournament
    crosstable = Crosstable.of(rules, labels, [(players, Tally.of(units)) for players, units in matches])
    bankroll = total_bankroll(crosstable)
    assert order(bankroll) == places_by_bankroll(matches, labels)
    assert order(instant_runoff(crosstable)) == places_by_runoff(matches, labels, rules.players)
    assert [line.chips for line in bankroll] == [profit(matches, line.label, labels) for line in bankroll]
    assert sum(line.chips for line in bankroll) == 0


def test_head_to_head_heads_up_is_what_one_won_from_the_other() -> None:
    crosstable = heads_up(*BULLY)
    strong = head_to_head(crosstable, "strong", "steady")
    assert (strong.rate.mean, strong.rate.hands) == (0.2, 100)
    samples = [7.0, -3.0] * 50
    assert strong.p_value == pytest.approx(scipy.stats.ttest_1samp(samples, 0).pvalue, rel=1e-9)
    assert head_to_head(crosstable, "steady", "strong") == ~strong


def test_head_to_head_at_larger_tables_is_the_difference_where_both_sat() -> None:
    strength = {"a": 1, "b": 5, "c": 3, "d": -2}
    matches = [(group, three_player_table(group, strength)) for group in combinations("abcd", 3)]
    crosstable = Crosstable.of(THREE_PLAYERS, "abcd", matches)
    ahead = head_to_head(crosstable, "b", "a")
    # Twelve chips a unit of six hands, at both tables where they met.
    assert ahead.rate.mean == pytest.approx(3 * (5 - 1) / 6 / 10)
    assert ahead.rate.hands == 2 * 40 * 6
    assert ahead.significant()
    assert head_to_head(crosstable, "a", "b").rate.mean == -ahead.rate.mean


def test_many_comparisons_need_more_than_one() -> None:
    # Each alone would be significant for the first pair; six comparisons ask for more.
    matches = [(group, pair(0, noise=10)) for group in combinations("abcd", 2)]
    matches[0] = (("a", "b"), pair(Fraction(21, 10), noise=10))
    crosstable = Crosstable.of(HEADS_UP, "abcd", matches)
    alone = head_to_head(crosstable, "a", "b")
    assert alone.significant()
    among_all = all_head_to_heads(crosstable)
    assert [(one.first, one.second) for one in among_all] == list(combinations("abcd", 2))
    assert among_all[0].p_value == alone.p_value
    assert among_all[0].adjusted_p_value == pytest.approx(6 * alone.p_value)
    assert not among_all[0].significant()
    assert among_all[1].adjusted_p_value == 1.0


def test_holms_correction_step_by_step() -> None:
    # Holm (1979): the smallest times their number, the next times one less, never less than the one before.
    assert holm([0.005, 0.011, 0.02, 0.04, 0.13]) == pytest.approx((0.025, 0.044, 0.06, 0.08, 0.13))
    assert holm([0.9, 0.01, 0.9]) == pytest.approx((1.0, 0.03, 1.0))
    assert holm([]) == ()


@given(st.lists(st.floats(0, 1), max_size=12))
def test_holms_correction_keeps_the_order_and_never_helps(p_values: list[float]) -> None:
    adjusted = holm(p_values)
    assert all(one >= other for one, other in zip(adjusted, p_values, strict=True))
    assert all(one <= min(1, len(p_values) * other) for one, other in zip(adjusted, p_values, strict=True))
    ranked = sorted(range(len(p_values)), key=lambda place: p_values[place])
    assert [adjusted[place] for place in ranked] == sorted(adjusted)


def test_a_missing_meeting_is_named() -> None:
    with pytest.raises(CrosstableError, match="standings need every table, but 'b' and 'c' never met"):
        Crosstable.of(HEADS_UP, "abc", [("ab", pair(1)), ("ac", pair(1))])
    with pytest.raises(CrosstableError, match="'a' and 'b' and 'd' never met"):
        Crosstable.of(THREE_PLAYERS, "abcd", [("abc", Tally.of([(1, 1, -2)]))])


@pytest.mark.parametrize(
    ("labels", "matches", "sentence"),
    [
        ("aa", [], "entrants need different labels, but these are a, a"),
        ("a", [], "a table of limit-2p has 2 players, but only 1 entered"),
        ("ab", [("ax", pair(1))], "'x' played, but the entrants are 'a', 'b'"),
        ("ab", [("aa", pair(1))], "a table of limit-2p has 2 different players, not 'a' and 'a'"),
        ("abc", [("abc", Tally.of([(1, 1, -2)]))], "has 2 different players, not 'a' and 'b' and 'c'"),
        ("ab", [("ab", Tally.of([(1, 1, -2)]))], "'a' and 'b' met, but their tally has 3 players"),
    ],
)
def test_results_that_make_no_crosstable_are_refused(
    labels: str, matches: list[tuple[str, Tally]], sentence: str
) -> None:
    with pytest.raises(CrosstableError, match=sentence):
        Crosstable.of(HEADS_UP, labels, matches)


def test_only_two_different_entrants_can_be_compared() -> None:
    crosstable = heads_up(*BULLY)
    with pytest.raises(CrosstableError, match="'weak' cannot be compared with itself"):
        head_to_head(crosstable, "weak", "weak")
    with pytest.raises(CrosstableError, match="'ghost' is not one of the entrants 'bully', 'steady'"):
        head_to_head(crosstable, "weak", "ghost")


# The tables of sartre-2012 in the order of the total bankroll: means and half intervals in thousandths of the unit.
TABLE_7 = {
    "PULPO": (225, 3),
    "Hyperborean-TBR": (207, 2),
    "Sartre": (203, 2),
    "Rockhopper": (200, 2),
    "Slumbot": (199, 2),
    "GGValuta": (193, 3),
    "Jester": (164, 3),
    "Arnold2": (160, 3),
    "GS6-TBR": (139, 4),
    "LittleRock": (118, 3),
    "PLICAS": (-46, 5),
    "ASVP": (-320, 6),
    "longhorn": (-1441, 5),
}
TABLE_8 = {
    "Calamari": (286, 4),
    "Sartre": (281, 6),
    "Hyperborean-2011-2p-limit-tbr": (225, 5),
    "Feste": (220, 5),
    "Slumbot": (216, 6),
    "ZBot": (209, 6),
    "Patience": (209, 6),
    "2Bot": (192, 6),
    "LittleRock": (180, 5),
    "GGValuta": (145, 6),
    "AAIMontybot": (1, 12),
    "RobotBot": (-35, 10),
    "GBR": (-51, 12),
    "Entropy": (-97, 13),
    "player.zeta": (-176, 17),
    "Calvin": (-230, 12),
    "Tiltnet": (-268, 10),
    "POMPEIA": (-549, 6),
    "TellBot": (-759, 16),
}
TABLE_12 = {
    "Tartanian4.tbr": (2156, 48),
    "PokerBotSLO": (1458, 184),
    "Hyperborean.tbr": (1212, 26),
    "SartreNL": (537, 34),
    "c4tw.tbr": (-5362, 201),
}
TABLE_13 = {
    "Lucky7": (1567, 53),
    "SartreNL": (1302, 42),
    "Hyperborean-2011-2p-nolimit-tbr": (1133, 26),
    "player.kappa.nl": (1026, 105),
    "hugh": (968, 54),
    "Rembrant": (464, 24),
    "POMPEIA": (-6460, 51),
}
TABLE_16 = {
    "Sartre3P": (266, 24),
    "Hyperborean-2011-3p-limit-tbr": (171, 23),
    "AAIMontybot": (130, 45),
    "LittleRock": (122, 22),
    "OwnBot": (16, 35),
    "Bnold3": (-84, 28),
    "Entropy": (-99, 43),
    "player.zeta.3p": (-521, 40),
}


def crosstable_with(rules: GameRules, table: Mapping[str, tuple[int, int]]) -> Crosstable:
    """A round robin in which everyone's average is the printed one; who won it from whom is not printed.

    Heads-up, r_ij = (n − 1)/n · (a_i − a_j) averages to a_i over the n − 1 opponents when the averages sum to zero.
    What rounding left over is shared by all.
    """
    matches = []
    for a, b in combinations(sorted(table), 2):
        ahead = Fraction((len(table) - 1) * (table[a][0] - table[b][0]), len(table))
        # In a thousand hands, thousandths of the unit per hand are units.
        won = round(ahead * rules.unit_chips * PARTS)
        square = 1000 * (100 * rules.unit_chips * PARTS) ** 2
        tally = Tally(1000, 1000, (won, -won), ((square, -square), (-square, square)))
        matches.append(((a, b), tally))
    return Crosstable.of(rules, sorted(table), matches)


@pytest.mark.parametrize(
    ("rules", "table"),
    [(HEADS_UP, TABLE_7), (HEADS_UP, TABLE_8), (NO_LIMIT, TABLE_12), (NO_LIMIT, TABLE_13)],
    ids=["table 7", "table 8", "table 12", "table 13"],
)
def test_sartre_2012_total_bankroll_orders_the_printed_averages(
    rules: GameRules, table: Mapping[str, tuple[int, int]]
) -> None:
    standings = total_bankroll(crosstable_with(rules, table))
    # ZBot and Patience are level in Table 8, so the means are compared and not the labels.
    assert [table[line.label][0] for line in standings] == [mean for mean, _ in table.values()]
    for line in standings:
        assert 1000 * line.rate.mean == pytest.approx(table[line.label][0], abs=0.51)


@pytest.mark.parametrize("table", [TABLE_7, TABLE_8, TABLE_12, TABLE_13, TABLE_16])
def test_sartre_2012_chips_only_change_hands(table: Mapping[str, tuple[int, int]]) -> None:
    # The averages sum to zero but for the rounding of each to a thousandth.
    assert abs(sum(mean for mean, _ in table.values())) <= len(table) / 2


def printed(mean: int, half: int) -> Estimate:
    """A printed mean and half interval as the estimate of very many hands."""
    return Estimate(mean, half / 1.96, 10**6, 10**6, 10**6)


def difference(one: tuple[int, int], other: tuple[int, int]) -> Estimate:
    """Half the difference of two independent printed results."""
    return Estimate.pooled([printed(*one), printed(-other[0], other[1])])


def test_sartre_2012_table_8_calamari_and_sartre_overlap() -> None:
    # "there is overlap in the values used to make this decision"
    calamari, sartre = printed(*TABLE_8["Calamari"]), printed(*TABLE_8["Sartre"])
    assert calamari.mean > sartre.mean
    assert calamari.interval[0] < sartre.interval[1]
    assert difference(TABLE_8["Calamari"], TABLE_8["Sartre"]).p_value > 0.05
    assert difference(TABLE_8["Sartre"], TABLE_8["Hyperborean-2011-2p-limit-tbr"]).p_value < 0.001


def test_sartre_2012_table_15_strategy_switching_is_significant() -> None:
    switching, without = {"case-based": (2218, 40), "akuma": (875, 40), "dpp": (-3093, 40)}, (2101, 40)
    assert sum(mean for mean, _ in switching.values()) == 0
    # "able to beat both opponents at a significant level", and "the win rate difference observed is significant".
    assert difference(switching["case-based"], switching["akuma"]).p_value < 0.05
    assert difference(switching["case-based"], switching["dpp"]).p_value < 0.05
    assert difference(switching["case-based"], without).p_value < 0.001


def test_sartre_2012_table_16_sartre3p_is_significantly_first() -> None:
    # "significantly greater than all other competitors", with Holm's correction too.
    p_values = [difference(TABLE_16["Sartre3P"], other).p_value for other in list(TABLE_16.values())[1:]]
    assert max(holm(p_values)) < 0.05


def test_sartre_2012_table_6_prints_an_order_that_its_averages_do_not_have() -> None:
    # GGValuta's 0.110 stands above Hyperborean-Eqm's 0.116, and the average of Tommybot is missing: it must have
    # lost what the other twelve won, 0.539 sb/h in all.
    averages = [186, 116, 110, 116, 103, 97, 96, 82, -2, -70, -94, -201]
    assert averages != sorted(averages, reverse=True)
    assert sum(averages) == 539
    # With Tommybot at −0.539 the standings are those of the averages.
    table = {f"{place:02}": (mean, 2) for place, mean in enumerate([*averages, -539])}
    ranked = [int(line.label) for line in total_bankroll(crosstable_with(HEADS_UP, table))]
    assert ranked == [0, 1, 3, 2, 4, 5, 6, 7, 8, 9, 10, 11, 12]


def table_3() -> Crosstable:
    """Re-use policies against each other: means and half intervals in thousandths of a small bet, as printed."""
    results = {
        ("max", "probabilistic"): (11, 5),
        ("max", "best"): (76, 8),
        ("probabilistic", "best"): (36, 9),
    }
    units = 100_000
    matches = []
    for group, (mean, half) in results.items():
        # A chip is a tenth of a small bet. The spread that makes the printed interval: half = 1.96·deviation/√units.
        won = mean * units // 100 * PARTS
        variance = Fraction(half * half * units, 10_000) / Fraction(196, 100) ** 2
        square = round(units * (variance + Fraction(mean * mean, 10_000)) * PARTS**2)
        matches.append((group, Tally(units, units, (won, -won), ((square, -square), (-square, square)))))
    return Crosstable.of(HEADS_UP, ["best", "probabilistic", "max"], matches)


def test_sartre_2012_table_3_crosstable_and_averages() -> None:
    crosstable = table_3()
    assert (
        order(total_bankroll(crosstable))
        == order(instant_runoff(crosstable))
        == ["max", "probabilistic", "best"]
    )
    printed_averages = {"max": 44, "probabilistic": 12, "best": -56}
    for line in total_bankroll(crosstable):
        # Printed are 0.044 for 0.0435 and 0.012 for 0.0125.
        assert 1000 * line.rate.mean == pytest.approx(printed_averages[line.label], abs=0.501)


def test_sartre_2012_table_3_every_policy_differs_significantly_from_every_other() -> None:
    comparisons = {(one.first, one.second): one for one in all_head_to_heads(table_3())}
    assert all(one.significant() for one in comparisons.values())
    rate = comparisons["best", "max"].rate
    assert [1000 * value for value in (rate.mean, rate.low, rate.high)] == pytest.approx(
        [-76, -84, -68], abs=0.01
    )


def test_sartre_2012_table_3_averages_have_intervals_of_the_printed_size() -> None:
    # Printed are ±0.006, ±0.004 and ±0.005; independent matches give these, each within 0.0015 of it.
    halves = {line.label: 1000 * (line.rate.high - line.rate.mean) for line in total_bankroll(table_3())}
    assert halves == pytest.approx({"max": 4.72, "probabilistic": 5.15, "best": 6.02}, abs=0.01)
    for label, half in {"max": 6, "probabilistic": 4, "best": 5}.items():
        assert abs(halves[label] - half) < 1.5
