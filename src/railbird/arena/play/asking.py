"""Asking an agent: what it would do in one situation, and why."""

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from railbird.agent import Decision, MatchStart, make_agent, range_sections
from railbird.engine.games import named_game
from railbird.engine.rules import GameRules
from railbird.engine.setup import Setup
from railbird.engine.wording import Wording
from railbird.explanation import RangeGrid
from railbird.notation.acpc.match import MatchStateError, parse_match_state
from railbird.notation.game_names import find_game
from railbird.observation import Observation
from railbird.rng import Stream

if TYPE_CHECKING:
    import polars as pl

SCHEMA = "railbird.decision/1"
_FEW_SEATS = 3


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
            "agent": self.agent,
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
        import polars as pl

        strategy = self.decision.strategy or ((self.decision.action, 1.0),)
        return pl.DataFrame([{"action": str(action), "chance": chance} for action, chance in strategy])


def explain(
    agent: str, state: str, *, game: str | None = None, seed: int | str = 0, with_range: bool = False
) -> Answer:
    """Ask an agent for its decision in a situation, and for its reasons.

    >>> answer = explain("pokibot", state="MATCHSTATE:1:0::|AhAd")
    >>> print(answer)
    raise to 20: Its cards are better than 99.8 % of all starting hands, by income rate.

    Args:
        agent: An agent by name, such as `simbot:trials=500`, or a class in a file: `bot.py:Cautious`.
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
    player = make_agent(agent)
    players = tuple(agent if seat == match.position else f"seat {seat}" for seat in range(rules.players))
    observation = Observation.of(match.state(), match.position, players, match.hand_number)
    player.begin_match(MatchStart(rules, agent, players, Stream.from_seed(seed).child("agent", agent)))
    grids = range_sections(player, observation) if with_range else ()
    for event in observation.events:
        player.hear(event)
    return Answer(agent, state, observation, player.act(observation), grids)


def _game_of(line: str) -> GameRules:
    """The game inferred from a line: as many seats as it has hands, no-limit if a raise has an amount."""
    fields = line.split(":")
    if len(fields) != 5 or fields[0] != "MATCHSTATE":
        raise MatchStateError(f"{line[:60]!r} is not MATCHSTATE:position:hand:betting:cards")
    family = "nolimit" if any(letter.isdigit() for letter in fields[3]) else "limit"
    seats = fields[4].partition("/")[0].count("|") + 1
    return named_game(f"{family}-{seats}{'p' if seats <= _FEW_SEATS else 'max'}")
