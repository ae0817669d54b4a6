"""`railbird explain`: an agent's decision in the situation of a MATCHSTATE line, as text and as plain data."""

import json
from io import StringIO
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given
from rich.console import Console, RenderableType

from command import railbird
from explanations import explanations
from railbird.agent import Decision
from railbird.engine.actions import CALL, raise_to
from railbird.engine.wording import Wording
from railbird.explanation import (
    CHIPS,
    SHARE,
    Bar,
    Bars,
    Belief,
    Explanation,
    Fact,
    RangeGrid,
    explanation_from_json,
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
        "stopped because",
        "seat 1's range",
    ):
        assert part in text


def test_plain_data_hold_the_decision_and_the_whole_explanation() -> None:
    data = json.loads(told("pokibot", "--state", FLOP, "--json", "-"))
    assert data["schema"] == "railbird.decision/1"
    assert (data["agent"], data["game"], data["state"]) == ("pokibot", "limit-2p", FLOP)
    explanation = explanation_from_json(data["explanation"])
    assert explanation.summary.endswith(".")
    assert any(isinstance(section, Belief) for section in explanation.sections)


def test_the_same_seed_gives_the_same_answer() -> None:
    first, second, other = (
        told("simbot:trials=25", "--state", FLOP, "--json", "-", "--seed", seed) for seed in ("1", "1", "2")
    )
    assert first == second
    assert first != other


def test_the_agent_hears_what_it_would_have_heard_at_the_table(tmp_path: Path) -> None:
    (tmp_path / "bot.py").write_text(LISTENER)
    name = f"{tmp_path / 'bot.py'}:Listener"
    data = json.loads(told(name, "--state", FLOP, "--json", "-"))
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
    assert json.loads(told("always-call", "--state", line, "--json", "-"))["game"] == game


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


@given(explanations)
def test_any_explanation_can_be_drawn(explanation: Explanation) -> None:
    assert drawn(explanation_view(explanation))


def test_sections_of_other_kinds_are_refused() -> None:
    with pytest.raises(TypeError, match="sections of type _Pie cannot be drawn"):
        explanation_view(Explanation("Why.", (), (_Pie(),)))


class _Pie:
    title = "pie"

    def to_json(self) -> dict[str, object]:
        return {"kind": "pie"}


def test_bars_grow_from_a_common_zero_and_errors_stand_beside_their_values() -> None:
    decision = Decision(
        raise_to(20),
        Explanation(
            "Raising wins most.",
            (Fact("pot odds", 0.25, SHARE),),
            (Bars("expected value", (Bar("call 10", -4.0, 0.5), Bar("raise to 20", 8.0, 1.25)), CHIPS),),
        ),
        ((CALL, 0.25), (raise_to(20), 0.75)),
    )
    lines = drawn(decision_view(decision, Wording(to_call=10, to_match=10, bet=0, stack=990)))
    assert lines[0] == "Raise to 20"
    assert lines[1].split()[:3] == ["call", "10", "25"]
    assert lines[2].split() == ["raise", "to", "20", "75", "%", "█" * 24]
    assert lines[3] == "The action was drawn at random: it had a chance of 75 %."
    assert "  pot odds  25 %" in lines
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
    assert grid.weights[class_index("AKo")] == pytest.approx(0.6)
    assert (grid.combos[class_index("AKs")], grid.combos[class_index("AKo")]) == (4, 1)
    lines = drawn(explanation_view(Explanation("Why.", (), (grid,))))
    first = next(place for place, line in enumerate(lines) if line.strip().startswith("A K Q"))
    assert lines[first + 1].split()[:3] == ["A", "·", "3"]
    assert lines[first + 2].split()[:3] == ["K", "9", "·"]
    assert lines[first + 14].strip() == "9 = 60 %, weight"


def test_the_range_is_drawn_for_every_action() -> None:
    text = told("probtriple", "--state", FLOP, "--range")
    assert text.count("A K Q J T 9 8 7 6 5 4 3 2") == 2
    assert "bet 10: " in text
    assert "check: " in text
    data = json.loads(told("probtriple", "--state", FLOP, "--range", "--json", "-"))
    assert [len(grid["weights"]) for grid in data["range"]] == [CLASSES] * 2
    assert "range" not in json.loads(told("probtriple", "--state", FLOP, "--json", "-"))


def test_an_agent_without_a_strategy_for_other_cards_says_so() -> None:
    outcome = railbird("explain", "simbot:trials=5", "--state", FLOP, "--range")
    assert outcome.code == 2
    assert "Simbot simulates hands with its own cards" in outcome.error
