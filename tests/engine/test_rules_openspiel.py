"""OpenSpiel's `universal_poker` as referee: the code of the official ACPC server, under `ACPC_OPTIONS`.

It counts a raise by the chips of the whole hand, we count those of the round. Its limit games know no stacks (and stop
the process with more than four players); its decks begin with the lowest ranks, ours end with the highest, which
changes nothing for hands without straights.
"""

from dataclasses import replace
from importlib.metadata import version
from random import Random
from typing import Any

import pyspiel
import pytest

from railbird.engine.actions import ActionKind
from railbird.engine.games import named_game
from railbird.engine.rules import ACPC_OPTIONS, UNLIMITED_STACK, Betting, GameRules, blinds_for
from railbird.engine.setup import Setup
from railbird.engine.state import State
from resuming import digest_of_rules, hands_to_go
from strategies import random_action, random_cards, random_stacks, random_style

CHECK_CHUNKS = 5
CHECK_HANDS = 1000
CHUNKS = 20
HANDS_A_CHUNK = 5000
SMALL_GAMES = ("kuhn-2p", "kuhn-3p", "leduc-2p")
VERSION = digest_of_rules("open_spiel", version("open_spiel"))


def random_limit_rules(random: Random) -> GameRules:
    players = random.randint(2, 4)
    small, big = random.choice([(1, 2), (3, 7), (5, 10)])
    blinds, first_seats = blinds_for(players, small, big)
    return GameRules(
        name="random limit",
        betting=Betting.LIMIT,
        blinds=blinds,
        stacks=(UNLIMITED_STACK,) * players,
        bet_sizes=random.choice([(big, big, 2 * big, 2 * big), (big, 2 * big, 3 * big, big)]),
        raise_caps=random.choice([(3, 4, 4, 4), (4, 4, 4, 4), (1, 2, 3, 4)]),
        first_seats=first_seats,
        **ACPC_OPTIONS,
    )


def random_no_limit_rules(random: Random) -> GameRules:
    players = random.randint(2, 10)
    small, big = random.choice([(1, 2), (3, 7), (5, 10), (50, 100)])
    blinds, first_seats = blinds_for(players, small, big)
    # The server takes blinds without a look at the stacks: everyone must be able to post.
    deepest = 20 * big
    stacks = tuple(min(big + chips, deepest) for chips in random_stacks(random, players, big))
    return GameRules(
        name="random no-limit",
        betting=Betting.NO_LIMIT,
        blinds=blinds,
        stacks=stacks,
        bet_sizes=(big,) * 4,
        raise_caps=(None,) * 4,
        first_seats=first_seats,
        **ACPC_OPTIONS,
    )


def shortened(random: Random, rules: GameRules) -> GameRules:
    """The same game with fewer rounds or hole cards: hands of two to six cards."""
    hole_cards, board_cards = random.choice(
        [(1, (0, 1)), (1, (0, 2, 1)), (2, (0, 1)), (2, (0, 3)), (2, (0, 3, 1))]
    )
    rounds = len(board_cards)
    return replace(
        rules,
        name=f"shortened {rules.name}",
        hole_cards=hole_cards,
        board_cards=board_cards,
        bet_sizes=rules.bet_sizes[:rounds],
        raise_caps=rules.raise_caps[:rounds],
        first_seats=rules.first_seats[:rounds],
    )


def random_rules(random: Random) -> GameRules:
    drawn = random.random()
    if drawn < 0.1:
        return named_game(f"{random.choice(SMALL_GAMES)}:odd=fractional")
    rules = random_limit_rules(random) if drawn < 0.4 else random_no_limit_rules(random)
    return shortened(random, rules) if random.random() < 0.15 else rules


