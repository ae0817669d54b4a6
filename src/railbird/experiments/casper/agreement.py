"""casper-2007 §6, casper-2008 §VI: CASPER's agreement with the players it watched, which the papers do not measure.

The independent units of the intervals are hands.
"""

from collections.abc import Iterator, Mapping, Sequence

import numpy as np

from railbird.agents.casper.agent import pack_path, weights_path
from railbird.agents.casper.attributes import STAGES
from railbird.agents.casper.cases import TABLE, similarity
from railbird.cbr.packs.files import Pack, read_pack
from railbird.cbr.similarity import Similarity
from railbird.cbr.weights import read_weights
from railbird.engine.record import HandRecord
from railbird.experiments.casper.tables import GAME
from railbird.experiments.frame import Experiment, Finding, Laboratory
from railbird.experiments.played_hands import labels_of, noted_records
from railbird.experiments.published import Portion
from railbird.explanation.formats import format_fixed, format_percent, format_signed
from railbird.learning.fidelity import Marks, PredictionScore
from railbird.learning.imitation import MeanByHand, Targets, predict, shares, usual_chances
from railbird.learning.systems import system_named
from railbird.learning.watching import Watcher

TEACHERS = (*["pokibot"] * 4, *["simbot"] * 3, *["simbot:policy=formula"] * 2)
"""The table that the shipped packs were watched at: the five Simbots' decisions."""
WATCHED = 5
"""The number of watched players, the last ones of the table."""


def watched_decisions(system: str, records: Sequence[HandRecord], players: Sequence[str]) -> Pack:
    """A pack of players' decisions, as the cases of a system."""
    watcher = Watcher(system_named(system), players)
    for record in records:
        watcher.add(record, "experiment")
    return watcher.pack({})


def marks(
    cases: Pack, held_out: Pack, similarities: Mapping[str, Similarity], most: int | None = None
) -> dict[str, Marks]:
    """By stage, how the cases of one pack predict the decisions of another, or `most` of them, evenly spread."""
    found = {}
    for stage, compare in similarities.items():
        base, targets = cases.bases[stage], Targets.of(held_out.bases[stage], most)
        hands = np.array([*map(int, held_out.riders[stage]["hand"])], dtype=np.int64)[targets.rows]
        predicted = predict(base, targets, compare)
        found[stage] = Marks.of(
            predicted, targets, hands, shares(base.counts.sum(axis=0)), usual_chances(base)
        )
    return found


def _agreement(laboratory: Laboratory) -> Iterator[Finding]:
    count, seed = laboratory.sized(1000, 10), f"held out {laboratory.seed}"
    records = noted_records(laboratory, f"{seed}: {count} hands", GAME, TEACHERS, count, seed)
    hand_picked = {stage: similarity(stage) for stage in STAGES}
    packs = {name: read_pack(pack_path(name)) for name in ("casper01", "casper02")}
    held_out = {
        pack.system: watched_decisions(pack.system, records, labels_of(TEACHERS)[-WATCHED:])
        for pack in packs.values()
    }
    agents = {
        "casper01": ("casper01", hand_picked),
        "casper02": ("casper02", hand_picked),
        "casper-general": ("casper02", _evolved("casper-general")),
        "casper-general-play": ("casper02", _evolved("casper-general-play")),
    }
    most = laboratory.sized(3000, 100)
    found = {
        name: marks(packs[pack], held_out[packs[pack].system], similarities, most)
        for name, (pack, similarities) in agents.items()
    }
    for stage in STAGES:
        told = {
            name: found[name][stage].fidelity(len(packs[pack].bases[stage]))
            for name, (pack, _) in agents.items()
        }
        yield Finding(
            f"{stage}: the most frequent action with or without a bet to call", _told(told["casper02"].usual)
        )
        for name, each in told.items():
            yield Finding(
                f"{stage}: {name}, {each.decisions:,} decisions from {each.cases:,} cases",
                f"{_told(each.imitator)}, no similar case in {Portion(each.missed, each.decisions)}",
                "",
                "significantly better than the most frequent action",
                _above_zero(each.over_usual.agreement) and _above_zero(each.over_usual.log_loss, -1),
            )
    yield from _together({name: Marks.joined([*stages.values()]) for name, stages in found.items()})


def _together(found: Mapping[str, Marks]) -> Iterator[Finding]:
    """The log-losses of all stages together, and what the additional cases of casper02 change."""
    losses = {name: MeanByHand.of(each.losses[:, 0], each.hands) for name, each in found.items()}
    yield Finding(
        "all stages together: log-loss",
        ", ".join(
            f"{name} {format_fixed(loss.mean, 4)}{_within(loss, 1, 4)}" for name, loss in losses.items()
        ),
    )
    first, second = found["casper01"], found["casper02"]
    change = MeanByHand.of(second.losses[:, 0] - first.losses[:, 0], first.hands)
    yield Finding(
        "all stages together: log-loss of casper02 over casper01",
        f"{format_signed(change.mean, 4)}{_within(change, 1, 4)}",
        "",
        "an interval below zero",
        _above_zero(change, -1),
    )


def _told(score: PredictionScore) -> str:
    right, loss = score.agreement, score.log_loss
    return (
        f"{format_percent(right.mean)}{_within(right, 100, 1)} right, "
        f"log-loss {format_fixed(loss.mean, 3)}{_within(loss, 1, 3)}"
    )


def _within(value: MeanByHand, times: int, decimals: int) -> str:
    return "" if value.within is None else f" (± {times * value.within:.{decimals}f})"


def _above_zero(value: MeanByHand, sign: int = 1) -> bool:
    """Whether the interval is above zero, or below it with the other sign."""
    return value.within is not None and sign * value.mean > value.within


def _evolved(weights: str) -> dict[str, Similarity]:
    found = read_weights(weights_path(weights), TABLE)
    return {stage: similarity(stage, found.get(stage)) for stage in STAGES}


EXPERIMENTS = (
    Experiment(
        name="casper-agreement",
        paper="casper-2007 §6, casper-2008 §VI",
        claim="CASPER decides like the players it watched, and more so with more cases.",
        setup="Decisions at the watched table in 1,000 hands that are not in any pack, up to 3,000 per stage; the "
        "papers print no agreement.",
        run=_agreement,
    ),
)
