"""Ratings: stars by their rule, every offered agent rated, and the tables that follow from the ratings."""

from importlib.resources import files
from itertools import pairwise

import pytest

from railbird.arena.results.rates import UNIT_WORDS
from railbird.engine.games import named_game
from railbird.experiments.ratings import GAMES
from railbird.interfaces.company import recommended_tables, strongest_agent, usual_opponents
from railbird.interfaces.ratings import (
    FOLDING,
    MEANINGS,
    rated_game,
    ratings_for,
    ratings_from_json,
    shipped_ratings,
    stars_of,
)
from railbird.plain_data import read_json


@pytest.mark.parametrize(
    ("interval", "stars"),
    [
        ((0.3, 0.5), 5),
        ((0.01, 0.3), 5),
        ((0.01, 0.29), 4),
        ((0.0, 0.9), 3),
        ((-0.1, 0.0), 3),
        ((-0.2, -0.01), 2),
        ((-0.69, -0.6), 2),
        ((-0.7, -0.1), 1),
        ((-2.0, -1.0), 1),
    ],
)
def test_stars_follow_from_the_interval(interval: tuple[float, float], stars: int) -> None:
    intervals = {"best": (0.3, 0.5), "one": interval, FOLDING: (-0.8, -0.7)}
    mean = {"best": 0.45, "one": 0.0, FOLDING: -0.75}
    assert stars_of(mean, intervals) == {"best": 5, "one": stars, FOLDING: 1}


def test_the_shipped_ratings_are_small_and_tell_how_they_were_made() -> None:
    file = files("railbird.interfaces").joinpath("data", "ratings.json").read_bytes()
    data = read_json(file)
    assert isinstance(data, dict)
    assert len(file) < 16_000
    assert data["command"] == f"railbird rate --seed {data['seed']}"
    assert "--quick" not in data["command"]
    assert ratings_from_json(data) == shipped_ratings()
    assert {game: found["deals"] for game, found in data["games"].items()} == {
        rated.game: rated.deals for rated in GAMES
    }
    for game in data["games"].values():
        assert game["unit"] in UNIT_WORDS
        assert set(game["field"]) <= set(game["agents"])
        for rate in game["agents"].values():
            assert rate["low"] <= rate["mean"] <= rate["high"]
            assert rate["hands"] >= 1000


def test_equals_share_five_stars_even_if_none_is_certain_to_win() -> None:
    intervals = {"one": (-0.1, 0.3), "two": (-0.2, 0.2), "loses": (-0.5, -0.05), FOLDING: (-0.8, -0.7)}
    mean = {agent: (low + high) / 2 for agent, (low, high) in intervals.items()}
    assert stars_of(mean, intervals) == {"one": 5, "two": 5, "loses": 2, FOLDING: 1}


def test_the_stars_of_the_shipped_ratings_follow_the_rule() -> None:
    for game in shipped_ratings().values():
        best, folding = max(game.ratings.values(), key=lambda each: each.mean), game.ratings[FOLDING]
        order = [(each.stars, each.mean) for each in game.ratings.values()]
        assert order == sorted(order, reverse=True)
        for rating in game.ratings.values():
            assert rating.stars in MEANINGS
            wins_or_ties = rating.low > 0 or (best.low <= 0 and rating.high >= 0)
            assert (rating.stars == 5) == (rating.high >= best.low and wins_or_ties)
            assert (rating.stars == 4) == (rating.low > 0 and rating.high < best.low)
            assert (rating.stars <= 2) == (rating.high < 0)
            assert (rating.stars == 1) == (rating.high < 0 and rating.low <= folding.high)


def test_a_game_with_other_stakes_or_more_players_has_the_ratings_of_its_kind() -> None:
    assert rated_game(named_game("limit-2p:blinds=1/2,bets=2/4,stack=400")) == "limit-2p"
    assert ratings_for(named_game("limit-10max")) == ratings_for(named_game("limit-4max")) is not None
    assert ratings_for(named_game("nolimit-6max")) is None


@pytest.mark.parametrize("game", ["limit-2p", "limit-3p", "limit-6max", "limit-10max", "nolimit-2p"])
def test_recommended_tables_go_from_weak_to_strong(game: str) -> None:
    rules = named_game(game)
    ratings = ratings_for(rules)
    assert ratings is not None
    tables = recommended_tables(rules)
    assert [table.id for table in tables] == ["friendly", "tougher", "toughest"]
    seats = rules.players - 1
    means = []
    for table in tables:
        seated = table.opponents[:seats]
        assert len(set(seated)) == len(seated) == seats
        means.append(sum(ratings.ratings[agent].mean for agent in seated) / seats)
    assert all(weaker < stronger for weaker, stronger in pairwise(means))
    assert strongest_agent(rules) == next(iter(ratings.ratings))
    assert len(usual_opponents(rules)) == seats


def test_no_table_is_recommended_where_no_agent_plays_with_skill() -> None:
    assert recommended_tables(named_game("nolimit-9max")) == ()
    assert strongest_agent(named_game("nolimit-9max")) is None
