"""Fold, call, raise-to: what a seat can do, and what it may do now."""

from enum import IntEnum
from typing import NamedTuple

from railbird.kernels.rules import betting


class ActionError(ValueError):
    """An action that the rules do not allow; the state is unchanged."""


class ActionKind(IntEnum):
    """What an action is; a check is a call that costs nothing, a bet is the first raise of a round."""

    FOLD = betting.FOLD
    CALL = betting.CALL
    RAISE = betting.RAISE


class Action(NamedTuple):
    """One decision. `to` is the total bet of this round after a raise ("raise-to"), 0 otherwise."""

    kind: ActionKind
    to: int = 0

    def __str__(self) -> str:
        return f"raise to {self.to}" if self.kind is ActionKind.RAISE else self.kind.name.lower()


FOLD = Action(ActionKind.FOLD)
CALL = Action(ActionKind.CALL)


def raise_to(amount: int) -> Action:
    """A bet or raise that makes this seat's total bet of the round `amount`."""
    return Action(ActionKind.RAISE, amount)


class LegalActions(NamedTuple):
    """What the seat to act may do. Calling is always possible; it costs `call` chips (a check costs 0)."""

    fold: bool
    call: int
    raise_minimum: int
    """The smallest amount to raise to, 0 when no raise is possible."""
    raise_maximum: int
    """The largest amount to raise to, 0 when no raise is possible."""

    @property
    def can_raise(self) -> bool:
        """Whether a bet or raise is possible."""
        return self.raise_maximum > 0

    def allows(self, action: Action) -> bool:
        """Whether an action is legal."""
        match action.kind:
            case ActionKind.FOLD:
                return self.fold and not action.to
            case ActionKind.CALL:
                return not action.to
            case ActionKind.RAISE:
                return self.raise_maximum > 0 and self.raise_minimum <= action.to <= self.raise_maximum

    def kinds(self) -> tuple[Action, ...]:
        """One action of each legal kind; a raise is the minimum raise."""
        actions = [FOLD] if self.fold else []
        actions.append(CALL)
        if self.raise_maximum:
            actions.append(raise_to(self.raise_minimum))
        return tuple(actions)
