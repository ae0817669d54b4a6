"""Pokibot and the other rule players of Loki's family: their rules, their profiles, any limit game, reasons."""

import json
from dataclasses import replace
from random import Random

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from railbird.agent import Decision, HandResult, MatchStart, UnsuitableGame, make_agent
from railbird.agents.casey.rulebot import RuleBot, Worth, worth
from railbird.agents.holdem import legal_action
from railbird.agents.loki.pokibot import Assessment, Pokibot
from railbird.agents.loki.profiles import POKIBOT_PROFILES
from railbird.arena.play.hand import play_hand
from railbird.cards import parse_cards
from railbird.engine.actions import CALL, FOLD, ActionKind, raise_to
from railbird.engine.games import named_game
from railbird.engine.rules import Betting, GameRules
from railbird.engine.setup import Setup
from railbird.engine.state import State
from railbird.equities.strength import hand_potential, hand_strength
from railbird.explanation import Belief
from railbird.hands.sartre_categories import expert_category
from railbird.kernels.play.situations import SITUATION_LENGTH
from railbird.observation import Observation
from railbird.opponents.weights.beliefs import WeightBeliefs
from railbird.opponents.weights.book import Book
from railbird.opponents.weights.chances import situation_at
from railbird.rng import Stream
from railbird.spec import SpecError
from strategies import random_cards, random_rules, randoms

FAMILY = ("probtriple", "pokibot", "rulebot", "jagbot", *(f"pokibot:profile={name}" for name in POKIBOT_PROFILES),
          "pokibot:models=no", "pokibot:preflop=hard", "jagbot:profile=maniac")  # fmt: skip


def start(rules: GameRules, seed: int = 1) -> MatchStart:
    players = tuple(f"player {seat}" for seat in range(rules.players))
    return MatchStart(rules, players[0], players, Stream.from_seed(seed))


def observe(letters: str, cards: str, game: str = "limit-3p") -> Observation:
    """What the seat to act sees: cards are everyone's hole cards and the board, actions letters."""
    rules = named_game(game)
    state = State(Setup.of(rules), parse_cards(cards))
    for letter in letters:
        state.act({"f": FOLD, "c": CALL, "r": raise_to(state.legal_actions.raise_minimum)}[letter])
    seat = state.actor
    assert seat is not None
    return Observation.of(state, seat, tuple(f"player {place}" for place in range(rules.players)))


def decide(agent: str, observation: Observation, seed: int = 1) -> Decision:
    player = make_agent(agent)
    player.begin_match(start(observation.rules, seed))
    return player.act(observation)


def fact(decision: Decision, name: str) -> object:
    return {each.name: each.value for each in decision.explanation.facts}[name]


@settings(max_examples=40)
@given(randoms, st.sampled_from(FAMILY))
def test_any_limit_game_is_played_legally(random: Random, name: str) -> None:
    rules = replace(random_rules(random), betting=Betting.LIMIT)
    labels = tuple(f"player {seat}" for seat in range(rules.players))
    agents = [make_agent(name if seat % 2 else "pokibot") for seat in range(rules.players)]
    for agent in agents:
        agent.begin_match(start(rules, random.randint(0, 99)))
    for number in range(2):
        record = play_hand(
            State(Setup.of(rules), random_cards(random, rules)), agents, labels, hand_number=number
        )
        assert sum(record.payoffs) == 0


@pytest.mark.parametrize("name", FAMILY)
@pytest.mark.parametrize(("game", "why"), [("nolimit-2p", "is no-limit"), ("potlimit-6max", "is pot-limit"),
                                           ("leduc-2p", "with a full deck")])  # fmt: skip
def test_other_games_are_refused_with_a_sentence(name: str, game: str, why: str) -> None:
    with pytest.raises(UnsuitableGame, match=f"plays limit hold'em.*{why}"):
        make_agent(name).begin_match(start(named_game(game)))


def test_a_profile_that_does_not_exist_is_refused_with_the_choices() -> None:
    with pytest.raises(SpecError, match="profile"):
        make_agent("pokibot:profile=reckless")


# Seats of limit-3p: small blind, big blind, button; heads-up on the flop below are the big blind and the button.
FLOP = "2c 7d Kh Kd As Ad Kc 8s 3h 4d 9c"
"""The big blind holds kings and flops a set; the button holds aces."""


