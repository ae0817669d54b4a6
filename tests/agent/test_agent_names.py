"""Names of agents for people."""

import re

import pytest

from railbird.agent import (
    Agent,
    Decision,
    agent_info,
    agent_names,
    agent_of_label,
    display_name,
    display_names,
    make_agent,
)
from railbird.agents.loki.profiles import JAGBOT_STYLES, POKIBOT_PROFILES
from railbird.agents.people.characters import POPULATIONS
from railbird.engine.actions import CALL
from railbird.observation import Observation

PROFILED = [
    *(f"{agent}:profile={profile}" for agent in ("pokibot", "simbot") for profile in POKIBOT_PROFILES),
    *(f"jagbot:profile={profile}" for profile in JAGBOT_STYLES),
    *(f"people:kind={kind}" for kind in POPULATIONS),
]


def test_every_agent_and_profile_has_a_name_of_its_own() -> None:
    specs = [*agent_names(), *PROFILED]
    names = [display_name(spec) for spec in specs]
    assert len(set(names)) == len(names)
    for spec, name in zip(specs, names, strict=True):
        assert re.fullmatch(r"[A-Z][A-Za-z0-9 -]*", name), name
        assert name != spec
        assert agent_of_label(name) == spec.partition(":")[0]


def test_every_shipped_agent_states_its_title_itself() -> None:
    for name in agent_names():
        assert vars(type(make_agent(name)))["title"] == agent_info(name).title


@pytest.mark.parametrize(
    ("agent", "name"),
    [
        ("simbot", "Simbot"),
        ("simbot:trials=500", "Simbot (500 trials)"),
        ("simbot:trials=1", "Simbot (1 trial)"),
        ("simbot:trials=12000,mix=0.1", "Simbot (12,000 trials, mix 0.1)"),
        ("simbot:trials=100,profile=tight-passive", "Tight-passive Simbot (100 trials)"),
        ("pokibot:profile=loose-passive", "Loose-passive Pokibot"),
        ("people:kind=real-money", "Real-money Person"),
        ("pokibot:models=no", "Pokibot (no models)"),
        ("pokibot:models=yes", "Pokibot (models)"),
        ("sartre-3p:heads-up=sartre", "Sartre3P (heads up sartre)"),
        ("casper:pack=/home/ann/cases/mine.parquet", "CASPER (pack mine.parquet)"),
        ("brain:url=http://localhost:8000/,agent=simbot", "Remote Agent (url localhost:8000, agent simbot)"),
        ("bot.py:Cautious", "Cautious"),
        ("bots/bot.py:Cautious:bets=2", "Cautious (2 bets)"),
        ("long-gone", "Long gone"),
    ],
)
def test_a_spec_is_read_as_a_name(agent: str, name: str) -> None:
    assert display_name(agent) == name


def test_namesakes_at_a_table_are_numbered() -> None:
    assert display_names(["simbot", "random", "simbot", "simbot:trials=5"]) == (
        "Simbot 1",
        "Random",
        "Simbot 2",
        "Simbot (5 trials)",
    )
    assert display_names(["casper:pack=a/x", "casper:pack=b/x"]) == ("CASPER (pack x) 1", "CASPER (pack x) 2")


class Untitled(Agent):
    """Calls."""

    def act(self, observation: Observation) -> Decision:
        return Decision(CALL)


class Titled(Untitled):
    title = "The Caller"


class Heir(Titled):
    pass


@pytest.mark.parametrize(
    ("found", "title"), [(Untitled, "My first bot"), (Titled, "The Caller"), (Heir, "My first bot")]
)
def test_a_title_is_stated_by_the_class_itself_or_made_from_the_name(
    monkeypatch: pytest.MonkeyPatch, found: type[Agent], title: str
) -> None:
    monkeypatch.setattr("railbird.agent.registry._agent_class", lambda _: found)
    assert agent_info("my-first-bot").title == title
