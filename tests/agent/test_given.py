"""Agents given as objects and classes play like those with names, wherever they are played."""

import sys
from pathlib import Path
from types import ModuleType
from typing import Any

import pytest

import railbird
from folders import SUPPORT
from misbehaving_agents import Caller
from railbird.agent import Agent, Decision, GivenAgent, named
from railbird.agent.sending import CannotBeSent
from railbird.agents.baselines import AlwaysCall, AlwaysFold
from railbird.arena.play.plan import Limits
from railbird.engine.actions import CALL
from railbird.learning.exploit import exploit
from railbird.observation import Observation
from railbird.spec import SpecError


@pytest.mark.parametrize(
    "options", [{"seats": [Caller, "random"]}, {"workers": 2}, {"limits": Limits(decision_s=60.0)}]
)
def test_objects_and_classes_play_as_by_name(options: dict[str, Any]) -> None:
    by_name = railbird.match([f"{SUPPORT / 'misbehaving_agents.py'}:Caller", "random"], hands=10)
    given = railbird.match(**{"seats": [Caller(), "random"], "hands": 10, **options})
    assert given.digest == by_name.digest
    assert [player["label"] for player in given.to_json()["players"]] == ["Caller", "random"]


class Counts(Caller):
    """Raises as soon as it has been asked more than its limit."""

    def __init__(self, limit: int = 10) -> None:
        self.limit, self.asked = limit, 0

    def act(self, observation: Observation) -> Decision:
        self.asked += 1
        assert self.asked <= self.limit
        return super().act(observation)


def test_every_seating_plays_a_copy_of_an_object_as_it_was_given() -> None:
    agent = Counts(limit=20)
    results = railbird.tournament([agent, Counts(limit=1), "always-call"], hands=5, seed=3)
    assert agent.asked == 0
    assert results.failed == ("Counts 2",)
    command = results.to_json()["reproduce"]
    assert (
        command
        == "railbird.tournament([Counts(…), Counts(…), 'always-call'], game='limit-2p', hands=5, seed='3')"
    )


def caller(constant: int, name: str = "Local") -> type[Agent]:
    def act(self: Agent, observation: Observation) -> Decision:
        return Decision(CALL, strategy=((CALL, 1.0),) * constant)

    return type(name, (Agent,), {"act": act, "__module__": __name__, "limits": {"a": 1, "b": (2, [3])}})


def test_another_program_or_state_is_another_player(tmp_path: Path) -> None:
    same = {named(caller(1)), named(caller(1)), GivenAgent.of(caller(1))}
    assert len(same) == 1
    others: list[Any] = [caller(2), caller(1, "Other"), caller(1)(), Counts, Counts(), Counts(3), Caller]
    assert len({*same, *map(named, others)}) == 8
    assert named(Counts(3)) == named(Counts(3))
    waiting = Counts()
    waiting.file = open(__file__, encoding="utf-8")  # type: ignore[attr-defined]  # noqa: SIM115
    with waiting.file, pytest.raises(SpecError, match="Counts cannot be copied.*: give the class"):  # type: ignore[attr-defined]
        named(waiting)
    file = tmp_path / "results.json"
    for kind, matches in ((caller(1), 1), (caller(1), 1), (caller(2), 2)):
        railbird.match([kind, "always-call"], hands=3, results=file)
        assert len((tmp_path / "results.json.journal").read_text().splitlines()) == 1 + matches


def test_what_other_processes_cannot_find_is_refused_in_a_sentence(monkeypatch: pytest.MonkeyPatch) -> None:
    class Inside(Caller):
        """Is defined inside a function."""

    in_notebook: Any = type("Cell", (Caller,), {"__module__": "__main__"})
    notebook = ModuleType("__main__")
    notebook.Cell = in_notebook  # type: ignore[attr-defined]
    monkeypatch.setitem(sys.modules, "__main__", notebook)
    with_function = Counts()
    with_function.limit = lambda: 3  # type: ignore[assignment]
    loaded = railbird.make_agent(f"{SUPPORT / 'misbehaving_agents.py'}:Caller")
    for agent, sentence in (
        (Inside, "Inside is defined inside a function, where other processes do not find it"),
        (with_function, "<lambda> is defined inside a function"),
        (in_notebook, "Cell is defined in a notebook, at a prompt or in the main program"),
        (loaded, "Caller is in railbird_agent_misbehaving_agents, which other processes cannot import"),
    ):
        for where in ({"workers": 2}, {"limits": Limits(decision_s=60.0)}):
            with pytest.raises(CannotBeSent, match=sentence):
                railbird.match([agent, "random"], hands=2, **where)
    assert not railbird.match([Inside, in_notebook], hands=2).failed


def test_wherever_a_name_goes_objects_and_classes_go() -> None:
    state = "MATCHSTATE:1:0::|AhAd"
    assert str(railbird.explain(AlwaysCall(), state)) == str(railbird.explain("always-call", state))
    assert exploit(AlwaysFold, game="kuhn-2p").rate == exploit("always-fold", game="kuhn-2p").rate
    assert isinstance(railbird.make_agent(Caller), Caller)
    for wrong in (object(), int, 7):
        with pytest.raises(SpecError, match="is not an agent: give a name, or an object or a class"):
            railbird.match([wrong, "random"])  # type: ignore[list-item]
