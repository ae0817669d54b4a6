"""The events of a hand, made from its state: every post, deal, action, reveal and award in their order."""

from collections.abc import Iterator

import numpy as np

from railbird.cards import format_cards
from railbird.engine.actions import ActionKind
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
from railbird.engine.rules import Mucking
from railbird.engine.state import State, act_event, whole_or_fraction
from railbird.hands.evaluator import tables
from railbird.kernels import betting
from railbird.kernels.pots import collect_pots, merge_pots, share_pot
from railbird.kernels.showdown import showdown_values


def events_of(state: State) -> tuple[Event, ...]:
    """Everything that happened in a hand so far, hidden cards included."""
    return tuple(_events(state))


def _events(state: State) -> Iterator[Event]:
    rules = state.rules
    seats = range(rules.players)
    opening = state.setup.opening
    for seat in seats:
        if ante := int(opening[betting.ANTES + seat]):
            yield Post(seat, PostKind.ANTE, ante)
    for seat in seats:
        paid = int(opening[betting.PAID + seat] - opening[betting.ANTES + seat])
        if paid:
            yield Post(seat, PostKind.BLIND, paid)
    for seat in seats:
        yield DealHole(seat, state.hole_cards(seat))

    board = state.board
    shown = 0
    node = state.setup.tree.root
    actions = iter(state.actions)
    for number in range(rules.rounds):
        cards = board[shown : shown + rules.board_cards[number]]
        shown += len(cards)
        if cards:
            yield DealBoard(number, cards)
        while node.actor is not None and node.view[betting.ROUND] == number:
            action = next(actions, None)
            if action is None:
                return
            yield act_event(node, action)
            node = node.following.get(action) or state.setup.tree.after(node, action)
        if node.actor is None and not state.is_showdown:
            break
    yield from ending(state)


def ending(state: State) -> Iterator[Event]:
    """How a hand that is over ends: the uncalled bet goes back, hands are shown in order, pots are awarded."""
    vector = state.node.vector.copy()
    uncalled_seat, uncalled = _uncalled(state)
    if uncalled:
        yield Return(uncalled_seat, uncalled)
        vector[betting.PAID + uncalled_seat] -= uncalled
        vector[betting.POT] -= uncalled

    values = np.zeros(betting.MOST_SEATS, dtype=np.int64)
    rules_vector = state.setup.rules_vector
    if state.is_showdown:
        state.require_known_cards()
        showdown_values(rules_vector, vector, np.array(state.cards, dtype=np.int64), tables(), values)
    amounts = np.zeros(betting.MOST_SEATS, dtype=np.int64)
    claims = np.zeros(betting.MOST_SEATS, dtype=np.int64)
    count = collect_pots(rules_vector, vector, amounts, claims)
    if state.is_showdown:
        yield from _reveals(state, values.tolist(), claims[:count].tolist())
        if rules_vector[betting.MERGED_POTS]:
            count = merge_pots(rules_vector, values, amounts, claims, count)
    for pot in range(count):
        awards = np.zeros(betting.MOST_SEATS, dtype=np.int64)
        share_pot(rules_vector, values, amounts[pot], claims[pot], awards)
        for seat in range(state.rules.players):
            if awards[seat]:
                yield Award(seat, pot, whole_or_fraction(int(awards[seat])))


def _uncalled(state: State) -> tuple[int, int]:
    """Who paid more than anyone else could match, and how much more."""
    paid = list(state.paid)
    if state.setup.rules_vector[betting.DEAD_ANTES]:
        paid = [
            chips - ante
            for chips, ante in zip(paid, state.setup.opening[betting.ANTES :].tolist(), strict=False)
        ]
    second, most = sorted(paid)[-2:]
    payer = paid.index(most)
    # Antes of different sizes can leave a seat that folded with the most: what it paid stays in the pot.
    return payer, 0 if state.folded[payer] else most - second


def _reveals(state: State, values: list[int], claims: list[int]) -> Iterator[Reveal]:
    """The last to bet or raise shows first, otherwise the first to act; then around the table.

    Where losers may muck, a hand that is beaten by a shown one in every pot it could win is thrown away. When somebody is
    all-in every hand is shown.
    """
    rules = state.rules
    first = state.aggressor
    if first is None:
        first = state.setup.first if state.round == 0 else rules.first_seats[state.round]
    order = sorted(state.live_seats, key=lambda seat: (seat - first) % rules.players)
    all_in = any(state.stacks[seat] == 0 for seat in order)
    shown: list[int] = []
    for seat in order:
        beaten = all(
            any(claim >> other & 1 and values[other] > values[seat] for other in shown)
            for claim in claims
            if claim >> seat & 1
        )
        if rules.mucking is Mucking.LOSERS_MUCK and beaten and not all_in:
            yield Reveal(seat, None)
        else:
            shown.append(seat)
            yield Reveal(seat, state.hole_cards(seat))


def payoffs_of(events: tuple[Event, ...], players: int) -> tuple[Chips, ...]:
    """What every seat won or lost, added up from the events alone."""
    chips: list[Chips] = [0] * players
    for event in events:
        match event:
            case Post(seat=seat, amount=amount):
                chips[seat] -= amount
            case Act(seat=seat, paid=paid):
                chips[seat] -= paid
            case Return(seat=seat, amount=amount) | Award(seat=seat, amount=amount):
                chips[seat] += amount
            case _:
                pass
    return tuple(chips)


def describe(event: Event, players: tuple[str, ...] | None = None) -> str:
    """An event as a sentence a player would say."""

    def who(seat: int) -> str:
        return players[seat] if players else f"seat {seat}"

    match event:
        case Post(seat, kind, amount):
            return f"{who(seat)} posts {'an ante' if kind is PostKind.ANTE else 'a blind'} of {amount}"
        case DealHole(seat, cards):
            return f"{who(seat)} is dealt {format_cards(cards, ' ') if cards else 'hidden cards'}"
        case DealBoard(_, cards):
            return f"board {format_cards(cards, ' ')}"
        case Act(seat, ActionKind.FOLD):
            return f"{who(seat)} folds"
        case Act(seat, ActionKind.CALL, paid):
            return f"{who(seat)} calls {paid}" if paid else f"{who(seat)} checks"
        case Act(seat, ActionKind.RAISE, _, to):
            return f"{who(seat)} raises to {to}"
        case Return(seat, amount):
            return f"{amount} go back to {who(seat)} uncalled"
        case Reveal(seat, cards):
            return f"{who(seat)} shows {format_cards(cards, ' ')}" if cards else f"{who(seat)} mucks"
        case Award(seat, pot, amount):
            return f"{who(seat)} wins {amount} from {'the pot' if pot == 0 else f'side pot {pot}'}"
    raise AssertionError(event)
