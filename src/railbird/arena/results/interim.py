"""The standings of a tournament in progress, from the matches played so far."""

from collections.abc import Sequence
from itertools import combinations
from typing import Any

from railbird.arena.play.match import MatchResult
from railbird.arena.play.plan import Entrant
from railbird.arena.results.report import crosstable_to_json, net_chips, rate_to_json
from railbird.arena.results.standings import Crosstable, HeadToHead, Meeting, head_to_head, instant_runoff
from railbird.arena.run.experiment import Unfinished
from railbird.engine.rules import GameRules
from railbird.places import without_passwords


def standings_so_far(
    rules: GameRules,
    entrants: Sequence[Entrant],
    results: Sequence[MatchResult],
    unfinished: Sequence[Unfinished] = (),
) -> dict[str, Any]:
    """Players, standings and crosstable in the form of the arena's report, including unfinished matches.

    Players who have not played yet have no rate and come last; the run-off is known when every table has met.
    """
    labels = tuple(entrant.label for entrant in entrants)
    counted = [(result.plan.labels, result.tally) for result in results if result.void is None]
    counted += [(match.plan.labels, match.tally) for match in unfinished]
    meetings: list[Meeting] = []
    groups = list(combinations(labels, rules.players))
    for group in groups:
        of_group = [
            (players, tally) for players, tally in counted if set(players) == set(group) and tally.hands
        ]
        if of_group:
            meetings += Crosstable.of(rules, group, of_group).meetings
    table = Crosstable(rules, labels, tuple(meetings))
    ranked = sorted(labels, key=lambda label: (not table.meetings_with(label), -table.bankroll(label)))
    complete = len(meetings) == len(groups)
    return {
        "players": [_player(table, entrant) for entrant in entrants],
        "standings": {
            "total_bankroll": ranked,
            "instant_runoff": [line.label for line in instant_runoff(table)] if complete else None,
        },
        "crosstable": crosstable_to_json(table, _comparisons(table)),
        "void": [str(result.void) for result in results if result.void],
    }


def _player(table: Crosstable, entrant: Entrant) -> dict[str, Any]:
    met = table.meetings_with(entrant.label)
    rate = table.standing(entrant.label).rate if met else None
    return {
        "label": entrant.label,
        "agent": without_passwords(entrant.agent),
        "hands": 0 if rate is None else rate.hands,
        "net": net_chips(table.bankroll(entrant.label)),
        "rate": None if rate is None else rate_to_json(rate),
    }


def _comparisons(table: Crosstable) -> list[HeadToHead]:
    return [
        head_to_head(table, first, second)
        for first, second in combinations(table.labels, 2)
        if table.meetings_with(first, second)
    ]