def test_pokibot_measures_its_hand_against_each_opponents_weights() -> None:
    observation = observe("rfcc", FLOP)
    decision = decide("pokibot", observation)
    beliefs = WeightBeliefs(Book())
    weights = beliefs.of(observation, 1)
    hs = hand_strength(observation.hole_cards, observation.board, weights)
    ppot = hand_potential(observation.hole_cards, observation.board, weights, look_ahead=1).ppot
    assert observation.seat == 2
    assert fact(decision, "hand strength") == pytest.approx(hs)
    assert fact(decision, "positive potential") == pytest.approx(ppot)
    assert fact(decision, "effective hand strength") == pytest.approx(hs + (1 - hs) * ppot)


def test_several_opponents_multiply() -> None:
    observation = observe("rcccc", FLOP)
    decision = decide("pokibot", observation)
    beliefs = WeightBeliefs(Book())
    each = [
        hand_strength(observation.hole_cards, observation.board, beliefs.of(observation, seat))
        for seat in (0, 1)
    ]
    assert fact(decision, "hand strength") == pytest.approx(each[0] * each[1])


def test_the_reasons_show_what_every_opponent_may_hold() -> None:
    decision = decide("pokibot", observe("rcccc", FLOP))
    beliefs = [section for section in decision.explanation.sections if isinstance(section, Belief)]
    assert [belief.label for belief in beliefs] == ["player 0", "player 1"]
    json.dumps(decision.explanation.to_json())
    assert decision.explanation.summary.lower().startswith(f"{fact(decision, 'rule')} (effective")


def test_strong_hands_bet_and_raise() -> None:
    kinds = [decide("pokibot", observe("rfc", FLOP), seed).action.kind for seed in range(30)]
    assert kinds.count(ActionKind.RAISE) > 20, "a set bets"
    assert ActionKind.CALL in kinds, "and is now and then checked, to raise later"
    kinds = [decide("pokibot", observe("rfcr", FLOP), seed).action.kind for seed in range(30)]
    assert kinds.count(ActionKind.RAISE) + kinds.count(ActionKind.CALL) == 30, "aces do not fold"


def test_nothing_folds_to_a_bet_without_odds() -> None:
    weak = "2c 7d Kh Kd 5s 6d Kc Qs Jh 4d 9c"
    decision = decide("pokibot", observe("cfcr", weak))
    assert decision.action == FOLD
    assert "fold" in str(fact(decision, "rule"))


def test_a_flush_draw_calls_for_the_pot_odds() -> None:
    draw = "2c 7d Kh Kd As 5s Kc Qs 3s 4d 9c"
    rules = {str(fact(decide("pokibot", observe("rfcr", draw), seed), "rule")) for seed in range(30)}
    assert any("draw" in rule or "call" in rule for rule in rules)
    assert not any("fold" in rule for rule in rules)


def test_equation_6_5_a_semi_bluff_must_be_able_to_call_a_raise() -> None:
    situation = situation_at(
        Setup.of(named_game("limit-3p")), Setup.of(named_game("limit-3p")).tree.root
    ).copy()
    assert len(situation) == SITUATION_LENGTH
    hand = Assessment(situation, 0.1, 0.2, 0.1, 4.0)
    assert hand.odds_of_bet_and_raise == pytest.approx(2 / (1.5 + 4 + 2))


def test_showdown_odds_count_one_bet_in_every_round_to_come() -> None:
    observation = observe("rfcr", FLOP)
    decision = decide("pokibot", observation)
    # Pot 55 with the bet of 10; to call 10 now, then 20 and 20, and the opponent pays the last two as well.
    assert observation.pot == 55
    assert fact(decision, "showdown odds") == pytest.approx((10 + 40) / (55 + 10 + 40 + 40))
    assert fact(decision, "pot odds") == pytest.approx(10 / 65)


def test_before_the_flop_a_loose_profile_plays_more_hands() -> None:
    middling = observe("", "2c 7d Kh Kd Qs 8d Kc 8s 3h 4d 9c")

    def staying(agent: str) -> float:
        strategy = dict(decide(agent, middling).strategy)
        return 1 - strategy[FOLD]

    tight, balanced, loose = (
        staying(f"pokibot:profile={name}") for name in ("tight-passive", "balanced", "loose-passive")
    )
    assert tight < balanced < loose


