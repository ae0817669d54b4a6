"""Messages of a brain: its agent is told what the table would tell it, and nothing passes unchecked."""

import json
from collections.abc import Callable, Sequence
from random import Random
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from railbird.agent import Agent, Decision, HandResult, MatchStart
from railbird.agent.plain_form import (
    decision_from_json,
    decision_to_json,
    match_to_json,
    read_rules,
    result_from_json,
    result_to_json,
    sections_from_json,
)
from railbird.arena.play.hand import finish_hand
from railbird.cards import parse_cards
from railbird.engine.actions import CALL, FOLD, Action, raise_to
from railbird.engine.events import Event
from railbird.engine.games import named_game
from railbird.engine.history import events_of
from railbird.engine.json_form import rules_to_json
from railbird.engine.rules import Mucking
from railbird.engine.setup import Setup
from railbird.engine.state import State
from railbird.explanation import Bar, Bars, Deferred, Explanation, Fact
from railbird.fields import FieldError, Fields
from railbird.interfaces.brain.messages import (
    SCHEMA,
    Opening,
    opening_to_json,
    read_next_match,
    read_opening,
)
from railbird.interfaces.brain.refusals import Code, Refusal, read_body, refusal_of
from railbird.interfaces.brain.sessions import Session
from railbird.interfaces.brain.views import ViewReader, view_to_json
from railbird.notation.acpc.match import acpc_rules, format_match_state
from railbird.observation import Observation, visible_to
from railbird.plain_data import write_json
from railbird.rng import Stream
from strategies import random_action, random_cards, random_rules, random_setup, random_style, randoms


class Witness(Agent):
    """Plays given actions and writes down everything that it is told."""

    def __init__(self, actions: Sequence[Action]) -> None:
        self.actions = list(reversed(actions))
        self.notes: list[object] = []

    def begin_match(self, match: MatchStart) -> None:
        self.notes.append(match)

    def hear(self, event: Event) -> None:
        self.notes.append(event)

    def act(self, observation: Observation) -> Decision:
        self.notes.append(observation.to_json())
        return Decision(self.actions.pop(), strategy=((CALL, 1.0),))

    def end_hand(self, result: HandResult) -> None:
        self.notes.append(result)


class Wired(Agent):
    """Tells an agent in a session what `RemoteAgent` would tell it, through JSON and back."""

    def __init__(self, agent: Agent) -> None:
        self.session = Session("witness", agent)

    def begin_match(self, match: MatchStart) -> None:
        self.match = match
        opening = read_opening(sent(opening_to_json(Opening("witness", match))))
        assert opening == Opening("witness", match)
        self.session.begin(opening.match)

    def act(self, observation: Observation) -> Decision:
        answer = self.session.decide(sent({"view": view_to_json(observation, self.match)}))
        return decision_from_json(sent(answer), Deferred(tuple))

    def end_hand(self, result: HandResult) -> None:
        self.session.end(sent({"result": result_to_json(result)}))


def sent(data: Any) -> Any:
    return read_body(write_json(data))


def played(random: Random, start: State) -> tuple[State, list[list[Action]]]:
    """A finished hand, and the actions of every seat."""
    state = start.clone()
    style = random_style(random)
    while not state.is_over:
        state.act(random_action(random, state.legal_actions, style))
    acts = [node.act for node in state.node.path]
    pairs = list(zip(state.actions, acts, strict=True))
    return state, [
        [action for action, act in pairs if act.seat == seat] for seat in range(start.rules.players)
    ]


