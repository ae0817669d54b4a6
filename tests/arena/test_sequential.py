"""The sequential test: right at all times at once, whoever looks and however often."""

from collections.abc import Sequence

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from numpy.typing import NDArray

from railbird.arena.results.rates import Estimate
from railbird.arena.results.tally import Tally
from railbird.arena.run.sequential import BETS, SequentialError, SequentialTest, most_chips_lost
from railbird.engine.games import named_game
from railbird.kernels.rules.pots import PARTS
from reference.sequential import STAKES, capital, first_decisions, lower_bound
from reference.winnings import (
    BLIND_THIEF,
    EQUILIBRIUM,
    HIDDEN_RUIN,
    LIMIT_CALLER,
    MANIAC,
    Winnings,
    draw,
    heads_up_tally,
    kuhn_duplicate,
    mean_of,
)

FIRST, DIFFERENCE = (1, 0), (1, -1)
SEATINGS = 2
MOST_IN_KUHN = 2
LIMIT = named_game("limit-2p")


def heads_up(units: Sequence[int], hands_per_unit: int = 1) -> Tally:
    return Tally.of([(chips * PARTS, -chips * PARTS) for chips in units], hands_per_unit)


@given(st.lists(st.integers(-20, 20), min_size=1, max_size=40), st.sampled_from([0.001, 0.05, 0.4]))
@settings(max_examples=40)
def test_the_interval_is_the_one_that_bettors_find_unit_by_unit(units: list[int], alpha: float) -> None:
    low, high = SequentialTest(10, alpha).interval(heads_up(units, SEATINGS), FIRST)
    per_hand = [chips / SEATINGS for chips in units]
    assert low == pytest.approx(lower_bound(per_hand, 10, alpha), abs=1e-6)
    assert high == pytest.approx(-lower_bound([-chips for chips in per_hand], 10, alpha), abs=1e-6)


def test_the_bets_are_those_of_the_slow_twin() -> None:
    assert list(BETS) == STAKES


@given(st.lists(st.integers(-10, 10), min_size=1, max_size=200), st.integers(0, 10))
def test_decided_means_that_zero_is_outside(units: list[int], shift: int) -> None:
    test = SequentialTest(20)
    tally = heads_up([chips + shift for chips in units])
    low, high = test.interval(tally, FIRST)
    assert low <= tally.mean(FIRST) <= high
    assert test.decided(tally, FIRST) == (low > 1e-9 or high < -1e-9)


@given(st.lists(st.integers(-10, 10), min_size=1, max_size=60))
def test_changing_sides_turns_the_interval_around(units: list[int]) -> None:
    test = SequentialTest(12)
    low, high = test.interval(heads_up(units), FIRST)
    assert test.interval(~heads_up(units), FIRST) == pytest.approx((-high, -low))
    assert test.interval(heads_up(units), (0, 1)) == pytest.approx((-high, -low))
    assert test.interval(heads_up(units), DIFFERENCE) == pytest.approx((2 * low, 2 * high))


def test_nothing_played_decides_nothing() -> None:
    test = SequentialTest(240)
    assert test.interval(Tally.empty(2), FIRST) == (-240, 240)
    assert not test.decided(Tally.empty(2), FIRST)


def test_at_a_table_of_three_one_player_can_win_what_two_can_lose() -> None:
    test = SequentialTest(100)
    assert test.interval(Tally.empty(3), (1, 0, 0)) == (-100, 200)
    assert test.interval(Tally.empty(3), (1, -1, 0)) == (-300, 300)


def test_identical_deterministic_agents_are_never_told_apart() -> None:
    test = SequentialTest(240)
    assert not test.decided(heads_up([0] * 10_000, SEATINGS), FIRST)
    low, high = test.interval(heads_up([0] * 10_000, SEATINGS), FIRST)
    assert low == -high
    assert high < 0.3


@pytest.mark.parametrize(
    ("game", "chips"),
    [
        ("limit-2p", 240),
        ("limit-3p", 240),
        ("limit-9max:cap=5,stack=100000,carry=yes", 5 * (10 + 10 + 20 + 20)),
        ("limit-2p:stack=100", 100),
        ("nolimit-2p", 20_000),
        ("nolimit-3p:stack=5000", 5000),
    ],
)
def test_the_rules_say_how_much_can_be_lost_in_a_hand(game: str, chips: int) -> None:
    assert most_chips_lost(named_game(game)) == chips
    assert SequentialTest.for_game(named_game(game), 0.01) == SequentialTest(chips, 0.01)


