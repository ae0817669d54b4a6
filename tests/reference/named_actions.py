"""The names of actions as baycarp-2011 §2.3.7 tells them, from the plain list of what happened."""

from collections.abc import Sequence
from fractions import Fraction

from railbird.engine.actions import ActionKind
from railbird.engine.events import Act, DealBoard, Event, Post, PostKind
from railbird.engine.rules import GameRules

ORDER = (
    "Check",
    "CallSmallBlind",
    "Call",
    "CallRaise",
    "Bet",
    "ContinuationBet",
    "DonkBet",
    "Raise",
    "CheckRaise",
    "ThreeBet",
    "Cap",
)


def actions_by_round(events: Sequence[Event]) -> list[list[Act]]:
    rounds: list[list[Act]] = [[]]
    for event in events:
        if isinstance(event, DealBoard):
            rounds.append([])
        elif isinstance(event, Act):
            rounds[-1].append(event)
    return rounds


def last_raiser(acts: Sequence[Act]) -> int | None:
    raisers = [act.seat for act in acts if act.kind is ActionKind.RAISE]
    return raisers[-1] if raisers else None


def is_all_in(events: Sequence[Event], stacks: Sequence[int], seat: int, rounds: int) -> bool:
    """Whether a seat has nothing left after so many rounds."""
    paid = sum(event.amount for event in events if isinstance(event, Post) and event.seat == seat)
    paid += sum(act.paid for acts in actions_by_round(events)[:rounds] for act in acts if act.seat == seat)
    return paid == stacks[seat]


def name(rules: GameRules, stacks: Sequence[int], events: Sequence[Event], number: int, place: int) -> str:
    """The name of the action at a place in a round."""
    rounds = actions_by_round(events)
    acts = rounds[number]
    act, before = acts[place], acts[:place]
    raises = [each for each in before if each.kind is ActionKind.RAISE]
    if act.kind is ActionKind.FOLD:
        return "Fold"
    if act.kind is ActionKind.CALL:
        if act.paid == 0:
            return "Check"
        if len(raises) >= (1 if number == 0 else 2):
            return "CallRaise"
        posted = any(
            isinstance(event, Post) and event.kind is PostKind.BLIND and event.seat == act.seat
            for event in events
        )
        return "CallSmallBlind" if number == 0 and posted else "Call"
    if number > 0 and not raises:
        aggressor = last_raiser(rounds[number - 1])
        if aggressor == act.seat:
            return "ContinuationBet" if number == 1 else "Bet"
        comes_later = (
            aggressor is not None
            and aggressor not in [each.seat for each in before]
            and not is_all_in(events, stacks, aggressor, number)
        )
        return "DonkBet" if comes_later else "Bet"
    if len(raises) + 1 == rules.raise_caps[number]:
        return "Cap"
    if len(raises) >= (1 if number == 0 else 2):
        return "ThreeBet"
    checked = any(each.seat == act.seat and each.paid == 0 for each in before)
    return "CheckRaise" if number > 0 and checked else "Raise"


def most_aggressive(
    rules: GameRules, stacks: Sequence[int], events: Sequence[Event], number: int, seat: int
) -> tuple[str, str]:
    """What a seat did in a round, folds aside, and whether it folded there: empty where it did not."""
    rounds = actions_by_round(events)
    if number >= len(rounds):
        return "", ""
    names = [
        name(rules, stacks, events, number, place)
        for place, act in enumerate(rounds[number])
        if act.seat == seat
    ]
    done = [each for each in names if each != "Fold"]
    return max(done, key=ORDER.index, default=""), "Fold" if "Fold" in names else ""


def price(events: Sequence[Event], number: int, place: int) -> Fraction:
    """The call in the pot with the call in it, at an action of a hand in which nobody is ever all-in."""
    rounds = actions_by_round(events)
    posts = [event for event in events if isinstance(event, Post)]
    before = rounds[number][:place]
    pot = sum(post.amount for post in posts)
    pot += sum(act.paid for acts in [*rounds[:number], before] for act in acts)
    bets = [(post.seat, post.amount) for post in posts] if number == 0 else []
    bets += [(act.seat, act.paid) for act in before]
    own = rounds[number][place].seat
    highest = max((sum(paid for other, paid in bets if other == seat) for seat, _ in bets), default=0)
    to_call = highest - sum(paid for seat, paid in bets if seat == own)
    return Fraction(to_call, pot + to_call) if to_call else Fraction(0)


def counted_price(
    rules: GameRules, stacks: Sequence[int], events: Sequence[Event], number: int, seat: int
) -> Fraction | None:
    """The price at which a seat first did its most aggressive action of a round, folds aside."""
    counted, _ = most_aggressive(rules, stacks, events, number, seat)
    if not counted:
        return None
    acts = actions_by_round(events)[number]
    return next(
        price(events, number, place)
        for place, act in enumerate(acts)
        if act.seat == seat and name(rules, stacks, events, number, place) == counted
    )
