"""How the official ACPC server interprets a player's reply.

The reply must begin with the state that was sent. The server parses it leniently: slashes may be anywhere in the
betting or missing, cards may be in upper or lower case, `k` is a call and `b` a raise, and anything after the action is
ignored. Then:

1. Text that is not a state, or not the state that was sent, is ignored with a warning.
2. A raise to too few or too many chips is moved to the nearest legal amount.
3. Any other illegal action becomes a call: folding when there is nothing to call, a raise beyond the cap, an unknown
   letter, no action at all.
4. A betting round has room for 64 actions: a raise becomes a call if not all opponents could respond to it.
"""

import re
from dataclasses import dataclass
from typing import NamedTuple

from railbird.cards import RANKS, SUITS, Card, make_card
from railbird.engine.actions import CALL, FOLD, Action, ActionError, ActionKind, raise_to
from railbird.engine.betting_tree import BettingNode
from railbird.engine.rules import Betting
from railbird.engine.setup import Setup
from railbird.notation.acpc.betting import last_round, paid_before_round
from railbird.notation.acpc.match import MatchState, MatchStateLines

MOST_ROUND_ACTIONS = 64
_HEADING = re.compile(r"MATCHSTATE:\s*([+-]?[0-9]+):\s*([+-]?[0-9]+):", re.ASCII)
_AMOUNT = re.compile(r"\s*([+-]?[0-9]{1,18})", re.ASCII)
_KINDS = {
    "f": ActionKind.FOLD,
    "c": ActionKind.CALL,
    "k": ActionKind.CALL,
    "r": ActionKind.RAISE,
    "b": ActionKind.RAISE,
}


@dataclass(frozen=True, slots=True)
class Ruling:
    """The resulting action, None if the reply is ignored, and the dealer's warning about it."""

    action: Action | None
    warning: str = ""


_NO_STATE = Ruling(None, "ignored a reply that is not a state of this game")
_OTHER_STATE = Ruling(None, "ignored a reply to another state")
_NO_ACTION = Ruling(CALL, "treated a reply without a readable action as a call")
_PLAIN = {action: Ruling(action) for action in (FOLD, CALL)}


def rule(reply: str, lines: MatchStateLines, position: int) -> Ruling:
    """The ruling on a reply of the position that is to act in a hand."""
    sent = lines.line(position)
    if reply.startswith(sent):
        place = len(sent)
    else:
        reply = reply.partition("\0")[0]
        found = _read_state(reply, lines.match_state(position))
        if found is None:
            return _NO_STATE
        place, same = found
        if not same:
            return _OTHER_STATE
    if reply[place : place + 1] != ":":
        return _NO_ACTION
    read = read_action(reply, place + 1, lines.state.setup)
    if read is None:
        return _NO_ACTION
    return _rule_on(read, lines)


class _Read(NamedTuple):
    """An action as written in a text."""

    kind: ActionKind | None
    """None for an unknown letter."""
    amount: int
    """Only raises in no-limit games have an amount."""
    end: int


def read_action(text: str, place: int, setup: Setup) -> _Read | None:
    """The action at a place, None if a raise has no amount."""
    kind = _KINDS.get(text[place : place + 1].lower())
    if kind is not ActionKind.RAISE or setup.rules.betting is Betting.LIMIT:
        return _Read(kind, 0, place + 1)
    amount = _AMOUNT.match(text, place + 1)
    if amount is None:
        return None
    return _Read(kind, int(amount[1]), amount.end())


def _rule_on(read: _Read, lines: MatchStateLines) -> Ruling:
    node, rules = lines.state.node, lines.state.setup.rules
    legal = node.legal
    match read.kind:
        case ActionKind.CALL:
            return _PLAIN[CALL]
        case ActionKind.FOLD:
            return (
                _PLAIN[FOLD] if legal.fold else Ruling(CALL, "treated a fold with nothing to call as a call")
            )
        case ActionKind.RAISE:
            if not legal.can_raise:
                return Ruling(CALL, "treated an illegal raise as a call")
            if lines.round_actions + rules.players > MOST_ROUND_ACTIONS:
                return Ruling(
                    CALL, f"treated a raise as a call: a round has at most {MOST_ROUND_ACTIONS} actions"
                )
            if rules.betting is Betting.LIMIT:
                return Ruling(raise_to(legal.raise_minimum))
            return _sized(read.amount, node)
        case None:
            return Ruling(CALL, "treated an unknown action as a call")


def _sized(amount: int, node: BettingNode) -> Ruling:
    legal, before = node.legal, paid_before_round(node)
    wanted = amount - before
    to = min(max(wanted, legal.raise_minimum), legal.raise_maximum)
    if to == wanted:
        return Ruling(raise_to(to))
    return Ruling(raise_to(to), f"moved a raise to {amount} to {to + before}, the nearest legal amount")


def _read_state(text: str, state: MatchState) -> tuple[int, bool] | None:
    """Where the state at the beginning of a reply ends and whether it is the current one; None if it is not a state."""
    heading = _HEADING.match(text)
    if heading is None:
        return None
    position, hand = int(heading[1][:18]) % 2**8, int(heading[2][:18]) % 2**32
    rules = state.setup.rules
    if position >= rules.players:
        return None
    followed = _read_betting(text, heading.end(), state.setup)
    if followed is None:
        return None
    node, place = followed
    hands: list[list[Card]] = []
    for seat in range(rules.players):
        if seat and text[place : place + 1] == "|":
            place += 1
        hands.append(_read_cards(text, place, rules.hole_cards))
        if len(hands[-1]) not in (0, rules.hole_cards):
            return None
        place += 2 * len(hands[-1])
    board: list[Card] = []
    for number in range(last_round(state.setup, node) + 1):
        if number and text[place : place + 1] == "/":
            place += 1
        found = _read_cards(text, place, rules.board_cards[number])
        if len(found) != rules.board_cards[number]:
            return None
        board += found
        place += 2 * len(found)
    same = (
        position == state.position
        and hand == state.hand_number
        and node.actions == state.node.actions
        and tuple(hands[position]) == state.hole_cards
        and tuple(board) == state.board
    )
    return place, same


def _read_betting(text: str, place: int, setup: Setup) -> tuple[BettingNode, int] | None:
    node = setup.tree.root
    while place < len(text):
        if text[place] == ":":
            return node, place + 1
        if text[place] == "/":
            place += 1
            continue
        read = read_action(text, place, setup)
        if read is None or read.kind is None:
            return None
        place = read.end
        try:
            node = setup.tree.after(node, exact_action(read.kind, read.amount, node, setup))
        except ActionError:
            return None
    return node, place


def exact_action(kind: ActionKind, amount: int, node: BettingNode, setup: Setup) -> Action:
    """The action with exactly this kind and amount, legal or not."""
    if kind is not ActionKind.RAISE:
        return CALL if kind is ActionKind.CALL else FOLD
    if setup.rules.betting is Betting.LIMIT:
        return raise_to(node.legal.raise_minimum)
    return raise_to(amount - paid_before_round(node))


def _read_cards(text: str, place: int, most: int) -> list[Card]:
    """The cards at a place, in upper or lower case."""
    cards: list[Card] = []
    while len(cards) < most and place + 1 < len(text):
        rank, suit = RANKS.find(text[place].upper()), SUITS.find(text[place + 1].lower())
        if rank < 0 or suit < 0:
            break
        cards.append(make_card(rank, suit))
        place += 2
    return cards