def test_stacks_that_grow_without_a_limit_to_the_betting_have_no_bound() -> None:
    with pytest.raises(SequentialError, match="carries over stacks without a betting limit"):
        SequentialTest.for_game(named_game("nolimit-2p:carry=yes"))


@pytest.mark.parametrize(
    ("most_chips", "alpha", "sentence"),
    [
        (0, 0.05, "the maximum loss in a hand must be at least one chip, not 0"),
        (10, 0.0, "an error rate must be between 0 and 1, not 0"),
        (10, 1.0, "an error rate must be between 0 and 1, not 1"),
    ],
)
def test_a_test_needs_a_bound_and_an_error_rate(most_chips: int, alpha: float, sentence: str) -> None:
    with pytest.raises(SequentialError, match=sentence):
        SequentialTest(most_chips, alpha)


def test_what_cannot_be_judged_is_refused() -> None:
    test = SequentialTest(10)
    with pytest.raises(SequentialError, match="a tally of 2 players needs as many weights, not 3"):
        test.interval(heads_up([1]), (1, 0, 0))
    with pytest.raises(SequentialError, match="equal weights compare nothing"):
        test.decided(heads_up([1]), (1, 1))
    with pytest.raises(SequentialError, match="3 is not a multiple of 2 units"):
        test.interval(heads_up([1], 1) + heads_up([1], 2), FIRST)
    with pytest.raises(
        SequentialError, match="at most 10 chips in a hand, but more was won than that allows"
    ):
        test.decided(heads_up([11, 11]), FIRST)


@given(st.floats(0.001, 1), st.floats(0, 5), st.floats(0, 1), st.floats(-1, 5))
def test_bets_against_the_true_mean_do_not_pay(loss: float, gain: float, chance: float, extra: float) -> None:
    # Step 2 of the module for three outcomes, none below −1: a unit's expected capital is one at most.
    chances = [(1 - chance) / 2, chance, (1 - chance) / 2]
    units = [-loss, gain, extra]
    mean = sum(unit * share for unit, share in zip(units, chances, strict=True))
    expected = sum(capital([unit], 1, mean) * share for unit, share in zip(units, chances, strict=True))
    assert expected <= 1 + 1e-12


def centred(
    winnings: Winnings, generator: np.random.Generator, paths: int, units: int
) -> NDArray[np.float64]:
    """Paths of a fair game: winnings less their mean, in chips per hand."""
    return (draw(winnings, generator, paths, units) - float(mean_of(winnings))) / SEATINGS


FAIR_GAMES = [
    pytest.param(
        kuhn_duplicate(EQUILIBRIUM, EQUILIBRIUM), MOST_IN_KUHN, id="Kuhn equilibrium against itself"
    ),
    pytest.param(kuhn_duplicate(EQUILIBRIUM, MANIAC), MOST_IN_KUHN, id="Kuhn against a maniac, centred"),
    pytest.param(LIMIT_CALLER, 16, id="limit caller, centred"),
    pytest.param(BLIND_THIEF, 201, id="blind thief, centred"),
    pytest.param(HIDDEN_RUIN, 50, id="hidden ruin"),
]


@pytest.mark.parametrize(("winnings", "most"), FAIR_GAMES)
def test_equals_are_told_apart_with_probability_alpha_at_most(winnings: Winnings, most: float) -> None:
    # Looking after each of 2,000 units at the generous alpha of 0.2.
    paths = centred(winnings, np.random.default_rng(17), 400, 2_000)
    assert np.mean(first_decisions(paths, most, 0.2) != 0) <= 0.2


@pytest.mark.soak
@pytest.mark.parametrize(("winnings", "most"), FAIR_GAMES)
def test_equals_are_told_apart_with_probability_alpha_at_most_over_many_paths(
    winnings: Winnings, most: float
) -> None:
    generator = np.random.default_rng(18)
    wrong = [
        np.mean(first_decisions(centred(winnings, generator, 200, 10_000), most, 0.05) != 0) for _ in range(5)
    ]
    assert np.mean(wrong) <= 0.05


