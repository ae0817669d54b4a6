"""Pokibot: Poki's formula-based strategy against weighted opponents (Papp 1998 ch. 6, loki-1999, baycarp-2011 §4.3).

Before the flop it plays by the income rate of its cards, position, bets and callers: softly, in the style of its
profile (ProbTriple's first half), or by hard thresholds (`income_thresholds`). After the flop it measures its hand
against what every opponent may hold:

    HS     the product over opponents of the chance to be ahead (`equities.strength`), each against its own weights
    PPot   the chance to pull ahead with the next card, and NPot to fall behind, against the opponents' mean weights
    EHS    HS + (1 − HS) · PPot, by which it bets; HS · (1 − NPot) + (1 − HS) · PPot, by which it calls down

and applies the first rule that fits in `_bet_or_check` or `_face_a_bet`. Deception is mixed in at random: bluffs if the
opponents' weights say that they fold often enough, in the proportion that leaves a caller no profit; check-raises and
slow-play with hands strong enough for them. A rule that applies at random has a probability and its own draw; the
strategy that Pokibot states combines these probabilities. Whether it is bluffing in this hand is part of its state: the
strategy of other holdings uses the present state, or for the last decision the state before it.
"""

import json
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from railbird.agent import Decision, HandResult, MatchStart, Strategies
from railbird.agents.holdem import LimitAgent, legal_action, legal_strategies, legal_strategy
from railbird.agents.loki.income_thresholds import hard_decision, hard_strategies
from railbird.agents.loki.probtriple import own_values
from railbird.agents.loki.profiles import (
    POKIBOT_PROFILES,
    ModelsParameter,
    PreflopParameter,
    Profile,
    ProfileParameter,
)
from railbird.engine.actions import FOLD as FOLDING
from railbird.engine.actions import ActionKind, raise_to
from railbird.engine.betting_tree import BettingNode
from railbird.engine.setup import Setup
from railbird.equities.strength import ehs_optimistic, ehs_showdown, hand_potential, hand_strength
from railbird.explanation import SHARE, Deferred, Explanation, Fact
from railbird.explanation.formats import format_share
from railbird.hands.holdings import cards_of
from railbird.kernels.play.prob_triple import BLUFFING, triple_of
from railbird.kernels.play.situations import (
    BEHIND,
    BET_ODDS,
    BETS_TO_CALL,
    CAN_FOLD,
    INVESTED,
    LEVEL,
    OPPONENTS,
    POT_BETS,
    POT_ODDS,
    STREET,
    Situation,
)
from railbird.kernels.rules import betting
from railbird.observation import Observation
from railbird.opponents.weights.beliefs import WeightBeliefs
from railbird.opponents.weights.book import Book
from railbird.opponents.weights.chances import chances_at, situation_at, values_at
from railbird.opponents.weights.explaining import belief_sections
from railbird.plain_data import read_json

RAISE, CALL, FOLD = ActionKind.RAISE, ActionKind.CALL, ActionKind.FOLD

_RIVER = 3
_MOST_BLUFFED = 2
"""Maximum number of opponents against which it makes a pure bluff."""


@dataclass(frozen=True, slots=True)
class Assessment:
    """What Pokibot knows about a hand after the flop."""

    situation: Situation
    hs: float
    ppot: float
    npot: float
    later_bets: float
    """One bet in every round to come, in bets of this round."""

    @property
    def ehs(self) -> float:
        """The chance to be ahead now or to pull ahead."""
        return ehs_optimistic(self.hs, self.ppot)

    @property
    def at_showdown(self) -> float:
        """The chance to be ahead and stay there, or to pull ahead."""
        return ehs_showdown(self.hs, self.ppot, self.npot)

    @property
    def pot_odds(self) -> float:
        """The chance of winning from which a call pays."""
        return float(self.situation[POT_ODDS])

    @property
    def odds_of_bet_and_raise(self) -> float:
        """Pot odds of betting and calling a raise, two more players paying as much (Papp 1998, equation 6.5)."""
        return 2.0 / (float(self.situation[POT_BETS]) + 6.0)

    @property
    def showdown_odds(self) -> float:
        """The chance of winning from which calling a bet now and in every round to come pays."""
        cost = float(self.situation[BETS_TO_CALL]) + self.later_bets
        return cost / (float(self.situation[POT_BETS]) + cost + self.later_bets)


