"""`railbird train-network`: from hands to a network, and what it says when it cannot."""

from pathlib import Path

import pytest

from command import railbird
from railbird.agents.baycarp.network import read_opponents_network
from railbird.bayes.xdsl.files import read_recipe
from railbird.engine.record import HandRecord
from railbird.experiments.played_hands import hands
from railbird.learning.networks import Trainer, Training, TrainingError, train
from railbird.notation.acpc.log import write_log
from railbird.opponents.network.nodes import PUBLISHED, Variant, structure
from railbird.opponents.network.quality import predictions
from railbird.opponents.network.rows import Who, rows_of_hands

SEATS = (
    "pokibot",
    "pokibot:profile=loose-aggressive",
    "jagbot",
    "pokibot:profile=tight-passive",
    "rulebot",
    "random",
)


@pytest.fixture(scope="module")
def records() -> list[HandRecord]:
    return [
        HandRecord.of(hand.state, hand.labels, str(hand.number))
        for hand in hands("limit-6max", SEATS, 300, "train")
    ]


@pytest.fixture(scope="module")
def log(records: list[HandRecord], tmp_path_factory: pytest.TempPathFactory) -> Path:
    path = tmp_path_factory.mktemp("logs") / "hands.log"
    path.write_text("".join(write_log(records)), encoding="utf-8")
    return path


def test_a_network_is_learnt_and_written_with_its_recipe(
    log: Path, records: list[HandRecord], tmp_path: Path
) -> None:
    output = tmp_path / "net.xdsl"
    said = railbird(
        "train-network", log, "-o", output, "--variant", "partial,split-call", "--from-players", "flop"
    )
    assert b"300 hands" in said.out
    network, variant = read_opponents_network(output)
    assert variant == Variant(partial=True, split_call=True)
    rows = rows_of_hands(records, variant, Who.FLOP)
    assert network == train(rows, Training(variant, Who.FLOP, backing=1.0))
    recipe = read_recipe(output)
    assert (recipe["hands"], recipe["rows"], recipe["learnt from"]) == (300, len(rows), "flop")
    assert [source["name"] for source in recipe["sources"]] == ["hands.log"]
    assert railbird("network", "show", output, "--node", "HandGroup").out.count(b"HandGroup") >= 10


def test_hands_that_nobody_showed_can_be_estimated(records: list[HandRecord]) -> None:
    """Half of the hand groups are hidden: with what they probably were, types on the flop are predicted better."""
    rows = rows_of_hands(records, PUBLISHED, Who.FLOP)
    hidden = rows.copy()
    group = structure(PUBLISHED).place("HandGroup")
    hidden[::2, group] = -1
    counted, estimated = (
        train(hidden, Training(PUBLISHED, Who.FLOP, expectation=each, backing=1.0)) for each in (False, True)
    )
    assert predictions(estimated, rows, 1).log_loss < predictions(counted, rows, 1).log_loss


def test_a_network_knows_more_than_one_that_learnt_nothing(records: list[HandRecord]) -> None:
    rows = rows_of_hands(records, PUBLISHED, Who.FLOP)
    learnt, nothing = (
        train(each, Training(PUBLISHED, Who.FLOP, backing=20.0))
        for each in (rows[: len(rows) // 2], rows[:1])
    )
    later = rows[len(rows) // 2 :]
    for stage in (0, 1):
        some, none = predictions(learnt, later, stage), predictions(nothing, later, stage)
        assert len(some) > 50
        assert some.log_loss < none.log_loss
        assert some.top(4) > none.top(4)
        assert 0 <= some.calibration_error < 0.2
        faults = some.faults(structure(PUBLISHED), "Position", 4)
        assert sum(faults.values()) == pytest.approx(1.0)
        by_both = some.faults_by(structure(PUBLISHED), "Action", "Position", 4)
        assert sum(by_both.values()) <= 1.0 + 1e-9


def test_other_games_are_left_out_and_nothing_is_an_error(log: Path, tmp_path: Path) -> None:
    trainer = Trainer(Training())
    for hand in hands("nolimit-2p", ("random", "random"), 3, "other"):
        trainer.add(HandRecord.of(hand.state, hand.labels, str(hand.number)))
    assert (trainer.hands, trainer.other_games) == (0, 3)
    with pytest.raises(TrainingError, match="nothing to learn"):
        trainer.network()
    for arguments, sentence in (
        (("--variant", "partal"), "no addition to the network is called 'partal': did you mean 'partial'?"),
        (("--from-players", "winners"), "no group of players to learn from is called 'winners'"),
    ):
        said = railbird("train-network", log, "-o", tmp_path / "x.xdsl", *arguments)
        assert said.code == 2
        assert sentence in said.error
    (tmp_path / "there.xdsl").write_text("mine")
    said = railbird("train-network", log, "-o", tmp_path / "there.xdsl")
    assert said.code == 2
    assert "exists already: use --force to overwrite it" in said.error
    assert (tmp_path / "there.xdsl").read_text() == "mine"
    assert not (tmp_path / "x.xdsl").exists()
