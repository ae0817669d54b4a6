"""A session while it is played: deals, lets agents think, takes the person's actions, and tells every viewer.

Nothing is told before it is written: a hand's cards before they are dealt, an action before it is seen. So whoever was
told something finds it again after a crash, and a hand goes on where it stopped.
"""

import asyncio
import logging
from collections.abc import Awaitable, Callable, Mapping
from contextlib import suppress
from datetime import UTC, datetime
from typing import Any, Protocol, TypeVar

from railbird.engine.actions import Action
from railbird.engine.record import Details
from railbird.interfaces.web import messages, pace
from railbird.interfaces.web.dealt_hand import DealtHand
from railbird.interfaces.web.journal import Journal
from railbird.interfaces.web.messages import Code, Refused
from railbird.interfaces.web.session_plan import SessionPlan
from railbird.interfaces.web.session_state import SessionState
from railbird.interfaces.web.table_agents import TableAgents
from railbird.interfaces.web.thinkers import ThinkerError, Thinkers, Thought
from railbird.interfaces.web.views import chips_to_json
from railbird.store.sessions import (
    ActionsDone,
    HandBegun,
    HandOver,
    HandVoided,
    ReasonGiven,
    SessionFinished,
    SettingsChanged,
    StoredSessions,
)

log = logging.getLogger(__name__)

Answer = TypeVar("Answer")

REASONS_WAIT = 10.0
"""Seconds after which a hand ends without the reasons that are still missing."""


class Viewing(Protocol):
    """Somebody who looks at the table."""

    def show(self, view: str) -> None:
        """Show a view in place of any earlier one; must not wait."""
        ...


