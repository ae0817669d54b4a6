"""Betting sequences of limit hold'em as text, and how similar two of them are (sartre-2012 §5.3.2 and §7.2.2).

A sequence has a letter for every action since the hand began, `f`, `c` or `r`, with a hyphen between betting rounds:
`crrc-cr` is a decision on the flop, and `rc-` the first one there. The players are known from the order of play: before
the flop the dealer begins, heads-up and with three players, later the first active player to the dealer's left.

Sequences are compared in steps. If the present betting round is not the same, they have nothing in common; otherwise:

    level 0    1.0    they are the same
    level 1    0.9    every active player raised equally often in each of the earlier rounds
    level 2    0.8    every active player raised equally often in all earlier rounds together
    level 3    0.0    none of these

With three players, sequences in which different players folded are not similar: the order of play differs.

>>> steps = SteppedSimilarity(players=2)
>>> steps("crrc-crrrrc-cr", "rrc-rrrrc-cr"), steps("rrc-cc-cc-rrr", "cc-rc-crc-rrr"), steps("r", "cr")
(0.9, 0.8, 0.0)
"""

from collections.abc import Sequence
from dataclasses import dataclass
from functools import lru_cache
from typing import NamedTuple
from weakref import WeakKeyDictionary

from railbird.cbr.schema import Value
from railbird.engine.actions import ActionKind
from railbird.engine.betting_tree import BettingNode
from railbird.engine.rules import ROUND_NAMES
from railbird.kernels.rules import betting
from railbird.strategies.actions import LETTER_NAMES

BETWEEN_ROUNDS = "-"
LEVELS = (1.0, 0.9, 0.8, 0.0)
"""The similarity at each level."""
_LETTERS = {ActionKind.FOLD: "f", ActionKind.CALL: "c", ActionKind.RAISE: "r"}
_MOST_PARSED = 1 << 16
"""Maximum number of parsed sequences kept in memory."""


class SequenceMemory:
    """The sequences of betting situations, computed once for each."""

    def __init__(self) -> None:
        self._known: WeakKeyDictionary[BettingNode, str] = WeakKeyDictionary()

    def sequence(self, node: BettingNode) -> str:
        """The betting sequence that leads to a situation."""
        found = self._known.get(node)
        if found is None:
            found = self._known[node] = betting_sequence(node)
        return found


def betting_sequence(node: BettingNode) -> str:
    """The betting sequence that leads to a situation of limit hold'em."""
    letters = ""
    for after in node.path:
        assert after.reached_by is not None
        letters = extended(letters, _LETTERS[after.reached_by[1].kind], after)
    return letters


def extended(sequence: str, letter: str, after: BettingNode) -> str:
    """A betting sequence with one more action, which leads to a situation."""
    sequence += letter
    if after.actor is not None:
        sequence += BETWEEN_ROUNDS * (after.view[betting.ROUND] - sequence.count(BETWEEN_ROUNDS))
    return sequence


class Raises(NamedTuple):
    """Who raised how often, and who is still in the hand."""

    by_round: tuple[tuple[int, ...], ...]
    """The number of raises of every seat in each betting round before the present one."""
    active: tuple[int, ...]
    """The seats that did not fold; seats are counted from the dealer's left, and the last is the dealer's."""
    current: str
    """The sequence of the present betting round."""

    @property
    def earlier(self) -> tuple[tuple[int, ...], ...]:
        """The number of raises of every active seat in each earlier round."""
        return tuple(tuple(counts[seat] for seat in self.active) for counts in self.by_round)

    @property
    def total(self) -> tuple[int, ...]:
        """The number of raises of every active seat in all earlier rounds together."""
        return tuple(sum(counts[seat] for counts in self.by_round) for seat in self.active)


