"""Finding agents by name, what an observation shows, and how a hand is played between agents."""

import gc
import json
from pathlib import Path

import pytest

from folders import ROOT
from railbird.agent import Agent, Decision, HandResult, MatchStart, agent_info, agent_names, make_agent
from railbird.arena.play.hand import IllegalAction, play_hand
from railbird.arena.results.rates import rate_of
from railbird.cards import format_cards
from railbird.engine.actions import CALL, FOLD, ActionKind, raise_to
from railbird.engine.events import Act, DealBoard, DealHole, Event, Reveal
from railbird.engine.games import named_game
from railbird.engine.json_form import RecordError, record_from_json, record_to_json
from railbird.engine.record import HandRecord
from railbird.engine.setup import Setup
from railbird.engine.state import State
from railbird.observation import Observation, visible_to
from railbird.rng import Stream
from railbird.spec import SpecError

LIMIT = Setup.of(named_game("limit-3p"))
NAMES = ("Ann", "Bob", "Cy")


class Parametrised(Agent):
    """Has parameters of every kind."""

    def __init__(self, count: int = 3, share: float = 0.5, bold: bool = False, label: str = "x") -> None:
        self.values = (count, share, bold, label)

    def act(self, observation: Observation) -> Decision:
        return Decision(CALL)


def test_the_baselines_are_registered() -> None:
    assert {"random", "always-call", "always-raise", "always-fold"} <= set(agent_names())
    for name in agent_names():
        assert agent_info(name).summary


@pytest.mark.parametrize(
    ("text", "sentence"),
    [
        ("randon", "no agent is called 'randon': did you mean 'random'"),
        ("random:speed=3", "random has no parameters, but speed=3 was given"),
        ("missing.py:Bot", "there is no file missing.py"),
    ],
)
def test_an_unknown_agent_is_answered_in_a_sentence(text: str, sentence: str) -> None:
    with pytest.raises(SpecError, match=sentence):
        make_agent(text)


def test_an_agent_can_be_a_class_in_a_file_with_parameters() -> None:
    path = f"{__file__}:Parametrised"
    assert make_agent(path).values == (3, 0.5, False, "x")  # type: ignore[attr-defined]
    made = make_agent(f"{path}:count=7,share=0.25,bold=yes,label=y")
    assert made.values == (7, 0.25, True, "y")  # type: ignore[attr-defined]
    for parameters, sentence in [
        ("count=x", "count=x is not a whole number"),
        ("share=x", "share=x is not a number"),
        ("cont=1", "no parameter of .* is called 'cont': did you mean 'count'"),
    ]:
        with pytest.raises(SpecError, match=sentence):
            make_agent(f"{path}:{parameters}")
    with pytest.raises(SpecError, match="has no class 'Nobody'"):
        make_agent(f"{__file__}:Nobody")
    with pytest.raises(SpecError, match="is not an agent"):
        make_agent(f"{__file__}:LIMIT")


class Unannotated(Agent):
    """Has parameters of every kind, told by their defaults."""

    def __init__(self, count=3, share=0.5, bold=False, label="x", most: int | None = None, **_rest):  # type: ignore[no-untyped-def]
        self.values = (count, share, bold, label, most)

    def act(self, observation: Observation) -> Decision:
        return Decision(CALL)


