"""Hands dealt many at a time have the cards, and pay what they pay, when they are dealt one by one."""

import random
from itertools import islice

import pytest

from railbird.engine.dealing import AT_ONCE, NumberedDeals, deal_in_turn
from railbird.engine.games import named_game
from railbird.engine.setup import Setup
from railbird.engine.state import State
from railbird.rng import Stream
from reference.randomness import Generator

GAMES = ("limit-2p", "limit-3p", "nolimit-9max:stack=20000/1500/4000/900/12000/300/20000/7000/2500")
STREAM = Stream.from_seed(11).child("deals")


@pytest.fixture(params=GAMES, ids=lambda game: game.partition(":")[0])
def setup(request: pytest.FixtureRequest) -> Setup:
    return Setup.of(named_game(request.param))


def test_hands_in_turn_are_those_of_one_generator(setup: Setup) -> None:
    generator = Generator(STREAM.words().tolist())
    words = STREAM.words()
    for state in islice(deal_in_turn(setup, STREAM), AT_ONCE + 50):
        deck = list(setup.rules.deck)
        generator.draw_cards(deck, setup.cards_dealt)
        assert state.cards == tuple(deck[: setup.cards_dealt]) == State.deal(setup, words).cards


def test_a_numbered_hand_has_the_cards_of_its_own_stream(setup: Setup) -> None:
    deals = NumberedDeals(STREAM, AT_ONCE + 10)
    for number in (0, 1, 2, AT_ONCE - 1, AT_ONCE, AT_ONCE + 9, AT_ONCE + 30, 5):
        assert deals.deal(setup, number).cards == State.deal(setup, STREAM.child(number)).cards


def test_a_numbered_hand_of_fewer_players_is_dealt_for_them() -> None:
    deals = NumberedDeals(STREAM, 100)
    for number, players in enumerate((9, 9, 5, 2, 2, 9)):
        setup = Setup.of(named_game("limit-9max").for_players(players))
        state, alone = deals.deal(setup, number), State.deal(setup, STREAM.child(number))
        assert state.cards == alone.cards
        _play_at_random(random.Random(number), state, alone)
        assert state.payoffs == alone.payoffs


def test_hands_dealt_in_advance_pay_what_their_cards_are_worth(setup: Setup) -> None:
    draw = random.Random(3)
    shown = 0
    for state in islice(deal_in_turn(setup, STREAM), 600):
        # A state from a list of cards knows no values in advance.
        alone = State(setup, state.cards)
        _play_at_random(draw, state, alone)
        assert state.payoffs == alone.payoffs, state.cards
        assert state.clone().payoffs == alone.payoffs
        shown += state.is_showdown
    assert shown > 20


def test_the_words_of_numbered_streams_are_those_of_the_children() -> None:
    rows = STREAM.words_below([0, 7, 1 << 40])
    assert rows.tolist() == [STREAM.child(number).words().tolist() for number in (0, 7, 1 << 40)]


def _play_at_random(draw: random.Random, *states: State) -> None:
    while choices := states[0].choices:
        # Folds are rare, so that many hands are shown down.
        action = choices[-1 - int(draw.random() * min(2, len(choices)))]
        for state in states:
            state.act(action)
