"""PHH, the poker hand history format of PokerKit's authors: hands read from `.phh` and `.phhs` files.

A `.phh` file is one hand as TOML fields; a `.phhs` file has many, each under a heading: `[1]`, `[2]` and so on. Hands
of other games than Texas hold'em are refused by name. How existing files are interpreted beyond the specification:

- Amounts with decimals become whole chips, a chip being a unit of the last printed decimal: with 0.05, all amounts are
  in cents.
- `finishing_stacks`, or else `winnings`, determine who won how much, and so the rake. Winnings of zero for every player
  carry no information. If neither is given, the cards decide; a hand that was not shown at the showdown cannot win.
- Winnings are what was taken out of the pots, but PartyPoker's include uncalled bets, and so do those of other rooms if
  they are exactly that sum.
- Results that do not fit the play (more than the pot, or much less) become the notes `_unconfirmed_finishing_stacks`
  and `_unconfirmed_winnings`, and the cards decide who won.
- If PokerKit's rules refuse an action (a raise after a short all-in, a fold where a check was free), the table had
  other rules, which are assumed to be lenient.
- If stacks are `inf`, it is unknown who is all-in. A hand that ends with its last board card and nothing to call is
  then taken as checked to the end; the note `_implied_checks` counts the checks.
- If a hand stops after a bet and one player collected everything, the others folded; the note `_implied_folds` counts
  them.
- A late post (a negative blind) is live, as in PokerKit, unless the amounts show that it was dead; the part above the
  big blind is always dead.

Fields that a hand record cannot represent become notes under their own names. TOML comments are not kept.
"""

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import replace
from fractions import Fraction
from hashlib import blake2b
from operator import sub
from typing import NamedTuple, TypeAlias

from railbird.engine.actions import CALL, FOLD
from railbird.engine.events import Chips
from railbird.engine.history import reckoning_of
from railbird.engine.record import HandRecord
from railbird.engine.rules import UNLIMITED_STACK
from railbird.engine.setup import Setup
from railbird.engine.state import State
from railbird.notation.phh.actions import Script, check_board, parse_actions, play_script
from railbird.notation.phh.cutting import PhhText, cut_hands
from railbird.notation.phh.details import LIVE_POSTS, SURE_RESULTS, Circumstances, read_circumstances, says
from railbird.notation.phh.fields import Fields, note_text, parse_fields
from railbird.notation.phh.game import Stakes, all_in_chips, amounts, players_of, read_stakes, variant_of
from railbird.notation.reading import BadHand, NotationError, Reading
from railbird.notation.showdowns import collected, record_from_source

Notes: TypeAlias = tuple[tuple[str, str], ...]

UNCALLED_INCLUDED = frozenset({"PartyPoker"})
"""Rooms whose winnings include uncalled bets."""
MOST_RAKE = Fraction(1, 6)
"""The largest plausible rake as a share of the pot: with a jackpot drop, small pots come close to it."""
_WHOLE_BOARD = 5
_RESULTS = ("finishing_stacks", "winnings")


class _UnlikelyResults(NotationError):
    """Finishing stacks or winnings that cannot result from the play of the hand."""


def read_phh(lines: Iterable[str]) -> Iterator[Reading]:
    """Every hand of a `.phh` or `.phhs` text, or the reason why it cannot be read."""
    for hand in cut_hands(lines):
        try:
            reading: Reading = _Hand.of(hand).record()
        except (ValueError, OverflowError) as error:
            reading = BadHand(hand.first, str(error), hand.text)
        yield reading