class Demanding(Unannotated):
    """Has a parameter without a default, and divides by it."""

    def __init__(self, count: int) -> None:
        super().__init__(1 // count)


def test_parameters_without_annotation_have_the_type_of_their_default() -> None:
    path = f"{__file__}:Unannotated"
    made = make_agent(f"{path}:count=7,share=1,bold=yes,label=y,most=9")
    assert made.values == (7, 1.0, True, "y", 9)  # type: ignore[attr-defined]
    for text, sentence in [
        (f"{path}:count=x", "count=x is not a whole number"),
        (f"{path}:bold=x", "bold=x is neither yes nor no"),
        (f"{path}:most=x", "most=x is not a whole number"),
        (f"{path}:_rest=x", "no parameter of .* is called '_rest'"),
        (f"{__file__}:Demanding", "Demanding needs the parameter count: write .*Demanding:count="),
        (
            f"{__file__}:Demanding:count=0",
            r"Demanding cannot be created: ZeroDivisionError: .* \(in __init__, test_registry.py line \d+\)$",
        ),
    ]:
        with pytest.raises(SpecError, match=sentence):
            make_agent(text)


def test_a_file_that_cannot_be_loaded_is_answered_with_the_place(tmp_path: Path) -> None:
    (tmp_path / "bot.py").write_text("import railbird\nimport no_such_module\n")
    with pytest.raises(
        SpecError, match=r"bot.py cannot be loaded: ModuleNotFoundError: .* \(in <module>, bot.py line 2\)$"
    ):
        make_agent(f"{tmp_path / 'bot.py'}:Bot")


def test_the_bot_of_the_readme_plays(tmp_path: Path) -> None:
    readme = (ROOT / "README.md").read_text(encoding="utf-8")
    code = next(part for part in readme.split("```python\n")[1:] if "class Cautious" in part).partition(
        "```"
    )[0]
    (tmp_path / "cautious.py").write_text(code)
    agent = make_agent(f"{tmp_path / 'cautious.py'}:Cautious")
    record = play_hand(State.deal(LIMIT, Stream.from_seed(1)), [agent] * 3, NAMES)
    assert sum(record.payoffs) == 0


def reachable_ints(root: object) -> set[int]:
    """Every number that can be reached from an object by following references."""
    seen: dict[int, object] = {}
    waiting = [root]
    numbers: set[int] = set()
    while waiting:
        item = waiting.pop()
        if id(item) in seen or isinstance(item, type) or callable(item):
            continue
        seen[id(item)] = item
        if isinstance(item, int):
            numbers.add(item)
        if isinstance(item, State):
            raise AssertionError("the state can be reached from the observation")
        waiting.extend(gc.get_referents(item))
    return numbers


def test_the_true_state_and_hidden_cards_cannot_be_reached_from_an_observation() -> None:
    for seed in range(30):
        state = State.deal(LIMIT, Stream.from_seed(seed))
        state.call()
        observation = Observation.of(state, 0, NAMES)
        reachable_ints(observation)
        text = json.dumps(observation.to_json())
        hidden = [card for seat in (1, 2) for card in state.hole_cards(seat) or ()] + list(state.cards[6:])
        assert format_cards(observation.hole_cards) in text
        for card in hidden:
            assert f'"{format_cards([card])}' not in text
            assert card not in (*observation.hole_cards, *observation.board)


def test_an_observation_shows_what_the_seat_may_know() -> None:
    state = State.deal(LIMIT, Stream.from_seed(3))
    state.raise_to(20)
    observation = Observation.of(state, 0, NAMES, hand_number=9)
    assert observation.actor == 0
    assert observation.hole_cards == state.hole_cards(0)
    assert (observation.pot, observation.to_call, observation.raises) == (35, 15, 1)
    assert (observation.bets, observation.paid) == ((5, 10, 20), (5, 10, 20))
    assert observation.stacks == (1995, 1990, 1980)
    assert observation.folded == (False, False, False)
    assert observation.actions == (raise_to(20),)
    assert observation.choices == (FOLD, CALL, raise_to(30))
    own = [event for event in observation.events if isinstance(event, DealHole)]
    assert own == [DealHole(0, state.hole_cards(0))]
    assert Act(2, ActionKind.RAISE, 20, 20) in observation.events


def test_an_observation_survives_as_plain_data() -> None:
    state = State.deal(Setup.of(named_game("nolimit-3p:ante=5")), Stream.from_seed(3))
    for action in (raise_to(300), CALL, CALL):
        state.act(action)
    observation = Observation.of(state, 0, NAMES)
    again = Observation.from_json(json.loads(json.dumps(observation.to_json())))
    assert again == observation
    assert (again.legal_actions, again.pot, again.board) == (
        observation.legal_actions, observation.pot, observation.board)  # fmt: skip


class Listener(Agent):
    """Calls, and remembers everything it was told."""

    def __init__(self) -> None:
        self.heard: list[Event] = []
        self.results: list[HandResult] = []

    def hear(self, event: Event) -> None:
        self.heard.append(event)

    def act(self, observation: Observation) -> Decision:
        assert tuple(self.heard) == observation.events, "something was not told before it mattered"
        return Decision(CALL)

    def end_hand(self, result: HandResult) -> None:
        self.results.append(result)


def test_every_agent_hears_what_is_public_and_its_own_cards_in_order() -> None:
    listeners = [Listener() for _ in range(3)]
    state = State.deal(LIMIT, Stream.from_seed(11))
    record = play_hand(state, listeners, NAMES, hand_number=4)
    for seat, listener in enumerate(listeners):
        expected = [event for event in record.events if not isinstance(event, DealHole) or event.seat == seat]
        assert listener.heard == expected
        assert listener.results[0].payoffs == record.payoffs
        assert listener.results[0].hand_number == 4


def test_cards_that_were_not_shown_stay_hidden_after_the_hand() -> None:
    state = State.deal(LIMIT, Stream.from_seed(2))
    for action in (FOLD, CALL, CALL, CALL, CALL, CALL, CALL, CALL, CALL):
        state.act(action)
    record = HandRecord.of(state, NAMES)
    seen = {event.seat: event.cards for event in visible_to(0, record.events) if isinstance(event, DealHole)}
    assert seen[2] is None, "seat 2 folded"
    assert seen[0] == state.hole_cards(0)
    assert seen[1] == state.hole_cards(1), "seat 1 showed at the showdown"
    rail = {
        event.seat: event.cards for event in visible_to(None, record.events) if isinstance(event, DealHole)
    }
    assert (rail[2], rail[0]) == (None, state.hole_cards(0))


class Broken(Agent):
    """Answers with something that is not allowed."""

    def __init__(self, answer: object) -> None:
        self.answer = answer

    def act(self, observation: Observation) -> Decision:
        return self.answer  # type: ignore[return-value]


@pytest.mark.parametrize(
    ("answer", "sentence"),
    [
        (None, "Cy answered with None"),
        (Decision(raise_to(7)), "Cy may not raise to 7"),
        ("call", "which is not a decision"),
    ],
)
def test_an_answer_that_is_not_allowed_is_named(answer: object, sentence: str) -> None:
    with pytest.raises(IllegalAction, match=sentence):
        play_hand(State.deal(LIMIT, Stream.from_seed(1)), [Broken(answer)] * 3, NAMES)


def test_a_reset_is_announced() -> None:
    match = MatchStart(LIMIT.rules, "Ann", NAMES, Stream.from_seed(1), is_reset=True)
    agent = make_agent("random")
    agent.begin_match(match)
    assert match.is_reset


def test_a_record_survives_as_plain_data_and_another_schema_is_refused() -> None:
    record = play_hand(
        State.deal(LIMIT, Stream.from_seed(11)), [Listener() for _ in range(3)], NAMES, seats=(4, 0, 2)
    )
    data = json.loads(json.dumps(record_to_json(record)))
    assert record_from_json(data) == record
    assert any(isinstance(event, Reveal | DealBoard) for event in record.events)
    with pytest.raises(RecordError, match="the schema is 'other', but 'railbird.hand/1' is expected"):
        record_from_json(data | {"schema": "other"})
    with pytest.raises(RecordError, match="is not an event"):
        record_from_json(data | {"events": [["shout", 1]]})


def test_a_rate_names_its_unit_its_interval_and_its_hands() -> None:
    rate = rate_of(LIMIT.rules, [10, -10, 20, 0])
    assert (rate.unit, rate.mean, rate.hands) == ("sb/h", 0.5, 4)
    assert rate.low < 0.5 < rate.high
    assert "95 % interval" in str(rate)
    assert "4 hands" in str(rate)
    assert str(rate_of(LIMIT.rules, [10])) == "+1.000 sb/h (1 hand)"
