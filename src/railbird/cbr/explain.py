"""The reasons for a strategy: the cases, the similarity of every attribute, the votes and the outcomes."""

from collections.abc import Sequence

from railbird.cbr.case_base import Case, CaseBase
from railbird.cbr.cycle.episode import Episode, Retrieved
from railbird.cbr.schema import Attribute, Number, Schema, Value
from railbird.explanation.formats import format_share, format_value
from railbird.explanation.sections import (
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

SHOWN = 20
"""Maximum number of cases shown, the most similar ones first."""


def explain(base: CaseBase, episode: Episode, shown: int = SHOWN) -> Explanation:
    """The reasons for the strategy of an episode, as data."""
    retrieved = episode.retrieved
    if retrieved is None or len(retrieved) == 0:
        return Explanation("No similar case was found.", _decision(episode))
    facts = (
        Fact("cases", len(retrieved), COUNT),
        Fact("greatest similarity", float(retrieved.similarities[0]), SHARE),
        Fact("least similarity", float(retrieved.similarities[-1]), SHARE),
        *_decision(episode),
    )
    # Merged cases may get more decisions before the sections are read, so they are read now.
    cases = [base.case(number) for number in retrieved.rows[:shown].tolist()]
    return Explanation(
        _sentence(episode, retrieved), facts, Deferred(lambda: _sections(episode, retrieved, cases))
    )


def unit_of(attribute: Attribute) -> str:
    """The unit of an attribute: numbers between 0 and 1 are shares."""
    is_share = (
        isinstance(attribute, Number) and not attribute.whole and (attribute.low, attribute.high) == (0, 1)
    )
    return SHARE if is_share else ""


def worded(schema: Schema, name: str, value: Value) -> Cell:
    """A value of an attribute as it is written in a table with other attributes."""
    unit = unit_of(schema.attributes[schema.place(name)])
    return format_value(value, unit) if unit else schema.told(name, value)


def _decision(episode: Episode) -> tuple[Fact, ...]:
    return () if episode.solution is None else (Fact("solution", episode.solution),)


def _sentence(episode: Episode, retrieved: Retrieved) -> str:
    many = f"{len(retrieved):,} similar cases" if len(retrieved) > 1 else "One similar case"
    best = f"up to {format_share(float(retrieved.similarities[0]))}"
    kind = many if retrieved.met else f"No case was similar enough; the {len(retrieved):,} most similar"
    if episode.strategy is None:
        return f"{kind}, {best}, without a strategy."
    votes = zip(episode.strategy.solutions, episode.strategy.votes, strict=False)
    said = ", ".join(f"{vote:g} {solution}" for solution, vote in votes if vote > 0)
    return f"{kind}, {best}: {said}." if said else f"{kind}, {best}."


def _sections(episode: Episode, retrieved: Retrieved, cases: Sequence[Case]) -> tuple[Section, ...]:
    return (
        *_strategy(episode),
        _descriptions(episode, retrieved, cases),
        _similarities(episode, retrieved, cases),
    )


def _strategy(episode: Episode) -> tuple[Section, ...]:
    strategy = episode.strategy
    if strategy is None:
        return ()
    bars = [("probabilities", SHARE, strategy.probabilities), ("votes", TIMES, strategy.votes)]
    found: list[Section] = [
        Bars(title, tuple(map(Bar, strategy.solutions, values)), unit)
        for title, unit, values in bars
        if values
    ]
    worth = zip(strategy.solutions, strategy.outcomes, strict=False)
    known = tuple(Bar(solution, value) for solution, value in worth if value is not None)
    return (*found, Bars("outcomes", known)) if known else tuple(found)


def _descriptions(episode: Episode, retrieved: Retrieved, cases: Sequence[Case]) -> TableSection:
    names = retrieved.similarity.schema.names
    solutions = retrieved.similarity.schema.solutions
    target = episode.target.description
    rows: list[tuple[Cell, ...]] = [("this situation", 1.0, *(target[name] for name in names), *[""] * 2)]
    for case, similarity in zip(cases, retrieved.similarities.tolist(), strict=False):
        taken = ", ".join(f"{case.counts[name]} {name}" for name in solutions if case.counts[name])
        outcomes = ", ".join(f"{case.sums[name]:g} {name}" for name in solutions if case.known[name])
        rows.append((case.number, similarity, *(case.description[name] for name in names), taken, outcomes))
    columns = ("case", "similarity", *names, "decisions", "sums of outcomes")
    units = ("", SHARE, *map(unit_of, retrieved.similarity.schema.attributes), "", "")
    return TableSection("cases", columns, tuple(rows), units)


def _similarities(episode: Episode, retrieved: Retrieved, cases: Sequence[Case]) -> TableSection:
    similarity, target = retrieved.similarity, episode.target
    weights = [format_value(weight) for weight in similarity.weights().values()]
    rows: list[tuple[Cell, ...]] = [("weight", *weights)]
    for case in cases:
        local = similarity.locals_of(target.description, case.description, target.own)
        rows.append((case.number, *local.values()))
    names = similarity.schema.names
    return TableSection(
        "similarity by attribute", ("case", *names), tuple(rows), ("", *(SHARE for _ in names))
    )
