"""A session while it is played: deals, lets agents think, takes the person's actions, and tells every viewer.

Nothing is told before it is written: a hand's cards before they are dealt, an action before it is seen. So whoever was
told something finds it again after a crash, and a hand goes on where it stopped.
"""

import asyncio
import logging
from collections.abc import Callable, Mapping
from contextlib import suppress
from dataclasses import replace
from datetime import UTC, datetime
from typing import Any, Literal, Protocol, TypeAlias

from railbird.agent import HandResult
from railbird.engine.actions import CALL, FOLD, Action, raise_to
from railbird.engine.events import Chips
from railbird.engine.record import Details
from railbird.engine.table import Seating, Table
from railbird.interfaces.web import dealing, messages, pace
from railbird.interfaces.web.dealt_hand import DealtHand
from railbird.interfaces.web.journal import Journal
from railbird.interfaces.web.messages import Code, Reason, Refused, TableView, Unit
from railbird.interfaces.web.session_plan import PERSON, SessionPlan
from railbird.interfaces.web.thinkers import ThinkerError, Thinkers, Thought
from railbird.interfaces.web.views import Viewer, chips_to_json, empty_view, hand_view, unit_of
from railbird.store.sessions import (
    ActionsDone,
    HandBegun,
    HandOver,
    HandVoided,
    ReasonGiven,
    SessionFinished,
    SettingsChanged,
    StoredHand,
    StoredSessions,
)

log = logging.getLogger(__name__)

REMEMBERED = 60
"""So many earlier hands are told to agents that sit down anew."""
ADVISED = 50
"""So many to an advisor."""
REASONS_WAIT = 10.0
"""Seconds after which a hand ends without the reasons that are still missing."""

Phase: TypeAlias = Literal["ready", "playing", "over", "closed"]


class Viewing(Protocol):
    """Somebody who looks at the table."""

    def show(self, view: str) -> None:
        """Show a view in place of any earlier one; must not wait."""
        ...


