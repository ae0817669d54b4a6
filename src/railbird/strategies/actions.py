"""Bets as letters: which actions an abstract game has, and how real bets are read as abstract ones (sartre-2012 §6).

An `ActionAbstraction` is a word such as `fcpa`. Its letters are actions in ascending order:

    f  fold             q  quarter of the pot      d  twice the pot
    c  check or call    h  half of the pot         v  five times the pot
    r  least raise      i  three quarters          t  ten times the pot
                        p  the pot                 a  all-in

A raise by a share of the pot adds that share of the pot as it is after a call. In a limit game `r` is the only raise.
`SARTRE` is the abstraction of sartre-2012, Table 9.

Several words separated by `/` depend on the raises of the betting round: the first word applies before any raise, the
second after one raise, and so on; the last word applies from there on. `fchpa/fcpa/fca` has half the pot, the pot and
all-in as a bet, the pot and all-in as a raise, and only all-in afterwards; `fcr/fcr/fc` is limit poker with at most two
raises a round. Blinds are not raises.

>>> abstraction = ActionAbstraction("fcha/fcpa/fca")
>>> str(abstraction), abstraction.letters
('fcha/fcpa/fca', 'fchpa')
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from fractions import Fraction
from types import MappingProxyType

import numpy as np
from numpy.typing import NDArray

from railbird.engine.actions import CALL, FOLD, Action, raise_to
from railbird.kernels.rules import betting

POT_SHARES: Mapping[str, Fraction] = MappingProxyType(
    {
        "q": Fraction(1, 4),
        "h": Fraction(1, 2),
        "i": Fraction(3, 4),
        "p": Fraction(1),
        "d": Fraction(2),
        "v": Fraction(5),
        "t": Fraction(10),
    }
)
"""What the letters of bets add to the pot, as a share of it."""

LETTER_NAMES: Mapping[str, str] = MappingProxyType(
    {
        "f": "fold",
        "c": "call",
        "r": "least raise",
        "q": "quarter of the pot",
        "h": "half the pot",
        "i": "three quarters of the pot",
        "p": "pot",
        "d": "twice the pot",
        "v": "five times the pot",
        "t": "ten times the pot",
        "a": "all-in",
    }
)
"""The letters in words, in ascending order."""

_LETTERS = "".join(LETTER_NAMES)


class AbstractionError(ValueError):
    """An abstraction that cannot be."""


@dataclass(frozen=True, slots=True)
class Choice:
    """One action of an abstract game where a seat is to act."""

    letter: str
    action: Action
    share: Fraction
    """How much it raises, as a share of the pot after a call; 0 for a fold or call."""


@dataclass(frozen=True, slots=True)
class ActionAbstraction:
    """The actions of an abstract game, as words of letters in ascending order."""

    notation: str
    words: tuple[str, ...] = field(init=False, compare=False)
    """The letters after no raise in the betting round, after one raise …; the last word also after more raises."""
    letters: str = field(init=False, compare=False)
    """The letters of all words in ascending order."""

    def __post_init__(self) -> None:
        words = tuple(self.notation.split("/"))
        for word in words:
            if not word.startswith("fc") or word != _in_order(word):
                raise AbstractionError(
                    f"{self.notation!r} is not an action abstraction: write fc, then letters of {_LETTERS[2:]} in this "
                    "order; / separates words for more raises"
                )
        object.__setattr__(self, "words", words)
        object.__setattr__(self, "letters", _in_order(self.notation))

    def __str__(self) -> str:
        return self.notation

    def possible(self) -> NDArray[np.bool_]:
        """Which letters each word has."""
        return np.array([[letter in word for letter in self.letters] for word in self.words])

    def shares(self) -> NDArray[np.int64]:
        """The share of the pot of every letter, as numerator and denominator: 0/1 is the least raise, 1/0 all-in."""
        found = [(1, 0) if letter == "a" else _ratio(letter) for letter in self.letters]
        return np.array(found, dtype=np.int64)

    def choices(self, view: Sequence[int]) -> tuple[Choice, ...]:
        """What the seat to act may do in a betting situation (`BettingNode.view`), in the order of the letters.

        A bet below the least raise is left out; one beyond the stack is all-in. Of letters that mean the same
        amount, only the last remains.
        """
        found = [Choice("f", FOLD, Fraction(0))] if view[betting.MAY_FOLD] else []
        found.append(Choice("c", CALL, Fraction(0)))
        least, most = view[betting.RAISE_MINIMUM], view[betting.RAISE_MAXIMUM]
        if not most:
            return tuple(found)
        letters = {}
        for letter in self.words[min(view[betting.RAISES], len(self.words) - 1)][2:]:
            amount = min(_amount(letter, view), most)
            if amount >= least:
                letters[amount] = letter
        found += [
            Choice(letter, raise_to(amount), raise_share(view, amount))
            for amount, letter in sorted(letters.items())
        ]
        return tuple(found)


def _in_order(letters: str) -> str:
    """The letters that occur, each once and in ascending order."""
    return "".join(letter for letter in _LETTERS if letter in letters)


def _ratio(letter: str) -> tuple[int, int]:
    return POT_SHARES.get(letter, Fraction(0)).as_integer_ratio()


LIMIT = ActionAbstraction("fcr")
"""Everything that can be done in a limit game."""
SARTRE = ActionAbstraction("fcqhipdvta")
"""The actions of SartreNL (sartre-2012, Table 9)."""


def _amount(letter: str, view: Sequence[int]) -> int:
    if letter == "r":
        return view[betting.RAISE_MINIMUM]
    if letter == "a":
        return view[betting.RAISE_MAXIMUM]
    pot = view[betting.POT] + view[betting.TO_CALL]
    return view[betting.HIGH] + int(POT_SHARES[letter] * pot)


def raise_share(view: Sequence[int], to: int) -> Fraction:
    """By how much a raise to an amount raises, as a share of the pot after a call."""
    return Fraction(to - view[betting.HIGH], view[betting.POT] + view[betting.TO_CALL])


def hard_translation(choices: Sequence[Choice], share: Fraction) -> Choice:
    """The abstract bet as which a real bet is always read (sartre-2012, Eq. 3): the nearer one by ratio."""
    below, above = _neighbours(choices, share)
    return below if below.share * above.share > share * share else above


def soft_translation(choices: Sequence[Choice], share: Fraction) -> dict[str, float]:
    """The abstract bets as which a real bet may be read, with probabilities (sartre-2012, Eq. 4 and 5, normalised).

    A bet below the smallest abstract bet is read as that one, and a bet above the largest as the largest.
    """
    below, above = _neighbours(choices, share)
    if below == above:
        return {below.letter: 1.0}
    ratio = below.share / above.share
    towards_below = below.share / share - ratio
    towards_above = share / above.share - ratio
    total = towards_below + towards_above
    return {below.letter: float(towards_below / total), above.letter: float(towards_above / total)}


def _neighbours(choices: Sequence[Choice], share: Fraction) -> tuple[Choice, Choice]:
    """The abstract bets next to a real one; twice the same at and beyond the ends, and where it is met exactly."""
    bets = [choice for choice in choices if choice.share]
    if not bets:
        raise AbstractionError("the abstract game has no bet here as which a bet could be read")
    below = max((bet for bet in bets if bet.share <= share), key=lambda bet: bet.share, default=bets[0])
    above = min((bet for bet in bets if bet.share >= share), key=lambda bet: bet.share, default=bets[-1])
    return (below, above) if below.share <= share <= above.share else (below, below)
