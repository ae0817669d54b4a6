"""Asking an agent: what it would do in one situation, and why."""

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from railbird.agent import (
    Agent,
    AgentLike,
    Decision,
    MatchStart,
    NoStrategy,
    UnsuitableGame,
    make_agent,
    named,
    range_sections,
)
from railbird.agent.faults import AgentFault, as_decision, called
from railbird.engine.games import named_game
from railbird.engine.rules import GameRules
from railbird.engine.setup import Setup
from railbird.engine.wording import Wording
from railbird.explanation import RangeGrid
from railbird.frames import data_frame
from railbird.notation.acpc.match import MatchStateError, parse_match_state
from railbird.notation.game_names import find_game
from railbird.observation import Observation
from railbird.places import without_passwords
from railbird.rng import Stream

if TYPE_CHECKING:
    import polars as pl

SCHEMA = "railbird.decision/1"
_FEW_SEATS = 3
_MOST_SEATS = 10


class AskingError(ValueError):
    """An agent that failed when it was asked."""


@dataclass(frozen=True, slots=True)
class Answer:
    """The situation an agent was asked about, and its answer."""

    agent: str
    state: str
    observation: Observation
    decision: Decision
    range: tuple[RangeGrid, ...] = ()
    """A grid for each action, if the whole range was requested."""

    def __str__(self) -> str:
        action = Wording.at(self.observation.node).name(self.decision.action)
        return f"{action}: {self.decision.explanation.summary}"

    def to_json(self) -> dict[str, Any]:
        """The answer and its reasons as plain data."""
        data: dict[str, Any] = {
            "schema": SCHEMA,
            "agent": without_passwords(self.agent),
            "game": self.observation.rules.name,
            "state": self.state,
            "action": str(self.decision.action),
            "strategy": [
                {"action": str(action), "chance": chance} for action, chance in self.decision.strategy
            ],
            "explanation": self.decision.explanation.to_json(),
        }
        if self.range:
            data["range"] = [grid.to_json() for grid in self.range]
        return data

    def to_frame(self) -> "pl.DataFrame":
        """A row for each action that the agent considered, with its chance."""
        strategy = self.decision.strategy or ((self.decision.action, 1.0),)
        return data_frame([{"action": str(action), "chance": chance} for action, chance in strategy])


def explain(
    agent: AgentLike, state: str, *, game: str | None = None, seed: int | str = 0, with_range: bool = False
) -> Answer:
    """Ask an agent for its decision in a situation, and for its reasons.

    >>> answer = explain("pokibot", state="MATCHSTATE:1:0::|AhAd")
    >>> print(answer)
    raise to 20: Its cards are better than 99.8 % of all starting hands, by income rate.

    Args:
        agent: An agent by name, such as `simbot:trials=500`, a class in a file (`bot.py:Cautious`), or an object or a
            class of `railbird.Agent`.
        state: What the agent sees, as an ACPC line: `MATCHSTATE:position:hand:betting:cards`.
        game: A game by name, or an ACPC `.game` file; by default the limit or no-limit game with as many seats as the
            line has hands.
        seed: Seed of the agent's randomness; the same seed gives the same answer.
        with_range: Also report what the agent does with every starting hand; an error for agents without a strategy.

    """
    state = state.strip()
    rules = _game_of(state) if game is None else find_game(game)
    match = parse_match_state(state, Setup.of(rules))
    if not match.is_my_turn:
        found = "the hand is over" if match.node.actor is None else f"position {match.node.actor} is to act"
        raise MatchStateError(f"position {match.position} has nothing to decide in {state!r}: {found}")
    name = named(agent)
    player = make_agent(name)
    players = tuple(name if seat == match.position else f"seat {seat}" for seat in range(rules.players))
    observation = Observation.of(match.state(), match.position, players, match.hand_number)
    start = MatchStart(rules, name, players, Stream.from_seed(seed).child("agent", name))
    in_file = ".py:" in name
    try:
        decision, grids = called(_ask, player, start, observation, with_range)
    except AgentFault as fault:
        cause = fault.__cause__
        if isinstance(cause, UnsuitableGame | NoStrategy) or (isinstance(cause, ValueError) and not in_file):
            raise cause from None
        raise AskingError(f"{name} failed: {fault.detail}") from cause
    return Answer(name, state, observation, decision, grids)


def _ask(
    player: Agent, start: MatchStart, observation: Observation, with_range: bool
) -> tuple[Decision, tuple[RangeGrid, ...]]:
    player.begin_match(start)
    grids = range_sections(player, observation) if with_range else ()
    for event in observation.events:
        player.hear(event)
    return as_decision(player.act(observation)), grids


def _game_of(line: str) -> GameRules:
    """The game inferred from a line: as many seats as it has hands, no-limit if a raise has an amount."""
    fields = line.split(":")
    if len(fields) != 5 or fields[0] != "MATCHSTATE":
        raise MatchStateError(f"{line[:60]!r} is not MATCHSTATE:position:hand:betting:cards")
    family = "nolimit" if any(letter.isdigit() for letter in fields[3]) else "limit"
    seats = fields[4].partition("/")[0].count("|") + 1
    if not 2 <= seats <= _MOST_SEATS:
        raise MatchStateError(
            f"{line[:60]!r} has {seats} seat{'' if seats == 1 else 's'}: write the cards of 2 to {_MOST_SEATS} seats, "
            "separated by |, such as |AhAd"
        )
    return named_game(f"{family}-{seats}{'p' if seats <= _FEW_SEATS else 'max'}")