@dataclass(frozen=True, slots=True)
class Rule:
    """An action and its reason, with a probability if the rule applies at random."""

    kind: ActionKind
    reason: str
    chance: float | None = None
    """None if the rule always applies."""
    is_bluff: bool = False


class Pokibot(LimitAgent):
    """Plays by Poki's formulas: hand strength against likely hands, pot odds and bluffs; models its opponents."""

    title = "Pokibot"
    papers = "loki-1999; papp-1998 §6; casper-2007; baycarp-2011"
    preflop: str

    def __init__(
        self,
        profile: ProfileParameter = "balanced",
        models: ModelsParameter = True,
        preflop: PreflopParameter = "soft",
    ) -> None:
        self.profile = profile
        self.models = models
        self.preflop = preflop

    def start(self, match: MatchStart) -> None:
        """Forget all opponents except those in the given experience of earlier matches."""
        super().start(match)
        self.book_ = Book(adapts=self.models)
        self.watched_ = self.book_  # differs from the book if that has earlier matches
        self.beliefs_ = WeightBeliefs(self.book_)
        self.bluffing_ = False
        self.hand_ = -1
        self.last_: tuple[BettingNode | None, bool] = (None, False)
        """The situation of its last decision, and whether it was bluffing before."""
        self.setup_ = Setup.of(match.rules)
        if match.experience and self.models:
            self.watched_ = Book()
            for text in match.experience:
                self.book_.add(Book.from_json(read_json(text)))

    @property
    def is_learner(self) -> bool:
        """Whether it learns how its opponents play."""
        return self.models

    def lived(self) -> Sequence[str]:
        """The actions of all players in this match."""
        return [json.dumps(self.watched_.to_json())] if self.models and self.match_ else []

    def bookmark(self) -> Any:
        """The state of its generator, and the order of the players in its book."""
        return {**super().bookmark(), "players": list(self.book_.labels)}

    def go_on(self, bookmark: Any) -> None:
        """Draw on from there."""
        super().go_on(bookmark)
        self.book_.arrange(bookmark["players"])

    def recall(self, result: HandResult, asked: Sequence[Observation], note: Any) -> None:
        """Learn from a hand before a break, with the stacks that it saw when it was asked."""
        if asked:
            self.setup_ = asked[-1].setup
        super().recall(result, asked, note)

    def end_hand(self, result: HandResult) -> None:
        """Learn from the actions of all players."""
        if self.models and self.match_ and self.setup_.rules.players == len(result.players):
            self.book_.learn(result, self.setup_)
            if self.watched_ is not self.book_:
                self.watched_.learn(result, self.setup_)

    def choose(self, observation: Observation) -> Decision:
        """Decide by income rates before the flop, afterwards by the formulas."""
        self.setup_ = observation.setup
        if observation.hand_number != self.hand_:
            self.hand_, self.bluffing_ = observation.hand_number, False
        self.last_ = (observation.node, self.bluffing_)
        situation = situation_at(observation.setup, observation.node)
        if not situation[STREET]:
            if self.preflop == "hard":
                return hard_decision(observation, POKIBOT_PROFILES[self.profile])
            return self._before_the_flop(observation, situation)
        opponents = believed(self.beliefs_, observation)
        hand = _assess(observation, situation, list(opponents.values()))
        rules = tuple(self._rules(observation, hand, opponents, self.bluffing_))
        rule = next(each for each in rules if each.chance is None or self.chance() < each.chance)
        if situation[LEVEL] <= 0.0:
            self.bluffing_ = False
        self.bluffing_ |= rule.is_bluff
        return Decision(
            legal_action(observation, rule.kind),
            _explain(observation, hand, rule, opponents),
            legal_strategy(observation, _triple(rules)),
        )

    def _strategies(self, observation: Observation, holdings: NDArray[np.int64]) -> Strategies:
        situation = situation_at(observation.setup, observation.node)
        if not situation[STREET]:
            if self.preflop == "hard":
                return hard_strategies(observation, holdings, POKIBOT_PROFILES[self.profile])
            percentiles = values_at(situation, ()).strengths[holdings].tolist()
            style = self._style_before_the_flop(observation)
            triples = [triple_of(situation, each, 0.0, style) for each in percentiles]
            return legal_strategies(observation, holdings, triples)
        bluffing = observation.hand_number == self.hand_ and (
            self.last_[1] if self.last_[0] is observation.node else self.bluffing_
        )
        beliefs = WeightBeliefs(self.book_)
        found = []
        for number in holdings.tolist():
            held = observation.holding(cards_of(number))
            opponents = believed(beliefs, held)
            hand = _assess(held, situation, list(opponents.values()))
            found.append(_triple(self._rules(held, hand, opponents, bluffing)))
        return legal_strategies(observation, holdings, found)

    def _before_the_flop(self, observation: Observation, situation: Situation) -> Decision:
        percentile, _ = own_values(situation, observation.hole_cards, ())
        triple = triple_of(situation, percentile, 0.0, self._style_before_the_flop(observation))
        explanation = Explanation(
            f"Its cards are better than {format_share(percentile)} of all starting hands, by income rate.",
            (
                Fact("percentile of the income rate", percentile, SHARE),
                Fact("pot odds", float(situation[POT_ODDS]), SHARE),
            ),
        )
        return self.draw(observation, triple, explanation)

    def _style_before_the_flop(self, observation: Observation) -> NDArray[np.float64]:
        profile = POKIBOT_PROFILES[self.profile]
        style = profile.style.vector.copy()
        style[:BLUFFING] += profile.follows * self._looseness_in_the_pot(observation)
        return style

    def _looseness_in_the_pot(self, observation: Observation) -> float:
        """How much looser than generic players the players in this pot are, in log-odds."""
        spoke, folded = observation.node.view[betting.SPOKE], observation.node.view[betting.FOLDED]
        inside = [
            self.book_.style(label).preflop_looseness
            for seat, label in enumerate(observation.players)
            if seat != observation.seat and spoke >> seat & 1 and not folded >> seat & 1
        ]
        return sum(inside) / len(inside) if inside else 0.0

    def _rules(
        self,
        observation: Observation,
        hand: Assessment,
        opponents: dict[int, NDArray[np.float64]],
        bluffing: bool,
    ) -> Iterator[Rule]:
        """The rules that apply after the flop, up to the first that is certain."""
        profile = POKIBOT_PROFILES[self.profile]
        if hand.situation[LEVEL] > 0.0:
            return _face_a_bet(hand, profile)
        return self._bet_or_check(observation, hand, opponents, profile, bluffing)

    def _bet_or_check(
        self,
        observation: Observation,
        hand: Assessment,
        opponents: dict[int, NDArray[np.float64]],
        profile: Profile,
        bluffing: bool,
    ) -> Iterator[Rule]:
        """Nobody has bet."""
        situation, deceives = hand.situation, profile.deception
        if hand.ehs >= profile.raise_at and situation[BEHIND]:
            yield Rule(CALL, "check a strong hand to trap or to check-raise", 0.15 * deceives)
        if hand.ehs >= profile.bet_at:
            yield Rule(RAISE, "bet: ahead or likely to pull ahead")
        elif hand.ppot >= hand.odds_of_bet_and_raise and situation[STREET] < _RIVER:
            yield Rule(RAISE, "semi-bluff: the draw could call a raise", is_bluff=True)
        else:
            if len(opponents) <= _MOST_BLUFFED:
                reason = "keep bluffing" if bluffing else "bluff: the opponents fold often enough"
                often = (0.5 if bluffing else float(situation[BET_ODDS])) * deceives
                pays = self._bluff_pays(observation, opponents, situation)
                yield Rule(RAISE, reason, often if pays else 0.0, is_bluff=True)
            yield Rule(CALL, "check: no reason to bet")

    def _bluff_pays(
        self, observation: Observation, opponents: dict[int, NDArray[np.float64]], situation: Situation
    ) -> bool:
        """Whether all opponents fold to a bet often enough, by their weights and styles."""
        setup = observation.setup
        legal = observation.legal_actions
        if not legal.raise_maximum:
            return False
        node = setup.tree.after(observation.node, raise_to(legal.raise_minimum))
        everybody = 1.0
        while node.actor is not None and node.actor in opponents and node.legal.fold:
            style = self.book_.style(observation.players[node.actor])
            chances = chances_at(setup, node, observation.board, style)
            everybody *= float(chances[betting.FOLD] @ opponents[node.actor])
            if len(opponents) == 1 or node.view[betting.LIVE] <= 2:
                break
            node = setup.tree.after(node, FOLDING)
        risk = 1.0 / (1.0 + float(situation[POT_BETS]))
        return everybody > risk


