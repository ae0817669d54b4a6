"""The compiled play-outs: joint draws, strengths on boards to come, and every hand against a slow twin."""

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from numba import njit
from numpy.typing import NDArray

from railbird.agents.loki.profiles import POKIBOT_PROFILES, Profile
from railbird.agents.loki.simulated_hands import SimulatedHands
from railbird.cards import parse_cards
from railbird.engine.actions import ActionKind
from railbird.engine.games import named_game
from railbird.engine.setup import Setup
from railbird.engine.state import State
from railbird.equities.strength import hand_strength
from railbird.hands.evaluator import tables
from railbird.hands.holdings import HOLDINGS, blocked_by, cards_of, parse_holding
from railbird.kernels.random import load
from railbird.kernels.showdown import joint_draws
from railbird.kernels.strength.sampled import compared_strength, compared_values
from railbird.observation import Observation
from railbird.opponents.weights.styles import GENERIC, Style
from railbird.rng import Stream
from reference.simulation import SlowSimulation, joint_chances

GAMES = (
    "limit-2p",
    "limit-3p",
    "limit-6max:cap=5",
    "limit-9max",
    "limit-10max",
    "limit-4max:stack=35/90/200/15",
    "limit-6max:blinds=3/7,bets=7/9/20/33,raises=2/3/1/5,odd=fractional",
    "limit-3p:cap=none,stack=2000000000",
)
LOOSE = Style.of(preflop=(1.5, 1.0), postflop=(1.0, 0.5))


def alias_tables(weights: NDArray[np.float64]) -> joint_draws.Chances:
    chances = joint_draws.Chances(weights, np.empty(weights.shape), np.empty(weights.shape, dtype=np.int64))
    joint_draws.fill_alias_tables(chances)
    return chances


def chances_of(tables: joint_draws.Chances, row: int) -> NDArray[np.float64]:
    """The chance of every holding that an alias table stands for."""
    kept = tables.kept[row]
    chances: NDArray[np.float64] = kept / HOLDINGS
    np.add.at(chances, tables.alias[row], (1.0 - kept) / HOLDINGS)
    return chances


@given(st.integers(0, 2**32), st.integers(1, HOLDINGS), st.floats(0.1, 30))
@settings(max_examples=60)
def test_alias_tables_stand_for_the_weights(seed: int, possible: int, spread: float) -> None:
    generator = np.random.default_rng(seed)
    weights = generator.random((2, HOLDINGS)) ** spread
    weights[:, generator.permutation(HOLDINGS)[possible:]] = 0.0
    made = alias_tables(weights)
    for row in range(2):
        np.testing.assert_allclose(
            chances_of(made, row), weights[row] / weights[row].sum(), atol=1e-12, rtol=1e-6
        )
        assert not chances_of(made, row)[weights[row] == 0.0].any()


@njit(cache=True)
def _draw_rows(chances, seats, dead, words, resampled, rows):  # type: ignore[no-untyped-def]
    holdings = np.zeros(10, dtype=np.int64)
    generator = load(words)
    for row in range(len(rows)):
        if resampled:
            _, generator = joint_draws.resample_holdings(chances.weights, seats, dead, holdings, generator)
        else:
            _, generator = joint_draws.draw_holdings(chances, seats, dead, holdings, generator)
        rows[row] = holdings[: len(seats)]


def draw_many(
    weights: NDArray[np.float64], dead: str, count: int, *, resampled: bool = False
) -> dict[tuple[int, ...], int]:
    """How often each set of holdings came up."""
    bits = np.uint64(sum(1 << card for card in parse_cards(dead)))
    rows = np.empty((count, len(weights)), dtype=np.int64)
    words = Stream.from_seed(1).words()
    _draw_rows(alias_tables(weights), np.arange(len(weights)), bits, words, resampled, rows)
    sets, counts = np.unique(rows, axis=0, return_counts=True)
    return {tuple(chosen): int(times) for chosen, times in zip(sets.tolist(), counts, strict=True)}


def weights_of(*rows: dict[str, float]) -> NDArray[np.float64]:
    weights = np.zeros((len(rows), HOLDINGS))
    for row, named in enumerate(rows):
        for name, weight in named.items():
            weights[row, parse_holding(name)] = weight
    return weights


