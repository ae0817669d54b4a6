"""How faithful an imitator is: experts whose agreement is known, intervals by hands, the same figures as for packs."""

from collections.abc import Callable
from dataclasses import replace
from math import log, sqrt
from pathlib import Path
from statistics import NormalDist

import numpy as np
import pytest

from railbird.agents.sartre.situations import Situations
from railbird.agents.sartre.systems import USUAL
from railbird.cbr.packs.files import Pack
from railbird.engine.actions import CALL, Action, raise_to
from railbird.engine.record import HandRecord
from railbird.engine.state import State, deal
from railbird.learning import reading
from railbird.learning.fidelity import ALL, Imitated, imitate
from railbird.learning.imitation import ImitationError, MeanByHand, agreement, part_of
from railbird.learning.packs import watch
from railbird.learning.systems import similarity_of, system_named
from railbird.notation.records import format_record
from railbird.observation import Observation
from railbird.rng import Stream

Expert = Callable[[State], Action]
PLAYERS = ("expert", "opponent")


def always_call(_state: State) -> Action:
    return CALL


def by_strength(state: State) -> Action:
    """Bets and raises the better half of all hands, and checks or calls the others."""
    assert state.actor is not None
    described = SITUATIONS.describe(Observation.of(state, state.actor, PLAYERS))
    strong = described.get("hand strength", 0) > 15 if state.round else described["hole cards"] < 60  # type: ignore[operator]
    legal = state.legal_actions
    return raise_to(legal.raise_minimum) if strong and legal.can_raise else CALL


def at_random(seed: int) -> Expert:
    generator = Stream.from_seed(seed).generator()

    def act(state: State) -> Action:
        return state.choices[generator.integers(len(state.choices))]

    return act


SITUATIONS = Situations(USUAL)


def log_of(path: Path, expert: Expert, hands: int) -> Path:
    """Hands of an expert, who has the button in every other hand, against an opponent who always calls."""
    lines = []
    for number in range(hands):
        state = deal("limit-2p", seed=number)
        seat = number % 2
        while not state.is_over:
            action = expert(state) if state.actor == seat else CALL
            state.act(action)
        players = PLAYERS if seat == 0 else PLAYERS[::-1]
        lines.append(format_record(HandRecord.of(state, players, str(number))))
    path.write_text("".join(lines), encoding="utf-8")
    return path


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("fidelity")
    log_of(folder / "call.jsonl", always_call, 60)
    log_of(folder / "strength.jsonl", by_strength, 600)
    log_of(folder / "random.jsonl", at_random(1), 600)
    return folder


@pytest.mark.parametrize("system", ["casper", "sartre", "sartre:strength=categories", "baycarp"])
def test_an_expert_who_always_calls_is_imitated_perfectly(system: str, folder: Path) -> None:
    found = imitate(folder / "call.jsonl", ["expert"], system=system)
    assert found.players == ("expert",)
    for stage in found.stages.values():
        assert stage.imitator.agreement.mean == 1.0
        assert stage.imitator.log_loss.mean < 0.1


def test_a_function_of_the_situation_is_learnt(folder: Path) -> None:
    every = imitate(folder / "strength.jsonl", ["expert"], system="sartre").stages[ALL]
    assert every.imitator.agreement.mean > 0.9
    assert every.over_usual.agreement.mean > 0.25
    assert every.over_usual.log_loss.mean < -0.3


def test_random_actions_cannot_be_predicted(folder: Path) -> None:
    every = imitate(folder / "random.jsonl", ["expert"], system="sartre").stages[ALL]
    gain = every.over_usual.agreement
    assert gain.within is not None
    assert gain.mean < gain.within
    # The probability of the actual action is 1/2 or 1/3 in every situation, and nobody can know more.
    assert every.usual.log_loss.mean == pytest.approx(log(2), abs=0.15)
    assert every.imitator.log_loss.mean > every.usual.log_loss.mean


def test_merged_cases_predict_what_single_ones_do(folder: Path) -> None:
    merged, single = (
        imitate(folder / "random.jsonl", ["expert"], system=f"sartre:solutions={solutions}", most=20).stages
        for solutions in ("vector", "single")
    )
    for stage, found in merged.items():
        assert found.cases < single[stage].cases
        assert replace(found, cases=0) == replace(single[stage], cases=0)


