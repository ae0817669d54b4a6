"""How a hand ended by its source: the record of a hand whose winners were printed, or whose losers never showed.

The rules alone cannot end a hand in which cards stayed unknown, and they know of no rake. So here the betting goes back
to the engine's rules, and the end of the hand to the source:

1. What nobody called goes back, as always.
2. Hands are shown or thrown away as the source says. A hand that it neither shows nor mentions was thrown away.
3. The pots go to those who collected them, for as much as they collected; what is missing is the rake. A source that
   does not print this leaves the pots to the rules: a hand that was thrown away cannot win.

A source that contradicts the cards it shows is refused.
"""

from collections.abc import Collection, Iterator, Mapping, Sequence

import numpy as np

from railbird.cards import Card
from railbird.engine.betting_tree import Reckoning
from railbird.engine.events import Award, Chips, DealBoard, Event, Return, Reveal
from railbird.engine.history import ending, play, reckoning_of
from railbird.engine.record import NO_DETAILS, Details, HandRecord
from railbird.engine.state import UNKNOWN, State, whole_or_fraction
from railbird.hands.evaluator import tables
from railbird.kernels.rules import betting
from railbird.kernels.rules.pots import collect_pots, merge_pots, share_pot
from railbird.kernels.rules.showdown import showdown_values
from railbird.notation.reading import NotationError

Shown = Mapping[int, tuple[Card, ...] | None]
"""Hands in the order in which they were shown, by seat; None where one was thrown away unseen."""

NOTHING_SHOWN: Shown = {}


def record_from_source(
    state: State,
    players: tuple[str, ...],
    hand_id: str = "",
    seats: tuple[int, ...] = (),
    details: Details = NO_DETAILS,
    *,
    won: Sequence[Chips] | None = None,
    shown: Shown = NOTHING_SHOWN,
    face_down: Collection[int] = (),
) -> HandRecord:
    """The record of a hand that is over, ended as its source says.

    `state` has every card that the source tells, whoever held it and whenever it was seen. `won` is what each seat
    took out of the pots, uncalled bets not counted; None where the source does not say. `face_down` are seats that did
    not show their hand and did not throw it away either.
    """
    if state.actor is not None:
        raise NotationError(f"the hand stops while seat {state.actor} is to act")
    _check_shown(state, shown)
    events: list[Event] = []
    for event in play(state):
        if not isinstance(event, DealBoard) or UNKNOWN not in event.cards:
            events.append(event)
        elif set(event.cards) != {UNKNOWN}:
            raise NotationError("some cards of the board are known and others are not")
    reckoning = reckoning_of(state)
    if reckoning.uncalled:
        events.append(Return(reckoning.uncalled_seat, reckoning.uncalled))
    events += _reveals(state, reckoning, shown)
    mucked = frozenset(seat for seat, cards in shown.items() if cards is None and seat not in face_down)
    events += _awards(state, reckoning, won, mucked)
    return HandRecord(hand_id, state.setup, players, tuple(events), seats, details)


def collected(state: State, payoffs: Sequence[Chips]) -> tuple[Chips, ...]:
    """What each seat took out of the pots, for sources that tell what it won or lost in the whole hand."""
    reckoning = reckoning_of(state)
    taken = [payoff + paid for payoff, paid in zip(payoffs, state.paid, strict=True)]
    taken[reckoning.uncalled_seat] -= reckoning.uncalled
    return tuple(taken)


def _check_shown(state: State, shown: Shown) -> None:
    for seat, cards in shown.items():
        if cards is not None and set(cards) != set(state.hole_cards(seat) or ()):
            raise NotationError(f"seat {seat} shows other cards than it was dealt")


def _reveals(state: State, reckoning: Reckoning, shown: Shown) -> Iterator[Reveal]:
    if state.is_showdown and not shown and not _unknown_seats(state):
        yield from (event for event in ending(state) if isinstance(event, Reveal))
        return
    live = reckoning.order if state.is_showdown else ()
    for seat, cards in shown.items():
        if cards is not None or seat in live:
            yield Reveal(seat, cards and state.hole_cards(seat))
    for seat in live:
        if seat not in shown:
            yield Reveal(seat, None)


def _unknown_seats(state: State) -> frozenset[int]:
    """The seats at the showdown whose value nobody can work out."""
    if UNKNOWN in state.board:
        return frozenset(state.live_seats)
    return frozenset(seat for seat in state.live_seats if state.hole_cards(seat) is None)


def _awards(
    state: State, reckoning: Reckoning, won: Sequence[Chips] | None, mucked: frozenset[int]
) -> tuple[Award, ...]:
    """The awards of the rules where the source agrees with them or says nothing, otherwise those of the source."""
    if not state.is_showdown:
        pot = state.pot - reckoning.uncalled
        awards: tuple[Award, ...] = (Award(state.live_seats[0], 0, pot),) if pot else ()
        if won is None or _agrees(awards, won):
            return awards
        return tuple(_awards_of_source(state, reckoning, won, frozenset()))
    unknown = _unknown_seats(state)
    if not unknown:
        awards = tuple(event for event in ending(state) if isinstance(event, Award))
        if _agrees(awards, won) and mucked.isdisjoint(award.seat for award in awards):
            return awards
    gone = unknown | mucked
    if not gone.issuperset(state.live_seats):
        awards = tuple(_awards_without(state, reckoning, gone))
        if _agrees(awards, won):
            return awards
    if won is None:
        raise NotationError(
            "nobody is known to have shown a hand at the showdown, and the source does not say who won"
        )
    return tuple(_awards_of_source(state, reckoning, won, gone))


