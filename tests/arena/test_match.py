"""Matches: the same deals in every seating, exact sums, and what a seed decides."""

import gc
from collections.abc import Sequence

import pytest

from folders import SUPPORT
from railbird.arena.play.match import MatchResult, play_match, play_seating
from railbird.arena.play.plan import Bust, Duplicate, Entrant, FaultPolicy, MatchPlan, PlanError, entrants_of
from railbird.arena.results import statistics_collector
from railbird.arena.results.statistics_collector import StatisticsCollector
from railbird.engine import betting_tree
from railbird.engine.events import DealHole
from railbird.engine.setup import Setup
from railbird.notation.acpc import state as state_lines
from railbird.notation.acpc.state import parse_state_line
from railbird.notation.game_names import find_game


def plan(game: str, agents: Sequence[str], hands: int = 60, **fields: object) -> MatchPlan:
    return MatchPlan(game, entrants_of(agents, trusted=True), hands, "7", **fields)  # type: ignore[arg-type]


GAMES = [
    ("limit-2p", ["random", "always-call"], Duplicate.PERMUTATIONS),
    ("nolimit-2p:odd=fractional", ["random", "random"], Duplicate.PERMUTATIONS),
    ("limit-3p", ["random", "always-call", "always-raise"], Duplicate.PERMUTATIONS),
    ("kuhn-3p", ["random", "always-call", "always-raise"], Duplicate.PERMUTATIONS),
    ("limit-6max", ["random", "always-call", "always-raise"] * 2, Duplicate.ROTATIONS),
    (
        "limit-9max:cap=5,stack=100000,carry=yes",
        ["random", "always-call", "always-raise"] * 3,
        Duplicate.NONE,
    ),
    ("nolimit-4max:stack=2000,carry=yes", ["random", "always-call", "random", "always-fold"], Duplicate.NONE),
]


@pytest.mark.parametrize(("game", "agents", "duplicate"), GAMES)
@pytest.mark.parametrize("bust", Bust)
def test_a_match_is_zero_sum_to_the_chip(
    game: str, agents: list[str], duplicate: Duplicate, bust: Bust
) -> None:
    result = play_match(plan(game, agents, duplicate=duplicate, bust=bust))
    assert sum(result.tally.totals) == 0
    assert all(sum(point[1:]) == 0 for point in result.curve)
    assert [statistics.net * 2520 for statistics in result.statistics] == list(result.tally.totals)


@pytest.mark.parametrize("agent", ["always-call", "always-raise", "always-fold"])
@pytest.mark.parametrize("game", ["limit-2p", "nolimit-2p", "limit-3p"])
def test_identical_deterministic_agents_draw_every_duplicate_deal(game: str, agent: str) -> None:
    players = find_game(game).players
    result = play_match(plan(game, [agent] * players, duplicate=Duplicate.PERMUTATIONS))
    assert result.tally.totals == (0,) * players
    assert result.tally.standard_error((1,) + (0,) * (players - 1)) == 0


def deals(result: MatchResult) -> list[list[object]]:
    setup = Setup.of(find_game(result.plan.game))
    records = [parse_state_line(line, setup) for line in result.log]
    return [[event for event in record.events if isinstance(event, DealHole)] for record in records]


def test_every_seating_has_the_same_deals_whoever_sits_there() -> None:
    result = play_match(
        plan(
            "limit-3p", ["random", "always-call", "always-raise"], hands=10, duplicate=Duplicate.PERMUTATIONS
        ),
        keep_log=True,
    )
    dealt = deals(result)
    assert len(dealt) == 60
    assert all(dealt[start : start + 10] == dealt[:10] for start in range(0, 60, 10))


def test_compared_strategies_get_the_same_deals() -> None:
    first, second = (
        play_match(plan("limit-2p", [agent, "always-call"]), keep_log=True)
        for agent in ("random", "always-fold")
    )
    assert deals(first) == deals(second)
    other = play_match(plan("limit-2p", ["random", "always-call"], name=("match", 1)), keep_log=True)
    assert deals(other) != deals(first)


def test_the_same_plan_gives_the_same_digest_and_another_seed_another() -> None:
    game, agents, duplicate = GAMES[2]
    one, two = (play_match(plan(game, agents, duplicate=duplicate)) for _ in range(2))
    assert one == two
    assert (
        play_match(MatchPlan(game, entrants_of(agents, trusted=True), 60, "8", duplicate=duplicate)).digest
        != one.digest
    )


def test_a_player_without_chips_leaves_or_buys_again_and_it_is_counted() -> None:
    game = "nolimit-3p:stack=1000,carry=yes"
    agents = ["random", "always-raise", "always-call"]
    leaving = play_match(plan(game, agents, hands=400, bust=Bust.LEAVE))
    assert leaving.tally.hands < 400, "somebody won everything"
    assert leaving.rebuys == (0, 0, 0)
    buying = play_match(plan(game, agents, hands=400, bust=Bust.REBUY))
    assert buying.tally.hands == 400
    assert sum(buying.rebuys) > 0


