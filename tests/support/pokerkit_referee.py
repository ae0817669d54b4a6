"""PokerKit as referee: the same hand, compared after every action and at the end.

PokerKit's rules are the options in `POKERKIT_OPTIONS`. Its player 0 is the first to the left of the button, as our seat
0; heads-up it turns blinds and antes around by itself.
"""

from functools import lru_cache
from random import Random
from typing import Any

import pokerkit
from pokerkit import Automation, BettingStructure, Deck, Hand, Mode, Opening, StandardHighHand, Street

from railbird.cards import format_cards
from railbird.engine.actions import Action, ActionKind
from railbird.engine.events import Award, Reveal
from railbird.engine.history import ending
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
from strategies import random_action, random_cards, random_stacks, random_style

POKERKIT_OPTIONS: dict[str, Any] = {
    "reopening": Reopening.CONSECUTIVE_SHORTS,
    "minimum_raise": MinimumRaise.ON_TOP,
    "odd_chips": OddChips.MERGED_POTS,
    "short_blind": ShortBlind.POSTED,
    "mucking": Mucking.LOSERS_MUCK,
    "raise_needs_caller": True,
}
POKERKIT_CAPS = (4, 4, 4, 4)
STRUCTURES = {
    Betting.LIMIT: BettingStructure.FIXED_LIMIT,
    Betting.POT_LIMIT: BettingStructure.POT_LIMIT,
    Betting.NO_LIMIT: BettingStructure.NO_LIMIT,
}
AUTOMATIONS = (
    Automation.ANTE_POSTING,
    Automation.BET_COLLECTION,
    Automation.BLIND_OR_STRADDLE_POSTING,
    Automation.HOLE_CARDS_SHOWING_OR_MUCKING,
    Automation.HAND_KILLING,
    Automation.CHIPS_PUSHING,
    Automation.CHIPS_PULLING,
)


class RememberedHand(StandardHighHand):
    """PokerKit's own hands, each worked out once: it asks for the same one many times in a showdown."""

    @classmethod
    def from_game(cls, hole_cards: Any, board_cards: Any = ()) -> Hand:
        return _best_hand(tuple(hole_cards), tuple(board_cards))


@lru_cache(maxsize=64)
def _best_hand(hole_cards: tuple[Any, ...], board_cards: tuple[Any, ...]) -> Hand:
    return StandardHighHand.from_game(hole_cards, board_cards)


def random_rules(random: Random) -> GameRules:
    players = random.randint(2, 10)
    betting = random.choice(list(Betting))
    small, big = random.choice([(1, 2), (3, 7), (5, 10), (50, 100)])
    blinds, first_seats = blinds_for(players, small, big)
    ante_rule = random.choice(list(Antes))
    antes = (0,) * players
    match random.randint(0, 9):
        case 0 | 1:
            antes = (random.randint(1, big),) * players
        case 2 | 3 if ante_rule is Antes.DEAD:
            payer = blinds.index(big)
            antes = tuple(big if seat == payer else 0 for seat in range(players))
        case 4:
            antes = (random.randint(1, big),) * players
            blinds, first_seats = (0,) * players, (0, 0, 0, 0)
        case 5 if players > 3:
            blinds, first_seats = (small, big, 2 * big, *blinds[3:]), (3, 0, 0, 0)
        case _:
            pass
    limit = betting is Betting.LIMIT
    return GameRules(
        name="random",
        betting=betting,
        blinds=blinds,
        stacks=random_stacks(random, players, big),
        bet_sizes=(big, big, 2 * big, 2 * big) if limit else (big,) * 4,
        raise_caps=POKERKIT_CAPS if limit else (None,) * 4,
        first_seats=first_seats,
        antes=antes,
        ante_rule=ante_rule,
        **POKERKIT_OPTIONS,
    )


