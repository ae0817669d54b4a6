"""A session in play: deals, queries agents, takes people's actions, and updates every viewer.

Nothing is shown before it is stored (`kept_session`): after a crash of the server a hand resumes where it stopped.
"""

import asyncio
import logging
from collections import Counter
from collections.abc import Callable
from contextlib import suppress
from functools import partial

from msgspec.structs import replace

from railbird.engine.actions import FOLD, Action
from railbird.interfaces.web.study.inquiries import TableInquiries
from railbird.interfaces.web.table import messages, pace
from railbird.interfaces.web.table.agents import TableAgents
from railbird.interfaces.web.table.dealt_hand import DealtHand
from railbird.interfaces.web.table.kept_session import KeptSession, not_kept
from railbird.interfaces.web.table.messages import RefusalCode, RefusedMessage
from railbird.interfaces.web.table.people import SeatError, SharedTable
from railbird.interfaces.web.table.session_journal import SessionJournal
from railbird.interfaces.web.table.session_plan import SessionPlan
from railbird.interfaces.web.table.session_state import SessionState
from railbird.interfaces.web.table.viewers import Viewers, Viewing
from railbird.interfaces.web.thinking.thinkers import ThinkerError, Thinkers, Thought
from railbird.store.addresses import StoreError
from railbird.store.sessions import StoredSession, StoredSessions

log = logging.getLogger(__name__)

