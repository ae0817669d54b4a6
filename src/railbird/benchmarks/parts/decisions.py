"""Processor time of agents' decisions: medians of single decisions, compared with the required bounds.

Also the time to state a strategy for all holdings of a flop, against one opponent, on flops that are in no cache, and
the time of decisions by agents made for certain games, in all rounds of hands against themselves.

The situations are flops at a nine-handed table with four players in, five for BayCaRP, with different cards and
betting. Every decision is in a hand of its own, so that beliefs about the opponents are computed anew for each.
"""

from collections.abc import Iterator
from dataclasses import dataclass
from statistics import median
from time import process_time

import numpy as np

from railbird.agent import MatchStart, make_agent
from railbird.arena.play.match import play_seating
from railbird.arena.play.plan import MatchPlan, entrants_of
from railbird.benchmarks.measuring import Figure, bounded
from railbird.engine.actions import ActionKind
from railbird.engine.games import named_game
from railbird.engine.setup import Setup
from railbird.engine.state import State
from railbird.hands.holdings import blocked_by
from railbird.observation import Observation
from railbird.rng import Stream

GAME = "limit-9max"
PATHS = ("cccfffffc", "fffrccffc", "ffffrcfccr", "fcfcfffccccr")
"""Betting that leads to a decision on the flop with four players in: the letters of folds, calls and raises."""
LARGER = ("ccccffffc", "fcfrccffcc", "fcffrcfcccr", "fcfccffccccr")
"""The same with five."""
DECISIONS = 60
TURNS = 3


@dataclass(frozen=True, slots=True)
class Bound:
    """An agent and the maximum time of its decisions, in milliseconds."""

    agent: str
    milliseconds: float
    paths: tuple[str, ...] = PATHS

    @property
    def players(self) -> str:
        """The number of players in the hand."""
        return "four" if self.paths == PATHS else "five"


BOUNDS = (
    Bound("simbot:trials=500,obvious=never", 5.0),
    Bound("simbot:trials=500,obvious=never,policy=formula", 5.0),
    Bound("simbot", 5.0),
    Bound("pokibot", 1.0),
    Bound("casper02", 0.25),
    Bound("baycarp2", 1.0, LARGER),
)

STRATEGIES = (("casper02", 60.0), ("baycarp2", 60.0), ("equilibrium", 60.0), ("sartre", 20.0))
"""Agents, and the milliseconds that their strategy of all holdings may take."""

HANDS = (
    ("equilibrium", "limit-2p", 50.0),
    ("sartre", "limit-2p", 200.0),
    ("sartre-2011", "limit-2p", 200.0),
    ("sartre-nl", "nolimit-2p", 200.0),
    ("sartre-3p", "limit-3p", 200.0),
)
"""Agents, games, and the microseconds that a decision may take."""


def figures() -> Iterator[Figure]:
    """Decisions of agents, and hands of a whole table of Pokibots."""
    for bound in BOUNDS:
        situations = flops(TURNS * DECISIONS, bound.paths)
        yield bounded(
            f"{bound.agent}: a flop, {bound.players} of nine players in",
            [1e3 * seconds_of(bound.agent, situations[turn::TURNS]) for turn in range(TURNS)],
            bound.milliseconds,
            "ms",
        )
    for agent, bound_ms in STRATEGIES:
        yield bounded(
            f"{agent}: the strategy of all holdings of a flop",
            [1e3 * strategy_seconds_of(agent, turn) for turn in range(TURNS)],
            bound_ms,
            "ms",
        )
    for agent, game, bound_us in HANDS:
        yield bounded(
            f"{agent}: all rounds of {game}",
            [1e6 * seconds_in_hands(agent, game, turn) for turn in range(TURNS)],
            bound_us,
            "µs",
        )
    yield bounded("nine-handed table of pokibots", hands_per_second("pokibot"), 150.0, "hands/s")


def strategy_seconds_of(agent_name: str, turn: int, count: int = 30) -> float:
    """The median duration of stating the strategy of all holdings of a flop; the first one only warms up.

    Every turn has flops of its own, none of which is in a cache.
    """
    setup = Setup.of(named_game("limit-2p"))
    players = ("player 0", "player 1")
    stream = Stream.from_seed("bench strategies").child("turn", turn)
    agent = make_agent(agent_name)
    agent.begin_match(MatchStart(setup.rules, players[0], players, stream.child("agent")))
    durations = []
    for number in range(count + 1):
        state = State.deal(setup, stream.child(number))
        state.call()
        state.call()
        assert state.actor is not None
        observation = Observation.of(state, state.actor, players, number)
        holdings = np.flatnonzero(~blocked_by(observation.board))
        start = process_time()
        agent.strategies(observation, holdings)
        durations.append(process_time() - start)
    return median(durations[1:])


def seconds_in_hands(agent_name: str, game: str, turn: int, hands: int = 500) -> float:
    """The median duration of a decision in hands of an agent against itself; the first hands only warm up."""
    setup = Setup.of(named_game(game))
    players = tuple(f"player {seat}" for seat in range(setup.rules.players))
    stream = Stream.from_seed("bench decisions").child("turn", turn)
    agent = make_agent(agent_name)
    agent.begin_match(MatchStart(setup.rules, players[0], players, stream.child("agent")))
    durations = []
    for number in range(hands):
        state = State.deal(setup, stream.child(number))
        while state.actor is not None:
            observation = Observation.of(state, state.actor, players, number)
            start = process_time()
            decision = agent.act(observation)
            if number >= hands // 5:
                durations.append(process_time() - start)
            state.act(decision.action)
    return median(durations)


def flops(count: int, paths: tuple[str, ...] = PATHS) -> list[Observation]:
    """`count` decisions on the flop, each in a hand of its own."""
    setup = Setup.of(named_game(GAME))
    stream = Stream.from_seed("bench decisions")
    players = tuple(f"player {seat}" for seat in range(setup.rules.players))
    found = []
    for number in range(count):
        state = State.deal(setup, stream.child(number))
        for letter in paths[number % len(paths)]:
            kind = {"f": ActionKind.FOLD, "c": ActionKind.CALL, "r": ActionKind.RAISE}[letter]
            state.act(next(action for action in state.choices if action.kind is kind))
        assert state.round == 1
        assert len(state.live_seats) == (4 if paths == PATHS else 5)
        assert state.actor is not None
        found.append(Observation.of(state, state.actor, players, number))
    return found


def seconds_of(agent_name: str, situations: list[Observation]) -> float:
    """The median duration of a decision; the first ones only warm up."""
    agent = make_agent(agent_name)
    players = situations[0].players
    stream = Stream.from_seed("bench decisions").child("agent")
    agent.begin_match(MatchStart(situations[0].rules, players[0], players, stream))
    for observation in situations[:4]:
        agent.act(observation)
    durations = []
    for observation in situations:
        start = process_time()
        agent.act(observation)
        durations.append(process_time() - start)
    return median(durations)


def hands_per_second(agent: str, hands: int = 150) -> list[float]:
    """The rates of whole matches, everything included, after a warm-up."""
    plan = MatchPlan(GAME, entrants_of([agent] * 9), hands, "bench decisions")
    rates = []
    for turn in range(TURNS + 1):
        start = process_time()
        play_seating(plan, 0)
        if turn:
            rates.append(hands / (process_time() - start))
    return rates
