"""Hands as PokerStars text, with the play exactly as it was.

    PokerStars Hand #70412:  Hold'em Limit (10/20) - 2012/03/04 19:00:00 UTC
    Table 'evening' 2-max (Play Money) Seat #1 is the button

Chips are play money unless the record says that they are cents of a currency that PokerStars deals in. Every text is
read again before it is returned: a hand that would not come back with the same play is refused.
"""

import re
from collections.abc import Iterator
from datetime import datetime
from fractions import Fraction
from hashlib import blake2b

from railbird.cards import Card, format_cards
from railbird.engine.actions import ActionKind
from railbird.engine.events import Act, Award, DealBoard, DealHole, Post, PostKind, Return, Reveal
from railbird.engine.record import HandRecord
from railbird.engine.rules import Betting
from railbird.hands.categories import describe
from railbird.notation.reading import Loss, NotationError
from railbird.notation.rooms.hands import STREETS, from_button
from railbird.notation.rooms.pokerstars import read_pokerstars
from railbird.notation.rooms.pokerstars_text import SUMMARY

_SIGNS = {"USD": "$", "EUR": "€", "GBP": "£"}
_CENT = Fraction(1, 100)
_GAMES = {Betting.LIMIT: "Hold'em Limit", Betting.NO_LIMIT: "Hold'em No Limit"}
_NUMBER = re.compile(r"(?:PokerStars-)?([1-9]\d{0,18}|0)", re.ASCII)
_ZONE = re.compile(r"[A-Z]{2,5}", re.ASCII)
_MOST_SEATS = 10
_UNKNOWN_TIME = "1970-01-01T00:00:00"
_FOLDED = ("before Flop", "on the Flop", "on the Turn", "on the River")


def format_pokerstars(record: HandRecord) -> str:
    """A hand, with an empty line after it; a hand that the text cannot hold is refused.

    The hole cards in the record are written: `Dealt to` for the player noted as `hero`, and for others who did not
    show them. Fractions of chips go to the first winners left of the button, as at a table.
    """
    text = _HandText(record).text()
    _again(record, text)
    return text


def pokerstars_losses(record: HandRecord) -> tuple[Loss, ...]:
    """What the text of a hand leaves out. A hand that cannot be written is refused as in `format_pokerstars`."""
    again = _again(record, _HandText(record).text())
    found = []
    if again.hand_id != record.hand_id:
        found.append(Loss("ids that are not hand numbers of PokerStars"))
    if again.rules != record.rules:
        found.append(Loss("rules that differ from those of PokerStars"))
    if again.seats != record.seats:
        found.append(Loss("seat numbers"))
    if again.details != record.details:
        found.append(Loss("times, currencies and notes that PokerStars text cannot express"))
    if again.payoffs != record.payoffs:
        found.append(Loss("fractions of chips in winnings"))
    if not found and again != record:
        found.append(Loss("other parts of the record"))
    return tuple(found)


def _again(record: HandRecord, text: str) -> HandRecord:
    """The record that is read from the text of another; refused if it has not the same play."""
    again = next(read_pokerstars(text.split("\n")))
    if not isinstance(again, HandRecord):
        raise NotationError(f"hand {record.hand_id} cannot be written as PokerStars text: {again.reason}")
    same = (
        again.players == record.players
        and again.setup.stacks == record.setup.stacks
        and again.actions() == record.actions()
        and again.cards == record.cards
        and all(abs(Fraction(a) - b) < 1 for a, b in zip(record.payoffs, again.payoffs, strict=True))
    )
    if not same:
        raise NotationError(
            f"hand {record.hand_id} cannot be written as PokerStars text: it would be read differently"
        )
    return again