class LiveTable:
    """One session. All methods belong to the event loop."""

    def __init__(
        self, session: str, plan: SessionPlan, stored: StoredSessions, journal: Journal, thinkers: Thinkers
    ) -> None:
        self.session = session
        self._state = SessionState(session, plan)
        self._agents = TableAgents(session, plan, stored, thinkers)
        self._stored, self._journal = stored, journal
        self._explaining: dict[int, asyncio.Task[None]] = {}
        self._deal_asked = False
        self._version = 0
        self._viewers: set[Viewing] = set()
        self._stirred = asyncio.Event()
        self._acting = asyncio.Lock()
        self._loop: asyncio.Task[None] | None = None

    async def load(self, *, finished: bool) -> None:
        """Take up what was kept of the session: paid hands, and maybe one that is still running."""
        state = self._state
        for stored in await asyncio.to_thread(self._stored.hands, self.session):
            if not state.take_up(stored) and not stored.over:
                await self._write(HandVoided(self.session, stored.number, "it could not be played on"))
        if state.hand is not None:
            kept = await asyncio.to_thread(self._stored.hand, self.session, state.hand.number)
            if kept is not None:
                state.reasons = {step: dict(reasons) for step, reasons in kept.reasons.items()}
        if finished:
            state.phase = "closed"

    async def _write(self, change: Any) -> None:
        """Write a change; when this returns it is kept. The journal keeps the order."""
        await self._journal.write(change)

    # Viewers

    @property
    def viewers(self) -> int:
        """How many look."""
        return len(self._viewers)

    def join(self, viewer: Viewing) -> None:
        """Somebody looks at the table, and sees it as it is."""
        self._viewers.add(viewer)
        viewer.show(self._view())
        self._ensure_running()
        self._stir()

    def _ensure_running(self) -> None:
        if self._loop is None and self._state.phase != "closed":
            self._loop = asyncio.create_task(self._run())

    def part(self, viewer: Viewing) -> None:
        """Somebody looks away. Agents wait until somebody looks again."""
        self._viewers.discard(viewer)
        self._stir()

    def _view(self) -> str:
        return messages.write(self._state.view(self._version))

    def _show(self) -> None:
        self._version += 1
        view = self._view()
        for viewer in tuple(self._viewers):
            viewer.show(view)

    # What people ask for

    async def act(self, message: messages.Act) -> None:
        """The person's action."""
        await self._do(*self._state.action(message))

    async def deal(self) -> None:
        """The next hand, now."""
        if self._state.phase not in ("ready", "over"):
            raise Refused(Code.NOT_NOW, "a hand is being played")
        self._deal_asked = True
        self._stir()

    async def pause(self, paused: bool) -> None:
        """Hold the table, or let it go on."""
        self._state.require_open()
        self._state.paused = paused
        self._show()
        self._ensure_running()
        self._stir()

    async def change_settings(self, message: messages.Settings) -> None:
        """Another speed, or hands that follow each other by themselves or do not."""
        self._state.require_open()
        plan = self._state.plan.to_json()
        if message.speed is not None:
            plan["speed"] = message.speed
        if message.auto_deal is not None:
            plan["auto_deal"] = message.auto_deal
        await self._write(SettingsChanged(self.session, plan))
        self._state.plan = SessionPlan.from_json(plan)
        self._show()
        self._stir()

    async def forward(self) -> None:
        """The rest of this hand at once, when the person has nothing left to decide in it."""
        self._state.require_nothing_to_decide()
        self._state.forwarding = True
        self._show()
        self._stir()

    async def strength(self, message: messages.Strength) -> list[dict[str, Any]]:
        """How strong the person's hand is."""
        hand, position = self._state.own_hand(message.hand, message.step)
        return await _studied(self._agents.strength(hand.observation(position)))

    async def advise(self, message: messages.Advise) -> dict[str, Any]:
        """What an agent would do in the person's place, which sees no more than the person does."""
        hand, position = self._state.own_turn(message.hand, message.step)
        label, observation = hand.players[position], hand.observation(position)
        thought = await _studied(self._agents.advise(message.agent, label, observation, self._state.number))
        if thought.fault or thought.reasons is None:
            raise Refused(Code.BROKEN, f"{message.agent} gives no advice: {thought.fault}")
        return {"name": message.agent, **thought.reasons}

    async def why(self, message: messages.Why) -> dict[str, Any]:
        """The reasons for an action, once they may be told."""
        found: Mapping[int, Mapping[str, Any]] | None = self._state.reasons_now(message.hand)
        if found is None and 0 < message.hand < self._state.number:
            stored = await asyncio.to_thread(self._stored.hand, self.session, message.hand)
            found = stored.reasons if stored is not None and stored.over else None
        if found is None or message.step not in found:
            raise Refused(
                Code.UNKNOWN, f"no reasons are known for step {message.step} of hand {message.hand}"
            )
        return dict(found[message.step])

    async def leave(self) -> None:
        """End the session; a hand in progress does not count."""
        state = self._state
        if state.phase == "closed":
            return
        if not state.is_settled:
            await self._write(HandVoided(self.session, state.number, "the session was left"))
        await self._write(SessionFinished(self.session))
        state.phase = "closed"
        self._show()
        await self.stop()

    async def stop(self) -> None:
        """Let go of everything; what was played is in the store."""
        self._stir()
        tasks = [task for task in (self._loop, *self._explaining.values()) if task is not None]
        self._loop = None
        for task in tasks:
            task.cancel()
        await asyncio.gather(*tasks, return_exceptions=True)
        self._explaining.clear()
        await self._agents.leave()

    # The play

    def _stir(self) -> None:
        self._stirred.set()

    async def _until(self, condition: Callable[[], bool], timeout: float | None = None) -> None:
        """Wait until something holds, or so many seconds."""
        loop = asyncio.get_running_loop()
        end = None if timeout is None else loop.time() + timeout
        while not condition():
            self._stirred.clear()
            left = None if end is None else end - loop.time()
            if left is not None and left <= 0:
                return
            with suppress(TimeoutError):
                await asyncio.wait_for(self._stirred.wait(), left)

    def _goes_on(self) -> bool:
        return bool(self._viewers) and not self._state.paused

    async def _run(self) -> None:
        try:
            await self._agents.sit_down(self._state.number)
            while True:
                await self._until(self._goes_on)
                await self._go_on()
        except asyncio.CancelledError:
            raise
        except Exception as error:
            log.exception("the table of session %s stopped", self.session)
            reason = f": {error}" if isinstance(error, ThinkerError) else "."
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
            await self._end_hand(hand)
        elif actor == state.own_position(hand):
            await self._until(lambda: hand.state.actor != actor or not self._goes_on())
        else:
            await self._agent_acts(hand, actor)

    async def _next_hand(self) -> None:
        state = self._state
        if state.phase == "over" and state.plan.auto_deal:
            pause = pace.AFTER_HAND[state.plan.speed]
            await self._until(lambda: self._deal_asked or not self._goes_on(), pause)
        elif not state.plan.auto_deal:
            await self._until(lambda: self._deal_asked or state.plan.auto_deal or not self._goes_on())
        if not self._goes_on() and not self._deal_asked:
            return
        self._deal_asked = state.forwarding = False
        chosen = state.plan.training is not None and state.plan.training.hands
        # Chosen starting hands are dealt again and again until one of them comes.
        hand, seating = await asyncio.to_thread(state.deal) if chosen else state.deal()
        await self._write(HandBegun(self.session, hand.number, hand.start(), state.plan.counted))
        state.begin(hand, seating)
        # Whoever asked again while the cards were written has them now.
        self._deal_asked = False
        self._show()

    async def _agent_acts(self, hand: DealtHand, position: int) -> None:
        state, loop = self._state, asyncio.get_running_loop()
        began = loop.time()
        thought = await self._agents.decide(hand, position, state.number)
        while True:
            forwarding = state.forwarding
            step = pace.STEPS["instant" if forwarding else state.plan.speed]
            due = began + pace.quantised(loop.time() - began, step)
            await self._until(lambda f=forwarding: state.forwarding != f, due - loop.time())  # type: ignore[misc]
            if loop.time() >= due - 1e-3:
                break
        await self._until(self._goes_on)
        label, number = hand.players[position], hand.step
        if thought.fault:
            state.notice = f"{label} could not decide and checks or folds: {thought.fault}"
        await self._do(hand, thought.action)
        if not thought.fault:
            self._explaining[number] = asyncio.create_task(self._explain(hand, number, label, thought))

    async def _explain(self, hand: DealtHand, step: int, label: str, thought: Thought) -> None:
        try:
            reasons = await self._agents.reasons(label, thought)
        finally:
            self._explaining.pop(step, None)
        if reasons is None:
            return
        await self._write(ReasonGiven(self.session, hand.number, step, reasons))
        if hand is self._state.hand:
            self._state.reasons[step] = reasons
            if self._state.discloses:
                self._show()

    async def _do(self, hand: DealtHand, action: Action) -> None:
        """Write an action down, and only then do it and show it."""
        step = hand.step
        async with self._acting:
            if hand.step != step:
                raise Refused(Code.TOO_LATE, f"step {step} of hand {hand.number} is done already")
            await self._write(ActionsDone(self.session, hand.number, hand.done(action)))
            hand.state.act(action)
        self._show()
        self._stir()

    async def _end_hand(self, hand: DealtHand) -> None:
        state = self._state
        explaining = tuple(self._explaining.values())
        if explaining:
            await asyncio.wait(explaining, timeout=REASONS_WAIT)
        now = datetime.now(UTC).isoformat(timespec="seconds")
        record = hand.record(Details(venue="Railbird", table=self.session, time=now))
        payoffs = hand.state.payoffs
        position = state.own_position(hand)
        ending = {
            "payoffs": [chips_to_json(payoff) for payoff in payoffs],
            "won": None if position is None else str(payoffs[position]),
            "showdown": hand.state.is_showdown,
            "time": now,
        }
        await self._write(HandOver(self.session, hand.number, ending, record if state.plan.counted else None))
        state.end()
        self._show()
        await self._agents.end_hand(hand)


async def _studied(question: Awaitable[Answer]) -> Answer:
    try:
        return await question
    except ThinkerError as error:
        raise Refused(Code.UNKNOWN, str(error)) from None
