"""The reasons for CASPER's actions: what the experts did in similar situations, and how similar these were."""

from collections.abc import Sequence

from railbird.cbr.case_base import Case
from railbird.cbr.cycle.episode import Episode, Retrieved, Strategy
from railbird.cbr.cycle.plans import steps_of
from railbird.cbr.explain import worded
from railbird.cbr.packs.files import Pack
from railbird.engine.actions import ActionKind
from railbird.engine.wording import Verb, Wording
from railbird.explanation import (
    COUNT,
    SHARE,
    TIMES,
    Bar,
    Bars,
    Cell,
    Deferred,
    Explanation,
    Fact,
    Section,
    TableSection,
)
from railbird.explanation.formats import format_choices, format_share, format_signed, format_times
from railbird.observation import Observation

LISTED = 20
"""Maximum number of similar situations listed."""
COMPARED = 5
"""Maximum number of situations compared attribute by attribute."""

PAST = {verb.do: verb.did for verb in Verb}
"""Actions in the past tense."""
DOES = {verb.do: verb.does for verb in Verb}
"""Actions in the present tense."""
DOING = {verb.do: verb.doing for verb in Verb}
"""Actions as nouns."""
EXPERTS = "the experts"
"""The players who decided in the cases, unless they are an agent's own."""


def explain(
    pack: Pack, stage: str, episode: Episode, observation: Observation, threshold: float, who: str = EXPERTS
) -> Explanation:
    """The reasons for a decision. The pack's present cases must not change afterwards.

    Cases below the threshold are not similar enough.
    """
    retrieved, strategy = episode.retrieved, episode.strategy
    assert retrieved is not None
    assert strategy is not None
    wording = Wording.at(observation.node)
    did = wording.did
    if not len(retrieved):
        does = wording.verb(ActionKind.CALL).does
        return Explanation(f"It knows no cases {in_stage(stage)}, so it {does}.")
    facts = (
        Fact("similar situations" if retrieved.met else "most similar situations", counted(strategy), COUNT),
        Fact("required similarity", threshold, SHARE),
        Fact("greatest similarity", float(retrieved.similarities[0]), SHARE),
        Fact("least similarity", float(retrieved.similarities[-1]), SHARE),
    )
    return Explanation(
        _sentence(retrieved, strategy, did, who, threshold),
        facts,
        Deferred(lambda: _sections(pack, stage, episode, did, who)),
    )


def in_stage(stage: str) -> str:
    """The stage as a phrase, such as "on the flop"."""
    return "before the flop" if stage == "preflop" else f"on the {stage}"


def counted(strategy: Strategy) -> int:
    """The number of decisions that the strategy counts.

    A case has one unless equal situations were merged; decisions that are impossible here do not count.
    """
    return round(sum(strategy.votes))


def missed(retrieved: Retrieved, threshold: float) -> str:
    """That no case is similar enough, with the required and the best similarity."""
    best = format_share(float(retrieved.similarities[0]))
    return f"No situation was at least {format_share(threshold)} similar (the best was {best})."


def _sentence(
    retrieved: Retrieved, strategy: Strategy, did: Sequence[str], who: str, threshold: float
) -> str:
    count = counted(strategy)
    if retrieved.met:
        where = f"In {count:,} similar situations" if count > 1 else "In one similar situation"
    else:
        nearest = f"the {count:,} most similar ones" if count > 1 else "the most similar one"
        where = f"{missed(retrieved, threshold)} In {nearest}"
    done = [(word, votes / count) for word, votes in zip(did, strategy.votes, strict=True) if votes]
    if len(done) > 1:
        return f"{where} {who} {format_choices(done)}.{_choice(strategy, did)}"
    if count > 1:
        return f"{where} {who} always {done[0][0]}."
    return f"{where} {'the expert' if who == EXPERTS else who} {done[0][0]}."


