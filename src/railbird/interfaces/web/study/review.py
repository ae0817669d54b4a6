"""The decisions of a session in which an agent would have acted differently, ordered by what they cost.

The agent sits in the player's seat for the whole session. It sees what the seat saw, hand by hand, is asked at every
decision of the player, and then the player's own action is performed. How a decision is judged depends on what the
agent states about it:

- values of actions (`Decision.values`): the cost is what the player's action is worth less than the best one. It is
  listed from `CLEAR` standard errors on; a smaller difference may be chance.
- a strategy: the player's action is listed if the agent takes it at most in `RARE` of all cases. There is no cost.
- neither: any other action than the agent's own is listed.

This module is independent of processes, as `questions` is.
"""

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from math import log
from typing import Any, Literal, TypeAlias, get_args

from railbird.agent import Agent, Decision, HandResult, MatchStart, display_name
from railbird.agent.faults import AgentFault, called
from railbird.agent.plain_form import decision_to_json
from railbird.arena.play.guard import GuardedAgent
from railbird.arena.play.hand import finish_hand
from railbird.cards import format_card
from railbird.engine.actions import Action, ActionKind
from railbird.engine.events import Event
from railbird.engine.rules import GameRules
from railbird.engine.wording import Wording
from railbird.interfaces.web.study.questions import Cancelled, MakeAgent, Progress, StudyError, WrittenHand
from railbird.interfaces.web.table.dealt_hand import DealtHand
from railbird.interfaces.web.thinking.thought import reasons_to_json
from railbird.observation import Observation
from railbird.places import without_passwords
from railbird.plain_data import write_json
from railbird.rng import Stream

CLEAR = 2.0
"""Number of standard errors from which a difference between two actions is listed."""
RARE = 0.1
"""An action that a strategy takes at most this often is listed."""
MOST_FINDINGS = 40
"""Maximum number of listed decisions; all are counted."""

Measure: TypeAlias = Literal["value", "chance", "action"]
"""What decisions are judged by: values of actions, probabilities, or the agent's action alone."""
MEASURES: tuple[Measure, ...] = get_args(Measure)


@dataclass(frozen=True, slots=True)
class ReviewQuestion:
    """The question which decisions of a player an agent would have made differently."""

    rules: GameRules
    label: str
    """The player."""
    agent: str
    players: Sequence[str]
    """The labels of all players of the session."""
    hands: Sequence[WrittenHand]
    """The hands in order; all of them are finished."""
    seed: str = ""
    """Seed of the agent's randomness; the same seed gives the same answer."""


@dataclass(frozen=True, slots=True)
class ActionJudgement:
    """How a player's action compares with what an agent states."""

    measure: Measure
    cost: float = 0.0
    """What it is worth less than the best action, in chips."""
    error: float = 0.0
    """The standard error of the cost."""
    chance: float = 0.0
    """How often the agent takes it."""

    @property
    def is_listed(self) -> bool:
        """Whether the agent clearly would have acted differently."""
        if self.measure == "value":
            return self.cost > 0 and self.cost >= CLEAR * self.error
        return self.chance <= RARE

    @property
    def is_close(self) -> bool:
        """Whether another action seems better, but by less than chance could explain."""
        return self.measure == "value" and self.cost > 0 and not self.is_listed


def judge(decision: Decision, own: Action) -> ActionJudgement:
    """How a player's own action compares with an agent's decision in the same place."""
    if decision.values:
        best = max(value.chips for value in decision.values)
        taken = _nearest({value.action: value for value in decision.values}, own)
        # Only folding may be missing among the actions: it is worth nothing.
        chips, error = (taken.chips, taken.error) if taken is not None else (0.0, 0.0)
        return ActionJudgement("value", best - chips, error)
    if decision.strategy:
        return ActionJudgement("chance", chance=_nearest(dict(decision.strategy), own) or 0.0)
    return ActionJudgement("action", chance=float(decision.action == own))


def _nearest(options: Mapping[Action, Any], own: Action) -> Any:
    """What belongs to an action; for a raise, to the raise of the most similar size."""
    if own.kind is not ActionKind.RAISE:
        return options.get(own)
    raises = [action for action in options if action.kind is ActionKind.RAISE]
    return options[min(raises, key=lambda action: abs(log(action.to / own.to)))] if raises else None


@dataclass(frozen=True, slots=True)
class ReviewedDecision:
    """A decision that the agent would have made differently."""

    hand: int
    step: int
    """The number of actions before it."""
    own: Action
    observation: Observation
    """What the player saw."""
    decision: Decision
    judgement: ActionJudgement

    @property
    def order(self) -> tuple[float, float, int]:
        """The sort key: the greatest cost first, then the rarest action, then the largest pot."""
        return -self.judgement.cost, self.judgement.chance, -self.observation.pot

    def to_json(self) -> dict[str, Any]:
        """Everything but the reasons, as plain data."""
        seen, judged, wording = self.observation, self.judgement, Wording.at(self.observation.node)
        return {
            "hand": self.hand,
            "step": self.step,
            "round": seen.rules.round_name(seen.round),
            "cards": [format_card(card) for card in seen.hole_cards],
            "board": [format_card(card) for card in seen.board],
            "pot": seen.pot,
            "own": wording.name(self.own),
            "agent": wording.name(self.decision.action),
            "cost": judged.cost if judged.measure == "value" else None,
            "error": judged.error if judged.measure == "value" else None,
            "chance": judged.chance if judged.measure == "chance" else None,
        }

    def _reasons(self, sections: bool = False) -> dict[str, Any]:
        decision = decision_to_json(self.decision, sections=sections)
        decision["explanation"].setdefault("sections", [])
        return reasons_to_json(decision, Wording.at(self.observation.node))

    def reasons_text(self, agent: str) -> str:
        """The agent's reasons as JSON, without sections if it fails to give them."""
        try:
            reasons = called(self._reasons, True)
        except AgentFault:
            reasons = self._reasons()
        return write_json(
            {"name": display_name(agent), "agent": without_passwords(agent), **reasons}
        ).decode()


