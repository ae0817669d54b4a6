"""The names in the plan of a session."""

import pytest

from railbird.engine.games import named_game
from railbird.engine.json_form import rules_to_json
from railbird.interfaces.web.table.session_plan import PERSON, SessionPlan, is_like_an_agent, plan_session

RULES = named_game("limit-4max")
AGENTS = ["simbot:trials=5", "pokibot:profile=loose-passive", "simbot:trials=5"]


def test_chairs_are_labelled_with_unique_names_for_people() -> None:
    plan = plan_session(RULES, AGENTS, name="Ann")
    assert plan.names == ["Ann", "Simbot (5 trials) 1", "Loose-passive Pokibot", "Simbot (5 trials) 2"]
    assert plan.agents == [PERSON, *AGENTS]
    assert SessionPlan.from_json(plan.to_json()) == plan


def test_a_title_names_the_game_and_some_agents() -> None:
    against = plan_session(RULES, AGENTS, name="Ann")
    assert against.title == (
        "Limit, 4 players, $10/$20, against Simbot (5 trials), Loose-passive Pokibot, Simbot (5 trials)"
    )
    watched = plan_session(RULES, ["random", *AGENTS], name=None)
    assert watched.title == (
        "Limit, 4 players, $10/$20: Random, Simbot (5 trials), Loose-passive Pokibot and 1 more"
    )


def test_a_session_that_was_stored_with_specs_as_labels_has_the_same_title() -> None:
    labels = ["Ann", "simbot:trials=5 1", "pokibot:profile=loose-passive", "simbot:trials=5 2"]
    stored = {"rules": rules_to_json(RULES), "names": labels, "agents": [PERSON, *AGENTS]}
    plan = SessionPlan.from_json(stored)
    assert plan.names == labels
    assert plan.title == plan_session(RULES, AGENTS, name="Ann").title


@pytest.mark.parametrize("name", ["Random", "loose-passive pokibot", "Simbot (5 trials) 2", "sartre 2009"])
def test_no_person_is_called_like_an_agent(name: str) -> None:
    assert is_like_an_agent(name)


@pytest.mark.parametrize("name", ["Ann", "Randolf", "Loose Ann", "Pokibots"])
def test_other_names_are_free(name: str) -> None:
    assert not is_like_an_agent(name)
