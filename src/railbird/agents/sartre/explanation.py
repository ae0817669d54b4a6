"""The reasons for SARTRE's actions: the most similar situations, what the expert did there, and what it earned."""

from collections.abc import Callable, Mapping, Sequence
from typing import cast

from railbird.agents.sartre.cases import SEQUENCE
from railbird.agents.sartre.sequences import LEVELS
from railbird.cbr.case_base import Case, CaseBase
from railbird.cbr.cycle.episode import Episode, Retrieved
from railbird.cbr.schema import Value
from railbird.cbr.similarity import SymbolSimilarity
from railbird.engine.rules import Betting
from railbird.explanation import Bar, Bars, Cell, Deferred, Explanation, Fact, Section, TableSection
from railbird.observation import Observation

LISTED = 20
"""Maximum number of cases listed."""
_STREETS = ("before the flop", "on the flop", "on the turn", "on the river")


def limit_words(observation: Observation) -> tuple[str, str, str]:
    """What folding, calling and raising are called in a situation, in the past tense."""
    facing, somebody_bet = observation.to_call > 0, observation.to_match > 0
    return "folded", "called" if facing else "checked", "raised" if somebody_bet else "bet"


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
        doing = "calls" if observation.to_call else "checks"
        summary = (
            f"The expert was never seen in this situation {_STREETS[observation.round]}, so SARTRE {doing}."
        )
        return Explanation(summary, (), Deferred(more))
    rows = retrieved.rows[:LISTED].tolist()
    counts = base.counts[retrieved.rows].sum(axis=0).tolist()
    facts = (
        Fact("similarity", float(retrieved.similarities[0])),
        Fact("decisions", sum(counts)),
        _sequence_fact(episode, base.description(rows[0]), is_limit),
    )
    summary = _sentence(retrieved, counts, did)
    return Explanation(
        summary if conclusion is None else f"{summary} {conclusion[0]}",
        facts if conclusion is None else (*facts, conclusion[1]),
        Deferred(
            lambda: (
                *_sections(base, episode, rows, did, "small bets" if is_limit else "big blinds"),
                *more(),
            )
        ),
    )


def _sentence(retrieved: Retrieved, counts: Sequence[int], did: Sequence[str]) -> str:
    times = sum(counts)
    kind = "this situation" if retrieved.similarities[0] == 1.0 else "the most similar situation"
    seen = f"seen {times:,} times" if times > 1 else "seen once"
    shares = sorted(
        ((count / times, word) for count, word in zip(counts, did, strict=True) if count), reverse=True
    )
    said = [f"{word} {100 * share:.0f} %" for share, word in shares]
    if len(said) == 1:
        return f"In {kind}, {seen}, the expert {'always ' if times > 1 else ''}{shares[0][1]}."
    return f"In {kind}, {seen}, the expert {', '.join(said[:-1])} and {said[-1]}."


def _sequence_fact(episode: Episode, description: Mapping[str, Value], is_limit: bool) -> Fact:
    """How similar the betting sequence is: by level at limit."""
    retrieved = episode.retrieved
    assert retrieved is not None
    metric = cast(SymbolSimilarity, retrieved.similarity.parts[SEQUENCE][0])
    local = metric(str(episode.target.description[SEQUENCE]), str(description[SEQUENCE]))
    if is_limit:
        return Fact("level of the betting sequence", f"{LEVELS.index(local)}")
    return Fact("similarity of the betting sequence", local)


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
    found: list[Section] = [Bars("what the expert did", done, "times")]
    if earned:
        found.append(Bars("what this earned in the whole hand, on average", earned, unit))
    return (*found, _compared(episode, cases[0]), _listed(retrieved, cases, did))


def _compared(episode: Episode, case: Case) -> TableSection:
    """The situation and the most similar case, attribute by attribute."""
    retrieved, target = episode.retrieved, episode.target.description
    assert retrieved is not None
    similarities = retrieved.similarity.locals_of(target, case.description)
    rows: list[tuple[Cell, ...]] = [
        (name, target[name], case.description[name], similarity) for name, similarity in similarities.items()
    ]
    rows.append(("mean", "", "", float(retrieved.similarities[0])))
    return TableSection(
        "the most similar situation", ("attribute", "here", "there", "similarity"), tuple(rows)
    )


def _listed(retrieved: Retrieved, cases: Sequence[Case], did: Sequence[str]) -> TableSection:
    names = retrieved.similarity.schema.names
    rows: list[tuple[Cell, ...]] = []
    for case, similarity in zip(cases, retrieved.similarities.tolist(), strict=False):
        done = ", ".join(
            f"{word} {count:,}" for word, count in zip(did, case.counts.values(), strict=True) if count
        )
        rows.append((case.number, similarity, *(case.description[name] for name in names), done))
    return TableSection("retrieved cases", ("case", "similarity", *names, "the expert"), tuple(rows))
