"""A session in play: deals, queries agents, takes the person's actions, and updates every viewer.

Nothing is shown before it is stored (`kept_session`): after a crash of the server a hand resumes where it stopped.
"""

import asyncio
import logging
from collections.abc import Awaitable, Callable
from contextlib import suppress
from typing import Any, Protocol, TypeVar

from railbird.agent import display_name
from railbird.engine.actions import Action
from railbird.interfaces.web.table import messages, pace
from railbird.interfaces.web.table.agents import TableAgents
from railbird.interfaces.web.table.dealt_hand import DealtHand
from railbird.interfaces.web.table.kept_session import KeptSession, not_kept
from railbird.interfaces.web.table.messages import RefusalCode, RefusedMessage
from railbird.interfaces.web.table.session_journal import SessionJournal
from railbird.interfaces.web.table.session_state import SessionState
from railbird.interfaces.web.thinking.thinkers import ThinkerError, Thinkers, Thought
from railbird.store.addresses import StoreError
from railbird.store.sessions import StoredSession, StoredSessions

log = logging.getLogger(__name__)

Answer = TypeVar("Answer")

MOST_HANDS = 10_000
"""Maximum number of hands in a session, because its results are read and counted as a whole."""
REASONS_WAIT = 10.0
"""Seconds after which the next hand begins without waiting for missing reasons."""


class Viewing(Protocol):
    """A viewer of the table."""

    def show(self, view: str) -> None:
        """Show a view, replacing any earlier one; must not block."""
        ...


