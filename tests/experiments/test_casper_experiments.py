"""What CASPER's experiments count, on a few hands."""

import pytest

from railbird.agents.casper.attributes import STAGES
from railbird.engine.games import named_game
from railbird.experiments.casper import sizes


@pytest.mark.parametrize("players", sizes.SIZES)
def test_tables_of_all_sizes_have_the_cap_of_the_paper(players: int) -> None:
    rules = named_game(sizes.game_of(players))
    assert (rules.players, rules.raise_caps) == (players, (4, 5, 5, 5))
    assert len(sizes.BOTS[: players - 1]) == players - 1


def test_misses_are_counted_among_the_decisions_of_each_stage(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(sizes, "BOTS", ("always-call",))
    decisions, misses = sizes._missed("casper01", 2, 5, "1")
    assert tuple(decisions) == tuple(misses) == STAGES
    assert decisions["preflop"] >= 5
    assert all(0 <= misses[stage] <= decisions[stage] for stage in STAGES)
    assert (decisions, misses) == tuple(sizes._missed("casper01", 2, 5, "1"))
