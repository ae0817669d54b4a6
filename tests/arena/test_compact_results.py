"""Results that take little memory equal those that they were made from."""

from railbird.arena.play.match import MatchResult, play_match
from railbird.arena.play.plan import MatchPlan, entrants_of
from railbird.arena.results.compact import CompactCurve, compact


def result_of(number: int) -> MatchResult:
    plan = MatchPlan("limit-2p", entrants_of(["random", "always-call"]), 30, "5", name=("match", number))
    return play_match(plan)


def test_a_compact_result_equals_the_one_that_it_was_made_from() -> None:
    for number in range(3):
        result = result_of(number)
        found = compact(result)
        assert isinstance(found.curve, CompactCurve)
        assert found == result
        assert result == found
        assert tuple(found.curve) == result.curve
        assert found.curve[-1] == result.curve[-1]
        assert found.curve[2:5] == result.curve[2:5]
        assert hash(found) == hash(result)
        assert compact(found) == found


def test_equal_counts_of_two_matches_are_one_object() -> None:
    one, other = compact(result_of(1)), compact(result_of(1))
    assert one.statistics[0].won is other.statistics[0].won
    assert one.statistics[0].flop_types is other.statistics[0].flop_types


def test_curves_of_any_numbers_keep_their_points() -> None:
    for largest in (1, 2**15, 2**31, 2**63, 2**70):
        points = ((1, largest, -largest), (2, 0, 0))
        assert tuple(CompactCurve.of(points)) == points
    assert CompactCurve.of(()) == ()