@lru_cache(maxsize=_MOST_PARSED)
def raises_in(sequence: str, players: int) -> Raises:
    """Who raised in a betting sequence.

    >>> raises_in("crrc-cr", 2).by_round  # the big blind and the dealer raised once each before the flop
    ((1, 1),)
    >>> raises_in("frc-r", 3)  # the dealer folded, the small blind raised, the big blind called
    Raises(by_round=((1, 0, 0),), active=(0, 1), current='r')
    """
    rounds = played(sequence, players)
    folded = {seat for letters in rounds for seat, letter in letters if letter == "f"}
    by_round = [tuple(letters.count((seat, "r")) for seat in range(players)) for letters in rounds[:-1]]
    active = tuple(seat for seat in range(players) if seat not in folded)
    return Raises(tuple(by_round), active, sequence.rpartition(BETWEEN_ROUNDS)[2])


def played(sequence: str, players: int) -> tuple[tuple[tuple[int, str], ...], ...]:
    """The actions of each betting round: the seat and the letter of each.

    >>> played("frc-r", 3)
    (((2, 'f'), (0, 'r'), (1, 'c')), ((0, 'r'),))
    """
    active = list(range(players))
    rounds = []
    for number, letters in enumerate(sequence.split(BETWEEN_ROUNDS)):
        actions = []
        seat = players - 1 if number == 0 else active[0]
        for letter in letters:
            actions.append((seat, letter))
            # A player who folds leaves the order; the next one acts.
            later = [each for each in active if each > seat] or active
            if letter == "f":
                active.remove(seat)
            seat = later[0]
        rounds.append(tuple(actions))
    return tuple(rounds)


@dataclass(frozen=True, slots=True)
class SequenceWords:
    """Tells betting sequences, also those of no-limit hold'em, in words.

    >>> SequenceWords(2)("crrc-c"), SequenceWords(2)("cc-")
    ('preflop: call, raise, raise, call; flop: check (crrc-c)', 'preflop: call, check; flop: first to act (cc-)')
    >>> SequenceWords(2)("pc-ha")
    'preflop: raise pot, call; flop: bet half the pot, all-in (pc-ha)'
    """

    players: int

    def __call__(self, value: Value) -> str:
        """A sequence in words, and its letters; what is no sequence is told as it is.

        Where somebody has folded and two play on, there were three players.
        """
        sequence = str(value)
        known = set(sequence) <= {*LETTER_NAMES, BETWEEN_ROUNDS}
        folds, streets = sequence.count("f"), sequence.count(BETWEEN_ROUNDS)
        if not known or folds > 1 or streets >= len(ROUND_NAMES):
            return sequence
        players = max(self.players, folds + 2)
        rounds = enumerate(played(sequence, players))
        told = "; ".join(f"{ROUND_NAMES[number]}: {_told(number, acts, players)}" for number, acts in rounds)
        return f"{told} ({sequence})" if sequence else told


def _told(number: int, actions: Sequence[tuple[int, str]], players: int) -> str:
    """The actions of a round in words. Before the flop, the big blind has bet, and may check."""
    level = 0 if number else 1
    paid = {players - 2: level}
    words = []
    for seat, letter in actions:
        if letter == "f":
            words.append("fold")
            continue
        if letter == "c":
            words.append("check" if paid.get(seat, 0) == level else "call")
        else:
            verb = "raise" if level else "bet"
            sizes = {"r": verb, "a": LETTER_NAMES["a"]}
            words.append(sizes.get(letter) or f"{verb} {LETTER_NAMES[letter]}")
            level += 1
        paid[seat] = level
    return ", ".join(words) or "first to act"


@dataclass(frozen=True, slots=True)
class SteppedSimilarity:
    """Compares betting sequences by levels."""

    players: int

    def __call__(self, target: str, case: str) -> float:
        """How similar two sequences are."""
        return LEVELS[self.level(target, case)]

    def level(self, target: str, case: str) -> int:
        """The level of similarity of two sequences, 0 for the same one to 3."""
        if target == case:
            return 0
        one, other = raises_in(target, self.players), raises_in(case, self.players)
        if one.current != other.current or one.active != other.active:
            return 3
        if one.earlier == other.earlier:
            return 1
        return 2 if one.total == other.total else 3
