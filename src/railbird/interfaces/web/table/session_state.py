"""The state of a session: its hand, stacks, results, and what may be disclosed. Nothing here waits or writes."""

import logging
from collections import Counter
from collections.abc import Container, Iterable, Mapping, Sequence
from dataclasses import replace
from typing import Any, Literal, TypeAlias

from msgspec.structs import asdict

from railbird.engine.actions import CALL, FOLD, Action, raise_to
from railbird.engine.events import Chips
from railbird.engine.table import Seating, Table
from railbird.engine.wording import Wording
from railbird.interfaces.web.table import dealing, messages, pace
from railbird.interfaces.web.table.dealt_hand import DealtHand
from railbird.interfaces.web.table.ending import stages_before_result
from railbird.interfaces.web.table.messages import (
    ClockView,
    PlateStatistics,
    Reason,
    RefusalCode,
    RefusedMessage,
    ResultUnit,
    TableView,
)
from railbird.interfaces.web.table.session_plan import PERSON, SessionPlan
from railbird.interfaces.web.table.viewers import together
from railbird.interfaces.web.table.views import chips_of, chips_to_json, hand_view, unit_of
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
        self._sat = [""] * self.rules.players
        """Who was dealt in last, by chair."""
        self._seating: Seating
        self._dealt: tuple[DealtHand, Seating] | None = None
        """Cards dealt in advance that have not been shown."""
        self._settled = True
        self._net: dict[str, Chips] = {}
        """What every player won in the hands that count, by label."""
        self._played: Counter[str] = Counter()
        """The hands of every player that count."""
        self._counted = 0

    # Hands

    def take_up(self, hands: Iterable[StoredHand]) -> list[int]:
        """Continue after the stored hands; returns the numbers of hands that cannot be resumed, which are refunded."""
        last: StoredHand | None = None
        for stored in hands:
            self.number = stored.number
            players = dict(zip(stored.start["chairs"], stored.start["players"], strict=True))
            self._seating = self._next_seating(
                [players.get(chair, "") for chair in range(self.rules.players)]
            )
            if stored.voided:
                continue
            last = stored
            if stored.ending is not None:
                payoffs = [chips_of(str(won)) for won in stored.ending["payoffs"]]
                self._table.settle(self._seating, payoffs)
                if stored.counted:
                    self._count(stored.start["players"], payoffs)
        if last is None:
            return []
        try:
            self.hand = DealtHand.restored(last.number, last.start, last.actions)
        except (ValueError, KeyError, TypeError):
            log.exception("hand %s of session %s cannot be resumed", last.number, self.session)
            return [] if last.over else [last.number]
        self._settled, self.phase = last.over, "over" if last.over else "playing"
        return []

    def _next_seating(self, players: Sequence[str]) -> Seating:
        """The next hand of these players by chair; empty for a chair that is not dealt in."""
        for chair, player in enumerate(players):
            self._table.present[chair] = bool(player)
            if player and self._sat[chair] not in ("", player):
                # Somebody else sits here now.
                self._table.stacks[chair] = self.rules.stacks[chair]
            self._sat[chair] = player or self._sat[chair]
        if self.rules.carry:
            # If stacks are carried over, a player without chips buys in again for the initial stack.
            for seat, chips in enumerate(self._table.stacks):
                if chips < 1:
                    self._table.add_chips(seat, self.rules.stacks[seat])
        return self._table.next_hand()

    @property
    def _stacks(self) -> list[Chips]:
        """The chips by chair between hands; whoever takes the chair of somebody else begins with the first stack."""
        present = zip(self._table.stacks, self._sat, self.plan.names, self.rules.stacks, strict=True)
        return [stack if sat in ("", name) else first for stack, sat, name, first in present]

    def deal(self) -> tuple[DealtHand, Seating]:
        """Cards for the next hand, the same until it starts with `begin`; chosen starting hands are parsed first."""
        if self._dealt is None:
            self._dealt = self._deal(self._next_seating(self._dealt_in()))
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

    @property
    def playing(self) -> tuple[str, ...]:
        """The players of the hand in progress, or of the next one, in the order of their chairs."""
        if self.hand is not None and not self._settled:
            return self.hand.by_chair
        return tuple(filter(None, self._dealt_in()))

    @property
    def busy_chairs(self) -> tuple[int, ...]:
        """The chairs in the hand in progress."""
        return () if self.hand is None or self._settled else self.hand.chairs

    def _dealt_in(self) -> list[str]:
        """The players of the next hand by chair; empty for a chair that is not dealt in."""
        plan = self.plan
        return [name if there else "" for name, there in zip(plan.names, plan.present, strict=True)]

    @property
    def can_deal(self) -> bool:
        """Whether enough players are there for the next hand; agents fill free seats before the first one."""
        return (self.plan if self.number else self.plan.filled()).can_deal

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
            self._count(self.hand.players, payoffs)
        self._settled, self.phase, self.forwarding, self._told = True, "over", False, None

    @property
    def is_settled(self) -> bool:
        """Whether the last hand is over and settled."""
        return self._settled

    def _count(self, players: Sequence[str], payoffs: Sequence[Chips]) -> None:
        self._counted += 1
        self._played.update(players)
        for player, won in zip(players, payoffs, strict=True):
            self._net[player] = self._net.get(player, 0) + won

    # Requests

    def own_position(self, hand: DealtHand, player: str) -> int | None:
        """A player's position in a hand, None if not dealt in."""
        name = self.plan.name_of(player)
        return hand.players.index(name) if name in hand.players else None

    def is_person(self, hand: DealtHand, position: int) -> bool:
        """Whether a position of a hand is a person's."""
        return self.plan.agents[hand.chairs[position]] == PERSON

    def require_host(self, player: str) -> None:
        """Refuse requests that only the host may make."""
        if not self.plan.is_host(player):
            raise RefusedMessage(RefusalCode.NOT_NOW, "only the host of this table may do that")

    def require_deal(self, player: str) -> None:
        """Refuse to deal a hand that cannot be dealt now."""
        self.require_host(player)
        if self.phase not in ("ready", "over"):
            raise RefusedMessage(RefusalCode.NOT_NOW, "a hand is in progress")
        if not self.can_deal:
            raise RefusedMessage(RefusalCode.NOT_NOW, "a hand needs two players")

    def still(self, hand: DealtHand, step: int, action: Action) -> tuple[DealtHand, Action]:
        """An action that was decided at a step, refused if something else was done there."""
        if self.hand is not hand or hand.step != step:
            taken = f"step {step} of hand {hand.number} has already been taken"
            raise RefusedMessage(RefusalCode.TOO_LATE, taken)
        return hand, action

    def removable(self, player: str, name: str) -> str:
        """The id of another person whom the host may remove now."""
        self.require_host(player)
        found = self.plan.player_named(name)
        if found is None or found == player:
            raise RefusedMessage(RefusalCode.UNKNOWN, f"there is nobody called {name!r} to remove")
        if self.hand is not None and not self._settled and name in self.hand.players:
            raise RefusedMessage(RefusalCode.NOT_NOW, "players can be removed only between hands")
        return found

    def require_advice(self) -> None:
        """Refuse advice at a table of several people, unless its host allows it to everybody."""
        if self.plan.shared is not None and not self.plan.shared.advice:
            raise RefusedMessage(RefusalCode.NOT_NOW, "the host of this table does not allow advice")

    def require_seen(self, player: str, number: int) -> None:
        """Refuse questions about hands that a player did not see."""
        if not self.plan.saw(player, number):
            raise RefusedMessage(RefusalCode.UNKNOWN, "you were not at the table in that hand")

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
            raise RefusedMessage(RefusalCode.NOT_NOW, "no hand is in progress")
        return self.hand

    def _meant(self, number: int, step: int) -> DealtHand:
        """The hand in progress, if a message refers to its current step."""
        hand = self.running()
        if number != hand.number or step != hand.step:
            raise RefusedMessage(
                RefusalCode.TOO_LATE,
                f"the table has moved on: this was for step {step} of hand {number}, and it is now at step {hand.step} "
                f"of hand {hand.number}",
            )
        return hand

    def own_hand(self, player: str, number: int, step: int) -> tuple[DealtHand, int]:
        """The hand in progress and the person's position, if the person is still in it."""
        hand = self._meant(number, step)
        position = self.own_position(hand, player)
        if position is None or hand.state.folded[position]:
            raise RefusedMessage(RefusalCode.NOT_NOW, "you are not in this hand")
        if hand.state.is_over:
            raise RefusedMessage(RefusalCode.NOT_NOW, "there are no decisions left in this hand")
        return hand, position

    def own_turn(self, player: str, number: int, step: int) -> tuple[DealtHand, int]:
        """The same, if it is the person's turn."""
        hand = self._meant(number, step)
        position = self.own_position(hand, player)
        if position is None or hand.state.actor != position:
            raise RefusedMessage(RefusalCode.NOT_YOUR_TURN, "it is not your turn")
        return hand, position

    def action(self, player: str, message: messages.ActMessage) -> tuple[DealtHand, Action]:
        """The hand in progress and the person's action, if it is legal now."""
        hand, _ = self.own_turn(player, message.hand, message.step)
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
        """Refuse to fast-forward while a person has decisions left in the hand."""
        hand = self.running()
        if hand.state.is_over:
            return
        for position, name in enumerate(hand.players):
            live = not hand.state.folded[position] and hand.state.stacks[position]
            if live and self.is_person(hand, position):
                who = "you are" if self.plan.shared is None else f"{name} is"
                raise RefusedMessage(RefusalCode.NOT_NOW, f"{who} still in the hand")

    # Disclosure

    @property
    def discloses(self) -> bool:
        """Whether reasons for this hand's actions may be disclosed: when it is over, in training, or to spectators."""
        return self._settled or not self.plan.counted or self.plan.watching

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

    def view(
        self,
        version: int,
        player: str,
        countdown: int | None = None,
        held: bool = False,
        there: Container[str] = (),
        clock: ClockView | None = None,
        statistics: Mapping[str, PlateStatistics] | None = None,
    ) -> TableView:
        """The table as a player, or a spectator, sees it; `there` are the people who look at it."""
        plan = self.plan
        viewer = plan.viewer(player)
        hand = hand_view(self.hand, viewer, plan.names, plan.agents, self._stacks, self._told)
        name = viewer.name
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
            net=0 if name is None else chips_to_json(self._net.get(name, 0)),
            hands=self._counted if name is None else self._played[name],
            unit=ResultUnit(**unit_of(self.rules)),
            notice=self.notice,
            together=together(self.session, plan, player, there, can_deal=self.can_deal),
            clock=clock,
            statistics=dict(statistics or {}),
        )


def _why_illegal(hand: DealtHand, action: Action) -> str:
    try:
        hand.state.verify(action)
    except ValueError as error:
        return str(error)
    return f"you cannot {Wording.at(hand.state.node).name(action)} now"
