"""Opponents' weights (loki-1999; Papp 1998 ch. 7): what they may hold, how they play, and how good such beliefs are."""

import json
from functools import cache
from random import Random

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from railbird.agent import HandResult
from railbird.engine.actions import CALL, FOLD, raise_to
from railbird.engine.events import Act, Event, Reveal
from railbird.engine.games import named_game
from railbird.engine.history import events_of
from railbird.engine.setup import Setup
from railbird.engine.state import State
from railbird.experiments.loki.opponents import WATCHED_TABLE, judge_beliefs, miscalibration
from railbird.hands.holdings import HOLDINGS, blocked_by, parse_holding
from railbird.observation import Observation, visible_to
from railbird.opponents.weights.beliefs import WeightBeliefs
from railbird.opponents.weights.book import Book, BookError
from railbird.opponents.weights.chances import chances_at
from railbird.opponents.weights.explaining import belief_sections
from railbird.opponents.weights.lessons import PublicHand, finished_hand, observed_actions
from railbird.opponents.weights.quality import BeliefQuality
from railbird.opponents.weights.styles import GENERIC, Style
from railbird.opponents.weights.tendencies import (
    GENERIC_SHARPNESS,
    SHARPNESSES,
    ObservedAction,
    Tendencies,
    TendenciesError,
)
from railbird.rng import Stream
from reference.opponent_weights import weights as reference_weights
from strategies import random_action, randoms

PLAYERS = ("Ann", "Bob", "Cid", "Dan")


@cache
def setup_of(game: str) -> Setup:
    """One setup for all hands of a game, which share their betting situations as in a match."""
    return Setup.of(named_game(game))


def played(letters: str, game: str = "limit-4max", seed: int = 1) -> State:
    """A hand after actions written as letters: fold, call, raise."""
    state = State.deal(setup_of(game), Stream.from_seed(seed))
    for letter in letters:
        state.act({"f": FOLD, "c": CALL, "r": raise_to(state.legal_actions.raise_minimum)}[letter])
    return state


def seen(state: State, seat: int) -> Observation:
    return Observation.of(state, seat, PLAYERS[: state.rules.players])


def result_for(seat: int, state: State, labels: tuple[str, ...] = PLAYERS, number: int = 0) -> HandResult:
    return HandResult(seat, labels, visible_to(seat, events_of(state)), state.payoffs, number)


@settings(max_examples=12)
@given(randoms, st.sampled_from(["limit-2p", "limit-4max", "limit-9max:cap=5"]))
def test_weights_are_the_chances_of_all_actions_multiplied(random: Random, game: str) -> None:
    state = State.deal(Setup.of(named_game(game)), Stream.from_seed(random.randint(0, 999)))
    for _ in range(random.randint(0, 14)):
        if not state.is_over:
            state.act(random_action(random, state.legal_actions))
    seat, other = random.sample(range(state.rules.players), 2)
    labels = tuple(f"player {place}" for place in range(state.rules.players))
    observation = Observation.of(state, seat, labels)
    found = WeightBeliefs(Book()).of(observation, other)
    expected = reference_weights(observation, other, GENERIC, GENERIC_SHARPNESS)
    np.testing.assert_allclose(found, expected, rtol=1e-9)


@settings(max_examples=30)
@given(randoms)
def test_nothing_is_ruled_out_without_proof(random: Random) -> None:
    state = State.deal(Setup.of(named_game("limit-4max")), Stream.from_seed(random.randint(0, 999)))
    while not state.is_over:
        state.act(random_action(random, state.legal_actions))
    for seat in range(4):
        probable = WeightBeliefs(Book()).of(seen(state, seat), (seat + 1) % 4)
        known = blocked_by((*(state.hole_cards(seat) or ()), *state.board))
        assert probable.sum() == pytest.approx(1)
        np.testing.assert_array_equal(probable > 0.0, ~known)


def test_before_anybody_acts_every_holding_is_as_probable() -> None:
    state = played("")
    probable = WeightBeliefs(Book()).of(seen(state, 2), 0)
    assert np.unique(probable[probable > 0]).size == 1
    assert np.count_nonzero(probable) == 1225


