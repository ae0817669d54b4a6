"""Random games, stacks, cards and actions: for hypothesis, and for tests that draw many hands from one seed.

Everything is drawn from a `random.Random`, which hypothesis provides too and then shrinks.
"""

from dataclasses import dataclass
from random import Random

from hypothesis import strategies as st

from railbird.cards import Card, parse_cards
from railbird.engine.actions import CALL, FOLD, Action, LegalActions, raise_to
from railbird.engine.rules import (
    Antes,
    Betting,
    GameRules,
    MinimumRaise,
    Mucking,
    OddChips,
    Reopening,
    ShortBlind,
    blinds_for,
)
from railbird.engine.setup import Setup
from railbird.engine.state import State


@dataclass(frozen=True, slots=True)
class Style:
    """How often a player raises when it may, and folds when it does not."""

    folds: float
    raises: float


USUAL = Style(folds=0.25, raises=0.4)
ROYAL_FLUSH = parse_cards("Ts Js Qs Ks As")
"""A board that plays: everyone who is left splits."""


def random_rules(random: Random) -> GameRules:
    """Any game: every option, every kind of betting, 2 to 10 players, caps or none, antes or none."""
    players = random.randint(2, 10)
    small, big = random.choice([(1, 2), (3, 7), (5, 10), (10, 10), (50, 100)])
    blinds, first_seats = blinds_for(players, small, big)
    if players > 3 and random.random() < 0.1:
        blinds = (small, big, 2 * big) + (0,) * (players - 3)
        first_seats = (3, 0, 0, 0)
    antes = random_antes(random, players, big)
    if any(antes) and random.random() < 0.2:
        blinds, first_seats = (0,) * players, (0, 0, 0, 0)
    betting = random.choice(list(Betting))
    caps = random.choice([(3, 4, 4, 4), (4, 4, 4, 4), (None,) * 4, (0, 1, 2, None)])
    return GameRules(
        name="random",
        betting=betting,
        blinds=blinds,
        stacks=random_stacks(random, players, big),
        bet_sizes=random.choice([(big,) * 4, (big, big, 2 * big, 2 * big), (big, 2 * big, 3 * big, big)]),
        raise_caps=caps,
        first_seats=first_seats,
        antes=antes,
        reopening=random.choice(list(Reopening)),
        minimum_raise=random.choice(list(MinimumRaise)),
        odd_chips=random.choice(list(OddChips)),
        short_blind=random.choice(list(ShortBlind)),
        ante_rule=random.choice(list(Antes)),
        mucking=random.choice(list(Mucking)),
        raise_needs_caller=random.random() < 0.5,
    )


def random_antes(random: Random, players: int, big: int) -> tuple[int, ...]:
    """No antes, the same for everyone, or one that a single seat pays."""
    kind = random.randint(0, 3)
    if kind == 2:
        return (random.randint(1, big),) * players
    if kind == 3:
        payer = random.randrange(players)
        return tuple(big if seat == payer else 0 for seat in range(players))
    return (0,) * players


def random_stacks(random: Random, players: int, big: int) -> tuple[int, ...]:
    """Equal or unequal stacks, deep or so short that blinds and antes swallow them."""
    kind = random.randint(0, 3)
    if kind == 0:
        return (big * random.choice([2, 5, 20, 200]),) * players
    deepest = big * (2, 6, 40)[kind - 1]
    return tuple(random.randint(1, deepest) for _ in range(players))


def random_setup(random: Random) -> Setup:
    """The start of a hand of any game, now and then with a blind missing or in another place."""
    rules = random_rules(random)
    if random.random() < 0.85:
        return Setup.of(rules)
    big = max(rules.blinds)
    seat = random.randrange(rules.players)
    blinds = tuple(big if other == seat else 0 for other in range(rules.players))
    return Setup(rules, rules.stacks, blinds, rules.antes, first=(seat + 1) % rules.players)


def random_cards(random: Random, rules: GameRules) -> tuple[Card, ...]:
    """Cards for a hand; every fourth hand of hold'em has a board that plays, so that pots are split."""
    if random.random() < 0.25 and rules.board_cards == (0, 3, 1, 1):
        rest = [card for card in rules.deck if card not in ROYAL_FLUSH]
        return (*random.sample(rest, rules.players * rules.hole_cards), *ROYAL_FLUSH)
    return tuple(random.sample(rules.deck, rules.cards_dealt))


def random_style(random: Random) -> Style:
    """How a whole hand is played: some hands see every card, others end before the flop."""
    return Style(folds=random.choice([0.05, 0.2, 0.5]), raises=random.choice([0.1, 0.4, 0.7]))


def random_action(random: Random, legal: LegalActions, style: Style = USUAL) -> Action:
    """A legal action; raises are the least, the most, or anything between, and small ones are common."""
    if legal.can_raise and random.random() < style.raises:
        return random_raise(random, legal)
    return FOLD if legal.fold and random.random() < style.folds else CALL


def random_raise(random: Random, legal: LegalActions) -> Action:
    """A legal raise."""
    least, most = legal.raise_minimum, legal.raise_maximum
    small = min(most, least + (least >> 1))
    return raise_to(random.choice([least, most, random.randint(least, most), random.randint(least, small)]))


def play(random: Random, state: State, actions: int) -> State:
    """The same state after at most so many random actions."""
    style = random_style(random)
    for _ in range(actions):
        if state.is_over:
            break
        state.act(random_action(random, state.legal_actions, style))
    return state


randoms = st.randoms(use_true_random=False)
setups = randoms.map(random_setup)


@st.composite
def hands_in_progress(draw: st.DrawFn) -> State:
    """A hand somewhere between its first decision and its end."""
    random = draw(randoms)
    setup = random_setup(random)
    return play(
        random, State(setup, random_cards(random, setup.rules)), random.choice([0, 2, 5, 10, 20, 100])
    )


@st.composite
def finished_hands(draw: st.DrawFn) -> State:
    """A hand that is over."""
    random = draw(randoms)
    setup = random_setup(random)
    state = State(setup, random_cards(random, setup.rules))
    style = random_style(random)
    while not state.is_over:
        state.act(random_action(random, state.legal_actions, style))
    return state
