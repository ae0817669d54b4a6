"""Tables of agents that think in other processes: hands dealt to them and played by them, without a person."""

import asyncio
from collections.abc import Callable
from time import monotonic

from railbird.agent import HandResult
from railbird.engine.rules import GameRules
from railbird.engine.setup import Setup
from railbird.engine.state import State
from railbird.interfaces.web.table.dealt_hand import DealtHand
from railbird.interfaces.web.thinking.thinkers import Thinkers, Thought
from railbird.rng import Stream

DEALS = Stream.from_seed("thinkers")


def dealt(number: int, rules: GameRules, players: tuple[str, ...]) -> DealtHand:
    """A hand whose positions are the places around the table turned by one each hand."""
    turn = number % len(players)
    state = State.deal(Setup.of(rules), DEALS.child("hand", number))
    chairs = tuple((turn + position) % len(players) for position in range(len(players)))
    return DealtHand(number, state, tuple(players[chair] for chair in chairs), chairs, chairs[-1])


def results_of(hand: DealtHand) -> dict[str, HandResult]:
    return {label: hand.result(position) for position, label in enumerate(hand.players)}


async def play(thinkers: Thinkers, table: str, hand: DealtHand) -> list[tuple[str, Thought]]:
    """Play a hand of agents to its end, and tell them."""
    thoughts = []
    while (actor := hand.state.actor) is not None:
        label = hand.players[actor]
        thoughts.append((label, await thinkers.decide(table, label, hand.observation(actor), "later")))
        hand.state.act(thoughts[-1][1].action)
    assert await thinkers.end_hand(table, results_of(hand)) == {}
    return thoughts


async def until(condition: Callable[[], bool]) -> None:
    deadline = monotonic() + 60
    while not condition():
        assert monotonic() < deadline, "it did not happen"
        await asyncio.sleep(0.02)