def _agrees(awards: Sequence[Award], won: Sequence[Chips] | None) -> bool:
    return won is None or _totals(awards, len(won)) == list(won)


def _totals(awards: Sequence[Award], players: int) -> list[Chips]:
    totals: list[Chips] = [0] * players
    for award in awards:
        totals[award.seat] += award.amount
    return totals


def _awards_without(state: State, reckoning: Reckoning, gone: frozenset[int]) -> Iterator[Award]:
    """What the rules give when some hands at the showdown were thrown away."""
    rules_vector = state.setup.rules_vector
    vector = _without(reckoning, gone)
    amounts = np.zeros(betting.MOST_SEATS, dtype=np.int64)
    claims = np.zeros(betting.MOST_SEATS, dtype=np.int64)
    pots = collect_pots(rules_vector, vector, amounts, claims)
    values = np.zeros(betting.MOST_SEATS, dtype=np.int64)
    showdown_values(rules_vector, vector, state.deck, tables(), values)
    if rules_vector[betting.MERGED_POTS]:
        pots = merge_pots(rules_vector, values, amounts, claims, pots)
    for pot in range(pots):
        parts_of = np.zeros(betting.MOST_SEATS, dtype=np.int64)
        share_pot(rules_vector, values, amounts[pot], claims[pot], parts_of)
        for seat, parts in enumerate(parts_of.tolist()):
            if parts:
                yield Award(seat, pot, whole_or_fraction(parts))


def _without(reckoning: Reckoning, gone: frozenset[int]) -> betting.Vector:
    """The state as if some seats had folded at the end."""
    vector = reckoning.vector.copy()
    for seat in gone:
        vector[betting.FOLDED] |= 1 << seat
    return vector


def _awards_of_source(
    state: State, reckoning: Reckoning, won: Sequence[Chips], unknown: frozenset[int]
) -> Iterator[Award]:
    """Divide what each seat collected among the pots that it may have won.

    From the last side pot to the main pot, those come first who can win no pot further down; among equals a pot is
    shared as evenly as what they collected allows. If any division fits, this one does: the pots that a seat may win
    lie next to each other.
    """
    pots = _pots_to_win(state, reckoning, unknown)
    last_chance = {seat: pot for pot in reversed(range(len(pots))) for seat in pots[pot][1]}
    left = dict(enumerate(won))
    if min(won) < 0:
        raise NotationError(f"seat {min(left, key=lambda seat: left[seat])} collected less than nothing")
    awards: list[Award] = []
    for pot in reversed(range(len(pots))):
        amount, seats = pots[pot]
        for deadline in sorted({last_chance[seat] for seat in seats}, reverse=True):
            takers = [seat for seat in seats if last_chance[seat] == deadline]
            for seat, chips in _share(amount, takers, left).items():
                amount -= chips
                left[seat] -= chips
                awards.append(Award(seat, pot, chips))
    for seat, chips in left.items():
        if chips:
            raise NotationError(
                f"seat {seat} collected {won[seat]} in the source, {chips} more than it can have won"
            )
    yield from sorted(awards, key=lambda award: (award.pot, award.seat))


def _pots_to_win(
    state: State, reckoning: Reckoning, unknown: frozenset[int]
) -> list[tuple[Chips, tuple[int, ...]]]:
    """The chips of every pot and the seats that can have won it: the best of the hands known, and all others."""
    seats = range(state.rules.players)
    values = np.zeros(betting.MOST_SEATS, dtype=np.int64)
    if state.is_showdown and len(unknown) < len(state.live_seats):
        showdown_values(state.setup.rules_vector, _without(reckoning, unknown), state.deck, tables(), values)
    value_of = values.tolist()
    pots: list[tuple[Chips, tuple[int, ...]]] = []
    for pot in range(reckoning.pots):
        claim = int(reckoning.claims[pot])
        claimants = [seat for seat in seats if claim >> seat & 1]
        best = max((value_of[seat] for seat in claimants if seat not in unknown), default=0)
        winners = tuple(seat for seat in claimants if seat in unknown or value_of[seat] == best)
        pots.append((int(reckoning.amounts[pot]), winners))
    return pots


def _share(amount: Chips, takers: Sequence[int], left: Mapping[int, Chips]) -> dict[int, Chips]:
    """A pot shared as evenly as possible, nobody taking more than is left to take."""
    shares: dict[int, Chips] = {}
    hungry = sorted((seat for seat in takers if left[seat]), key=lambda seat: left[seat])
    for place, seat in enumerate(hungry):
        even = -(-amount // (len(hungry) - place))
        shares[seat] = min(left[seat], even, amount)
        amount -= shares[seat]
    return {seat: chips for seat, chips in shares.items() if chips}
