"""BN-CBR-1 at the table: the opponents' most probable hand types activate and deactivate cases (baycarp-2011 §4.2.1).

- A group of cases is an action that costs something with a range of hand strengths, such as a call with a relative
  strength of 20 to 40 %. It succeeds if the hand is won. Actions that cost nothing cannot fail, so folds and checks are
  always compared.
- The condition of every group is the opponents' most probable hand type. How often each group's hands were won under
  each of them is counted from the watched cases.
- A group is inactive if its chance to win does not justify its price: in a pot of 9 bets, a call of one bet is inactive
  below 10 %.
- The hand type that beat it at a showdown is a feature that explains why a group failed; its sensor is whether the type
  is among the three most probable ones, and at which place. Chances change with every hand won or lost.
- Cases are compared without hand types: the network's input is hidden from the cases.
"""

from collections.abc import Mapping
from dataclasses import dataclass
from functools import cache, lru_cache
from itertools import pairwise
from typing import Any, TypeAlias

import numpy as np
from numpy.typing import NDArray

from railbird.agent import HandResult
from railbird.agents.baycarp.attributes import HAND_TYPES
from railbird.agents.baycarp.cases import THRESHOLDS, schema
from railbird.agents.baycarp.parts import PAID, Join, Parts, Solved, break_even, solved
from railbird.agents.baycarp.view import View
from railbird.agents.casper.attributes import STAGES
from railbird.bayes.structure import Variable
from railbird.cards import Card
from railbird.cbr.case_base import CaseBase
from railbird.cbr.cycle.episode import Episode
from railbird.cbr.cycle.reuse import Among
from railbird.cbr.packs.files import Pack
from railbird.cbr.target import Target
from railbird.engine.events import Act, DealBoard, Reveal
from railbird.explanation import COUNT, SHARE, Cell, Fact, TableSection
from railbird.features.outcomes import name_of, possible
from railbird.hands.types import HAND_TYPE_TITLES, HandType, hand_type
from railbird.joins.bn_cbr_1 import Activation, Feature, GroupedCases
from railbird.joins.cbr_bn_1 import Symptom, codes_of_cases
from railbird.observation import Observation

STRENGTH_EDGES = (0.2, 0.4, 0.6, 0.8)
"""The bounds of relative hand strength between groups."""
_STRENGTH = "relative hand strength"
_LABELS = tuple(each.label for each in HandType)
_PLACES = ("first", "second", "third", "none of these")
_MOST_PACKS = 4

Report: TypeAlias = tuple[str, dict[str, str], str, bool, list[str] | None, str | None]
"""A result: stage, evidence, group, whether the hand was won, the features present, the hand type that beat it."""


def group_name(action: str, strength: float) -> str:
    """The group of a decision that cost something."""
    return _groups(action)[int(np.searchsorted(STRENGTH_EDGES, strength, side="right"))]


@cache
def _groups(action: str) -> tuple[str, ...]:
    edges = [0, *(round(100 * each) for each in STRENGTH_EDGES), 100]
    return tuple(f"{action} with {low}–{high} %" for low, high in pairwise(edges))


@cache
def threat(label: str) -> Feature:
    """The feature that an opponent holds a hand of a type; its sensor is the type's place among the probable ones."""
    return Feature(f"an opponent holds {label}", (Variable(f"place of {label}", _PLACES),))


def evidence_of(view: View, names: tuple[str, ...]) -> dict[str, str]:
    """The evidence of a situation for these variables of a network."""
    types = [name for name, _ in view.hand_types]
    found = {f"place of {label}": _PLACES[3] for label in _LABELS}
    found |= {f"place of {label}": _PLACES[place] for place, label in enumerate(types)}
    found[HAND_TYPES[0]] = types[0]
    return {name: found[name] for name in names}


@dataclass(frozen=True, slots=True)
class _Stage:
    """The cases of a stage in groups, and when each group wins."""

    cases: GroupedCases
    activation: Activation


@lru_cache(maxsize=_MOST_PACKS)
def _stages(pack: Pack, watched: Pack) -> Mapping[str, _Stage]:
    return {stage: _stage(pack.bases[stage], watched.bases[stage]) for stage in STAGES[1:]}


def _stage(base: CaseBase, watched: CaseBase) -> _Stage:
    groups = tuple(group for action in PAID for group in _groups(action))
    activation = Activation([Variable(HAND_TYPES[0], _LABELS)], groups)
    of_case = _groups_of(watched)
    tells = np.flatnonzero((of_case >= 0) & watched.known.any(axis=1))
    types = codes_of_cases(watched, tells, [Symptom(HAND_TYPES[0], symbols=_LABELS)])
    activation.learn(types, of_case[tells], watched.sums[tells].sum(axis=1) > 0.0)
    cases = GroupedCases(base, [groups[place] if place >= 0 else None for place in of_case.tolist()])
    return _Stage(cases, activation)


def _groups_of(base: CaseBase) -> NDArray[np.int64]:
    """The place of each case's group; −1 for actions without a cost, and for cases with several actions."""
    solutions = base.schema.solutions
    action = base.counts.argmax(axis=1)
    first = np.array(
        [PAID.index(each) * (len(STRENGTH_EDGES) + 1) if each in PAID else -1 for each in solutions]
    )
    place = np.searchsorted(STRENGTH_EDGES, base.values[:, base.schema.place(_STRENGTH)], side="right")
    one = (base.counts > 0).sum(axis=1) == 1
    return np.where(one & (first[action] >= 0), first[action] + place, -1)


@dataclass(frozen=True, slots=True)
class _Made:
    """A decision whose hand has not ended yet."""

    observation: Observation
    view: View


