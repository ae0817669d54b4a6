"""Hands written as PHH: one for a `.phh` file, or one after another under their headings for a `.phhs` file.

PokerKit can read the text and replays it to the same result if the hand was played by its rules and the winners showed.
What PHH has no field for is written to fields that other readers ignore (`notation.phh.details`), so that reading the
text again gives the same record. `phh_losses` names what is lost nevertheless.
"""

from collections.abc import Iterator
from decimal import Decimal
from typing import TypeVar

from railbird.cards import format_cards
from railbird.engine.actions import ActionKind
from railbird.engine.events import Act, Award, DealBoard, DealHole, Event, Return, Reveal
from railbird.engine.record import HandRecord
from railbird.engine.rules import UNLIMITED_STACK, Antes, Betting, GameRules
from railbird.engine.state import State
from railbird.kernels.rules import betting
from railbird.notation.phh.cutting import MOST_CHARACTERS
from railbird.notation.phh.details import LIVE_POSTS, SURE_RESULTS, circumstance_fields, decimals_of
from railbird.notation.phh.fields import Fields, format_field, format_value
from railbird.notation.phh.game import LIMIT, NO_LIMIT, Stakes, out_of_chips, signed_blinds
from railbird.notation.phh.reader import UNCALLED_INCLUDED, is_unlikely, read_phh
from railbird.notation.reading import LONGEST_LINE, Loss, NotationError

SHOWN_AFTER_FOLDING = Loss("hands shown by players who had folded")
POTS = Loss("shares of main and side pots, of which only the sums are kept")
FRACTIONS = Loss("fractions of chips in winnings")
OTHER = Loss("other parts of the record")

_UNKNOWN = "??"
_LONG_LIST = 4000
"""From this many characters on, each action is written on its own line."""

_E = TypeVar("_E", bound=Event)


class PhhsWriter:
    """Writes the hands of a `.phhs` file, numbered from 1."""

    def __init__(self) -> None:
        self._hands = 0

    def hand(self, record: HandRecord) -> str:
        """The next hand under its heading."""
        text = format_phh(record)
        self._hands += 1
        return f"{'' if self._hands == 1 else chr(10)}[{self._hands}]\n{text}"

    def end(self) -> str:
        """No text follows the hands."""
        return ""


def format_phh(record: HandRecord) -> str:
    """The text of one hand. A hand that PHH cannot represent raises `NotationError`."""
    state = record.state()
    if state.actor is not None:
        raise NotationError(f"hand {record.hand_id} is not over: position {state.actor} is to act")
    setup = record.setup
    stakes = Stakes(
        variant=_variant(record.rules),
        decimals=decimals_of(record.details.chip),
        stacks=setup.stacks,
        antes=setup.antes,
        blinds=signed_blinds(setup),
        bets=(record.rules.bet_sizes[0], record.rules.bet_sizes[-1]),
        trimmed=record.rules.ante_rule is Antes.MATCHED,
    )
    fields = _play_fields(record, state, stakes)
    fields |= circumstance_fields(record, stakes.setup().rules, list(_marks(record, stakes)))
    lines = [format_field(name, value) for name, value in fields.items() if name != "actions"]
    lines.insert(list(fields).index("actions"), _actions_line(fields["actions"]))
    text = "\n".join(lines) + "\n"
    if len(text) > MOST_CHARACTERS or any(len(line) > LONGEST_LINE for line in lines if "\n" not in line):
        raise NotationError(f"hand {record.hand_id} is too long for PHH: the text could not be read back")
    return text


def _marks(record: HandRecord, stakes: Stakes) -> Iterator[str]:
    """The marks a reader needs to interpret the hand correctly."""
    big = max(stakes.blinds)
    if any(-blind > big for blind in stakes.blinds):
        yield LIVE_POSTS
    won = sum(award.amount for award in _only(record, Award))
    if is_unlikely(won, won + record.rake):
        yield SURE_RESULTS


def _variant(rules: GameRules) -> str:
    def require(condition: bool, problem: str) -> None:
        if not condition:
            raise NotationError(f"{rules.name} cannot be written as PHH: {problem}")

    require(rules.board_cards == (0, 3, 1, 1), "the board is not that of Texas hold'em")
    require(rules.hole_cards == 2, "players do not have two hole cards")
    require(rules.suits == 4 and rules.ranks == 13, "the deck does not have 52 cards")
    require(rules.betting is not Betting.POT_LIMIT, "PHH has no code for pot-limit Texas hold'em")
    require(not any(rules.first_seats[1:]), "the first player does not open the later rounds")
    sizes = rules.bet_sizes
    if rules.betting is Betting.LIMIT:
        require(
            sizes[0] == sizes[1] and sizes[2] == sizes[3], "it has bet sizes other than a small and a big bet"
        )
        return LIMIT
    require(len(set(sizes)) == 1, "the minimum bet changes from round to round")
    return NO_LIMIT


