"""What agents are told and answer survives as plain data; what is something else is refused with a sentence."""

import json
from fractions import Fraction
from typing import Any

import pytest

from fault_matches import start_of
from railbird.agent import Decision, Explanation, Fact, HandResult
from railbird.agent.plain_form import (
    decision_from_json,
    decision_to_json,
    match_from_json,
    match_to_json,
    result_from_json,
    result_to_json,
)
from railbird.engine.actions import CALL, raise_to
from railbird.engine.events import Award, Post, PostKind
from railbird.fields import OURS, FieldError

SPLIT = HandResult(
    1,
    ("Ann", "Bo", "Cy"),
    (
        Post(0, PostKind.BLIND, 5),
        Post(1, PostKind.BLIND, 5),
        Post(2, PostKind.BLIND, 5),
        Award(0, 0, Fraction(15, 2)),
        Award(1, 0, Fraction(15, 2)),
    ),
    (Fraction(5, 2), Fraction(5, 2), -5),
    9,
)
WHY = Explanation("Because.", (Fact("pot odds", 0.25), Fact("outs", 9), Fact("hand", "AhKs")))
DECISION = Decision(raise_to(20), WHY, ((CALL, 0.25), (raise_to(20), 0.75)))


def sent(data: dict[str, Any]) -> Any:
    return json.loads(json.dumps(data))


def test_what_is_said_survives_as_plain_data() -> None:
    match = start_of("suspect", 1)
    assert match_from_json(sent(match_to_json(match))) == match
    assert result_from_json(sent(result_to_json(SPLIT))) == SPLIT
    assert decision_from_json(sent(decision_to_json(DECISION))) == DECISION


def test_payoffs_follow_from_the_events_and_need_not_be_told() -> None:
    data = sent(result_to_json(SPLIT))
    data.pop("payoffs")
    assert result_from_json(data) == SPLIT
    with pytest.raises(FieldError, match="the payoffs are 5, 0, -5, but the events give 5/2, 5/2, -5"):
        result_from_json(data | {"payoffs": [5, 0, -5]})


def test_our_own_processes_pass_on_whatever_a_user_has_chosen() -> None:
    match = start_of("suspect", 1)
    data = sent(match_to_json(match)) | {"label": "Ann\t1", "players": ["Ann\t1", "Bo" * 1000]}
    with pytest.raises(FieldError, match="text of at most 1000 characters is expected"):
        match_from_json(data)
    assert match_from_json(data, OURS).players == ("Ann\t1", "Bo" * 1000)


@pytest.mark.parametrize(
    ("changes", "sentence"),
    [
        ({"action": ["dance", 0]}, "action of the decision is .'dance', 0., but its kind and its amount"),
        ({"action": ["call", 0.0]}, "its kind and its amount is expected"),
        ({"action": ["call", True]}, "its kind and its amount is expected"),
        ({"strategy": [["call", 0]]}, "a list of actions with their probabilities is expected"),
        ({"strategy": [["call", 0, "often"]]}, "a list of actions with their probabilities is expected"),
        ({"strategy": [["call", 0, 10**400]]}, "a list of actions with their probabilities is expected"),
        ({"strategy": "call"}, "strategy of the decision is 'call'"),
        ({"explanation": None}, "a summary and facts is expected"),
        ({"explanation": {"summary": 1, "facts": {}}}, "a summary and facts is expected"),
        ({"explanation": {"summary": "", "facts": {"outs": [9]}}}, "a summary and facts is expected"),
    ],
)
def test_what_is_no_decision_is_refused(changes: dict[str, object], sentence: str) -> None:
    with pytest.raises(FieldError, match=sentence):
        decision_from_json({**sent(decision_to_json(DECISION)), **changes})


def test_no_decision_at_all_is_refused() -> None:
    with pytest.raises(FieldError, match="the decision is None, but an object is expected"):
        decision_from_json(None)
