"""Text notation of ranges: parsing and formatting.

A range is a list of tokens, separated by commas or spaces:

    QQ              a pair: all six holdings
    AKs  AKo  AK    suited (4 holdings), offsuit (12), both (16)
    22+             this pair and every higher one
    ATs+            this kicker and every higher one: ATs, AJs, AQs, AKs
    A5s-A2s  JJ-88  from one end to the other, both included
    AhKh            one holding
    random  none    every holding; no holding
    top 20%         the best starting hands (`railbird.hands.starting`): whole classes from the best down, and
                    of the last one the fraction that makes the share of the 1,326 holdings exact

Any token may end in a colon and a weight, as in `76s:0.5`; without one the weight is 1. Where tokens overlap,
the later one takes precedence: `random, AA:0` is everything but aces.

Formatting gives the shortest text made of classes, runs of classes and single holdings that gives no holding two
weights, heaviest weights first. Weights are written with all digits, so the text parses back to exactly the same
weights.

>>> format_weights(parse_weights("AKs AQs AJs ATs, AKo, AhQd:0.25"))
'AK,ATs+,AhQd:0.25'
"""

import math
import re
from collections.abc import Iterator, Sequence
from fractions import Fraction
from functools import cache

import numpy as np
from numpy.typing import NDArray

from railbird.cards import RANKS, SUIT_SYMBOLS, SUITS, CardError
from railbird.hands.holdings import (
    CLASS_OF_HOLDING,
    CLASS_SIZES,
    CLASSES,
    HOLDINGS,
    class_index,
    format_holding,
    holdings_of_class,
    parse_holding,
)
from railbird.hands.starting import class_order

_BODY = r"top\s+[^\s,:]+|[^\s,:-]+(?:\s*-\s*[^\s,:-]+)?"
_TOKEN = re.compile(rf"(?P<body>{_BODY})(?:\s*:\s*(?P<weight>[^\s,]*))?")
_CLASS = re.compile(rf"(?P<high>[{RANKS}])(?P<low>[{RANKS}])(?P<kind>[so]?)")
_TOP = re.compile(r"top\s+(?P<percent>\d+(?:\.\d+)?)%")
_HOLDING = re.compile(rf"(?:[{RANKS}][{SUITS}]){{2}}")
_UPPER_RANKS = str.maketrans("tjqka", "TJQKA")
_EXAMPLES = "such as 22+, ATs+, KQo, A5s-A2s, AhKh, random or top 20%"


class RangeError(ValueError):
    """Text that is not a range, invalid weights, or an empty range where holdings are needed."""


def parse_weights(text: str) -> NDArray[np.float64]:
    """The weight of each of the 1,326 holdings."""
    weights = np.zeros(HOLDINGS)
    position = _after_separators(text, 0)
    if position == len(text):
        raise RangeError(f"an empty text is not a range: write tokens {_EXAMPLES}, or none")
    while position < len(text):
        token = _TOKEN.match(text, position)
        if token is None:
            raise RangeError(
                f"{text[position]!r} at column {position + 1} does not begin a token: write tokens {_EXAMPLES}"
            )
        try:
            members = _members(token["body"])
            weight = 1.0 if token["weight"] is None else _weight(token["weight"])
        except _UnreadableError as error:
            reason = str(error) or f"is not a token of a range: {_advice(token['body'])}"
            raise RangeError(f"{token[0]!r} at column {position + 1} {reason}") from None
        inside = members > 0
        weights[inside] = weight * members[inside]
        position = _after_separators(text, token.end())
    return weights


def top_weights(share: Fraction) -> NDArray[np.float64]:
    """The weights of the best starting hands that make up a share of all holdings, the last class partially."""
    by_class = np.zeros(CLASSES)
    wanted = share * HOLDINGS
    for index in class_order():
        size = int(CLASS_SIZES[index])
        by_class[index] = float(min(wanted / size, Fraction(1)))
        wanted -= size
        if wanted <= 0:
            break
    return by_class[CLASS_OF_HOLDING]


