"""Hands that end as their source says: those with printed winners, with rake, or with cards that were never shown.

The rules alone cannot determine the end of a hand with unknown cards, and they do not include rake. The betting
therefore follows the engine's rules, and the end of the hand follows the source:

1. Uncalled bets are returned, as always.
2. Hands are shown or mucked as the source says. A hand that it neither shows nor mentions was mucked.
3. The pots go to the players who collected them, in the amounts they collected; the difference is the rake. If the
   source does not print this, the rules award the pots: a mucked hand cannot win. If it does not say either that an
   unseen hand was mucked, that hand is taken as beaten, and the note `_uncertain_winner` marks the record.

A source that contradicts the cards it shows is refused.
"""

from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import replace

import numpy as np

from railbird.cards import Card
from railbird.engine.betting_tree import Reckoning
from railbird.engine.events import Award, Chips, DealBoard, Event, Return, Reveal
from railbird.engine.history import ending, play, reckoning_of
from railbird.engine.record import NO_DETAILS, UNCERTAIN_WINNER, Details, HandRecord
from railbird.engine.state import UNKNOWN, State, whole_or_fraction
from railbird.hands.evaluator import tables
from railbird.kernels.rules import betting
from railbird.kernels.rules.pots import collect_pots, merge_pots, share_pot
from railbird.kernels.rules.showdown import showdown_values
from railbird.notation.reading import NotationError

Shown = Mapping[int, tuple[Card, ...] | None]
"""Hands in the order in which they were shown, by seat; None for a mucked hand."""