class _Hand(NamedTuple):
    """A hand as given by its fields, before the rules are applied."""

    lines: list[str]
    """The text under the heading."""
    fields: Fields
    script: Script
    stakes: Stakes
    payoffs: tuple[int, ...] | None
    """What every player won or lost, from the finishing stacks."""
    winnings: tuple[int, ...] | None

    @classmethod
    def of(cls, hand: PhhText) -> "_Hand":
        hand.refuse()
        lines = hand.fields
        fields = parse_fields(lines, hand.first + hand.heading)
        variant, players = variant_of(fields), players_of(fields)
        script = parse_actions(fields.get("actions"), players)
        printed = [decision.amount for decision in script.decisions]
        finishing, winnings = [
            amounts(fields, name, players) if name in fields else None for name in _RESULTS
        ]
        stakes = read_stakes(fields, variant, players, [*printed, *(finishing or ()), *(winnings or ())])
        payoffs = None
        if finishing is not None and UNLIMITED_STACK not in stakes.stacks:
            ends = all_in_chips("finishing_stacks", finishing, stakes.decimals)
            payoffs = tuple(map(sub, ends, stakes.stacks))
        won = None
        if winnings is not None and any(winnings):
            won = all_in_chips("winnings", winnings, stakes.decimals)
        return cls(lines, fields, script, stakes, payoffs, won)

    def record(self) -> HandRecord:
        """The first consistent interpretation of the hand; if there is none, the error of the first."""
        refusal: ValueError | None = None
        for stakes in self._posts():
            try:
                return self._record(stakes)
            except ValueError as error:
                refusal = refusal or error
        assert refusal is not None
        if isinstance(refusal, _UnlikelyResults):
            try:
                return self._replace(payoffs=None, winnings=None)._record(self.stakes, self._unconfirmed())
            except ValueError:
                pass
        raise refusal

    def _unconfirmed(self) -> Notes:
        """The printed results, as notes."""
        names = [name for name in _RESULTS if name in self.fields]
        return tuple((f"_unconfirmed_{name}", note_text(self.fields[name])) for name in names)

    def _posts(self) -> Iterator[Stakes]:
        """The blinds as printed, then with late posts dead beyond a big blind."""
        big = max(self.stakes.blinds)
        late = [-blind for blind in self.stakes.blinds if blind < 0 and blind != -big]
        if any(post > big > 0 for post in late) and not says(self.fields, LIVE_POSTS):
            yield self.stakes.with_dead_posts()
        yield self.stakes
        if late and max(late) < big:
            yield self.stakes.with_dead_posts()

    def _record(self, stakes: Stakes, more: Notes = ()) -> HandRecord:
        try:
            state, told = self._played(stakes.setup())
        except ValueError:
            state, told = self._played(stakes.setup(lenient=True))
        implied = _check_to_the_end(state, self.script) or self._fold_to_the_winner(state)
        if state.actor is not None:
            raise NotationError(f"the hand stops while p{state.actor + 1} is to act")
        check_board(state, self.script)
        notes = [(f"_commentary_{number}", text) for number, text in self.script.commentary]
        if implied or notes or more:
            details = replace(told.details, notes=(*told.details.notes, *implied, *notes, *more))
            told = told._replace(details=details)
        return self._ended(state, told)

    def _hand_id(self, told: Circumstances) -> str:
        if told.hand_id is not None:
            return told.hand_id
        text = "\n".join(self.lines).strip()
        return f"phh-{blake2b(text.encode(errors='replace'), digest_size=10).hexdigest()}"

    def _played(self, setup: Setup) -> tuple[State, Circumstances]:
        """The state after all actions, by the rules in the file or by those of the setup, and what else it tells."""
        told = read_circumstances(self.fields, setup.rules, self.stakes.decimals)
        if told.rules is not setup.rules or told.first != setup.first:
            setup = Setup(told.rules, setup.stacks, setup.blinds, setup.antes, told.first)
        return play_script(setup, self.script, self.stakes.decimals), told

    def _fold_to_the_winner(self, state: State) -> Notes:
        """If one player collected everything, players who have not responded to the last bet folded."""
        won = self.payoffs or self.winnings or ()
        winners = [seat for seat, chips in enumerate(won) if chips > 0]
        folds = 0
        while len(winners) == 1 and state.actor not in (None, *winners) and state.legal_actions.fold:
            state.act(FOLD)
            folds += 1
        return (("_implied_folds", str(folds)),) if folds else ()

    def _ended(self, state: State, told: Circumstances) -> HandRecord:
        """The record, with the collected amounts of the source if they are possible."""
        refusal = ""
        pot = _pot(state)
        for won in self._collected(state, told.details.venue):
            try:
                if won is not None and is_unlikely(sum(won), pot) and not says(self.fields, SURE_RESULTS):
                    raise NotationError(f"only {sum(won)} of {pot} chips were collected")
                return record_from_source(
                    state,
                    told.players,
                    self._hand_id(told),
                    told.seats,
                    told.details,
                    won=won,
                    shown=self.script.shown,
                    face_down=self.script.face_down,
                )
            except NotationError as error:
                if won is None:
                    raise
                refusal = str(error)
        raise _UnlikelyResults(
            f"{' and '.join(name for name in _RESULTS if name in self.fields)} cannot be right: {refusal}"
        )

    def _collected(self, state: State, venue: str) -> Iterator[Sequence[Chips] | None]:
        """The possible amounts collected, from the finishing stacks or the winnings; None if neither is given."""
        if self.payoffs is None and self.winnings is None:
            yield None
            return
        if self.payoffs is not None:
            yield collected(state, self.payoffs)
        if self.winnings is not None:
            reckoning = reckoning_of(state)
            called = list(self.winnings)
            called[reckoning.uncalled_seat] -= reckoning.uncalled
            if venue not in UNCALLED_INCLUDED:
                yield self.winnings
            if venue in UNCALLED_INCLUDED or sum(called) == _pot(state):
                yield called


def is_unlikely(won: Chips, pot: Chips) -> bool:
    """Whether the payout is implausibly small for the pot."""
    # won < (1 − MOST_RAKE) · pot, in whole numbers, which are faster.
    return won * MOST_RAKE.denominator < (MOST_RAKE.denominator - MOST_RAKE.numerator) * pot


def _pot(state: State) -> int:
    """The chips to be collected."""
    return state.pot - reckoning_of(state).uncalled


def _check_to_the_end(state: State, script: Script) -> Notes:
    """With unknown stacks, players who have not acted after the last board card checked."""
    checks = 0
    if (
        UNLIMITED_STACK in state.setup.stacks
        and len(script.board) == _WHOLE_BOARD
        and state.round == state.rules.rounds - 1
    ):
        while state.actor is not None and not state.to_match:
            state.act(CALL)
            checks += 1
    return (("_implied_checks", str(checks)),) if checks else ()
