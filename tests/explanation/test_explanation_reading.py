"""Every explanation survives as plain data; other data is refused."""

import json

import pytest
from hypothesis import given

from explanations import explanations
from railbird.explanation import Explanation, ExplanationError, explanation_from_json


@given(explanations)
def test_any_explanation_survives_as_plain_data(explanation: Explanation) -> None:
    text = json.dumps(explanation.to_json(), allow_nan=False)
    assert explanation_from_json(json.loads(text)) == explanation


@pytest.mark.parametrize(
    ("data", "sentence"),
    [
        ({}, "not a valid explanation"),
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
        explanation_from_json(data)
