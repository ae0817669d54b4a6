"""Betting sequences of no-limit hold'em: bets read as letters, and how similar two sequences are (sartre-2012 §6.3).

A sequence has the letter of every action, with a hyphen between betting rounds: `pd-cqc-c`. Calls, checks and folds are
letters themselves; blinds are not bets. A bet is read as a letter by its share of the pot after a call:

- The letters are those of the abstraction with their shares, whether or not such a bet would be legal here; all-in has
  the share that all chips of the player are, and larger letters do not exist then.
- A bet below the smallest letter is read as that one, a bet above the largest as the largest.
- A bet of the observer is the letter that was meant if the amount is the one that `amounts` chooses for it at that
  place. Others, and bets that another agent made in its seat, are translated.

A bet is read once: an observation and the stream of the match decide all readings.

>>> similarity = BetSimilarity()
>>> round(similarity("ihpc", "dqpc"), 12), similarity("cc-", "cp-")
(0.85, 0.0)
"""

from dataclasses import dataclass
from weakref import WeakKeyDictionary

from railbird.agents.sartre.nolimit.amounts import Amounts
from railbird.agents.sartre.sequences import BETWEEN_ROUNDS, extended
from railbird.engine.actions import Action, ActionKind
from railbird.engine.betting_tree import BettingNode
from railbird.strategies.actions import POT_SHARES, ActionAbstraction, Chances, Translator, raise_share
from railbird.strategies.following import ActionReading

ALPHA = 0.05
"""How fast similarity falls with the distance of bets (§6.3.4)."""
BETS = "".join(POT_SHARES)
"""Bets in the order in which their distance is counted (table 11)."""
_PLACES = {letter: place for place, letter in enumerate(BETS)}
_SHAPE = str.maketrans(BETS, "b" * len(BETS))


@dataclass(frozen=True, slots=True)
class BetSimilarity:
    """Compares betting sequences by the sizes of bets at the same places (equation 7).

    Everything but bets must be the same at the same places: calls, all-ins, folds and the ends of rounds. The
    similarity of sequences whose bets are far apart is 0 and not negative.
    """

    alpha: float = ALPHA

    def group(self, sequence: str) -> str:
        """The sequence without the sizes of its bets."""
        return sequence.translate(_SHAPE)

    def __call__(self, target: str, case: str) -> float:
        """How similar two sequences are."""
        if self.group(target) != self.group(case):
            return 0.0
        distance = sum(
            abs(_PLACES[one] - _PLACES[other])
            for one, other in zip(target, case, strict=True)
            if one != other
        )
        return max(0.0, 1.0 - self.alpha * distance)


class SequenceReader:
    """Reads hands as betting sequences."""

    def __init__(
        self, actions: ActionAbstraction, translator: Translator, amounts: Amounts | None = None
    ) -> None:
        self.actions = actions
        self._translator = translator
        self._amounts = amounts
        self._hand: tuple[int, int | None] = (0, None)
        self._known: WeakKeyDictionary[BettingNode, str] = WeakKeyDictionary()
        self._offered: WeakKeyDictionary[BettingNode, dict[str, Action]] = WeakKeyDictionary()

    def sequence(self, node: BettingNode, hand: int = 0, seat: int | None = None) -> str:
        """The betting sequence that leads to a situation of the hand with a number, observed by a seat."""
        # Without own amounts, readings are by hard translation and apply to all hands that pass through a situation.
        if self._amounts is not None and self._hand != (hand, seat):
            self._hand = (hand, seat)
            self._known.clear()
            self._offered.clear()
        unknown = []
        while (found := self._known.get(node)) is None:
            unknown.append(node)
            if node.reached_by is None:
                found = self._known[unknown.pop()] = ""
                break
            node = node.reached_by[0]
        for node in reversed(unknown):
            assert node.reached_by is not None
            letter = self._letter(*node.reached_by, found)
            found = self._known[node] = extended(found, letter, node)
        return found

    def readings(self, node: BettingNode, hand: int, seat: int | None) -> list[ActionReading]:
        """How all bets before a situation were read."""
        found = []
        for after in node.path:
            assert after.reached_by is not None
            before, action = after.reached_by
            if action.kind is ActionKind.RAISE:
                found.append(self._read(before, action, _actions_in(self.sequence(before, hand, seat))))
        return found

    def offered(self, node: BettingNode, hand: int, seat: int) -> dict[str, Action]:
        """The real action of every letter that is legal in a situation."""
        return self._offer(node, _actions_in(self.sequence(node, hand, seat)))

    def letter(self, before: BettingNode, action: Action) -> str:
        """The letter as which an action in a situation is read, by hard translation."""
        return self._letter(before, action, "")

    def _letter(self, before: BettingNode, action: Action, sequence: str) -> str:
        match action.kind:
            case ActionKind.FOLD:
                return "f"
            case ActionKind.CALL:
                return "c"
            case ActionKind.RAISE:
                return self._read(before, action, _actions_in(sequence)).letter

    def _read(self, before: BettingNode, action: Action, place: int) -> ActionReading:
        assert before.actor is not None
        hand, _ = self._hand
        share = raise_share(before.view, action.to)
        bets = self.actions.readable(before.view, action.to)
        letter = self._meant(before, action, place)
        chances: Chances = () if letter is None else ((letter, 1.0),)
        if letter is None:
            letter, chances = self._translator.read(bets, share, hand, place)
        is_exact = any(bet.letter == letter and bet.action == action for bet in bets)
        return ActionReading(before, action, letter, share, chances, is_exact)

    def _meant(self, before: BettingNode, action: Action, place: int) -> str | None:
        """The letter that the observer meant by its own bet; None for other bets."""
        if self._amounts is None or before.actor != self._hand[1]:
            return None
        offered = self._offer(before, place)
        return next((letter for letter, each in offered.items() if each == action), None)

    def _offer(self, node: BettingNode, place: int) -> dict[str, Action]:
        found = self._offered.get(node)
        if found is None:
            assert self._amounts is not None, "amounts are chosen by players only"
            found = self._amounts.offered(self.actions, node.view, self._hand[0], place)
            self._offered[node] = found
        return found


def _actions_in(sequence: str) -> int:
    return len(sequence) - sequence.count(BETWEEN_ROUNDS)
