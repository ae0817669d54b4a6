"""What a local best response wins against an agent: a lower bound of how exploitable the agent is.

`LocalResponder` plays heads-up hold'em, limit or no-limit, against any agent that states its strategy for all holdings
(`Agent.strategies`), by the rule of `strategies.local_response`. Every deal is played twice, once from each seat, and
is independent of all others. The agent acts by its stated strategy for the cards it was dealt.

The agent is asked as in the first hand of a match: for every question a match begins anew, and the agent hears the
events of the hand so far. What it would learn about its opponent in a longer match does not count, nor do its earlier
random choices in the hand.

Three parts of the luck are removed. The estimate remains unbiased, because the mean of each is 0, given what the
responder knows:

- at a showdown, the result against the whole range of the agent counts, not against the cards it was dealt; after an
  all-in, over all cards to come
- when cards are dealt, by how much they change the responder's share of the pot
- when the agent may fold, by how much its choice is better for the responder than the average over its range
"""

import json
from collections.abc import Callable, Iterable
from dataclasses import asdict, dataclass
from functools import partial
from hashlib import sha256
from math import inf, sqrt
from pathlib import Path
from typing import TypeAlias

import numpy as np
from numpy.typing import NDArray

from railbird import __version__
from railbird.agent import Agent, MatchStart, Strategies, drawn
from railbird.arena.play.match import Partial
from railbird.arena.results.rates import Estimate, Rate
from railbird.cards import Card
from railbird.engine.actions import FOLD, Action
from railbird.engine.betting_tree import BettingNode
from railbird.engine.rules import Betting, GameRules
from railbird.engine.setup import Setup
from railbird.engine.state import State
from railbird.hands.holdings import HOLDINGS, holding
from railbird.learning.kept_jobs import run_kept
from railbird.learning.measured import player_digest, player_named
from railbird.notation.game_names import find_game
from railbird.observation import Observation
from railbird.places import without_passwords
from railbird.rng import Stream
from railbird.strategies.actions import LIMIT, ActionAbstraction
from railbird.strategies.files import StrategyFileError, read_numbers, write_numbers
from railbird.strategies.local_response import (
    FoldOrStay,
    OpponentRange,
    at_stake,
    response_values,
    showdown_value,
)

NO_LIMIT = ActionAbstraction("fcpa")
"""What the responder considers where raises can be of any size, unless told otherwise."""
HANDS, LEAST_HANDS = 1000, 4
LOT = 25
"""Number of deals that a worker plays at a time, and that are kept in one file."""
DealListener: TypeAlias = Callable[[int, int, Callable[[], Rate]], object]
"""Receives the numbers of finished and of all hands, and can ask for the estimate so far."""
_KIND = "lot"
_LABELS = ("responder", "agent")


class ResponseError(ValueError):
    """A local best response that cannot be measured as requested."""


@dataclass(frozen=True, slots=True)
class LocalExploitability:
    """What a local best response wins against an agent, as the mean of both seats."""

    actions: str
    """The letters of the responder's actions."""
    rate: Rate
    """In thousandths of a big blind per hand."""


def local_best_response(
    agent: str,
    *,
    game: str = "limit-2p",
    hands: int = HANDS,
    seed: int | str = 0,
    actions: str | None = None,
    workers: str = "1",
    folder: Path | None = None,
    listener: DealListener | None = None,
) -> LocalExploitability:
    """Play a local best response against an agent.

    The result does not depend on the workers or on how often a measurement with a folder was stopped.

    Args:
        agent: An agent by its name and parameters, or a strategy file.
        game: A heads-up hold'em game.
        hands: Number of hands; an odd number is rounded up, because every deal is played from both seats.
        seed: Seed of the deals.
        actions: The letters of the responder's actions (`strategies.actions`): by default the one raise of a limit
            game, otherwise `fcpa`.
        workers: Where the deals are played: a number of processes, `ray`, or `ray://host:port`.
        folder: Finished lots of deals are kept in a folder of their own below this one, and are not played again.
        listener: Receives the progress.

    """
    if hands < LEAST_HANDS:
        raise ResponseError(f"an estimate with an interval needs at least {LEAST_HANDS} hands, not {hands}")
    task = ResponseTask(agent, player_digest(agent), game, str(seed), actions)
    responder = _responder_of(task)
    deals = (hands + 1) // 2
    jobs = [LotJob(task, first, min(first + LOT, deals)) for first in range(0, deals, LOT)]

    def tell(known: list[NDArray[np.float64]]) -> None:
        if listener is not None:
            won = np.concatenate(known)
            listener(2 * len(won), 2 * deals, partial(responder.rate, won))

    lots = run_kept(jobs, workers=workers, folder=folder, listener=tell)
    return LocalExploitability(str(responder.actions), responder.rate(np.concatenate(lots)))