def universal_poker(rules: GameRules) -> Any:
    def spaced(numbers: Any) -> str:
        return " ".join(map(str, numbers))

    parameters: dict[str, int | str] = {
        "betting": "limit" if rules.betting is Betting.LIMIT else "nolimit",
        "numPlayers": rules.players,
        "numRounds": rules.rounds,
        "numSuits": rules.suits,
        "numRanks": rules.ranks,
        "numHoleCards": rules.hole_cards,
        "numBoardCards": spaced(rules.board_cards),
        "blind": spaced(rules.blinds),
        "stack": spaced(rules.stacks),
        "raiseSize": spaced(rules.bet_sizes),
        "firstPlayer": spaced(seat + 1 for seat in rules.first_seats),
    }
    if rules.betting is Betting.LIMIT:
        parameters["maxRaises"] = spaced(rules.raise_caps)
    else:
        parameters["bettingAbstraction"] = "fullgame"
    return pyspiel.load_game("universal_poker", parameters)


class Dealer:
    """Hands cards to OpenSpiel in the order of our deck: hole cards seat by seat, then the board."""

    def __init__(self, rules: GameRules, cards: tuple[int, ...]) -> None:
        deck = sorted(rules.deck)
        self.cards = iter([deck.index(card) for card in cards])

    def deal_due_cards(self, theirs: Any) -> None:
        while theirs.is_chance_node():
            theirs.apply_action(next(self.cards))


def paid_before_this_round(ours: State) -> int:
    seat = ours.actor
    assert seat is not None
    return ours.paid[seat] - ours.bets[seat]


def our_situation(ours: State) -> tuple[int | None, list[int]]:
    """Who is to act, and the numbers OpenSpiel has for what may be done: 0 folds, 1 calls, others raise."""
    legal = ours.legal_actions
    numbers = [0, 1] if legal.fold else [1]
    if legal.can_raise and ours.rules.betting is Betting.LIMIT:
        numbers.append(2)
    elif legal.can_raise:
        before = paid_before_this_round(ours)
        numbers += range(before + legal.raise_minimum, before + legal.raise_maximum + 1)
    return ours.actor, numbers


def their_situation(theirs: Any) -> tuple[int | None, list[int]]:
    return theirs.current_player(), theirs.legal_actions()


def compare_hand(random: Random, rules: GameRules) -> None:
    """Play one hand at both tables."""
    cards = random_cards(random, rules)
    ours = State(Setup.of(rules), cards)
    theirs = universal_poker(rules).new_initial_state()
    dealer = Dealer(rules, cards)
    dealer.deal_due_cards(theirs)
    style = random_style(random)
    while not ours.is_over:
        assert our_situation(ours) == their_situation(theirs), (rules, ours.actions)
        action = random_action(random, ours.legal_actions, style)
        number = int(action.kind)
        if action.kind is ActionKind.RAISE and rules.betting is Betting.NO_LIMIT:
            number = action.to + paid_before_this_round(ours)
        ours.act(action)
        theirs.apply_action(number)
        dealer.deal_due_cards(theirs)
    assert theirs.is_terminal(), (rules, ours.actions)
    # OpenSpiel divides in floating point, we in exact fractions.
    assert [float(chips) for chips in ours.payoffs] == pytest.approx(theirs.returns(), rel=0, abs=1e-9), (
        rules,
        ours.actions,
        cards,
    )


@pytest.mark.parametrize("name", SMALL_GAMES)
def test_kuhn_and_leduc_go_as_openspiel_says(name: str) -> None:
    random = Random(f"openspiel {name}")
    for _ in range(200):
        compare_hand(random, named_game(f"{name}:odd=fractional"))


@pytest.mark.parametrize("chunk", range(CHECK_CHUNKS))
def test_random_hands_go_as_openspiel_says(chunk: int) -> None:
    for hand in range(CHECK_HANDS):
        random = Random(f"openspiel check {chunk} {hand}")
        compare_hand(random, random_rules(random))


@pytest.mark.soak
@pytest.mark.parametrize("chunk", range(CHUNKS))
def test_a_hundred_thousand_random_hands_go_as_openspiel_says(chunk: int) -> None:
    for hand in hands_to_go("openspiel", VERSION, chunk, HANDS_A_CHUNK):
        random = Random(f"openspiel soak {chunk} {hand}")
        compare_hand(random, random_rules(random))