def test_ordinary_intervals_are_wrong_when_looked_at_again_and_again() -> None:
    # What the sequential test is for: the same equals, the same looks.
    paths = draw(kuhn_duplicate(EQUILIBRIUM, EQUILIBRIUM), np.random.default_rng(4), 200, 1_000)
    test = SequentialTest(MOST_IN_KUHN)
    ordinary = sequential = 0
    for path in paths:
        tallies = [heads_up_tally(path[:units], SEATINGS) for units in range(20, 1_001, 20)]
        ordinary += any(Estimate.of(tally, FIRST).p_value <= 0.05 for tally in tallies)
        sequential += any(test.decided(tally, FIRST) for tally in tallies)
    assert ordinary / 200 > 0.2
    assert sequential / 200 <= 0.05


def test_the_spread_seen_so_far_is_not_trusted() -> None:
    # A fair game that loses 99 in one of a hundred units: half of all matches see nothing but wins for 68 units.
    wins = heads_up([1] * 68)
    assert Estimate.of(wins, FIRST).interval == (1.0, 1.0)
    assert not SequentialTest(99).decided(wins, FIRST)
    # With nothing to lose but one chip a unit, the same wins are decided.
    assert SequentialTest(1).decided(wins, FIRST)


@pytest.mark.parametrize(
    ("winnings", "most"),
    [(kuhn_duplicate(EQUILIBRIUM, MANIAC), MOST_IN_KUHN), (LIMIT_CALLER, 16), (BLIND_THIEF, 201)],
    ids=["Kuhn against a maniac", "limit caller", "blind thief"],
)
def test_every_interval_of_a_match_holds_the_mean(winnings: Winnings, most: int) -> None:
    truth = float(mean_of(winnings)) / SEATINGS
    paths = draw(winnings, np.random.default_rng(23), 60, 2_000)
    test = SequentialTest(most)
    held = 0
    for path in paths:
        intervals = [
            test.interval(heads_up_tally(path[:units], SEATINGS), FIRST) for units in range(50, 2_001, 150)
        ]
        held += all(low <= truth <= high for low, high in intervals)
        widths = [high - low for low, high in intervals]
        assert widths[-1] < widths[0] / 2
    assert held / len(paths) >= 0.95


def limit_match(mean: float, paths: int, units: int, seed: int) -> NDArray[np.float64]:
    """Duplicate sets of heads-up limit in small bets per hand: most are small, a few are large, ±24 at most."""
    generator = np.random.default_rng(seed)
    sizes = [0, 0.25, 0.5, 1, 2, 3, 4, 6, 8, 12]
    chances = [0.3, 0.1, 0.2, 0.15, 0.08, 0.07, 0.05, 0.03, 0.015, 0.005]
    drawn: NDArray[np.float64] = generator.choice(sizes, size=(paths, units), p=chances)
    signs: NDArray[np.int64] = generator.choice([-1, 1], size=(paths, units))
    return np.asarray(drawn * signs + mean, dtype=np.float64)


@pytest.mark.parametrize(("mean", "units"), [(0.1, 14_000), (0.2, 4_000), (1.0, 400)])
def test_real_differences_are_found_on_the_right_side(mean: float, units: int) -> None:
    # Small bets per hand over duplicate sets of two hands: power of nine in ten, and never the wrong winner.
    when = first_decisions(limit_match(mean, 100, units, seed=31), 24, 0.05)
    assert np.mean(when > 0) >= 0.9
    assert not np.any(when < 0)


def test_the_slow_twin_stops_where_the_test_does() -> None:
    chips = np.rint(limit_match(0.5, 10, 1_500, seed=37) * LIMIT.unit_chips).astype(np.int64)
    test = SequentialTest.for_game(LIMIT)
    for path, when in zip(chips, first_decisions(chips.astype(np.float64), 240, 0.05), strict=True):
        assert when > 0
        assert not test.decided(heads_up_tally(path[: when - 1]), FIRST)
        assert test.decided(heads_up_tally(path[:when]), FIRST)
