"""CASPER's attributes and decisions as casper-2007 tells them: replay the hand, count, look at every case."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from math import exp

from railbird.engine.actions import ActionKind
from railbird.hands.starting import ranked_classes
from railbird.observation import Observation
from reference.betting import Table
from reference.strength import measure

SUITS, RANKS = 4, "23456789TJQKA"


@dataclass
class Round:
    """What is written down while a betting round is watched."""

    order: list[int]
    """The seats that could act when it began, first to act first."""
    players: int
    acted: set[int]
    bets_and_raises: int


def describe(observation: Observation, look_ahead: int = 1) -> dict[str, float]:
    """Table 1 for the seat to act."""
    setup = observation.setup
    table = Table(setup.rules, setup.stacks, setup.blinds, setup.antes, setup.first)
    now, previous = begun(table, setup.first), None
    for action in observation.actions:
        number, seat = table.round, table.actor()
        match action.kind:
            case ActionKind.FOLD:
                table.fold()
            case ActionKind.CALL:
                table.call()
            case ActionKind.RAISE:
                table.raise_to(action.to)
                now.bets_and_raises += 1
        now.acted.add(seat)
        if table.round != number:
            previous, now = now, begun(table, setup.rules.first_seats[table.round])
    seat, bet = table.actor(), table.bet_size()
    others = [other for other in table.live() if other != seat]
    to_call = table.to_call(seat)
    found: dict[str, float] = {
        "number of players": now.players,
        "relative position": now.order.index(seat) / (len(now.order) - 1) if len(now.order) > 1 else 1.0,
        "players in current hand": len([other for other in others if other in now.acted]),
        "players yet to act": len([other for other in others if other in table.waiting]),
        "bets committed": table.bets[seat] / bet,
        "bets to call": to_call / bet,
        "pot odds": to_call / (table.pot() + to_call) if to_call else 0.0,
    }
    if previous is None:
        rank = 1 + ranked_classes().index(class_name(observation.hole_cards))
        found["hand strength"] = (169 - rank) / 168
        return found
    ahead = min(look_ahead, 5 - len(observation.board))
    measured = measure(observation.hole_cards, observation.board, look_ahead=ahead)
    found["hand strength"] = measured.hs
    if table.round < 3:
        found["positive potential"] = measured.ppot
        found["negative potential"] = measured.npot
    found["small bets in pot"] = table.pot() / setup.rules.bet_sizes[0]
    found["previous round bets"] = previous.bets_and_raises
    return found


def begun(table: Table, first: int) -> Round:
    """A round in which nothing has been done."""
    seats = table.clockwise_from(first)
    order = [seat for seat in seats if not table.folded[seat] and table.stacks[seat] > 0]
    # Whoever acts first is first, also where a blind leaves somebody before with nothing to decide.
    place = order.index(table.actor()) if table.turn is not None else 0
    return Round(order[place:] + order[:place], len(table.live()), set(), 0)


def class_name(hole: Sequence[int]) -> str:
    """`AKs`, `T9o`, `77`."""
    low, high = sorted(hole)
    name = RANKS[high // SUITS] + RANKS[low // SUITS]
    if low // SUITS == high // SUITS:
        return name
    return name + ("s" if low % SUITS == high % SUITS else "o")


def euclidean(target: float, case: float, span: float) -> float:
    """Equation 1."""
    return max(0.0, 1 - abs(target - case) / span)


def decay(target: float, case: float, k: float) -> float:
    """Equation 2."""
    return exp(-k * abs(target - case))


METRICS = {
    "number of players": ("euclidean", 8.0),
    "relative position": ("euclidean", 1.0),
    "players in current hand": ("euclidean", 9.0),
    "players yet to act": ("euclidean", 9.0),
    "bets committed": ("decay", 4.0),
    "bets to call": ("decay", 2.0),
    "pot odds": ("euclidean", 0.5),
    "hand strength": ("euclidean", 1.0),
    "positive potential": ("euclidean", 0.4),
    "negative potential": ("euclidean", 0.3),
    "small bets in pot": ("euclidean", 300.0),
    "previous round bets": ("euclidean", 5.0),
}


def global_similarity(
    target: Mapping[str, float], case: Mapping[str, float], weights: Mapping[str, float]
) -> float:
    """Equation 3."""
    weighted, total = 0.0, 0.0
    for name, (metric, constant) in METRICS.items():
        if name not in target:
            continue
        local = (euclidean if metric == "euclidean" else decay)(target[name], case[name], constant)
        weighted += weights[name] * local
        total += weights[name]
    return weighted / total


def triple(
    target: Mapping[str, float],
    cases: Sequence[tuple[Mapping[str, float], str]],
    weights: Mapping[str, float],
    threshold: float = 0.97,
    k: int = 20,
) -> tuple[float, float, float]:
    """(f, c, r): the shares of the actions among all cases above the threshold, else among the top k."""
    scored = sorted(
        ((global_similarity(target, case, weights), action) for case, action in cases),
        key=lambda pair: -pair[0],
    )
    chosen = [action for similarity, action in scored if similarity >= threshold]
    if not chosen:
        chosen = [action for _, action in scored[:k]]
    shares = [chosen.count(action) / len(chosen) for action in ("fold", "call", "raise")]
    return shares[0], shares[1], shares[2]
