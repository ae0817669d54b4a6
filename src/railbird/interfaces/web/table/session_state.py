"""The state of a session: its hand, stacks, results, and what may be disclosed. Nothing here waits or writes."""

import logging
from collections.abc import Iterable, Mapping
from dataclasses import replace
from typing import Any, Literal, TypeAlias

from msgspec.structs import asdict

from railbird.engine.actions import CALL, FOLD, Action, raise_to
from railbird.engine.events import Chips
from railbird.engine.table import Seating, Table
from railbird.interfaces.web.table import dealing, messages, pace
from railbird.interfaces.web.table.dealt_hand import DealtHand
from railbird.interfaces.web.table.ending import stages_before_result
from railbird.interfaces.web.table.messages import Reason, RefusalCode, RefusedMessage, ResultUnit, TableView
from railbird.interfaces.web.table.session_plan import SessionPlan
from railbird.interfaces.web.table.views import (
    TableViewer,
    chips_of,
    chips_to_json,
    empty_view,
    hand_view,
    unit_of,
)
from railbird.store.sessions import StoredHand

log = logging.getLogger(__name__)

Phase: TypeAlias = Literal["ready", "playing", "over", "closed"]


class SessionState:
    """A session between two changes, with all hidden information."""

    def __init__(self, session: str, plan: SessionPlan) -> None:
        self.session, self.plan = session, plan
        self.rules = plan.game()
        self.hand: DealtHand | None = None
        """The hand in progress, or the last one, which is still shown."""
        self.number = 0
        """The number of the latest hand."""
        self.phase: Phase = "ready"
        self.reasons: dict[int, dict[str, Any]] = {}
        """The agents' reasons in this hand, by step."""
        self.paused = self.forwarding = False
        self.notice = ""
        self._told: int | None = None
        """The stage at which the end of the hand is told; None if everything is told that happened."""
        self._table = Table(self.rules)
        self._seating: Seating
        self._dealt: tuple[DealtHand, Seating] | None = None
        """Cards dealt in advance that have not been shown."""
        self._settled = True
        self._net: Chips = 0
        self._counted = 0

    # Hands

    def take_up(self, hands: Iterable[StoredHand]) -> list[int]:
        """Continue after the stored hands; returns the numbers of hands that cannot be resumed, which are refunded."""
        last: StoredHand | None = None
        for stored in hands:
            self.number = stored.number
            self._seating = self._next_seating()
            if stored.voided:
                continue
            last = stored
            if stored.ending is not None:
                self._table.settle(self._seating, [chips_of(str(won)) for won in stored.ending["payoffs"]])
                if stored.counted:
                    self._count(chips_of(str(stored.ending["won"] or 0)))
        if last is None:
            return []
        try:
            self.hand = DealtHand.restored(last.number, last.start, last.actions)
        except (ValueError, KeyError, TypeError):
            log.exception("hand %s of session %s cannot be resumed", last.number, self.session)
            return [] if last.over else [last.number]
        self._settled, self.phase = last.over, "over" if last.over else "playing"
        return []

    def _next_seating(self) -> Seating:
        if self.rules.carry:
            # If stacks are carried over, a player without chips buys in again for the initial stack.
            for seat, chips in enumerate(self._table.stacks):
                if chips < 1:
                    self._table.add_chips(seat, self.rules.stacks[seat])
        return self._table.next_hand()

    def deal(self) -> tuple[DealtHand, Seating]:
        """Cards for the next hand, the same until it starts with `begin`; chosen starting hands are parsed first."""
        if self._dealt is None:
            self._dealt = self._deal(self._next_seating())
        return self._dealt

    def _deal(self, seating: Seating) -> tuple[DealtHand, Seating]:
        # A new setup per hand, so that the betting situations of a long session are freed.
        setup = replace(seating.setup)
        training, person = self.plan.training, self.plan.person
        if training is not None and training.hands and person is not None:
            state = dealing.deal_chosen(setup, seating.seats.index(person), training.hands)
        else:
            state = dealing.deal(setup)
        players = tuple(self.plan.names[seat] for seat in seating.seats)
        return DealtHand(self.number + 1, state, players, seating.seats, seating.button), seating

    def begin(self, hand: DealtHand, seating: Seating) -> None:
        """Start a hand."""
        self.number, self.hand, self._seating, self._dealt = hand.number, hand, seating, None
        self._settled, self.reasons, self.phase, self.notice = False, {}, "playing", ""
        self._begin_ending()

    def act(self, hand: DealtHand, action: Action) -> None:
        """Perform an action."""
        hand.state.act(action)
        self._begin_ending()

    def _begin_ending(self) -> None:
        """Tell the end of the hand in stages, if it is over and its viewers have time."""
        assert self.hand is not None
        over = self.hand.state.is_over and stages_before_result(self.hand.state) > 0
        self._told = 0 if over and not self.hurries else None

    @property
    def is_telling(self) -> bool:
        """Whether the end of the hand is not told completely."""
        return self._told is not None

    @property
    def hurries(self) -> bool:
        """Whether the end of a hand is told at once."""
        return self.forwarding or not pace.ENDING[self.plan.speed]

    def tell_on(self) -> bool:
        """Tell the next stage of the end of the hand; False if only its result is left."""
        assert self.hand is not None
        if self._told is None or self.hurries or self._told + 1 >= stages_before_result(self.hand.state):
            return False
        self._told += 1
        return True

    def end(self) -> None:
        """Settle the finished hand."""
        assert self.hand is not None
        payoffs = self.hand.state.payoffs
        self._table.settle(self._seating, payoffs)
        if self.plan.counted:
            position = self.own_position(self.hand)
            self._count(0 if position is None else payoffs[position])
        self._settled, self.phase, self.forwarding, self._told = True, "over", False, None

    @property
    def is_settled(self) -> bool:
        """Whether the last hand is over and settled."""
        return self._settled

    def _count(self, won: Chips) -> None:
        self._counted += 1
        self._net += won

    # Requests

    def own_position(self, hand: DealtHand) -> int | None:
        """The person's position in a hand, None if only agents play."""
        return None if self.plan.person is None else hand.position(self.plan.person)

    def follow(self, plan: SessionPlan) -> None:
        """Use new settings."""
        self.plan = plan

    def require_open(self) -> None:
        """Refuse requests to a session that is over."""
        if self.phase == "closed":
            raise RefusedMessage(RefusalCode.NOT_NOW, "the session is over")

    def running(self) -> DealtHand:
        """The hand in progress."""
        if self.hand is None or self.phase != "playing":
            raise RefusedMessage(RefusalCode.NOT_NOW, "no hand is being played")
        return self.hand

    def _meant(self, number: int, step: int) -> DealtHand:
        """The hand in progress, if a message refers to its current step."""
        hand = self.running()
        if number != hand.number or step != hand.step:
            raise RefusedMessage(
                RefusalCode.TOO_LATE,
                f"this was meant for step {step} of hand {number}, but it is step {hand.step} of hand {hand.number}",
            )
        return hand

    def own_hand(self, number: int, step: int) -> tuple[DealtHand, int]:
        """The hand in progress and the person's position, if the person is still in it."""
        hand = self._meant(number, step)
        position = self.own_position(hand)
        if position is None or hand.state.folded[position]:
            raise RefusedMessage(RefusalCode.NOT_NOW, "you have no hand")
        if hand.state.is_over:
            raise RefusedMessage(RefusalCode.NOT_NOW, "there are no decisions left in this hand")
        return hand, position

    def own_turn(self, number: int, step: int) -> tuple[DealtHand, int]:
        """The same, if it is the person's turn."""
        hand = self._meant(number, step)
        position = self.own_position(hand)
        if position is None or hand.state.actor != position:
            raise RefusedMessage(RefusalCode.NOT_YOUR_TURN, "it is not your turn")
        return hand, position

    def action(self, message: messages.ActMessage) -> tuple[DealtHand, Action]:
        """The hand in progress and the person's action, if it is legal now."""
        hand, _ = self.own_turn(message.hand, message.step)
        if message.action == "raise":
            action = raise_to(message.to)
        else:
            action = FOLD if message.action == "fold" else CALL
            if message.to:
                raise RefusedMessage(RefusalCode.MALFORMED, f"{message.action} takes no amount")
        if not hand.state.legal_actions.allows(action):
            raise RefusedMessage(RefusalCode.ILLEGAL, _why_illegal(hand, action))
        if self.paused:
            raise RefusedMessage(RefusalCode.NOT_NOW, "the table is paused")
        return hand, action

    def require_nothing_to_decide(self) -> None:
        """Refuse to fast-forward while the person has decisions left in the hand."""
        hand = self.running()
        position = self.own_position(hand)
        if position is None or hand.state.is_over:
            return
        if not hand.state.folded[position] and hand.state.stacks[position]:
            raise RefusedMessage(RefusalCode.NOT_NOW, "you are still in the hand")

    # Disclosure

    @property
    def discloses(self) -> bool:
        """Whether reasons for this hand's actions may be disclosed: when it is over, in training, or to spectators."""
        return self._settled or not self.plan.counted or self.plan.watching

    @property
    def hides(self) -> bool:
        """Whether a person plays who may not see all cards."""
        training = self.plan.training
        return not self.plan.watching and not (training is not None and training.face_up)

    def reasons_now(self, number: int) -> Mapping[int, Mapping[str, Any]] | None:
        """The reasons of a hand that may be disclosed, by step; None if it is not the current one."""
        if self.hand is None or number != self.hand.number:
            return None
        if not self.discloses:
            raise RefusedMessage(RefusalCode.NOT_NOW, "reasons are available when the hand is over")
        return self.reasons

    def _reasons_offered(self) -> list[Reason]:
        if self.hand is None or not self.discloses:
            return []
        actors = [self.hand.chairs[node.act.seat] for node in self.hand.state.node.path]
        return [Reason(step, actors[step]) for step in sorted(self.reasons)]

    def view(self, version: int, countdown: int | None = None, held: bool = False) -> TableView:
        """The table as its person, or a spectator, sees it, and how soon the next hand is dealt."""
        plan = self.plan
        if self.hand is None:
            hand = empty_view(plan.person, plan.names, plan.agents, self._table.stacks)
        else:
            viewer = TableViewer(plan.person, sees_all=not self.hides)
            hand = hand_view(self.hand, viewer, plan.names, plan.agents, self._told)
        return TableView(
            **asdict(hand),
            version=version,
            session=self.session,
            title=plan.title,
            training=plan.training,
            watching=plan.watching,
            phase=self.phase,
            paused=self.paused,
            auto_deal=plan.auto_deal,
            countdown=countdown,
            held=held,
            betting=self.rules.betting.value,
            speed=plan.speed,
            forwarding=self.forwarding,
            reasons=self._reasons_offered(),
            net=chips_to_json(self._net),
            hands=self._counted,
            unit=ResultUnit(**unit_of(self.rules)),
            notice=self.notice,
        )


def _why_illegal(hand: DealtHand, action: Action) -> str:
    try:
        hand.state.verify(action)
    except ValueError as error:
        return str(error)
    return f"you may not {action} now"
