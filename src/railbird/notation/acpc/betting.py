"""Betting and cards as the ACPC writes them: what STATE and MATCHSTATE lines have in common.

    crrc/cc/rrrc/rrrrc    the betting, rounds divided by slashes; raises of no-limit games have an amount (r300)
    7d3d|2hAc/5sKs7s/9s   everyone's hole cards, then the board of each round after a slash

Raises of no-limit games count the chips of the whole hand, so the round's raise-to is that number less what the seat
had paid before the round. An all-in showdown includes the slashes of the rounds without betting.
"""

import re
from weakref import WeakKeyDictionary

from railbird.cards import DECK_SIZE, Card, CardError, format_card, parse_cards
from railbird.engine.actions import CALL, FOLD, Action, ActionKind, raise_to
from railbird.engine.betting_tree import BettingNode
from railbird.engine.rules import Betting, GameRules
from railbird.engine.setup import Setup
from railbird.engine.state import UNKNOWN, State
from railbird.kernels.rules import betting
from railbird.notation.reading import NotationError

_LONGEST_QUOTE = 60
_AMOUNT = re.compile("[1-9][0-9]{0,9}")
_CARD = {format_card(card): card for card in range(DECK_SIZE)}
CARD_NAMES = (*map(format_card, range(DECK_SIZE)), "??")
"""Two characters for every card; the last entry, also reached by index −1, is the unknown card."""


class BettingTextError(NotationError):
    """A betting text that is malformed or divides its rounds in the wrong places."""


def shorten(text: str) -> str:
    """The beginning of a text, for quoting in a message."""
    quoted = repr(text[: _LONGEST_QUOTE + 1])
    return quoted if len(quoted) <= _LONGEST_QUOTE + 2 else quoted[:_LONGEST_QUOTE] + "…'"


def follow(setup: Setup, node: BettingNode, text: str) -> BettingNode:
    """The situation that a betting text leads to; what the rules forbid is refused with their reason."""
    limit, rounds = setup.rules.betting is Betting.LIMIT, setup.rules.rounds
    after = setup.tree.after
    round_number = node.view[betting.ROUND]
    end = len(text)
    # Blinds can put everyone all-in, so that nobody ever acts.
    place = _past_slashes(text, 0, _slashes_after(node, rounds)) if node.reached_by is None else 0
    while place < end:
        letter = text[place]
        place += 1
        if letter == "c":
            action = CALL
        elif letter == "r":
            if limit:
                action = node.choices[-1] if node.legal.raise_maximum else raise_to(0)
            else:
                amount = _AMOUNT.match(text, place)
                if amount is None:
                    raise BettingTextError(f"the raise after {_tail(text, place - 1)} has no amount")
                place = amount.end()
                action = raise_to(int(amount[0]) - paid_before_round(node))
        elif letter == "f":
            action = FOLD
        else:
            raise BettingTextError(_misplaced(text, place - 1))
        following = node.following.get(action)
        node = after(node, action) if following is None else following
        if node.view[betting.ROUND] != round_number:
            round_number = node.view[betting.ROUND]
            place = _past_slashes(text, place, 1)
        elif node.actor is None:
            place = _past_slashes(text, place, _slashes_after(node, rounds))
    return node


def paid_before_round(node: BettingNode) -> int:
    """What the seat to act had paid before this round: the difference between the ACPC's raises and ours."""
    if node.actor is None:
        return 0
    return node.view[betting.PAID + node.actor] - node.view[betting.BETS + node.actor]


def _slashes_after(node: BettingNode, rounds: int) -> int:
    """The number of rounds that an all-in showdown skips."""
    if node.view[betting.OUTCOME] != betting.SHOWDOWN:
        return 0
    return rounds - 1 - node.view[betting.ROUND]


def last_round(setup: Setup, node: BettingNode) -> int:
    """The last round whose board is dealt; an all-in showdown deals all of them."""
    return node.view[betting.ROUND] + _slashes_after(node, setup.rules.rounds)


def _past_slashes(text: str, place: int, count: int) -> int:
    if text[place : place + count] != "/" * count:
        raise BettingTextError(f"a / is missing after {_tail(text, place)}, where a round ends")
    return place + count


def _misplaced(text: str, place: int) -> str:
    if text[place] == "/":
        return f"there is a / after {_tail(text, place)}, where no round ends"
    if text[place] in "0123456789":
        return f"there is {text[place]!r} after {_tail(text, place)}, which takes no amount"
    return f"there is {text[place]!r} where an action is expected"


def _tail(text: str, place: int) -> str:
    """The last letters before a place in a betting text."""
    return repr(text[max(0, place - 12) : place])