NOTHING_SHOWN: Shown = {}
_NOBODY: frozenset[int] = frozenset()


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

    `state` has every card that the source shows at any point. `won` is what each seat took out of the pots, without
    uncalled bets; None if the source does not say. `face_down` are seats that neither showed nor mucked their hand.
    """
    if state.actor is not None:
        raise NotationError(f"the hand stops while seat {state.actor} is to act")
    _check_shown(state, shown)
    events = play(state)
    if UNKNOWN in state.board:
        events = _without_unknown_boards(events)
    reckoning = reckoning_of(state)
    if reckoning.uncalled:
        events.append(Return(reckoning.uncalled_seat, reckoning.uncalled))
    if state.is_showdown:
        unknown = _unknown_seats(state)
        mucked = frozenset([seat for seat, cards in shown.items() if cards is None and seat not in face_down])
        events += _showdown(state, reckoning, won, shown, mucked, unknown)
        if won is None and unknown - mucked:
            details = _marked(details)
    else:
        events += _reveals(state, reckoning, shown)
        events += _uncontested_awards(state, reckoning, won)
    return HandRecord(hand_id, state.setup, players, tuple(events), seats, details)


def _without_unknown_boards(events: list[Event]) -> list[Event]:
    known: list[Event] = []
    for event in events:
        if not isinstance(event, DealBoard) or UNKNOWN not in event.cards:
            known.append(event)
        elif set(event.cards) != {UNKNOWN}:
            raise NotationError("some cards of the board are known and others are not")
    return known


def _marked(details: Details) -> Details:
    """The details with the note that the winner is uncertain."""
    if UNCERTAIN_WINNER in dict(details.notes):
        return details
    return replace(details, notes=(*details.notes, (UNCERTAIN_WINNER, "true")))


def collected(state: State, payoffs: Sequence[Chips]) -> tuple[Chips, ...]:
    """What each seat took out of the pots, for sources that give its net result of the hand."""
    reckoning = reckoning_of(state)
    taken = [payoff + paid for payoff, paid in zip(payoffs, state.paid, strict=True)]
    taken[reckoning.uncalled_seat] -= reckoning.uncalled
    return tuple(taken)


def _check_shown(state: State, shown: Shown) -> None:
    for seat, cards in shown.items():
        if cards is not None and set(cards) != set(state.hole_cards(seat) or ()):
            raise NotationError(f"seat {seat} shows cards that it was not dealt")


def _showdown(
    state: State,
    reckoning: Reckoning,
    won: Sequence[Chips] | None,
    shown: Shown,
    mucked: frozenset[int],
    unknown: frozenset[int],
) -> list[Event]:
    """The reveals and awards, which follow from the rules as far as the source is silent and the cards are known."""
    by_rules = () if unknown else ending(state)
    events: list[Event] = [event for event in by_rules if isinstance(event, Reveal)]
    if shown or unknown:
        events = list(_reveals(state, reckoning, shown))
    awards = [event for event in by_rules if isinstance(event, Award)]
    events += _awards(state, reckoning, won, mucked, unknown, awards)
    return events


def _reveals(state: State, reckoning: Reckoning, shown: Shown) -> Iterator[Reveal]:
    """As the source says; whoever is not mentioned at the showdown mucked."""
    for seat, cards in shown.items():
        if cards is not None or seat in reckoning.order:
            yield Reveal(seat, cards and state.hole_cards(seat))
    for seat in reckoning.order:
        if seat not in shown:
            yield Reveal(seat, None)


def _unknown_seats(state: State) -> frozenset[int]:
    """The seats at the showdown whose hand value is unknown."""
    if UNKNOWN in state.board:
        return frozenset(state.live_seats)
    return frozenset(seat for seat in state.live_seats if state.hole_cards(seat) is None)


def _uncontested_awards(state: State, reckoning: Reckoning, won: Sequence[Chips] | None) -> Iterable[Award]:
    """The award of a hand that everybody else folded: the pot, or what the source says."""
    pot = state.pot - reckoning.uncalled
    seat = state.live_seats[0]
    if won is None:
        return (Award(seat, 0, pot),) if pot else ()
    if sum(won) == won[seat] <= pot:
        return (Award(seat, 0, won[seat]),) if won[seat] else ()
    return _awards_of_source(state, reckoning, won, _NOBODY)


def _awards(
    state: State,
    reckoning: Reckoning,
    won: Sequence[Chips] | None,
    mucked: frozenset[int],
    unknown: frozenset[int],
    by_rules: Sequence[Award],
) -> Iterable[Award]:
    """The awards of the rules if the source agrees or is silent, otherwise those of the source."""
    if not unknown and _agrees(by_rules, won) and mucked.isdisjoint([award.seat for award in by_rules]):
        return by_rules
    gone = unknown | mucked
    if not gone.issuperset(state.live_seats):
        awards = tuple(_awards_without(state, reckoning, gone))
        if _agrees(awards, won):
            return awards
    if won is None:
        raise NotationError("no hand is shown at the showdown, and the source does not say who won")
    return _awards_of_source(state, reckoning, won, gone)


def _agrees(awards: Sequence[Award], won: Sequence[Chips] | None) -> bool:
    return won is None or _totals(awards, len(won)) == list(won)


def _totals(awards: Sequence[Award], players: int) -> list[Chips]:
    totals: list[Chips] = [0] * players
    for award in awards:
        totals[award.seat] += award.amount
    return totals


def _awards_without(state: State, reckoning: Reckoning, gone: frozenset[int]) -> Iterator[Award]:
    """The awards of the rules when some hands at the showdown were mucked."""
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

    Pots are divided from the last side pot to the main pot. Seats that can win no remaining pot come first; among
    the others a pot is shared as evenly as their collected amounts allow. The pots that a seat may win are
    contiguous, so this finds a division whenever there is one.
    """
    pots = _pots_to_win(state, reckoning, unknown)
    last_chance = {seat: pot for pot in reversed(range(len(pots))) for seat in pots[pot][1]}
    left = dict(enumerate(won))
    if min(won) < 0:
        raise NotationError(f"seat {min(left, key=lambda seat: left[seat])} collected a negative amount")
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
    """The chips of every pot and the seats that may have won it: the best known hands and all unknown ones."""
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
    """A pot shared as evenly as possible; no seat takes more than it has left to collect."""
    shares: dict[int, Chips] = {}
    hungry = sorted((seat for seat in takers if left[seat]), key=lambda seat: left[seat])
    for place, seat in enumerate(hungry):
        even = -(-amount // (len(hungry) - place))
        shares[seat] = min(left[seat], even, amount)
        amount -= shares[seat]
    return {seat: chips for seat, chips in shares.items() if chips}
