"""Simbot: sensible actions, its reasons, its parameters, and the formula that its simulations play by."""

import json
from dataclasses import replace

import numpy as np
import pytest

from railbird.agent import Decision, MatchStart, UnsuitableGame, make_agent
from railbird.agents.loki.pokibot import Assessment, Pokibot, _face_a_bet
from railbird.agents.loki.profiles import POKIBOT_PROFILES
from railbird.cards import parse_cards
from railbird.engine.actions import CALL, FOLD, ActionKind, raise_to
from railbird.engine.games import named_game
from railbird.engine.setup import Setup
from railbird.engine.state import State
from railbird.experiments.played_hands import hands
from railbird.explanation import Bars, Belief, Deferred, Explanation, explanation_from_json
from railbird.kernels.play.poki_formula import NEGATIVE_POTENTIAL, formula_triple_of
from railbird.kernels.play.situations import LEVEL, STREET
from railbird.observation import Observation
from railbird.opponents.weights.chances import situation_at
from railbird.rng import Stream


def observe(letters: str, cards: str, game: str = "limit-2p") -> Observation:
    """What the seat to act sees: cards are everyone's hole cards and the board, actions letters."""
    rules = named_game(game)
    state = State(Setup.of(rules), parse_cards(cards))
    for letter in letters:
        state.act({"f": FOLD, "c": CALL, "r": raise_to(state.legal_actions.raise_minimum)}[letter])
    seat = state.actor
    assert seat is not None
    return Observation.of(state, seat, tuple(f"player {place}" for place in range(rules.players)))


def decide(observation: Observation, parameters: str = "trials=200", seed: int = 1) -> Decision:
    agent = make_agent(f"simbot:{parameters}")
    match = MatchStart(observation.rules, "me", observation.players, Stream.from_seed(seed))
    agent.begin_match(match)
    return agent.act(observation)


HOPELESS = observe("rrcrrcrrcrrrr", "7h2s AcAd QcJcTc 9d 3d")
"""Seven high on the river against a capped bet: nothing to bluff with, nothing to beat."""


@pytest.mark.parametrize("policy", ["triple", "formula"])
def test_the_best_hand_raises_and_a_hopeless_one_folds(policy: str) -> None:
    best = decide(observe("ccccccr", "9c9d AhKh QhJhTh 2c 3d"), f"policy={policy}")
    assert best.action == raise_to(40)
    hopeless = decide(HOPELESS, f"policy={policy}")
    assert hopeless.action == FOLD
    assert hopeless.explanation.summary.startswith("Continuing lost money in ")
    fold, call = expected_values(hopeless.explanation).bars
    assert (fold.label, fold.value) == ("fold", 0)
    assert call.label == f"call {HOPELESS.to_call}"
    assert call.value < 0


def test_before_the_flop_aces_are_worth_bets_and_seven_deuce_folds_under_the_gun() -> None:
    def under_the_gun(cards: str) -> Decision:
        dealt = f"2c2d 3c3d {cards} 4c4d 5c5d 6c6d 8c8d 9c9d TcTd KhQhJh 5h 6h"
        return decide(observe("", dealt, "limit-9max"))

    fold, call, raise_ = expected_values(under_the_gun("AsAh").explanation).bars
    assert fold.value == 0
    assert min(call.value, raise_.value) > 20
    assert under_the_gun("7s2h").action == FOLD


def expected_values(explanation: Explanation) -> Bars:
    (bars,) = (section for section in explanation.sections if isinstance(section, Bars))
    return bars


def test_the_same_seed_gives_the_same_values_and_another_one_others() -> None:
    situation = observe("rc", "9c9d AhKh QhJhTs 2c 3d")
    first, second, other = (decide(situation, seed=seed).explanation for seed in (1, 1, 2))
    assert first == second
    assert first != other


