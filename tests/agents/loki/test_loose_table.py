"""The tables of casper-2007 §7: who plays how loosely and aggressively, and who wins from whom.

The check plays short versions with fixed seeds; the soak plays enough hands for intervals.
"""

from collections import defaultdict
from collections.abc import Sequence

import numpy as np
import pytest

from railbird.arena.results.statistics import PlayerStatistics
from railbird.arena.results.statistics_collector import StatisticsCollector
from railbird.experiments.loki.opponents import JAGBOTS, POKIBOTS
from railbird.experiments.played_hands import hands, labels_of

PROFILES = ("tight-passive", "tight-aggressive", "loose-passive", "loose-aggressive")
ADAPTIVE_TABLE = (*POKIBOTS, *POKIBOTS[:3])
"""Eight Pokibots in different versions; the ninth seat is free."""
LOOSE_TABLE = (*JAGBOTS, *JAGBOTS, *JAGBOTS[:2])


def winnings(agents: Sequence[str], count: int, seed: int) -> dict[str, tuple[float, float]]:
    """By agent: what it won per hand in small bets, and half of a 95 % interval, over all its seats."""
    won: dict[str, list[float]] = defaultdict(list)
    labels = labels_of(agents)
    for hand in hands(f"limit-{len(agents)}max", agents, count, seed):
        unit = hand.state.rules.small_bet
        together: dict[str, list[float]] = defaultdict(list)
        for label, chips in zip(hand.labels, hand.state.payoffs, strict=True):
            together[agents[labels.index(label)]].append(float(chips) / unit)
        for agent, chips_won in together.items():
            won[agent].append(float(np.mean(chips_won)))
    return {
        agent: (float(np.mean(each)), 1.96 * float(np.std(each)) / len(each) ** 0.5)
        for agent, each in won.items()
    }


def styles(agents: Sequence[str], count: int, seed: int) -> dict[str, PlayerStatistics]:
    """By agent, the statistics of its first seat."""
    collector = StatisticsCollector()
    for hand in hands(f"limit-{len(agents)}max", agents, count, seed):
        collector.add_state(hand.state, hand.labels, hand.state.payoffs)
    statistics = collector.statistics()
    return {
        agent: statistics[label] for label, agent in reversed([*zip(labels_of(agents), agents, strict=True)])
    }


def share(statistics: PlayerStatistics, name: str) -> float:
    fraction = getattr(statistics, name).fraction
    assert fraction is not None
    return float(fraction)


def check_styles(count: int, seed: int) -> None:
    found = styles([*POKIBOTS, *JAGBOTS, "pokibot"], count, seed)
    played = {agent: share(statistics, "played") for agent, statistics in found.items()}
    aggression = {agent: share(statistics, "aggression_frequency") for agent, statistics in found.items()}
    raised = {agent: share(statistics, "pfr") for agent, statistics in found.items()}
    for profile in PROFILES:
        agent = f"pokibot:profile={profile}"
        assert 0.15 <= played[agent] <= 0.25 if "tight" in profile else played[agent] > 0.4, played
    for temper in ("tight", "loose"):
        passive, aggressive = (f"pokibot:profile={temper}-{manner}" for manner in ("passive", "aggressive"))
        assert aggression[aggressive] > aggression[passive] + 0.05, aggression
        assert raised[aggressive] > 2 * raised[passive], raised
    for jagbot in JAGBOTS:
        assert played[jagbot] > max(played[agent] for agent in POKIBOTS), played
        assert aggression[jagbot] > max(aggression[agent] for agent in POKIBOTS), aggression
        assert raised[jagbot] > max(raised[agent] for agent in POKIBOTS), raised


def test_styles_are_seen_in_the_statistics() -> None:
    check_styles(250, seed=1)


@pytest.mark.soak
def test_styles_are_seen_in_the_statistics_of_many_hands() -> None:
    check_styles(6000, seed=2)


def test_a_random_player_loses_far_more_than_half_a_small_bet() -> None:
    """casper-2007: −1.67 sb/h at the adaptive table, −1.49 at the loose one."""
    assert winnings([*ADAPTIVE_TABLE, "random"], 120, seed=3)["random"][0] < -0.7
    assert winnings([*LOOSE_TABLE, "random"], 120, seed=3)["random"][0] < -0.7


@pytest.mark.soak
def test_a_random_player_loses_at_both_tables_beyond_doubt() -> None:
    for table in (ADAPTIVE_TABLE, LOOSE_TABLE):
        mean, half = winnings([*table, "random"], 6000, seed=4)["random"]
        assert mean + half < -1.0


def test_pokibots_win_from_jagbots_and_rulebots() -> None:
    mean, _ = winnings(["pokibot"] * 3 + list(LOOSE_TABLE[:6]), 120, seed=5)["pokibot"]
    assert mean > 0.1
    mean, _ = winnings(["pokibot"] * 3 + ["rulebot"] * 6, 250, seed=5)["pokibot"]
    assert mean > 0.02


@pytest.mark.soak
def test_pokibots_win_from_jagbots_and_rulebots_beyond_doubt() -> None:
    for others in (LOOSE_TABLE[:6], ["rulebot"] * 6):
        mean, half = winnings(["pokibot"] * 3 + list(others), 6000, seed=5)["pokibot"]
        assert mean - half > 0.0, (mean, half)


@pytest.mark.soak
@pytest.mark.parametrize("profile", ["balanced", "tight-aggressive", "loose-aggressive"])
def test_one_pokibot_wins_at_a_table_of_jagbots(profile: str) -> None:
    agent = f"pokibot:profile={profile}"
    mean, half = winnings([agent, *LOOSE_TABLE], 8000, seed=7)[agent]
    assert mean - half > 0.0, (mean, half)


@pytest.mark.soak
@pytest.mark.parametrize("players", [2, 3, 6, 10])
def test_pokibot_wins_from_rulebots_at_tables_of_every_size(players: int) -> None:
    mean, half = winnings_of_one("pokibot", "rulebot", players, 5000, seed=8)
    assert mean - half > 0.0, (mean, half)


def winnings_of_one(agent: str, other: str, players: int, count: int, seed: int) -> tuple[float, float]:
    """What one agent wins per hand from a table of another one."""
    game = f"limit-{players}p" if players <= 3 else f"limit-{players}max"
    agents = [agent, *[other] * (players - 1)]
    own = labels_of(agents)[0]
    won = [
        float(hand.state.payoffs[hand.seat_of(own)]) / hand.state.rules.small_bet
        for hand in hands(game, agents, count, seed)
    ]
    return float(np.mean(won)), 1.96 * float(np.std(won)) / len(won) ** 0.5


@pytest.mark.parametrize(
    ("players", "other"), [(2, "random"), (2, "always-call"), (2, "always-raise"), (6, "random")]
)
def test_pokibot_wins_from_simple_players_at_short_tables(players: int, other: str) -> None:
    mean, half = winnings_of_one("pokibot", other, players, 600 if players == 2 else 250, seed=9)
    assert mean - half > 0.0, (mean, half)