def test_the_unit_of_a_duplicate_match_is_the_deal() -> None:
    result = play_match(
        plan("limit-2p", ["random", "always-call"], hands=50, duplicate=Duplicate.PERMUTATIONS)
    )
    assert (result.tally.units, result.tally.hands) == (50, 100)


def test_results_add_and_change_sides() -> None:
    agents = ["random", "always-call"]
    first, second = (play_match(plan("limit-2p", agents, name=("match", number))) for number in (0, 1))
    both = first.tally + second.tally
    assert both == second.tally + first.tally
    assert both.hands == 120
    assert (~both).totals == tuple(-total for total in both.totals)
    assert ~~both == both
    assert (~both).standard_error((1, 0)) == both.standard_error((1, 0))


def test_the_curve_ends_at_the_total() -> None:
    for hands in (1, 7, 399, 400, 1000):
        result = play_match(plan("limit-2p", ["random", "always-call"], hands=hands))
        assert result.curve[-1] == (hands, *result.tally.totals)
        assert len(result.curve) == min(hands, 400)


def test_a_crash_under_the_strict_policy_voids_the_match_and_says_why(tmp_path: object) -> None:
    crashing = f"{SUPPORT / 'misbehaving_agents.py'}:Raises"
    result = play_match(plan("limit-2p", [crashing, "always-call"], faults=FaultPolicy.STRICT))
    assert result.void is not None
    assert "crash" in str(result.void)
    native = play_match(plan("limit-2p", [crashing, "always-call"]))
    assert native.void is None
    assert len(native.faults) == 3, "three strikes, then it is not asked any more"
    assert sum(native.tally.totals) == 0


def test_seatings_are_rotations_or_permutations() -> None:
    agents = ["random", "always-call", "always-raise"]
    assert plan("limit-3p", agents, duplicate=Duplicate.ROTATIONS).seatings() == (
        (0, 1, 2),
        (1, 2, 0),
        (2, 0, 1),
    )
    assert len(plan("limit-3p", agents, duplicate=Duplicate.PERMUTATIONS).seatings()) == 6
    assert plan("limit-3p", agents).seatings() == ((0, 1, 2),)


def test_a_plan_that_cannot_be_played_is_refused() -> None:
    with pytest.raises(PlanError, match="limit-3p needs 3 players, not 2"):
        play_seating(plan("limit-3p", ["random", "random"]), 0)
    with pytest.raises(PlanError, match="at least one hand, not 0"):
        plan("limit-2p", ["random", "random"], hands=0)
    with pytest.raises(PlanError, match="two players have the label 'a'"):
        MatchPlan("limit-2p", (Entrant("a", "random"), Entrant("a", "random")), 10, "7")


@pytest.mark.parametrize(("game", "agents", "duplicate"), [game for game in GAMES if "carry" not in game[0]])
def test_statistics_of_a_match_are_those_of_its_hands(
    game: str, agents: list[str], duplicate: Duplicate
) -> None:
    """What hands with the same betting share is counted once for all; the sums must be those of a hand at a time."""
    rules = find_game(game)
    result = play_match(plan(game, agents, hands=300, duplicate=duplicate), keep_log=True)
    setup = Setup.of(rules)
    collector = StatisticsCollector()
    for line in result.log:
        collector.add(parse_state_line(line, setup))
    counted = collector.statistics()
    assert result.statistics == tuple(counted[label] for label in result.plan.labels)


def test_matches_of_a_game_share_its_betting_situations() -> None:
    tree = Setup.shared(find_game("limit-2p:cap=2")).tree
    first = play_match(plan("limit-2p:cap=2", ["random", "random"], hands=200))
    known = tree.size
    assert known > 200
    second = play_match(plan("limit-2p:cap=2", ["random", "random"], hands=200))
    assert tree.size == known
    assert (second.digest, second.statistics) == (first.digest, first.statistics)


def test_what_is_kept_of_betting_situations_goes_with_them(monkeypatch: pytest.MonkeyPatch) -> None:
    game = "limit-4max:cap=3"
    unlimited = plan(game, ["random"] * 4, hands=600)
    expected = play_match(unlimited)
    monkeypatch.setattr(betting_tree, "MOST_NODES", 100)
    limited = play_match(unlimited)
    gc.collect()
    tree = Setup.shared(find_game(game)).tree
    assert tree.size <= 100
    for kept in (statistics_collector._SHAPES, state_lines._LAYOUTS):
        openings = [_opening(node) for node in kept]
        of_this_game = [each for each in openings if (each.vector == tree.root.vector).all()]
        assert of_this_game
        assert all(each is tree.root for each in of_this_game)
    assert (limited.digest, limited.statistics) == (expected.digest, expected.statistics)


def _opening(node: betting_tree.BettingNode) -> betting_tree.BettingNode:
    while node.reached_by is not None:
        node = node.reached_by[0]
    return node
