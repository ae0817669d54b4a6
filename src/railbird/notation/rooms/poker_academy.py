"""Hand histories of Poker Academy Pro, the program in which CASPER and BayCaRP played: limit and no-limit hold'em.

    Poker Academy Pro #574,645
    Limit Texas Holdem ($10/$20)
    Table Bot Warz
    November 01, 2010 - 22:05:20 (CET)

     1} Vano    (sitting out)
     2) Mvb1    $19,995  As 8h
     3) Mvb2 *  $20,005  Tc 2d

    Mvb2 posts small blind $5
    …
    Mvb1 wins $100 with Two Pair, Aces and Eights

    ******************************

The star marks the button. Stakes are the two bets of a limit game and the two blinds of a no-limit game. A raise prints
the amount by which it exceeds the previous bet. Winnings do not include uncalled bets, and there is no rake. Cards may
be printed for all players, for some or for none.
"""

import re
from collections.abc import Iterable, Iterator, Sequence
from fractions import Fraction

from railbird.engine.events import Award, Chips, Event, Reveal
from railbird.engine.history import events_of, reckoning_of
from railbird.engine.record import Details, HandRecord
from railbird.engine.rules import Betting
from railbird.engine.setup import Setup
from railbird.notation.reading import NotationError, Reading
from railbird.notation.rooms.hands import HandText, TextLayout, all_cards, from_button, read_room
from railbird.notation.rooms.play import cash_game, check_posts, check_winners, raise_caps, replay
from railbird.notation.rooms.poker_academy_text import AcademyHand
from railbird.notation.showdowns import record_from_source

VENUE = "Poker Academy Pro"
_CHIP, _CENT = Fraction(1), Fraction(1, 100)
_LAYOUT = TextLayout(
    begins=re.compile(r"Poker Academy Pro #", re.ASCII),
    divides=re.compile(r"\*{10,99}$", re.ASCII),
    marks="P*",
    beginning="'Poker Academy Pro #'",
)


def read_poker_academy(lines: Iterable[str]) -> Iterator[Reading]:
    """The hands of a Poker Academy Pro history, one after another."""
    return read_room(lines, _LAYOUT, _read_hand)


def _read_hand(text: HandText) -> HandRecord:
    told = AcademyHand(text)
    if told.button is None:
        raise NotationError("no seat has the button")
    if told.big_blind is None:
        raise NotationError("nobody posts the big blind")
    seat_of = {told.seats[player]: player for player in told.stacks}
    seats = from_button(seat_of, told.button)
    players = tuple([seat_of[seat] for seat in seats])
    cards = all_cards(players, told.holes.cards, told.board.cards)
    state = replay(_setup(told, players), cards, players, told.steps)
    won = [told.won.get(player, 0) for player in players]
    pot = state.pot - reckoning_of(state).uncalled
    if sum(won) != pot:
        raise NotationError(f"the players win {sum(won)} chips together, but the pot has {pot}")
    hand_id = f"PokerAcademy-{told.number}"
    known = not state.is_showdown or all(players[seat] in told.holes.cards for seat in state.live_seats)
    if known:
        events = events_of(state)
        if _awarded(events, players) == won and _shown(events, players) == told.shown:
            return HandRecord(hand_id, state.setup, players, events, tuple(seats), _details(told))
        check_winners(state, players, won, rake=0)
    shown = {
        players.index(player): told.holes.cards[player] if open_ else None
        for player, open_ in told.shown.items()
    }
    return record_from_source(
        state, players, hand_id, tuple(seats), _details(told), won=tuple(won), shown=shown
    )


def _setup(told: AcademyHand, players: Sequence[str]) -> Setup:
    low, high = told.stakes
    limit = told.betting is Betting.LIMIT
    big = low if limit else high
    small = next((chips for player, chips in told.posts.items() if player != told.big_blind), big // 2)
    blinds = [told.posts.get(player, 0) for player in players]
    assert told.big_blind is not None
    last = players.index(told.big_blind)
    blinds[last] = big
    rules = cash_game(
        f"{VENUE}: {told.game}", limit, len(players), (small, big, high), raise_caps(told.steps, limit)
    )
    stacks = tuple([told.stacks[player] for player in players])
    setup = Setup(rules, stacks, tuple(blinds), (0,) * len(players), (last + 1) % len(players))
    check_posts(setup, players, [told.posts.get(player, 0) for player in players])
    return setup


def _awarded(events: Iterable[Event], players: Sequence[str]) -> list[Chips]:
    won: list[Chips] = [0] * len(players)
    for event in events:
        if isinstance(event, Award):
            won[event.seat] += event.amount
    return won


def _shown(events: Iterable[Event], players: Sequence[str]) -> dict[str, bool]:
    return {players[event.seat]: True for event in events if isinstance(event, Reveal)}


def _details(told: AcademyHand) -> Details:
    notes = [("time zone", told.zone)] if told.zone else []
    if told.sitting_out:
        notes.append(("sitting out", ", ".join(told.sitting_out)))
    return Details(
        venue=VENUE,
        table=told.table,
        time=told.time,
        chip=_CENT if told.scale == 100 else _CHIP,
        notes=tuple(notes),
    )
