"""The probability tables of an XDSL file, for GeNIe's kinds of nodes.

GeNIe orders the combinations of the parents' states like the digits of a number: the first parent changes slowest, the
last one fastest. Three kinds of nodes have probability tables:

- `cpt`: all probabilities, state by state, combination by combination
- `deterministic`: for every combination the one state that is certain
- `noisymax`: every parent has an effect of its own, and the strongest effect prevails; states are listed from the
  strongest to the weakest, and for every parent `strengths` puts its states into the order of its columns. The last
  column is the leak: the effect without any cause. With C(x ≥ k) for "no stronger than state k", C = Π C of each effect
  (Díez 1993).
"""

from collections.abc import Sequence
from math import prod

import numpy as np
from numpy.typing import NDArray

from railbird.bayes.network import SUM_TOLERANCE, Table
from railbird.bayes.structure import Variable
from railbird.bayes.xdsl.safe_xml import Element, XmlError

ROUNDED = 1e-4
"""Maximum deviation of a sum from one in files written with few digits; probabilities are then rescaled."""


def conditional_table(
    node: Element, own: Variable, parents: Sequence[Variable], *, first_parent_fastest: bool = False
) -> Table:
    """The table of a `cpt`."""
    numbers = _numbers(node, "probabilities", own)
    combinations = [len(parent) for parent in parents]
    expected = prod(combinations) * len(own)
    if len(numbers) != expected:
        raise XmlError(
            node.line,
            f"node {own.name} has {len(numbers):,} probabilities, but its {len(own)} states "
            f"{_for_each_combination(parents)}make {expected:,}",
        )
    if first_parent_fastest:
        table = numbers.reshape(*reversed(combinations), len(own))
        axes = tuple(reversed(range(len(parents))))
        table = np.ascontiguousarray(table.transpose(*axes, len(parents)))
    else:
        table = numbers.reshape(*combinations, len(own))
    return _summing_to_one(table, node, own, parents)


def determined_table(node: Element, own: Variable, parents: Sequence[Variable]) -> Table:
    """The table of a `deterministic` node: zeros and ones."""
    words = _part(node, "resultingstates", own).text.split()
    combinations = [len(parent) for parent in parents]
    if len(words) != prod(combinations):
        raise XmlError(
            node.line,
            f"node {own.name} has {len(words):,} resulting states, "
            f"but its parents have {prod(combinations):,} combinations of states",
        )
    codes = {state: code for code, state in enumerate(own.states)}
    for word in words:
        if word not in codes:
            raise XmlError(
                node.line, f"node {own.name} results in {word!r}, but its states are {', '.join(own.states)}"
            )
    return np.eye(len(own))[[codes[word] for word in words]].reshape(*combinations, len(own))


def noisy_max_table(node: Element, own: Variable, parents: Sequence[Variable]) -> Table:
    """The table of a `noisymax` node."""
    numbers = _numbers(node, "parameters", own)
    columns = sum(len(parent) for parent in parents) + 1
    if len(numbers) != columns * len(own):
        raise XmlError(
            node.line,
            f"node {own.name} has {len(numbers):,} parameters, but {columns:,} columns "
            f"of {len(own)} states make {columns * len(own):,}",
        )
    effects = _summing_to_one(numbers.reshape(columns, len(own)), node, own, ())
    no_stronger = effects[:, ::-1].cumsum(axis=1)[:, ::-1]
    no_stronger = no_stronger / no_stronger[:, :1]
    combined: NDArray[np.float64] = no_stronger[-1]
    first = 0
    for parent, order in zip(parents, _strengths(node, own, parents), strict=True):
        by_state = np.empty((len(parent), len(own)))
        by_state[order] = no_stronger[first : first + len(parent)]
        combined = combined[..., None, :] * by_state
        first += len(parent)
    weaker: Table = np.zeros_like(combined)
    weaker[..., :-1] = combined[..., 1:]
    table: Table = combined - weaker
    return table


def _strengths(node: Element, own: Variable, parents: Sequence[Variable]) -> list[list[int]]:
    """The states of every parent in the order of its columns; their own order if the file does not give one."""
    found = node.child("strengths")
    if found is None:
        return [list(range(len(parent))) for parent in parents]
    words, orders = found.text.split(), []
    for parent in parents:
        codes = {str(code): code for code in range(len(parent))}
        order = [codes[word] for word in words[: len(parent)] if word in codes]
        if sorted(order) != list(codes.values()):
            raise XmlError(
                found.line,
                f"node {own.name}: its strengths are not a permutation of the states of {parent.name}",
            )
        orders.append(order)
        words = words[len(parent) :]
    if words:
        raise XmlError(found.line, f"node {own.name} has {len(words):,} strengths too many")
    return orders


def _part(node: Element, tag: str, own: Variable) -> Element:
    found = node.child(tag)
    if found is None:
        raise XmlError(node.line, f"node {own.name} has no <{tag}>")
    return found


def _numbers(node: Element, tag: str, own: Variable) -> NDArray[np.float64]:
    part = _part(node, tag, own)
    words = part.text.split()
    try:
        if not part.text.isascii() or "_" in part.text:
            raise ValueError
        number_of = {word: float(word) for word in set(words)}  # most occur many times
        numbers = np.fromiter(map(number_of.__getitem__, words), np.float64, len(words))
    except ValueError:
        wrong = next(word for word in words if not _is_number(word))
        raise XmlError(part.line, f"node {own.name}: {wrong[:40]!r} is not a probability") from None
    wrong_ones = np.flatnonzero(~((numbers >= 0) & (numbers <= 1 + ROUNDED)))
    if len(wrong_ones):
        raise XmlError(part.line, f"node {own.name}: {words[wrong_ones[0]]} is not a probability")
    return numbers


def _is_number(word: str) -> bool:
    if not word.isascii() or "_" in word:
        return False
    try:
        float(word)
    except ValueError:
        return False
    return True


def _summing_to_one(table: Table, node: Element, own: Variable, parents: Sequence[Variable]) -> Table:
    """The table unchanged if its rows sum to one, rescaled if they were rounded, refused otherwise."""
    sums = table.sum(axis=-1, keepdims=True)
    errors = np.abs(sums - 1.0)
    if (errors > ROUNDED).any():
        place = tuple(np.argwhere(errors[..., 0] > ROUNDED)[0].tolist())
        raise XmlError(
            node.line,
            f"node {own.name}: probabilities sum to {float(sums[(*place, 0)]):g} instead of 1{_at(parents, place)}",
        )
    return np.where(errors > SUM_TOLERANCE, table / sums, table)


def _at(parents: Sequence[Variable], place: Sequence[int]) -> str:
    if not place:
        return ""
    if not parents:
        return f" in column {place[0] + 1}"
    return " for " + ", ".join(
        f"{parent.name} {parent.states[code]}" for parent, code in zip(parents, place, strict=True)
    )


def _for_each_combination(parents: Sequence[Variable]) -> str:
    if not parents:
        return ""
    return f"for the states of {', '.join(f'{parent.name} ({len(parent)})' for parent in parents)} "
