"""OpenSpiel and we play the same games: both sides see, allow and pay the same, and players change sides."""

import random
import re
from typing import Any

import numpy as np
import pyspiel
import pytest
from open_spiel.python.algorithms.evaluate_bots import evaluate_bots
from open_spiel.python.bots.uniform_random import UniformRandomBot
from open_spiel.python.policy import UniformRandomPolicy

from folders import SUPPORT
from railbird.adapters.openspiel import OpenSpielAgent, RailbirdBot, open_spiel_game
from railbird.adapters.spiel_games import SpielGame, SpielGameError, rules_of
from railbird.agent import Agent, Decision, HandResult, MatchStart, UnsuitableGame, make_agent
from railbird.arena.play.guard import GuardedAgent, MatchVoid
from railbird.arena.play.hand import play_hand
from railbird.arena.play.plan import Limits
from railbird.engine.games import named_game
from railbird.engine.setup import Setup
from railbird.engine.state import State
from railbird.observation import Observation
from railbird.rng import Stream

SMALL_DECK = (
    "universal_poker(betting=nolimit,numPlayers=3,numRounds=2,blind=50 100 0,firstPlayer=3 1,numSuits=2,numRanks=5,"
    "numHoleCards=1,numBoardCards=0 2,stack=900 1200 2000,bettingAbstraction=fchpa)"
)


@pytest.mark.parametrize(
    "name", ["kuhn-2p", "kuhn-3p", "leduc-2p", "limit-2p", "nolimit-3p:stack=1500", SMALL_DECK]
)
def test_both_sides_see_allow_and_pay_the_same(name: str) -> None:
    game = pyspiel.load_game(name) if "(" in name else open_spiel_game(name)
    both, rng = SpielGame(game), random.Random(1)
    labels = tuple("abc"[: game.num_players()])
    for _ in range(25):
        state = game.new_initial_state()
        while not state.is_terminal():
            numbers = state.legal_actions()
            if not state.is_chance_node():
                observation = both.observation(state, labels)
                node = observation.node
                assert observation.actor == state.current_player()
                actions = [both.action(state, node, number) for number in numbers[:40]]
                assert all(node.legal.allows(action) for action in actions)
                assert [both.number(state, node, action) for action in actions] == numbers[:40]
                assert {action.kind for action in actions} == {action.kind for action in node.choices}
                again = both.state(observation)
                assert again.information_state_string() == state.information_state_string()
            state.apply_action(numbers[int(rng.random() ** 2 * len(numbers))])
        assert [float(won) for won in both.hand(state).payoffs] == state.returns()


class Listener(Agent):
    """Raises where it can, and keeps what it was told."""

    def __init__(self) -> None:
        self.results: list[HandResult] = []

    def act(self, observation: Observation) -> Decision:
        return Decision(observation.node.choices[-1])

    def end_hand(self, result: HandResult) -> None:
        self.results.append(result)


@pytest.mark.parametrize(
    ("name", "agents"),
    [
        ("kuhn-3p", ("random", "always-call", "random")),
        ("leduc-2p", ("always-raise", "random")),
        ("limit-2p", ("rulebot", "jagbot")),
        ("nolimit-2p", ("random", "always-raise")),
    ],
)
def test_agents_play_in_openspiels_evaluation(name: str, agents: tuple[str, ...]) -> None:
    game = open_spiel_game(name)

    def played() -> list[list[float]]:
        bots = [RailbirdBot(agent, game, player, seed=2) for player, agent in enumerate(agents)]
        rng = np.random.RandomState(1)
        return [evaluate_bots(game.new_initial_state(), bots, rng) for _ in range(8)]

    returns = played()
    assert all(sum(each) == 0 for each in returns)
    assert any(any(each) for each in returns)
    assert played() == returns


def test_an_agent_is_told_what_it_saw_of_finished_hands() -> None:
    game, listener = open_spiel_game("limit-2p"), Listener()
    bots = [RailbirdBot(listener, game, 0), RailbirdBot("always-fold", game, 1)]
    rng = np.random.RandomState(1)
    returns = [evaluate_bots(game.new_initial_state(), bots, rng) for _ in range(3)]
    assert [list(result.payoffs) for result in listener.results] == returns[:2]
    assert [result.hand_number for result in listener.results] == [0, 1]
    hidden = [event for event in listener.results[0].events if getattr(event, "cards", ()) is None]
    assert len(hidden) == 1
    state = game.new_initial_state()
    while state.is_chance_node():
        state.apply_action(state.legal_actions()[0])
    strategy, number = RailbirdBot("random", game, 1).step_with_policy(state)
    assert dict(strategy) == pytest.approx({0: 1 / 3, 1: 1 / 3, 2: 1 / 3})
    assert number in (0, 1, 2)


