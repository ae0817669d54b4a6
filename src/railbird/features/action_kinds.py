"""Named actions (baycarp-2011 §2.3.7), and each player's most aggressive action by round.

Folds, calls and raises reveal more when they are distinguished by their situation:

| name              | meaning                                                                                  |
|-------------------|------------------------------------------------------------------------------------------|
| `Fold`            | folds                                                                                    |
| `Check`           | checks                                                                                   |
| `CallSmallBlind`  | completes a blind in an unraised pot before the flop                                     |
| `Call`            | calls the first bet of a round, which before the flop is the big blind ("limps")         |
| `CallRaise`       | calls a raise                                                                            |
| `Bet`             | opens the betting of a later round, and is neither of the next two                       |
| `ContinuationBet` | opens the betting on the flop after being the last to raise before the flop              |
| `DonkBet`         | opens the betting before the last aggressor of the previous round has acted              |
| `Raise`           | makes the second bet                                                                     |
| `CheckRaise`      | makes the second bet after a check in the same round                                     |
| `ThreeBet`        | makes the third bet, or a later one that is not the cap                                  |
| `Cap`             | makes the last raise that the rules allow in a round                                     |

The table is in order of aggression: of a player's actions in a round, the last one in this table counts. "If a player
performs a threebet, and then calls the cap action of another player, this would be represented as a ThreeBet" (§5.3.2).
No player makes two of the three kinds of opening bets in a round, so their order does not matter.

Where the thesis is silent: before the flop the blinds count as the first bet, even if there are none, so a bet there is
a `Raise`, and so is a raise after a check. A raise that is both a cap and something else is a cap; a re-raise by a
player who checked is a three-bet. If nobody bet or raised in the previous round there is no aggressor, and a bet is a
`Bet`; likewise if the aggressor is all-in, has folded, or has already checked. Calls are distinguished by their cost as
§8.1.1 proposes; the published network calls all three `Call`.

Every betting situation is shared by many hands, so the results are cached per situation. The cache holds weak
references: a strong one would keep the whole betting tree of a closed table in memory.
"""

from dataclasses import dataclass
from enum import IntEnum
from weakref import WeakKeyDictionary

from railbird.engine.actions import Action, ActionKind
from railbird.engine.betting_tree import BettingNode
from railbird.engine.rules import GameRules
from railbird.engine.setup import Setup
from railbird.features.intervals import Intervals
from railbird.kernels.rules import betting

NOTHING = -1
"""The code for a seat that has not acted in a round."""

MOST_REMEMBERED = 1 << 14
"""Maximum number of cached situations, about 16 MB; the cache is then cleared."""

_PRICES = Intervals((0, 10, 20, 30, 100))
POT_ODDS: tuple[str, ...] = ("Free", *_PRICES.states)
"""The states of pot odds: nothing to call, or the call in percent of the pot including the call."""
POT_ODDS_TITLES: tuple[str, ...] = ("nothing to call", *_PRICES.titles)
"""The same in words."""


class NamedAction(IntEnum):
    """An action by its name, least aggressive first."""

    FOLD = 0
    CHECK = 1
    CALL_SMALL_BLIND = 2
    CALL = 3
    CALL_RAISE = 4
    BET = 5
    CONTINUATION_BET = 6
    DONK_BET = 7
    RAISE = 8
    CHECK_RAISE = 9
    THREE_BET = 10
    CAP = 11

    @property
    def label(self) -> str:
        """The state as the thesis writes it, such as `ThreeBet`."""
        return self.name.title().replace("_", "")

    @property
    def title(self) -> str:
        """The action in words, such as "3-bet"."""
        return _TITLES.get(self.name) or self.name.lower().replace("_", " ")


_TITLES = {
    "CALL_SMALL_BLIND": "completed small blind",
    "CALL_RAISE": "call of a raise",
    "CHECK_RAISE": "check-raise",
    "THREE_BET": "3-bet",
}


@dataclass(frozen=True, slots=True, eq=False)
class ActionsSoFar:
    """The actions of all players up to a situation, in the rounds that have begun."""

    most_aggressive: tuple[tuple[int, ...], ...]
    """By round and seat, the `NamedAction` that counts, folds excluded, or `NOTHING`."""
    odds: tuple[tuple[int, ...], ...]
    """By round and seat, the code in `POT_ODDS` when the seat first took that action, or `NOTHING`."""
    folds: tuple[tuple[int, int], ...]
    """By seat, the round in which it folded and its code in `POT_ODDS` then, or `NOTHING` twice."""
    aggressor: int
    """The seat that was the last to bet or raise in the previous round, or `NOTHING`."""

    def action(self, number: int, seat: int) -> NamedAction | None:
        """A seat's action in a round: a fold, or else its most aggressive action."""
        if self.folds[seat][0] == number:
            return NamedAction.FOLD
        if number >= len(self.most_aggressive):
            return None
        code = self.most_aggressive[number][seat]
        return None if code == NOTHING else NamedAction(code)