@given(randoms)
def test_an_agent_in_a_brain_is_told_what_the_table_tells_it(random: Random) -> None:
    """Any game with any options, and hands in which the seat folds early, never acts, or sees opponents muck."""
    setup = random_setup(random)
    start = State(setup, random_cards(random, setup.rules))
    _, actions = played(random, start)
    players = tuple(f"player {seat}" for seat in range(setup.rules.players))
    labels = players if random.random() < 0.5 else tuple(random.sample(players, len(players)))
    seat = random.randrange(len(players))
    match = MatchStart(setup.rules, players[seat], labels, Stream.from_seed(1), experience=("a\nb", "é"))
    told = []
    for wrap in (lambda agent: agent, Wired):
        agents = [Witness(own) for own in actions]
        wrapped: Agent = wrap(agents[seat])
        wrapped.begin_match(match)
        at_table: list[Agent] = [*agents[:seat], wrapped, *agents[seat + 1 :]]
        finish_hand(start.clone(), at_table, players, hand_number=17)
        told.append(agents[seat].notes)
    assert told[0] == told[1]


@settings(max_examples=60)
@given(randoms)
def test_a_body_that_tells_every_view_and_what_is_shown_tells_the_same(random: Random) -> None:
    setup = random_setup(random)
    rules = setup.rules
    start = State(setup, random_cards(random, rules))
    over, actions = played(random, start)
    players = tuple(f"player {seat}" for seat in range(rules.players))
    seat = random.randrange(rules.players)
    match = MatchStart(rules, players[seat], players, Stream.from_seed(1))
    here = [Witness(own) for own in actions]
    here[seat].begin_match(match)
    finish_hand(start.clone(), here, players, hand_number=3)

    there = Witness(actions[seat])
    session = Session("witness", there)
    session.begin(match)
    state = start.clone()
    for action in (*over.actions, None):
        view = view_to_json(Observation.of(state, seat, players, 3), match)
        for _ in range(random.choice([0, 1, 2])):  # views may be missed, and told twice
            assert session.look(sent({"view": view})) == {"to_act": state.actor}
        if state.actor == seat:
            answer = session.decide(sent({"view": view}))
            assert action is not None
            assert answer["action"] == [action.kind.name.lower(), action.to]
        if action is not None:
            state.act(action)
    if state.is_showdown:
        view["shown"] = {
            str(live): "".join(sent(Observation.of(state, live, players).to_json()["hole_cards"]))
            for live in state.live_seats
            if live != seat
        }
    answer = session.end(sent({"view": view}))
    assert answer["payoffs"] == [chips if isinstance(chips, int) else str(chips) for chips in state.payoffs]
    assert there.notes == here[seat].notes


@settings(max_examples=40)
@given(randoms)
def test_matchstate_lines_tell_the_same_as_views(random: Random) -> None:
    rules = acpc_rules(named_game(random.choice(["limit-2p", "limit-3p", "nolimit-3p", "limit-9max"])))
    start = State(Setup.of(rules), random_cards(random, rules))
    over, actions = played(random, start)
    seat = random.randrange(rules.players)
    notes = []
    for by_line in (False, True):
        witness = Witness(actions[seat])
        session = Session("witness", witness)
        opening = {"schema": SCHEMA, "agent": "me", "rules": rules_to_json(rules), "seed": 4}
        match = read_opening(sent(opening)).match
        session.begin(match)
        players = tuple(
            ("me", *(f"opponent-{place}" for place in range(1, rules.players)))[
                (other - seat) % rules.players
            ]
            for other in range(rules.players)
        )
        state = start.clone()
        for action in over.actions:
            line = format_match_state(state, seat, 5)
            view = view_to_json(Observation.of(state, seat, players, 5), match)
            assert "players" not in view, "who sits where follows from the seat"
            request = {"state": line + random.choice(["", "\r\n"])} if by_line else {"view": view}
            if state.actor == seat:
                answer = session.decide(sent(request))
                assert ("reply" in answer) == by_line
                if by_line:
                    assert answer["reply"].startswith(f"{line}:")
            else:
                session.look(sent(request))
            state.act(action)
        if by_line:
            session.end(sent({"state": format_match_state(state, seat, 5)}))
        else:
            seen = visible_to(seat, events_of(state))
            result = HandResult(seat, players, seen, state.payoffs, 5)
            session.end(sent({"result": result_to_json(result)}))
        notes.append(witness.notes)
    assert notes[0] == notes[1]