class LiveTable:
    """One session. All methods belong to the event loop."""

    def __init__(
        self,
        session: str,
        plan: SessionPlan,
        stored: StoredSessions,
        journal: Journal,
        thinkers: Thinkers,
        *,
        finished: bool = False,
    ) -> None:
        self.session, self.plan, self._finished = session, plan, finished
        self._stored, self._journal, self._thinkers = stored, journal, thinkers
        self._rules = plan.game()
        self._table = Table(self._rules)
        self._hand: DealtHand | None = None
        self._seating: Seating
        self._settled = True
        """Whether the last hand is over and paid."""
        self._number = 0
        self._net: Chips = 0
        self._counted = 0
        self._reasons: dict[int, dict[str, Any]] = {}
        self._pending: dict[int, asyncio.Task[None]] = {}
        self._phase: Phase = "ready"
        self._paused = self._forwarding = self._deal_asked = False
        self._notice = ""
        self._version = 0
        self._viewers: set[Viewing] = set()
        self._stirred = asyncio.Event()
        self._seated = False
        self._acting = asyncio.Lock()
        self._loop: asyncio.Task[None] | None = None

    # From and to the store

    async def load(self) -> None:
        """Take up what was kept of the session: paid hands, and maybe one that is still running."""
        for stored in await asyncio.to_thread(self._stored.hands, self.session):
            try:
                self._take_up(stored)
            except (ValueError, KeyError, TypeError):
                # A hand that cannot be played on is void, and all chips go back.
                log.exception("hand %s of session %s cannot be played on", stored.number, self.session)
                await self._write(HandVoided(self.session, stored.number, "it could not be played on"))
        if self._hand is not None:
            kept = await asyncio.to_thread(self._stored.hand, self.session, self._hand.number)
            if kept is not None:
                self._reasons = {step: dict(reasons) for step, reasons in kept.reasons.items()}
        if self._finished:
            self._phase = "closed"

    def _take_up(self, stored: StoredHand) -> None:
        self._number = stored.number
        self._buy_in()
        seating = self._table.next_hand()
        if stored.voided:
            return
        hand = DealtHand.restored(stored.number, stored.start, stored.actions)
        if not stored.over:
            self._hand, self._seating = hand, seating
            self._settled, self._phase = False, "playing"
            return
        self._table.settle(seating, hand.state.payoffs)
        self._count(hand, stored.counted)
        # The last one still lies on the table.
        self._hand, self._phase = hand, "over"

    def _count(self, hand: DealtHand, counted: bool) -> None:
        if counted:
            self._counted += 1
            position = None if self.plan.person is None else hand.position(self.plan.person)
            if position is not None:
                self._net += hand.state.payoffs[position]

    async def _earlier(self, most: int) -> list[dict[str, HandResult]]:
        """The last hands that were played to their end, by label as each seat saw them."""

        def read() -> list[dict[str, HandResult]]:
            after = max(0, self._number - most)
            return [
                _results_of(DealtHand.restored(stored.number, stored.start, stored.actions))
                for stored in self._stored.hands(self.session, after)
                if stored.over and not stored.voided
            ]

        return await asyncio.to_thread(read)

    def _buy_in(self) -> None:
        """Where stacks are carried on, who has nothing left buys the first stack again."""
        if self._rules.carry:
            for seat, chips in enumerate(self._table.stacks):
                if chips < 1:
                    self._table.add_chips(seat, self._rules.stacks[seat])

    # Viewers

    @property
    def is_watched(self) -> bool:
        """Whether anybody looks."""
        return bool(self._viewers)

    def join(self, viewer: Viewing) -> None:
        """Somebody looks at the table, and sees it as it is."""
        self._viewers.add(viewer)
        viewer.show(messages.write(self.view()))
        self._ensure_running()
        self._stir()

    def _ensure_running(self) -> None:
        if self._loop is None and self._phase != "closed":
            self._loop = asyncio.create_task(self._run())

    def part(self, viewer: Viewing) -> None:
        """Somebody looks away. Agents wait until somebody looks again."""
        self._viewers.discard(viewer)
        self._stir()

    def _show(self) -> None:
        self._version += 1
        text = messages.write(self.view())
        for viewer in tuple(self._viewers):
            viewer.show(text)

    def view(self) -> TableView:
        """The table as its person, or somebody at the rail, sees it."""
        plan = self.plan
        if self._hand is None:
            hand = empty_view(plan.person, plan.names, plan.agents, self._table.stacks)
        else:
            hand = hand_view(self._hand, self._viewer(), plan.names, plan.agents)
        return TableView(
            version=self._version,
            session=self.session,
            title=plan.title,
            training=plan.training,
            watching=plan.watching,
            phase=self._phase,
            paused=self._paused,
            auto_deal=plan.auto_deal,
            speed=plan.speed,
            forwarding=self._forwarding,
            hand=hand.hand,
            step=hand.step,
            round=hand.round,
            board=hand.board,
            pot=hand.pot,
            pots=hand.pots,
            button=hand.button,
            to_act=hand.to_act,
            chairs=hand.chairs,
            actions=hand.actions,
            log=hand.log,
            reasons=self._reasons_offered(),
            net=chips_to_json(self._net),
            hands=self._counted,
            unit=Unit(**unit_of(self._rules)),
            notice=self._notice,
        )

    def _viewer(self) -> Viewer:
        open_cards = self.plan.training is not None and self.plan.training.face_up
        return Viewer(self.plan.person, sees_all=open_cards or self.plan.watching)

    @property
    def _discloses(self) -> bool:
        """Whether reasons for this hand's actions may be told: when it is over, in training, or to who only watches."""
        return self._settled or not self.plan.counted or self.plan.watching

    def _reasons_offered(self) -> list[Reason]:
        if self._hand is None or not self._discloses:
            return []
        actors = [self._hand.chairs[node.act.seat] for node in self._hand.state.node.path]
        return [Reason(step, actors[step]) for step in sorted(self._reasons)]

    # What people ask for

    async def act(self, message: messages.Act) -> None:
        """The person's action."""
        hand = self._now(message.hand, message.step)
        position = self._own_position(hand)
        if position is None or hand.state.actor != position:
            raise Refused(Code.NOT_YOUR_TURN, "it is not your turn")
        if message.action == "raise":
            action = raise_to(message.to)
        else:
            action = FOLD if message.action == "fold" else CALL
            if message.to:
                raise Refused(Code.MALFORMED, f"{message.action} goes to no amount")
        if not hand.state.legal_actions.allows(action):
            raise Refused(Code.ILLEGAL, self._why_illegal(hand, action))
        if self._paused:
            raise Refused(Code.NOT_NOW, "the table is paused")
        await self._do(hand, action)

    def _why_illegal(self, hand: DealtHand, action: Action) -> str:
        try:
            hand.state.verify(action)
        except ValueError as error:
            return str(error)
        return f"you may not {action} now"

    def _now(self, number: int, step: int) -> DealtHand:
        """The running hand, if the message means this very moment of it."""
        hand = self._hand
        if hand is None or self._phase != "playing":
            raise Refused(Code.NOT_NOW, "no hand is being played")
        if number != hand.number or step != hand.step:
            raise Refused(
                Code.TOO_LATE,
                f"this was meant for step {step} of hand {number}, but it is step {hand.step} of hand {hand.number}",
            )
        return hand

    def _own_position(self, hand: DealtHand) -> int | None:
        return None if self.plan.person is None else hand.position(self.plan.person)

    async def deal(self) -> None:
        """The next hand, now."""
        if self._phase not in ("ready", "over"):
            raise Refused(Code.NOT_NOW, "a hand is being played")
        self._deal_asked = True
        self._stir()

    async def pause(self, paused: bool) -> None:
        """Hold the table, or let it go on."""
        self._require_open()
        self._paused = paused
        self._show()
        self._ensure_running()
        self._stir()

    async def change_settings(self, message: messages.Settings) -> None:
        """Another speed, or hands that follow each other by themselves or do not."""
        self._require_open()
        plan = self.plan.to_json()
        if message.speed is not None:
            plan["speed"] = message.speed
        if message.auto_deal is not None:
            plan["auto_deal"] = message.auto_deal
        await self._write(SettingsChanged(self.session, plan))
        self.plan = SessionPlan.from_json(plan)
        self._show()
        self._stir()

    async def forward(self) -> None:
        """The rest of this hand at once, when the person has nothing left to decide in it."""
        hand = self._hand
        if hand is None or self._phase != "playing":
            raise Refused(Code.NOT_NOW, "no hand is being played")
        position = self._own_position(hand)
        if position is not None and not hand.state.folded[position]:
            raise Refused(Code.NOT_NOW, "you are still in the hand")
        self._forwarding = True
        self._show()
        self._stir()

    async def strength(self, message: messages.Strength) -> list[dict[str, Any]]:
        """How strong the person's hand is."""
        hand = self._now(message.hand, message.step)
        position = self._own_position(hand)
        if position is None or hand.state.folded[position]:
            raise Refused(Code.NOT_NOW, "you have no hand")
        facts: list[dict[str, Any]] = await self._asked(self._thinkers.strength(hand.observation(position)))
        return facts

    async def advise(self, message: messages.Advise) -> dict[str, Any]:
        """What an agent would do in the person's place, which sees no more than the person does."""
        hand = self._now(message.hand, message.step)
        position = self._own_position(hand)
        if position is None or hand.state.actor != position:
            raise Refused(Code.NOT_YOUR_TURN, "it is not your turn")
        label = hand.players[position]
        earlier = [results[label] for results in await self._earlier(ADVISED) if label in results]
        thought: Thought = await self._asked(
            self._thinkers.advise(
                message.agent,
                self._rules,
                tuple(self.plan.names),
                label,
                hand.observation(position),
                earlier,
            )
        )
        if thought.fault or thought.reasons is None:
            raise Refused(Code.BROKEN, f"{message.agent} gives no advice: {thought.fault}")
        return {"name": message.agent, **thought.reasons}

    async def _asked(self, question: Any) -> Any:
        try:
            return await question
        except ThinkerError as error:
            raise Refused(Code.UNKNOWN, str(error)) from None

    async def why(self, message: messages.Why) -> dict[str, Any]:
        """The reasons for an action, once they may be told."""
        current = self._hand is not None and message.hand == self._hand.number
        if current and not self._discloses:
            raise Refused(Code.NOT_NOW, "reasons are told when the hand is over")
        found: Mapping[int, Mapping[str, Any]] = {}
        if current:
            found = self._reasons
        elif 0 < message.hand < self._number:
            stored = await asyncio.to_thread(self._stored.hand, self.session, message.hand)
            found = stored.reasons if stored is not None and stored.over else {}
        if message.step not in found:
            raise Refused(
                Code.UNKNOWN, f"no reasons are known for step {message.step} of hand {message.hand}"
            )
        return dict(found[message.step])

    async def leave(self) -> None:
        """End the session; a hand in progress does not count."""
        if self._phase == "closed":
            return
        if not self._settled:
            await self._write(HandVoided(self.session, self._number, "the session was left"))
        await self._write(SessionFinished(self.session))
        self._phase = "closed"
        self._show()
        await self.stop()

    async def stop(self) -> None:
        """Let go of everything; what was played is in the store."""
        self._stir()
        tasks = [task for task in (self._loop, *self._pending.values()) if task is not None]
        self._loop = None
        for task in tasks:
            task.cancel()
        await asyncio.gather(*tasks, return_exceptions=True)
        self._pending.clear()
        if self._seated:
            self._seated = False
            with suppress(ThinkerError):
                await self._thinkers.close_table(self.session)

    def _require_open(self) -> None:
        if self._phase == "closed":
            raise Refused(Code.NOT_NOW, "the session is over")

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
        return bool(self._viewers) and not self._paused

    async def _run(self) -> None:
        try:
            await self._seat_agents()
            while True:
                await self._until(self._goes_on)
                await self._go_on()
        except asyncio.CancelledError:
            raise
        except Exception as error:
            log.exception("the table of session %s stopped", self.session)
            self._notice = (
                f"The table stopped: {error}" if isinstance(error, ThinkerError) else "The table stopped."
            )
            self._paused = True
            self._loop = None
            self._show()

    async def _go_on(self) -> None:
        hand = self._hand
        if hand is None or self._settled:
            await self._next_hand()
            return
        actor = hand.state.actor
        if actor is None:
            await self._end_hand(hand)
        elif actor == self._own_position(hand):
            await self._until(lambda: hand.state.actor != actor or not self._goes_on())
        else:
            await self._agent_acts(hand, actor)

    async def _seat_agents(self) -> None:
        agents = {
            name: agent
            for name, agent in zip(self.plan.names, self.plan.agents, strict=True)
            if agent != PERSON
        }
        await self._thinkers.open(self.session, self._rules, tuple(self.plan.names), agents)
        self._seated = True
        if self._number:
            earlier = await self._earlier(REMEMBERED)
            await self._thinkers.remember(
                self.session,
                [{name: result for name, result in hand.items() if name in agents} for hand in earlier],
            )

    async def _next_hand(self) -> None:
        if self._phase == "over" and self.plan.auto_deal:
            await self._until(
                lambda: self._deal_asked or not self._goes_on(), pace.AFTER_HAND[self.plan.speed]
            )
        elif not self.plan.auto_deal:
            await self._until(lambda: self._deal_asked or self.plan.auto_deal or not self._goes_on())
        if not self._goes_on() and not self._deal_asked:
            return
        self._deal_asked = self._forwarding = False
        self._buy_in()
        seating = self._table.next_hand()
        # A setup of its own: the betting situations of a long evening are not kept.
        setup = replace(seating.setup)
        number = self._number + 1
        person = None if self.plan.person is None else seating.seats.index(self.plan.person)
        training = self.plan.training
        if training is not None and training.hands and person is not None:
            state = await asyncio.to_thread(dealing.deal_chosen, setup, person, training.hands)
        else:
            state = dealing.deal(setup)
        hand = DealtHand(
            number,
            state,
            tuple(self.plan.names[seat] for seat in seating.seats),
            seating.seats,
            seating.button,
        )
        await self._write(HandBegun(self.session, number, hand.start(), self.plan.counted))
        self._number, self._hand, self._seating = number, hand, seating
        # Whoever asked again while the cards were written has them now.
        self._deal_asked = False
        self._settled, self._reasons, self._phase = False, {}, "playing"
        self._notice = ""
        self._show()

    async def _agent_acts(self, hand: DealtHand, position: int) -> None:
        loop = asyncio.get_running_loop()
        began = loop.time()
        label = hand.players[position]
        thought = await self._think(hand, label, position)
        while True:
            step = pace.STEPS["instant" if self._forwarding else self.plan.speed]
            due = began + pace.quantised(loop.time() - began, step)
            forwarding = self._forwarding
            await self._until(lambda f=forwarding: self._forwarding != f, due - loop.time())  # type: ignore[misc]
            if loop.time() >= due - 1e-3:
                break
        await self._until(self._goes_on)
        if thought.fault:
            self._notice = f"{label} could not decide and checks or folds: {thought.fault}"
        number = hand.step
        await self._do(hand, thought.action)
        if not thought.fault:
            self._pending[number] = asyncio.create_task(self._fetch_reasons(hand, number, label, thought))

    async def _think(self, hand: DealtHand, label: str, position: int) -> Thought:
        try:
            return await self._thinkers.decide(self.session, label, hand.observation(position), "later")
        except ThinkerError:
            # The process of the agents has gone: they sit down anew, once.
            await self._seat_agents()
            return await self._thinkers.decide(self.session, label, hand.observation(position), "later")

    async def _fetch_reasons(self, hand: DealtHand, step: int, label: str, thought: Thought) -> None:
        try:
            reasons = thought.reasons or await self._thinkers.reasons(self.session, label, thought.decision)
        except ThinkerError:
            return
        finally:
            self._pending.pop(step, None)
        found = {"name": label, **reasons}
        await self._write(ReasonGiven(self.session, hand.number, step, found))
        if hand is self._hand:
            self._reasons[step] = found
            if self._discloses:
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
        pending = tuple(self._pending.values())
        if pending:
            await asyncio.wait(pending, timeout=REASONS_WAIT)
        now = datetime.now(UTC).isoformat(timespec="seconds")
        record = hand.record(Details(venue="Railbird", table=self.session, time=now))
        payoffs = hand.state.payoffs
        position = self._own_position(hand)
        ending = {
            "payoffs": [chips_to_json(payoff) for payoff in payoffs],
            "won": None if position is None else str(payoffs[position]),
            "showdown": hand.state.is_showdown,
            "time": now,
        }
        await self._write(HandOver(self.session, hand.number, ending, record if self.plan.counted else None))
        self._table.settle(self._seating, payoffs)
        self._count(hand, self.plan.counted)
        self._settled, self._phase, self._forwarding = True, "over", False
        self._show()
        agents = {
            name: result
            for name, result in _results_of(hand).items()
            if self.plan.agents[self.plan.names.index(name)] != PERSON
        }
        try:
            await self._thinkers.end_hand(self.session, agents)
        except ThinkerError:
            await self._seat_agents()

    async def _write(self, change: Any) -> None:
        """Write a change; when this returns it is kept. The journal keeps the order."""
        await self._journal.write(change)


def _results_of(hand: DealtHand) -> dict[str, HandResult]:
    return {label: hand.result(position) for position, label in enumerate(hand.players)}