@dataclass(frozen=True, slots=True)
class ResponseTask:
    """Everything that determines what is won in the deals of a local best response."""

    agent: str
    files: str
    """The digest of the agent's files."""
    game: str
    seed: str
    actions: str | None
    version: str = __version__

    def header(self) -> dict[str, str]:
        """What identifies the task in a file; the game by its rules, because a `.game` file may change."""
        responder = _responder_of(self)
        known = {**asdict(self), "actions": str(responder.actions), "rules": repr(responder.rules)}
        measurement = sha256(json.dumps(known, sort_keys=True).encode()).hexdigest()
        return {
            "agent": without_passwords(self.agent),
            "game": responder.rules.name,
            "measurement": measurement,
        }


@dataclass(frozen=True, slots=True)
class LotJob:
    """Some deals of a local best response, as work for workers."""

    task: ResponseTask
    first: int
    end: int

    def __str__(self) -> str:
        agent = without_passwords(self.task.agent)
        return f"deals {self.first:,} to {self.end - 1:,} of the local best response to {agent}"

    def play(self, tell: Callable[[Partial], None] | None = None) -> NDArray[np.float64]:  # noqa: ARG002
        """Play the deals in this process."""
        responder = _responder_of(self.task)
        return np.array([responder.play(number) for number in range(self.first, self.end)])

    def kept(self, folder: Path) -> NDArray[np.float64] | None:
        """What an earlier run won in the deals."""
        header, path = self.task.header(), self._file(folder)
        if not path.exists():
            return None
        found, numbers = read_numbers(path, _KIND, header)
        if found["measurement"] != header["measurement"] or len(numbers) != 8 * (self.end - self.first):
            raise StrategyFileError(f"{path} belongs to another measurement")
        return numbers.view(np.float64)

    def keep(self, folder: Path, outcome: NDArray[np.float64]) -> None:
        """Write what was won in the deals."""
        write_numbers(self._file(folder), _KIND, self.task.header(), [outcome])

    def _file(self, folder: Path) -> Path:
        return folder / self.task.header()["measurement"] / f"{self.first}-{self.end}.lot"


def _responder_of(task: ResponseTask) -> "LocalResponder":
    """The responder of a task; the latest one is kept, because a worker plays many lots of the same task."""
    if task not in _latest:
        _latest.clear()
        _latest[task] = LocalResponder(
            player_named(task.agent), find_game(task.game), task.seed, task.actions
        )
    return _latest[task]


_latest: dict[ResponseTask, "LocalResponder"] = {}


def require_heads_up(rules: GameRules) -> None:
    """Refuse a game in which there are no local best responses."""
    if rules.players != 2 or not rules.is_holdem:
        raise ResponseError(f"local best responses are available for heads-up hold'em, not for {rules.name}")
    if not rules.big_blind:
        raise ResponseError(f"results are given in big blinds, and {rules.name} has none")


class LocalResponder:
    """The local best response to an agent. A seed and the number of a deal determine its cards and what is drawn."""

    def __init__(
        self, agent: Agent, rules: GameRules, seed: int | str = 0, actions: str | None = None
    ) -> None:
        require_heads_up(rules)
        self.agent = agent
        self.rules = rules
        usual = LIMIT if rules.betting is Betting.LIMIT else NO_LIMIT
        self.actions = usual if actions is None else ActionAbstraction(actions)
        self._setup = Setup.of(rules)
        self._deals = Stream.from_seed(seed).child("local best response")
        agent.verify_game(rules)

    def play(self, number: int) -> float:
        """What the responder wins in a deal on average over both seats, in chips, adjusted for luck."""
        return sum(self.hand(number, seat).play() for seat in (0, 1)) / 2

    def hand(self, number: int, seat: int) -> "ResponseHand":
        """The hand of a deal in which the responder has this seat, before its first action."""
        stream = self._deals.child(number)
        state = State.deal(self._setup, stream.child("deck"))
        return ResponseHand(self.agent, self.actions, state, seat, stream.child(seat))

    def rate(self, won: Iterable[float]) -> Rate:
        """The rate from what was won in deals, with its 95 % interval; the deals are the independent units."""
        rates = np.fromiter(won, dtype=np.float64) * (1000 / self.rules.big_blind)
        units = len(rates)
        error = float(rates.std(ddof=1)) / sqrt(units) if units > 1 else inf
        estimate = Estimate(float(rates.mean()), error, units, units - 1, 2 * units)
        return Rate("mbb/h", estimate.mean, *estimate.interval, estimate.hands)


