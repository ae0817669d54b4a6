"""People: drawn from a population, each with a character, on tilt after big losses, the same for the same seed."""

from collections import Counter

import numpy as np
import pytest

from railbird.agent import HandResult, MatchStart
from railbird.agents.people.agent import People
from railbird.agents.people.characters import (
    GAMBLER,
    MANIAC,
    POPULATIONS,
    ROCK,
    SOLID,
    STATION,
    Character,
    Individual,
    Money,
    somebody,
)
from railbird.arena.results.statistics import PlayerStatistics
from railbird.arena.results.statistics_collector import StatisticsCollector
from railbird.engine.games import named_game
from railbird.engine.setup import Setup
from railbird.engine.state import State
from railbird.experiments.played_hands import hands
from railbird.hands.holdings import HOLDINGS
from railbird.observation import Observation
from railbird.opponents.weights.chances import chances_at
from railbird.rng import Stream

RULES = named_game("limit-10max")
PLAYERS = tuple(f"player {seat}" for seat in range(RULES.players))


def person_of(seed: int, money: Money = "play-money") -> People:
    agent = People(money)
    agent.begin_match(MatchStart(RULES, PLAYERS[0], PLAYERS, Stream.from_seed(seed)))
    return agent


def lost(chips: int) -> HandResult:
    return HandResult(0, PLAYERS, (), (-chips, chips, *[0] * (RULES.players - 2)))


def first_actions(character: Character) -> tuple[float, float]:
    """The shares of all holdings with which the first player of a table pays, and raises."""
    setup = Setup.of(RULES)
    fold, _, raise_ = chances_at(
        setup, setup.tree.root, (), Individual(character, 0.0, 0.0).style()
    ) @ np.full(HOLDINGS, 1 / HOLDINGS)
    return 1.0 - float(fold), float(raise_)


def test_the_same_seed_gives_the_same_person_and_other_seeds_others() -> None:
    people = [person_of(seed).person_ for seed in range(30)]
    assert people == [person_of(seed).person_ for seed in range(30)]
    assert len({person.looseness for person in people}) == len(people)


@pytest.mark.parametrize("money", POPULATIONS)
def test_characters_are_as_frequent_as_stated(money: Money) -> None:
    shares, count = POPULATIONS[money], 3000
    assert sum(shares.values()) == pytest.approx(1.0)
    generator = Stream.from_seed(1).generator()
    found = Counter(somebody(money, generator).character for _ in range(count))
    for character, share in shares.items():
        deviation = (share * (1 - share) / count) ** 0.5
        assert abs(found[character] / count - share) < 4 * deviation, character.name


def test_characters_play_as_they_are_called() -> None:
    played, raised = zip(*map(first_actions, (STATION, MANIAC, GAMBLER, SOLID, ROCK)), strict=True)
    assert min(played[:2]) > played[2] > max(played[3:])
    assert raised[1] > 3 * max(raised[0], raised[4])
    assert raised[0] < 0.15 * played[0], "a calling station hardly ever raises"
    assert raised[3] > raised[4]


def test_a_rock_goes_on_tilt_after_a_big_loss_and_calms_down() -> None:
    agent = next(
        found for seed in range(99) if (found := person_of(seed, "real-money")).person_.character is ROCK
    )
    temper = ROCK.temper
    assert temper is not None
    big = int(temper.loss) * RULES.small_bet
    agent.end_hand(lost(big - 1))
    assert agent.style() == agent.person_.style()
    agent.end_hand(lost(big))
    assert agent.style() == agent.person_.style(on_tilt=True)
    assert agent.style().preflop_looseness > agent.person_.style().preflop_looseness + 1.0
    observation = Observation.of(State.deal(Setup.of(RULES), Stream.from_seed(1)), 2, PLAYERS)
    decision = agent.act(observation)
    assert "a big loss" in decision.explanation.summary
    assert decision.explanation.facts[0].value == "rock"
    for left in range(temper.hands, 0, -1):
        assert agent.tilted_ == left
        agent.end_hand(lost(0))
    assert agent.style() == agent.person_.style()
    assert "tilt" not in agent.act(observation).explanation.summary


def test_nobody_who_has_no_temper_goes_on_tilt() -> None:
    agent = next(found for seed in range(99) if (found := person_of(seed)).person_.character is STATION)
    agent.end_hand(lost(1000))
    assert agent.tilted_ == 0


def population(money: Money, matches: int, count: int) -> list[PlayerStatistics]:
    """The statistics of people at ten-handed tables, new ones in every match."""
    found: list[PlayerStatistics] = []
    for match in range(matches):
        collector = StatisticsCollector()
        for hand in hands("limit-10max", [f"people:kind={money}"] * 10, count, f"{money} {match}"):
            collector.add_state(hand.state, hand.labels, hand.state.payoffs)
        found += collector.statistics().values()
    return found


def check_populations(matches: int, count: int, tolerance: float) -> None:
    """Play money is very loose, small stakes are loose, and both hold tight people too."""
    means = {}
    for money in POPULATIONS:
        vpips = [each.vpip.fraction or 0.0 for each in population(money, matches, count)]
        means[money] = float(np.mean(vpips))
        assert min(vpips) < 0.3
        assert max(vpips) > 0.6
    assert means["play-money"] == pytest.approx(0.63, abs=tolerance)
    assert means["real-money"] == pytest.approx(0.37, abs=tolerance)


def test_play_money_is_looser_than_real_money() -> None:
    check_populations(4, 25, tolerance=0.1)


@pytest.mark.soak
def test_play_money_is_looser_than_real_money_over_many_people() -> None:
    check_populations(40, 100, tolerance=0.04)
