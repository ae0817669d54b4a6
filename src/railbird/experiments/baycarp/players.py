"""baycarp-2011 §9.1: does it help to have a network for each player, or for each group of players?"""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from railbird.bayes.network import Network
from railbird.bayes.structure import UNKNOWN
from railbird.engine.record import HandRecord
from railbird.experiments.frame import Experiment, Finding, Laboratory
from railbird.experiments.played_hands import noted_records
from railbird.explanation.formats import format_signed
from railbird.features.playing_style import StyleBook
from railbird.learning.networks import BACKING, Trainer, Training
from railbird.observation import visible_to
from railbird.opponents.network.adapting import STRENGTH, AdaptingBeliefs, Unshown
from railbird.opponents.network.beliefs import MOST_GROUPS, Beliefs
from railbird.opponents.network.groups import GroupedBeliefs, PlayerGroup
from railbird.opponents.network.nodes import BOARDS, HAND_GROUP, HAND_TYPES, Variant, structure
from railbird.opponents.network.quality import LEAST_CHANCE, known_at
from railbird.opponents.network.rows import Coder, Codes, Who

GAME = "limit-9max"
PROFILES = tuple(
    f"pokibot:profile={name}"
    for name in ("tight-passive", "tight-aggressive", "loose-passive", "loose-aggressive")
)
TEACHERS = ("pokibot", *PROFILES, *PROFILES)
"""The players whose hands the population network and the groups are learnt from."""
NEW_KINDS = (
    "jagbot",
    "jagbot:profile=loose",
    "jagbot:profile=maniac",
    *["rulebot"] * 3,
    *["probtriple"] * 3,
)
"""Players that the population network has not seen."""
TABLES: Mapping[str, Sequence[str]] = {"kinds learnt from": TEACHERS, "new kinds": NEW_KINDS}
MOST_LOST = {"kinds learnt from": 0.03, "new kinds": 0.0}
"""Maximum increase of log-loss with a network for each player: small for known kinds, none for new kinds."""
STAGES = ("hand group", "flop", "turn", "river")
STRENGTHS = (10.0, STRENGTH, 50.0)
GROUPS = 4
VARIANT = Variant(partial=True, split_call=True)


@dataclass(frozen=True, slots=True, eq=False)
class FollowedHand:
    """A hand for judging beliefs: as a spectator saw it, with evidence and truth for every player on the flop."""

    seen: HandRecord
    labels: tuple[str, ...]
    known: tuple[Codes, ...]
    """By stage and player, the evidence after the betting of the stage."""
    truth: Codes
    """By player and stage, the state of the hand, unknown if the player did not continue."""


def followed_hands(records: Sequence[HandRecord], variant: Variant) -> list[FollowedHand]:
    """Hands with all cards known, as a spectator sees them, together with the truth."""
    coder, book, of = Coder(variant), StyleBook(), structure(variant)
    nodes = [of.place(name) for name in (HAND_GROUP, *HAND_TYPES)]
    boards = [of.place(name) for name in BOARDS]
    found = []
    for record in records:
        rows = coder.rows(record, book, Who.FLOP)
        shown = coder.rows(record, book, Who.SHOWDOWN).seats
        truth = rows.codes[:, nodes].copy()
        truth[:, : len(boards)][rows.codes[:, boards] == UNKNOWN] = UNKNOWN
        truth[[seat not in shown for seat in rows.seats], -1] = UNKNOWN
        found.append(
            FollowedHand(
                HandRecord(record.hand_id, record.setup, record.players, visible_to(None, record.events)),
                tuple(record.players[seat] for seat in rows.seats),
                tuple(known_at(of, rows.codes, stage) for stage in range(len(STAGES))),
                truth,
            )
        )
        book.observe(record)
    return found


@dataclass(frozen=True, slots=True, eq=False)
class Losses:
    """The loss of every prediction of a stage: −ln of the probability of the truth."""

    labels: NDArray[np.str_]
    hands: NDArray[np.int64]
    values: NDArray[np.float64]

    def __len__(self) -> int:
        return len(self.values)

    @property
    def mean(self) -> float:
        """The log-loss."""
        return float(self.values.mean())

    def of(self, label: str) -> "Losses":
        """The losses of one player."""
        own = self.labels == label
        return Losses(self.labels[own], self.hands[own], self.values[own])

    def change(self, other: "Losses") -> tuple[float, float]:
        """How much higher another log-loss of the same predictions is, and the half-width of its 95 % interval.

        Predictions of a hand share its board and betting, so the unit of the interval is a hand.
        """
        changes = other.values - self.values
        mean = float(changes.mean())
        of_hands = np.bincount(self.hands, changes - mean)
        return mean, 1.96 * float(np.sqrt((of_hands**2).sum())) / len(changes)


