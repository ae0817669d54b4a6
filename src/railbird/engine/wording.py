"""Actions in words, as players say them: a call that costs nothing is a check, the first raise of a round is a bet.

>>> from railbird.engine.actions import CALL, raise_to
>>> Wording(to_call=0, to_match=0, bet=0, stack=20_000).name(raise_to(150))
'bet 150'
>>> Wording(to_call=50, to_match=100, bet=50, stack=19_950).tell(raise_to(20_000))
'goes all-in for 20,000'
"""

from dataclasses import dataclass
from enum import Enum
from fractions import Fraction

from railbird.engine.actions import Action, ActionKind
from railbird.engine.betting_tree import BettingNode
from railbird.engine.events import Chips
from railbird.kernels.rules import betting


class Verb(Enum):
    """What an action is called, in four forms."""

    FOLD = "fold", "folds", "folded", "folding"
    CHECK = "check", "checks", "checked", "checking"
    CALL = "call", "calls", "called", "calling"
    BET = "bet", "bets", "bet", "betting"
    RAISE = "raise", "raises", "raised", "raising"

    def __init__(self, do: str, does: str, did: str, doing: str) -> None:
        self.do, self.does, self.did, self.doing = do, does, did, doing


@dataclass(frozen=True, slots=True)
class Wording:
    """The words for the actions of one situation."""

    to_call: int
    to_match: int
    """The highest bet of the round; 0 if nobody has bet."""
    bet: int
    """What the seat to act has bet in this round."""
    stack: int
    """The chips that it has left."""

    @classmethod
    def at(cls, node: BettingNode) -> "Wording":
        """The words for the seat to act."""
        seat, view = node.actor, node.view
        assert seat is not None
        return cls(
            node.legal.call, view[betting.HIGH], view[betting.BETS + seat], view[betting.STACKS + seat]
        )

    def verb(self, kind: ActionKind) -> Verb:
        """What an action of this kind is called here."""
        match kind:
            case ActionKind.FOLD:
                return Verb.FOLD
            case ActionKind.CALL:
                return Verb.CALL if self.to_call else Verb.CHECK
            case ActionKind.RAISE:
                return Verb.RAISE if self.to_match else Verb.BET

    @property
    def did(self) -> tuple[str, str, str]:
        """What folding, calling and raising are called here, in the past tense."""
        fold, call, raise_ = (self.verb(kind).did for kind in ActionKind)
        return fold, call, raise_

    def name(self, action: Action) -> str:
        """An action as it stands on a button: "check", "call 10", "bet 150", "raise to 450", "all-in 19,800"."""
        if self._is_all_in(action):
            return f"call {self.to_call:,} all-in" if self._is_call(action) else f"all-in {action.to:,}"
        return f"{self.verb(action.kind).do}{self._amount(action)}"

    def tell(self, action: Action) -> str:
        """An action in the third person: "checks", "raises to 450", "goes all-in for 19,800"."""
        if self._is_all_in(action):
            return (
                f"calls {self.to_call:,} all-in"
                if self._is_call(action)
                else f"goes all-in for {action.to:,}"
            )
        return f"{self.verb(action.kind).does}{self._amount(action)}"

    def doing(self, action: Action) -> str:
        """An action as a noun: "checking", "raising to 450", "going all-in"."""
        if self._is_all_in(action) and not self._is_call(action):
            return "going all-in"
        return f"{self.verb(action.kind).doing}{'' if self._is_call(action) else self._amount(action)}"

    @staticmethod
    def _is_call(action: Action) -> bool:
        return action.kind is ActionKind.CALL

    def _is_all_in(self, action: Action) -> bool:
        match action.kind:
            case ActionKind.FOLD:
                return False
            case ActionKind.CALL:
                return 0 < self.to_call == self.stack
            case ActionKind.RAISE:
                return action.to - self.bet == self.stack

    def _amount(self, action: Action) -> str:
        match self.verb(action.kind):
            case Verb.CALL:
                return f" {self.to_call:,}"
            case Verb.BET:
                return f" {action.to:,}"
            case Verb.RAISE:
                return f" to {action.to:,}"
            case _:
                return ""


def format_chips(chips: Chips) -> str:
    """An amount of chips, with exact fractions.

    >>> from fractions import Fraction
    >>> format_chips(1990), format_chips(Fraction(25, 2)), format_chips(Fraction(-22, 3))
    ('1,990', '12½', '-7 1/3')
    """
    sign, size = ("-", -chips) if chips < 0 else ("", chips)
    whole, rest = divmod(Fraction(size), 1)
    if not rest:
        return f"{sign}{whole:,}"
    front = f"{whole:,}" if whole else ""
    return f"{sign}{front}½" if rest * 2 == 1 else f"{sign}{f'{front} {rest}'.strip()}"