_remembered: WeakKeyDictionary[BettingNode, ActionsSoFar] = WeakKeyDictionary()


def actions_so_far(setup: Setup, node: BettingNode) -> ActionsSoFar:
    """The actions of all players before a situation of a hand with this setup."""
    found = _remembered.get(node)
    if found is not None:
        return found
    steps: list[tuple[BettingNode, Action, BettingNode]] = []
    while found is None and node.reached_by is not None:
        before, action = node.reached_by
        steps.append((before, action, node))
        node = before
        found = _remembered.get(node)
    if found is None:
        found = _nothing_yet(len(setup.stacks))
    for before, action, after in reversed(steps):
        found = _after(setup.rules, found, before, action, after)
        if len(_remembered) >= MOST_REMEMBERED:
            _remembered.clear()
        _remembered[after] = found
    return found


def pot_odds_code(node: BettingNode) -> int:
    """The pot odds of the seat to act, as a code in `POT_ODDS`."""
    to_call = node.view[betting.TO_CALL]
    return 1 + _PRICES.code(100 * to_call / (node.view[betting.POT] + to_call)) if to_call else 0


def named_action(
    rules: GameRules, node: BettingNode, kind: ActionKind, so_far: int, aggressor: int
) -> NamedAction:
    """The name of an action of the seat to act.

    `so_far` is its most aggressive action in this round, `aggressor` the last to bet or raise in the previous round;
    both may be `NOTHING`.
    """
    view = node.view
    number, raises = view[betting.ROUND], view[betting.RAISES]
    bets = raises + (number == 0)
    match kind:
        case ActionKind.FOLD:
            return NamedAction.FOLD
        case ActionKind.CALL:
            if not view[betting.TO_CALL]:
                return NamedAction.CHECK
            if bets > 1:
                return NamedAction.CALL_RAISE
            # Chips put in before the first bet is called are a blind.
            has_posted = view[betting.BETS + view[betting.ACTOR]]
            return NamedAction.CALL_SMALL_BLIND if has_posted else NamedAction.CALL
        case ActionKind.RAISE:
            if not bets:
                return _opening_bet(node, number, aggressor)
            if raises + 1 == rules.raise_caps[number]:
                return NamedAction.CAP
            if bets > 1:
                return NamedAction.THREE_BET
            return NamedAction.CHECK_RAISE if number and so_far == NamedAction.CHECK else NamedAction.RAISE


def _opening_bet(node: BettingNode, number: int, aggressor: int) -> NamedAction:
    if aggressor == NOTHING:
        return NamedAction.BET
    if aggressor == node.actor:
        return NamedAction.CONTINUATION_BET if number == 1 else NamedAction.BET
    is_yet_to_act = node.view[betting.PENDING] >> aggressor & 1
    return NamedAction.DONK_BET if is_yet_to_act else NamedAction.BET


def _nothing_yet(seats: int) -> ActionsSoFar:
    nobody = ((NOTHING,) * seats,)
    return ActionsSoFar(nobody, nobody, ((NOTHING, NOTHING),) * seats, NOTHING)


def _after(
    rules: GameRules, so_far: ActionsSoFar, node: BettingNode, action: Action, after: BettingNode
) -> ActionsSoFar:
    """The actions after the seat to act at `node` has acted, which leads to `after`."""
    seat = node.actor
    assert seat is not None
    number = node.view[betting.ROUND]
    counted, odds, folds, aggressor = (
        so_far.most_aggressive,
        so_far.odds,
        so_far.folds,
        so_far.aggressor,
    )
    before = counted[number][seat]
    name = named_action(rules, node, action.kind, before, aggressor)
    if name is NamedAction.FOLD:
        folds = (*folds[:seat], (number, pot_odds_code(node)), *folds[seat + 1 :])
    elif name > before:
        counted = _replaced(counted, seat, int(name))
        odds = _replaced(odds, seat, pot_odds_code(node))
    if after.view[betting.ROUND] != number:
        nobody = ((NOTHING,) * len(folds),)
        counted, odds = counted + nobody, odds + nobody
        # A round followed by another does not end with a raise: the aggressor was known before its last action.
        aggressor = node.view[betting.AGGRESSOR]
    return ActionsSoFar(counted, odds, folds, aggressor)


def _replaced(rounds: tuple[tuple[int, ...], ...], seat: int, code: int) -> tuple[tuple[int, ...], ...]:
    """The same with a different code for a seat in the last round."""
    last = rounds[-1]
    return (*rounds[:-1], (*last[:seat], code, *last[seat + 1 :]))