class ResponseHand:
    """One hand of the responder in one seat, against the agent in the other."""

    def __init__(
        self, agent: Agent, actions: ActionAbstraction, state: State, seat: int, stream: Stream
    ) -> None:
        self.agent = agent
        self.actions = actions
        self.state = state
        self.seat = seat
        self.known = OpponentRange.unknown(_hole_cards(state, seat))
        self._tree = state.setup.tree
        self._players = _LABELS if seat == 0 else _LABELS[::-1]
        self._start = MatchStart(state.rules, _LABELS[1], self._players, stream.child("agent"))
        self._draws = stream.child("draws").generator()
        self._agent_hole = _hole_cards(state, 1 - seat)
        self._answers: dict[tuple[Action, ...], Strategies] = {}
        """What the agent stated in this hand, by the actions before."""
        self._asked: dict[tuple[Action, ...], FoldOrStay] = {}

    def play(self) -> float:
        """What the responder wins, in chips, adjusted for luck."""
        state = self.state
        luck = 0.0
        while state.actor is not None:
            if state.actor == self.seat:
                values = response_values(self._tree, state.node, self.known, self.actions, self._prospects)
                state.act(max(values, key=values.__getitem__))
            else:
                luck += self._answer()
            if not state.is_over and len(state.board) > len(self.known.board):
                before = self.known.equity
                self.known = self.known.on(state.board)
                luck += 2 * at_stake(state.node) * (self.known.equity - before)
        if state.is_showdown:
            return showdown_value(state.node, self.known.equity) - luck
        return float(state.payoffs[self.seat]) - luck

    def _answer(self) -> float:
        """Let the agent act, and update its range; the responder's luck in this."""
        node = self.state.node
        stated = self._stated(node)
        row = stated.row(int(np.searchsorted(stated.holdings, holding(self._agent_hole))))
        action = drawn([each for each in row if each[1] > 0.0], float(self._draws.random()))
        luck = 0.0
        if FOLD in stated.actions:
            luck = self._prospects(node).luck(action == FOLD)
        self.known = self.known.after(_chances(stated, action))
        self.state.act(action)
        return luck

    def _prospects(self, node: BettingNode) -> FoldOrStay:
        """The responder's prospects where the agent is to act and may fold."""
        actions = node.actions
        if actions not in self._asked:
            fold = _chances(self._stated(node), FOLD)
            self._asked[actions] = FoldOrStay.of(self._tree, node, self.seat, self.known, fold)
        return self._asked[actions]

    def _stated(self, node: BettingNode) -> Strategies:
        """What the agent does in a situation with each holding that the responder thinks possible."""
        actions = node.actions
        if actions not in self._answers:
            seat = 1 - self.seat
            observation = Observation(
                self.state.setup, seat, self._players, self._agent_hole, self.known.board, node
            )
            self.agent.begin_match(self._start)
            for event in observation.events:
                self.agent.hear(event)
            self._answers[actions] = self.agent.strategies(observation, np.flatnonzero(self.known.weights))
        return self._answers[actions]


def _chances(stated: Strategies, action: Action) -> NDArray[np.float64]:
    """The probability of an action for each of the 1,326 holdings, 0 for those that were not asked for."""
    chances = np.zeros(HOLDINGS)
    if action in stated.actions:
        chances[stated.holdings] = stated.probabilities[:, stated.actions.index(action)]
    return chances


def _hole_cards(state: State, seat: int) -> tuple[Card, ...]:
    cards = state.hole_cards(seat)
    assert cards is not None, "a dealt hand has no unknown cards"
    return cards