class _UnreadableError(Exception):
    """Why a token cannot be parsed; empty if it resembles no token. `parse_weights` adds the position."""


def _after_separators(text: str, position: int) -> int:
    while position < len(text) and (text[position] == "," or text[position].isspace()):
        position += 1
    return position


def _weight(text: str) -> float:
    try:
        weight = float(text)
    except ValueError:
        weight = math.nan
    if not 0 <= weight < math.inf:
        raise _UnreadableError(
            "has no valid weight: after the colon write a number that is not negative, such as 0.5"
        )
    return weight


def _members(body: str) -> NDArray[np.float64]:
    """The weights of a token without its own weight: 1 for a member, less only in the last class of `top`."""
    if body in ("random", "none"):
        return np.full(HOLDINGS, 1.0 if body == "random" else 0.0)
    if body.startswith("top"):
        return _top_members(body)
    members = np.zeros(HOLDINGS)
    if _HOLDING.fullmatch(body):
        try:
            members[parse_holding(body)] = 1.0
        except CardError as error:
            raise _UnreadableError(f"is not a holding: {error}") from None
        return members
    for name in _classes(body):
        members[holdings_of_class(class_index(name))] = 1.0
    return members


def _top_members(body: str) -> NDArray[np.float64]:
    top = _TOP.fullmatch(body)
    share = Fraction(top["percent"]) / 100 if top else Fraction(0)
    if not 0 < share <= 1:
        raise _UnreadableError(
            "is not a share of the starting hands: write a percentage above 0 and up to 100, such as top 20%"
        )
    return top_weights(share)


def _classes(body: str) -> Iterator[str]:
    """The names of the classes in a token such as `QQ`, `ATs+` or `A5-A2`."""
    if "-" in body:
        (high, one, kind), (last_high, other, last_kind) = (
            _class_parts(end.strip()) for end in body.split("-")
        )
        if kind != last_kind or (high == one) != (last_high == other):
            raise _UnreadableError("mixes kinds: both ends must be pairs, suited, offsuit, or neither")
        if high != one and high != last_high:
            raise _UnreadableError("changes its first rank: write two ends that share it, such as A5s-A2s")
        is_pair, lowest, highest = high == one, min(one, other), max(one, other)
    else:
        high, lowest, kind = _class_parts(body.removesuffix("+"))
        is_pair = high == lowest
        highest = lowest if not body.endswith("+") else 12 if is_pair else high - 1
    for kicker in range(lowest, highest + 1):
        if is_pair:
            yield 2 * RANKS[kicker]
        else:
            yield from (f"{RANKS[high]}{RANKS[kicker]}{suffix}" for suffix in kind or "so")


def _class_parts(name: str) -> tuple[int, int, str]:
    """The ranks 0..12 of a class, and `s`, `o` or nothing."""
    parts = _CLASS.fullmatch(name)
    if parts is None:
        raise _UnreadableError
    high, low = RANKS.index(parts["high"]), RANKS.index(parts["low"])
    if high == low and parts["kind"]:
        raise _UnreadableError(f"names a pair that is suited or offsuit: write {name[:2]}")
    if high < low:
        raise _UnreadableError(f"has its ranks the wrong way round: write {name[1]}{name[0]}{name[2:]}")
    return high, low, parts["kind"]


def _advice(body: str) -> str:
    """A suggestion of the token probably meant, or examples of tokens."""
    for symbol, letter in zip(SUIT_SYMBOLS, SUITS, strict=True):
        body = body.replace(symbol, letter)
    lower = body.replace("10", "T").replace("–", "-").lower()
    for meant in (lower, lower.translate(_UPPER_RANKS)):
        try:
            _members(meant)
        except _UnreadableError:
            continue
        return f"did you mean {meant}?"
    return f"write one {_EXAMPLES}"