class _HandText:
    """The text of one hand, part by part."""

    def __init__(self, record: HandRecord) -> None:
        rules = record.rules
        if rules.betting not in _GAMES or not rules.deals_two_of_52 or rules.rounds != len(STREETS):
            raise NotationError(
                f"PokerStars text holds limit and no-limit hold'em, so {rules.name} cannot be written"
            )
        details = record.details
        self._record = record
        self._sign = _SIGNS.get(details.currency, "") if details.chip == _CENT else ""
        self._notes = dict(details.notes)
        self._seats = _seats_of(record)
        self._left = list(record.setup.stacks)
        self._paid_in: set[int] = set()
        self._folded: dict[int, int] = {}
        """The round in which each seat folded."""
        self._awards = list(_whole_awards(record))
        self._pots = 1 + max((pot for _, pot, _ in self._awards), default=0)
        self._shown = {event.seat: event.cards for event in record.events if isinstance(event, Reveal)}

    def text(self) -> str:
        """The whole hand."""
        parts = (*self._head(), *self._posts(), *self._dealt(), *self._play(), *self._ending())
        return "\n".join((*parts, SUMMARY, *self._summary())) + "\n\n"

    def _head(self) -> Iterator[str]:
        record = self._record
        rules, notes = record.rules, self._notes
        blinds = sorted({blind for blind in rules.blinds if blind}) or [0]
        limit = rules.betting is Betting.LIMIT
        low, high = (rules.bet_sizes[0], rules.bet_sizes[-1]) if limit else (blinds[0], blinds[-1])
        currency = f" {record.details.currency}" if self._sign else ""
        stakes = f"{self._money(low)}/{self._money(high)}{currency}"
        number = _number_of(record.hand_id)
        yield f"PokerStars Hand #{number}:  {_GAMES[rules.betting]} ({stakes}) - {self._time()}"
        size = notes.get("seats", str(max(rules.players, *self._seats)))
        play_money = "" if self._sign else " (Play Money)"
        yield (
            f"Table '{record.details.table or 'Railbird'}' {size}-max{play_money} "
            f"Seat #{self._seats[-1]} is the button"
        )
        for position in self._by_seat():
            stack = self._money(record.setup.stacks[position])
            yield f"Seat {self._seats[position]}: {record.players[position]} ({stack} in chips)"

    def _time(self) -> str:
        try:
            moment = datetime.fromisoformat(self._record.details.time or _UNKNOWN_TIME)
        except ValueError:
            moment = datetime.fromisoformat(_UNKNOWN_TIME)
        zone = self._notes.get("time zone", moment.tzname() or "")
        return f"{moment:%Y/%m/%d %H:%M:%S}{f' {zone}' if _ZONE.fullmatch(zone) else ''}"

    def _posts(self) -> Iterator[str]:
        record = self._record
        posts = [event for event in record.events if isinstance(event, Post)]
        big = max(record.rules.blinds)
        for post in sorted(posts, key=lambda post: (post.kind is PostKind.BLIND, self._blind_order(post))):
            self._left[post.seat] -= post.amount
            due = record.setup.blinds[post.seat]
            blind = "small blind" if due < big else "straddle" if due > big else "big blind"
            kind = "the ante" if post.kind is PostKind.ANTE else blind
            self._paid_in.add(post.seat)
            yield f"{record.players[post.seat]}: posts {kind} {self._cost(post.seat, post.amount)}"

    def _blind_order(self, post: Post) -> int:
        """Blinds are posted in the order of play, so the seat that acts first comes after the last one."""
        return (post.seat - self._record.setup.first) % len(self._seats)

    def _dealt(self) -> Iterator[str]:
        yield "*** HOLE CARDS ***"
        players, hero = self._record.players, self._notes.get("hero", "")
        known = {
            players[event.seat]: event.cards
            for event in self._record.events
            if isinstance(event, DealHole)
            and event.cards is not None
            and (players[event.seat] == hero or self._shown.get(event.seat) is None)
        }
        for player in sorted(known, key=lambda player: player != hero):
            yield f"Dealt to {player} {_bracketed(known[player])}"

    def _play(self) -> Iterator[str]:
        players = self._record.players
        board: tuple[Card, ...] = ()
        round_number, bet = 0, max(self._record.setup.blinds)
        for event in self._record.events:
            match event:
                case DealBoard(round_number, new):
                    before = f" {_bracketed(board)}" if board else ""
                    yield f"*** {STREETS[round_number]} ***{before} {_bracketed(new)}"
                    board, bet = (*board, *new), 0
                case Act(seat, kind, paid, to):
                    self._left[seat] -= paid
                    if paid:
                        self._paid_in.add(seat)
                    match kind:
                        case ActionKind.FOLD:
                            self._folded[seat] = round_number
                            done = "folds"
                        case ActionKind.CALL:
                            done = f"calls {self._cost(seat, paid)}" if paid else "checks"
                        case ActionKind.RAISE:
                            by = f"raises {self._money(to - bet)} to" if bet else "bets"
                            done, bet = f"{by} {self._cost(seat, to)}", to
                    yield f"{players[seat]}: {done}"
                case Return(seat, amount):
                    yield f"Uncalled bet ({self._money(amount)}) returned to {players[seat]}"
                case _:
                    pass
        self._board = board

    def _ending(self) -> Iterator[str]:
        players = self._record.players
        showdown = len(players) - len(self._folded) > 1
        if showdown:
            yield "*** SHOW DOWN ***"
        shown = {seat: cards for seat, cards in self._shown.items() if showdown or cards is not None}
        for seat, cards in shown.items():
            yield f"{players[seat]}: {'mucks hand' if cards is None else f'shows {self._shown_words(cards)}'}"
        for seat, pot, chips in self._awards:
            name = "pot" if self._pots == 1 else "main pot" if pot == 0 else self._side_pot(pot)
            yield f"{players[seat]} collected {self._money(chips)} from {name}"
        if not showdown and not shown:
            yield from (f"{players[seat]}: doesn't show hand" for seat, _, _ in self._awards[:1])

    def _side_pot(self, pot: int) -> str:
        return "side pot" if self._pots == 2 else f"side pot-{pot}"

    def _summary(self) -> Iterator[str]:
        record = self._record
        rake = sum(-payoff for payoff in record.payoffs)
        total = sum(chips for _, _, chips in self._awards) + rake
        parts = ""
        if self._pots > 1:
            names = ["Main pot", *(self._side_pot(pot).capitalize() for pot in range(1, self._pots))]
            sums = [sum(chips for _, of, chips in self._awards if of == pot) for pot in range(self._pots)]
            parts = "".join(f" {name} {self._money(chips)}." for name, chips in zip(names, sums, strict=True))
        yield f"Total pot {self._money(int(total))}{parts} | Rake {self._money(int(rake))}"
        if self._board:
            yield f"Board {_bracketed(self._board)}"
        for position in self._by_seat():
            where = f"Seat {self._seats[position]}: {record.players[position]}{self._place(position)}"
            yield f"{where} {self._fate(position)}"

    def _place(self, position: int) -> str:
        blinds, big = self._record.setup.blinds, max(self._record.rules.blinds)
        button = " (button)" if position == len(blinds) - 1 else ""
        blind = {big: " (big blind)", 0: ""}.get(blinds[position], " (small blind)")
        return button + blind

    def _fate(self, position: int) -> str:
        if position in self._folded:
            untouched = "" if position in self._paid_in else " (didn't bet)"
            return f"folded {_FOLDED[self._folded[position]]}{untouched}"
        won = sum(chips for seat, _, chips in self._awards if seat == position)
        cards = self._shown.get(position)
        if cards is None:
            return f"collected ({self._money(won)})" if won else "mucked"
        result = f"won ({self._money(won)})" if won else "lost"
        with_ = f" with {self._words(cards)}" if len(self._board) >= 3 else ""
        return f"showed {_bracketed(cards)} and {result}{with_}"

    def _shown_words(self, cards: tuple[Card, ...]) -> str:
        return f"{_bracketed(cards)} ({self._words(cards)})"

    def _words(self, cards: tuple[Card, ...]) -> str:
        return describe((*cards, *self._board))

    def _by_seat(self) -> list[int]:
        return sorted(range(len(self._seats)), key=self._seats.__getitem__)

    def _cost(self, seat: int, chips: int) -> str:
        return f"{self._money(chips)}{'' if self._left[seat] else ' and is all-in'}"

    def _money(self, chips: int) -> str:
        if not self._sign:
            return str(chips)
        whole, cents = divmod(chips, 100)
        return f"{self._sign}{whole}.{cents:02}" if cents else f"{self._sign}{whole}"


