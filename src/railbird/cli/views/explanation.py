"""A situation given as a MATCHSTATE line, what an agent answers to it, and the answer as text and as JSON."""

import json
from dataclasses import dataclass
from typing import Any

from rich.console import Console
from rich.text import Text

from railbird.agent import Agent, Decision, MatchStart, make_agent, range_sections
from railbird.cards import format_cards
from railbird.cli.explain import SCHEMA
from railbird.engine.games import named_game
from railbird.engine.rules import GameRules
from railbird.engine.setup import Setup
from railbird.explanation import RangeGrid, section_to_json
from railbird.interfaces.explaining import decision_view, section_view
from railbird.interfaces.terminal import hand_view, table_view
from railbird.notation.acpc.match import MatchStateError, parse_match_state
from railbird.notation.game_names import find_game
from railbird.observation import Observation
from railbird.rng import Stream

_FEW_SEATS = 3


@dataclass(frozen=True, slots=True)
class Question:
    """What an agent was asked, and its answer."""

    agent: str
    line: str
    observation: Observation
    decision: Decision
    range: tuple[RangeGrid, ...] = ()
    """A grid for each action, where the range was asked for."""


def decide(spec: str, line: str, game: str | None, seed: str, *, with_range: bool = False) -> Question:
    """Put an agent into the situation of a MATCHSTATE line and let it decide, and state its range where asked to."""
    line = line.strip()
    rules = _game_of(line) if game is None else find_game(game)
    match = parse_match_state(line, Setup.of(rules))
    if not match.is_my_turn:
        found = "the hand is over" if match.node.actor is None else f"position {match.node.actor} is to act"
        raise MatchStateError(f"position {match.position} has nothing to decide in {line!r}: {found}")
    agent = make_agent(spec)
    players = tuple(spec if seat == match.position else f"seat {seat}" for seat in range(rules.players))
    observation = Observation.of(match.state(), match.position, players, match.hand_number)
    agent.begin_match(MatchStart(rules, spec, players, Stream.from_seed(seed).child("agent", spec)))
    grids = range_sections(agent, observation) if with_range else ()
    return Question(spec, line, observation, _asked(agent, observation), grids)


def _asked(agent: Agent, observation: Observation) -> Decision:
    for event in observation.events:
        agent.hear(event)
    return agent.act(observation)


def _game_of(line: str) -> GameRules:
    """The game that a line looks like: as many seats as it has hands, no-limit if a raise has an amount."""
    fields = line.split(":")
    if len(fields) != 5 or fields[0] != "MATCHSTATE":
        raise MatchStateError(f"{line[:60]!r} is not MATCHSTATE:position:hand:betting:cards")
    family = "nolimit" if any(letter.isdigit() for letter in fields[3]) else "limit"
    seats = fields[4].partition("/")[0].count("|") + 1
    return named_game(f"{family}-{seats}{'p' if seats <= _FEW_SEATS else 'max'}")


def as_json(question: Question) -> str:
    """The answer as one JSON object."""
    decision = question.decision
    strategy = [{"action": str(action), "chance": chance} for action, chance in decision.strategy]
    data: dict[str, Any] = {
        "schema": SCHEMA,
        "agent": question.agent,
        "game": question.observation.rules.name,
        "state": question.line,
        "action": str(decision.action),
        "strategy": strategy,
        "explanation": decision.explanation.to_json(),
    }
    if question.range:
        data["range"] = [section_to_json(grid) for grid in question.range]
    return json.dumps(data, indent=2, ensure_ascii=False)


def show(question: Question) -> None:
    """The table as the agent sees it, and its answer."""
    console = Console(highlight=False)
    observation = question.observation
    console.print(table_view(observation))
    console.print(hand_view(observation))
    console.print()
    to_call = f", {observation.to_call} to call" if observation.to_call else ""
    cards = format_cards(observation.hole_cards)
    console.print(Text(f"{question.agent} with {cards}, pot {observation.pot}{to_call}:"))
    console.print(decision_view(question.decision))
    for grid in question.range:
        console.print()
        console.print(section_view(grid))
