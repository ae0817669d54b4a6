"""One browser at one table: reads its messages, answers each, and sends the newest view.

A view replaces one that has not been sent yet, so a slow connection never falls behind. Messages have length and rate
limits; a refused message changes nothing, and a connection with too many refused messages is closed.
"""

import asyncio
import logging
from collections import deque
from contextlib import suppress

from starlette.websockets import WebSocket, WebSocketDisconnect, WebSocketState

from railbird.interfaces.web.http.rates import Bucket
from railbird.interfaces.web.http.room import Crowded, Room
from railbird.interfaces.web.table import messages
from railbird.interfaces.web.table.kept_session import not_kept
from railbird.interfaces.web.table.live_table import LiveTable
from railbird.interfaces.web.table.messages import Done, Error, RefusalCode, RefusedMessage, Told
from railbird.store.addresses import StoreError

log = logging.getLogger(__name__)

PER_SECOND, BURST = 20.0, 40.0
MOST_REFUSED = 100
"""Maximum number of messages above the rate limit before the connection is closed."""
MOST_WAITING, MOST_WAITING_CHARACTERS = 200, 2_000_000
"""Maximum number and total length of replies waiting to be sent; reasons are long."""
POLICY_VIOLATION, TRY_LATER = 1008, 1013
NOT_FOUND = 4404
"""The close code of a WebSocket to a session that does not exist, or in which the player has no seat."""


class TableSocket:
    """A browser's connection to a table."""

    def __init__(self, socket: WebSocket, table: LiveTable, player: str, address: str, study: Room) -> None:
        self._socket, self._table, self._player = socket, table, player
        self._address, self._study = address, study
        self._view: str | None = None
        self._dismissed = ""
        self._answers: deque[str] = deque()
        self._something = asyncio.Event()
        self._bucket = Bucket(PER_SECOND, BURST)
        self._refused = 0
        self._studying: asyncio.Task[None] | None = None
        self._question: messages.Asked | None = None
        """The newest question, which waits while an earlier one is being answered."""

    def show(self, view: str) -> None:
        """Set the newest view of the table."""
        self._view = view
        self._something.set()

    def dismiss(self, sentence: str) -> None:
        """Close the connection, because the player has no seat any more."""
        self._dismissed = sentence
        self._something.set()

    def _answer(self, message: Told) -> None:
        self._answers.append(messages.write(message))
        self._something.set()

    async def serve(self) -> None:
        """Exchange messages until either side disconnects."""
        await self._socket.accept()
        self._table.join(self, self._player)
        sending = asyncio.create_task(self._send())
        try:
            await self._receive()
        except WebSocketDisconnect:
            pass
        finally:
            self._table.part(self)
            tasks = [task for task in (sending, self._studying) if task is not None]
            for task in tasks:
                task.cancel()
            await asyncio.gather(*tasks, return_exceptions=True)
            if self._socket.application_state is WebSocketState.CONNECTED:
                with suppress(RuntimeError, WebSocketDisconnect):
                    await self._socket.close(POLICY_VIOLATION)

    async def _send(self) -> None:
        while True:
            await self._something.wait()
            self._something.clear()
            while self._answers or self._view is not None:
                if self._answers:
                    text = self._answers.popleft()
                else:
                    assert self._view is not None
                    text, self._view = self._view, None
                await self._socket.send_text(text)
            if self._dismissed:
                await self._socket.close(NOT_FOUND, self._dismissed)
                return

    async def _receive(self) -> None:
        while self._refused < MOST_REFUSED and not self._is_behind():
            received = await self._socket.receive()
            if received["type"] == "websocket.disconnect":
                return
            text = received.get("text")
            if text is None:
                text = received.get("bytes") or b""
            await self._hear(text)

    def _is_behind(self) -> bool:
        """Whether the browser requests more than it reads."""
        waiting = self._answers
        return len(waiting) >= MOST_WAITING or sum(map(len, waiting)) >= MOST_WAITING_CHARACTERS

    async def _hear(self, text: str | bytes) -> None:
        if len(text.encode() if isinstance(text, str) else text) > messages.LONGEST_MESSAGE:
            self._refused += 1
            self._answer(
                Error(
                    None,
                    RefusalCode.TOO_LONG,
                    f"a message may have at most {messages.LONGEST_MESSAGE:,} bytes",
                )
            )
            return
        if not self._bucket.take():
            self._refused += 1
            self._answer(
                Error(messages.id_of(text), RefusalCode.TOO_FAST, "too many messages: wait a moment")
            )
            return
        try:
            message = messages.read(text)
            if isinstance(message, messages.RangeMessage):
                self._table.inquiries.require_over(message)
        except RefusedMessage as refused:
            self._answer(Error(messages.id_of(text), refused.code, str(refused)))
            return
        if isinstance(message, messages.StrengthMessage | messages.Advise | messages.RangeMessage):
            # These take a while, and the next action must not wait for them to finish.
            if self._question is not None:
                replaced = "a newer question has replaced this one"
                self._answer(Error(self._question.id, RefusalCode.TOO_LATE, replaced))
            self._question = message
            if self._studying is None or self._studying.done():
                self._studying = asyncio.create_task(self._study_and_reply())
        else:
            await self._reply(message)

    async def _study_and_reply(self) -> None:
        """Answer one question after the other, always the newest one."""
        while (message := self._question) is not None:
            self._question = None
            try:
                with self._study.taken(self._address):
                    await self._reply(message)
            except Crowded:
                crowded = "too many questions at the moment: try again soon"
                self._answer(Error(message.id, RefusalCode.TOO_FAST, crowded))

    async def _reply(self, message: messages.Asked) -> None:
        try:
            self._answer(await self._do(message))
        except RefusedMessage as refused:
            self._answer(Error(message.id, refused.code, str(refused)))
        except StoreError as error:
            log.exception("the store refused a change of session %s", self._table.session)
            self._answer(Error(message.id, RefusalCode.BROKEN, not_kept(error)))

    async def _do(self, message: messages.Asked) -> Told:
        table, player = self._table, self._player
        match message:
            case messages.ActMessage():
                await table.act(player, message)
            case messages.Deal():
                await table.deal(player)
            case messages.Hold(held=held):
                table.hold(self, held)
            case messages.Pause():
                await table.pause(player, True)
            case messages.Continue():
                await table.pause(player, False)
            case messages.Settings():
                await table.change_settings(player, message)
            case messages.ForwardMessage():
                await table.forward(player)
            case messages.SitOutMessage():
                await table.sit_out(player, message.out)
            case messages.RemoveMessage():
                await table.remove(player, message.name)
            case messages.Leave():
                await table.leave(player)
            case messages.StrengthMessage():
                return messages.StrengthTold(message.id, await table.inquiries.strength(player, message))
            case messages.Advise():
                advice = await table.inquiries.advise(player, message)
                return messages.Advice(message.id, message.agent, advice)
            case messages.Why():
                street, reasons = await table.inquiries.why(player, message)
                return messages.Reasons(message.id, message.hand, message.step, street, reasons)
            case messages.RangeMessage():
                found = await table.inquiries.range(player, message)
                return messages.RangeTold(message.id, message.hand, message.step, found)
        return Done(message.id)
