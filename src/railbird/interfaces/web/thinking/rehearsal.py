"""A few hands that nobody watches, in which everything is asked that a table may ask.

What is compiled for them, and read from files, nobody has to wait for at a real table. Two tables with the same agents
and the questions outside of play run at the same time, in different processes and in different orders: what one of them
compiles, the others need not (`kernels.shared_cache`).
"""

import asyncio
from collections.abc import Iterator, Sequence
from contextlib import suppress

from railbird.arena.play.plan import labels_of
from railbird.engine.actions import CALL, FOLD
from railbird.engine.rules import GameRules
from railbird.engine.setup import Setup
from railbird.engine.state import State
from railbird.interfaces.web.table.dealt_hand import DealtHand
from railbird.interfaces.web.thinking.thinkers import ThinkerError, Thinkers
from railbird.rng import Stream

HANDS = 6
"""Number of hands at each table."""
CALLER = "caller"
"""The label of the seat that stands in for a person: it always calls, so that hands get to the river."""
TABLES = "rehearsal 1", "rehearsal 2"


async def rehearse(thinkers: Thinkers, rules: GameRules, agents: Sequence[str]) -> None:
    """Play and ask with these agents, as many as the game has seats besides the person's."""
    half = len(agents) // 2
    orders = list(agents), [*agents[half:], *agents[:half]]
    async with asyncio.TaskGroup() as group:
        for table, order in zip(TABLES, orders, strict=True):
            group.create_task(_play(thinkers, table, rules, order))
        group.create_task(_study(thinkers, rules, agents))


async def _play(thinkers: Thinkers, table: str, rules: GameRules, agents: Sequence[str]) -> None:
    labels = labels_of(agents)
    await thinkers.open(table, rules, (*labels, CALLER), dict(zip(labels, agents, strict=True)))
    try:
        for number in range(1, HANDS + 1):
            hand = _dealt(rules, (*labels, CALLER), number)
            while (position := hand.state.actor) is not None:
                label = hand.players[position]
                if label == CALLER:
                    hand.state.act(CALL)
                    continue
                thought = await thinkers.decide(table, label, hand.observation(position), "now")
                hand.state.act(thought.action)
            results = {label: hand.result(position) for position, label in enumerate(hand.players)}
            await thinkers.end_hand(table, results)
    finally:
        await thinkers.close_table(table)


async def _study(thinkers: Thinkers, rules: GameRules, agents: Sequence[str]) -> None:
    """Ask for the strength of a hand and for ranges, with all opponents and with one, on every street."""
    labels = labels_of(agents)
    for opponents in sorted({1, len(agents)}):
        hand = _dealt(rules, (*labels, CALLER), opponents)
        for position in _turns_of_streets(hand, opponents):
            observation = hand.observation(position)
            with suppress(ThinkerError):  # a game without hand strength
                await thinkers.study.strength(observation)
            for agent in dict.fromkeys(agents):
                with suppress(ThinkerError):  # an agent without a range
                    await thinkers.study.range(
                        agent, rules, observation.players, hand.players[position], observation
                    )


def _turns_of_streets(hand: DealtHand, opponents: int) -> Iterator[int]:
    """The first turn of every street of a hand in which all but this number of opponents fold and the others call."""
    street = None
    while (position := hand.state.actor) is not None:
        if hand.state.board != street:
            street = hand.state.board
            yield position
        stays = position >= len(hand.players) - 1 - opponents
        hand.state.act(CALL if stays or not hand.observation(position).legal_actions.fold else FOLD)


def _dealt(rules: GameRules, labels: Sequence[str], number: int) -> DealtHand:
    """A hand with the button one chair further than in the hand before."""
    state = State.deal(Setup.of(rules), Stream.from_seed(f"rehearsal {number}"))
    chairs = tuple((position + number) % len(labels) for position in range(len(labels)))
    return DealtHand(number, state, tuple(labels[chair] for chair in chairs), chairs, chairs[-1])
