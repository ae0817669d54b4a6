"""Selective sampling as a framework for any game: its estimates, when it stops, and Leduc poker played with it."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import permutations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from play_outs import PlayOuts, Position
from railbird.cards import rank_of
from railbird.engine.actions import Action, ActionKind
from railbird.engine.games import named_game
from railbird.engine.setup import Setup
from railbird.engine.state import State
from railbird.sampling.selective import (
    ApartByDeviations,
    ApartByErrors,
    Estimates,
    NeverObvious,
    Obvious,
    Stopped,
    search,
    strategy,
)

LEDUC = Setup.of(named_game("leduc-2p"))
DECK = tuple(int(card) for card in LEDUC.deck)


@dataclass(frozen=True)
class LeducPosition:
    """A hand of Leduc poker with all cards known."""

    state: State

    @property
    def player(self) -> int | None:
        return self.state.actor

    def after(self, move: Action) -> "LeducPosition":
        following = self.state.clone()
        following.act(move)
        return LeducPosition(following)

    def outcome(self, player: int) -> float:
        return float(self.state.payoffs[player])


def strength_of(state: State) -> int:
    """What the seat to act has: 0 to 2 for the three ranks, 3 for a pair with the board."""
    seat = state.actor
    assert seat is not None
    rank = rank_of(state.cards[seat])
    if state.board and rank_of(state.board[0]) == rank:
        return 3
    return rank - rank_of(min(DECK))


def chances(state: State) -> Sequence[float]:
    """A plain policy: strong cards raise, weak ones fold to bets, everything a little mixed."""
    strength = strength_of(state)
    wish = {
        ActionKind.FOLD: (6.0, 2.0, 0.5, 0.1)[strength],
        ActionKind.CALL: (3.0, 5.0, 4.0, 1.0)[strength],
        ActionKind.RAISE: (1.0, 1.0, 3.0, 9.0)[strength],
    }
    wishes = [wish[action.kind] for action in state.choices]
    return [each / sum(wishes) for each in wishes]


def plain_policy(position: Position[Action], generator: np.random.Generator) -> Action:
    assert isinstance(position, LeducPosition)
    state = position.state
    drawn = int(np.searchsorted(np.cumsum(chances(state)), generator.random()))
    return state.choices[min(drawn, len(state.choices) - 1)]


def deals(state: State, seat: int) -> Iterator[tuple[State, float]]:
    """All deals that fit what a seat sees, each with the chance that the plain policy led here."""
    known = {seat: state.cards[seat]} | dict(enumerate(state.board, start=2))
    for cards in permutations(DECK, 3):
        if any(cards[place] != card for place, card in known.items()):
            continue
        replay = State(LEDUC, cards)
        weight = 1.0
        for action in state.actions:
            if replay.actor != seat:
                weight *= chances(replay)[replay.choices.index(action)]
            replay.act(action)
        yield replay, weight


def sampler_of(state: State, seat: int):  # type: ignore[no-untyped-def]
    found = list(deals(state, seat))
    bounds = np.cumsum([weight for _, weight in found])

    def draw(generator: np.random.Generator) -> LeducPosition:
        place = int(np.searchsorted(bounds, generator.random() * bounds[-1], side="right"))
        return LeducPosition(found[min(place, len(found) - 1)][0])

    return draw


def exact_value(state: State, player: int) -> float:
    """What the plain policy on both sides comes to, by walking the whole tree."""
    if state.is_over:
        return float(state.payoffs[player])
    return sum(
        chance * exact_value(LeducPosition(state).after(action).state, player)
        for action, chance in zip(state.choices, chances(state), strict=True)
    )


def exact_values(state: State) -> list[float]:
    """The exact expected value of every move of the seat to act."""
    seat = state.actor
    assert seat is not None
    found = list(deals(state, seat))
    total = sum(weight for _, weight in found)
    return [
        sum(weight * exact_value(LeducPosition(deal).after(move).state, seat) for deal, weight in found)
        / total
        for move in state.choices
    ]


def leduc_after(actions: str, cards: tuple[int, int, int]) -> State:
    state = State(LEDUC, cards)
    for letter in actions:
        state.act(
            state.choices[-1] if letter == "r" else next(a for a in state.choices if a.kind.name[0] == "C")
        )
    return state


@pytest.mark.parametrize("actions", ["", "r", "cr", "cc", "rcr", "rrcr"])
def test_in_leduc_the_estimates_are_the_exact_expected_values(actions: str) -> None:
    state = leduc_after(actions, (DECK[0], DECK[4], DECK[1]))
    seat = state.actor
    assert seat is not None
    trials = PlayOuts(seat, state.choices, sampler_of(state, seat), plain_policy, np.random.default_rng(7))
    found = search(state.choices, trials, most_trials=2000, obvious=NeverObvious())
    assert found.stopped is Stopped.TRIALS
    for mean, error, exact in zip(
        found.estimates.means, found.estimates.errors, exact_values(state), strict=True
    ):
        assert abs(mean - exact) <= 4 * error + 1e-9, (actions, mean, exact)


def test_in_leduc_the_search_beats_the_policy_that_it_searches_with() -> None:
    """Sum over all deals, exactly: seat 0 searches at every decision, or plays the plain policy."""
    generator = np.random.default_rng(3)
    chosen: dict[object, Action] = {}

    def searched(state: State) -> Action:
        key = (state.actions, state.cards[0], state.board)
        if key not in chosen:
            trials = PlayOuts(0, state.choices, sampler_of(state, 0), plain_policy, generator)
            chosen[key] = search(state.choices, trials, most_trials=300, obvious=ApartByErrors()).best
        return chosen[key]

    def value(state: State) -> float:
        if state.is_over:
            return float(state.payoffs[0])
        if state.actor == 0:
            return value(LeducPosition(state).after(searched(state)).state)
        return sum(
            chance * value(LeducPosition(state).after(action).state)
            for action, chance in zip(state.choices, chances(state), strict=True)
        )

    all_deals = [State(LEDUC, cards) for cards in permutations(DECK, 3)]
    plain = sum(exact_value(deal, 0) for deal in all_deals) / len(all_deals)
    better = sum(value(deal) for deal in all_deals) / len(all_deals)
    assert better > plain + 0.3, (better, plain)


def test_paired_outcomes_have_the_error_of_their_difference() -> None:
    generator = np.random.default_rng(1)
    luck = generator.normal(0, 100, 400)
    outcomes = np.stack([luck, luck + generator.normal(2, 1, 400)], axis=1)
    estimates = Estimates.none(2).with_trials(outcomes)
    difference = outcomes[:, 1] - outcomes[:, 0]
    assert estimates.error_of_difference(1, 0) == pytest.approx(difference.std(ddof=1) / 20)
    assert estimates.error_of_difference(1, 0) < estimates.errors.min() / 20
    assert ApartByErrors()(estimates)
    assert not ApartByDeviations()(estimates)


@given(st.lists(st.integers(1, 9), min_size=1, max_size=6), st.integers(0, 2**32))
def test_estimates_do_not_depend_on_how_trials_are_cut_into_batches(sizes: list[int], seed: int) -> None:
    outcomes = np.random.default_rng(seed).normal(5, 40, (sum(sizes), 3))
    whole = Estimates.none(3).with_trials(outcomes)
    parts = Estimates.none(3)
    for part in np.split(outcomes, np.cumsum(sizes)[:-1]):
        parts = parts.with_trials(part)
    assert parts.trials == whole.trials
    np.testing.assert_allclose(parts.means, whole.means)
    np.testing.assert_allclose(parts.moments, whole.moments, atol=1e-6)
    if whole.trials > 1:
        np.testing.assert_allclose(whole.deviations, outcomes.std(axis=0, ddof=1))


def test_the_papers_criterion_wants_more_than_the_sum_of_the_standard_deviations() -> None:
    outcomes = np.array([[0.0, 9.0], [0.0, 11.0]])  # deviations 0 and √2
    estimates = Estimates.none(2).with_trials(outcomes)
    assert ApartByDeviations(least_trials=2)(estimates)
    assert ApartByDeviations(factor=7.0, least_trials=2)(estimates)
    assert not ApartByDeviations(factor=7.1, least_trials=2)(estimates)


@pytest.mark.parametrize("obvious", [ApartByDeviations(), ApartByErrors()])
def test_nothing_is_obvious_before_the_least_number_of_trials(obvious: Obvious) -> None:
    clear = search(
        (0, 1), lambda count: np.tile([0.0, 9.0], (count, 1)), most_trials=500, obvious=obvious, batch=7
    )
    assert clear.stopped is Stopped.OBVIOUS
    assert clear.estimates.trials == 56, "the first multiple of the batch that reaches 50"


def test_an_obvious_move_stops_the_search_and_a_close_one_does_not() -> None:
    generator = np.random.default_rng(2)

    def trials(apart: float):  # type: ignore[no-untyped-def]
        return lambda count: generator.normal([0.0, apart], 1.0, (count, 2))

    clear = search("ab", trials(3.0), most_trials=1000, obvious=ApartByErrors())
    assert (clear.best, clear.stopped, clear.estimates.trials) == ("b", Stopped.OBVIOUS, 50)
    close = search("ab", trials(0.0), most_trials=130, obvious=ApartByErrors())
    assert (close.stopped, close.estimates.trials) == (Stopped.TRIALS, 130)
    alone = search("a", lambda count: np.zeros((count, 1)), most_trials=30, obvious=ApartByErrors())
    assert (alone.best, alone.stopped) == ("a", Stopped.NO_CHOICE)


def test_four_errors_call_a_wrong_move_obvious_less_than_once_in_a_thousand_searches() -> None:
    generator = np.random.default_rng(4)
    wrong = 0
    for _ in range(1000):
        outcomes = generator.normal([0.0, 0.05], 10.0, (500, 2))
        rows = iter(np.split(outcomes, 20))
        found = search("ab", lambda _, rows=rows: next(rows), most_trials=500, obvious=ApartByErrors())  # type: ignore[misc]
        wrong += found.stopped is Stopped.OBVIOUS and found.best == "a"
    assert wrong <= 1


def test_equal_means_go_to_the_last_move_and_close_ones_are_mixed() -> None:
    def with_means(*means: float) -> Estimates:
        return Estimates(10, np.array(means), np.zeros((len(means), len(means))))

    assert with_means(0.0, 2.0, 2.0).best == 2
    np.testing.assert_array_equal(strategy(with_means(0.0, 2.0, 2.0)), [0, 0, 1])
    np.testing.assert_array_equal(strategy(with_means(-5.0, 2.0, 2.0), mix=1.0), [0, 0.5, 0.5])
    np.testing.assert_allclose(strategy(with_means(1.0, 1.5, 2.0), mix=1.0), [0, 1 / 3, 2 / 3])
