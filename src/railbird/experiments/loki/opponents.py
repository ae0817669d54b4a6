"""Opponent models and playing styles of Loki's family: log-likelihoods, calibration, styles."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from statistics import mean

import numpy as np

from railbird.agent import HandResult
from railbird.agents.people.characters import Money
from railbird.arena.play.match import MatchResult
from railbird.arena.play.plan import Duplicate
from railbird.arena.results.statistics import PlayerStatistics, Share
from railbird.engine.history import events_of
from railbird.experiments.frame import Experiment, Finding, Laboratory
from railbird.experiments.opponent_tables import (
    THESIS_HANDS,
    THESIS_PLAYED,
    THESIS_PLAYERS,
    THESIS_SHOWDOWNS,
    THESIS_TABLE,
)
from railbird.experiments.played_hands import PlayedHand, hands, labels_of
from railbird.experiments.published import Portion
from railbird.explanation.formats import format_percent, format_signed
from railbird.hands.holdings import holding
from railbird.kernels.rules.betting import ROUND
from railbird.observation import Observation, visible_to
from railbird.opponents.weights.beliefs import WeightBeliefs
from railbird.opponents.weights.book import Book
from railbird.opponents.weights.quality import BeliefQuality

SIX_HANDED = "limit-6max"
NINE_HANDED = "limit-9max"
TEN_HANDED = "limit-10max"

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
HARD_POKIBOT = "pokibot:preflop=hard"
HARD_POKIBOTS = (HARD_POKIBOT, *(f"{pokibot},preflop=hard" for pokibot in POKIBOTS[1:]))
MOST_APART = 0.03
"""Maximum difference from the printed share of hands played."""
PEOPLE_PLAY: Mapping[Money, tuple[float, float]] = {"play-money": (0.44, 1.0), "real-money": (0.28, 0.44)}
"""The range of the mean VPIP of a population: very loose, and slightly loose to loose."""
PEOPLE_RAISE = 0.12
"""Maximum mean PFR of both populations: that of passive weak players."""
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
    return _added(matches, len(agents))


def _added(matches: Sequence[MatchResult], players: int) -> list[PlayerStatistics]:
    """The statistics of all matches together, by place."""
    return [
        sum((result.statistics[place] for result in matches), PlayerStatistics()) for place in range(players)
    ]


def _styles(laboratory: Laboratory) -> Iterator[Finding]:
    deals = laboratory.sized(1000, 20)
    agents = [*POKIBOTS, *JAGBOTS, "rulebot"]
    found = dict(zip(agents, statistics_of(laboratory, "styles", agents, deals), strict=True))
    most_played = max(_share(found[agent].played) for agent in POKIBOTS)
    most_aggressive = max(_share(found[agent].aggression_frequency) for agent in POKIBOTS)
    for agent, statistics in found.items():
        played = _share(statistics.played)
        asked, holds = "", None
        if "tight" in agent:
            asked, holds = "plays 15–25 %", 0.15 <= played <= 0.25
        elif "profile=loose-" in agent:
            asked, holds = "plays over 40 %", played > 0.4
        elif agent in JAGBOTS:
            asked = "looser and more aggressive than every pokibot"
            holds = played > most_played and _share(statistics.aggression_frequency) > most_aggressive
        yield Finding(f"one of each: {agent}", _style(statistics), "", asked, holds)
    agents[: len(POKIBOTS)] = HARD_POKIBOTS
    hard = statistics_of(laboratory, "styles", agents, deals)
    for agent, statistics in zip(HARD_POKIBOTS, hard, strict=False):
        yield Finding(f"one of each: {agent}", _style(statistics))
    yield from _thesis_table(laboratory)
    yield from _people(laboratory)


def _thesis_table(laboratory: Laboratory) -> Iterator[Finding]:
    """The calibrated table, with a balanced Pokibot in the thesis's own seat, in sessions as long as the thesis's."""
    agents = [*THESIS_TABLE, HARD_POKIBOT]
    sessions = laboratory.matches(
        "thesis table",
        NINE_HANDED,
        agents,
        deals=laboratory.sized(9000, 180),
        matches=laboratory.sized(2, 1),
        duplicate=Duplicate.NONE,
    )
    *found, ninth = _added(sessions, len(agents))
    for (name, agent), statistics in zip(THESIS_PLAYERS.items(), found, strict=True):
        printed = THESIS_PLAYED[name]
        played = Portion(_share(statistics.played), statistics.hands)
        both = Portion(mean(printed), THESIS_HANDS * len(printed))
        told = " and ".join(format_percent(share, 0) for share in printed)
        yield Finding(
            f"thesis table: {name}, {agent}",
            _style(statistics),
            f"plays {told} (the mean ± {100 * both.half_width:.1f})",
            f"within {100 * MOST_APART:.0f} percentage points of their mean",
            abs(played.share - both.share) <= MOST_APART,
            played.agrees(both),
        )
    yield Finding(f"thesis table: the ninth seat, {HARD_POKIBOT}", _style(ninth))
    everybody = mean(_share(each.played) for each in (*found, ninth))
    yield Finding(
        "thesis table: mean of the hands played",
        format_percent(everybody),
        "25 %",
        "22–28 %",
        0.22 <= everybody <= 0.28,
    )
    showdowns = 1.0 - sum(_share(each.uncontested_wins) for each in (*found, ninth))
    yield Finding(
        "thesis table: hands that reach a showdown",
        format_percent(showdowns),
        " and ".join(format_percent(share, 0) for share in THESIS_SHOWDOWNS),
        "30–45 %",
        0.30 <= showdowns <= 0.45,
    )


def _people(laboratory: Laboratory) -> Iterator[Finding]:
    """Many people of each population, ten at a table."""
    count = laboratory.sized(20, 1)
    for kind, (least, most) in PEOPLE_PLAY.items():
        agent = f"people:kind={kind}"
        tables = laboratory.matches(
            f"people {kind}",
            TEN_HANDED,
            [agent] * 10,
            deals=100 * count,
            matches=count,
            duplicate=Duplicate.NONE,  # other seatings would be played by other people
        )
        found = [statistics for table in tables for statistics in table.statistics]
        vpips = [_share(each.vpip) for each in found]
        pfrs = [_share(each.pfr) for each in found]
        yield Finding(
            f"ten-handed: {agent}, {len(found)} people",
            f"pay before the flop in {_spread(vpips)} of their hands, raise in {_spread(pfrs)}, "
            f"see {format_percent(mean(_share(each.showdowns_seen) for each in found))} showdowns "
            f"({found[0].hands} hands each)",
            "",
            f"pay in {100 * least:.0f}–{100 * most:.0f} % on average, raise in less than {100 * PEOPLE_RAISE:.0f} %",
            least <= mean(vpips) <= most and mean(pfrs) < PEOPLE_RAISE,
        )


def _spread(shares: Sequence[float]) -> str:
    """The mean, and the tenth and ninetieth percentile."""
    low, high = np.quantile(shares, (0.1, 0.9)).tolist()
    return f"{format_percent(mean(shares))} (from {100 * low:.0f} to {100 * high:.0f} %)"


def _share(share: Share) -> float:
    return share.fraction or 0.0


def _style(statistics: PlayerStatistics) -> str:
    return (
        f"plays {format_percent(_share(statistics.played))}, "
        f"raises {format_percent(_share(statistics.pfr))} before the flop, "
        f"bets or raises {format_percent(_share(statistics.aggression_frequency))} of its actions, "
        f"sees {format_percent(_share(statistics.showdowns_seen))} showdowns ({statistics.hands:,} hands)"
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
        paper="casper-2007 §7, baycarp-2011 §7.3",
        claim="Pokibots play in different versions, from tight to loose, and Jagbots are loose and aggressive; at the "
        "thesis's table, players play 17–43 % of their hands; people play loosely.",
        setup="Nine-handed limit: a table with one of each kind, duplicate deals in all nine rotations, with soft and "
        "with hard Pokibots, and the calibrated table of the thesis, two sessions of 4,500 hands; ten-handed, 20 "
        "tables of people who play for play money and 20 for real money.",
        run=_styles,
    ),
)
