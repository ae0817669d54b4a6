"""Results as plain data, in the form that `match` and `tournament` write: schema `railbird.results/1`.

The digest covers everything determined by the seed, so equal digests mean equal results; data about the run (time,
version, command) is not part of it.
"""

import json
from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import asdict
from fractions import Fraction
from hashlib import sha256
from itertools import combinations
from math import isinf
from typing import Any

from railbird import __version__
from railbird.arena.play.guard import STRIKES
from railbird.arena.play.match import MatchResult, together
from railbird.arena.play.plan import Duplicate, MatchPlan
from railbird.arena.results.rates import Estimate, Rate
from railbird.arena.results.standings import (
    Crosstable,
    HeadToHead,
    all_head_to_heads,
    instant_runoff,
    total_bankroll,
)
from railbird.arena.results.statistics import PlayerStatistics
from railbird.engine.rules import GameRules
from railbird.kernels.rules.pots import PARTS
from railbird.places import without_passwords

SCHEMA = "railbird.results/1"


def rate_to_json(rate: Rate) -> dict[str, Any]:
    """A rate as plain data; unknown bounds are null."""
    data = asdict(rate)
    return {key: None if isinstance(value, float) and isinf(value) else value for key, value in data.items()}


def net_chips(parts: int) -> int | float:
    """Chips from parts of a chip: an int if it is a whole number."""
    net = Fraction(parts, PARTS)
    return int(net) if net.denominator == 1 else float(net)


def match_report(
    rules: GameRules, results: Sequence[MatchResult], *, reproduce: str, elapsed_s: float
) -> dict[str, Any]:
    """Matches of the same entrants as one object."""
    result = together(results)
    plan = result.plan
    players = len(plan.entrants)
    report: dict[str, Any] = {
        **_experiment("match", plan, len(results)),
        "void": None if result.void is None else str(result.void),
        "players": [
            _player(
                rules,
                entrant.label,
                without_passwords(entrant.agent),
                Rate.from_tally(rules, result.tally, [int(other == place) for other in range(players)]),
                result.tally.totals[place],
                result.statistics[place],
                _faults(entrant.label, results),
                result.rebuys[place],
            )
            for place, entrant in enumerate(plan.entrants)
        ],
    }
    return _finished(report, results, reproduce, elapsed_s)


def tournament_report(
    rules: GameRules,
    agents: Sequence[tuple[str, str]],
    results: Sequence[MatchResult],
    *,
    reproduce: str,
    elapsed_s: float,
) -> dict[str, Any]:
    """A tournament as one object: `agents` are labels with the agents behind them."""
    labels = [label for label, _ in agents]
    counted = [result for result in results if result.void is None]
    table = ranked_table(rules, labels, results)
    comparisons = all_head_to_heads(table)
    plan = results[0].plan
    report: dict[str, Any] = {
        **_experiment("tournament", plan, len(results)),
        "void": [str(result.void) for result in results if result.void],
        "disqualified": [
            label for label in labels if label in _failed(results) and label not in table.labels
        ],
        "players": [_entrant(rules, table, label, agent, counted, results) for label, agent in agents],
        "standings": {
            "total_bankroll": [line.label for line in total_bankroll(table)],
            "instant_runoff": [line.label for line in instant_runoff(table)],
        },
        "crosstable": crosstable_to_json(table, comparisons),
        "comparisons": [
            {
                "first": comparison.first,
                "second": comparison.second,
                "rate": rate_to_json(comparison.rate),
                "p_value": comparison.p_value,
                "adjusted_p_value": comparison.adjusted_p_value,
            }
            for comparison in comparisons
        ],
    }
    return _finished(report, results, reproduce, elapsed_s)


def ranked_table(rules: GameRules, labels: Sequence[str], results: Sequence[MatchResult]) -> Crosstable:
    """The crosstable of the matches that are not void.

    If all matches of a table are void, players whose faults made matches void are disqualified: they and their tables
    are left out.
    """
    counted = [result for result in results if result.void is None]
    met = {frozenset(result.plan.labels) for result in counted}
    if not all(frozenset(group) in met for group in combinations(labels, rules.players)):
        failed = _failed(results)
        labels = [label for label in labels if label not in failed]
        counted = [result for result in counted if failed.isdisjoint(result.plan.labels)]
    if len(labels) < rules.players:
        return Crosstable(rules, (), ())
    return Crosstable.of(rules, labels, [(result.plan.labels, result.tally) for result in counted])