def test_pokibot_learns_within_a_match_and_forgets_at_the_next() -> None:
    agent = Pokibot()
    rules = named_game("limit-3p")
    agent.begin_match(start(rules))
    labels = start(rules).players
    for number in range(20):
        state = State.deal(Setup.of(rules), Stream.from_seed(number))
        players = [agent, make_agent("always-raise"), make_agent("always-call")]
        play_hand(state, players, labels, hand_number=number)
    assert agent.book_.hands == 20
    assert agent.book_.style("player 1").aggression[4] > 1.0
    assert agent.book_.style("player 2").aggression[4] < -0.5
    lived = tuple(agent.lived())
    agent.begin_match(start(rules))
    assert agent.book_.hands == 0
    agent.begin_match(replace(start(rules), experience=(*lived, *lived)))
    assert agent.book_.hands == 40
    assert json.loads(agent.lived()[0])["hands"] == 0, "only what this match brought is lived through anew"


def test_without_models_nothing_is_learned() -> None:
    agent = Pokibot(models=False)
    rules = named_game("limit-3p")
    agent.begin_match(start(rules))
    play_hand(
        State.deal(Setup.of(rules), Stream.from_seed(1)),
        [agent, *map(make_agent, ("random", "random"))],
        start(rules).players,
    )
    assert agent.book_.hands == 0
    assert not agent.lived()


def test_an_agent_may_be_asked_without_a_match() -> None:
    observation = observe("rfc", FLOP)
    agent = Pokibot()
    assert observation.legal_actions.allows(agent.act(observation).action)
    Pokibot().end_hand(HandResult(0, ("a", "b", "c"), (), (0, 0, 0)))


def test_the_nearest_possible_action() -> None:
    capped = observe("rrr", FLOP)
    assert not capped.legal_actions.can_raise
    assert legal_action(capped, ActionKind.RAISE) == CALL
    free = observe("rcc", FLOP)
    assert legal_action(free, ActionKind.FOLD) == CALL
    assert legal_action(free, ActionKind.RAISE) == raise_to(10)


@pytest.mark.parametrize(
    ("hole", "board", "expected"),
    [
        ("Ah Kd", "As 8c 3d", Worth.GOOD),
        ("Qh Qd", "Js 8c 3d", Worth.GOOD),
        ("8h 7d", "As 8c 3d", Worth.FAIR),
        ("8h 8d", "As 8c 3d", Worth.STRONG),
        ("Ah 8d", "As 8c 3d", Worth.STRONG),
        ("Ah 5h", "9h 8h 3d", Worth.DRAW),
        ("Th 9d", "8s 7c 2d", Worth.DRAW),
        ("Jh 9d", "8s 7c 2d", Worth.GUTSHOT),
        ("Kh 4d", "8s 7c 2d", Worth.NOTHING),
        ("Kh 4d", "8s 8c 2d", Worth.NOTHING),
    ],
)
def test_rulebot_knows_a_hand_by_its_name(hole: str, board: str, expected: Worth) -> None:
    assert worth(expert_category(parse_cards(hole), parse_cards(board))) is expected


def test_rulebot_goes_by_its_page() -> None:
    rulebot = RuleBot()
    aces = "2c 7d Kh Kd As Ad Kc 8s 3h 4d 9c"
    assert rulebot.act(observe("", aces)).action.kind is ActionKind.RAISE
    trash = "2c 7d Kh Kd 7s 2d Kc 8s 3h 4d 9c"
    nine = observe("", "2c 7d Kh Kd 7s 2d Ts 9s 8s 4h 4c 5c 3s 3c Qc Qd Jc Jd Kc 8d 3h 4d 9c", "limit-9max")
    assert rulebot.act(nine).action == FOLD
    assert rulebot.act(observe("rfcr", trash)).action == FOLD
    assert rulebot.act(observe("rfc", aces)).action.kind is ActionKind.RAISE, "a set"
    decision = rulebot.act(observe("rfcr", aces))
    assert decision.action.kind is ActionKind.RAISE, "an overpair is a good hand, which raises the first bet"
    assert "good hand" in decision.explanation.summary


def test_jagbot_and_probtriple_play_their_triples() -> None:
    observation = observe("rfc", FLOP)
    for name in ("jagbot", "probtriple"):
        decision = decide(name, observation)
        assert sum(chance for _, chance in decision.strategy) == pytest.approx(1)
        (bars,) = decision.explanation.sections
        assert bars.title == "probability of each action"
    kinds = {decide("probtriple", observation, seed).action.kind for seed in range(60)}
    assert kinds == {ActionKind.CALL, ActionKind.RAISE}
