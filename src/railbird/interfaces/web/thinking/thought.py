"""An agent's decision at a table, as received from its process."""

from collections.abc import Mapping
from dataclasses import asdict, dataclass
from typing import Any

from railbird.agent import MatchStart
from railbird.agent.plain_form import action_from_json
from railbird.engine.actions import CALL, FOLD, Action
from railbird.engine.wording import Wording
from railbird.interfaces.brain.views import view_to_json
from railbird.observation import Observation


class ThinkerError(ValueError):
    """A question that cannot be answered, with the reason: an unknown or unsuitable agent, a lost process."""


@dataclass(frozen=True, slots=True)
class Thought:
    """An agent's decision."""

    action: Action
    """Always legal: an agent that failed checks if possible, otherwise it folds."""
    reasons: dict[str, Any] | None
    """The action in words, the strategy and the explanation, if they were requested immediately."""
    took: float
    """Thinking time in seconds."""
    fault: str = ""
    """Empty, or the kind of fault, such as "crash"; it reveals nothing about the hand."""
    detail: str = ""
    """A description of the fault. It may quote the agent, and so reveal its cards."""
    decision: int = 0
    """The number to use with `Thinkers.reasons`."""


def seen_by(observation: Observation, match: MatchStart) -> dict[str, Any]:
    """What a seat sees, and what its actions are called there."""
    return {
        "view": view_to_json(observation, match),
        "wording": asdict(Wording.at(observation.node)),
    }


def reasons_to_json(decision: Mapping[str, Any], wording: Wording) -> dict[str, Any]:
    """The reasons of a decision (`agent.plain_form`) as they are drawn: the action in words, the strategy and why."""
    action = action_from_json(decision["action"])
    assert action is not None
    strategy = [(action_from_json([kind, to]), chance) for kind, to, chance in decision["strategy"]]
    return {
        "action": wording.tell(action),
        "chance": next((chance for each, chance in strategy if each == action), None),
        "strategy": [{"action": wording.name(each), "chance": chance} for each, chance in strategy if each],
        "explanation": decision["explanation"],
    }


def thought_of(answer: Mapping[str, Any], observation: Observation) -> Thought:
    """The decision in an answer; an agent that failed checks or folds."""
    if "fault" in answer:
        return at_fault(observation, answer["fault"], answer["detail"])
    if "error" in answer:
        raise ThinkerError(answer["error"])
    action = action_from_json(answer["action"])
    assert action is not None
    return Thought(action, answer.get("reasons"), answer["took"], decision=answer["decision"])


def at_fault(observation: Observation, fault: str, detail: str, took: float = 0.0) -> Thought:
    """The replacement for a missing decision: a check if possible, otherwise a fold."""
    action = FOLD if observation.legal_actions.fold else CALL
    return Thought(action, None, took, fault, detail)
