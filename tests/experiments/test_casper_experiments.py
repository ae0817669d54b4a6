"""What CASPER's experiments count, on a few hands."""

import pytest

from railbird.agents.casper.attributes import STAGES
from railbird.agents.casper.cases import similarity
from railbird.engine.games import named_game
from railbird.engine.record import HandRecord
from railbird.experiments.casper import agreement, people, sizes
from railbird.experiments.casper.measured import MeasuredHand
from railbird.experiments.frame import Laboratory
from railbird.experiments.played_hands import hands, labels_of
from railbird.learning import imitation
from railbird.learning.fidelity import Marks


@pytest.mark.parametrize("players", sizes.SIZES)
def test_tables_of_all_sizes_have_the_cap_of_the_paper(players: int) -> None:
    rules = named_game(sizes.game_of(players))
    assert (rules.players, rules.raise_caps) == (players, (4, 5, 5, 5))
    assert len(sizes.BOTS[: players - 1]) == players - 1


def test_similarity_is_measured_for_each_kind_of_opponents(monkeypatch: pytest.MonkeyPatch) -> None:
    tables = {
        "bots at full tables": (("always-call",), (2,)),
        "people for real money": (("random",) * 2, (2, 3)),
    }
    monkeypatch.setattr(people, "TABLES", tables)
    bots, real = people._similarity(Laboratory(quick=True))
    assert (bots.published, real.published) == ("90 %", "50 %")
    assert bots.holds is None
    assert real.holds is not None
    assert bots.measured.endswith("(40 hands)")
    assert real.measured.endswith("(40 hands)")


def test_measured_hands_are_the_same_for_the_same_seed() -> None:
    first, again = (people._measured(("always-call",), 6, "1") for _ in range(2))
    assert first == again
    hands = [MeasuredHand(*hand) for hand in first]
    assert all(0 <= hand.hits <= hand.decisions for hand in hands)
    assert len(hands) == 6


def test_the_rates_of_all_sizes_are_pooled(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(people, "PEOPLE", {"play money": "always-fold"})
    monkeypatch.setattr(
        people, "PUBLISHED", {"play money": {"random": people.PUBLISHED["play money"]["random"]}}
    )
    monkeypatch.setattr(people, "SIZES", (2, 3))
    (found,) = people._people(Laboratory(quick=True))
    assert found.what == "random for play money, two to nine players"
    assert "10 hands" in found.measured  # two deals in two seats, and two in three
    assert found.published.startswith("−3.080 sb/h")


def test_the_marks_of_two_packs_are_their_agreement() -> None:
    """Decision by decision, so that the hands of all stages are the units of one interval."""
    players = ("rulebot", "jagbot", "rulebot")
    records = [
        HandRecord.of(hand.state, hand.labels, str(hand.number))
        for hand in hands("limit-3p", players, 60, "marks")
    ]
    cases, held_out = (
        agreement.watched_decisions("casper", part, labels_of(players)[1:])
        for part in (records[:40], records[40:])
    )
    compare = {stage: similarity(stage) for stage in STAGES}
    found = agreement.marks(cases, held_out, compare, 15)
    expected = imitation.agreement(cases, held_out, compare, most=15)
    assert set(found) == set(expected) == set(STAGES)
    for stage, each in expected.items():
        fidelity = found[stage].fidelity(each.cases)
        assert (fidelity.decisions, fidelity.missed) == (each.count, each.missed)
        for score, other in ((fidelity.imitator, each), (fidelity.usual, each.usual)):
            assert score.agreement.mean == pytest.approx(other.right)
            assert score.log_loss.mean == pytest.approx(other.log_loss)
    together = Marks.joined([*found.values()])
    assert set(together.hands.tolist()) <= set(range(40, 60))
    losses, change = agreement._together(dict.fromkeys(("casper01", "casper02"), together))
    assert losses.measured.count(" (± ") == 2
    assert (change.measured, change.holds) == ("0.0000 (± 0.0000)", False)


def test_misses_are_counted_among_the_decisions_of_each_stage(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(sizes, "BOTS", ("always-call",))
    decisions, misses = sizes._missed("casper01", 2, 5, "1")
    assert tuple(decisions) == tuple(misses) == STAGES
    assert decisions["preflop"] >= 5
    assert all(0 <= misses[stage] <= decisions[stage] for stage in STAGES)
    assert (decisions, misses) == tuple(sizes._missed("casper01", 2, 5, "1"))
