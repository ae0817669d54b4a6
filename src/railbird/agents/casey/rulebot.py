"""RuleBot: a few simple rules, the kind of opponent that CASEY learned against (baycarp-2011 §4.3.2).

Poker Academy's RuleBot is not described anywhere; these rules are ours. Before the flop it plays by the ten hand groups
(`hands.groups`), afterwards by its made hand or draw. It ignores odds and opponents and never bluffs.

    before the flop      unraised: raise groups 1–2, call up to 5 early, 7 late, 8 from the small blind
                         raised: raise group 1, call up to 3, from the big blind up to 6
                         (with three or four players the limits are two groups higher, with two players four;
                         for raising again half of that)
    strong hand          two pair with a hole card or better: raise up to three bets, then call
    good hand            top pair or an overpair: bet, raise the first bet once, call the rest
    fair hand            another pair with a hole card: bet against at most two, call single bets
    draw                 four to a flush or open-ended: call before the river; a gutshot one bet on the flop
    otherwise            check or fold
"""

from dataclasses import dataclass
from enum import Enum

import numpy as np
from numpy.typing import NDArray

from railbird.agent import Decision, Strategies
from railbird.agents.holdem import LimitAgent, legal_action, legal_strategies, triple_of_kind
from railbird.engine.actions import ActionKind
from railbird.explanation import Explanation, Fact
from railbird.hands.draws import Draw
from railbird.hands.groups import group_title, hand_group
from railbird.hands.holdings import cards_of
from railbird.hands.sartre_categories import ExpertCategory, Made, expert_category
from railbird.kernels.play.situations import (
    BETS_TO_CALL,
    INVESTED,
    LEVEL,
    OPPONENTS,
    POSITION,
    POSTED,
    STREET,
    Situation,
)
from railbird.observation import Observation
from railbird.opponents.weights.chances import situation_at

_RIVER = 3
_LATE = 0.6


class Worth(Enum):
    """What a hand is worth after the flop."""

    STRONG = "a strong hand"
    GOOD = "a good hand"
    FAIR = "a fair hand"
    DRAW = "a draw"
    GUTSHOT = "a gutshot"
    NOTHING = "nothing"


_STRONG = {Made.TWO_PAIR, Made.TRIPS, Made.SET, Made.STRAIGHT, Made.FLUSH, Made.FULL_HOUSE, Made.FOUR_OF_A_KIND,
           Made.STRAIGHT_FLUSH}  # fmt: skip
_GOOD = {"top pair", "overpair", "top pair and board pair", "overpair and board pair"}
_PAIRED = {Made.PAIR, Made.POCKET_PAIR, Made.PAIR_WITH_BOARD_PAIR, Made.POCKET_PAIR_WITH_BOARD_PAIR}


def worth(category: ExpertCategory) -> Worth:
    """What a hand is worth."""
    if category.made in _STRONG:
        return Worth.STRONG
    if category.place in _GOOD:
        return Worth.GOOD
    if category.draw >= Draw.OPEN_ENDED:
        return Worth.DRAW
    if category.made in _PAIRED:
        return Worth.FAIR
    return Worth.GUTSHOT if category.draw is Draw.GUTSHOT else Worth.NOTHING


@dataclass(frozen=True, slots=True)
class _Choice:
    kind: ActionKind
    rule: str


class RuleBot(LimitAgent):
    """Plays by simple rules for starting hands and made hands; never bluffs, never adapts."""

    title = "RuleBot"
    papers = "baycarp-2011 §4.3.2"

    def choose(self, observation: Observation) -> Decision:
        """Apply the first rule that fits."""
        choice, said, holds = _decided(observation)
        action = legal_action(observation, choice.kind)
        facts = holds, Fact("rule", choice.rule)
        return Decision(action, Explanation(f"It has {said}: {choice.rule}.", facts), ((action, 1.0),))

    def _strategies(self, observation: Observation, holdings: NDArray[np.int64]) -> Strategies:
        seen = (observation.holding(cards_of(each)) for each in holdings.tolist())
        return legal_strategies(
            observation, holdings, [triple_of_kind(_decided(each)[0].kind) for each in seen]
        )


def _decided(observation: Observation) -> tuple[_Choice, str, Fact]:
    """The choice, and what the player holds, in words and as a fact."""
    situation = situation_at(observation.setup, observation.node)
    if situation[STREET]:
        category = expert_category(observation.hole_cards, observation.board)
        choice = _after_the_flop(situation, worth(category))
        return choice, str(category), Fact("holds", str(category))
    group = hand_group(observation.hole_cards)
    choice = _before_the_flop(situation, group, observation.rules.players)
    return choice, f"a group-{group} starting hand", Fact("starting hand", group_title(group))


def _before_the_flop(situation: Situation, group: int, players: int) -> _Choice:
    wider = 4 if players == 2 else 2 if players <= 4 else 0
    if situation[LEVEL] <= 1.0:
        if group <= 2 + wider:
            return _Choice(ActionKind.RAISE, "the best groups raise")
        cheap = situation[POSTED] > 0.0
        last = 8 if cheap else 7 if situation[POSITION] >= _LATE else 5
        if group <= last + wider:
            return _Choice(ActionKind.CALL, f"groups up to {last + wider} call")
        return _Choice(ActionKind.FOLD, f"groups above {last + wider} check or fold")
    if group <= 1 + wider // 2 and situation[LEVEL] <= 3.0:
        return _Choice(ActionKind.RAISE, "the best groups raise again")
    last = 6 if situation[BETS_TO_CALL] <= 1.0 else 3
    if group <= last + wider or situation[INVESTED]:
        return _Choice(
            ActionKind.CALL, f"groups up to {last + wider}, and hands that already put chips in, call a raise"
        )
    return _Choice(ActionKind.FOLD, f"groups above {last + wider} fold to a raise")


def _after_the_flop(situation: Situation, hand: Worth) -> _Choice:
    level, single = situation[LEVEL], situation[BETS_TO_CALL] <= 1.0
    river = situation[STREET] == _RIVER
    match hand:
        case Worth.STRONG:
            if level <= 2.0:
                return _Choice(ActionKind.RAISE, "a strong hand raises up to three bets")
            return _Choice(ActionKind.CALL, "a strong hand calls the rest")
        case Worth.GOOD:
            if level <= 1.0 and not situation[INVESTED]:
                return _Choice(ActionKind.RAISE, "a good hand bets, and raises the first bet")
            return _Choice(ActionKind.CALL, "a good hand calls")
        case Worth.FAIR:
            if level == 0.0 and situation[OPPONENTS] <= 2.0:
                return _Choice(ActionKind.RAISE, "a fair hand bets against few opponents")
            if single:
                return _Choice(ActionKind.CALL, "a fair hand calls single bets")
        case Worth.DRAW if not river:
            return _Choice(ActionKind.CALL, "a draw calls before the river")
        case Worth.GUTSHOT if single and situation[STREET] == 1:
            return _Choice(ActionKind.CALL, "a gutshot calls one bet on the flop")
        case _:
            pass
    return _Choice(ActionKind.FOLD, f"{hand.value} checks or folds")
