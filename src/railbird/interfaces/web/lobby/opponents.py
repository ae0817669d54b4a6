"""The agents of the lobby: the games and parameters of each, and how strong it is."""

from dataclasses import asdict
from functools import cache
from typing import Any

from railbird.agent import agent_info, agent_names, display_name
from railbird.arena.results.rates import UNIT_WORDS
from railbird.interfaces.company import recommended_tables, suits
from railbird.interfaces.ratings import MEANINGS, rated_game, ratings_for
from railbird.interfaces.web.agent_descriptions import described
from railbird.interfaces.web.lobby.games import offered_games


@cache
def offered_agents() -> list[dict[str, Any]]:
    """Every registered agent, with the names of the games it plays."""
    told = []
    for name in agent_names():
        plays = [game.name for game in offered_games() if suits(name, game)]
        if plays:
            # An agent with a required parameter, such as the address of a brain, must be named with it.
            told.append({**described(agent_info(name)), "plays": plays})
    return told


@cache
def ratings_to_json() -> dict[str, Any]:
    """The rated game of every offered game, and ratings and recommended tables by rated game."""
    games = {}
    for rules in offered_games():
        ratings = ratings_for(rules)
        if ratings is not None and ratings.game == rules.name:
            games[rules.name] = {
                "unit": UNIT_WORDS[ratings.unit],
                "field": len(ratings.field),
                "agents": {
                    agent: {
                        "title": display_name(agent),
                        "stars": rating.stars,
                        "mean": rating.mean,
                        "margin": rating.margin,
                        "hands": rating.hands,
                    }
                    for agent, rating in ratings.ratings.items()
                },
                "tables": [asdict(table) for table in recommended_tables(rules)],
            }
    return {
        "rated": {rules.name: rated_game(rules) for rules in offered_games() if rated_game(rules) in games},
        "games": games,
        "meanings": {str(stars): words for stars, words in MEANINGS.items()},
    }