def test_an_explanation_has_values_errors_trials_why_it_stopped_and_beliefs() -> None:
    situation = observe("fcccr", "9c9d 3h3s AhKh 7s8s QhJhTs 2c 3d", "limit-4max")
    explanation = decide(situation, "trials=300,obvious=never").explanation
    facts = {fact.name: fact.value for fact in explanation.facts}
    assert facts["simulated hands"] == 300
    assert facts["stopped because"] == "all simulated hands were played"
    assert facts["pot odds"] == pytest.approx(situation.to_call / (situation.pot + situation.to_call))
    bars = expected_values(explanation)
    assert [bar.label for bar in bars.bars] == ["fold", "call 10", "raise to 20"]
    assert [bar.error == 0 for bar in bars.bars] == [True, False, False]
    beliefs = [section for section in explanation.sections if isinstance(section, Belief)]
    assert [belief.label for belief in beliefs] == [
        situation.players[seat] for seat in situation.live_seats if seat != situation.seat
    ]
    assert explanation_from_json(json.loads(json.dumps(explanation.to_json()))) == explanation


def test_values_of_actions_are_stated_with_the_error_of_what_they_fall_behind() -> None:
    decision = decide(observe("rc", "9c9d AhKh QhJhTs 2c 3d"), "trials=500,obvious=never")
    facts = {fact.name: fact.value for fact in decision.explanation.facts}
    bars = expected_values(decision.explanation).bars
    assert [(value.action, value.chips) for value in decision.values] == [
        (action, bar.value) for (action, _), bar in zip(decision.strategy, bars, strict=True)
    ]
    best = max(decision.values, key=lambda value: value.chips)
    (other,) = (value for value in decision.values if value is not best)
    assert (best.action, best.error) == (decision.action, 0.0)
    assert other.error == facts["standard error of the lead"]


def test_sections_are_not_made_while_it_plays() -> None:
    sections = decide(observe("rc", "9c9d AhKh QhJhTs 2c 3d"), "trials=50").explanation.sections
    assert isinstance(sections, Deferred)
    assert sections._made is None
    assert len(sections) == 2
    assert sections._made is not None


def test_the_error_of_the_lead_is_that_of_paired_plays() -> None:
    """Both plays share the cards, so a lead is known better than the two values by themselves."""
    explanation = decide(observe("rc", "9c9d AhKh QhJhTs 2c 3d"), "trials=500,obvious=never").explanation
    facts = {fact.name: fact.value for fact in explanation.facts}
    call, raise_ = expected_values(explanation).bars
    assert call.error is not None
    assert raise_.error is not None
    assert isinstance(facts["standard error of the lead"], float)
    assert facts["standard error of the lead"] < 0.9 * np.hypot(call.error, raise_.error)
    assert facts["lead over the second best"] == pytest.approx(abs(call.value - raise_.value))


def test_an_obvious_action_stops_early_and_the_papers_criterion_is_stricter() -> None:
    def trials_of(situation: Observation, criterion: str) -> int:
        facts = decide(situation, f"trials=400,obvious={criterion}").explanation.facts
        return next(int(fact.value) for fact in facts if fact.name == "simulated hands")

    assert trials_of(HOPELESS, "never") == 400
    assert trials_of(HOPELESS, "errors") == 50, "always the same loss: obvious as soon as it may be"
    raised = observe("rr", "2c7h AhAd 8s8h As7dTh 4c 3d", "limit-3p")
    errors, deviations = (trials_of(raised, criterion) for criterion in ("errors", "deviations"))
    assert errors < deviations == 400


def test_close_values_are_mixed_on_request() -> None:
    situation = observe("", "AhKh 9c9d QhJhTs 2c 3d")
    pure = decide(situation, "trials=100")
    assert sorted(chance for _, chance in pure.strategy) == [0, 0, 1]
    mixed = decide(situation, "trials=100,mix=1000")
    chances = [chance for _, chance in mixed.strategy]
    assert sum(chances) == pytest.approx(1)
    assert min(chances) > 0.3
    drawn = {decide(situation, "trials=25,mix=1000", seed=seed).action.kind for seed in range(20)}
    assert drawn == set(ActionKind)


