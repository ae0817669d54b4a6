"""The lobby offers every agent for exactly the games that it plays, and says what its parameters mean."""

from pathlib import Path

import pytest

from railbird.agents.equilibrium import agent
from railbird.interfaces.web.lobby import opponents
from small_strategies import random_strategy, small_tree


def test_agents_are_offered_for_the_games_they_play(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    files = (tmp_path / "limit-3p.strategy", tmp_path / "nolimit-2p.strategy")
    random_strategy(small_tree("limit-3p:raises=1")).write(files[0])
    random_strategy(small_tree("nolimit-2p", "fca")).write(files[1])
    monkeypatch.setattr(agent, "shipped_paths", lambda _: files)
    opponents.offered_agents.cache_clear()
    plays = {each["name"]: each["plays"] for each in opponents.offered_agents()}
    opponents.offered_agents.cache_clear()
    assert plays["equilibrium"] == ["limit-3p", "nolimit-2p"]
    assert len(plays["random"]) == 18
    assert [game for game in plays["random"] if game not in plays["casper02"]] == [
        game for game in plays["random"] if game.startswith("nolimit-")
    ]
    assert "brain" not in plays, "its address must be given"


def test_every_parameter_is_offered_with_its_default_and_its_meaning() -> None:
    offered = {each["name"]: each["parameters"] for each in opponents.offered_agents()}
    trials = next(each for each in offered["simbot"] if each["name"] == "trials")
    assert (trials["kind"], trials["default"]) == ("whole number", "500")
    assert "simulated hands" in trials["meaning"]
    assert all(each["meaning"] for parameters in offered.values() for each in parameters)
