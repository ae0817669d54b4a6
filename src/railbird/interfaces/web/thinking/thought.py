"""What an agent decided at a table, as its process tells it."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from railbird.agent import MatchStart
from railbird.agent.plain_form import action_from_json
from railbird.engine.actions import CALL, FOLD, Action
from railbird.interfaces.brain.views import view_to_json
from railbird.observation import Observation


class ThinkerError(ValueError):
    """What cannot be thought about, in one sentence: an agent that does not exist or play the game, a lost process."""


@dataclass(frozen=True, slots=True)
class Thought:
    """What an agent decided."""

    action: Action
    """Legal in any case: who is at fault checks, or folds where it cannot."""
    reasons: dict[str, Any] | None
    """The action in words, the strategy and the explanation, where they were asked for at once."""
    took: float
    """Seconds of thinking."""
    fault: str = ""
    """Empty, or what went wrong in a word or two, such as "crash": it tells nothing of the hand."""
    detail: str = ""
    """A sentence about the fault. It may quote the agent, and so tell its cards."""
    decision: int = 0
    """The number by which `Thinkers.reasons` knows it."""


def seen_by(observation: Observation, match: MatchStart) -> dict[str, Any]:
    """What a seat sees, and what its actions are called."""
    return {
        "view": view_to_json(observation, match),
        "call": observation.to_call,
        "opens": not observation.to_match,
    }


def thought_of(answer: Mapping[str, Any], observation: Observation) -> Thought:
    """The decision of an answer; an agent that is at fault checks or folds."""
    if "fault" in answer:
        return at_fault(observation, answer["fault"], answer["detail"])
    if "error" in answer:
        raise ThinkerError(answer["error"])
    action = action_from_json(answer["action"])
    assert action is not None
    return Thought(action, answer.get("reasons"), answer["took"], decision=answer["decision"])


def at_fault(observation: Observation, fault: str, detail: str, took: float = 0.0) -> Thought:
    """What becomes of a decision that was not made: to check, or to fold where that is not possible."""
    action = FOLD if observation.legal_actions.fold else CALL
    return Thought(action, None, took, fault, detail)