@pytest.mark.parametrize(
    ("parameters", "sentence"),
    [
        ("trials=0", "trials=0 is not a valid number of trials"),
        ("stride=0", "stride=0 must be between 1"),
        ("mix=-1", "mix=-1.0 and apart=0.0 must not be negative"),
        ("apart=nan", "apart=nan"),
        ("policy=guess", "no choice for policy is called 'guess'"),
    ],
)
def test_parameters_that_make_no_sense_are_refused(parameters: str, sentence: str) -> None:
    with pytest.raises(ValueError, match=sentence):
        make_agent(f"simbot:{parameters}")


def test_no_limit_is_refused_in_a_sentence() -> None:
    rules = named_game("nolimit-2p")
    with pytest.raises(UnsuitableGame, match="Simbot plays limit hold'em only, but nolimit-2p is no-limit"):
        make_agent("simbot").begin_match(MatchStart(rules, "a", ("a", "b"), Stream.from_seed(1)))


def some_nodes(count: int) -> list[Observation]:
    """Situations after the flop from hands that were played at random."""
    found: list[Observation] = []
    for seed in range(10**6):
        game = ("limit-2p", "limit-3p", "limit-6max")[seed % 3]
        state = State.deal(Setup.of(named_game(game)), Stream.from_seed(seed))
        players = tuple(f"p{seat}" for seat in range(state.rules.players))
        draw = np.random.default_rng(seed)
        while state.actor is not None:
            if state.round and len(found) < count:
                found.append(Observation.of(state, state.actor, players))
            state.act(state.choices[int(draw.choice(len(state.choices)))])
        if len(found) == count:
            break
    return found


def test_the_compiled_formula_decides_as_pokibots_rules_do() -> None:
    draw = np.random.default_rng(5)
    honest = replace(POKIBOT_PROFILES["balanced"], deception=0.0)
    thresholds = np.array([honest.bet_at, honest.raise_at, honest.calling, honest.deception])
    pokibot = Pokibot()
    seen = set()
    for observation in some_nodes(600):
        situation = situation_at(observation.setup, observation.node)
        bets = observation.rules.bet_sizes
        later = sum(bets[observation.round + 1 :]) / bets[observation.round]
        river = situation[STREET] == 3
        hs = float(draw.random())
        ppot = 0.0 if river else float(draw.random() * 0.4)
        hand = Assessment(situation, hs, ppot, 0.0 if river else NEGATIVE_POTENTIAL, later)
        if situation[LEVEL] <= 0:
            *deceptions, rule = pokibot._bet_or_check(observation, hand, {}, honest, bluffing=False)
        else:
            *deceptions, rule = _face_a_bet(hand, honest)
        assert {each.chance for each in deceptions} <= {0.0}
        assert rule.chance is None
        legal = observation.legal_actions
        kind = rule.kind
        if kind is ActionKind.RAISE and not legal.can_raise:
            kind = ActionKind.CALL
        chances = formula_triple_of(situation, later, hs, ppot, thresholds)
        assert chances[kind] == 1, (observation, rule, hs, ppot, chances)
        seen.add(rule.reason)
    assert len(seen) >= 7, "not every rule was met"


@pytest.mark.parametrize("count", [120, pytest.param(250, marks=pytest.mark.soak)])
def test_a_random_player_loses_to_simbots_and_pokibots(count: int) -> None:
    """Papers: 1.67 small bets a hand at a nine-handed table of both; here fewer hands and trials."""
    table = ["random", *["simbot:trials=25"] * 2, *["pokibot"] * 2]
    won = [
        float(played.state.payoffs[played.seat_of("0 random")]) / 10
        for played in hands("limit-5max", table, count, seed=3)
    ]
    assert np.mean(won) < -0.5
    assert np.mean(won) + 2 * np.std(won) / np.sqrt(len(won)) < 0