def losses(beliefs: Beliefs, followed: Sequence[FollowedHand]) -> list[Losses]:
    """The losses by stage, hand after hand; each hand is learnt from afterwards."""
    beliefs.reset()
    book = StyleBook()
    found: list[list[tuple[str, int, float]]] = [[] for _ in STAGES]
    for number, hand in enumerate(followed):
        for player, label in enumerate(hand.labels):
            for stage, true in enumerate(hand.truth[player].tolist()):
                if true != UNKNOWN:
                    chances = beliefs.chances(label, stage, hand.known[stage][player])
                    chance = chances[MOST_GROUPS + true] if stage else chances[true]
                    found[stage].append((label, number, -float(np.log(max(chance, LEAST_CHANCE)))))
        beliefs.follow(hand.seen, book)
        book.observe(hand.seen)
    return [
        Losses(
            np.array([label for label, _, _ in each], dtype=np.str_),
            np.array([number for _, number, _ in each], dtype=np.int64),
            np.array([loss for _, _, loss in each], dtype=np.float64),
        )
        for each in found
    ]


def _records(laboratory: Laboratory, name: str, agents: Sequence[str], count: int) -> list[HandRecord]:
    """Hands at a table, from the journal if they were played before."""
    note = f"{name}: {count} hands of {' '.join(agents)}"
    return noted_records(laboratory, note, GAME, agents, count, f"{laboratory.seed} {name}")


def _learnt(laboratory: Laboratory) -> tuple[Network, tuple[PlayerGroup, ...]]:
    trainer = Trainer(Training(VARIANT, Who.FLOP, backing=BACKING))
    for record in _records(laboratory, "teachers", TEACHERS, laboratory.sized(6000, 100)):
        trainer.add(record)
    network = trainer.network()
    return network, trainer.groups(GROUPS, network)


def _players(laboratory: Laboratory) -> Iterator[Finding]:
    network, groups = _learnt(laboratory)
    for number, group in enumerate(groups, 1):
        yield Finding(
            f"group {number}",
            f"{group.players} players, VPIP {group.centre.vpip:.0f} %, PFR {group.centre.pfr:.0f} %, "
            f"aggression {group.centre.aggression:.0f} %, {group.rows:,} rows",
        )
    average, adapting = Beliefs(network, VARIANT), AdaptingBeliefs(network, VARIANT)
    grouped = GroupedBeliefs(network, groups, VARIANT)
    by_strength: dict[float, list[float]] = {strength: [] for strength in STRENGTHS}
    for table, agents in TABLES.items():
        count = laboratory.sized(1200, 40)
        followed = followed_hands(_records(laboratory, table, agents, count), VARIANT)
        plain, own, of_group = (losses(beliefs, followed) for beliefs in (average, adapting, grouped))
        yield Finding(f"{table}: log-loss of the shared network", _by_stage(plain))
        yield from _compared(table, "a network for each player", plain, own, MOST_LOST[table])
        yield from _compared(table, f"{GROUPS} groups", plain, of_group)
        for label in sorted(set(plain[0].labels.tolist())):
            yield Finding(
                f"{table}: log-loss of the hand group, {label}",
                f"shared network {plain[0].of(label).mean:.3f}, own network {own[0].of(label).mean:.3f}",
            )
        for strength, found in by_strength.items():
            again = AdaptingBeliefs(network, VARIANT, strength=strength)
            other = own if strength == STRENGTH else losses(again, followed)
            found.append(float(np.mean([each.mean for each in other])))
        if agents is TEACHERS:
            few = followed[: laboratory.sized(300, 20)]
            estimated = losses(AdaptingBeliefs(network, VARIANT, unshown=Unshown.ESTIMATED), few)
            told = f"{table}, the first {len(few)} hands"
            yield from _compared(told, "unshown hands estimated", losses(adapting, few), estimated)
    for strength, found in by_strength.items():
        yield Finding(
            f"a network for each player, the shared one counting as {strength:g} hands: mean log-loss of all stages",
            ", ".join(f"{table} {loss:.4f}" for table, loss in zip(TABLES, found, strict=True)),
        )


def _compared(
    table: str, name: str, before: Sequence[Losses], after: Sequence[Losses], most: float | None = None
) -> Iterator[Finding]:
    """The change of the log-loss by stage; if a bound is given, it must stay below it."""
    for stage, one, two in zip(STAGES, before, after, strict=True):
        mean, width = one.change(two)
        yield Finding(
            f"{table}: log-loss of the {stage} changed by {name}",
            f"{format_signed(mean, 4)} ± {width:.4f} ({len(one):,} predictions)",
            "",
            "" if most is None else f"below {most:+g}",
            None if most is None else mean < most,
        )


def _by_stage(found: Sequence[Losses]) -> str:
    return ", ".join(f"{stage} {each.mean:.3f}" for stage, each in zip(STAGES, found, strict=True))


EXPERIMENTS = (
    Experiment(
        name="baycarp-players",
        paper="baycarp-2011 §9.1",
        claim="A network for each player, or for each group of players, reads different opponents better.",
        setup="Nine-handed limit. A network and four groups are learnt from 6,000 hands of nine Pokibots of five "
        "profiles, all cards known. Then 1,200 hands of such players and of players of new kinds are followed from "
        "the rail, where only what is shown is seen: what is believed when the betting of a stage is over is judged "
        "by its log-loss in nats.",
        run=_players,
    ),
)
