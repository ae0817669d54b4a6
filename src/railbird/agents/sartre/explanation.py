"""The reasons for SARTRE's actions: the most similar situations, what the expert did there, and what it earned."""

from collections.abc import Callable, Mapping, Sequence
from typing import cast

from railbird.agents.sartre.cases import SEQUENCE
from railbird.agents.sartre.sequences import LEVELS
from railbird.cbr.case_base import Case, CaseBase
from railbird.cbr.cycle.episode import Episode, Retrieved
from railbird.cbr.explain import unit_of, worded
from railbird.cbr.schema import Value
from railbird.cbr.similarity import SymbolSimilarity
from railbird.engine.actions import ActionKind
from railbird.engine.rules import Betting
from railbird.engine.wording import Wording
from railbird.explanation import (
    BIG_BLINDS,
    COUNT,
    SHARE,
    SMALL_BETS,
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
from railbird.explanation.formats import format_choices, format_times
from railbird.observation import Observation

LISTED = 20
"""Maximum number of cases listed."""
_STREETS = ("before the flop", "on the flop", "on the turn", "on the river")

LEVEL_WORDS = (
    "the same",
    "the same raises in every earlier round",
    "the same raises in all earlier rounds together",
    "not similar",
)
"""What the levels of similarity of two betting sequences mean (sartre-2012 §5.3.2)."""


def explain(
    base: CaseBase,
    episode: Episode,
    observation: Observation,
    did: Sequence[str],
    more: Callable[[], tuple[Section, ...]] = tuple,
    conclusion: tuple[str, Fact] | None = None,
) -> Explanation:
    """The reasons for a decision; `did` names the solutions in the past tense, `more` makes additional sections.

    The conclusion is a sentence and a fact about what follows from the cases.
    """
    is_limit = observation.rules.betting is Betting.LIMIT
    retrieved = episode.retrieved
    assert retrieved is not None
    if not len(retrieved):
        does = Wording.at(observation.node).verb(ActionKind.CALL).does
        summary = f"The expert was never seen in this situation {_STREETS[observation.round]}, so it {does}."
        return Explanation(summary, (), Deferred(more))
    rows = retrieved.rows[:LISTED].tolist()
    counts = base.counts[retrieved.rows].sum(axis=0).tolist()
    facts = (
        Fact("similarity", float(retrieved.similarities[0]), SHARE),
        Fact("decisions", sum(counts), COUNT),
        _sequence_fact(episode, base.description(rows[0]), is_limit),
    )
    summary = _sentence(retrieved, counts, did)
    return Explanation(
        summary if conclusion is None else f"{summary} {conclusion[0]}",
        facts if conclusion is None else (*facts, conclusion[1]),
        Deferred(
            lambda: (
                *_sections(base, episode, rows, did, SMALL_BETS if is_limit else BIG_BLINDS),
                *more(),
            )
        ),
    )


def _sentence(retrieved: Retrieved, counts: Sequence[int], did: Sequence[str]) -> str:
    times = sum(counts)
    kind = "this situation" if retrieved.similarities[0] == 1.0 else "the most similar situation"
    seen = f"seen {format_times(times)}"
    done = [(word, count / times) for word, count in zip(did, counts, strict=True) if count]
    if len(done) == 1:
        return f"In {kind}, {seen}, the expert {'always ' if times > 1 else ''}{done[0][0]}."
    return f"In {kind}, {seen}, the expert {format_choices(done)}."


def _sequence_fact(episode: Episode, description: Mapping[str, Value], is_limit: bool) -> Fact:
    """How similar the betting sequence is: by level at limit."""
    retrieved = episode.retrieved
    assert retrieved is not None
    metric = cast(SymbolSimilarity, retrieved.similarity.parts[SEQUENCE][0])
    local = metric(str(episode.target.description[SEQUENCE]), str(description[SEQUENCE]))
    if is_limit:
        return Fact("betting sequence", LEVEL_WORDS[LEVELS.index(local)])
    return Fact("similarity of the betting sequence", local, SHARE)


def _sections(
    base: CaseBase, episode: Episode, rows: Sequence[int], did: Sequence[str], unit: str
) -> tuple[Section, ...]:
    retrieved = episode.retrieved
    assert retrieved is not None
    cases = [base.case(row) for row in rows]
    counts = base.counts[retrieved.rows].sum(axis=0).tolist()
    known = base.known[retrieved.rows].sum(axis=0).tolist()
    sums = base.sums[retrieved.rows].sum(axis=0).tolist()
    earned = tuple(
        Bar(word, total / number) for word, total, number in zip(did, sums, known, strict=True) if number
    )
    done = tuple(Bar(word, count) for word, count in zip(did, counts, strict=True) if count)
    found: list[Section] = [Bars("what the expert did", done, TIMES)]
    if earned:
        found.append(Bars("what this earned in the whole hand, on average", earned, unit))
    return (*found, _compared(episode, cases[0]), _listed(retrieved, cases, did))


def _compared(episode: Episode, case: Case) -> TableSection:
    """The situation and the most similar case, attribute by attribute."""
    retrieved, target = episode.retrieved, episode.target.description
    assert retrieved is not None
    similarities = retrieved.similarity.locals_of(target, case.description)
    schema = episode.target.schema
    rows: list[tuple[Cell, ...]] = [
        (name, *(worded(schema, name, each[name]) for each in (target, case.description)), similarity)
        for name, similarity in similarities.items()
    ]
    rows.append(("mean", "", "", float(retrieved.similarities[0])))
    return TableSection(
        "the most similar situation",
        ("attribute", "here", "there", "similarity"),
        tuple(rows),
        ("", "", "", SHARE),
    )


def _listed(retrieved: Retrieved, cases: Sequence[Case], did: Sequence[str]) -> TableSection:
    schema = retrieved.similarity.schema
    rows: list[tuple[Cell, ...]] = []
    for case, similarity in zip(cases, retrieved.similarities.tolist(), strict=False):
        done = ", ".join(
            f"{word} {format_times(count)}"
            for word, count in zip(did, case.counts.values(), strict=True)
            if count
        )
        values = (schema.told(name, case.description[name]) for name in schema.names)
        rows.append((case.number, similarity, *values, done))
    columns = ("case", "similarity", *schema.names, "expert's actions")
    units = ("", SHARE, *map(unit_of, schema.attributes), "")
    return TableSection("retrieved cases", columns, tuple(rows), units)
