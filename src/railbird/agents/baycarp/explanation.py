"""The reasons for BayCaRP's actions: its beliefs about opponents, its hand against them, and the similar situations."""

from collections.abc import Sequence

from railbird.agents.baycarp.cases import THRESHOLDS
from railbird.agents.baycarp.view import View, Viewer
from railbird.agents.casper.explanation import DOES, DOING, EXPERTS, PAST, case_sections, counted, missed
from railbird.cbr.cycle.episode import Episode
from railbird.cbr.packs.files import Pack
from railbird.equities.strength import hand_strength
from railbird.explanation import (
    COUNT,
    SHARE,
    SMALL_BETS,
    TIMES,
    Bar,
    Bars,
    Belief,
    Deferred,
    Explanation,
    Fact,
    RangeGrid,
    Section,
)
from railbird.explanation.formats import format_share, format_signed
from railbird.hands.groups import group_classes
from railbird.hands.types import HAND_TYPE_TITLES
from railbird.observation import Observation
from railbird.opponents.network.beliefs import Believed

LISTED_TYPES = 6
NAMED_GROUPS = 3
"""Number of starting-hand groups in the sentence about an opponent."""
EXAMPLES = 3
"""Number of starting hands that are named as examples of a group."""


def explain(
    pack: Pack,
    view: View,
    episode: Episode,
    observation: Observation,
    viewer: Viewer,
    who: str = EXPERTS,
) -> Explanation:
    """The reasons for a decision; `who` decided in the retrieved cases."""
    strategy, retrieved = episode.strategy, episode.retrieved
    assert strategy is not None
    assert retrieved is not None
    similar = "similar situations" if retrieved.met else "most similar situations"
    facts = [Fact(similar, counted(strategy), COUNT)]
    impossible = round(pack.bases[view.stage].counts[retrieved.rows].sum()) - counted(strategy)
    if strategy.votes and impossible:
        facts.append(Fact("similar situations with an action that is impossible here", impossible, COUNT))
    if len(retrieved):
        facts.append(Fact("required similarity", THRESHOLDS[view.stage], SHARE))
        facts.append(Fact("greatest similarity", float(retrieved.similarities[0]), SHARE))
    if view.measured is not None:
        hole, board = observation.hole_cards, observation.board
        facts += [
            Fact("relative hand strength", view.measured.strength, SHARE),
            Fact("hand strength against random cards", hand_strength(hole, board, len(view.believed)), SHARE),
            Fact("positive potential", view.measured.positive_potential, SHARE),
            Fact("negative potential", view.measured.negative_potential, SHARE),
        ]
    believed = view.believed or viewer.believed(observation)
    names = [observation.players[each.seat] for each in believed]
    return Explanation(
        _sentence(view, episode, who),
        tuple(facts),
        Deferred(
            lambda: (
                *belief_sections(believed, names),
                *_votes(episode, who),
                *case_sections(pack, view.stage, episode),
            )
        ),
    )


def _sentence(view: View, episode: Episode, who: str) -> str:
    strategy, retrieved = episode.strategy, episode.retrieved
    assert strategy is not None
    assert retrieved is not None
    if not strategy.votes or not sum(strategy.votes):
        return f"{_capital(who)} never took an action that is possible here, so it {DOES[strategy.best]}."
    votes, every = round(strategy.votes[strategy.solutions.index(strategy.best)]), counted(strategy)
    done = f"{who} {PAST[strategy.best]} in"
    if retrieved.met:
        where = f"{votes:,} of {every:,} similar situations" if every > 1 else "one similar situation"
    else:
        where = (
            f"{votes:,} of the {every:,} most similar situations"
            if every > 1
            else "the most similar situation"
        )
    if strategy.outcomes:
        worth = strategy.outcomes[strategy.solutions.index(strategy.best)]
        assert worth is not None
        best = f"{DOING[strategy.best]} was worth the most ({format_signed(worth, 2)} small bets)"
        said = f"In similar situations, {best}; {done} {where}."
    else:
        said = f"{_capital(done)} {where}."
    if not retrieved.met:
        said = f"{missed(retrieved, THRESHOLDS[view.stage])} {said}"
    if view.hand_types:
        name, chance = view.hand_types[0]
        said += f" The opponents' most probable hand: {HAND_TYPE_TITLES[name]} ({format_share(chance)})."
    return said


def belief_sections(believed: Sequence[Believed], names: Sequence[str]) -> tuple[Section, ...]:
    """What each opponent may hold, by name."""
    return tuple(
        Belief(
            name,
            RangeGrid.of(f"{name}'s range", each.range / each.range.sum(), "probability of each combo"),
            (
                Bars(
                    "starting-hand groups",
                    tuple(Bar(_group_label(group), chance) for group, chance in each.top_groups(10)),
                    SHARE,
                ),
                *(
                    [
                        Bars(
                            "hand types",
                            tuple(Bar(kind.title, chance) for kind, chance in each.top_types(LISTED_TYPES)),
                            SHARE,
                        )
                    ]
                    if len(each.types)
                    else []
                ),
            ),
            _belief_sentence(name, each),
        )
        for each, name in zip(believed, names, strict=True)
    )


def _belief_sentence(name: str, believed: Believed) -> str:
    """The most probable groups in words, with examples."""
    first, *others = (
        f"of group {group}, such as {_examples(group)} ({format_share(chance)})"
        for group, chance in believed.top_groups(NAMED_GROUPS)
    )
    return f"{name} most likely holds a starting hand {first}, then {' or '.join(others)}."


def _group_label(group: int) -> str:
    return f"group {group}: {_examples(group)}"


def _examples(group: int) -> str:
    """Some starting hands of a group: "AA, AKs, KK"."""
    return ", ".join(group_classes(group)[:EXAMPLES])


def _capital(words: str) -> str:
    return words[0].upper() + words[1:]


def _votes(episode: Episode, who: str) -> tuple[Section, ...]:
    strategy = episode.strategy
    assert strategy is not None
    voted = [place for place, votes in enumerate(strategy.votes) if votes]
    found: list[Section] = [
        Bars(
            f"what {who} did",
            tuple(Bar(PAST[strategy.solutions[place]], strategy.votes[place]) for place in voted),
            TIMES,
        )
    ]
    worth = [(strategy.solutions[place], strategy.outcomes[place]) for place in voted if strategy.outcomes]
    if worth:
        bars = tuple(Bar(name, value) for name, value in worth if value is not None)
        found.append(Bars("worth of each action", bars, SMALL_BETS))
    return tuple(found)