def test_figures_are_those_of_packs_of_the_same_hands(folder: Path, tmp_path: Path) -> None:
    """CASPER's packs state whether there is a bet to call; watching finds it without them."""
    source = folder / "random.jsonl"
    lines = source.read_text().splitlines(keepends=True)
    packs: list[Pack] = []
    for held_out in (False, True):
        side = tmp_path / f"{held_out}.jsonl"
        chosen = [
            line for number, line in enumerate(lines) if (part_of(source.name, str(number)) == 9) == held_out
        ]
        side.write_text("".join(chosen))
        packs.append(watch(side, ["expert"], system="casper").pack)
    similarities = {stage: similarity_of("casper", stage) for stage in packs[0].bases}
    expected = agreement(packs[0], packs[1], similarities)
    found = imitate(source, ["expert"], system="casper")
    assert [*expected, ALL] == list(found.stages)
    assert found.learnt == len(packs[0])
    for stage, figures in expected.items():
        mine = found.stages[stage]
        assert (mine.cases, mine.decisions) == (figures.cases, figures.count)
        assert mine.missed == pytest.approx(figures.missed)
        for score, other in (
            (mine.imitator, figures),
            (mine.majority, figures.majority),
            (mine.usual, figures.usual),
        ):
            assert score.agreement.mean == pytest.approx(other.right)
            assert score.log_loss.mean == pytest.approx(other.log_loss)


def test_all_stages_together_are_the_mean_over_decisions(folder: Path) -> None:
    found = imitate(folder / "random.jsonl", system="sartre").stages
    every = found.pop(ALL)
    assert every.decisions == sum(stage.decisions for stage in found.values())
    for score in ("imitator", "usual", "majority", "over_usual", "over_majority"):
        for measure in ("agreement", "log_loss"):
            parts = [
                (getattr(getattr(stage, score), measure).mean, stage.decisions) for stage in found.values()
            ]
            mean = sum(mean * count for mean, count in parts) / every.decisions
            assert getattr(getattr(every, score), measure).mean == pytest.approx(mean)
    difference = every.imitator.log_loss.mean - every.usual.log_loss.mean
    assert every.over_usual.log_loss.mean == pytest.approx(difference)


def test_intervals_are_those_of_a_mean_over_hands() -> None:
    random = np.random.default_rng(1)
    values, hands = random.random(4000), np.repeat(np.arange(2000), 2)
    by_hand = values.reshape(2000, 2).mean(axis=1)
    expected = NormalDist().inv_cdf(0.975) * by_hand.std(ddof=1) / sqrt(2000)
    found = MeanByHand.of(values, hands)
    assert found.mean == pytest.approx(values.mean())
    assert found.within == pytest.approx(expected, rel=1e-3)
    repeated = MeanByHand.of(np.repeat(values, 3), np.repeat(hands, 3))
    assert repeated.within == pytest.approx(found.within)  # the same hands say nothing new
    assert MeanByHand.of(np.ones(3), np.zeros(3, np.int64)) == MeanByHand(1.0, None)


def test_at_most_so_many_decisions_are_predicted(folder: Path) -> None:
    found = imitate(folder / "random.jsonl", ["expert"], system="sartre", most=15)
    assert [stage.decisions for stage in found.stages.values()] == [15, 15, 15, 15, 60]


def test_results_as_plain_data(folder: Path) -> None:
    found: Imitated = imitate(folder / "call.jsonl", ["expert"], system="sartre", parts=3)
    data = found.to_json()
    assert data["schema"] == "railbird.imitation/1"
    assert (data["system"], data["players"], data["held_out"]) == ("sartre", ["expert"], "1 hand in 3")
    assert data["stages"]["flop"]["imitator"]["agreement"] == {"mean": 1.0, "within": 0.0}
    frame = found.to_frame()
    assert frame["stage"].to_list() == list(found.stages)
    assert frame["agreement of imitator"].to_list() == [1.0] * 5


def test_progress_names_every_step(folder: Path) -> None:
    told: dict[str, tuple[int, int]] = {}
    imitate(
        folder / "call.jsonl",
        system="sartre",
        progress=lambda step, done, total: told.update({step: (done, total)}),
    )
    assert list(told) == ["watching", "predicting"]
    assert all(done == total for done, total in told.values())


def test_what_cannot_be_measured_is_refused(folder: Path, tmp_path: Path) -> None:
    log = folder / "call.jsonl"
    with pytest.raises(ImitationError, match="at least 2 parts, not 1"):
        imitate(log, parts=1)
    with pytest.raises(ValueError, match="no player is called 'expret'"):
        imitate(log, ["expret"])
    lines = log.read_text().splitlines(keepends=True)
    learnt = [line for number, line in enumerate(lines) if part_of("one.jsonl", str(number)) != 9]
    (tmp_path / "one.jsonl").write_text(learnt[0])
    with pytest.raises(ImitationError, match="leaves no decision to predict"):
        imitate(tmp_path / "one.jsonl")


def test_tables_are_built_before_many_hands(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    built = []
    system = replace(system_named("sartre"), prepare=lambda _progress: built.append(True))
    imitate(folder / "call.jsonl", system=system)
    assert built == []
    monkeypatch.setattr(reading, "MANY_BYTES", (folder / "call.jsonl").stat().st_size)
    imitate(folder / "call.jsonl", system=system)
    assert built == [True]
