"""Bets as letters: which actions an abstract game has, and how real bets are read as abstract ones (sartre-2012 §6).

An `ActionAbstraction` is a word such as `fcpa`. Its letters are actions in ascending order:

    f  fold             q  quarter of the pot      d  twice the pot
    c  check or call    h  half of the pot         v  five times the pot
    r  least raise      i  three quarters          t  ten times the pot
                        p  the pot                 a  all-in

A raise by a share of the pot adds that share of the pot as it is after a call. In a limit game `r` is the only raise.
`SARTRE` is the abstraction of sartre-2012, Table 9.

`ActionAbstraction.choices` are the legal bets of a situation; `Translator` reads a real bet as one of them.

Several words separated by `/` depend on the raises of the betting round: the first word applies before any raise, the
second after one raise, and so on; the last word applies from there on. `fchpa/fcpa/fca` has half the pot, the pot and
all-in as a bet, the pot and all-in as a raise, and only all-in afterwards; `fcr/fcr/fc` is limit poker with at most two
raises a round. Blinds are not raises.

`-merged` at the end is for betting trees: that of `fcr-merged` has all actions of `fcr`, but forgets most of what was
bet in earlier rounds (`strategies.tree`), which makes it much smaller.

>>> abstraction = ActionAbstraction("fcha/fcpa/fca")
>>> str(abstraction), abstraction.letters
('fcha/fcpa/fca', 'fchpa')
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from enum import Enum
from fractions import Fraction
from functools import lru_cache
from types import MappingProxyType
from typing import Any, TypeAlias, TypeVar

import numpy as np
from numpy.typing import NDArray

from railbird.agent import drawn
from railbird.engine.actions import CALL, FOLD, Action, raise_to
from railbird.kernels.rules import betting
from railbird.rng import Stream

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

Part = TypeVar("Part", int, float, NDArray[Any])
"""The share of a letter, for one holding or for many."""
Chances: TypeAlias = tuple[tuple[str, float], ...]
"""The letters as which a bet may be read, with probabilities."""

_RATIOS = {letter: share.as_integer_ratio() for letter, share in POT_SHARES.items()}
_LETTERS = "".join(LETTER_NAMES)
_MERGED = "-merged"


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
    is_merged: bool = field(init=False, compare=False)
    """Whether betting trees have one node for situations that open a betting round alike."""

    def __post_init__(self) -> None:
        plain = self.notation.removesuffix(_MERGED)
        words = tuple(plain.split("/"))
        for word in words:
            if not word.startswith("fc") or word != _in_order(word):
                raise AbstractionError(
                    f"{self.notation!r} is not an action abstraction: write fc, then letters of {_LETTERS[2:]} in this "
                    f"order; / separates words for more raises, and {_MERGED} may follow"
                )
        object.__setattr__(self, "words", words)
        object.__setattr__(self, "letters", _in_order(plain))
        object.__setattr__(self, "is_merged", plain != self.notation)

    def __str__(self) -> str:
        return self.notation

    def possible(self) -> NDArray[np.bool_]:
        """Which letters each word has."""
        return np.array([[letter in word for letter in self.letters] for word in self.words])

    def word(self, view: Sequence[int]) -> str:
        """The letters that apply in a betting situation, by the raises of the round."""
        return self.words[min(view[betting.RAISES], len(self.words) - 1)]

    def shares(self) -> NDArray[np.int64]:
        """The share of the pot of every letter, as numerator and denominator: 0/1 is the least raise, 1/0 all-in."""
        found = [(1, 0) if letter == "a" else _RATIOS.get(letter, (0, 1)) for letter in self.letters]
        return np.array(found, dtype=np.int64)

    def choices(self, view: Sequence[int]) -> tuple[Choice, ...]:
        """What the seat to act may do in a betting situation (`BettingNode.view`), in the order of the letters."""
        found = [Choice("f", FOLD, Fraction(0))] if view[betting.MAY_FOLD] else []
        found.append(Choice("c", CALL, Fraction(0)))
        found += [
            Choice(letter, raise_to(amount), raise_share(view, amount))
            for letter, amount in self.bets(view).items()
        ]
        return tuple(found)

    def bets(self, view: Sequence[int]) -> dict[str, int]:
        """What every letter that is a legal bet in a betting situation raises to, by size.

        A bet below the least raise is left out; one beyond the stack is all-in. Of letters that mean the same
        amount, only the last remains.
        """
        least, most = view[betting.RAISE_MINIMUM], view[betting.RAISE_MAXIMUM]
        if not most:
            return {}
        letters = {}
        for letter, amount in _amounts(self.word(view), *_bounds(view)):
            if amount >= least:
                letters[amount if amount < most else most] = letter
        return {letters[amount]: amount for amount in sorted(letters)}

    def readable(self, view: Sequence[int], to: int) -> tuple[Choice, ...]:
        """The bets as which a real one may be read: the next ones by size, or the very same.

        Unlike `choices`, bets below the least raise count. If the abstraction has all-in, there are no bets beyond it;
        otherwise every letter keeps its share of the pot.
        """
        return _readable(self.word(view), *_bounds(view), to)


def legal_places(letters: str, actions: Mapping[str, Action]) -> tuple[tuple[Action, ...], tuple[int, ...]]:
    """The different actions of the letters that are legal, and the place among them of every letter.

    A bet that is not legal becomes the next larger one, or a call if there is none; a fold becomes a check.
    """
    legal = tuple(dict.fromkeys(actions.values()))
    places, place = [], legal.index(CALL)
    for letter in reversed(letters):
        if letter in actions:
            place = legal.index(actions[letter])
        elif letter == "f":
            place = legal.index(CALL)
        places.append(place)
    return legal, tuple(reversed(places))


def merged(by_letter: Sequence[Part], places: Sequence[int], actions: int) -> list[Part]:
    """What the letters add up to for every action, given the place of each letter's action."""
    found: list[Any] = [0] * actions
    for place, part in zip(places, by_letter, strict=True):
        found[place] = found[place] + part
    return found