@given(randoms)
def test_rules_survive_the_wire(random: Random) -> None:
    rules = random_rules(random)
    assert read_rules(sent(rules_to_json(rules)), "rules") == rules


@pytest.mark.parametrize(
    "name", ["kuhn-3p", "leduc-2p", "limit-2p", "nolimit-6max:carry=yes", "potlimit-10max"]
)
def test_named_games_survive_the_wire(name: str) -> None:
    rules = named_game(name)
    match = MatchStart(rules, "a", tuple("abcdefghij"[: rules.players]), Stream.from_seed(1), is_reset=True)
    assert read_next_match(sent(match_to_json(match)), "a") == match


def test_decisions_survive_the_wire_and_their_sections_are_made_on_demand() -> None:
    made = []

    def sections() -> tuple[Bars, ...]:
        made.append(1)
        return (Bars("values", (Bar("call", 0.1 + 0.2), Bar("raise", 1e300, 0.5)), "sb"),)

    explanation = Explanation("Because.", (Fact("odds", 1 / 3), Fact("k", 7)), Deferred(sections))
    decision = Decision(raise_to(40), explanation, ((FOLD, 0.1), (raise_to(40), 0.9)))
    short = sent(decision_to_json(decision, sections=False))
    assert "sections" not in short["explanation"]
    assert not made
    whole = sent(decision_to_json(decision, sections=True))
    again = decision_from_json(short, Deferred(lambda: sections_from_json(whole)))
    assert again == decision


def test_what_json_does_not_know_becomes_text() -> None:
    odd = Decision(CALL, Explanation("Odd.", (Fact("nan", float("nan")), Fact("set", {1}))))  # type: ignore[arg-type]
    facts = json.loads(write_json(decision_to_json(odd, sections=True)))["explanation"]["facts"]
    assert facts == {"nan": "nan", "set": "{1}"}


def test_the_same_seed_gives_the_same_stream_and_none_a_new_one() -> None:
    base = {"schema": SCHEMA, "agent": "random", "game": "limit-2p"}
    streams = [read_opening({**base, **more}).match.stream for more in ({"seed": 7}, {"seed": "7"}, {}, {})]
    assert streams[0] == streams[1] == Stream.from_seed(7).child("agent", "random")
    assert len(set(streams)) == 3


OPENING = {"schema": SCHEMA, "agent": "random", "game": "limit-2p"}
RULES = rules_to_json(named_game("limit-2p"))


@pytest.mark.parametrize(
    ("changes", "code", "sentence"),
    [
        ({"schema": "railbird.brain/9"}, Code.BAD_FIELD, "is 'railbird.brain/9', but 'railbird.brain/1' is expected"),
        ({"schema": None}, Code.BAD_FIELD, "schema of the opening is None, but text of at most 1000"),
        ({"agnet": "x"}, Code.UNKNOWN_FIELD, "the opening has no field 'agnet'"),
        ({"agent": 7}, Code.BAD_FIELD, "agent of the opening is 7, but text"),
        ({"agent": "a\nb"}, Code.BAD_FIELD, r"agent of the opening is 'a\nb', but text"),
        ({"rules": RULES}, Code.BAD_FIELD, "the opening has game and rules, but only one of them is expected"),
        ({"seed": 7, "stream": "00"}, Code.BAD_FIELD, "the opening has seed and stream, but only one of them"),
        ({"stream": "00"}, Code.BAD_FIELD, "stream of the opening is '00', but 64 hexadecimal digits is expected"),
        ({"seed": 1.5}, Code.BAD_FIELD, "seed of the opening is 1.5, but a number or a text"),
        ({"seed": True}, Code.BAD_FIELD, "seed of the opening is True"),
        ({"players": ["random"]}, Code.BAD_FIELD, "is ['random'], but a list of 2 to 10 different names"),
        ({"players": ["a", "b"]}, Code.BAD_FIELD, "the label 'random' is not among the players of the opening"),
        ({"players": "ab"}, Code.BAD_FIELD, "players of the opening is 'ab', but a list of at most 1000 texts"),
        ({"is_reset": 1}, Code.BAD_FIELD, "is_reset of the opening is 1, but true or false is expected"),
        ({"experience": [1]}, Code.BAD_FIELD, "experience of the opening is [1], but a list"),
        ({"experience": ["\ud800"]}, Code.BAD_FIELD, r"experience of the opening is ['\ud800'], but a list"),
    ],
)  # fmt: skip
def test_an_opening_that_is_wrong_is_refused_with_its_field(
    changes: dict[str, object], code: Code, sentence: str
) -> None:
    with pytest.raises(FieldError) as refused:
        read_opening({**OPENING, **changes})
    assert refusal_of(refused.value).code is code
    assert sentence in str(refused.value)


