"""The reasons for CASPER's actions: what the experts did in similar situations, and how similar these were."""

from collections.abc import Sequence

from railbird.cbr.case_base import Case
from railbird.cbr.cycle.episode import Episode, Retrieved, Strategy
from railbird.cbr.cycle.plans import steps_of
from railbird.cbr.packs.files import Pack
from railbird.explanation import Bar, Bars, Cell, Deferred, Explanation, Fact, Section, TableSection
from railbird.observation import Observation

LISTED = 20
"""Maximum number of similar situations listed."""
COMPARED = 5
"""Maximum number of situations compared attribute by attribute."""

PAST = {"fold": "folded", "check": "checked", "call": "called", "bet": "bet", "raise": "raised"}
"""Actions in the past tense."""
DOING = {"fold": "folding", "check": "checking", "call": "calling", "bet": "betting", "raise": "raising"}
"""Actions as gerunds."""
EXPERTS = "the experts"
"""The players who decided in the cases, unless they are an agent's own."""


def explain(
    pack: Pack, stage: str, episode: Episode, observation: Observation, who: str = EXPERTS
) -> Explanation:
    """The reasons for a decision. The pack's present cases must not change afterwards."""
    retrieved, strategy = episode.retrieved, episode.strategy
    assert retrieved is not None
    assert strategy is not None
    did = _words(observation.to_call > 0, observation.to_match > 0)
    if not len(retrieved):
        doing = "calls" if observation.to_call else "checks"
        return Explanation(f"There are no cases {in_stage(stage)}, so it {doing}.")
    facts = (
        Fact("similar situations", _count(strategy)),
        Fact("similar enough", "yes" if retrieved.met else "no"),
        Fact("greatest similarity", float(retrieved.similarities[0])),
        Fact("least similarity", float(retrieved.similarities[-1])),
    )
    return Explanation(
        _sentence(retrieved, strategy, did, who),
        facts,
        Deferred(lambda: _sections(pack, stage, episode, did, who)),
    )


def in_stage(stage: str) -> str:
    """The stage as a phrase, such as "on the flop"."""
    return "before the flop" if stage == "preflop" else f"on the {stage}"


def _words(facing_a_bet: bool, somebody_bet: bool) -> tuple[str, str, str]:
    """What folding, calling and raising are called in a situation."""
    return "folded", "called" if facing_a_bet else "checked", "raised" if somebody_bet else "bet"


def _count(strategy: Strategy) -> int:
    """The number of decisions in the cases: one each, unless equal situations were merged."""
    return int(sum(strategy.votes))


def _sentence(retrieved: Retrieved, strategy: Strategy, did: Sequence[str], who: str) -> str:
    count = _count(strategy)
    if retrieved.met:
        where = f"In {count:,} similar situations" if count > 1 else "In one similar situation"
    else:
        nearest = f"the {count:,} most similar ones" if count > 1 else "the most similar one"
        where = f"No situation was similar enough; in {nearest}"
    shares = sorted(zip(strategy.probabilities, did, strict=True), key=lambda pair: -pair[0])
    said = [f"{word} {_percent(share)}" for share, word in shares if share > 0.0]
    if len(said) > 1:
        return f"{where} {who} {', '.join(said[:-1])} and {said[-1]}."
    if count > 1:
        return f"{where} {who} always {shares[0][1]}."
    return f"{where} {'the expert' if who == EXPERTS else who} {shares[0][1]}."


def _percent(share: float) -> str:
    return "less than 1 %" if share < 0.005 else f"{100.0 * share:.0f} %"


def _sections(pack: Pack, stage: str, episode: Episode, did: Sequence[str], who: str) -> tuple[Section, ...]:
    retrieved, strategy = episode.retrieved, episode.strategy
    assert retrieved is not None
    assert strategy is not None
    return (
        Bars(f"what {who} did", tuple(map(Bar, did, strategy.votes)), "times"),
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
        "the most similar situations", ("case", "similarity", "the expert", *names), tuple(rows)
    )


def _done(stage: str, case: Case) -> str:
    """The action of a case, in the words of its situation; with counts if a case holds several decisions."""
    facing = float(case.description["bets to call"]) > 0
    three = _words(facing, facing or stage == "preflop")
    words = three if len(case.counts) == len(three) else tuple(map(in_the_past, case.counts))
    taken = [(count, word) for count, word in zip(case.counts.values(), words, strict=True) if count]
    if len(taken) == 1 and taken[0][0] == 1:
        return taken[0][1]
    return ", ".join(f"{word} {count} times" if count > 1 else f"{word} once" for count, word in taken)


def in_the_past(solution: str) -> str:
    """A solution in the past tense: one action, or an action and its follow-up in the same round."""
    first, second = steps_of(solution)
    return PAST[first] if second is None else f"{PAST[first]}, then {PAST[second]}"


def _values(episode: Episode, cases: Sequence[Case]) -> TableSection:
    target = episode.target
    rows: list[tuple[Cell, ...]] = [
        (name, target.description[name], *(case.description[name] for case in cases))
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
    return TableSection("similarity by attribute", ("attribute", "weight", *_columns(cases)), tuple(rows))


def _columns(cases: Sequence[Case]) -> tuple[str, ...]:
    return tuple(f"case {case.number}" for case in cases)
