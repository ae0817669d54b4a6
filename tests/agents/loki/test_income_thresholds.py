"""Hard thresholds before the flop: Papp's strategies, his rule for thresholds, and the calibrated table."""

import numpy as np
import pytest

from railbird.agent import MatchStart, NoStrategy, make_agent
from railbird.agents.loki.income_thresholds import (
    THRESHOLDS,
    PreflopStrategy,
    hard_strategies,
    preflop_choice,
)
from railbird.agents.loki.profiles import POKIBOT_PROFILES, PokibotProfile
from railbird.arena.results.statistics_collector import StatisticsCollector
from railbird.engine.actions import CALL, FOLD, ActionKind, raise_to
from railbird.engine.games import named_game
from railbird.engine.setup import Setup
from railbird.engine.state import State
from railbird.experiments.opponent_tables import THESIS_PLAYED, THESIS_PLAYERS, THESIS_TABLE
from railbird.experiments.played_hands import hands, labels_of
from railbird.hands.holdings import HOLDINGS, parse_holding
from railbird.observation import Observation
from railbird.opponents.weights.chances import situation_at
from railbird.rng import Stream

ALL = np.arange(HOLDINGS)
MAKE0, MAKE1, CALL2, MAKE2, MAKE4 = PreflopStrategy


def observe(letters: str, game: str = "limit-9max") -> Observation:
    """What the seat to act sees after these actions, whatever its cards."""
    state = State.deal(Setup.of(named_game(game)), Stream.from_seed(1))
    for letter in letters:
        state.act({"f": FOLD, "c": CALL, "r": raise_to(state.legal_actions.raise_minimum)}[letter])
    assert state.actor is not None
    players = tuple(f"player {seat}" for seat in range(state.rules.players))
    return Observation.of(state, state.actor, players)


def strategy(
    letters: str, cards: str, profile: PokibotProfile = "balanced", game: str = "limit-9max"
) -> PreflopStrategy:
    return preflop_choice(observe(letters, game), POKIBOT_PROFILES[profile]).of(parse_holding(cards))


def playing(letters: str, profile: PokibotProfile = "balanced") -> float:
    """The share of holdings that do not fold."""
    found = hard_strategies(observe(letters), ALL, POKIBOT_PROFILES[profile])
    return 1.0 - float(found.probabilities[:, found.actions.index(FOLD)].mean())


@pytest.mark.parametrize(
    ("strategy", "kinds"),
    [
        (MAKE0, "fff"),
        (MAKE1, "cff"),
        (CALL2, "ccc"),
        (MAKE2, "rcc"),
        (MAKE4, "rrr"),
    ],
)
def test_papp_6_1_what_a_strategy_does_at_one_two_and_three_bets(
    strategy: PreflopStrategy, kinds: str
) -> None:
    letters = {ActionKind.FOLD: "f", ActionKind.CALL: "c", ActionKind.RAISE: "r"}
    found = [
        strategy.kind(situation_at((seen := observe(bets)).setup, seen.node)) for bets in ("", "r", "rr")
    ]
    assert "".join(letters[kind] for kind in found) == kinds


def test_papp_6_1_make1_calls_more_bets_only_after_having_paid() -> None:
    paid = observe("crrffffff")
    assert paid.to_call == 20
    assert MAKE1.kind(situation_at(paid.setup, paid.node)) is ActionKind.CALL
    assert MAKE0.kind(situation_at(paid.setup, paid.node)) is ActionKind.FOLD


def test_penas_example_ace_eight_suited_on_the_button_with_four_players() -> None:
    """Peña 1999 §3.1: an income rate of 0.338 at moderate tightness is Make2."""
    choice = preflop_choice(observe("c", "limit-4max"), POKIBOT_PROFILES["balanced"])
    ace_eight = parse_holding("Ah8h")
    assert float(choice.rates[ace_eight]) == pytest.approx(0.338, abs=0.001)
    assert choice.of(ace_eight) is MAKE2


