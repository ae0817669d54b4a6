"""What one viewer may see of a table. This is the only path from a hand to the network.

A view is built from *seen events*: `seen` lists, kind by kind, what may be disclosed. Posts, actions, open boards,
returned bets, shown hands and awards are public; hole cards are visible to their owner, to all viewers once a hand is
shown, and to viewers who may see them for another reason (training with open cards, tables of agents only, a hand that
is over; `SessionPlan.viewer`). The rest of a view comes from the betting, which does not depend on cards. The end of a
hand is told in stages (`ending`), and no view contains what belongs to a later one.
"""

from collections.abc import Collection, Iterable, Iterator, Sequence
from dataclasses import dataclass
from fractions import Fraction
from typing import Any

import msgspec
from msgspec.structs import replace

from railbird.cards import Card, format_card
from railbird.engine.events import Act, Award, Chips, DealBoard, DealHole, Event, Post, Return, Reveal
from railbird.engine.history import events_of, narrate
from railbird.engine.positions import position_names
from railbird.engine.rules import Betting, GameRules
from railbird.engine.state import State
from railbird.hands.categories import describe as describe_cards
from railbird.hands.evaluator import best_five
from railbird.interfaces.web.table.dealt_hand import DealtHand
from railbird.interfaces.web.table.ending import Stage, in_order, stage_of, stages_before_result
from railbird.places import without_passwords

FULL_HAND = 5
FOLDED, FOLDED_STATE = "folds", "folded"


@dataclass(frozen=True, slots=True)
class TableViewer:
    """A viewer: a player in a chair or a spectator, and whose cards this viewer may see.

    Cards belong to a player, not to a chair: whoever takes a chair during a hand must not see what is held there.
    """

    chair: int | None
    name: str | None
    """The label of the viewer; None for a spectator."""
    sees: frozenset[str] | None
    """The labels of the players whose hidden cards the viewer may see; None for all."""

    def position(self, hand: DealtHand) -> int | None:
        """The viewer's own position in a hand."""
        return hand.players.index(self.name) if self.name in hand.players else None

    def opened(self, hand: DealtHand) -> frozenset[int]:
        """The positions whose hidden cards the viewer may see."""
        return frozenset(
            place for place, label in enumerate(hand.players) if self.sees is None or label in self.sees
        )


class RaiseOffer(msgspec.Struct, frozen=True):
    """The amounts to which the viewer may raise, and what they can be measured by."""

    least: int
    most: int
    all_in: bool
    """Whether the most is all-in."""
    verb: str
    bet: int
    """The highest bet of the round."""
    called: int
    """The viewer's own bet after a call."""
    pot: int
    """The pot after a call."""
    big_blind: int


class ActionOffer(msgspec.Struct, frozen=True):
    """The viewer's legal actions."""

    fold: bool
    call: int
    # The field is called `raise` in the message, which is a keyword in Python.
    raise_: RaiseOffer | None = msgspec.field(name="raise")


class Chair(msgspec.Struct, frozen=True):
    """A chair as the viewer sees it."""

    chair: int
    name: str
    agent: str
    you: bool
    stack: int | str | None
    """None if it is not known: in a replay, for players who were not dealt in."""
    bet: int
    cards: list[str | None]
    state: str
    last: str
    won: int | str | None
    made: str
    position: str
    """BTN, SB, CO, …; empty if the chair is not dealt in."""
    best: list[str]
    """The five cards with which the chair won a showdown."""


class PotView(msgspec.Struct, frozen=True):
    """A pot and the chairs that can win it."""

    amount: int
    chairs: list[int]


class HistoryLine(msgspec.Struct, frozen=True):
    """A line of the history."""

    kind: str
    text: str
    cards: list[str]
    step: int | None
    chair: int | None


class HandView(msgspec.Struct, frozen=True):
    """A hand as one viewer sees it."""

    hand: int
    step: int
    round: str
    board: list[str]
    pot: int
    pots: list[PotView]
    button: int
    to_act: int | None
    chairs: list[Chair]
    actions: ActionOffer | None
    log: list[HistoryLine]


