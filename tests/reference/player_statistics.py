"""Every statistic of a player as its definition says it, one function for each.

A function looks at one seat of one finished hand. Rounds, bets and prices come from the replayed states, not from the
order of the events.
"""

from collections.abc import Iterable
from typing import NamedTuple

from railbird.arena.results.statistics import ActionCounts, PlayerStatistics, Share, Winnings
from railbird.engine.actions import ActionKind
from railbird.engine.events import Award
from railbird.engine.record import HandRecord
from railbird.engine.state import State
from railbird.hands.types import HandType
from reference.hand_types import type_label


class Choice(NamedTuple):
    """What a seat chose: fold, check, call, bet or raise, in which round, and after how many bets there."""

    round: int
    word: str
    bets_before: int


class Hand(NamedTuple):
    """A finished hand, replayed once."""

    record: HandRecord
    final: State
    choices: tuple[tuple[Choice, ...], ...]
    """By seat."""


def replayed(record: HandRecord) -> Hand:
    choices: list[list[Choice]] = [[] for _ in record.players]
    blinds = 0
    for number, (state, act) in enumerate(record.states()):
        if number == 0:
            blinds = 1 if state.to_match else 0
        bets = state.raises + (blinds if state.round == 0 else 0)
        if act.kind is ActionKind.FOLD:
            word = "fold"
        elif act.kind is ActionKind.CALL:
            word = "call" if state.legal_actions.call else "check"
        else:
            word = "raise" if state.to_match else "bet"
        choices[act.seat].append(Choice(state.round, word, bets))
    return Hand(record, record.state(), tuple(map(tuple, choices)))


def pays(choice: Choice) -> bool:
    return choice.word in ("call", "bet", "raise")


def played(hand: Hand, seat: int) -> Share:
    return Share(int(any(pays(choice) for choice in hand.choices[seat])), 1)


def takes_from_a_pot(hand: Hand, seat: int) -> bool:
    return any(isinstance(event, Award) and event.seat == seat for event in hand.record.events)


def uncontested_wins(hand: Hand, seat: int) -> Share:
    return Share(int(hand.final.live_seats == (seat,)), 1)


def won(hand: Hand, seat: int) -> Share:
    return Share(int(uncontested_wins(hand, seat).count == 1 or takes_from_a_pot(hand, seat)), 1)


def at_showdown(hand: Hand, seat: int) -> bool:
    return hand.final.is_showdown and not hand.final.folded[seat]


def showdowns_seen(hand: Hand, seat: int) -> Share:
    return Share(int(at_showdown(hand, seat)), 1)


def showdowns_won(hand: Hand, seat: int) -> Share:
    if not at_showdown(hand, seat):
        return Share(0, 0)
    return Share(int(takes_from_a_pot(hand, seat)), 1)


def saw_flop(hand: Hand, seat: int) -> bool:
    final = hand.final
    dealt = len(final.board) >= hand.record.rules.board_size(1) if hand.record.rules.rounds > 1 else False
    folded_before = any(choice.round == 0 and choice.word == "fold" for choice in hand.choices[seat])
    return dealt and not folded_before


def flops_seen(hand: Hand, seat: int) -> Share:
    return Share(int(saw_flop(hand, seat)), 1)


def in_first_round(hand: Hand, seat: int) -> list[Choice]:
    return [choice for choice in hand.choices[seat] if choice.round == 0]


def vpip(hand: Hand, seat: int) -> Share:
    first = in_first_round(hand, seat)
    return Share(int(any(map(pays, first))), int(len(first) > 0))


def pfr(hand: Hand, seat: int) -> Share:
    first = in_first_round(hand, seat)
    return Share(int(any(choice.word in ("bet", "raise") for choice in first)), int(len(first) > 0))


def three_bet(hand: Hand, seat: int) -> Share:
    at_two_bets = [choice for choice in in_first_round(hand, seat) if choice.bets_before == 2]
    assert len(at_two_bets) <= 1, "who has answered a raise acts again only after another one"
    return Share(sum(choice.word == "raise" for choice in at_two_bets), len(at_two_bets))


def rounds(hand: Hand, seat: int) -> tuple[ActionCounts, ...]:
    words = [(choice.round, choice.word) for choice in hand.choices[seat]]
    return tuple(
        ActionCounts(*(words.count((number, word)) for word in ("fold", "check", "call", "bet", "raise")))
        for number in range(4)
    )


def flop_types(hand: Hand, seat: int) -> tuple[Winnings, ...]:
    state = hand.final
    hole, flop = state.hole_cards(seat), state.board[:3]
    label = ""
    if saw_flop(hand, seat) and hand.record.rules.board_size(1) == 3 and hole is not None and len(hole) == 2:
        label = type_label(hole, flop)
    return tuple(
        Winnings(1, hand.record.payoffs[seat]) if kind.label == label else Winnings() for kind in HandType
    )


def statistics(records: Iterable[HandRecord]) -> dict[str, PlayerStatistics]:
    """Every player's statistics, hand by hand and seat by seat."""
    sums: dict[str, PlayerStatistics] = {}
    for record in records:
        hand = replayed(record)
        for seat, label in enumerate(record.players):
            one = PlayerStatistics(
                hands=1,
                net=record.payoffs[seat],
                played=played(hand, seat),
                won=won(hand, seat),
                uncontested_wins=uncontested_wins(hand, seat),
                showdowns_seen=showdowns_seen(hand, seat),
                showdowns_won=showdowns_won(hand, seat),
                flops_seen=flops_seen(hand, seat),
                vpip=vpip(hand, seat),
                pfr=pfr(hand, seat),
                three_bet=three_bet(hand, seat),
                rounds=rounds(hand, seat),
                flop_types=flop_types(hand, seat),
            )
            sums[label] = sums.get(label, PlayerStatistics()) + one
    return sums