def _failed(results: Sequence[MatchResult]) -> set[str]:
    """The players whose faults made matches void."""
    return {result.void.label for result in results if result.void is not None}


def _experiment(kind: str, plan: MatchPlan, matches: int) -> dict[str, Any]:
    """The part of a report that the plans of its matches have in common."""
    return {
        "schema": SCHEMA,
        "kind": kind,
        "game": plan.game,
        "seed": int(plan.seed) if plan.seed.isdecimal() else plan.seed,
        "hands": plan.hands,
        "matches": matches,
        "duplicate": plan.duplicate is not Duplicate.NONE,
        "seatings": plan.duplicate.value,
        "shuffled": plan.shuffle,
        "bust": plan.bust.value,
        "fault_policy": plan.faults.value,
        "snapshot": plan.snapshot,
    }


def _player(
    rules: GameRules,
    label: str,
    agent: str,
    rate: Rate,
    parts: int,
    statistics: PlayerStatistics,
    faults: dict[str, Any],
    rebuys: int,
) -> dict[str, Any]:
    data: dict[str, Any] = {
        "label": label,
        "agent": agent,
        "hands": rate.hands,
        "net": net_chips(parts),
        "rate": rate_to_json(rate),
        **faults,
        "rebuys": rebuys,
        "statistics": statistics.to_json(),
    }
    if rules.unit == "bb/h":
        data["rate_mbb"] = rate_to_json(rate.in_thousandths())
    return data


def _faults(label: str, results: Sequence[MatchResult]) -> dict[str, Any]:
    """The faults of a player: how often each, in how many seatings it forfeited, and the first one."""
    records = [
        (number, record)
        for number, result in enumerate(results)
        for record in result.faults
        if record.label == label
    ]
    strikes = Counter((number, record.seating) for number, record in records)
    first = None
    if records:
        _, record = records[0]
        first = {"hand": record.hand_number, "fault": record.fault.value, "detail": record.detail}
    return {
        "faults": dict(sorted(Counter(record.fault.value for _, record in records).items())),
        "forfeits": sum(count >= STRIKES for count in strikes.values()),
        "first_fault": first,
    }


def _entrant(
    rules: GameRules,
    table: Crosstable,
    label: str,
    agent: str,
    counted: Sequence[MatchResult],
    results: Sequence[MatchResult],
) -> dict[str, Any]:
    played = [(result, result.plan.labels.index(label)) for result in counted if label in result.plan.labels]
    is_ranked = label in table.labels
    return _player(
        rules,
        label,
        agent,
        table.standing(label).rate if is_ranked else Rate.of(rules, Estimate.pooled(())),
        table.bankroll(label) if is_ranked else 0,
        sum((result.statistics[place] for result, place in played), PlayerStatistics()),
        _faults(label, results),
        sum(result.rebuys[place] for result, place in played),
    )


def crosstable_to_json(table: Crosstable, comparisons: Iterable[HeadToHead]) -> dict[str, dict[str, Any]]:
    """What each entrant wins from each other, by both labels."""
    rows: dict[str, dict[str, Any]] = {label: {} for label in table.labels}
    for comparison in comparisons:
        for side in (comparison, ~comparison):
            rows[side.first][side.second] = rate_to_json(side.rate)
    return rows


def _finished(
    report: dict[str, Any], results: Sequence[MatchResult], reproduce: str, elapsed_s: float
) -> dict[str, Any]:
    return report | {
        "digest": digest_of(results),
        "reproduce": reproduce,
        "elapsed_s": round(elapsed_s, 3),
        "version": __version__,
    }


def digest_of(results: Sequence[MatchResult]) -> str:
    """The digest of everything determined by the seed: all hands and exact sums, but no floats and no times."""
    digest = sha256()
    for result in results:
        exact = [
            result.plan.game,
            result.plan.labels,
            result.digest,
            result.tally.totals,
            result.tally.products,
        ]
        digest.update(json.dumps([*exact, result.rebuys, result.void is None]).encode())
    return digest.hexdigest()