def _play_fields(record: HandRecord, state: State, stakes: Stakes) -> Fields:
    def amount(chips: int) -> int | Decimal:
        return out_of_chips(chips, stakes.decimals)

    def given(chips: tuple[int, ...]) -> list[int | Decimal]:
        return [amount(part) for part in (chips[::-1] if len(chips) == 2 else chips)]

    fields: Fields = {
        "variant": stakes.variant,
        "ante_trimming_status": stakes.trimmed,
        "antes": given(stakes.antes),
        "blinds_or_straddles": given(stakes.blinds),
    }
    if stakes.variant == LIMIT:
        fields |= {"small_bet": amount(stakes.bets[0]), "big_bet": amount(stakes.bets[1])}
    else:
        fields["min_bet"] = amount(stakes.bets[0])
    fields["starting_stacks"] = [
        Decimal("inf") if stack == UNLIMITED_STACK else amount(stack) for stack in stakes.stacks
    ]
    fields["actions"] = list(_actions(record, state, stakes.decimals))
    won = _whole_results(record)
    if won is not None:
        name, results = won
        fields[name] = [amount(chips) for chips in results]
    return fields


def _whole_results(record: HandRecord) -> tuple[str, list[int]] | None:
    """The finishing stacks, or the winnings if stacks are unknown; None if they are not whole chips."""
    results: list[int] = []
    if UNLIMITED_STACK not in record.setup.stacks:
        for stack, payoff in zip(record.setup.stacks, record.payoffs, strict=True):
            if not isinstance(payoff, int):
                return None
            results.append(stack + payoff)
        return "finishing_stacks", results
    results = [0] * record.rules.players
    for event in record.events:
        if isinstance(event, Award):
            if not isinstance(event.amount, int):
                return None
            results[event.seat] += event.amount
        elif isinstance(event, Return) and record.details.venue in UNCALLED_INCLUDED:
            results[event.seat] += event.amount
    return "winnings", results


def _actions(record: HandRecord, state: State, decimals: int) -> Iterator[str]:
    for deal in _only(record, DealHole):
        yield f"d dh p{deal.seat + 1} {format_cards(deal.cards) if deal.cards else 2 * _UNKNOWN}"
    boards = {deal.round: format_cards(deal.cards) for deal in _only(record, DealBoard)}
    missing = {number: count * _UNKNOWN for number, count in enumerate(record.rules.board_cards) if count}
    dealt = 0
    for node in state.node.path:
        assert node.reached_by is not None
        while dealt < node.reached_by[0].view[betting.ROUND]:
            dealt += 1
            yield f"d db {boards.get(dealt, missing[dealt])}"
        yield _action(node.act, decimals)
    last = record.rules.rounds - 1 if state.is_showdown else state.round
    runout = [boards.get(number, missing[number]) for number in range(dealt + 1, last + 1)]
    yield from _showdown(record, state, runout)


def _action(act: Act, decimals: int) -> str:
    match act.kind:
        case ActionKind.FOLD:
            return f"p{act.seat + 1} f"
        case ActionKind.CALL:
            return f"p{act.seat + 1} cc"
        case ActionKind.RAISE:
            return f"p{act.seat + 1} cbr {out_of_chips(act.to, decimals)}"


def _showdown(record: HandRecord, state: State, runout: list[str]) -> Iterator[str]:
    """Hands shown or mucked, and the board cards dealt after all betting is over.

    In PHH, hands are shown before such board cards are dealt; hands that stay hidden are listed again after each card.
    """
    live = state.live_seats
    reveals = [reveal for reveal in _only(record, Reveal) if reveal.seat in live]
    winners = {award.seat for award in _only(record, Award)}
    hidden = [reveal.seat for reveal in reveals if reveal.cards is None]
    if runout:
        for reveal in reveals:
            yield f"p{reveal.seat + 1} sm {format_cards(reveal.cards) if reveal.cards else 2 * _UNKNOWN}"
        for place, board in enumerate(runout):
            if place:
                yield from (f"p{seat + 1} sm {2 * _UNKNOWN}" for seat in hidden)
            yield f"d db {board}"
        reveals = [reveal for reveal in reveals if reveal.cards is None]
    for reveal in reveals:
        if reveal.cards:
            yield f"p{reveal.seat + 1} sm {format_cards(reveal.cards)}"
        else:
            yield f"p{reveal.seat + 1} sm" + (f" {2 * _UNKNOWN}" if reveal.seat in winners else "")


def _only(record: HandRecord, kind: type[_E]) -> list[_E]:
    return [event for event in record.events if isinstance(event, kind)]


def _actions_line(actions: list[str]) -> str:
    line = format_field("actions", actions)
    if len(line) <= _LONG_LIST:
        return line
    return "actions = [\n" + "".join(f"  {format_value(action)},\n" for action in actions) + "]"


def phh_losses(record: HandRecord) -> tuple[Loss, ...]:
    """What the text of a hand leaves out. A hand that cannot be written is refused as in `format_phh`."""
    if _is_plain(record):
        return ()
    again = next(read_phh(format_phh(record).split("\n")))
    if not isinstance(again, HandRecord):
        raise NotationError(f"hand {record.hand_id} cannot be written as PHH: {again.reason}")
    if again == record:
        return ()
    losses = []
    if _only(again, Reveal) != _only(record, Reveal):
        losses.append(SHOWN_AFTER_FOLDING)
    if again.payoffs != record.payoffs:
        losses.append(FRACTIONS)
    elif _only(again, Award) != _only(record, Award):
        losses.append(POTS)
    return tuple(losses) or (OTHER,)


def _is_plain(record: HandRecord) -> bool:
    """Whether there is one pot, in whole chips, and only those who did not fold show their hands."""
    folded = {act.seat for act in _only(record, Act) if act.kind is ActionKind.FOLD}
    awards = _only(record, Award)
    return all(award.pot == 0 and isinstance(award.amount, int) for award in awards) and not any(
        reveal.seat in folded for reveal in _only(record, Reveal)
    )
