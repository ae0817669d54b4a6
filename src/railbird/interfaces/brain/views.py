"""What a body sees of a hand in progress: a view in plain data, or an ACPC MATCHSTATE line, as an `Observation`.

A view is an observation in plain data that may omit everything given by the match: the rules, the stacks, the blinds,
the seats. It contains the whole hand so far, so that a lost view does no harm; `heard` derives its events, of which the
agent receives the new ones.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from railbird.agent import MatchStart
from railbird.agent.plain_form import LARGEST_HAND_NUMBER, action_from_json, action_to_json, read_rules
from railbird.cards import Card, CardError, format_cards, parse_cards, require_distinct
from railbird.engine.actions import ActionError
from railbird.engine.betting_tree import BettingNode
from railbird.engine.events import DealHole, Event
from railbird.engine.history import play
from railbird.engine.json_form import rules_to_json
from railbird.engine.rules import GameRules
from railbird.engine.setup import Setup
from railbird.engine.state import UNKNOWN, State
from railbird.fields import FieldError, Fields, quoted
from railbird.notation.acpc.betting import last_round
from railbird.notation.acpc.match import LINE_END, MatchStateReader
from railbird.observation import Observation

MOST_SITUATIONS = 1 << 12
"""Maximum number of betting situations that a match keeps before it clears them: about 5 MB."""
MOST_SETUPS = 16
"""Maximum number of setups kept; if stacks are carried over, every hand has a different one."""
LONGEST_LINE = 4000


@dataclass(frozen=True, slots=True)
class Seen:
    """What a body sees: one seat's view, and the hands that were shown."""

    observation: Observation
    shown: Mapping[int, tuple[Card, ...]]
    line: str = ""
    """The MATCHSTATE line, if the view was given as one."""

    def state(self) -> State:
        """The hand, with all unseen cards unknown."""
        view = self.observation
        size = view.rules.hole_cards
        cards = [UNKNOWN] * (view.rules.players * size)
        for seat, shown in {**self.shown, view.seat: view.hole_cards}.items():
            cards[seat * size : (seat + 1) * size] = shown
        hidden = sum(view.rules.board_cards) - len(view.board)
        state = State(view.setup, [*cards, *view.board, *[UNKNOWN] * hidden])
        state.node = view.node
        return state


class ViewReader:
    """Reads what a body sees in one match."""

    def __init__(self, match: MatchStart) -> None:
        self.match = match
        self._lines = MatchStateReader(Setup.of(match.rules))
        self._setups: dict[tuple[object, ...], Setup] = {}

    def read(self, request: Fields) -> Seen:
        """The view or the line of a request, whichever it has."""
        request.only_one_of("view", "state")
        if "state" in request:
            return self._read_line(request)
        return self._read_view(Fields("the view", request.data("view")))

    def _read_line(self, request: Fields) -> Seen:
        line = request.data("state")
        if type(line) is not str or len(line) > LONGEST_LINE or not line.rstrip(LINE_END).isprintable():
            raise request.refuse("state", "a MATCHSTATE line")
        line = line.rstrip(LINE_END)
        if self._lines.setup.tree.size > MOST_SITUATIONS:
            self._lines = MatchStateReader(Setup.of(self.match.rules))
        state = self._lines.read(line)
        rules = self.match.rules
        size = rules.hole_cards
        hands = {seat: state.cards[seat * size : (seat + 1) * size] for seat in range(rules.players)}
        observation = Observation(
            state.setup,
            state.position,
            seated(self.match, state.position, rules.players),
            state.hole_cards,
            state.board,
            state.node,
            state.hand_number,
        )
        return Seen(observation, {seat: hand for seat, hand in hands.items() if UNKNOWN not in hand}, line)

    def _read_view(self, view: Fields) -> Seen:
        rules = read_rules(view.data("rules"), "rules of the view") if "rules" in view else self.match.rules
        players = view.texts("players") if "players" in view else None
        if players is not None:
            rules = rules.for_players(len(players))
        seat = view.number("seat", most=rules.players - 1)
        setup = self._read_setup(view, rules)
        node = _follow(setup, view.items("actions"))
        hole_cards = _read_cards(view, "hole_cards")
        board = _read_cards(view, "board", "")
        if len(hole_cards) != rules.hole_cards:
            raise view.refuse("hole_cards", f"{rules.hole_cards} cards" if rules.hole_cards > 1 else "a card")
        _require_board(setup, node, board)
        number = view.number("hand_number", default=0, most=LARGEST_HAND_NUMBER)
        shown = _read_shown(view, rules, seat)
        view.finish()
        _require_deck(setup, [*hole_cards, *board, *(card for hand in shown.values() for card in hand)])
        if players is None:
            players = seated(self.match, seat, rules.players)
        return Seen(Observation(setup, seat, players, hole_cards, board, node, number), shown)

    def _read_setup(self, view: Fields, rules: GameRules) -> Setup:
        stacks, blinds, antes = (
            view.numbers(name, default=usual)
            for name, usual in (("stacks", rules.stacks), ("blinds", rules.blinds), ("antes", rules.antes))
        )
        first = view.number("first", default=rules.first_seats[0], most=rules.players - 1)
        key = (rules, stacks, blinds, antes, first)
        if sum(setup.tree.size for setup in self._setups.values()) > MOST_SITUATIONS:
            self._setups.clear()
        setup = self._setups.get(key)
        if setup is None:
            setup = Setup(rules, stacks, blinds, antes, first)
            if len(self._setups) == MOST_SETUPS:
                del self._setups[next(iter(self._setups))]
            self._setups[key] = setup
        return setup