@pytest.mark.parametrize(
    ("changes", "sentence"),
    [
        ({"blinds": [5]}, "1 players, but a table has 2 to 10"),
        ({"blinds": "5/10"}, "blinds of rules is '5/10', but a list"),
        ({"blinds": [10, 2**70]}, "blinds of rules is [10, 11805916"),
        ({"betting": "sky-limit"}, "betting of rules is 'sky-limit', but limit or pot-limit or no-limit"),
        ({"raise_caps": [1, 2, 3, "x"]}, "raise_caps of rules is [1, 2, 3, 'x']"),
        ({"carry": "no"}, "carry of rules is 'no', but true or false"),
        ({"hole_cards": 3}, "3 hole cards"),
        ({"deck": 52}, "rules has no field 'deck'"),
        ({"stacks": []}, "0 stacks for 2 players"),
    ],
)
def test_rules_that_are_wrong_are_refused_with_their_field(changes: dict[str, object], sentence: str) -> None:
    with pytest.raises(ValueError) as refused:
        read_rules({**RULES, **changes}, "rules")
    assert sentence in str(refused.value)


def test_rules_that_lack_a_field_say_which() -> None:
    with pytest.raises(FieldError, match="rules lacks the field 'blinds': a list"):
        read_rules({name: value for name, value in RULES.items() if name != "blinds"}, "rules")


MATCH = MatchStart(named_game("limit-3p"), "me", ("me", "ann", "bob"), Stream.from_seed(1))
VIEW: dict[str, object] = {"seat": 2, "hole_cards": "AhKs"}


def session_of(agent: Agent) -> Session:
    session = Session("witness", agent)
    session.begin(MATCH)
    return session


@pytest.mark.parametrize(
    ("changes", "sentence"),
    [
        ({"seat": 3}, "seat of the view is 3, but a whole number between 0 and 2 is expected"),
        ({"seat": None}, "seat of the view is None"),
        ({"hole_cards": "Ah"}, "hole_cards of the view is 'Ah', but 2 cards is expected"),
        ({"hole_cards": "AhXx"}, "hole_cards of the view: 'Xx' is not a card"),
        ({"board": "2c3c4c"}, "board of the view has 3 cards, but 0 are dealt after these actions (preflop)"),
        ({"actions": ["call"]}, "action 0 of the view is 'call', but [kind, amount] is expected"),
        ({"actions": [["call", 0], ["raise", 7]]}, "action 1 of the view: seat 0 can raise only to 20, not to 7"),
        ({"actions": [["fold", 0]] * 3}, "action 2 of the view: the hand is over"),
        ({"actions": [["call", 0]] * 3, "board": "2c3cAh"}, "Ah appears twice"),
        ({"actions": [["call", 0]] * 3, "board": "2c3c"}, "has 2 cards, but 3 are dealt after these actions (flop)"),
        ({"stacks": [1, 2]}, "2 stacks for the 3 players"),
        ({"stacks": [0, 2, 3]}, "seat 0 has no chips"),
        ({"players": ["me", "ann", "bob", "eve"]}, "limit-3p cannot be played with 4 players"),
        ({"shown": {"2": "QcQd"}}, "2 of shown of the view is 'QcQd', but 2 cards of another seat"),
        ({"shown": {"7": "QcQd"}}, "shown of the view has no field '7'"),
        ({"hand": 3}, "the view has no field 'hand'"),
        ({"hand_number": -1}, "hand_number of the view is -1"),
    ],
)  # fmt: skip
def test_a_view_that_is_wrong_is_refused_with_its_field(changes: dict[str, object], sentence: str) -> None:
    reader = ViewReader(MATCH)
    with pytest.raises(ValueError) as refused:
        reader.read(Fields("the request", {"view": {**VIEW, **changes}}))
    assert sentence in str(refused.value)
    seen = reader.read(Fields("the request", {"view": VIEW}))
    assert seen.observation.players == ("ann", "bob", "me")
    assert seen.observation.hole_cards == parse_cards("AhKs")


