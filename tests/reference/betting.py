"""The betting rules once more, written for reading: lists, plain words, everything computed anew when it is asked for.

It knows the rules only from the sentences beside the options in `railbird.engine.rules`.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from fractions import Fraction
from typing import TypeAlias

from railbird.engine.rules import Antes, Betting, GameRules, MinimumRaise, OddChips, Reopening, ShortBlind

Pots: TypeAlias = list[tuple[int, list[int]]]
"""Chips and claimants, main pot first."""


@dataclass
class Deed:
    """Something done in the present round."""

    seat: int
    bet_to_match: int
    """The bet to match afterwards."""
    raised_by: int
    """0 for a fold, a check or a call."""
    all_in: bool


class Table:
    """One hand: `turn` is the seat to act, None when the hand is over."""

    def __init__(
        self, rules: GameRules, stacks: Sequence[int], blinds: Sequence[int], antes: Sequence[int], first: int
    ) -> None:
        self.rules = rules
        self.seats = list(range(rules.players))
        self.antes = [min(antes[seat], stacks[seat]) for seat in self.seats]
        self.bets = [min(blinds[seat], stacks[seat] - self.antes[seat]) for seat in self.seats]
        self.stacks = [stacks[seat] - self.antes[seat] - self.bets[seat] for seat in self.seats]
        self.paid_before = [0 for _ in self.seats]
        self.folded = [False for _ in self.seats]
        self.round = 0
        self.deeds: list[Deed] = []
        # Blinds that nobody could post in full still count in full, or as far as they were posted.
        self.opening_bet = max(blinds if rules.short_blind is ShortBlind.NOMINAL else self.bets)
        self.waiting = [
            seat
            for seat in self.clockwise_from(first)
            if self.stacks[seat] > 0 and self.reach_of_others(seat) > self.bets[seat]
        ]
        self.turn = self.waiting[0] if self.waiting else None

    # Who is where

    def clockwise_from(self, first: int) -> list[int]:
        return self.seats[first:] + self.seats[:first]

    def live(self) -> list[int]:
        return [seat for seat in self.seats if not self.folded[seat]]

    def paid(self) -> list[int]:
        return [self.antes[seat] + self.paid_before[seat] + self.bets[seat] for seat in self.seats]

    def pot(self) -> int:
        return sum(self.paid())

    def reach(self, seat: int) -> int:
        """The largest bet a seat can have in this round."""
        return self.bets[seat] + self.stacks[seat]

    def reach_of_others(self, seat: int) -> int:
        return max([self.reach(other) for other in self.live() if other != seat], default=0)

    # What this round saw

    def raises(self) -> list[Deed]:
        return [deed for deed in self.deeds if deed.raised_by > 0]

    def bet_to_match(self) -> int:
        return self.raises()[-1].bet_to_match if self.raises() else self.opening_bet

    def bet_size(self) -> int:
        return self.rules.bet_sizes[self.round]

    def full_raise(self) -> int:
        return max([self.bet_size()] + [deed.raised_by for deed in self.raises()])

    # What the seat to act may do

    def to_call(self, seat: int) -> int:
        """Nobody pays more than somebody else can match, and nobody pays more than they have."""
        needed = min(self.bet_to_match(), self.reach_of_others(seat))
        return min(self.stacks[seat], max(0, needed - self.bets[seat]))

    def may_fold(self, seat: int) -> bool:
        return self.to_call(seat) > 0

    def raise_bounds(self, seat: int) -> tuple[int, int]:
        """The least and the most to raise to; two zeros when no raise is allowed."""
        if not self.may_raise(seat):
            return 0, 0
        everything = self.reach(seat)
        high = self.bet_to_match()
        if self.rules.betting is Betting.LIMIT:
            amount = min(everything, high + self.bet_size())
            return amount, amount
        least = min(everything, self.least_full_raise_to())
        if self.rules.betting is Betting.NO_LIMIT:
            return least, everything
        pot_after_call = self.pot() + high - self.bets[seat]
        return least, min(everything, max(least, high + pot_after_call))

    def least_full_raise_to(self) -> int:
        if self.rules.minimum_raise is MinimumRaise.ON_TOP:
            return self.bet_to_match() + self.full_raise()
        # A raise may only move the least raise-to up: a short one leaves it where it was.
        candidates = [self.opening_bet + self.bet_size()]
        candidates += [deed.bet_to_match + deed.raised_by for deed in self.raises()]
        return max(candidates)

    def may_raise(self, seat: int) -> bool:
        high = self.bet_to_match()
        cap = self.rules.raise_caps[self.round]
        if cap is not None and len(self.raises()) >= cap:
            return False
        if self.reach(seat) <= high:
            return False
        with_chips = [other for other in self.live() if other != seat and self.stacks[other] > 0]
        if not with_chips:
            return False
        if self.rules.raise_needs_caller and all(self.reach(other) <= high for other in with_chips):
            return False
        match self.rules.reopening:
            case Reopening.ANY_RAISE:
                return True
            case Reopening.FULL_RAISE:
                return self.faces_full_raise(seat)
            case Reopening.CONSECUTIVE_SHORTS:
                return self.no_short_all_in_closes(seat)

    def faces_full_raise(self, seat: int) -> bool:
        own = [deed for deed in self.deeds if deed.seat == seat]
        if not own:
            return True
        faced = self.bet_to_match() - own[-1].bet_to_match
        if self.rules.betting is Betting.LIMIT:
            return Fraction(faced) >= Fraction(self.bet_size(), 2)
        return faced >= self.full_raise()

    def no_short_all_in_closes(self, seat: int) -> bool:
        """PokerKit's count: raises from the first one on, blinds not among them."""
        largest = 0
        shorts_in_a_row: list[int] = []
        acted_since_full_raise: set[int] = set()
        for deed in self.deeds:
            acted_since_full_raise.add(deed.seat)
            if not deed.raised_by:
                continue
            if deed.raised_by >= largest:
                largest = deed.raised_by
                acted_since_full_raise = {deed.seat}
            shorts_in_a_row = [*shorts_in_a_row, deed.raised_by] if deed.all_in else []
            if sum(shorts_in_a_row) >= largest:
                shorts_in_a_row = []
        if self.to_call(seat) < largest:
            return False
        return not (shorts_in_a_row and seat in acted_since_full_raise)

    # What is done

    def fold(self) -> None:
        seat = self.actor()
        self.folded[seat] = True
        self.done(seat, 0)

    def call(self) -> None:
        seat = self.actor()
        self.pay(seat, self.to_call(seat))
        self.done(seat, 0)

    def raise_to(self, amount: int) -> None:
        seat = self.actor()
        raised_by = amount - self.bet_to_match()
        self.pay(seat, amount - self.bets[seat])
        self.waiting = [
            other for other in self.clockwise_from(seat) if not self.folded[other] and self.stacks[other]
        ]
        self.done(seat, raised_by)

    def actor(self) -> int:
        assert self.turn is not None
        return self.turn

    def pay(self, seat: int, chips: int) -> None:
        self.stacks[seat] -= chips
        self.bets[seat] += chips

    def done(self, seat: int, raised_by: int) -> None:
        high = self.bet_to_match() + raised_by
        self.deeds.append(Deed(seat, high, raised_by, self.stacks[seat] == 0))
        self.waiting = [other for other in self.waiting if other != seat]
        if len(self.live()) == 1:
            self.waiting = []
        elif not self.waiting:
            self.next_round()
        self.turn = self.waiting[0] if self.waiting else None

    def next_round(self) -> None:
        with_chips = [seat for seat in self.live() if self.stacks[seat] > 0]
        if len(with_chips) < 2 or self.round == self.rules.rounds - 1:
            return
        self.round += 1
        self.paid_before = [before + bet for before, bet in zip(self.paid_before, self.bets, strict=True)]
        self.bets = [0 for _ in self.seats]
        self.deeds = []
        self.opening_bet = 0
        self.waiting = [
            seat for seat in self.clockwise_from(self.rules.first_seats[self.round]) if seat in with_chips
        ]

    # How it ends

    def pots(self) -> Pots:
        """One pot for each amount that some live seat paid."""
        counted = self.paid()
        rest = 0
        if self.rules.ante_rule is Antes.DEAD:
            counted = [paid - ante for paid, ante in zip(counted, self.antes, strict=True)]
            rest = sum(self.antes)
        pots = []
        below = 0
        for level in sorted({counted[seat] for seat in self.live()}):
            chips = rest + sum(min(paid, level) - min(paid, below) for paid in counted)
            pots.append((chips, [seat for seat in self.live() if counted[seat] >= level]))
            rest = 0
            below = level
        # What folded seats paid beyond every live one lies in the last pot.
        chips, claimants = pots[-1]
        pots[-1] = (chips + sum(paid - min(paid, below) for paid in counted), claimants)
        return [(chips, claimants) for chips, claimants in pots if chips]

    def payoffs(self, values: Sequence[int]) -> list[Fraction]:
        """What each seat won or lost, given the value of every hand (higher is better)."""
        result = [Fraction(-paid) for paid in self.paid()]
        pots = self.pots()
        if self.rules.odd_chips is OddChips.MERGED_POTS:
            pots = without_beaten_hands(pots, values)
        for chips, claimants in pots:
            winners = [seat for seat in claimants if is_best(seat, claimants, values)]
            if self.rules.odd_chips is OddChips.FRACTIONAL:
                for seat in winners:
                    result[seat] += Fraction(chips, len(winners))
            else:
                for seat in winners:
                    result[seat] += chips // len(winners)
                # Seat 0 sits first to the left of the button.
                result[min(winners)] += chips % len(winners)
        return result


def without_beaten_hands(pots: Pots, values: Sequence[int]) -> Pots:
    """The pots when hands that win nothing are out of the way, those with the same claimants together."""
    winners = [seat for _, claimants in pots for seat in claimants if is_best(seat, claimants, values)]
    together: dict[tuple[int, ...], int] = {}
    for chips, claimants in pots:
        left = tuple(seat for seat in claimants if seat in winners)
        together[left] = together.get(left, 0) + chips
    return [(chips, list(claimants)) for claimants, chips in together.items()]


def is_best(seat: int, claimants: Sequence[int], values: Sequence[int]) -> bool:
    return values[seat] == max(values[other] for other in claimants)