class LiveTable:
    """One session. All methods run in the event loop."""

    def __init__(
        self,
        session: StoredSession,
        stored: StoredSessions,
        journal: SessionJournal,
        thinkers: Thinkers,
        address: str,
    ) -> None:
        self.session = session.id
        self._kept = KeptSession(session, stored, journal, self._show_anew)
        self._agents = TableAgents(session.id, self._kept.state.plan, stored, thinkers, address)
        self._rhythm = pace.Rhythm()
        self._explaining: dict[tuple[int, int], asyncio.Task[None]] = {}
        self._deal_asked = False
        self._deal_at: float | None = None
        """The time of the event loop at which the next hand is dealt automatically."""
        self._version = 0
        self._viewers: set[Viewing] = set()
        self._holding: set[Viewing] = set()
        """The viewers for whom the next hand waits."""
        self._stirred = asyncio.Event()
        self._loop: asyncio.Task[None] | None = None

    async def load(self) -> None:
        """Load the session from the store."""
        await self._kept.load()

    @property
    def _state(self) -> SessionState:
        return self._kept.state

    # Viewers

    @property
    def viewers(self) -> int:
        """The number of viewers."""
        return len(self._viewers)

    def join(self, viewer: Viewing) -> None:
        """Add a viewer and show it the table."""
        self._viewers.add(viewer)
        viewer.show(self._view())
        self._ensure_running()
        self._stir()

    def _ensure_running(self) -> None:
        if self._loop is None and self._state.phase != "closed":
            self._loop = asyncio.create_task(self._run())

    def part(self, viewer: Viewing) -> None:
        """Remove a viewer. Without viewers, agents wait."""
        self._viewers.discard(viewer)
        if viewer in self._holding:
            self.hold(viewer, False)
        self._stir()

    def _view(self) -> str:
        return messages.write(self._state.view(self._version, self._countdown(), bool(self._holding)))

    def _countdown(self) -> int | None:
        """Milliseconds until the next hand is dealt automatically."""
        if self._deal_at is None or self._waits() or self._state.paused:
            return None
        return max(0, round(1000 * (self._deal_at - asyncio.get_running_loop().time())))

    def _show(self) -> None:
        self._version += 1
        view = self._view()
        for viewer in tuple(self._viewers):
            viewer.show(view)

    def _show_anew(self) -> None:
        """Show a change that was made outside of the loop."""
        self._show()
        self._stir()

    # Requests

    async def act(self, message: messages.ActMessage) -> None:
        """Perform the person's action."""
        await self._do(lambda: self._state.action(message))

    async def deal(self) -> None:
        """Deal the next hand now; a paused table resumes."""
        if self._state.phase not in ("ready", "over"):
            raise RefusedMessage(RefusalCode.NOT_NOW, "a hand is being played")
        self._deal_asked, self._state.paused = True, False
        self._ensure_running()
        self._stir()

    def hold(self, viewer: Viewing, held: bool) -> None:
        """Let the next hand wait for a viewer who reads an explanation, or no longer."""
        (self._holding.add if held else self._holding.discard)(viewer)
        self._show_anew()

    async def pause(self, paused: bool) -> None:
        """Pause or resume the table."""
        self._state.require_open()
        self._state.paused = paused
        self._show()
        self._ensure_running()
        self._stir()

    async def change_settings(self, message: messages.Settings) -> None:
        """Change the speed, or whether hands follow each other automatically."""
        await self._kept.change_settings(message)
        self._show_anew()

    async def forward(self) -> None:
        """Play the rest of this hand at once, if the person has no decisions left in it."""
        self._state.require_nothing_to_decide()
        self._state.forwarding = True
        self._show_anew()

    async def strength(self, message: messages.StrengthMessage) -> list[dict[str, Any]]:
        """The strength of the person's hand."""
        hand, position = self._state.own_hand(message.hand, message.step)
        return await _studied(self._agents.strength(hand.observation(position)))

    async def advise(self, message: messages.Advise) -> dict[str, Any]:
        """What an agent would do in the person's place, with the same information."""
        hand, position = self._state.own_turn(message.hand, message.step)
        label, observation = hand.players[position], hand.observation(position)
        thought = await _studied(self._agents.advise(message.agent, label, observation, self._state.number))
        if thought.fault or thought.reasons is None:
            name = display_name(message.agent)
            raise RefusedMessage(RefusalCode.BROKEN, f"{name} gives no advice: {thought.fault}")
        return {"name": display_name(message.agent), "agent": message.agent, **thought.reasons}

    async def why(self, message: messages.Why | messages.RangeMessage) -> tuple[str, dict[str, Any]]:
        """The street of an action and the reasons for it, once they may be disclosed."""
        found = await self._kept.reasons(message.hand)
        if message.step not in found:
            raise RefusedMessage(
                RefusalCode.UNKNOWN, f"no reasons are known for step {message.step} of hand {message.hand}"
            )
        before = (await self._kept.hand(message.hand)).before(message.step).state
        reasons = found[message.step]
        agent = self._agents.spec(reasons["name"])
        return before.rules.round_name(before.round), {**reasons, "agent": agent}

    async def range(self, message: messages.RangeMessage) -> list[dict[str, Any]]:
        """What an agent would have done with every starting hand, once the reasons for its action may be disclosed."""
        await self.why(message)
        hand = await self._kept.hand(message.hand)
        return await _studied(self._agents.range(hand.before(message.step)))

    async def leave(self) -> None:
        """End the session; a hand in progress does not count."""
        await self._halt()
        try:
            await self._kept.leave()
        finally:
            if self._state.phase != "closed":
                self._ensure_running()
        self._show()
        await self.stop()

    async def stop(self) -> None:
        """Release all resources; everything played is in the store."""
        await self._halt()
        explaining = tuple(self._explaining.values())
        for task in explaining:
            task.cancel()
        await asyncio.gather(*explaining, return_exceptions=True)
        await self._kept.settle_down()
        await self._agents.leave()

    async def _halt(self) -> None:
        loop, self._loop = self._loop, None
        if loop is not None:
            loop.cancel()
            await asyncio.gather(loop, return_exceptions=True)

    # The play

    def _stir(self) -> None:
        self._stirred.set()

    async def _until(self, condition: Callable[[], bool], timeout: float | None = None) -> None:
        """Wait until a condition holds, or for at most `timeout` seconds."""
        loop = asyncio.get_running_loop()
        end = None if timeout is None else loop.time() + timeout
        while not condition():
            self._stirred.clear()
            left = None if end is None else end - loop.time()
            if left is not None and left <= 0:
                return
            with suppress(TimeoutError):
                async with asyncio.timeout(left):
                    await self._stirred.wait()

    def _goes_on(self) -> bool:
        return bool(self._viewers) and not self._state.paused

    async def _run(self) -> None:
        try:
            await self._agents.sit_down(self._state.number)
            while True:
                await self._until(self._goes_on)
                with suppress(RefusedMessage):  # the session was continued elsewhere, as the view says
                    await self._go_on()
        except asyncio.CancelledError:
            raise
        except Exception as error:
            log.exception("the table of session %s stopped", self.session)
            reason = "."
            if isinstance(error, ThinkerError):
                reason = f": {error}"
            elif isinstance(error, StoreError):
                reason = f": {not_kept(error)}. Continue to try again."
            self._state.notice = f"The table stopped{reason}"
            self._state.paused = True
            self._loop = None
            self._show()

    async def _go_on(self) -> None:
        state = self._state
        if state.hand is None or state.is_settled:
            await self._next_hand()
            return
        hand = state.hand
        actor = hand.state.actor
        if actor is None:
            await self._tell_ending()
            await self._end_hand(hand)
        elif actor == state.own_position(hand):
            await self._until(lambda: hand.state.actor != actor or not self._goes_on())
        else:
            await self._agent_acts(hand, actor)

    async def _next_hand(self) -> None:
        state = self._state
        if state.number >= MOST_HANDS:
            state.paused = True
            state.notice = f"A session has at most {MOST_HANDS:,} hands: leave it and begin another one."
            self._show()
            return
        if not await self._deal_is_due():
            return
        if self._explaining:
            await asyncio.wait(tuple(self._explaining.values()), timeout=REASONS_WAIT)
        self._deal_asked = state.forwarding = False
        chosen = state.plan.training is not None and state.plan.training.hands
        # Parsing the text of chosen starting hands takes a few milliseconds.
        hand, seating = await asyncio.to_thread(state.deal) if chosen else state.deal()
        await self._kept.begin(hand, seating)
        # A repeated request made while the cards were written is fulfilled now.
        self._deal_asked = False
        self._show()

    def _waits(self) -> bool:
        """Whether the next hand is dealt on request only."""
        return bool(self._holding) or not self._state.plan.auto_deal

    async def _deal_is_due(self) -> bool:
        """Wait until the next hand is requested, or its time has come; False if something else came first."""
        await self._until(lambda: self._deal_asked or not self._waits() or not self._goes_on())
        speed = self._state.plan.speed

        def stops() -> bool:
            changed = self._waits() or self._state.plan.speed != speed
            return self._deal_asked or changed or not self._goes_on()

        if self._state.phase == "over" and not stops():
            self._deal_at = asyncio.get_running_loop().time() + pace.AFTER_HAND[speed]
            if speed != "instant":
                self._show()
            await self._until(stops, pace.AFTER_HAND[speed])
            self._deal_at = None
        return self._deal_asked or not stops()

    async def _agent_acts(self, hand: DealtHand, position: int) -> None:
        state, loop = self._state, asyncio.get_running_loop()
        began, label, step = loop.time(), hand.players[position], hand.step
        thought = await self._agents.decide(hand, position, state.number)
        needed = self._rhythm.needed(label, loop.time() - began, hides=state.hides)
        while True:
            forwarding = state.forwarding
            length = pace.STEPS["instant" if forwarding else state.plan.speed]
            due = began + pace.quantised(max(needed, loop.time() - began), length)
            await self._until(lambda f=forwarding: state.forwarding != f, due - loop.time())  # type: ignore[misc]
            if loop.time() >= due - 1e-3:
                break
        await self._until(self._goes_on)
        if thought.fault:
            state.notice = f"{label} could not decide and checks or folds: {thought.fault}"

        def decided() -> tuple[DealtHand, Action]:
            if self._state.hand is not hand or hand.step != step:
                raise RefusedMessage(
                    RefusalCode.TOO_LATE, f"step {step} of hand {hand.number} has already been taken"
                )
            return hand, thought.action

        await self._do(decided)
        if not thought.fault:
            explaining = asyncio.create_task(self._explain(hand, step, label, thought))
            self._explaining[hand.number, step] = explaining
            explaining.add_done_callback(lambda _: self._explaining.pop((hand.number, step), None))

    async def _explain(self, hand: DealtHand, step: int, label: str, thought: Thought) -> None:
        reasons = await self._agents.reasons(label, thought)
        if reasons is None:
            return
        await self._kept.explain(hand, step, reasons)
        if hand is self._state.hand and self._state.discloses:
            self._show()

    async def _do(self, decide: Callable[[], tuple[DealtHand, Action]]) -> None:
        """Perform an action and show it."""
        await self._kept.act(decide)
        self._show_anew()

    async def _tell_ending(self) -> None:
        """Show the end of the hand in stages, up to its result."""
        while self._state.is_telling:
            await self._until(lambda: self._state.hurries, pace.ENDING[self._state.plan.speed])
            await self._until(self._goes_on)
            if not self._state.tell_on():
                return
            self._show()

    async def _end_hand(self, hand: DealtHand) -> None:
        await self._kept.end(hand)
        self._show()
        await self._agents.end_hand(hand)


async def _studied(question: Awaitable[Answer]) -> Answer:
    try:
        return await question
    except ThinkerError as error:
        raise RefusedMessage(RefusalCode.UNKNOWN, str(error)) from None
