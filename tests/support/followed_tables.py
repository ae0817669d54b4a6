"""Hands of a small table, all cards known, and networks learnt from some of them."""

from functools import cache

from railbird.bayes.learning.counts import Uniform, count
from railbird.bayes.network import Network
from railbird.engine.record import HandRecord
from railbird.experiments.played_hands import hands
from railbird.observation import visible_to
from railbird.opponents.network.nodes import Variant, structure
from railbird.opponents.network.rows import Who, rows_of_hands

GAME = "limit-4max"
TABLE = ("rulebot", "always-call", "random", "always-raise")


@cache
def played(count: int = 120) -> tuple[HandRecord, ...]:
    """Hands of four players who have little in common, as the dealer knows them."""
    return tuple(
        HandRecord.of(hand.state, hand.labels, str(hand.number)) for hand in hands(GAME, TABLE, count, 5)
    )


def from_the_rail(record: HandRecord, seat: int | None = None) -> HandRecord:
    """A hand as a seat, or somebody at the rail, saw it."""
    return HandRecord(record.hand_id, record.setup, record.players, visible_to(seat, record.events))


@cache
def average_network(variant: Variant) -> Network:
    """What is learnt from the first hands, everybody's cards open."""
    rows = rows_of_hands(played()[:60], variant, Who.FLOP)
    return count(structure(variant), rows, prior=Uniform(0.1))