def seen(state: State, opened: Collection[int]) -> Iterator[Event]:
    """The events of a hand as somebody may see them to whom the hole cards of some positions are open."""
    for event in in_order(state, events_of(state)):
        match event:
            case Post() | DealBoard() | Act() | Return() | Reveal() | Award():
                yield event
            case DealHole(seat, cards):
                yield DealHole(seat, cards if seat in opened else None)


def hand_view(
    hand: DealtHand | None,
    viewer: TableViewer,
    names: Sequence[str],
    agents: Sequence[str],
    stacks: Sequence[Chips],
    told: int | None = None,
) -> HandView:
    """A hand at this moment, or the table before its first one; `told` is the stage of the hand's ending.

    Names, agents, and the chips of players who are not dealt in are in the order of the chairs.
    """
    if hand is None:
        chairs = _empty_chairs(viewer, names, agents, stacks)
        return HandView(0, 0, "", [], 0, [], len(chairs) - 1, None, chairs, None, [])
    return _drawn(hand, hand.state, viewer, names, agents, stacks, told=told)


def _empty_chairs(
    viewer: TableViewer, names: Sequence[str], agents: Sequence[str], stacks: Sequence[Chips | None]
) -> list[Chair]:
    """The chairs without a hand; one without a name is free."""
    return [
        Chair(
            chair=chair,
            name=name,
            agent=without_passwords(agent),
            you=chair == viewer.chair,
            stack=0 if not name else None if stack is None else chips_to_json(stack),
            bet=0,
            cards=[],
            state="out" if name else "free",
            last="",
            won=None,
            made="",
            position="",
            best=[],
        )
        for chair, (name, agent, stack) in enumerate(zip(names, agents, stacks, strict=True))
    ]


def replay_views(
    hand: DealtHand, viewer: TableViewer, names: Sequence[str], agents: Sequence[str]
) -> list[HandView]:
    """A finished hand: a view before every action, then one for each stage of its ending."""
    unknown = [None] * len(names)
    views = []
    state = State(hand.state.setup, hand.state.cards)
    for action in hand.state.actions:
        views.append(_drawn(hand, state, viewer, names, agents, unknown, offers=False))
        state.act(action)
    stages = range(stages_before_result(state) + 1)
    return views + [_drawn(hand, state, viewer, names, agents, unknown, told=told) for told in stages]


def _drawn(
    hand: DealtHand,
    state: State,
    viewer: TableViewer,
    names: Sequence[str],
    agents: Sequence[str],
    stacks: Sequence[Chips | None],
    *,
    offers: bool = True,
    told: int | None = None,
) -> HandView:
    actor = state.actor
    stage = stage_of(state, told)
    digest = _digest(hand, filter(stage.tells, seen(state, viewer.opened(hand))))
    chairs = _empty_chairs(viewer, names, agents, stacks)
    positions = position_names(state.setup.blinds, dead_button=hand.button not in hand.chairs)
    for place, chair in enumerate(hand.chairs):
        # Whoever takes a chair that became free during the hand is dealt in to the next one.
        name = hand.players[place]
        empty = replace(chairs[chair], name=name, you=name == viewer.name)
        chairs[chair] = _chair(state, stage, place, digest, empty, positions[place])
    return HandView(
        hand=hand.number,
        step=len(state.actions),
        round=state.rules.round_name(stage.round),
        board=_cards(stage.board(state)),
        pot=state.pot,
        pots=[PotView(pot.amount, [hand.chairs[seat] for seat in pot.seats]) for pot in state.pots],
        button=hand.button,
        to_act=None if actor is None else hand.chairs[actor],
        chairs=chairs,
        actions=_offer(state) if offers and actor is not None and actor == viewer.position(hand) else None,
        log=digest.lines,
    )


class _Digest:
    """A digest of events: by position the cards, the last action, the chips that came back; and the history."""

    __slots__ = ("back", "cards", "last", "lines", "winners")

    def __init__(self, positions: int) -> None:
        self.cards: list[Sequence[Card | None]] = [()] * positions
        self.last = [""] * positions
        self.back: list[Chips] = [0] * positions
        self.winners: set[int] = set()
        self.lines: list[HistoryLine] = []