@pytest.mark.parametrize("name", ["kuhn-2p", "leduc-2p", "limit-2p"])
def test_policies_and_bots_of_openspiel_play_here(name: str) -> None:
    rules, game = named_game(name), open_spiel_game(name)
    rng = np.random.RandomState(1)
    players = [
        OpenSpielAgent(UniformRandomPolicy(game), game),
        OpenSpielAgent([UniformRandomBot(seat, rng) for seat in range(2)], game),
    ]
    labels = ("policy", "bots")
    for label, player in zip(labels, players, strict=True):
        player.begin_match(MatchStart(rules, label, labels, Stream.from_seed(1)))
    setup = Setup.of(rules)
    for number in range(20):
        state = State.deal(setup, Stream.from_seed(number))
        record = play_hand(state, players, labels, hand_number=number)
        assert sum(record.payoffs) == 0
    opening = Observation.of(State.deal(setup, Stream.from_seed(1)), rules.first_seats[0], labels)
    strategy = players[0].act(opening).strategy
    assert {action for action, _ in strategy} == set(opening.node.choices)
    assert all(chance == pytest.approx(1 / len(strategy)) for _, chance in strategy)


def test_a_policy_plays_only_its_own_game_and_a_game_must_exist_on_both_sides() -> None:
    game = open_spiel_game("leduc-2p")
    with pytest.raises(UnsuitableGame, match=r"^this policy plays leduc_poker\(\), not limit-2p$"):
        OpenSpielAgent(UniformRandomPolicy(game), game).verify_game(named_game("limit-2p"))
    with pytest.raises(UnsuitableGame):
        RailbirdBot(make_agent("sartre"), game, 0)
    with pytest.raises(SpielGameError, match="cannot describe pot-limit betting"):
        open_spiel_game("potlimit-2p")
    with pytest.raises(SpielGameError, match=r"^tic_tac_toe\(\) is none of kuhn_poker"):
        rules_of(pyspiel.load_game("tic_tac_toe"))


MISBEHAVING = SUPPORT / "misbehaving_agents.py"


@pytest.mark.parametrize(
    ("agent", "fault"),
    [
        ("Raises", "player 0, in hand 1: crash: KeyError: 'lost' (in misbehave, misbehaving_agents.py line "),
        ("RaisesTooLittle", "player 0, in hand 1: illegal action: it wanted to raise to "),
        ("SaysNothing", "player 0, in hand 1: not a decision: "),
    ],
)
def test_an_agent_that_fails_is_named_with_its_fault(agent: str, fault: str) -> None:
    with pytest.raises(MatchVoid, match=f"^the match is void: {re.escape(fault)}"):
        play_two_hands(agent)
    bot = play_two_hands(agent, faults="native")
    assert str(bot.faults[0]).startswith(fault)


def test_an_agent_that_hangs_is_ended_by_its_limits() -> None:
    late = "timeout: it did not decide within 2 s$"
    with pytest.raises(MatchVoid, match=f"^the match is void: player 0, in hand 1: {late}"):
        play_two_hands("Hangs", limits=Limits(decision_s=2.0))


def play_two_hands(agent: str, **options: Any) -> RailbirdBot:
    """An agent of `misbehaving_agents` in two hands; it misbehaves in the second one."""
    game = open_spiel_game("limit-2p")
    bots = [RailbirdBot(f"{MISBEHAVING}:{agent}", game, 0, **options), RailbirdBot("always-call", game, 1)]
    for _ in range(2):
        evaluate_bots(game.new_initial_state(), bots, np.random.RandomState(1))
    return bots[0]


class Answers:
    """A policy and a bot that answer with whatever they are told to."""

    def __init__(self, answer: Any) -> None:
        self.answer = answer

    def action_probabilities(self, state: pyspiel.State) -> Any:
        return self.answer

    def restart_at(self, state: pyspiel.State) -> None:
        pass

    def step(self, state: pyspiel.State) -> Any:
        return self.answer


@pytest.mark.parametrize(
    ("answer", "is_bot", "fault"),
    [
        ({7: 1.0}, False, "illegal action: it chose action 7, but may choose 0, 1, 2"),
        ({}, False, "not a decision: its policy states no action"),
        (None, False, "crash: AttributeError: "),
        (-1, True, "illegal action: it chose action -1, but may choose 0, 1, 2"),
        ("raise", True, "not a decision: it answered with 'raise', not a number of an action"),
    ],
)
def test_a_policy_or_bot_that_answers_wrongly_is_a_named_fault(answer: Any, is_bot: bool, fault: str) -> None:
    game, player = open_spiel_game("limit-2p"), Answers(answer)
    agent = OpenSpielAgent([player, player] if is_bot else player, game)
    guarded = GuardedAgent("model", agent)
    state = State.deal(Setup.of(named_game("limit-2p")), Stream.from_seed(1))
    play_hand(state, [make_agent("always-call"), guarded], ("call", "model"))
    assert str(guarded.records[0]).startswith(f"model, in hand 0: {fault}")
