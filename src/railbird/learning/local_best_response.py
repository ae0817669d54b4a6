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

from collections.abc import Iterable
from dataclasses import dataclass
from math import sqrt
from typing import Any

import numpy as np
from numpy.typing import NDArray

from railbird.agent import Agent, MatchStart, Strategies, drawn, make_agent
from railbird.arena.results.rates import Estimate, Rate
from railbird.cards import Card
from railbird.engine.actions import FOLD, Action
from railbird.engine.betting_tree import BettingNode
from railbird.engine.rules import Betting, GameRules
from railbird.engine.setup import Setup
from railbird.engine.state import State
from railbird.equities.table_files import Progress
from railbird.hands.holdings import HOLDINGS, holding
from railbird.notation.game_names import find_game
from railbird.observation import Observation
from railbird.rng import Stream
from railbird.strategies.actions import LIMIT, ActionAbstraction
from railbird.strategies.local_response import (
    FoldOrStay,
    OpponentRange,
    at_stake,
    response_values,
    showdown_value,
)

NO_LIMIT = ActionAbstraction("fcpa")
"""What the responder considers where raises can be of any size, unless told otherwise."""
LEAST_HANDS = 4
_LABELS = ("responder", "agent")


class ResponseError(ValueError):
    """A local best response that cannot be measured as requested."""


@dataclass(frozen=True, slots=True)
class LocalExploitability:
    """What a local best response wins against an agent, as the mean of both seats."""

    agent: str
    game: str
    actions: str
    """The letters of the responder's actions."""
    rate: Rate
    """In thousandths of a big blind per hand."""

    def to_json(self) -> dict[str, Any]:
        """The figures as plain data."""
        rate = self.rate
        return {
            "agent": self.agent,
            "game": self.game,
            "method": "lbr",
            "rate": {"unit": rate.unit, "mean": rate.mean, "low": rate.low, "high": rate.high},
            "hands": rate.hands,
        }


def local_best_response(
    agent: str,
    *,
    game: str = "limit-2p",
    hands: int = 1000,
    seed: int | str = 0,
    actions: str | None = None,
    progress: Progress | None = None,
) -> LocalExploitability:
    """Play a local best response against an agent, by its name and parameters; an odd number of hands is rounded up.

    `actions` are the letters of the responder's actions (`strategies.actions`): by default the one raise of a limit
    game, otherwise `fcpa`. `progress` is told the numbers of hands played and to play.
    """
    if hands < LEAST_HANDS:
        raise ResponseError(f"an estimate with an interval needs at least {LEAST_HANDS} hands, not {hands}")
    responder = LocalResponder(make_agent(agent), find_game(game), seed, actions)
    won = []
    deals = (hands + 1) // 2
    for number in range(deals):
        won.append(responder.play(number))
        if progress is not None:
            progress(2 * len(won), 2 * deals)
    return LocalExploitability(agent, responder.rules.name, str(responder.actions), responder.rate(won))


class LocalResponder:
    """The local best response to an agent. A seed and the number of a deal determine its cards and what is drawn."""

    def __init__(
        self, agent: Agent, rules: GameRules, seed: int | str = 0, actions: str | None = None
    ) -> None:
        if rules.players != 2 or not rules.is_holdem:
            raise ResponseError(
                f"local best responses are available for heads-up hold'em, not for {rules.name}"
            )
        if not rules.big_blind:
            raise ResponseError(f"results are given in big blinds, and {rules.name} has none")
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
        error = float(rates.std(ddof=1)) / sqrt(units)
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