def _face_a_bet(hand: Assessment, profile: Profile) -> Iterator[Rule]:
    """Somebody has bet."""
    situation, deceives = hand.situation, profile.deception
    bets = max(1.0, min(3.0, float(situation[LEVEL])))
    beyond = 1.0 - profile.raise_at
    if hand.ehs >= 1.0 - beyond / bets:
        if situation[STREET] < _RIVER and bets == 1.0:
            yield Rule(CALL, "slow-play a strong hand", 0.1 * deceives)
        yield Rule(RAISE, "raise for value")
        return
    if hand.ehs >= profile.bet_at + 0.1 * (bets - 1.0) and (
        situation[BETS_TO_CALL] < 2.0 or situation[INVESTED]
    ):
        yield Rule(CALL, "call: ahead or likely to pull ahead")
        return
    if situation[STREET] < _RIVER:
        if situation[OPPONENTS] == 1.0 and bets == 1.0 and hand.ppot >= 0.2:
            yield Rule(RAISE, "semi-bluff raise with a draw", 0.12 * deceives, is_bluff=True)
        if hand.ppot >= profile.calling * hand.pot_odds:
            yield Rule(CALL, "call: the pot odds justify the draw")
            return
    elif hand.hs >= profile.calling * hand.pot_odds:
        yield Rule(CALL, "call: the hand wins often enough for the pot odds")
        return
    if hand.at_showdown >= profile.calling * hand.showdown_odds:
        yield Rule(CALL, "call down: the price to the showdown is low enough")
    else:
        yield Rule(FOLD, "fold: neither the hand nor the odds are good enough")


