"""A hand from a file in the terminal, step by step: chips, board and actions."""

from collections.abc import Callable, Iterator
from dataclasses import dataclass, replace
from itertools import chain, pairwise
from typing import TypeVar

from rich.console import Console
from rich.markup import escape
from rich.table import Table as Grid

from railbird.cards import Card
from railbird.engine.actions import Action, ActionKind
from railbird.engine.events import (
    Act,
    Award,
    Chips,
    DealBoard,
    DealHole,
    Event,
    Post,
    PostKind,
    Return,
    Reveal,
)
from railbird.engine.history import narrate
from railbird.engine.record import HandRecord
from railbird.engine.rules import GameRules
from railbird.engine.state import Pot, State
from railbird.engine.wording import format_chips
from railbird.hands.categories import describe as describe_hand
from railbird.interfaces.terminal import FULL_HAND, Left, ask_on, styled
from railbird.notation.files import Found
from railbird.notation.reading import BadHand

KEYS = "Enter: next, b: back, number: go to step, q: quit"
DEALT = "hole cards are dealt"
_Value = TypeVar("_Value")


class ReplayError(ValueError):
    """A hand that cannot be shown, or a player who did not play it."""


def find_hand(found: Iterator[Found], wanted: str, source: str) -> tuple[HandRecord, Iterator[HandRecord]]:
    """The hand with a number in its source, counted from 1, or with an id; and the hands after it."""
    by_number = wanted.isascii() and wanted.isdigit()
    hand_id = wanted.removeprefix("id:")
    count = 0
    for count, hand in enumerate(found, start=1):
        reading = hand.reading
        if by_number:
            if count != int(wanted):
                continue
            if isinstance(reading, BadHand):
                raise ReplayError(f"{source}, line {hand.line}: {reading.reason}")
        elif isinstance(reading, BadHand) or reading.hand_id != hand_id:
            continue
        following = (hand.reading for hand in found)
        return reading, (record for record in following if isinstance(record, HandRecord))
    what = f"hand {wanted}" if by_number else f"hand with the id {hand_id!r}"
    raise ReplayError(f"{source}: there is no {what}: the file has {count:,} hand{'' if count == 1 else 's'}")


@dataclass(frozen=True, slots=True)
class Frame:
    """The table after a step."""

    sentence: str
    round: int
    board: tuple[Card, ...]
    stacks: tuple[Chips, ...]
    bets: tuple[int, ...]
    pot: Chips
    pots: tuple[Pot, ...]
    """The main pot and the side pots after the last round."""
    folded: tuple[bool, ...]
    cards: tuple[tuple[Card, ...] | None, ...]
    """The visible hole cards of every player."""


def frames_of(record: HandRecord, player: str | None = None) -> list[Frame]:
    """The table at the start and after every event, with all hole cards dealt in one step.

    With a player's name, only the cards that this player saw are visible.
    """
    seat = _seat_of(record, player)
    state = State(record.setup, record.cards)
    nobody = (False,) * len(record.players)
    unseen = (None,) * len(record.players)
    frame = Frame("the hand begins", 0, (), record.setup.stacks, (0,) * len(nobody), 0, (), nobody, unseen)
    frames = [frame]
    for event, sentence in narrate(record.events, record.setup, record.players):
        frame = _after(replace(frame, sentence=sentence), event, state, seat)
        if isinstance(event, DealHole) and frames[-1].sentence == frame.sentence:
            frames[-1] = frame
        else:
            frames.append(frame)
    return frames


def _seat_of(record: HandRecord, player: str | None) -> int | None:
    if player is None:
        return None
    if player not in record.players:
        raise ReplayError(f"{player!r} does not play this hand: the players are {', '.join(record.players)}")
    return record.players.index(player)


def _after(frame: Frame, event: Event, state: State, seat: int | None) -> Frame:
    match event:
        case DealHole(dealt, cards):
            seen = cards if seat is None or dealt == seat else None
            return replace(frame, sentence=DEALT, cards=_put(frame.cards, dealt, seen))
        case DealBoard(number, cards):
            no_bets = (0,) * len(frame.bets)
            return replace(frame, board=frame.board + cards, round=number, bets=no_bets, pots=state.pots)
        case Post(payer, kind, amount):
            bet = amount if kind is PostKind.BLIND else 0
            return replace(_paid(frame, payer, amount), bets=_put(frame.bets, payer, bet))
        case Act(payer, action, paid, to):
            state.act(Action(action, to if action is ActionKind.RAISE else 0))
            bets = _put(frame.bets, payer, to)
            return replace(_paid(frame, payer, paid), bets=bets, folded=state.folded, pots=())
        case Return(taker, amount) | Award(taker, _, amount):
            return replace(_paid(frame, taker, -amount), bets=(0,) * len(frame.bets), pots=())
        case Reveal(shower, cards):
            if cards is None:
                return frame
            if len(cards) + len(frame.board) >= FULL_HAND:
                makes = describe_hand((*cards, *frame.board))
                frame = replace(frame, sentence=f"{frame.sentence} ({makes})")
            return replace(frame, cards=_put(frame.cards, shower, cards))
    raise AssertionError(event)


