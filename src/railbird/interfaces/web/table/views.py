"""What one viewer may see of a table. This is the only path from a hand to the network.

A view is built from *seen events*: `seen` lists, kind by kind, what may be disclosed. Posts, actions, open boards,
returned bets, shown hands and awards are public; hole cards are visible to their owner, to all viewers once a hand is
shown, and to viewers who may see all cards (training with open cards, tables of agents only, a hand that is over). The
rest of a view comes from the betting, which does not depend on cards. The end of a hand is told in stages (`ending`),
and no view contains what belongs to a later one.
"""

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from fractions import Fraction
from typing import Any

import msgspec

from railbird.cards import Card, format_card
from railbird.engine.events import Act, Award, Chips, DealBoard, DealHole, Event, Post, Return, Reveal
from railbird.engine.history import events_of, narrate, told
from railbird.engine.positions import position_names
from railbird.engine.rules import GameRules
from railbird.engine.state import State
from railbird.hands.categories import describe as describe_cards
from railbird.hands.evaluator import best_five
from railbird.interfaces.web.table.dealt_hand import DealtHand
from railbird.interfaces.web.table.ending import Stage, in_order, stage_of

FULL_HAND = 5
FOLDED, FOLDED_STATE = "folds", "folded"


@dataclass(frozen=True, slots=True)
class TableViewer:
    """A viewer: a player in a chair or a spectator, who may or may not see all cards."""

    chair: int | None
    sees_all: bool = False


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
    stack: int | str
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


def seen(state: State, position: int | None, sees_all: bool) -> Iterator[Event]:
    """The events of a hand as a viewer may see them."""
    for event in in_order(state, events_of(state)):
        match event:
            case Post() | DealBoard() | Act() | Return() | Reveal() | Award():
                yield event
            case DealHole(seat, cards):
                yield DealHole(seat, cards if sees_all or seat == position else None)


def hand_view(
    hand: DealtHand,
    viewer: TableViewer,
    names: Sequence[str],
    agents: Sequence[str],
    told: int | None = None,
) -> HandView:
    """A hand at this moment; names and agents are in the order of the chairs, `told` is the stage of its ending."""
    position = None if viewer.chair is None else hand.position(viewer.chair)
    events = seen(hand.state, position, viewer.sees_all)
    return _drawn(hand, hand.state, events, viewer, names, agents, told=told)


def empty_view(
    person: int | None, names: Sequence[str], agents: Sequence[str], stacks: Sequence[Chips]
) -> HandView:
    """A table before its first hand."""
    chairs = [
        Chair(chair, name, agent, chair == person, chips_to_json(stack), 0, [], "out", "", None, "", "", [])
        for chair, (name, agent, stack) in enumerate(zip(names, agents, stacks, strict=True))
    ]
    return HandView(0, 0, "", [], 0, [], len(chairs) - 1, None, chairs, None, [])


def replay_views(
    hand: DealtHand, viewer: TableViewer, names: Sequence[str], agents: Sequence[str]
) -> list[HandView]:
    """A finished hand as one view per step, with all cards open."""
    everything = TableViewer(viewer.chair, sees_all=True)
    views = []
    actions = hand.state.actions
    state = State(hand.state.setup, hand.state.cards)
    for action in (*actions, None):
        views.append(_drawn(hand, state, seen(state, None, True), everything, names, agents, offers=False))
        if action is not None:
            state.act(action)
    return views


def _drawn(
    hand: DealtHand,
    state: State,
    events: Iterable[Event],
    viewer: TableViewer,
    names: Sequence[str],
    agents: Sequence[str],
    *,
    offers: bool = True,
    told: int | None = None,
) -> HandView:
    position = None if viewer.chair is None else hand.position(viewer.chair)
    actor = state.actor
    stage = stage_of(state, told)
    digest = _digest(hand, filter(stage.tells, events))
    chairs = [
        Chair(chair, name, agent, chair == viewer.chair, 0, 0, [], "out", "", None, "", "", [])
        for chair, (name, agent) in enumerate(zip(names, agents, strict=True))
    ]
    positions = position_names(state.setup.blinds, dead_button=hand.button not in hand.chairs)
    for place, chair in enumerate(hand.chairs):
        chairs[chair] = _chair(state, stage, place, digest, chairs[chair], positions[place])
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
        actions=_offer(state) if offers and actor is not None and actor == position else None,
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
    for event, text, opens in narrate(events, hand.players):
        seat: int | None = None
        number: int | None = None
        cards: Sequence[Card] = ()
        match event:
            case Act(seat):
                number = step
                step += 1
                found.last[seat] = told(event, opens)
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
    """The unit of results: a small bet, or a big blind."""
    return {"name": rules.unit.removesuffix("/h"), "chips": rules.unit_chips}


def chips_of(text: str) -> Chips:
    """Chips as `str` writes them."""
    value = Fraction(text)
    return int(value) if value.denominator == 1 else value
