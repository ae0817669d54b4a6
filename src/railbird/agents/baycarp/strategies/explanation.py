"""The reasons for BayCaRP's plans: the second actions in similar rounds, and the strategy being followed."""

from collections.abc import Mapping

from railbird.agents.baycarp.explanation import belief_sections
from railbird.agents.baycarp.view import View, Viewer
from railbird.agents.casper.explanation import PAST, counted, in_stage
from railbird.cbr.cycle.episode import Strategy
from railbird.cbr.cycle.plans import plan_name, steps_of
from railbird.explanation import TIMES, Bar, Bars, Deferred, Explanation, Fact, Section
from railbird.explanation.formats import format_choices
from railbird.observation import Observation


def with_follow_up(reasons: Explanation, first: str, follow_ups: Mapping[str, Strategy]) -> Explanation:
    """The reasons for a first action, and the planned second action of the round."""
    planned = follow_ups.get(first)
    if planned is None:
        return reasons
    said = f"If it must act again in this round, it will {_planned(planned)}; {_as_the_experts(planned)}."
    return Explanation(
        f"{reasons.summary} {said}",
        (Fact("strategy", in_words(plan_name(first, planned.best))), *reasons.facts),
        Deferred(lambda: (*_what_came_back(follow_ups), *reasons.sections)),
    )


def explain_follow_up(
    view: View, first: str, now: Strategy, planned: Strategy, observation: Observation, viewer: Viewer
) -> Explanation:
    """The reasons for the second action of a strategy: what is done now, and what was planned."""
    believed = view.believed or viewer.believed(observation)
    names = [observation.players[each.seat] for each in believed]
    said = f"It follows its plan {in_stage(view.stage)}: {first}, then {_planned(now)}"
    return Explanation(
        f"{said}; {_as_the_experts(planned)}.",
        (Fact("strategy", in_words(plan_name(first, now.best))),),
        Deferred(lambda: (*_what_came_back({first: planned}), *belief_sections(believed, names))),
    )


def in_words(strategy: str) -> str:
    """A strategy in words."""
    first, second = steps_of(strategy)
    return first if second is None else f"{first}, then {second}"


def _planned(planned: Strategy) -> str:
    chances = [(chance, name) for name, chance in planned.as_mapping().items() if chance > 0.0]
    if len(chances) == 1:
        return planned.best
    return format_choices((name, chance) for chance, name in chances)


def _as_the_experts(planned: Strategy) -> str:
    place = planned.solutions.index(planned.best)
    times, every = round(planned.votes[place]), counted(planned)
    return f"the experts {PAST[planned.best]} in {times:,} of {every:,} such round{'s' if every > 1 else ''}"


def _what_came_back(follow_ups: Mapping[str, Strategy]) -> tuple[Section, ...]:
    return tuple(
        Bars(
            f"what the experts did when they had to act again after a {first}",
            tuple(Bar(PAST[name], votes) for name, votes in zip(each.solutions, each.votes, strict=True)),
            TIMES,
        )
        for first, each in follow_ups.items()
    )