def _paid(frame: Frame, seat: int, amount: Chips) -> Frame:
    stacks = _put(frame.stacks, seat, frame.stacks[seat] - amount)
    return replace(frame, stacks=stacks, pot=frame.pot + amount)


def _put(values: tuple[_Value, ...], place: int, value: _Value) -> tuple[_Value, ...]:
    return (*values[:place], value, *values[place + 1 :])


def title_of(record: HandRecord) -> str:
    """The id, game, place and time of a hand, as far as they are known."""
    details = record.details
    table = f"table {details.table}" if details.table else ""
    worth = ""
    if details.chip != 1 or details.currency:
        worth = f"a chip is {details.chip} {details.currency}".rstrip()
    parts = (
        f"hand id {record.hand_id}" if record.hand_id else "hand",
        record.rules.name,
        details.venue,
        table,
        details.time,
        worth,
    )
    return ", ".join(part for part in parts if part)


def seats_view(record: HandRecord, frame: Frame) -> Grid:
    """Cards, chips and bets of all players, the button, and who has folded."""
    grid = Grid(box=None, padding=(0, 2, 0, 2))
    for heading in ("", "player", "cards", "chips", "bet" if any(frame.bets) else ""):
        grid.add_column(heading, justify="right" if heading in ("chips", "bet") else "left")
    for seat, player in enumerate(record.players):
        cards = frame.cards[seat]
        grid.add_row(
            "●" if seat == len(record.players) - 1 else " ",
            escape(player) + (" (folded)" if frame.folded[seat] else ""),
            "" if cards is None else styled(cards),
            format_chips(frame.stacks[seat]),
            f"{frame.bets[seat]:,}" if frame.bets[seat] else "",
            style="dim" if frame.folded[seat] else None,
        )
    return grid


def pot_view(frame: Frame, rules: GameRules) -> str:
    """The round, the pots and the board in a line."""
    text = f"{rules.round_name(frame.round)}, pot {format_chips(frame.pot)}"
    if len(frame.pots) > 1:
        parts = (f"{pot.amount:,}{' uncalled' if len(pot.seats) == 1 else ''}" for pot in frame.pots)
        text += f" ({' + '.join(parts)})"
    return f"{text}  {styled(frame.board)}".rstrip()


def show_hand(record: HandRecord, console: Console, player: str | None = None) -> None:
    """Print the whole hand: the table, all events, and the results."""
    frames = frames_of(record, player)
    console.print(title_of(record), style="bold", markup=False)
    dealt = next((frame for frame in frames if frame.sentence == DEALT), frames[0])
    console.print(seats_view(record, replace(dealt, stacks=record.setup.stacks, bets=(0,) * len(dealt.bets))))
    for before, frame in pairwise(frames):
        if frame.board != before.board:
            console.print(pot_view(frame, record.rules), style="bold")
        elif frame.sentence != DEALT:
            console.print(f"  {escape(frame.sentence)}")
    _show_result(record, console)


def _show_result(record: HandRecord, console: Console) -> None:
    result = Grid(box=None, padding=(0, 2, 0, 2), show_header=False)
    result.add_column()
    result.add_column(justify="right")
    for player, payoff in zip(record.players, record.payoffs, strict=True):
        result.add_row(escape(player), f"{'+' if payoff > 0 else ''}{format_chips(payoff).replace('-', '−')}")
    if record.rake:
        result.add_row("the house", f"+{format_chips(record.rake)}")
    console.print("result", style="bold")
    console.print(result)


def step_through(
    record: HandRecord,
    following: Iterator[HandRecord],
    console: Console,
    *,
    player: str | None = None,
    ask: Callable[[str], str] | None = None,
) -> None:
    """Show a hand step by step, controlled by keys, then the hands after it."""
    ask = ask or ask_on(console)
    try:
        for hand in chain([record], following):
            _step_through_one(hand, console, player, ask)
    except Left:
        return
    console.print("That was the last hand.")


def _step_through_one(
    record: HandRecord, console: Console, player: str | None, ask: Callable[[str], str]
) -> None:
    frames = frames_of(record, player)
    last = len(frames) - 1
    place = 0
    while place <= last:
        frame = frames[place]
        console.clear()
        console.print(title_of(record), style="bold", markup=False)
        console.print(seats_view(record, frame))
        console.print(f"  {pot_view(frame, record.rules)}")
        console.print(f"  {place} of {last}: {escape(frame.sentence)}", style="bold")
        if place == last:
            _show_result(record, console)
        place = _next_place(place, last, console, ask)


def _next_place(place: int, last: int, console: Console, ask: Callable[[str], str]) -> int:
    """The step that the next key leads to; one beyond the last step is the next hand."""
    while True:
        answer = ask(f"{KEYS} > ").strip().lower()
        match answer:
            case "" | "n":
                return place + 1
            case "b":
                return max(0, place - 1)
            case "q":
                raise Left
        if answer.isascii() and answer.isdigit():
            return min(int(answer), last)
        console.print(f"  {escape(repr(answer))} is not a key", style="yellow")
