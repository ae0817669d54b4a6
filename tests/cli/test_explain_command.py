"""`railbird explain`: an agent's decision in the situation of a MATCHSTATE line, as text and as plain data."""

import json
from io import StringIO
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from rich.console import Console, RenderableType

from command import railbird
from railbird.agent import Decision
from railbird.engine.actions import CALL, raise_to
from railbird.explanation import (
    Bar,
    Bars,
    Belief,
    Cell,
    Deferred,
    Explanation,
    ExplanationError,
    Fact,
    RangeGrid,
    Section,
    Table,
)
from railbird.hands.holdings import CLASSES, class_index, parse_holding
from railbird.interfaces.explaining import decision_view, explanation_view

FLOP = "MATCHSTATE:0:7:rc/:AhKd|/2c3d4h"

LISTENER = '''
from railbird.agent import Agent, Decision, Explanation, Fact
from railbird.engine.actions import CALL

class Listener(Agent):
    """Says what it heard and saw."""

    def begin_match(self, match):
        self.heard = [match.label, ",".join(match.players)]

    def hear(self, event):
        self.heard.append(type(event).__name__)

    def act(self, observation):
        return Decision(CALL, Explanation("Listens.", (Fact("heard", " ".join(self.heard)),)))
'''


def told(*arguments: object) -> str:
    outcome = railbird("explain", *arguments)
    assert outcome.code == 0, outcome.error
    return outcome.out.decode()


def test_the_command_shows_the_table_the_action_and_the_reasons() -> None:
    text = told("simbot:trials=50", "--state", FLOP)
    for part in (
        "flop, pot 40",
        "Ah Kd  on  2c 3d 4h",
        "simulated hands",
        "expected value",
        "trials",
        "seat 1:",
    ):
        assert part in text


def test_plain_data_hold_the_decision_and_the_whole_explanation() -> None:
    data = json.loads(told("pokibot", "--state", FLOP, "--json"))
    assert data["schema"] == "railbird.decision/1"
    assert (data["agent"], data["game"], data["state"]) == ("pokibot", "limit-2p", FLOP)
    explanation = Explanation.from_json(data["explanation"])
    assert explanation.summary.endswith(".")
    assert any(isinstance(section, Belief) for section in explanation.sections)


def test_the_same_seed_gives_the_same_answer() -> None:
    first, second, other = (
        told("simbot:trials=25", "--state", FLOP, "--json", "--seed", seed) for seed in ("1", "1", "2")
    )
    assert first == second
    assert first != other


def test_the_agent_hears_what_it_would_have_heard_at_the_table(tmp_path: Path) -> None:
    (tmp_path / "bot.py").write_text(LISTENER)
    name = f"{tmp_path / 'bot.py'}:Listener"
    data = json.loads(told(name, "--state", FLOP, "--json"))
    heard = data["explanation"]["facts"]["heard"]
    assert heard == f"{name} {name},seat 1 Post Post DealHole Act Act DealBoard"


@pytest.mark.parametrize(
    ("line", "game"),
    [
        ("MATCHSTATE:1:0::|AhKd", "limit-2p"),
        ("MATCHSTATE:2:0::||AhKd", "limit-3p"),
        ("MATCHSTATE:2:0::||AhKd|", "limit-4max"),
        ("MATCHSTATE:2:0::||AhKd||||||", "limit-9max"),
        ("MATCHSTATE:0:0:r300:AhKd|", "nolimit-2p"),
    ],
)
def test_without_a_game_the_line_tells_its_size_and_betting(line: str, game: str) -> None:
    assert json.loads(told("always-call", "--state", line, "--json"))["game"] == game


@pytest.mark.parametrize(
    ("arguments", "sentence"),
    [
        (("random", "--state", "hello"), "'hello' is not MATCHSTATE:position:hand:betting:cards"),
        (("random", "--state", "MATCHSTATE:1:7:rc/:|AhKd/2c3d4h"), "position 0 is to act"),
        (("random", "--state", "MATCHSTATE:0:7:rf:AhKd|"), "the hand is over"),
        (("random", "--state", "MATCHSTATE:0:7:rc/:AhKd|/2c3d4x"), "4x"),
        (("randm", "--state", FLOP), "did you mean 'random'"),
        (("random", "--state", FLOP, "--game", "limit-3p"), "where no round ends"),
        (("simbot", "--state", "MATCHSTATE:0:0:r300:AhKd|"), "Simbot plays limit hold'em"),
        (("simbot:trials=0", "--state", FLOP), "trials=0"),
    ],
)
def test_what_cannot_be_explained_is_answered_in_a_sentence(
    arguments: tuple[str, ...], sentence: str
) -> None:
    outcome = railbird("explain", *arguments)
    assert outcome.code == 2
    assert outcome.error.startswith("railbird: ")
    assert sentence in outcome.error
    assert outcome.error.count("\n") == 1
    assert not outcome.out


def drawn(view: RenderableType) -> list[str]:
    console = Console(width=90, file=StringIO())
    with console.capture() as capture:
        console.print(view)
    return [line.rstrip() for line in capture.get().splitlines()]