def test_a_raise_speaks_for_strong_holdings_and_a_check_against_them() -> None:
    raised, called = (WeightBeliefs(Book()).of(seen(played(letters), 3), 2) for letters in ("r", "c"))
    aces, suited, worst = (parse_holding(text) for text in ("AhAd", "Th9h", "7c2d"))
    assert raised[aces] > 50 * raised[worst]
    assert raised[aces] > called[aces]
    assert called[suited] > raised[suited]


def test_weights_go_on_from_where_they_stood() -> None:
    patient = WeightBeliefs(Book())
    for letters in ("r", "rc", "rcf", "rcfcc", "rcfccr", "rcfccrc"):
        state = played(letters)
        seat = state.actor
        assert seat is not None
        for other in state.live_seats:
            if other != seat:
                fresh = WeightBeliefs(Book()).of(seen(state, seat), other)
                np.testing.assert_allclose(patient.of(seen(state, seat), other), fresh, rtol=1e-12)


def test_another_hand_starts_anew() -> None:
    """Also where nothing but the cards tells two hands apart."""
    beliefs = WeightBeliefs(Book())
    for seed in range(20):  # as many as it takes until all hands share the betting situations
        state = played("rcfccrc" if seed else "ccc", seed=seed)
        found = beliefs.of(seen(state, 1), 2)
        np.testing.assert_allclose(found, WeightBeliefs(Book()).of(seen(state, 1), 2), rtol=1e-12)


def test_observers_with_equal_models_share_their_chances() -> None:
    state = played("r")
    assert chances_at(state.setup, state.node, (), GENERIC) is chances_at(
        state.setup, state.node, (), GENERIC
    )
    with pytest.raises(ValueError, match="read-only"):
        chances_at(state.setup, state.node, (), GENERIC)[0, 0] = 1.0


def test_a_stranger_is_generic_and_a_known_player_is_specific() -> None:
    tendencies = Tendencies()
    assert tendencies.style == GENERIC
    assert tendencies.sharpness == GENERIC_SHARPNESS
    loosenesses = []
    for _ in range(300):
        tendencies = tendencies.after([ObservedAction(1, 1, (0.8, 0.15, 0.05))])
        loosenesses.append(tendencies.style.looseness[1])
    assert 0.0 < loosenesses[0] < 0.6
    assert loosenesses == sorted(loosenesses)
    assert loosenesses[-1] > 2.0
    assert tendencies.style.aggression[1] < -0.5
    assert tendencies.actions == 300