def test_nobody_decides_out_of_turn_or_ends_a_hand_that_goes_on() -> None:
    session = session_of(Witness([CALL]))
    with pytest.raises(Refusal, match="seat 1 has nothing to decide: seat 2 is to act") as refused:
        session.decide({"view": {**VIEW, "seat": 1}})
    assert refused.value.code is Code.NOT_NOW
    with pytest.raises(Refusal, match="hand 0 is not over: seat 2 is to act"):
        session.end({"view": VIEW})
    with pytest.raises(Refusal, match="seat 2 has nothing to decide: the hand is over"):
        session.decide({"view": {**VIEW, "actions": [["fold", 0], ["fold", 0]]}})


FOLDED: dict[str, object] = {**VIEW, "actions": [["fold", 0], ["fold", 0]]}
DOWN: dict[str, object] = {**VIEW, "actions": [["call", 0]] * 12, "board": "2c3c4c5d9h"}


def result_with(event: list[object]) -> dict[str, object]:
    return {"result": {"seat": 0, "players": ["a", "b"], "events": [event]}}


@pytest.mark.parametrize(
    ("request_", "sentence"),
    [
        ({"view": FOLDED, "payoffs": [5, -5, 0]}, "the payoffs are 5, -5, 0, but the events give -5, 5, 0"),
        ({"view": FOLDED, "payoffs": [5, -5]}, "payoffs of the request is [5, -5], but what each of the 3 seats"),
        ({"view": DOWN}, "seat 0 did not fold, but its cards are not shown: if its hand was mucked, give the payoffs"),
        ({"view": DOWN, "payoffs": [-10, -10, 25]}, "the payoffs add up to 5, not to 0"),
        ({"view": DOWN, "payoffs": [-20, 0, 20]}, "the payoff of seat 0 is -20, but it paid 10 and cannot win -10"),
        ({"view": DOWN, "result": {}}, "the request has view and result, but only one of them"),
        (result_with(["dance", 0, 1]), "event 0 of the result is ['dance', 0, 1], which is not an event"),
        (
            result_with(["post", 5, "blind", 1]),
            "event 0 of the result is ['post', 5, 'blind', 1], which is not an event",
        ),
        (result_with(["award", 0, 0, 10]), "the payoffs of the result add up to 10, not to 0"),
        ({}, "the view is None, but an object is expected"),
        (None, "the request is None, but an object is expected"),
    ],
)  # fmt: skip
def test_an_ending_that_is_wrong_is_refused(request_: object, sentence: str) -> None:
    with pytest.raises(FieldError) as refused:
        session_of(Witness([])).end(request_)
    assert sentence in str(refused.value)


def test_an_ending_must_follow_from_what_was_told_before() -> None:
    session = session_of(Witness([]))
    session.look({"view": {**VIEW, "actions": [["call", 0]]}})
    with pytest.raises(Refusal, match="the result contradicts the earlier views of hand 0"):
        session.end({"view": FOLDED})
    session.look({"view": FOLDED})  # another hand of the same number: it begins anew
    assert session.end({"view": FOLDED, "payoffs": [-5, 5, 0]}) == {"payoffs": [-5, 5, 0]}