def chi_square(drawn: dict[tuple[int, ...], int], exact: dict[tuple[int, ...], float]) -> float:
    """Pearson's statistic in standard deviations from its mean."""
    count = sum(drawn.values())
    assert set(drawn) <= set(exact), "a set with a conflict was drawn"
    statistic = sum(
        (drawn.get(chosen, 0) - count * chance) ** 2 / (count * chance) for chosen, chance in exact.items()
    )
    freedom = len(exact) - 1
    return float((statistic - freedom) / np.sqrt(2 * freedom))


TINY_DECK = weights_of(
    {"AsAh": 5, "AsKs": 3, "KsQs": 1, "AhKs": 0.5, "JsTs": 1},
    {"AsAh": 1, "AsKs": 1, "QsJs": 4, "AhKs": 2, "KsQs": 3, "QhJh": 1},
    {"AsAh": 2, "QsJs": 1, "AsKs": 1, "JhTh": 0.3, "KsQs": 1, "2c4c": 9},
)
"""The weights of three players who hold the same few cards; the deuce of clubs is dead."""


def test_opponents_holdings_are_drawn_jointly_as_multiplied_out() -> None:
    drawn = draw_many(TINY_DECK, "2c3d", 20000)
    exact = joint_chances(TINY_DECK.tolist(), set(parse_cards("2c3d")))
    assert len(exact) > 15
    assert abs(chi_square(drawn, exact)) < 4
    # Seat after seat, each without the cards of those before, would leave the first one its weights as they are.
    alone = TINY_DECK[0] / TINY_DECK[0].sum()
    marginal = np.zeros(HOLDINGS)
    for chosen, chance in exact.items():
        marginal[chosen[0]] += chance
    assert np.abs(marginal - alone).max() > 0.1


def test_resampled_holdings_are_nearly_drawn_jointly() -> None:
    count = 5000
    drawn = draw_many(TINY_DECK, "2c3d", count, resampled=True)
    exact = joint_chances(TINY_DECK.tolist(), set(parse_cards("2c3d")))
    assert set(drawn) <= set(exact)
    differences = [abs(drawn.get(chosen, 0) / count - chance) for chosen, chance in exact.items()]
    assert sum(differences) / 2 < 0.04


def test_where_weights_hardly_fit_together_nobody_is_favoured() -> None:
    """Six players who nearly all hold the ace of spades: whole sets never fit."""
    spare = ["2c3c", "2d3d", "2h3h", "2s3s", "4c5c", "4d5d"]
    aces = {"AsAh": 1.0, "AsAd": 1.0, "AsAc": 1.0}
    weights = weights_of(*({**aces, holding: 1e-5} for holding in spare))
    drawn = draw_many(weights, "", 1000)
    exact = joint_chances(weights.tolist(), set())
    likely = {chosen: chance for chosen, chance in exact.items() if chance > 1e-3}
    assert len(likely) == 18, "who has the ace, and with which other one"
    assert set(drawn) <= set(likely)
    assert abs(chi_square(drawn, likely)) < 5


def test_where_nothing_fits_together_free_cards_are_drawn() -> None:
    weights = weights_of({"AsAh": 1.0}, {"AsAd": 1.0})
    for chosen in draw_many(weights, "2c3d", 50):
        cards = [card for index in chosen for card in cards_of(index)]
        assert len({*cards, *parse_cards("2c3d")}) == 6


@given(st.integers(0, 2**32), st.sampled_from([3, 4, 5]))
@settings(max_examples=40)
def test_with_a_stride_of_one_strengths_on_boards_to_come_are_exact(seed: int, board_cards: int) -> None:
    deck = np.random.default_rng(seed).permutation(52)[: board_cards + 2]
    hole, board = tuple(deck[:2].tolist()), deck[2:].astype(np.int64)
    others = np.arange(HOLDINGS)
    values = np.empty(HOLDINGS, dtype=np.int64)
    compared_values(board, others, tables(), values)
    own = max(hole) * (max(hole) - 1) // 2 + min(hole)
    found = compared_strength(own, board, joint_draws.HOLDING_BITS[others], values, tables())
    assert found == pytest.approx(hand_strength(hole, board.tolist()), abs=1e-12)


def test_a_stride_of_ten_misses_the_strength_by_less_than_four_hundredths() -> None:
    """The root of the mean squared error over random hands and boards, and no bias."""
    generator = np.random.default_rng(8)
    errors = []
    values = np.empty(132, dtype=np.int64)
    for _ in range(1500):
        deck = generator.permutation(52)
        hole, board = deck[:2].tolist(), deck[2 : 2 + generator.integers(3, 6)].astype(np.int64)
        others = (generator.integers(HOLDINGS) + 10 * np.arange(132)) % HOLDINGS
        compared_values(board, others, tables(), values)
        own = max(hole) * (max(hole) - 1) // 2 + min(hole)
        estimate = compared_strength(own, board, joint_draws.HOLDING_BITS[others], values, tables())
        errors.append(estimate - hand_strength(hole, board.tolist()))
    assert np.sqrt(np.mean(np.square(errors))) < 0.04
    assert abs(np.mean(errors)) < 4 * np.std(errors) / np.sqrt(len(errors))