@dataclass(frozen=True, slots=True)
class Reviewed:
    """What a review found."""

    measure: Measure
    decisions: int
    """The number of decisions of the player."""
    different: int
    """How many of them the agent would have made differently, listed or not."""
    close: int
    """How many were too close to call."""
    cost: float
    """What all different ones cost together, in chips."""
    faults: int
    """How often the agent failed; those decisions are left out."""
    findings: tuple[ReviewedDecision, ...]

    def to_json(self, agent: str) -> dict[str, Any]:
        """Plain data; reasons are texts, because they are long and each is asked for by itself."""
        return {
            "measure": self.measure,
            "decisions": self.decisions,
            "different": self.different,
            "close": self.close,
            "cost": self.cost,
            "faults": self.faults,
            "findings": [finding.to_json() for finding in self.findings],
            "reasons": [finding.reasons_text(agent) for finding in self.findings],
        }


def review(
    question: ReviewQuestion, make: MakeAgent, progress: Progress, cancelled: Callable[[], bool]
) -> Reviewed:
    """Go through the hands with a fresh agent in the player's seat."""
    guard = GuardedAgent(question.label, make(question.agent, question.rules))
    stream = Stream.from_seed(question.seed).child("review")
    guard.begin_match(MatchStart(question.rules, question.label, tuple(question.players), stream))
    seat = _ReviewedSeat(guard)
    progress(0, len(question.hands))
    for place, played in enumerate(question.hands):
        if cancelled():
            raise Cancelled
        _replay(played, question.label, seat)
        progress(place + 1, len(question.hands))
    return seat.reviewed()


def _replay(played: WrittenHand, label: str, seat: "_ReviewedSeat") -> None:
    hand = DealtHand.restored(played.number, played.start, played.done)
    if not hand.state.is_over:
        raise StudyError(f"hand {played.number} is not over, so it cannot be reviewed")
    if label not in hand.players:
        return
    actions = iter(hand.state.actions)
    # Restored without its actions, so that nothing in an observation leads to what happened later.
    state = DealtHand.restored(played.number, played.start, "").state
    seat.begin(played.number, actions)
    agents = [seat if player == label else _Script(actions) for player in hand.players]
    finish_hand(state, agents, hand.players, played.number)


class _Script(Agent):
    """Does what was done."""

    def __init__(self, actions: Iterator[Action]) -> None:
        self._actions = actions

    def act(self, observation: Observation) -> Decision:  # noqa: ARG002
        return Decision(next(self._actions))


class _ReviewedSeat(Agent):
    """Does what the player did, and notes what the agent would have done."""

    def __init__(self, guard: GuardedAgent) -> None:
        self._guard = guard
        self._findings: list[ReviewedDecision] = []
        self._measures: set[Measure] = set()
        self._decisions = self._different = self._close = 0
        self._cost = 0.0

    @property
    def listens(self) -> bool:
        return self._guard.listens

    @property
    def learns(self) -> bool:
        return self._guard.learns

    def begin(self, hand: int, actions: Iterator[Action]) -> None:
        self._hand, self._actions = hand, actions

    def hear(self, event: Event) -> None:
        self._guard.hear(event)

    def act(self, observation: Observation) -> Decision:
        own = next(self._actions)
        faults = len(self._guard.records)
        decision = self._guard.act(observation)
        if not self._guard.forfeited and len(self._guard.records) == faults:
            self._note(observation, decision, own)
        return Decision(own)

    def end_hand(self, result: HandResult) -> None:
        self._guard.end_hand(result)

    def _note(self, observation: Observation, decision: Decision, own: Action) -> None:
        judgement = judge(decision, own)
        self._decisions += 1
        self._measures.add(judgement.measure)
        self._close += judgement.is_close
        if not judgement.is_listed:
            return
        self._different += 1
        self._cost += judgement.cost
        step = len(observation.node.path)
        self._findings.append(ReviewedDecision(self._hand, step, own, observation, decision, judgement))
        self._findings.sort(key=lambda finding: finding.order)
        del self._findings[MOST_FINDINGS:]

    def reviewed(self) -> Reviewed:
        return Reviewed(
            next((measure for measure in MEASURES if measure in self._measures), "action"),
            self._decisions,
            self._different,
            self._close,
            self._cost,
            len(self._guard.records),
            tuple(self._findings),
        )
