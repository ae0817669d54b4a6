"""A session and its stored form: every change is written first, then applied.

Everything that a viewer was shown therefore survives a crash. Changes are made one at a time; if the store refuses one,
the session was changed elsewhere, for example by another server with the same store, and it is read again.
"""

import asyncio
import logging
from collections.abc import Callable, Mapping
from datetime import UTC, datetime
from typing import Any, TypeAlias

from railbird.engine.actions import Action
from railbird.engine.record import Details
from railbird.engine.table import Seating
from railbird.interfaces.web.study.recent_play import RECENT, RecentPlay
from railbird.interfaces.web.table.dealt_hand import DealtHand
from railbird.interfaces.web.table.messages import PlateStatistics, RefusalCode, RefusedMessage
from railbird.interfaces.web.table.session_journal import SessionJournal
from railbird.interfaces.web.table.session_plan import SessionPlan
from railbird.interfaces.web.table.session_state import SessionState
from railbird.interfaces.web.table.views import chips_to_json
from railbird.store.addresses import StoreError, StoreFull
from railbird.store.sessions import (
    ActionsDone,
    Change,
    HandBegun,
    HandOver,
    HandVoided,
    ReasonGiven,
    SessionError,
    SessionFinished,
    SettingsChanged,
    StoredSession,
    StoredSessions,
)

log = logging.getLogger(__name__)

ELSEWHERE = "This session was continued elsewhere."

Step: TypeAlias = tuple[tuple[Change, ...], Callable[[], None]]
"""The changes to write, and the function that applies them afterwards."""


def not_kept(error: StoreError) -> str:
    """A message for a failed change, without the store's own message, which may contain file names."""
    why = (
        "the disk of the server is full" if isinstance(error, StoreFull) else "the change could not be saved"
    )
    return f"{why}: nothing was changed"