MOST_OVERRUN = 2
"""How often in a row people may let their time run out before they sit out."""
MOST_HANDS = 10_000
"""Maximum number of hands in a session, because its results are read and counted as a whole."""
REASONS_WAIT = 10.0
"""Seconds after which the next hand begins without waiting for missing reasons."""


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
        self._agents = TableAgents(session.id, self._kept.state.rules, stored, thinkers, address)
        self.inquiries = TableInquiries(self._kept, self._agents)
        self._rhythm = pace.Rhythm()
        self._explaining: dict[tuple[int, int], asyncio.Task[None]] = {}
        self._deal_asked = False
        self._deal_at: float | None = None
        """The time of the event loop at which the next hand is dealt automatically."""
        self._version = 0
        self.viewers = Viewers(self._view)
        self._holding: set[Viewing] = set()
        """The viewers for whom the next hand waits."""
        self._clock = pace.TurnClock()
        self._overrun: Counter[str] = Counter()
        """How often in a row people let their time run out."""
        self._bell = pace.Bell()
        self._stir, self._until = self._bell.ring, self._bell.until
        self._loop: asyncio.Task[None] | None = None

    async def load(self) -> None:
        """Load the session from the store."""
        await self._kept.load()

    @property
    def _state(self) -> SessionState:
        return self._kept.state

    # Viewers

    def admits(self, player: str) -> bool:
        """Whether somebody who takes part in the session may see the table: at a shared one, with a seat."""
        return self._state.plan.shared is None or self._state.plan.chair_of(player) is not None

    def join(self, viewer: Viewing, player: str) -> None:
        """Add a viewer and show it the table; at a table of several people, the others see who is back."""
        if self.viewers.add(viewer, player) and self._state.plan.shared is not None:
            self._show()
        else:
            viewer.show(self._view(player))
        self._ensure_running()
        self._stir()

    def _ensure_running(self) -> None:
        if self._loop is None and self._state.phase != "closed":
            self._loop = asyncio.create_task(self._run())

    def part(self, viewer: Viewing) -> None:
        """Remove a viewer. Without viewers, agents wait."""
        if self.viewers.remove(viewer) and self._state.plan.shared is not None:
            self._show()
        if viewer in self._holding:
            self.hold(viewer, False)
        self._stir()

    def _view(self, player: str) -> str:
        now = self._countdown(), bool(self._holding), self.viewers.players, self._clock.view()
        statistics = self._kept.statistics(player)
        return messages.write(self._state.view(self._version, player, *now, statistics))

    def _countdown(self) -> int | None:
        """Milliseconds until the next hand is dealt automatically."""
        if self._deal_at is None or self._waits() or self._state.paused:
            return None
        return max(0, round(1000 * (self._deal_at - asyncio.get_running_loop().time())))

    def _show(self) -> None:
        self._version += 1
        self.viewers.show()

    def _show_anew(self) -> None:
        """Show a change that was made outside of the loop."""
        self._show()
        self._stir()

    # Requests

    async def act(self, player: str, message: messages.ActMessage) -> None:
        """Perform a player's action."""
        await self._do(lambda: self._state.action(player, message))
        self._overrun.pop(player, None)

    async def deal(self, player: str) -> None:
        """Deal the next hand now; a paused table resumes."""
        self._state.require_deal(player)
        self._deal_asked, self._state.paused = True, False
        self._ensure_running()
        self._stir()

    def hold(self, viewer: Viewing, held: bool) -> None:
        """Let the next hand wait for a viewer who reads an explanation, or no longer; several people do not wait."""
        if self._state.plan.shared is None:
            (self._holding.add if held else self._holding.discard)(viewer)
            self._show_anew()

    async def pause(self, player: str, paused: bool) -> None:
        """Pause or resume the table."""
        self._state.require_open()
        self._state.require_host(player)
        self._state.paused = paused
        self._ensure_running()
        self._show_anew()

    async def change_settings(self, player: str, message: messages.Settings) -> None:
        """Change the speed, or whether hands follow each other automatically."""
        self._state.require_host(player)
        asked = {"speed": message.speed, "auto_deal": message.auto_deal}
        changed = {name: value for name, value in asked.items() if value is not None}
        await self._change_plan(lambda plan: replace(plan, **changed))

    async def forward(self, player: str) -> None:
        """Play the rest of this hand at once, if no person has decisions left in it."""
        self._state.require_host(player)
        self._state.require_nothing_to_decide()
        self._state.forwarding = True
        self._show_anew()

    async def take_seat(self, player: str, name: str) -> None:
        """Give a player a free seat that is not in the hand being played; whoever has one keeps it."""
        state = self._state
        await self._change_plan(lambda plan: plan.joined(player, name, state.number, state.busy_chairs))

    async def sit_out(self, player: str, out: bool) -> None:
        """Sit out from the next hand on, or come back."""
        self._overrun.pop(player, None)
        await self._change_people(lambda shared: shared.sitting_out(player, out))

    async def remove(self, player: str, name: str) -> None:
        """Free the seat of another person, between hands."""
        await self._stand_up(self._state.removable(player, name), "the host has removed you from the table")

    async def leave(self, player: str) -> None:
        """End the session, in which a hand in progress does not count; a guest leaves the table only."""
        if not self._state.plan.is_host(player):
            await self._stand_up(player, "you have left the table")
            return
        await self._halt()
        try:
            await self._kept.leave()
        finally:
            if self._state.phase != "closed":
                self._ensure_running()
        self._show()
        await self.stop()

    async def _stand_up(self, player: str, sentence: str) -> None:
        await self._change_people(lambda shared: shared.left(player, self._state.number))
        self.viewers.dismiss(player, sentence)

    async def _change_people(self, change: Callable[[SharedTable], SharedTable]) -> None:
        await self._change_plan(lambda plan: plan.with_people(change(plan.require_shared())))

    async def _change_plan(self, change: Callable[[SessionPlan], SessionPlan]) -> None:
        try:
            await self._kept.change_plan(change)
        except SeatError as error:
            raise RefusedMessage(RefusalCode.NOT_NOW, str(error)) from None
        self._show_anew()

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

    def _goes_on(self) -> bool:
        return bool(self.viewers) and not self._state.paused

    async def _run(self) -> None:
        try:
            await self._seat_agents()
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
                reason = f": {not_kept(error)}. Press Continue to try again."
            self._state.notice = f"The table stopped{reason}"
            self._state.paused = True
            self._loop = None
            self._show()

    async def _seat_agents(self) -> None:
        """Have the agents play with everybody in the hand in progress, or in the next one."""
        names = self._state.playing
        if len(names) > 1:
            await self._agents.sit_down(names, self._state.plan, self._state.number)

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
        elif state.is_person(hand, actor):
            await self._person_acts(hand, actor)
        else:
            await self._agent_acts(hand, actor)

    async def _next_hand(self) -> None:
        state = self._state
        if state.number >= MOST_HANDS:
            state.paused = True
            state.notice = f"A session can have at most {MOST_HANDS:,} hands: end it and start another one."
            self._show()
            return
        if not state.can_deal:
            self._deal_asked = False
            await self._until(lambda: state.can_deal or not self._goes_on())
            return
        if not await self._deal_is_due():
            return
        if self._explaining:
            await asyncio.wait(tuple(self._explaining.values()), timeout=REASONS_WAIT)
        self._deal_asked = state.forwarding = False
        if not state.number and state.plan.filled() != state.plan:
            await self._change_plan(SessionPlan.filled)
        await self._seat_agents()
        chosen = state.plan.training is not None and state.plan.training.hands
        # Parsing the text of chosen starting hands takes a few milliseconds.
        hand, seating = await asyncio.to_thread(state.deal) if chosen else state.deal()
        await self._kept.begin(hand, seating)
        # A repeated request made while the cards were written is fulfilled now.
        self._deal_asked = False
        self._show()

    def _waits(self) -> bool:
        """Whether the next hand is dealt on request only, as the first one of several people is."""
        state = self._state
        is_first = state.plan.shared is not None and not state.number
        return bool(self._holding) or not state.plan.auto_deal or is_first

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
        return (self._deal_asked or not stops()) and self._state.can_deal

    async def _person_acts(self, hand: DealtHand, position: int) -> None:
        """Wait for a person to act; one who has left, or whose time is up, checks or folds."""
        state, step, name = self._state, hand.step, hand.players[position]

        def is_done() -> bool:
            return hand.step != step or not self._goes_on()

        def is_away() -> bool | None:
            player = state.plan.player_named(name)
            return None if player is None else not self.viewers.of(player)

        if state.plan.shared is None:
            await self._until(is_done)
            return
        chair, seconds = hand.chairs[position], state.plan.shared.clock
        if await self._clock.overruns(self._bell, chair, seconds, is_done, is_away, self._show):
            await self._pass(hand, name)

    async def _pass(self, hand: DealtHand, name: str) -> None:
        """Check or fold for a person who has left, or whose time is up."""
        state, action = self._state, hand.passing
        player = state.plan.player_named(name)
        if player is not None:
            self._overrun[player] += 1
            state.notice = f"{name} ran out of time and {'folded' if action == FOLD else 'checked'}."
        await self._do(partial(state.still, hand, hand.step, action))
        if player is not None and self._overrun[player] >= MOST_OVERRUN:
            await self._change_people(lambda shared: shared.sitting_out(player, True))

    async def _agent_acts(self, hand: DealtHand, position: int) -> None:
        state, loop = self._state, asyncio.get_running_loop()
        began, label, step = loop.time(), hand.players[position], hand.step
        thought = await self._agents.decide(hand, position, state.number)
        needed = self._rhythm.needed(label, loop.time() - began, hides=state.plan.hides)
        while True:
            forwarding = state.forwarding
            length = pace.STEPS["instant" if forwarding else state.plan.speed]
            due = began + pace.quantised(max(needed, loop.time() - began), length)
            await self._until(lambda f=forwarding: state.forwarding != f, due - loop.time())  # type: ignore[misc]
            if loop.time() >= due - 1e-3:
                break
        await self._until(self._goes_on)
        if thought.fault:
            state.notice = f"{label} could not decide and checked or folded instead: {thought.fault}."
        await self._do(partial(state.still, hand, step, thought.action))
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
