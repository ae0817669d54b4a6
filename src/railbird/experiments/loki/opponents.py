"""Opponent models and playing styles of Loki's family: log-likelihoods, calibration, styles."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

import numpy as np

from railbird.agent import HandResult
from railbird.arena.results.statistics import PlayerStatistics
from railbird.engine.history import events_of
from railbird.experiments.frame import Experiment, Finding, Laboratory
from railbird.experiments.played_hands import PlayedHand, hands, labels_of
from railbird.explanation.formats import format_percent, format_signed
from railbird.hands.holdings import holding
from railbird.kernels.rules.betting import ROUND
from railbird.observation import Observation, visible_to
from railbird.opponents.weights.beliefs import WeightBeliefs
from railbird.opponents.weights.book import Book
from railbird.opponents.weights.quality import BeliefQuality

SIX_HANDED = "limit-6max"
NINE_HANDED = "limit-9max"

WATCHED_TABLE = (
    "always-call",
    "jagbot",
    "pokibot:profile=loose-passive",
    "pokibot:profile=tight-aggressive",
    "rulebot",
    "probtriple",
)
"""The observer, which calls everything and so sees every hand to its end, and the players it watches."""

POKIBOTS = (
    "pokibot",
    "pokibot:profile=tight-passive",
    "pokibot:profile=tight-aggressive",
    "pokibot:profile=loose-passive",
    "pokibot:profile=loose-aggressive",
)
JAGBOTS = ("jagbot", "jagbot:profile=loose", "jagbot:profile=maniac")


@dataclass(frozen=True, slots=True)
class Judgement:
    """The quality of beliefs about one player, with the generic and with the specific model."""

    generic: BeliefQuality
    specific: BeliefQuality


def judge_beliefs(
    table: Sequence[str], *, watched: int, judged: int, seed: int | str, game: str = SIX_HANDED
) -> dict[str, Judgement]:
    """By label, the quality of beliefs about players who acted after the flop, judged after an initial number of hands.

    The observer is the first at the table. Beliefs are queried when a hand is over, with all public information.
    """
    book = Book()
    generic, specific = WeightBeliefs(Book(adapts=False)), WeightBeliefs(book)
    labels = labels_of(table)
    found = {label: Judgement(BeliefQuality(), BeliefQuality()) for label in labels[1:]}
    for hand in hands(game, table, watched + judged, seed):
        observer = hand.seat_of(labels[0])
        if hand.number >= watched:
            observation = Observation.of(hand.state, observer, hand.labels, hand.number)
            for seat in _seats_after_the_flop(hand) - {observer}:
                truth = holding(hand.state.hole_cards(seat) or ())
                judgement = found[hand.labels[seat]]
                judgement.generic.add(generic.of(observation, seat), truth)
                judgement.specific.add(specific.of(observation, seat), truth)
        book.learn(_result_for(observer, hand), hand.state.setup)
    return found


def _seats_after_the_flop(hand: PlayedHand) -> set[int]:
    """The seats that acted after the flop."""
    steps = [node.reached_by[0] for node in hand.state.node.path if node.reached_by]
    return {node.actor for node in steps if node.view[ROUND] > 0 and node.actor is not None}


def _result_for(seat: int, hand: PlayedHand) -> HandResult:
    events = visible_to(seat, events_of(hand.state))
    return HandResult(seat, hand.labels, events, hand.state.payoffs, hand.number)


def miscalibration(qualities: Sequence[BeliefQuality]) -> float:
    """The share of true holdings in the wrong tenth of the mass, over several qualities together."""
    hits = np.sum([quality.hits for quality in qualities], axis=0)
    return BeliefQuality(round(float(hits.sum())), 0.0, hits).miscalibration


def _opponent_model(laboratory: Laboratory) -> Iterator[Finding]:
    judged = laboratory.sized(2000, 60)
    found = judge_beliefs(WATCHED_TABLE, watched=200, judged=judged, seed=laboratory.seed)
    for label, judgement in found.items():
        generic, specific = judgement.generic.gain, judgement.specific.gain
        # For the generic player itself, no model can be better than the generic one.
        is_generic = label.endswith("probtriple")
        yield Finding(
            f"{label.partition(' ')[2]}: bits gained over a uniform guess ({judgement.generic.count:,} holdings)",
            f"generic {format_signed(generic, 2)}, specific {format_signed(specific, 2)}",
            "",
            "" if is_generic else "the specific model above the generic one",
            None if is_generic else specific > generic,
        )
    models = {
        "generic": [judgement.generic for judgement in found.values()],
        "specific": [judgement.specific for judgement in found.values()],
    }
    for model, qualities in models.items():
        hits = np.sum([quality.hits for quality in qualities], axis=0)
        tenths = " ".join(f"{format_percent(share, 0)}" for share in hits / hits.sum())
        yield Finding(
            f"{model} model: true holdings by tenths of the believed mass, the most probable first",
            f"{tenths}; {format_percent(miscalibration(qualities))} in the wrong tenth",
            "",
            "10 % each" if model == "specific" else "",
        )


def statistics_of(
    laboratory: Laboratory, name: str, agents: Sequence[str], deals: int
) -> list[PlayerStatistics]:
    """The statistics of all players at a nine-handed table, by place."""
    matches = laboratory.matches(name, NINE_HANDED, agents, deals=deals, matches=laboratory.sized(10, 1))
    return [
        sum((result.statistics[place] for result in matches), PlayerStatistics())
        for place in range(len(agents))
    ]


def _styles(laboratory: Laboratory) -> Iterator[Finding]:
    agents = [*POKIBOTS, *JAGBOTS, "rulebot"]
    found = dict(
        zip(agents, statistics_of(laboratory, "styles", agents, laboratory.sized(1000, 20)), strict=True)
    )
    most_played = max(found[agent].played.fraction or 0.0 for agent in POKIBOTS)
    most_aggressive = max(found[agent].aggression_frequency.fraction or 0.0 for agent in POKIBOTS)
    for agent, statistics in found.items():
        played = statistics.played.fraction or 0.0
        aggression = statistics.aggression_frequency.fraction or 0.0
        asked, holds = "", None
        if "tight" in agent:
            asked, holds = "plays 15–25 %", 0.15 <= played <= 0.25
        elif "profile=loose-" in agent:
            asked, holds = "plays over 40 %", played > 0.4
        elif agent in JAGBOTS:
            asked = "looser and more aggressive than every pokibot"
            holds = played > most_played and aggression > most_aggressive
        yield Finding(
            agent,
            f"plays {format_percent(played)}, raises {format_percent(statistics.pfr.fraction or 0.0)} before the flop, "
            f"bets or raises {format_percent(aggression)} of its actions ({statistics.hands:,} hands)",
            "",
            asked,
            holds,
        )


EXPERIMENTS = (
    Experiment(
        name="opponent-model",
        paper="loki-1999, Opponent Modeling",
        claim="Weights specific to a player are better than generic ones.",
        setup="Six-handed limit: a player who calls everything watches five others for 200 hands, and then predicts "
        "after every hand what the players who saw the flop hold.",
        run=_opponent_model,
    ),
    Experiment(
        name="styles",
        paper="casper-2007 §7",
        claim="Pokibots play in different versions, from tight to loose, and Jagbots are loose and aggressive.",
        setup="Nine-handed limit, duplicate deals in all nine rotations, one of each kind at the table.",
        run=_styles,
    ),
)
