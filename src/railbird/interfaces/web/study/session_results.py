"""The results of a session from its finished hands: a list of them, the lines of a chart, rates and statistics.

Hidden cards are shown here, so only finished hands may be used; `finished_hands` filters out all others, hands that the
player did not see, and cards that this player may never see: those that other people did not show. Hands that do not
count (training) are listed and can be replayed, but are not included in rates and statistics.
"""

from collections.abc import Container, Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from hashlib import blake2b
from itertools import accumulate
from math import isfinite, sqrt
from typing import Any

import msgspec

from railbird.arena.results.rates import Rate, rate_of
from railbird.arena.results.statistics_collector import StatisticsCollector
from railbird.cards import Card, format_card
from railbird.engine.events import Award, Chips, DealBoard, DealHole, Reveal
from railbird.engine.record import Details, HandRecord
from railbird.engine.rules import GameRules
from railbird.interfaces.web.table.dealt_hand import DealtHand
from railbird.interfaces.web.table.session_plan import PERSON, SessionPlan
from railbird.interfaces.web.table.views import chips_to_json, replay_views, unit_of
from railbird.notation.formats import HandWriter
from railbird.observation import visible_to
from railbird.places import without_passwords
from railbird.spec import unknown
from railbird.store.sessions import StoredHand


@dataclass(frozen=True, slots=True)
class SessionHand:
    """A hand that is over, with all cards that somebody may see."""

    number: int
    record: HandRecord
    counted: bool
    time: str
    """The time when it ended, ISO 8601."""

    def position(self, player: str) -> int | None:
        """A player's position; None if not dealt in."""
        return self.record.players.index(player) if player in self.record.players else None

    def reached_showdown(self, position: int) -> bool:
        """Whether a position had not folded at the showdown."""
        return any(isinstance(event, Reveal) and event.seat == position for event in self.record.events)


def finished_hands(stored: Iterable[StoredHand], plan: SessionPlan, player: str) -> Iterator[SessionHand]:
    """The finished hands that a player saw: neither the current one nor void ones."""
    viewer = plan.viewer(player, after=True)
    for kept in stored:
        if is_finished(kept) and plan.saw(player, kept.number):
            hand = DealtHand.restored(kept.number, kept.start, kept.actions)
            time = str((kept.ending or {}).get("time", ""))
            record = hand.record(Details(venue="Railbird", table=kept.session, time=time))
            yield SessionHand(kept.number, _visible(record, viewer.opened(hand)), kept.counted, time)


def _visible(record: HandRecord, opened: Container[int]) -> HandRecord:
    """A record without the cards of other positions, unless they were shown."""
    shown = {event.seat for event in record.events if isinstance(event, Reveal) and event.cards is not None}
    events = tuple(
        DealHole(event.seat, None)
        if isinstance(event, DealHole) and event.seat not in opened and event.seat not in shown
        else event
        for event in record.events
    )
    return replace(record, events=events)


def is_finished(stored: StoredHand) -> bool:
    """Whether a hand is finished, so that all its cards may be shown."""
    return stored.over and stored.ending is not None and not stored.voided


def own_label(plan: SessionPlan, player: str) -> str:
    """The default label for results: that of the player who asks, or of the agent in the first seat."""
    return plan.name_of(player) or plan.names[0]


def label_of(plan: SessionPlan, player: str, name: str | None) -> str:
    """The player of this name, who must be or have been at the table; without a name, the player who asks."""
    if name is None:
        return own_label(plan, player)
    labels = _labels(plan)
    if name not in labels:
        raise unknown("player", name, list(labels))
    return name


def _labels(plan: SessionPlan) -> dict[str, str]:
    """The agents by label of everybody who is or was at the table; empty for people."""
    people = [] if plan.shared is None else [each.name for each in plan.shared.people]
    seated = dict(zip(plan.names, plan.agents, strict=True))
    return {name: agent for name, agent in (seated | dict.fromkeys(people, PERSON)).items() if name}


def hand_list(hands: Iterable[SessionHand], player: str) -> list[dict[str, Any]]:
    """A line for each hand from a player's point of view."""
    return [_line(hand, player) for hand in hands]


def _line(hand: SessionHand, player: str) -> dict[str, Any]:
    position = hand.position(player)
    cards: Sequence[Card] | None = ()
    board: list[Card] = []
    for event in hand.record.events:
        match event:
            case DealHole(seat, dealt) if seat == position:
                cards = dealt
            case DealBoard(_, dealt):
                board.extend(dealt)
            case _:
                pass
    return {
        "number": hand.number,
        "cards": [format_card(card) for card in cards or ()],
        "board": [format_card(card) for card in board],
        "won": 0 if position is None else chips_to_json(hand.record.payoffs[position]),
        "pot": chips_to_json(sum(event.amount for event in hand.record.events if isinstance(event, Award))),
        "counted": hand.counted,
        "showdown": position is not None and hand.reached_showdown(position),
        "time": hand.time,
    }