texts = st.text(max_size=12)
numbers = st.floats(-1e6, 1e6)
cells: st.SearchStrategy[Cell] = st.one_of(texts, st.integers(-(2**50), 2**50), numbers)
bars = st.builds(
    Bars,
    texts,
    st.lists(st.builds(Bar, texts, numbers, st.none() | st.floats(0, 100)), max_size=4).map(tuple),
    texts,
)
grids = st.builds(
    RangeGrid,
    texts,
    st.integers(0, 99).map(lambda seed: tuple(np.random.default_rng(seed).random(CLASSES).tolist())),
)
tables = st.integers(0, 3).flatmap(
    lambda width: st.builds(
        Table,
        texts,
        st.lists(texts, min_size=width, max_size=width).map(tuple),
        st.lists(st.lists(cells, min_size=width, max_size=width).map(tuple), max_size=3).map(tuple),
    )
)
sections: st.SearchStrategy[Section] = st.one_of(
    bars, tables, grids, st.builds(Belief, texts, grids, st.lists(bars, max_size=2).map(tuple))
)
explanations = st.builds(
    Explanation,
    texts,
    st.dictionaries(texts, cells, max_size=3).map(lambda facts: tuple(Fact(*each) for each in facts.items())),
    st.lists(sections, max_size=3).map(tuple),
)


@given(explanations)
def test_any_explanation_survives_as_plain_data_and_can_be_drawn(explanation: Explanation) -> None:
    text = json.dumps(explanation.to_json(), allow_nan=False)
    assert Explanation.from_json(json.loads(text)) == explanation
    assert drawn(explanation_view(explanation))


def test_deferred_sections_are_made_once_and_equal_those_made_at_once() -> None:
    made = []

    def make() -> tuple[Section, ...]:
        made.append(True)
        return (Bars("values", (Bar("call", 1.0),)),)

    lazy = Explanation("Why.", (), Deferred(make))
    assert not made
    eager = Explanation("Why.", (), (Bars("values", (Bar("call", 1.0),)),))
    assert lazy == eager
    assert eager == lazy
    assert hash(lazy) == hash(eager)
    assert lazy.sections[0] == lazy.sections[:1][0]
    assert "values" in repr(lazy)
    assert made == [True]


@pytest.mark.parametrize(
    ("data", "sentence"),
    [
        ({}, "no explanation in plain data"),
        ({"summary": 3, "facts": {}, "sections": []}, "summary of an explanation is text"),
        ({"summary": "", "facts": {"a": None}, "sections": []}, "text or a number"),
        ({"summary": "", "facts": {}, "sections": [{"kind": "pie"}]}, "not 'pie'"),
        (
            {"summary": "", "facts": {}, "sections": [{"kind": "range", "title": "", "weights": [1]}]},
            "1 weights",
        ),
    ],
)
def test_other_data_is_refused(data: dict[str, object], sentence: str) -> None:
    with pytest.raises(ExplanationError, match=sentence):
        Explanation.from_json(data)


def test_values_that_cannot_be_drawn_are_refused() -> None:
    with pytest.raises(ExplanationError, match="the bar 'a' is nan"):
        Bars("t", (Bar("a", float("nan")),))
    with pytest.raises(ExplanationError, match="a row of 1 cells below 2 columns"):
        Table("t", ("a", "b"), ((1,),))


def test_bars_grow_from_a_common_zero_and_errors_stand_beside_their_values() -> None:
    decision = Decision(
        raise_to(20),
        Explanation(
            "Raising wins most.",
            (Fact("pot odds", 0.25),),
            (Bars("expected value", (Bar("call", -4.0, 0.5), Bar("raise to 20", 8.0, 1.25)), "chips"),),
        ),
        ((CALL, 0.25), (raise_to(20), 0.75)),
    )
    lines = drawn(decision_view(decision))
    assert lines[0] == "raise to 20"
    assert lines[2].split() == ["raise", "to", "20", "0.75", "█" * 24]
    assert "  pot odds  0.25" in lines
    (call,) = (line for line in lines if "± 0.5 chips" in line)
    (raise_,) = (line for line in lines if "8 ± 1.25 chips" in line)
    assert call.endswith("█" * 12 + "│")
    assert raise_.endswith("│" + "█" * 24)
    assert call.index("│") == raise_.index("│")


def test_a_grid_has_suited_hands_above_the_diagonal() -> None:
    weights = np.zeros(1326)
    for name in ("AhKh", "AsKs", "AdKd", "AcKc"):
        weights[parse_holding(name)] = 0.2
    weights[parse_holding("AhKs")] = 0.6
    grid = RangeGrid.of("weights", weights)
    assert grid.weights[class_index("AKs")] == pytest.approx(0.2)
    assert grid.weights[class_index("AKo")] == pytest.approx(0.05)
    lines = drawn(explanation_view(Explanation("Why.", (), (grid,))))
    first = next(place for place, line in enumerate(lines) if line.strip().startswith("A K Q"))
    assert lines[first + 1].split()[:3] == ["A", "·", "9"]
    assert lines[first + 2].split()[:3] == ["K", "2", "·"]


def test_the_range_is_drawn_for_every_action() -> None:
    text = told("probtriple", "--state", FLOP, "--range")
    assert text.count("A K Q J T 9 8 7 6 5 4 3 2") == 2
    assert "range to raise to 10" in text
    data = json.loads(told("probtriple", "--state", FLOP, "--range", "--json"))
    assert [len(grid["weights"]) for grid in data["range"]] == [CLASSES] * 2
    assert "range" not in json.loads(told("probtriple", "--state", FLOP, "--json"))


def test_an_agent_without_a_strategy_for_other_cards_says_so() -> None:
    outcome = railbird("explain", "simbot:trials=5", "--state", FLOP, "--range")
    assert outcome.code == 2
    assert "Simbot simulates hands with the cards that it holds" in outcome.error
