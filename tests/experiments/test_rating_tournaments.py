"""The tournaments behind the ratings: who meets whom, whose winnings count, and going on after a stop."""

from collections import Counter
from pathlib import Path

import pytest

from command import railbird
from railbird.experiments import ratings
from railbird.experiments.ratings import RatedGame, measure_ratings
from railbird.interfaces.ratings import ratings_from_json
from railbird.plain_data import read_json
from railbird.rng import Stream

AGENTS = ("rulebot", "jagbot", "probtriple", "always-call", "always-fold")


@pytest.fixture(autouse=True)
def small(monkeypatch: pytest.MonkeyPatch) -> None:
    """Two small tournaments."""
    games = (RatedGame("limit-2p", 10, 40), RatedGame("limit-3p", 1, 40))
    monkeypatch.setattr(ratings, "agent_names", lambda: AGENTS)
    monkeypatch.setattr(ratings, "VARIANTS", ())
    monkeypatch.setattr(ratings, "GAMES", games)
    monkeypatch.setattr(ratings, "_SHARE", 1)


def test_everyone_sits_at_drawn_tables_equally_often() -> None:
    field = [f"agent {number}" for number in range(17)]
    tables = list(ratings._tables(field, 6, 34, Stream.from_seed("draw")))
    assert len(tables) == 34
    assert all(len(set(table)) == 6 for table in tables)
    assert set(Counter(agent for table in tables for agent in table).values()) == {12}
    assert len(set(map(frozenset, tables))) > 30
    assert len(list(ratings._tables(field, 2, 136, Stream.from_seed("draw")))) == 136


def test_what_is_won_from_agents_outside_of_the_field_does_not_count() -> None:
    found = measure_ratings(seed="3")
    heads_up = found["games"]["limit-2p"]
    assert heads_up["field"] == ["rulebot", "jagbot", "probtriple"]
    assert {agent: rate["hands"] for agent, rate in heads_up["agents"].items()} == {
        "rulebot": 160,
        "jagbot": 160,
        "probtriple": 160,
        "always-call": 240,
        "always-fold": 240,
    }
    field = [heads_up["agents"][agent]["mean"] for agent in heads_up["field"]]
    assert sum(field) == pytest.approx(0, abs=1e-3)
    assert heads_up["agents"]["always-fold"]["mean"] < 0
    assert found["command"] == "railbird rate --seed 3"


def test_the_command_resumes_and_shows_what_it_found(tmp_path: Path) -> None:
    file = tmp_path / "ratings.json"
    first = railbird("rate", "--quick", "-o", file, "--seed", "3")
    assert first.code == 0, first.error
    journal = tmp_path / "ratings.json.journal"
    lines = journal.read_bytes().splitlines(keepends=True)
    written = file.read_bytes()
    journal.write_bytes(b"".join(lines[:-2]))
    assert railbird("rate", "--quick", "-o", file, "--seed", "3").out == first.out
    assert file.read_bytes() == written
    assert journal.read_bytes().splitlines(keepends=True)[: len(lines) - 2] == lines[:-2]
    games = ratings_from_json(read_json(written))
    assert set(games) == {"limit-2p", "limit-3p"}
    for game in games.values():
        assert game.game.encode() in first.out
        assert next(iter(game.ratings)).encode() in first.out