def _choice(strategy: Strategy, did: Sequence[str]) -> str:
    """Why one action was taken, unless it was drawn."""
    if max(strategy.probabilities) < 1.0:
        return ""
    place = strategy.solutions.index(strategy.best)
    worth = strategy.outcomes[place] if strategy.outcomes else None
    if worth is None:
        return " It takes the most frequent action."
    return f" It takes the action with the best outcome: where they {did[place]}, {format_signed(worth, 2)} small bets."


def _sections(pack: Pack, stage: str, episode: Episode, did: Sequence[str], who: str) -> tuple[Section, ...]:
    retrieved, strategy = episode.retrieved, episode.strategy
    assert retrieved is not None
    assert strategy is not None
    return (
        Bars(f"what {who} did", tuple(map(Bar, did, strategy.votes)), TIMES),
        *case_sections(pack, stage, episode),
    )


def case_sections(pack: Pack, stage: str, episode: Episode) -> tuple[Section, ...]:
    """The most similar situations, their attributes, and the similarity of each attribute."""
    retrieved = episode.retrieved
    assert retrieved is not None
    cases = [pack.bases[stage].case(number) for number in retrieved.rows[:LISTED].tolist()]
    return (
        _situations(pack, stage, retrieved, cases),
        _values(episode, cases[:COMPARED]),
        _similarities(episode, retrieved, cases[:COMPARED]),
    )


def _situations(pack: Pack, stage: str, retrieved: Retrieved, cases: Sequence[Case]) -> TableSection:
    names = tuple(pack.riders.get(stage, {}))
    rows: list[tuple[Cell, ...]] = []
    for case, similarity in zip(cases, retrieved.similarities.tolist(), strict=False):
        rider = pack.rider(stage, case.number)
        rows.append((case.number, similarity, _done(stage, case), *(rider[name] for name in names)))
    return TableSection(
        "the most similar situations",
        ("case", "similarity", "expert's action", *names),
        tuple(rows),
        ("", SHARE, "", *("" for _ in names)),
    )


def _done(stage: str, case: Case) -> str:
    """The action of a case, in the words of its situation; with counts if a case holds several decisions."""
    facing = float(case.description["bets to call"]) > 0
    three = Wording(int(facing), int(facing or stage == "preflop"), 0, 0).did
    words = three if len(case.counts) == len(three) else tuple(map(in_the_past, case.counts))
    taken = [(count, word) for count, word in zip(case.counts.values(), words, strict=True) if count]
    if len(taken) == 1 and taken[0][0] == 1:
        return taken[0][1]
    return ", ".join(f"{word} {format_times(count)}" for count, word in taken)


def in_the_past(solution: str) -> str:
    """A solution in the past tense: one action, or an action and its follow-up in the same round."""
    first, second = steps_of(solution)
    return PAST[first] if second is None else f"{PAST[first]}, then {PAST[second]}"


def _values(episode: Episode, cases: Sequence[Case]) -> TableSection:
    target = episode.target
    rows: list[tuple[Cell, ...]] = [
        (
            name,
            *(
                worded(target.schema, name, each[name])
                for each in (target.description, *(case.description for case in cases))
            ),
        )
        for name in target.schema.names
    ]
    return TableSection(
        "attributes of these situations", ("attribute", "here", *_columns(cases)), tuple(rows)
    )


def _similarities(episode: Episode, retrieved: Retrieved, cases: Sequence[Case]) -> TableSection:
    similarity, target = retrieved.similarity, episode.target
    found = [similarity.locals_of(target.description, case.description, target.own) for case in cases]
    rows: list[tuple[Cell, ...]] = [
        (name, weight, *(local[name] for local in found)) for name, weight in similarity.weights().items()
    ]
    rows.append(("total", similarity.total, *retrieved.similarities[: len(cases)].tolist()))
    columns, units = ("attribute", "weight", *_columns(cases)), ("", "", *(SHARE for _ in cases))
    return TableSection("similarity by attribute", columns, tuple(rows), units)


def _columns(cases: Sequence[Case]) -> tuple[str, ...]:
    return tuple(f"case {case.number}" for case in cases)