def pokerkit_state(rules: GameRules) -> pokerkit.State:
    def as_given(amounts: tuple[int, ...]) -> tuple[int, ...]:
        return amounts[::-1] if rules.players == 2 else amounts

    streets = tuple(
        Street(
            card_burning_status=False,
            hole_dealing_statuses=(False, False) if number == 0 else (),
            board_dealing_count=rules.board_cards[number],
            draw_status=False,
            opening=Opening.POSITION,
            min_completion_betting_or_raising_amount=rules.bet_sizes[number],
            max_completion_betting_or_raising_count=rules.raise_caps[number],
        )
        for number in range(rules.rounds)
    )
    return pokerkit.State(
        automations=AUTOMATIONS,
        deck=Deck.STANDARD,
        hand_types=(RememberedHand,),
        streets=streets,
        betting_structure=STRUCTURES[rules.betting],
        ante_trimming_status=rules.ante_rule is Antes.MATCHED,
        raw_antes=as_given(rules.antes),
        raw_blinds_or_straddles=as_given(rules.blinds),
        bring_in=0,
        raw_starting_stacks=rules.stacks,
        player_count=rules.players,
        mode=Mode.TOURNAMENT,
    )


def deal_due_board(theirs: pokerkit.State, board: str) -> None:
    """Lay open the cards that PokerKit waits for."""
    while theirs.status and theirs.can_deal_board():
        shown = 2 * sum(1 for _ in theirs.get_board_cards(0))
        theirs.deal_board(board[shown : shown + (6 if shown == 0 else 2)])


def act(theirs: pokerkit.State, action: Action) -> None:
    match action.kind:
        case ActionKind.FOLD:
            theirs.fold()
        case ActionKind.CALL:
            theirs.check_or_call()
        case ActionKind.RAISE:
            theirs.complete_bet_or_raise_to(action.to)


def our_situation(ours: State) -> tuple[Any, ...]:
    legal = ours.legal_actions
    return (
        ours.actor,
        legal.fold,
        legal.call,
        legal.raise_minimum,
        legal.raise_maximum,
        ours.stacks,
        ours.bets,
        ours.pot,
        ours.live_seats,
        ours.round,
    )


def their_situation(theirs: pokerkit.State) -> tuple[Any, ...]:
    return (
        theirs.actor_index,
        theirs.can_fold(),
        theirs.checking_or_calling_amount,
        theirs.min_completion_betting_or_raising_to_amount or 0,
        theirs.max_completion_betting_or_raising_to_amount or 0,
        tuple(theirs.stacks),
        tuple(theirs.bets),
        theirs.total_pot_amount,
        tuple(seat for seat, live in enumerate(theirs.statuses) if live),
        theirs.street_index,
    )


def compare_hand(random: Random) -> None:
    """Play one hand at both tables."""
    rules = random_rules(random)
    cards = random_cards(random, rules)
    ours = State(Setup.of(rules), cards)
    theirs = pokerkit_state(rules)
    for seat in range(rules.players):
        theirs.deal_hole(format_cards(cards[2 * seat : 2 * seat + 2]))
    board = format_cards(cards[-5:])
    deal_due_board(theirs, board)
    style = random_style(random)
    while not ours.is_over:
        assert our_situation(ours) == their_situation(theirs), (rules, ours.actions)
        action = random_action(random, ours.legal_actions, style)
        ours.act(action)
        act(theirs, action)
        deal_due_board(theirs, board)
    assert not theirs.status, (rules, ours.actions)
    assert list(ours.payoffs) == theirs.payoffs, (rules, ours.actions, format_cards(cards))
    if ours.is_showdown:
        compare_showdown(ours, theirs)


def compare_showdown(ours: State, theirs: pokerkit.State) -> None:
    """Who shows or mucks in which order, and who takes how much from which pot."""
    our_reveals = []
    our_awards = {}
    for event in ending(ours):
        match event:
            case Reveal(seat, cards):
                our_reveals.append((seat, cards is not None))
            case Award(seat, pot, amount):
                our_awards[pot, seat] = amount
            case _:
                pass
    their_reveals = []
    their_awards = {}
    for operation in theirs.operations:
        match operation:
            case pokerkit.HoleCardsShowingOrMucking():
                their_reveals.append((operation.player_index, bool(operation.hole_cards)))
            case pokerkit.ChipsPushing():
                for seat, amount in enumerate(operation.amounts):
                    if amount:
                        their_awards[operation.pot_index, seat] = amount
            case _:
                pass
    if any(ours.stacks[seat] == 0 for seat in ours.live_seats):
        # After an all-in every hand is tabled at once: the order means nothing.
        our_reveals.sort()
        their_reveals.sort()
    assert our_reveals == their_reveals, (ours.rules, ours.actions)
    assert our_awards == their_awards, (ours.rules, ours.actions)