def _seats_of(record: HandRecord) -> tuple[int, ...]:
    """The seats of the positions, as the record has them if they are in the order of play."""
    seats = record.seats
    usable = bool(seats) and all(1 <= seat <= _MOST_SEATS for seat in seats)
    if usable and from_button(seats, seats[-1]) == list(seats):
        return seats
    return tuple(range(1, len(record.players) + 1))


def _number_of(hand_id: str) -> str:
    """The number of a hand; one is made from a name that is not a number."""
    if found := _NUMBER.fullmatch(hand_id):
        return found[1]
    return str(int.from_bytes(blake2b(hand_id.encode(), digest_size=6).digest()))


def _whole_awards(record: HandRecord) -> Iterator[tuple[int, int, int]]:
    """Seat, pot and whole chips of every award; what fractions add up to goes to the first winners of the pot."""
    awards = [event for event in record.events if isinstance(event, Award)]
    for pot in sorted({award.pot for award in awards}):
        winners = sorted((award for award in awards if award.pot == pot), key=lambda award: award.seat)
        odd = sum(award.amount - int(award.amount) for award in winners)
        for award in winners:
            one = 1 if odd >= 1 else 0
            odd -= one
            yield award.seat, pot, int(award.amount) + one


def _bracketed(cards: tuple[Card, ...]) -> str:
    return f"[{format_cards(cards, ' ')}]"