class KeptSession:
    """A session in memory and in the store."""

    def __init__(
        self,
        session: StoredSession,
        stored: StoredSessions,
        journal: SessionJournal,
        gone_on_elsewhere: Callable[[], None],
    ) -> None:
        self.id = session.id
        self._gone_on_elsewhere = gone_on_elsewhere
        self.state = SessionState(session.id, SessionPlan.from_json(session.settings))
        self._stored, self._journal = stored, journal
        self._recent = RecentPlay()
        self._changing = asyncio.Lock()

    async def load(self) -> None:
        """Load the session: finished hands, and possibly one in progress."""
        self.state, lost = await asyncio.to_thread(self._read)
        for number in lost:
            await self._journal.write(HandVoided(self.id, number, "it could not be continued"))

    def _read(self) -> tuple[SessionState, list[int]]:
        """The state of the session in the store, and the numbers of hands that cannot be resumed."""
        session = self._stored.session(self.id)
        plan = self.state.plan if session is None else SessionPlan.from_json(session.settings)
        state = SessionState(self.id, plan)
        hands = self._stored.hands(self.id)
        lost = state.take_up(hands)
        if state.hand is not None:
            kept = self._stored.hand(self.id, state.hand.number)
            if kept is not None:
                state.reasons = {step: dict(reasons) for step, reasons in kept.reasons.items()}
        if session is None or session.finished:
            state.phase = "closed"
        self._recent = RecentPlay()
        for stored in [each for each in hands if each.over and each.ending is not None][-RECENT:]:
            self._recent.add(DealtHand.restored(stored.number, stored.start, stored.actions))
        return state, lost

    def statistics(self, player: str) -> Mapping[str, PlateStatistics]:
        """How the others have played lately; where several people play, only if the host allows it."""
        plan = self.state.plan
        allowed = plan.shared is None or plan.shared.statistics
        return self._recent.seen_by(plan.name_of(player)) if allowed else {}

    async def reasons(self, number: int) -> Mapping[int, Mapping[str, Any]]:
        """The reasons of a hand that may be disclosed, by step."""
        found = self.state.reasons_now(number)
        if found is None and 0 < number < self.state.number:
            stored = await asyncio.to_thread(self._stored.hand, self.id, number)
            found = stored.reasons if stored is not None and stored.over else None
        return found or {}

    async def hand(self, number: int) -> DealtHand:
        """A hand of this session, in progress or stored."""
        if self.state.hand is not None and number == self.state.hand.number:
            return self.state.hand
        stored = await asyncio.to_thread(self._stored.hand, self.id, number)
        if stored is None:
            raise RefusedMessage(RefusalCode.UNKNOWN, f"hand {number} is not stored")
        return DealtHand.restored(stored.number, stored.start, stored.actions)

    async def _change(self, prepare: Callable[[], Step]) -> None:
        """Make a change; cancelling the caller does not interrupt it."""

        async def change() -> None:
            async with self._changing:
                changes, do = prepare()
                try:
                    await self._journal.write(*changes)
                except SessionError:
                    self.state, _ = await asyncio.to_thread(self._read)
                    self.state.paused, self.state.notice = True, f"{ELSEWHERE} Press Continue to play here."
                    self._gone_on_elsewhere()
                    raise RefusedMessage(RefusalCode.TOO_LATE, ELSEWHERE) from None
                do()

        await asyncio.shield(asyncio.create_task(change()))

    async def settle_down(self) -> None:
        """Wait until pending changes are done."""
        async with self._changing:
            pass

    async def begin(self, hand: DealtHand, seating: Seating) -> None:
        """Record a new hand."""

        def begin() -> Step:
            state = self.state
            state.require_open()
            begun = HandBegun(self.id, hand.number, hand.start(), state.plan.counted)
            return (begun,), lambda: state.begin(hand, seating)

        await self._change(begin)

    async def act(self, decide: Callable[[], tuple[DealtHand, Action]]) -> None:
        """Record an action, which is decided or refused when it is its turn to be written."""

        def act() -> Step:
            self.state.require_open()
            hand, action = decide()
            done = ActionsDone(self.id, hand.number, hand.done(action))
            return (done,), lambda: self.state.act(hand, action)

        await self._change(act)

    async def explain(self, hand: DealtHand, step: int, reasons: dict[str, Any]) -> None:
        """Record the reasons for an action."""
        try:
            await self._journal.write(ReasonGiven(self.id, hand.number, step, reasons))
        except StoreError:
            log.exception("reasons in hand %s of session %s are lost", hand.number, self.id)
            return
        if hand is self.state.hand:
            self.state.reasons[step] = reasons

    async def end(self, hand: DealtHand) -> None:
        """Record the end of a hand."""
        await self._change(lambda: self._ending(hand))

    def _ending(self, hand: DealtHand) -> Step:
        state = self.state
        state.require_open()
        now = datetime.now(UTC).isoformat(timespec="seconds")
        record = hand.record(Details(venue="Railbird", table=self.id, time=now))
        payoffs = hand.state.payoffs
        person = state.plan.person
        position = None if person is None else hand.position(person)
        ending = {
            "payoffs": [chips_to_json(payoff) for payoff in payoffs],
            "won": None if position is None else str(payoffs[position]),
            "showdown": hand.state.is_showdown,
            "time": now,
        }
        over = HandOver(self.id, hand.number, ending, record if state.plan.counted else None)

        def end() -> None:
            state.end()
            self._recent.add(hand)

        return (over,), end

    async def change_plan(self, change: Callable[[SessionPlan], SessionPlan], *also: Change) -> None:
        """Change the settings or the people of the table, or raise what `change` raises."""

        def settle() -> Step:
            state = self.state
            state.require_open()
            changed = change(state.plan)
            return (SettingsChanged(self.id, changed.to_json()), *also), lambda: state.follow(changed)

        await self._change(settle)

    async def leave(self) -> None:
        """End the session; a hand in progress does not count."""
        await self._change(self._leaving)

    def _leaving(self) -> Step:
        state = self.state
        changes: tuple[Change, ...] = ()
        ends: Callable[[], None] | None = None
        if state.phase != "closed":
            changes = (SessionFinished(self.id),)
            if not state.is_settled:
                hand = state.running()
                if hand.state.is_over:
                    (over,), ends = self._ending(hand)
                    changes = (over, *changes)
                else:
                    changes = (HandVoided(self.id, hand.number, "the session was left"), *changes)

        def close() -> None:
            if ends is not None:
                ends()
            state.phase = "closed"

        return changes, close