def seated(match: MatchStart, seat: int, count: int) -> tuple[str, ...]:
    """Labels by position, given the agent's position: players are named in their order around the table."""
    if len(match.players) != count:
        raise FieldError(
            f"the match has {len(match.players)} players, but the hand has {count} seats: give its players",
        )
    own = match.players.index(match.label)
    return tuple(match.players[(own + position - seat) % count] for position in range(count))


def _follow(setup: Setup, actions: Sequence[object]) -> BettingNode:
    node = setup.tree.root
    for place, entry in enumerate(actions):
        action = action_from_json(entry)
        if action is None:
            raise FieldError(
                f"action {place} of the view is {quoted(entry)}, but [kind, amount] is expected, such as "
                '["call", 0] or ["raise", 40]',
            )
        following = node.following.get(action)
        try:
            node = setup.tree.after(node, action) if following is None else following
        except ActionError as error:
            raise FieldError(f"action {place} of the view: {error}") from None
    return node


def _read_cards(view: Fields, name: str, default: str | None = None) -> tuple[Card, ...]:
    text = view.text(name) if default is None else view.text(name, default)
    try:
        return parse_cards(text)
    except CardError as error:
        raise FieldError(f"{name} of {view.where}: {error}") from None


def _read_shown(view: Fields, rules: GameRules, own: int) -> dict[int, tuple[Card, ...]]:
    if "shown" not in view:
        return {}
    hands = Fields("shown of the view", view.data("shown"))
    shown = {}
    for seat in range(rules.players):
        if str(seat) in hands:
            cards = _read_cards(hands, str(seat))
            if len(cards) != rules.hole_cards or seat == own:
                raise hands.refuse(str(seat), f"{rules.hole_cards} cards of another seat")
            shown[seat] = cards
    hands.finish()
    return shown


def _require_board(setup: Setup, node: BettingNode, board: tuple[Card, ...]) -> None:
    number = last_round(setup, node)
    size = setup.rules.board_size(number)
    if len(board) != size:
        raise FieldError(
            f"board of the view has {len(board)} cards, but {size} are dealt after these actions "
            f"({setup.rules.round_name(number)})",
        )


def _require_deck(setup: Setup, cards: Sequence[Card]) -> None:
    require_distinct(cards)
    if not setup.cards_in_play.issuperset(cards):
        other = next(card for card in cards if card not in setup.cards_in_play)
        raise CardError(f"{format_cards([other])} is not in the deck of {setup.rules.name}")


def view_to_json(observation: Observation, match: MatchStart) -> dict[str, Any]:
    """The view that `ViewReader` reads, without what the match gives."""
    setup, seat = observation.setup, observation.seat
    rules = setup.rules
    view: dict[str, Any] = {
        "hand_number": observation.hand_number,
        "seat": seat,
        "hole_cards": format_cards(observation.hole_cards),
        "board": format_cards(observation.board),
        "actions": [action_to_json(action) for action in observation.actions],
    }
    count = len(observation.players)
    if count != len(match.players) or observation.players != seated(match, seat, count):
        view["players"] = list(observation.players)
    if rules is not match.rules and rules != match.rules:
        view["rules"] = rules_to_json(rules)
    for name in ("stacks", "blinds", "antes"):
        amounts = getattr(setup, name)
        if amounts != getattr(rules, name):
            view[name] = list(amounts)
    if setup.first != rules.first_seats[0]:
        view["first"] = setup.first
    return view


def heard(seen: Seen) -> list[Event]:
    """The events of the hand so far that the seat has heard, without its end."""
    own = seen.observation.seat
    return [event for event in play(seen.state()) if not isinstance(event, DealHole) or event.seat == own]
