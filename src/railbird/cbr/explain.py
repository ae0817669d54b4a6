"""The reasons for a strategy: the cases, the similarity of every attribute, the votes and the outcomes."""

from collections.abc import Sequence

from railbird.cbr.case_base import Case, CaseBase
from railbird.cbr.cycle.episode import Episode, Retrieved
from railbird.explanation.sections import Bar, Bars, Cell, Deferred, Explanation, Fact, Section, TableSection

SHOWN = 20
"""Maximum number of cases shown, the most similar ones first."""


def explain(base: CaseBase, episode: Episode, shown: int = SHOWN) -> Explanation:
    """The reasons for the strategy of an episode, as data."""
    retrieved = episode.retrieved
    if retrieved is None or len(retrieved) == 0:
        return Explanation("No similar case was found.", _decision(episode))
    facts = (
        Fact("cases", len(retrieved)),
        Fact("best similarity", float(retrieved.similarities[0])),
        Fact("least similarity", float(retrieved.similarities[-1])),
        *_decision(episode),
    )
    # Merged cases may get more decisions before the sections are read, so they are read now.
    cases = [base.case(number) for number in retrieved.rows[:shown].tolist()]
    return Explanation(
        _sentence(episode, retrieved), facts, Deferred(lambda: _sections(episode, retrieved, cases))
    )


def _decision(episode: Episode) -> tuple[Fact, ...]:
    return () if episode.solution is None else (Fact("solution", episode.solution),)


def _sentence(episode: Episode, retrieved: Retrieved) -> str:
    many = f"{len(retrieved):,} similar cases" if len(retrieved) > 1 else "One similar case"
    kind = many if retrieved.met else f"None was similar enough; the {len(retrieved):,} most similar"
    if episode.strategy is None:
        return f"{kind} without a strategy."
    votes = zip(episode.strategy.solutions, episode.strategy.votes, strict=False)
    said = ", ".join(f"{vote:g} {solution}" for solution, vote in votes if vote > 0)
    return f"{kind}, up to {retrieved.similarities[0]:.3f}: {said}." if said else f"{kind}."


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
    bars = [("probabilities", "", strategy.probabilities), ("votes", "decisions", strategy.votes)]
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
    rows: list[tuple[Cell, ...]] = [("target", 1.0, *(target[name] for name in names), *[""] * 2)]
    for case, similarity in zip(cases, retrieved.similarities.tolist(), strict=False):
        taken = ", ".join(f"{case.counts[name]} {name}" for name in solutions if case.counts[name])
        outcomes = ", ".join(f"{case.sums[name]:g} {name}" for name in solutions if case.known[name])
        rows.append((case.number, similarity, *(case.description[name] for name in names), taken, outcomes))
    return TableSection("cases", ("case", "similarity", *names, "decisions", "sums of outcomes"), tuple(rows))


def _similarities(episode: Episode, retrieved: Retrieved, cases: Sequence[Case]) -> TableSection:
    similarity, target = retrieved.similarity, episode.target
    rows: list[tuple[Cell, ...]] = [("weight", *similarity.weights().values())]
    for case in cases:
        local = similarity.locals_of(target.description, case.description, target.own)
        rows.append((case.number, *local.values()))
    return TableSection("similarity by attribute", ("case", *similarity.schema.names), tuple(rows))