def _triple(rules: Iterable[Rule]) -> tuple[float, float, float]:
    """The probabilities of fold, call and raise by rules that are tried in order."""
    chances = dict.fromkeys(ActionKind, 0.0)
    left = 1.0
    for rule in rules:
        taken = left if rule.chance is None else left * min(1.0, rule.chance)
        chances[rule.kind] += taken
        left -= taken
    return chances[FOLD], chances[CALL], chances[RAISE]


def believed(beliefs: WeightBeliefs, observation: Observation) -> dict[int, NDArray[np.float64]]:
    """The range of every opponent who is still in, by seat."""
    return {
        seat: beliefs.of(observation, seat) for seat in observation.live_seats if seat != observation.seat
    }


def _assess(
    observation: Observation, situation: Situation, opponents: Sequence[NDArray[np.float64]]
) -> Assessment:
    street, bets = observation.round, observation.rules.bet_sizes
    later_bets = sum(bets[street + 1 :]) / bets[street]
    hole, board = observation.hole_cards, observation.board
    if street == _RIVER:
        return Assessment(situation, hand_strength(hole, board, opponents), 0.0, 0.0, later_bets)
    if len(opponents) == 1:
        potential = hand_potential(hole, board, opponents[0], look_ahead=1)
        return Assessment(situation, potential.hs, potential.ppot, potential.npot, later_bets)
    potential = hand_potential(hole, board, np.mean(opponents, axis=0), look_ahead=1)
    hs = hand_strength(hole, board, opponents)
    return Assessment(situation, hs, potential.ppot, potential.npot, later_bets)


def _explain(
    observation: Observation,
    hand: Assessment,
    rule: Rule,
    opponents: dict[int, NDArray[np.float64]],
) -> Explanation:
    facts = [
        Fact("rule", rule.reason),
        Fact("hand strength", hand.hs, SHARE),
        Fact("positive potential", hand.ppot, SHARE),
        Fact("effective hand strength", hand.ehs, SHARE),
    ]
    if hand.situation[CAN_FOLD]:
        facts += [Fact("pot odds", hand.pot_odds, SHARE), Fact("showdown odds", hand.showdown_odds, SHARE)]
    return Explanation(
        f"{rule.reason[0].upper()}{rule.reason[1:]} (effective hand strength {format_share(hand.ehs)}).",
        tuple(facts),
        Deferred(lambda: belief_sections(observation.players, opponents)),
    )