class BnCbr1(Join):
    """Compares only cases that the opponents' hand types leave a chance to win."""

    def __init__(self, parts: Parts) -> None:
        self.parts = parts
        self.stages_ = _stages(parts.pack, parts.watched)
        self.activations_ = {stage: each.activation.copy() for stage, each in self.stages_.items()}
        untyped = dict.fromkeys(HAND_TYPES, 0.0)
        self.similarities_ = {
            stage: parts.retrieve[stage].similarity.with_weights(untyped) for stage in self.stages_
        }
        self.reported_: list[Report] = []
        """The results reported at the end of the last hand."""
        self._forget_hand(None)

    def _forget_hand(self, hand: tuple[int, tuple[Card, ...]] | None) -> None:
        self.hand_ = hand
        self.made_: dict[int, _Made] = {}
        """Decisions of the hand after the flop, by the number of actions before them."""

    def solve(self, observation: Observation, view: View) -> Solved:
        """What to do after the similar cases that are active."""
        if view.stage not in self.stages_:
            return self.parts.plainly(observation, view)
        off = self._off(observation, view)
        episode = self._active(observation, view, off)
        self._wait(observation, view)
        return self._explained(observation, view, episode, off)

    def episode(self, observation: Observation, view: View) -> Episode:
        """What to do after the similar cases that are active."""
        if view.stage not in self.stages_:
            return self.parts.plain_episode(observation, view)
        return self._active(observation, view, self._off(observation, view))

    def _off(self, observation: Observation, view: View) -> dict[str, tuple[float, float]]:
        """The inactive groups of cases: the chance to win of each, and its price."""
        activation = self.activations_[view.stage]
        chances = activation.chances(evidence_of(view, activation.evidence))
        allowed = possible(observation)
        prices = {action: break_even(observation, action) for action in PAID if action in allowed}
        return {
            group: (chances[group], price)
            for action, price in prices.items()
            for group in _groups(action)
            if chances[group] < price
        }

    def _active(
        self, observation: Observation, view: View, off: Mapping[str, tuple[float, float]]
    ) -> Episode:
        """The episode of the similar cases in active groups."""
        stage, activation = self.stages_[view.stage], self.activations_[view.stage]
        target = Target(schema(view.stage), view.attributes)
        found = stage.cases.retrieve(
            self.similarities_[view.stage],
            [group for group in activation.groups if group not in off],
            target,
            THRESHOLDS[view.stage],
            self.parts.k,
        )
        policy = Among(self.parts.reuse, possible(observation))
        return solved(policy(stage.cases.base, Episode(target, found)), observation)

    def _explained(
        self, observation: Observation, view: View, episode: Episode, off: Mapping[str, tuple[float, float]]
    ) -> Solved:
        cases = self.stages_[view.stage].cases
        active = len(cases) - sum(cases.size(group) for group in off)
        likeliest = HAND_TYPE_TITLES[view.hand_types[0][0]]
        rows: tuple[tuple[Cell, ...], ...] = tuple((group, *figures) for group, figures in off.items())
        return self.parts.explained(
            observation,
            view,
            episode,
            f"With {likeliest} as the opponents' most probable hand, {active:,} of {len(cases):,} cases are active.",
            (Fact("active cases", active, COUNT), Fact("inactive groups of cases", len(off), COUNT)),
            lambda: TableSection(
                "inactive groups of cases", ("group", "chance to win", "price"), rows, ("", SHARE, SHARE)
            ),
        )

    def _wait(self, observation: Observation, view: View) -> None:
        hand = (observation.hand_number, observation.hole_cards)
        if hand != self.hand_:
            self._forget_hand(hand)
        self.made_[len(observation.actions)] = _Made(observation, view)

    def end_hand(self, result: HandResult) -> None:
        """Report every decision of the hand that cost something, with the result of the showdown."""
        made, hand = self.made_, self.hand_
        self._forget_hand(None)
        self.reported_ = []
        if hand is None or hand[0] != result.hand_number:
            return
        won = result.payoffs[result.seat] > 0
        types, everybody = shown_types(result)
        present = [threat(each.label).name for each in types] if everybody else None
        beaten_by = max(types).label if types and not won else None
        acts = [event for event in result.events if isinstance(event, Act)]
        for place, each in made.items():
            if place >= len(acts) or acts[place].seat != result.seat:
                continue
            action = name_of(each.observation, acts[place].kind)
            if action not in PAID:
                continue
            names = self.activations_[each.view.stage].evidence
            if beaten_by is not None:
                names = (*names, *(sensor.name for sensor in threat(beaten_by).sensors))
            group = group_name(action, float(each.view.attributes[_STRENGTH]))
            self._report((each.view.stage, evidence_of(each.view, names), group, won, present, beaten_by))

    def _report(self, report: Report) -> None:
        stage, evidence, group, won, present, beaten_by = report
        reason = None if beaten_by is None else threat(beaten_by)
        self.activations_[stage].report(evidence, group, won, present, reason)
        self.reported_.append(report)

    def note(self) -> Any:
        """The reports of the last hand."""
        return self.reported_

    def recall(self, note: Any) -> None:
        """Report them again."""
        for report in note:
            self._report(report)


def shown_types(result: HandResult) -> tuple[list[HandType], bool]:
    """The hand types that opponents showed, and whether all opponents at the showdown showed theirs."""
    seat = result.seat
    revealed = {event.seat: event.cards for event in result.events if isinstance(event, Reveal)}
    if seat not in revealed:
        return [], False
    board = [card for event in result.events if isinstance(event, DealBoard) for card in event.cards]
    shown = [cards for other, cards in revealed.items() if other != seat]
    return [hand_type(cards, board) for cards in shown if cards is not None], None not in shown
