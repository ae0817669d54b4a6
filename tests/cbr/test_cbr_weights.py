"""Files of weights for a table of stages."""

from pathlib import Path

import pytest

from railbird.cbr.weights import WeightsError, format_weights, read_weights
from workshops import WORKSHOP


def test_weights_are_read_as_they_were_written(tmp_path: Path) -> None:
    path = tmp_path / "weights.toml"
    weights = {"quote": {"noise": 71.25, "age": 0.1 + 0.2}, "repair": {"wear": 0.0}}
    path.write_text(format_weights(weights), encoding="utf-8")
    assert read_weights(path, WORKSHOP) == weights
    evolved = WORKSHOP.similarity("repair", read_weights(path, WORKSHOP)["repair"])
    assert evolved.weights() == {"noise": 30.0, "age": 5.0, "wear": 0.0}


@pytest.mark.parametrize(
    ("text", "sentence"),
    [
        ("[quote", "not a valid TOML file"),
        ("a = " + "[" * 50_000, "not a valid TOML file: its lists are nested too deeply"),
        ("#" * 2_000_000, "has more than 1,048,576 bytes, too many for weights"),
        ("[quoet]\n", "no stage is called 'quoet': did you mean 'quote'?"),
        ("quote = 3", "\\[quote\\] must be a table of weights, not 3"),
        ("[quote]\nnoies = 3", "no attribute is called 'noies': did you mean 'noise'?"),
        ("[quote]\nwear = 3", "no attribute is called 'wear'"),
        ("[quote]\nage = -1", "the weight of 'age' must be a number from 0 to 100, not -1"),
        ("[quote]\nage = 100.5", "from 0 to 100, not 100.5"),
        ("[quote]\nage = nan", "from 0 to 100, not nan"),
        ("[quote]\nage = true", "from 0 to 100, not True"),
        ('[quote]\nage = "5"', "from 0 to 100, not '5'"),
        ("[quote]\nnoise = 0\nage = 0", "leaves no attribute with a weight"),
    ],
)
def test_a_wrong_file_of_weights_is_refused_with_a_sentence(tmp_path: Path, text: str, sentence: str) -> None:
    path = tmp_path / "weights.toml"
    path.write_text(text, encoding="utf-8")
    with pytest.raises(WeightsError, match=sentence) as refused:
        read_weights(path, WORKSHOP)
    assert str(refused.value).startswith(f"{path}: ")
    assert "\n" not in str(refused.value)


def test_a_file_of_weights_that_is_not_there_is_named(tmp_path: Path) -> None:
    with pytest.raises(WeightsError, match="weights.toml: the weights cannot be read: No such file"):
        read_weights(tmp_path / "weights.toml", WORKSHOP)