def test_a_hand_thrown_away_unseen_is_told_in_events_or_by_the_payoffs() -> None:
    rules = named_game("limit-2p:muck=losers-muck")
    assert rules.mucking is Mucking.LOSERS_MUCK
    setup = Setup.of(rules)
    state = State(setup, parse_cards("AhAs 7c2d Ad9h8h3s4c"))
    while not state.is_over:
        state.act(CALL)
    result = HandResult(0, ("a", "b"), visible_to(0, events_of(state)), state.payoffs, 2)
    assert result_from_json(sent(result_to_json(result))) == result
    assert ["hole", 1, None] in result_to_json(result)["events"]
    witness = Witness([])
    session = Session("witness", witness)
    session.begin(MatchStart(rules, "a", ("a", "b"), Stream.from_seed(1)))
    view = {
        "seat": 0,
        "hole_cards": "AhAs",
        "board": "Ad9h8h3s4c",
        "actions": [["call", 0]] * 8,
        "hand_number": 2,
    }
    assert session.end({"view": view, "payoffs": [10, -10]}) == {"payoffs": [10, -10]}
    assert witness.notes[-1] == result, "the last view says the same, with the payoffs"


def no_number(name: str) -> object:
    raise ValueError(f"{name} is no JSON")


@given(st.binary(max_size=200))
def test_any_bytes_are_data_or_refused(body: bytes) -> None:
    try:
        expected = json.loads(body.decode(), parse_constant=no_number)
    except ValueError:
        with pytest.raises(Refusal) as refused:
            read_body(body)
        assert refused.value.code is Code.BAD_JSON
    else:
        assert read_body(body) == expected


@pytest.mark.parametrize(
    ("body", "sentence"),
    [
        (b"", "the body is not valid JSON at line 1, column 1"),
        (b'{"a": NaN}', "NaN is not a JSON number"),
        (b'{"a": 1, "a": 2}', "the field 'a' is duplicated in an object"),
        (b"\xff", "the body is not valid UTF-8 at byte 0"),
        (b"[" * 100_000, "the body is nested too deeply"),
        (b"9" * 10_000, "the body has a number with too many digits"),
    ],
)
def test_json_is_read_strictly(body: bytes, sentence: str) -> None:
    with pytest.raises(Refusal) as refused:
        read_body(body)
    assert sentence in str(refused.value)


JSON: st.SearchStrategy[Any] = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats(allow_nan=False) | st.text(max_size=8),
    lambda inner: st.lists(inner, max_size=4) | st.dictionaries(st.text(max_size=8), inner, max_size=4),
    max_leaves=8,
)


@pytest.mark.parametrize(
    ("read", "names"),
    [
        (read_opening, ["schema", "agent", "game", "rules", "label", "players", "seed", "stream", "acpc"]),
        (lambda data: read_rules(data, "rules"), list(RULES)),
        (result_from_json, ["seat", "players", "events", "payoffs", "hand_number"]),
        (lambda data: session_of(Witness([])).end(data), ["view", "state", "result", "payoffs"]),
        (
            lambda data: ViewReader(MATCH).read(Fields("the request", {"view": data})),
            [
                "seat",
                "hole_cards",
                "board",
                "actions",
                "players",
                "rules",
                "stacks",
                "blinds",
                "first",
                "shown",
            ],
        ),
    ],
)
@settings(max_examples=60)
@given(data=st.data())
def test_any_data_in_any_field_is_read_or_refused_with_a_sentence(
    read: Callable[[object], object], names: list[str], data: st.DataObject
) -> None:
    good: dict[str, Any] = {**OPENING, **RULES, **VIEW, "players": ["me", "ann", "bob"], "view": VIEW}
    message = {name: good[name] for name in names if name in good}
    message.update(data.draw(st.dictionaries(st.sampled_from(names), JSON, max_size=3)))
    try:
        read(message)
    except ValueError as error:
        sentence = str(error)
        assert 0 < len(sentence) < 500
        assert "\n" not in sentence