def test_the_strategy_of_the_first_decision_is_kept() -> None:
    """With queens the first player raises; whatever follows, the strategy is that of its first decision."""
    first, later = observe(""), observe("rffrfffff")
    assert first.seat == later.seat
    profile = POKIBOT_PROFILES["balanced"]
    chosen, kept = preflop_choice(first, profile), preflop_choice(later, profile)
    assert kept.thresholds == chosen.thresholds
    assert kept.rates is chosen.rates, "later there are two players, for whom other income rates would count"


def test_equation_6_1_thresholds_rise_with_the_players_up_to_the_button() -> None:
    """Two seats with the same group of expected players differ by the increment for each player between them."""
    first, third = (preflop_choice(observe(letters), POKIBOT_PROFILES["balanced"]) for letters in ("", "cc"))
    assert first.rates is third.rates
    rises = [one - other for (_, one), (_, other) in zip(first.thresholds, third.thresholds, strict=True)]
    assert rises == pytest.approx([2 * THRESHOLDS[2].increment] * 3)


def test_the_small_blind_has_fixed_thresholds_for_its_calls() -> None:
    choice = preflop_choice(observe("fffffff"), POKIBOT_PROFILES["balanced"])
    assert [each for each, _ in choice.thresholds] == [MAKE4, MAKE2, CALL2, MAKE1]
    big_blind = preflop_choice(observe("ffffffrf"), POKIBOT_PROFILES["balanced"])
    assert [each for each, _ in big_blind.thresholds] == [MAKE4, MAKE2, MAKE1]


def test_good_cards_raise_and_bad_ones_fold() -> None:
    assert strategy("", "AsAh") is MAKE4
    assert strategy("", "7h2c") is MAKE0
    assert strategy("", "Kh9c", "loose-passive") > strategy("", "Kh9c", "tight-passive")


def test_tight_profiles_open_with_fewer_hands_and_passive_ones_raise_fewer() -> None:
    first = {name: playing("", name) for name in POKIBOT_PROFILES}
    assert max(first["tight-passive"], first["tight-aggressive"]) < first["balanced"]
    assert first["balanced"] < min(first["loose-passive"], first["loose-aggressive"])
    assert 0.1 < first["tight-passive"] < 0.2
    assert all(playing("fffff", name) > first[name] for name in POKIBOT_PROFILES), "late positions play more"
    for temper in ("tight", "loose"):
        passive, aggressive = (
            preflop_choice(observe(""), POKIBOT_PROFILES[name]).thresholds[1][1]
            for name in POKIBOT_PROFILES
            if name.startswith(temper)
        )
        assert passive > aggressive


def test_simbot_with_hard_thresholds_states_its_strategy_before_the_flop_only() -> None:
    simbot = make_agent("simbot:preflop=hard")
    before = observe("rfffffff")
    simbot.begin_match(MatchStart(before.rules, "player 0", before.players, Stream.from_seed(1)))
    decision = simbot.act(before)
    stated = hard_strategies(before, ALL, POKIBOT_PROFILES["balanced"])
    found = simbot.strategies(before, ALL)
    assert (found.probabilities == stated.probabilities).all()
    assert decision.explanation.facts[0].name == "strategy before the flop"
    with pytest.raises(NoStrategy):
        simbot.strategies(observe("rfffffffc"), [parse_holding("KsQs")])


@pytest.mark.parametrize("count", [pytest.param(9000, marks=pytest.mark.soak)])
def test_the_thesis_table_plays_as_figures_7_4_and_7_9_print(count: int) -> None:
    """Hands played 17–43 %, about 25 % in the mean; Simbots about 29 %; about 35 % of all hands reach a showdown."""
    agents = (*THESIS_TABLE, "pokibot:preflop=hard")
    collector = StatisticsCollector()
    for hand in hands("limit-9max", agents, count, seed=1):
        collector.add_state(hand.state, hand.labels, hand.state.payoffs)
    statistics = [collector.statistics()[label] for label in labels_of(agents)]
    played = [float(each.played.fraction or 0) for each in statistics]
    for name, share in zip(THESIS_PLAYERS, played, strict=False):
        assert share == pytest.approx(np.mean(THESIS_PLAYED[name]), abs=0.035), (name, share)
    assert np.mean(played) == pytest.approx(0.25, abs=0.03)
    showdowns = 1 - sum(float(each.uncontested_wins.fraction or 0) for each in statistics)
    assert 0.3 < showdowns < 0.45
