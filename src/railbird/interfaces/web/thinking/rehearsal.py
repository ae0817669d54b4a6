"""A few hands that nobody watches, in which everything is asked that a table may ask.

What is compiled for them, and read from files, nobody has to wait for at a real table. Tables and the questions outside
of play run at the same time, in two processes: what one of them compiles, the other need not (`kernels.shared_cache`).
More processes would take longer in all, because each compiles numba's own functions for itself.
"""

import asyncio
from collections.abc import Coroutine, Iterator, Sequence
from contextlib import suppress
from itertools import cycle, islice

from railbird.arena.play.plan import labels_of
from railbird.engine.actions import CALL, FOLD
from railbird.engine.record import HandRecord
from railbird.engine.rules import GameRules
from railbird.engine.setup import Setup
from railbird.engine.state import State
from railbird.features.tallies import TallyBook
from railbird.interfaces.web.table.dealt_hand import DealtHand
from railbird.interfaces.web.thinking.thinkers import ThinkerError, Thinkers
from railbird.rng import Stream

HANDS = 6
"""Number of hands at each table."""
CALLER = "caller"
"""The label of the seat that stands in for a person: it always calls, so that hands get to the river."""
AT_ONCE = 3
"""Number of tables, and of questions outside of play, at a time."""


class Rehearsal:
    """Some agents in one game."""

    def __init__(self, thinkers: Thinkers, rules: GameRules, agents: Sequence[str]) -> None:
        self._thinkers, self._rules = thinkers, rules
        self._agents = tuple(dict.fromkeys(agents))
        self._opponents = range(1, rules.players)
        self._opponents_of_ranges = {1, rules.players - 1}
        self._asked: set[tuple[object, ...]] = set()
        """What was asked so far: of whom, and on which street."""

    @property
    def percent(self) -> int:
        """How much was asked so far."""
        studied = len(self._opponents) + len(self._opponents_of_ranges) * len(self._agents)
        return 100 * len(self._asked) // (self._rules.rounds * (len(self._agents) + studied))

    async def hold(self, at_once: int = AT_ONCE) -> None:
        """Play and ask."""
        turns = asyncio.Semaphore(at_once)

        async def in_turn(part: Coroutine[object, object, None]) -> None:
            async with turns:
                await part

        async with asyncio.TaskGroup() as group:
            for number, agents in enumerate(self._tables(), 1):
                group.create_task(in_turn(self._play(f"rehearsal {number}", agents)))
            group.create_task(in_turn(self._study()))

    def _tables(self) -> list[list[str]]:
        """The agents of each table besides the person."""
        seats = self._rules.players - 1
        parts = [self._agents[first : first + seats] for first in range(0, len(self._agents), seats)]
        return [list(islice(cycle(part), seats)) for part in parts]

    async def _play(self, table: str, agents: Sequence[str]) -> None:
        labels = labels_of(agents)
        specs = dict(zip(labels, agents, strict=True))
        await self._thinkers.open(table, self._rules, (*labels, CALLER), specs)
        try:
            for number in range(1, HANDS + 1):
                hand = _dealt(self._rules, (*labels, CALLER), number)
                while (position := hand.state.actor) is not None:
                    label = hand.players[position]
                    if label == CALLER:
                        hand.state.act(CALL)
                        continue
                    observation = hand.observation(position)
                    thought = await self._thinkers.decide(table, label, observation, "now")
                    self._asked.add((specs[label], observation.round))
                    hand.state.act(thought.action)
                await asyncio.to_thread(_tally, HandRecord.of(hand.state, hand.players))
                results = {label: hand.result(position) for position, label in enumerate(hand.players)}
                await self._thinkers.end_hand(table, results)
        finally:
            await self._thinkers.close_table(table)

    async def _study(self) -> None:
        """Ask for the strength of a hand with any number of opponents, and for ranges with one and with all.

        Different numbers of opponents need different methods of computing equities.
        """
        players = labels_of(self._tables()[0])
        for opponents in self._opponents:
            hand = _dealt(self._rules, (*players, CALLER), opponents)
            for position in _turns_of_streets(hand, opponents):
                observation = hand.observation(position)
                with suppress(ThinkerError):  # a game without hand strength
                    await self._thinkers.study.strength(observation)
                self._asked.add(("strength", opponents, observation.round))
                for agent in self._agents if opponents in self._opponents_of_ranges else ():
                    with suppress(ThinkerError):  # an agent without a range
                        await self._thinkers.study.range(
                            agent, self._rules, observation.players, hand.players[position], observation
                        )
                    self._asked.add((agent, opponents, observation.round))


def _tally(record: HandRecord) -> None:
    """Count a hand as the store does."""
    book = TallyBook()
    book.add(record)
    book.tallies()


def _turns_of_streets(hand: DealtHand, opponents: int) -> Iterator[int]:
    """On every street, the first turn with this number of opponents: the others fold, and whoever is left calls."""
    street = None
    while (position := hand.state.actor) is not None:
        observation = hand.observation(position)
        is_crowded = len(observation.live_seats) > 1 + opponents
        if not is_crowded and hand.state.board != street:
            street = hand.state.board
            yield position
        hand.state.act(FOLD if is_crowded and observation.legal_actions.fold else CALL)


def _dealt(rules: GameRules, labels: Sequence[str], number: int) -> DealtHand:
    """A hand with the button one chair further than in the hand before."""
    state = State.deal(Setup.of(rules), Stream.from_seed(f"rehearsal {number}"))
    chairs = tuple((position + number) % len(labels) for position in range(len(labels)))
    return DealtHand(number, state, tuple(labels[chair] for chair in chairs), chairs, chairs[-1])