def thresholds_of(profile: Profile) -> list[float]:
    return [profile.bet_at, profile.raise_at, profile.calling, profile.deception]


def some_decision(game: str, seed: int, steps: int) -> tuple[State, Observation]:
    """A situation in the middle of a hand that was played at random, mostly by calling."""
    generator = np.random.default_rng(seed)
    state = State.deal(Setup.of(named_game(game)), Stream.from_seed(seed))
    for _ in range(steps):
        choices = state.choices
        kind = generator.choice([0, 1, 1, 1, 1, 2])
        action = next((each for each in choices if each.kind == kind), choices[0 if kind == 0 else -1])
        before = state.node
        state.act(action)
        if state.is_over:
            state.node = before
            break
    assert state.actor is not None
    players = tuple(f"p{seat}" for seat in range(state.rules.players))
    return state, Observation.of(state, state.actor, players)


@pytest.mark.parametrize("policy", ["triple", "formula"])
@pytest.mark.parametrize("game", GAMES)
def test_every_simulated_hand_is_that_of_the_slow_twin(game: str, policy: str) -> None:
    for seed in range(5):
        state, observation = some_decision(game, seed, steps=5 * seed)
        known = blocked_by((*observation.hole_cards, *observation.board))
        generator = np.random.default_rng(seed)
        weights = {
            seat: np.where(known, 0.0, generator.random(HOLDINGS) ** 4) for seat in observation.live_seats
        }
        players = state.rules.players
        styles = [GENERIC if seat % 2 else LOOSE for seat in range(players)]
        profiles = np.array([thresholds_of(POKIBOT_PROFILES["loose-aggressive"])] * players)
        words = Stream.from_seed(seed).words()
        start = words.tolist()
        hands = SimulatedHands(
            observation,
            weights,
            styles,
            words,
            thresholds=profiles if policy == "formula" else None,
            stride=37,
        )
        found = hands(10)
        twin = SlowSimulation(state, hands._table, hands._chances, start)
        expected = np.array(list(twin.trials(10)))
        moves = [place for place, move in enumerate(hands.moves) if move.kind is not ActionKind.FOLD]
        np.testing.assert_allclose(found[:, moves], expected, rtol=0, atol=1e-9)
        assert words.tolist() == twin.generator.words
        if hands.moves[0].kind is ActionKind.FOLD:
            assert not found[:, 0].any(), "to fold wins nothing from now on"


def test_nothing_is_won_or_lost_beyond_the_stacks() -> None:
    for seed in range(20):
        state, observation = some_decision("limit-4max:stack=35/90/200/15", seed, steps=seed % 6)
        weights = {seat: np.ones(HOLDINGS) for seat in observation.live_seats if seat != observation.seat}
        hands = SimulatedHands(observation, weights, [GENERIC] * 4, Stream.from_seed(seed).words())
        outcomes = hands(100)
        assert outcomes.min() >= -state.stacks[observation.seat]
        assert outcomes.max() <= state.pot + sum(state.stacks)


def test_both_plays_of_a_trial_share_their_luck() -> None:
    """On the river with one opponent left, a raise differs from a call in what is bet on it, not in the cards."""
    state = State.deal(Setup.of(named_game("limit-2p")), Stream.from_seed(4))
    for _ in range(6):
        state.call()
    state.raise_to(state.legal_actions.raise_minimum)
    observation = Observation.of(state, state.actor or 0, ("a", "b"))
    weights = {
        1 - observation.seat: np.where(blocked_by((*observation.hole_cards, *observation.board)), 0.0, 1.0)
    }
    hands = SimulatedHands(observation, weights, [GENERIC] * 2, Stream.from_seed(1).words())
    outcomes = hands(2000)
    correlation = np.corrcoef(outcomes[:, 1], outcomes[:, 2])[0, 1]
    assert correlation > 0.8


def test_holdings_are_listed_by_their_cards() -> None:
    assert all(
        joint_draws.HOLDING_BITS[index] == sum(1 << card for card in cards_of(index))
        for index in range(HOLDINGS)
    )