def _in_order(letters: str) -> str:
    """The letters that occur, each once and in ascending order."""
    return "".join(letter for letter in _LETTERS if letter in letters)


LIMIT = ActionAbstraction("fcr")
"""Everything that can be done in a limit game."""
SARTRE = ActionAbstraction("fcqhipdvta")
"""The actions of SartreNL (sartre-2012, Table 9)."""


def _bounds(view: Sequence[int]) -> tuple[int, int, int, int]:
    """The highest bet, the pot after a call, the least raise and all-in of a betting situation."""
    pot = view[betting.POT] + view[betting.TO_CALL]
    return view[betting.HIGH], pot, view[betting.RAISE_MINIMUM], view[betting.RAISE_MAXIMUM]


def _amounts(word: str, high: int, pot: int, least: int, most: int) -> list[tuple[str, int]]:
    """What every bet of a word raises to, whether or not it is legal."""
    bounds = {"r": least, "a": most}
    found = []
    for letter in word[2:]:
        if letter in bounds:
            found.append((letter, bounds[letter]))
        else:
            numerator, denominator = _RATIOS[letter]
            found.append((letter, high + numerator * pot // denominator))
    return found


@lru_cache(maxsize=1 << 14)
def _readable(word: str, high: int, pot: int, least: int, most: int, to: int) -> tuple[Choice, ...]:
    """The bets of a word next to a real one by size; many hands have the same ones."""
    letters = {
        amount: letter
        for letter, amount in _amounts(word, high, pot, least, most)
        if amount > high and (letter == "a" or "a" not in word or amount < most)
    }
    below = max((amount for amount in letters if amount <= to), default=min(letters))
    above = min((amount for amount in letters if amount >= to), default=max(letters))
    return tuple(
        Choice(letters[amount], raise_to(amount), Fraction(amount - high, pot))
        for amount in sorted({below, above})
    )


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
        raise AbstractionError("the abstract game has no bet here that this bet could be read as")
    below = max((bet for bet in bets if bet.share <= share), key=lambda bet: bet.share, default=bets[0])
    above = min((bet for bet in bets if bet.share >= share), key=lambda bet: bet.share, default=bets[-1])
    return (below, above) if below.share <= share <= above.share else (below, below)


class Translation(Enum):
    """How a bet that is no letter's amount is read."""

    SOFT = "soft"
    """As one of the two nearest letters, by chance."""
    HARD = "hard"
    """As the nearer letter."""


_BITS = 64


@dataclass(frozen=True, slots=True)
class Translator:
    """Reads real bets as abstract ones; the same bet at the same place of the same hand always as the same one."""

    translation: Translation
    stream: Stream | None = None
    """The source of chance, which hard translation does not need."""

    def read(self, choices: Sequence[Choice], share: Fraction, hand: int, place: int) -> tuple[str, Chances]:
        """The letter as which a bet is read, and all possible ones with probabilities.

        A letter is drawn from the stream, the hand's number and the number of actions before the bet.
        """
        if len(choices) == 1:
            return choices[0].letter, ((choices[0].letter, 1.0),)
        if self.translation is Translation.HARD:
            letter = hard_translation(choices, share).letter
            return letter, ((letter, 1.0),)
        chances = tuple(soft_translation(choices, share).items())
        if len(chances) == 1:
            return chances[0][0], chances
        assert self.stream is not None, "soft translation needs a stream"
        return drawn(chances, chance_at(self.stream, hand, place)), chances


def chance_at(stream: Stream, hand: int, place: int) -> float:
    """A number in [0, 1) from a stream, for the action at a place of a hand."""
    key = stream.child(hand, place).key
    return int.from_bytes(key[: _BITS // 8], "little") / (1 << _BITS)