def format_weights(weights: NDArray[np.float64]) -> str:
    """The shortest text that `parse_weights` reads as these weights."""
    of_class = np.array([weights[holdings_of_class(index)[0]] for index in range(CLASSES)])
    alike = np.bincount(CLASS_OF_HOLDING, weights=weights == of_class[CLASS_OF_HOLDING]) == CLASS_SIZES
    tokens: list[str] = []
    for weight in np.unique(weights)[::-1]:
        if weight == 0:
            break
        suffix = "" if weight == 1 else f":{float(weight)!r}"
        whole = alike & (of_class == weight)
        single = np.flatnonzero((weights == weight) & ~whole[CLASS_OF_HOLDING])[::-1]
        tokens += [token + suffix for token in _class_tokens(whole, len(suffix))]
        tokens += [format_holding(holding) + suffix for holding in single.tolist()]
    return ",".join(tokens) if tokens else "none"


def _class_tokens(whole: NDArray[np.bool_], suffix_length: int) -> Iterator[str]:
    """The tokens of a set of classes; `suffix_length` is the length of the weight each token will get."""
    if whole.all():
        yield "random"
    elif whole.any():
        grid = whole.reshape(13, 13)[::-1, ::-1].tolist()  # suited at [high][low], offsuit at [low][high]
        pairs = tuple(grid[rank][rank] for rank in range(13))
        yield from reversed(_shortest_cover(("",), (pairs,), suffix_length, None))
        for high in range(12, 0, -1):
            suited = tuple(grid[high][kicker] for kicker in range(high))
            offsuit = tuple(grid[kicker][high] for kicker in range(high))
            yield from reversed(_shortest_cover(("s", "o"), (suited, offsuit), suffix_length, high))


def _shortest_cover(
    kinds: tuple[str, ...], rows: tuple[tuple[bool, ...], ...], suffix_length: int, high: int | None
) -> tuple[str, ...]:
    """The shortest tokens that name exactly the classes of a row, lowest kicker first.

    A row has one first rank (`high`, none for pairs) and a place per kicker, for one kind or for suited and offsuit.
    The lowest class not yet covered must be the lower end of the next token, since reaching further down gains
    nothing; upwards, a token is either one class or extends as far as the row allows. A cover is therefore a path
    over "covered up to here" for each kind, and the shortest is found by exhaustive search.
    """
    if not any(map(any, rows)):
        return ()
    length = len(rows[0])
    choices = [
        (kind, {index}, _run_ends(row)) for index, (kind, row) in enumerate(zip(kinds, rows, strict=True))
    ]
    if len(kinds) == 2:
        choices.append(
            ("", {0, 1}, _run_ends([suited and offsuit for suited, offsuit in zip(*rows, strict=True)]))
        )

    def token(kind: str, low: int, top: int) -> str:
        def name(kicker: int) -> str:
            return f"{RANKS[kicker if high is None else high]}{RANKS[kicker]}{kind}"

        if low == top:
            return name(low)
        return f"{name(low)}+" if top == length - 1 else f"{name(top)}-{name(low)}"

    @cache
    def best(covered: tuple[int, ...]) -> tuple[int, tuple[str, ...]]:
        open_places = [
            next((place for place in range(start, length) if row[place]), length)
            for row, start in zip(rows, covered, strict=True)
        ]
        low = min(open_places)
        if low == length:
            return 0, ()
        found = []
        for kind, named, run_ends in choices:
            end = run_ends[low]
            if end == low or all(open_places[index] > low for index in named):
                continue
            for top in {low, end - 1}:
                reached = tuple(
                    max(place, top + 1) if index in named else place
                    for index, place in enumerate(open_places)
                )
                text = token(kind, low, top)
                rest_cost, rest = best(reached)
                found.append((len(text) + suffix_length + 1 + rest_cost, (text, *rest)))
        return min(found)

    return best((0,) * len(rows))[1]


def _run_ends(row: Sequence[bool]) -> list[int]:
    """For each place, the end of the run of members that begins there; the place itself if there is no run."""
    ends = list(range(len(row) + 1))
    for place in reversed(range(len(row))):
        if row[place]:
            ends[place] = max(place + 1, ends[place + 1])
    return ends
