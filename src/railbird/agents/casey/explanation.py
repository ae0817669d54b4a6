"""The reasons for CASEY's actions: what similar situations earned, by strategy and by stage."""

from collections.abc import Sequence

from railbird.agents.casey.attributes import STAGES
from railbird.agents.casey.cases import SOLUTIONS, Experience, Plan
from railbird.cbr.cycle.episode import Episode
from railbird.cbr.cycle.plans import steps_of
from railbird.cbr.explain import explain, unit_of
from railbird.engine.actions import ActionKind
from railbird.engine.wording import Wording
from railbird.explanation import (
    COUNT,
    SMALL_BETS,
    Bar,
    Bars,
    Cell,
    Deferred,
    Explanation,
    Fact,
    Section,
    TableSection,
)
from railbird.explanation.formats import format_signed
from railbird.observation import Observation


def explain_choice(
    plan: Plan, episode: Episode, known: Experience, observation: Observation, adequate: int
) -> Explanation:
    """Why a plan was chosen."""
    words = in_words(plan.solution, observation)
    facts = (
        Fact("strategy", words),
        Fact(f"{known.name} cases", len(known.cases), COUNT),
        *(
            Fact(each.name, episode.target.description[each.name], unit_of(each))
            for each in episode.target.schema.attributes
        ),
    )
    if episode.retrieved is None:
        missing = f"{len(known.cases):,} of {adequate:,} {known.name} cases"
        return Explanation(f"It is still learning ({missing}), so it chose at random: {words}.", facts)
    if episode.strategy is None:
        return Explanation(f"It knows no similar situation, so it chose at random: {words}.", facts)
    earned = episode.strategy.outcomes[SOLUTIONS.index(plan.solution)]
    assert earned is not None
    count = len(episode.retrieved)
    situations = f"{count:,} similar situations" if count > 1 else "one similar situation"
    summary = (
        f"In {situations}, the best strategy earned {format_signed(earned, 1)} small bets in total: {words}."
    )
    if plan.first is ActionKind.FOLD:
        summary = f"In {situations}, no other strategy made a profit: {words}."

    # Cases never change, so the sections can be made later.
    def sections() -> Sequence[Section]:
        cases = tuple(
            section for section in explain(known.cases, episode).sections if isinstance(section, TableSection)
        )
        return (*_earnings(episode, known, observation), *cases)

    return Explanation(summary, (Fact("similar cases", count, COUNT), *facts), Deferred(sections))


def explain_follow_up(plan: Plan, observation: Observation) -> Explanation:
    """The reasons for a follow-up, when CASEY must act again in a stage."""
    first = {ActionKind.CALL: "check or call", ActionKind.RAISE: "bet or raise"}[plan.first]
    words = f"{first}, then {plan.follow_up.name.lower()}"
    return Explanation(
        f"It follows its plan for the {STAGES[observation.round]}: {words}.",
        (Fact("strategy", words),),
    )


def in_words(solution: str, observation: Observation) -> str:
    """A solution in the words of a player, for this situation."""
    first, follow_up = steps_of(solution)
    first = Wording.at(observation.node).verb(ActionKind[first.upper()]).do
    return f"{first}, then {follow_up}" if follow_up else first


def _earnings(episode: Episode, known: Experience, observation: Observation) -> tuple[Section, ...]:
    """The total earnings of every strategy, and the actions in the retrieved cases with their outcomes by stage."""
    assert episode.strategy is not None
    assert episode.retrieved is not None
    worth = zip(SOLUTIONS, episode.strategy.outcomes, strict=True)
    plans = tuple(Bar(in_words(name, observation), value) for name, value in worth if value is not None)
    rows = episode.retrieved.rows
    done: list[tuple[Cell, ...]] = []
    for place, name in enumerate(SOLUTIONS):
        chosen = rows[known.cases.counts[rows, place] > 0].tolist()
        if not chosen:
            continue
        outcomes = [known.outcomes[case] for case in chosen]
        count = len(chosen)
        by_stage = [
            sum(outcome.stages[stage] for outcome in outcomes) / count for stage in range(len(STAGES))
        ]
        net = sum(outcome.net for outcome in outcomes) / count
        earned = float(known.cases.sums[chosen, place].sum())
        done.append((in_words(name, observation), count, earned, earned / count, *by_stage, net))
    columns = ("action", "cases", "earned from here", "per case", *STAGES, "net")
    return (
        Bars("total earnings of each strategy from this decision on", plans, SMALL_BETS),
        TableSection(
            "actions in similar situations, with the mean outcome of each stage and of the hand",
            columns,
            tuple(done),
            ("", COUNT, *(SMALL_BETS for _ in columns[2:])),
        ),
    )