def format_action(node: BettingNode, action: Action, limit: bool) -> str:
    """An action of the seat to act: f, c, r, or in no-limit games r with the chips of the whole hand."""
    if action.kind is ActionKind.RAISE:
        return "r" if limit else f"r{action.to + paid_before_round(node)}"
    return "c" if action.kind is ActionKind.CALL else "f"


def format_step(node: BettingNode, limit: bool, rounds: int) -> str:
    """The action that led to a situation, with the slashes that follow it."""
    assert node.reached_by is not None
    before, action = node.reached_by
    text = format_action(before, action, limit)
    if node.view[betting.ROUND] != before.view[betting.ROUND]:
        return text + "/"
    return text if node.actor is not None else text + "/" * _slashes_after(node, rounds)


def format_betting(state: State) -> str:
    """The betting of a hand, rounds divided by slashes."""
    text = _TEXTS.get(state.node)
    if text is None:
        text = _TEXTS[state.node] = _betting_text(state.setup.rules, state.node)
    return text


_TEXTS: WeakKeyDictionary[BettingNode, str] = WeakKeyDictionary()
"""The betting up to every situation that exists and was written before."""


def _betting_text(rules: GameRules, last: BettingNode) -> str:
    limit, rounds = rules.betting is Betting.LIMIT, rules.rounds
    path = last.path
    if not path:
        return "/" * _slashes_after(last, rounds)
    return "".join([format_step(node, limit, rounds) for node in path])


def parse_table_cards(text: str, rules: GameRules, last_round: int) -> list[Card]:
    """All cards of a hand whose betting reached a round: hole cards seat by seat, then the board.

    Hands that are not shown, boards that are not dealt, and a board that is left out entirely are UNKNOWN.
    """
    holes, *boards = text.split("/")
    hands = holes.split("|")
    if len(hands) != rules.players:
        raise CardError(f"{len(hands)} hands for {rules.players} players in {shorten(text)}")
    opening = rules.board_cards[0]
    if opening:
        # The board of the first round follows the last hand without a slash.
        cut = max(0, len(hands[-1]) - 2 * opening)
        boards.insert(0, hands[-1][cut:])
        hands[-1] = hands[-1][:cut]
    elif boards:
        boards.insert(0, "")
    size = rules.hole_cards
    cards: list[Card] = []
    for hand in hands:
        found = _cards(hand) if hand else [UNKNOWN] * size
        if len(found) != size:
            raise CardError(f"{shorten(hand)} is not a hand of {size} cards")
        cards += found
    if boards and len(boards) != last_round + 1:
        raise CardError(f"the betting ends in round {last_round + 1}, but the board has {len(boards)} parts")
    for board, count in zip(boards, rules.board_cards, strict=False):
        found = _cards(board)
        if len(found) != count:
            raise CardError(f"{shorten(board)} is not a board of {count} cards")
        cards += found
    cards += [UNKNOWN] * (rules.cards_dealt - len(cards))
    return cards


def _cards(text: str) -> list[Card]:
    try:
        return [_CARD[text[place : place + 2]] for place in range(0, len(text), 2)]
    except KeyError:
        if not text.isascii() or len(text) > _LONGEST_QUOTE or any(letter.isspace() for letter in text):
            raise CardError(f"{shorten(text)} is not a list of cards") from None
        parse_cards(text)
        raise


def format_table_cards(state: State) -> str:
    """Everyone's hole cards and the open board; unknown hands and an unknown board are left out."""
    names = "".join([CARD_NAMES[card] for card in state.cards])
    return lay_out_cards(state.setup, names, last_round(state.setup, state.node))


def lay_out_cards(setup: Setup, names: str, last: int) -> str:
    """The same from the names of all cards, two characters each, and the last round whose board is dealt."""
    width = 2 * setup.rules.hole_cards
    end = width * len(setup.stacks)
    opened = 2 * setup.board_slices[last].stop
    holes = [names[start : start + width] for start in range(0, end, width)]
    if "?" in names[:opened]:
        holes = ["" if "?" in hole else hole for hole in holes]
        if "?" in names[end:opened]:
            return "|".join(holes)
    return "|".join(holes) + _board_text(setup, names, last)


def format_board(state: State) -> str:
    """The open board: a slash before every round but the first, whether it has cards or not."""
    names = "".join([CARD_NAMES[card] for card in state.cards])
    return _board_text(state.setup, names, last_round(state.setup, state.node))


def _board_text(setup: Setup, names: str, last: int) -> str:
    start = 2 * setup.board_slices[0].start
    text = ""
    for number, board in enumerate(setup.board_slices[: last + 1]):
        stop = 2 * board.stop
        text += "/" + names[start:stop] if number else names[start:stop]
        start = stop
    return text