def test_one_context_lends_to_the_others_of_its_part_of_the_hand() -> None:
    tendencies = Tendencies()
    for action in range(40):
        tendencies = tendencies.after([ObservedAction(5, action % 4 // 3, (0.4, 0.4, 0.2))])
    style = tendencies.style
    assert style.looseness[5] < style.looseness[9] < 0.0
    assert style.looseness[1] == 0.0
    assert style.looseness[7] == style.looseness[11] == 0.0  # who has paid in the round is another matter


def test_who_plays_as_foreseen_stays_generic() -> None:
    tendencies = Tendencies()
    for action in range(200):
        tendencies = tendencies.after([ObservedAction(1, (0, 0, 1, 2)[action % 4], (0.5, 0.25, 0.25))])
    assert tendencies.style == GENERIC


def test_shown_holdings_decide_how_boldly_weights_are_read() -> None:
    bold, cautious = Tendencies(), Tendencies()
    sharpnesses = np.array(SHARPNESSES)
    for _ in range(20):
        bold = bold.after_shown(sharpnesses)
        cautious = cautious.after_shown(-sharpnesses)
    assert cautious.sharpness < GENERIC_SHARPNESS < bold.sharpness
    assert cautious.sharpness == min(SHARPNESSES)


def test_a_hand_teaches_about_everybody_but_oneself() -> None:
    state = played("rcfccrcccrccccc")
    assert state.is_showdown
    book = Book()
    book.learn(result_for(3, state), state.setup)
    acts = [event.seat for event in events_of(state) if isinstance(event, Act)]
    for seat, label in enumerate(PLAYERS):
        assert book.tendencies(label).actions == (0 if seat == 3 else acts.count(seat))
        assert book.tendencies(label).shown == int(seat != 3 and seat in state.live_seats)


def taught(letters: str) -> PublicHand:
    state = played(letters)
    actions = tuple(node.reached_by[1] for node in state.node.path if node.reached_by)
    return finished_hand(state.setup, actions, state.board)


def test_a_lesson_foresees_what_a_generic_player_does() -> None:
    hand = taught("rcfccrcc")
    lesson = observed_actions(hand, 2, GENERIC)
    assert [(action.context, action.kind) for action in lesson] == [(1, 2), (4, 2)]
    for action in lesson:
        assert sum(action.expected) == pytest.approx(1)
    opening = chances_at(hand.setup, hand.setup.tree.root, (), GENERIC)
    assert lesson[0].expected == pytest.approx(opening.mean(axis=1))


def test_a_bold_raiser_is_foreseen_with_weaker_holdings() -> None:
    """Who raises with anything holds anything: a generic player would raise again far less often with it."""
    hand = taught("rcfccrcccrcc")
    wild = Style.of(preflop=(3, 4), postflop=(3, 4))
    bold, usual = (observed_actions(hand, 2, style)[2].expected[2] for style in (wild, GENERIC))
    assert bold < usual - 0.1


def test_all_observers_of_a_hand_share_the_lesson() -> None:
    assert observed_actions(taught("rcfccrcc"), 2, GENERIC) is observed_actions(
        taught("rcfccrcc"), 2, GENERIC
    )


def test_observers_of_the_same_hands_share_what_they_know() -> None:
    first, second, late = Book(), Book(), Book()
    for number, letters in enumerate(("rcfccrcccrccccc", "rfff")):
        state = played(letters, seed=number)
        for book in (first, second) if number == 0 else (first, second, late):
            book.learn(result_for(3, state), state.setup)
    assert first.tendencies("Cid") is second.tendencies("Cid")
    before = first.tendencies("Cid").actions
    second.add(late)
    assert second.tendencies("Cid").actions > before == first.tendencies("Cid").actions


def test_a_hand_that_the_setup_does_not_allow_teaches_nothing() -> None:
    state = played("rrrfff")
    short = Setup.of(state.rules, stacks=(10_000, 10_000, 15, 10_000))
    book = Book()
    book.learn(result_for(3, state), short)
    assert book.hands == 0
    assert book.tendencies("Ann").actions == 0


def test_thrown_away_cards_teach_nothing_about_sharpness() -> None:
    state = played("rcfccrcccrccccc")
    shown = result_for(3, state)
    hidden: tuple[Event, ...] = tuple(
        Reveal(event.seat, None) if isinstance(event, Reveal) else event for event in shown.events
    )
    book = Book()
    book.learn(HandResult(3, PLAYERS, hidden, shown.payoffs), state.setup)
    assert book.hands == 1
    assert all(book.tendencies(label).shown == 0 for label in PLAYERS)


def test_a_book_survives_as_plain_data() -> None:
    book = Book()
    for seed in range(6):
        state = played("rcfccrcccrccccc", seed=seed)
        book.learn(result_for(3, state), state.setup)
    again = Book.from_json(json.loads(json.dumps(book.to_json())))
    assert again.to_json() == book.to_json()
    assert again.style("Cid") == Book.from_json(book.to_json()).style("Cid") != GENERIC
    assert again.sharpness("Cid") == book.sharpness("Cid")
    again.add(book)
    assert again.hands == 12
    assert again.tendencies("Cid").actions == 2 * book.tendencies("Cid").actions


def test_data_that_are_no_book_are_refused() -> None:
    with pytest.raises(BookError, match="not a valid book of players"):
        Book.from_json({"hands": 1})
    data = Tendencies().to_json()
    with pytest.raises(
        TendenciesError, match=r"observed of a player must have the shape \(16, 3\), not \(15, 3\)"
    ):
        Tendencies.from_json({**data, "observed": data["observed"][1:]})


def test_a_book_that_does_not_adapt_takes_everybody_for_generic() -> None:
    book = Book(adapts=False)
    state = played("rcfccrcccrccccc")
    book.learn(result_for(3, state), state.setup)
    assert book.style("Cid") == GENERIC
    assert book.sharpness("Cid") == GENERIC_SHARPNESS


def test_beliefs_are_explained_by_a_grid_and_the_most_probable_holdings() -> None:
    state = played("r")
    probable = WeightBeliefs(Book()).of(seen(state, 3), 2)
    (belief,) = belief_sections(PLAYERS, {2: probable})
    assert belief.label == "Cid"
    best = belief.bars[0].bars
    assert best[0].value == probable.max()
    assert [bar.value for bar in best] == sorted((bar.value for bar in best), reverse=True)


def test_quality_of_a_uniform_guess_is_nothing_known_and_calibrated() -> None:
    quality = BeliefQuality()
    for truth in range(100):
        quality.add(np.full(HOLDINGS, 1 / HOLDINGS), truth)
    assert quality.gain == pytest.approx(0.0)
    assert quality.miscalibration == pytest.approx(0.0)


def test_quality_counts_bits_and_finds_boldness() -> None:
    bold, right = BeliefQuality(), BeliefQuality()
    sharp, fair = np.array([0.97, 0.01, 0.01, 0.01]), np.array([0.5, 0.5 / 3, 0.5 / 3, 0.5 / 3])
    for truth in (0, 0, 0, 1, 2, 3):
        bold.add(sharp, truth)
        right.add(fair, truth)
    assert right.gain == pytest.approx((np.log2(2) + np.log2(2 / 3)) / 2)
    assert bold.gain < right.gain
    assert right.miscalibration == pytest.approx(0.0)
    assert bold.miscalibration > 0.3
    with pytest.raises(ValueError, match="holding 1 has probability 0"):
        right.add(np.array([1.0, 0.0]), 1)


def test_after_200_hands_the_specific_model_knows_more_than_the_generic_one() -> None:
    found = judge_beliefs(WATCHED_TABLE, watched=200, judged=200, seed=11)
    bits = {label: (each.generic.gain, each.specific.gain) for label, each in found.items()}
    for label, (generic, specific) in bits.items():
        assert specific > 0.3, (label, bits)
        if "probtriple" not in label:  # who is generic is known best by the generic model
            assert specific > generic + 0.1, (label, bits)
    together = [sum(gains) for gains in zip(*bits.values(), strict=True)]
    assert together[1] > together[0] + 1.5
    specific_miss = miscalibration([each.specific for each in found.values()])
    generic_miss = miscalibration([each.generic for each in found.values()])
    assert specific_miss < 0.1 < 0.2 < generic_miss


@pytest.mark.soak
@pytest.mark.parametrize(
    "table", [WATCHED_TABLE, ("always-call", *["pokibot"] * 4, "pokibot:profile=tight-passive")]
)
def test_after_1000_hands_beliefs_are_calibrated(table: tuple[str, ...]) -> None:
    for label, each in judge_beliefs(table, watched=1000, judged=3000, seed=12).items():
        # What is learned of a player who is the generic one can only cost, by the noise of its counts.
        assert each.specific.gain > each.generic.gain - (0.05 if "probtriple" in label else 0.02), label
        assert each.specific.miscalibration < 0.15, (label, each.specific.hits / each.specific.count)


def test_own_cards_are_known_to_the_observer_only() -> None:
    """The own cards are blocked for the own beliefs, and for nobody else's."""
    state = played("r")
    own = state.hole_cards(3)
    assert own is not None
    mine, theirs = WeightBeliefs(Book()).of(seen(state, 3), 2), WeightBeliefs(Book()).of(seen(state, 0), 2)
    blocked = blocked_by(own)
    assert not mine[blocked].any()
    assert theirs[blocked].any()
