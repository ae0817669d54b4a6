"""The official ACPC dealer's transaction log: every action with its times, enough to resume a match.

    c 17 1794770376.020685 1794770376.020774      action, hand, when the state was sent, when the reply arrived

Times are seconds with six decimals; here they are whole microseconds.
"""

import re
from dataclasses import dataclass

from railbird.engine.actions import Action, ActionError
from railbird.engine.betting_tree import BettingNode, verify
from railbird.engine.setup import Setup
from railbird.notation.acpc.reply import exact_action, read_action
from railbird.notation.reading import NotationError

MICROSECONDS = 1_000_000
_STAMPS = re.compile(r" ([0-9]{1,10}) ([0-9]{1,12})\.([0-9]{6}) ([0-9]{1,12})\.([0-9]{6})\n")


class TransactionError(NotationError):
    """A transaction log that does not match its game."""


@dataclass(frozen=True, slots=True)
class Transaction:
    """One action of a match."""

    action: Action
    hand_number: int
    sent: int
    """When the state was sent, in microseconds."""
    received: int
    """When the reply arrived, in microseconds."""


def format_time(microseconds: int) -> str:
    """A time as the official dealer prints it."""
    return f"{microseconds // MICROSECONDS}.{microseconds % MICROSECONDS:06d}"


def format_transaction(action: str, hand_number: int, sent: int, received: int) -> str:
    """The line of an action, with its line end."""
    return f"{action} {hand_number} {format_time(sent)} {format_time(received)}\n"


def parse_transaction(line: str, node: BettingNode, hand_number: int, setup: Setup) -> Transaction:
    """The action of a line, which must be legal in the given situation."""
    read = read_action(line, 0, setup)
    if read is None or read.kind is None:
        raise TransactionError(f"{line[:40]!r} does not begin with an action")
    stamps = _STAMPS.fullmatch(line, read.end)
    if stamps is None:
        raise TransactionError(
            f"{line[:60]!r} does not have a hand and two times after the action, or is truncated"
        )
    number, *times = map(int, stamps.groups())
    if number != hand_number:
        raise TransactionError(f"there is an action of hand {number} where hand {hand_number} continues")
    action = exact_action(read.kind, read.amount, node, setup)
    try:
        verify(setup.rules, node, action)
    except ActionError as error:
        raise TransactionError(f"hand {number}: {error}") from None
    return Transaction(action, number, times[0] * MICROSECONDS + times[1], times[2] * MICROSECONDS + times[3])