def _digest(hand: DealtHand, events: Iterable[Event]) -> _Digest:
    found = _Digest(len(hand.chairs))
    step = 0
    for event, text in narrate(events, hand.state.setup, hand.players):
        seat: int | None = None
        number: int | None = None
        cards: Sequence[Card] = ()
        match event:
            case Act(seat):
                number = step
                step += 1
                found.last[seat] = text.removeprefix(f"{hand.players[seat]} ")
            case DealHole(seat, dealt):
                found.cards[seat] = (None,) * hand.state.rules.hole_cards if dealt is None else dealt
                if dealt is None:
                    # Hidden cards of other players do not need a line.
                    continue
                cards = dealt
            case DealBoard(_, cards):
                # A fold remains visible in later rounds.
                found.last = [said if said == FOLDED else "" for said in found.last]
            case Reveal(seat, shown):
                if shown is not None:
                    found.cards[seat] = cards = shown
            case Return(seat, amount):
                found.back[seat] += amount
            case Award(seat, _, amount):
                found.back[seat] += amount
                found.winners.add(seat)
            case Post(seat):
                pass
        chair = None if seat is None else hand.chairs[seat]
        found.lines.append(HistoryLine(_KINDS[type(event)], text, _cards(cards), number, chair))
    return found


def _chair(state: State, stage: Stage, place: int, digest: _Digest, empty: Chair, position: str) -> Chair:
    over = stage.result
    cards = digest.cards[place]
    folded = digest.last[place] == FOLDED
    known = () if folded else tuple(card for card in cards if card is not None)
    played = (*known, *stage.board(state))
    makes = bool(known) and len(played) >= FULL_HAND
    stack = state.stacks[place] + digest.back[place]
    return Chair(
        chair=empty.chair,
        name=empty.name,
        agent=empty.agent,
        you=empty.you,
        stack=chips_to_json(stack),
        bet=state.bets[place] if stage.bets else 0,
        cards=[None if card is None else format_card(card) for card in cards],
        state=FOLDED_STATE if folded else "all-in" if stack == 0 and not over else "in",
        last="" if over and not folded else digest.last[place],
        won=chips_to_json(state.payoffs[place]) if over else None,
        made=describe_cards(played) if makes else "",
        position=position,
        best=_cards(best_five(played)) if makes and state.is_showdown and place in digest.winners else [],
    )


def _offer(state: State) -> ActionOffer:
    legal, actor = state.legal_actions, state.actor
    assert actor is not None
    bet = state.bets[actor]
    offered = None
    if legal.can_raise:
        offered = RaiseOffer(
            least=legal.raise_minimum,
            most=legal.raise_maximum,
            all_in=legal.raise_maximum == bet + state.stacks[actor],
            verb="raise" if state.to_match else "bet",
            bet=state.to_match,
            called=bet + legal.call,
            pot=state.pot + legal.call,
            big_blind=max(state.setup.blinds),
        )
    return ActionOffer(legal.fold, legal.call, offered)


_KINDS: dict[type[Event], str] = {
    Post: "post",
    DealHole: "hole",
    DealBoard: "board",
    Act: "act",
    Return: "return",
    Reveal: "reveal",
    Award: "award",
}


def _cards(cards: Iterable[Card]) -> list[str]:
    return [format_card(card) for card in cards]


def chips_to_json(chips: Chips) -> int | str:
    """Whole chips as a number, a fraction as text."""
    return chips if isinstance(chips, int) else str(chips)


def unit_of(rules: GameRules) -> dict[str, Any]:
    """The unit of results, a small bet or a big blind; and what it takes to show them in big blinds or chips."""
    return {
        "name": "small bet" if rules.betting is Betting.LIMIT else "big blind",
        "chips": rules.unit_chips,
        "big_blind": rules.big_blind or rules.small_bet,
        "money": rules.is_limit_holdem,
    }


def chips_of(text: str) -> Chips:
    """Chips as `str` writes them."""
    value = Fraction(text)
    return int(value) if value.denominator == 1 else value