def summary(hands: Iterable[SessionHand], plan: SessionPlan, player: str, own: str) -> dict[str, Any]:
    """A player's winnings hand by hand, in the unit of the game, with the rate; and everyone's statistics.

    The net is split into hands with a showdown of the player and all others. The interval is that of a player with
    this rate and spread, as in the arena's bankroll curves: its end is the interval of the rate.
    """
    rules = plan.game()
    collector = StatisticsCollector()
    won: list[Chips] = []
    shown: list[bool] = []
    left_out = 0
    for hand in hands:
        if not hand.counted:
            left_out += 1
            continue
        collector.add(hand.record)
        position = hand.position(player)
        if position is not None:
            won.append(hand.record.payoffs[position])
            shown.append(hand.reached_showdown(position))
    statistics = collector.statistics()
    rate = rate_of(rules, won) if won else None
    return {
        "unit": unit_of(rules),
        "player": player,
        "own": own,
        "net": _running(won, rules),
        "showdown": _running([chips if seen else 0 for chips, seen in zip(won, shown, strict=True)], rules),
        "other": _running([0 if seen else chips for chips, seen in zip(won, shown, strict=True)], rules),
        "rate": None if rate is None else rate_to_json(rate),
        "interval": None if rate is None else interval_of(rate),
        "hands_left_out": left_out,
        "players": [
            {"name": name, "agent": without_passwords(agent), "statistics": statistics[name].to_json()}
            for name, agent in _labels(plan).items()
            if name in statistics
        ],
    }


def _running(won: Sequence[Chips], rules: GameRules) -> list[float]:
    """The exact sums after each hand, then in the unit of the game."""
    return [float(total) / rules.unit_chips for total in accumulate(won)]


def rate_to_json(rate: Rate) -> dict[str, Any]:
    """A rate as plain data; unknown bounds are None."""
    low, high = (bound if isfinite(bound) else None for bound in (rate.low, rate.high))
    return {"unit": rate.unit, "mean": rate.mean, "low": low, "high": high, "hands": rate.hands}


def interval_of(rate: Rate) -> dict[str, list[float]] | None:
    """The range of sums after each hand for 95 of 100 players with this rate and spread."""
    if not isfinite(rate.low):
        return None
    # The sum of n hands spreads by √n times as much as one hand.
    spread = (rate.high - rate.low) / 2 * sqrt(rate.hands)
    numbers = range(1, rate.hands + 1)
    return {
        "low": [rate.mean * hands - spread * sqrt(hands) for hands in numbers],
        "high": [rate.mean * hands + spread * sqrt(hands) for hands in numbers],
    }


def replay(stored: StoredHand, plan: SessionPlan, player: str) -> dict[str, Any]:
    """A finished hand step by step with all cards that a player may see, and the reasons that agents gave."""
    hand = DealtHand.restored(stored.number, stored.start, stored.actions)
    views: list[dict[str, Any]] = msgspec.to_builtins(
        replay_views(hand, plan.viewer(player, after=True), plan.names, plan.agents)
    )
    for view in views:
        view["phase"] = "playing"
    views[-1]["phase"] = "over"
    last = views[-1]["chairs"]
    kept = ("chair", "name", "agent", "you", "cards")
    return {
        "number": stored.number,
        "title": plan.title,
        "counted": stored.counted,
        "unit": unit_of(plan.game()),
        "chairs": [{name: chair[name] for name in kept} for chair in last],
        "views": views,
        "reasons": {str(step): dict(reasons) for step, reasons in sorted(stored.reasons.items())},
        "won": {chair["name"]: chair["won"] for chair in last if chair["won"] is not None},
    }


def as_remembered(hand: SessionHand, plan: SessionPlan, player: str) -> SessionHand:
    """A hand as a card room would save it for a player: with the cards that this player saw, and a number of its own.

    Where all cards were open during play, at a table of agents or in training, all of them are kept.
    """
    record, position = hand.record, hand.position(player)
    face_up = plan.watching or (plan.training is not None and plan.training.face_up)
    events = record.events if face_up else visible_to(position, record.events)
    details = record.details
    digest = int.from_bytes(blake2b(details.table.encode(), digest_size=5).digest())
    remembered = HandRecord(
        f"{digest}{hand.number:06}",
        record.setup,
        record.players,
        events,
        tuple(chair + 1 for chair in record.seats),
        replace(details, notes=() if plan.watching else (("hero", player),)),
    )
    return replace(hand, record=remembered)


def written(hands: Iterable[SessionHand], writer: HandWriter) -> str:
    """The hands as the text of a file; raises an error for a game that the format does not support."""
    return "".join([*(writer.hand(hand.record) for hand in hands), writer.end()])
