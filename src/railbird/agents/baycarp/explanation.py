"""The reasons for BayCaRP's actions: its beliefs about opponents, its hand against them, and the similar situations."""

from collections.abc import Sequence

from railbird.agents.baycarp.view import View, Viewer
from railbird.agents.casper.explanation import DOING, PAST, case_sections
from railbird.cbr.cycle.episode import Episode
from railbird.cbr.packs.files import Pack
from railbird.equities.strength import hand_strength
from railbird.explanation import Bar, Bars, Belief, Deferred, Explanation, Fact, RangeGrid, Section
from railbird.observation import Observation
from railbird.opponents.network.beliefs import Believed

LISTED_TYPES = 6


def explain(
    pack: Pack, view: View, episode: Episode, observation: Observation, viewer: Viewer
) -> Explanation:
    """The reasons for a decision."""
    strategy, retrieved = episode.strategy, episode.retrieved
    assert strategy is not None
    assert retrieved is not None
    facts = [Fact("similar situations", len(retrieved))]
    if len(retrieved):
        facts.append(Fact("greatest similarity", float(retrieved.similarities[0])))
    if view.measured is not None:
        hole, board = observation.hole_cards, observation.board
        facts += [
            Fact("relative hand strength", view.measured.strength),
            Fact("hand strength against random cards", hand_strength(hole, board, len(view.believed))),
            Fact("positive potential", view.measured.positive_potential),
            Fact("negative potential", view.measured.negative_potential),
        ]
    believed = view.believed or viewer.believed(observation)
    names = [observation.players[each.seat] for each in believed]
    return Explanation(
        _sentence(view, episode),
        tuple(facts),
        Deferred(
            lambda: (
                *belief_sections(believed, names),
                *_votes(episode),
                *case_sections(pack, view.stage, episode),
            )
        ),
    )


def _sentence(view: View, episode: Episode) -> str:
    strategy, retrieved = episode.strategy, episode.retrieved
    assert strategy is not None
    assert retrieved is not None
    if not strategy.votes or not sum(strategy.votes):
        return f"There are no similar cases, so it {strategy.best}s."
    done = f"the experts {PAST[strategy.best]} in {int(strategy.votes[strategy.solutions.index(strategy.best)]):,}"
    where = f"of {int(sum(strategy.votes)):,} similar situations"
    if strategy.outcomes:
        worth = strategy.outcomes[strategy.solutions.index(strategy.best)]
        best = f"{DOING[strategy.best]} was worth the most ({worth:+.2f} small bets)"
        said = f"In similar situations, {best}; {done} {where}."
    else:
        said = f"{done[0].upper()}{done[1:]} {where}."
    if view.hand_types:
        name, chance = view.hand_types[0]
        said += f" The opponents' most probable hand is {name} ({chance:.0%})."
    return said


def belief_sections(believed: Sequence[Believed], names: Sequence[str]) -> tuple[Section, ...]:
    """What each opponent may hold, by name."""
    return tuple(
        Belief(
            name,
            RangeGrid.of(f"{name}'s range", each.range / each.range.max()),
            (
                Bars(
                    "hand groups",
                    tuple(Bar(f"group {group}", chance) for group, chance in each.top_groups(10)),
                ),
                *(
                    [
                        Bars(
                            "hand types",
                            tuple(Bar(kind.label, chance) for kind, chance in each.top_types(LISTED_TYPES)),
                        )
                    ]
                    if len(each.types)
                    else []
                ),
            ),
        )
        for each, name in zip(believed, names, strict=True)
    )


def _votes(episode: Episode) -> tuple[Section, ...]:
    strategy = episode.strategy
    assert strategy is not None
    counted = [place for place, votes in enumerate(strategy.votes) if votes]
    found: list[Section] = [
        Bars(
            "what the experts did",
            tuple(Bar(PAST[strategy.solutions[place]], strategy.votes[place]) for place in counted),
            "times",
        )
    ]
    worth = [(strategy.solutions[place], strategy.outcomes[place]) for place in counted if strategy.outcomes]
    if worth:
        bars = tuple(Bar(name, value) for name, value in worth if value is not None)
        found.append(Bars("worth of each action", bars, "small bets"))
    return tuple(found)
