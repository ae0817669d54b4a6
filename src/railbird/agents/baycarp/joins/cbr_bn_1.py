"""CBR-BN-1 at the table: similar cases make the network that decides, or a network adapts them (baycarp-2011 §4.2.3).

`CbrBn1` counts a network from the similar cases: the action is the parent of its symptoms, which are the attributes in
a few states each. The symptoms of the situation give the probability of each action; outcomes, if used, are weighted by
the probability of their action.

`CbrBn1Adapt` lets the cases vote, and asks another network for the probability that the hand is won:

    relative hand strength ───┬──→ Won ──→ opponent hand type 2
    opponent hand type 1 ─────┘      └───→ opponent hand type 3

It is counted from all cases of the stage in which something was paid. The probability that an action *works* compares
the chance to win with its price, and is one half at break-even: a call against a fold, a bet or raise against a check
or call. If a paid action works with probability p, the free one works with 1 − p.
"""

from collections.abc import Mapping
from functools import cache, lru_cache

import numpy as np
from numpy.typing import NDArray

from railbird.agents.baycarp.attributes import HAND_TYPES
from railbird.agents.baycarp.cases import SOLUTIONS, schema
from railbird.agents.baycarp.parts import PAID, Join, Parts, Solved, break_even, solved
from railbird.agents.baycarp.view import View
from railbird.agents.casper.attributes import STAGES
from railbird.agents.casper.explanation import DOING
from railbird.bayes.forward import Forward
from railbird.bayes.learning.counts import Average, count
from railbird.bayes.network import Network
from railbird.bayes.rows import Codes
from railbird.bayes.structure import Structure, Variable
from railbird.cbr.case_base import CaseBase
from railbird.cbr.cycle.episode import Episode
from railbird.cbr.cycle.reuse import Among, BestOutcome, BestSumOfOutcomes
from railbird.cbr.packs.files import Pack
from railbird.explanation import SHARE, Bar, Bars, Fact
from railbird.explanation.formats import format_share
from railbird.features.outcomes import BET, CALL, CHECK, FOLD, RAISE, possible
from railbird.hands.types import HandType
from railbird.joins.cbr_bn_1 import AdaptedReuse, Diagnosed, Diagnosis, Symptom, codes_of_cases, evidence_of
from railbird.observation import Observation

EDGES: Mapping[str, tuple[float, ...]] = {
    "number of players": (3, 5, 8),
    "players in hand": (1, 2, 3, 5),
    "players yet to act": (1, 2, 4),
    "relative position": (0.34, 0.67),
    "bets committed": (0.25, 0.75, 1.5, 2.5),
    "bets to call": (0.25, 0.75, 1.25, 2.25),
    "pot odds": (0.05, 0.1, 0.15, 0.2, 0.3),
    "hand rank": (6, 12, 20, 30, 45, 65, 90, 120),
    "bets total": (2, 4, 6, 9),
    "relative hand strength": (0.1, 0.2, 0.35, 0.5, 0.65, 0.8, 0.9),
    "positive potential": (0.05, 0.1, 0.15, 0.2, 0.3),
    "negative potential": (0.1, 0.2, 0.3, 0.45),
}
"""The bounds between the states of numeric attributes."""
PSEUDO_COUNT = 1.0
STRENGTH = "relative hand strength"
WON = "Won"
_LABELS = tuple(each.label for each in HandType)
_BACKING = 10.0
"""Weight, in cases, of the chance to win given the strength alone, regardless of the opponents' hand type."""
_MOST_PACKS = 4


@cache
def _diagnosis(stage: str) -> Diagnosis:
    symptoms = [
        Symptom(name, symbols=_LABELS) if name in HAND_TYPES else Symptom(name, EDGES[name])
        for name in schema(stage).names
    ]
    return Diagnosis(schema(stage), symptoms, PSEUDO_COUNT)


class CbrBn1(Join):
    """Takes the most probable action by the network of the similar cases."""

    def __init__(self, parts: Parts) -> None:
        self.parts = parts
        reuse = parts.reuse
        # An average does not change with how probable its action is; a sum does.
        self.reuse = BestSumOfOutcomes() if isinstance(reuse, BestOutcome) else reuse
        self.diagnoses = {stage: _diagnosis(stage) for stage in STAGES}

    def solve(self, observation: Observation, view: View) -> Solved:
        """What the network of the similar cases says."""
        episode, chances = self._diagnosed(observation, view)
        if chances is None:
            return self.parts.plainly(observation, view)
        best = int(chances.argmax())
        bars = tuple(map(Bar, SOLUTIONS, chances.tolist()))
        return self.parts.explained(
            observation,
            view,
            episode,
            f"The network of the similar cases says that {DOING[SOLUTIONS[best]]} is most probable "
            f"({format_share(chances[best])}).",
            [Fact(f"probability of {each.label}", each.value, SHARE) for each in bars if each.value > 0.0],
            lambda: Bars("probability of each action", bars, SHARE),
        )

    def episode(self, observation: Observation, view: View) -> Episode:
        """What the network of the similar cases says."""
        return self._diagnosed(observation, view)[0]

    def _diagnosed(self, observation: Observation, view: View) -> tuple[Episode, NDArray[np.float64] | None]:
        """The episode and the probability of each action; without similar cases there is no network."""
        base = self.parts.pack.bases[view.stage]
        found = self.parts.retrieve[view.stage](base, Episode(view.target))
        assert found.retrieved is not None
        if not len(found.retrieved):
            return self.parts.plain_episode(observation, view), None
        diagnosis = self.diagnoses[view.stage]
        chances = diagnosis.chances(base, found)
        diagnosed = Diagnosed(diagnosis, Among(self.reuse, possible(observation)))
        return solved(diagnosed.weighed(base, found, chances), observation), chances


class CbrBn1Adapt(Join):
    """Lets the similar cases vote, weighted by a network's probability that each action works."""

    def __init__(self, parts: Parts) -> None:
        self.parts = parts
        self.winning = _winning(parts.watched)

    def solve(self, observation: Observation, view: View) -> Solved:
        """What the similar cases say of what works here."""
        if view.stage not in self.winning:
            return self.parts.plainly(observation, view)
        chance = self.winning[view.stage].chance(view)
        works = chances_to_work(observation, chance)
        episode = self._adapted(observation, view, works)
        assert episode.strategy is not None
        best = episode.strategy.best
        bars = tuple(Bar(name, works[name]) for name in SOLUTIONS if name in possible(observation))
        return self.parts.explained(
            observation,
            view,
            episode,
            f"Hands like this win {format_share(chance)} of the time, so {DOING[best]} is right "
            f"{format_share(works[best])} of the time.",
            (
                Fact("chance to win", chance, SHARE),
                *(Fact(f"{DOING[each.label]} is right", each.value, SHARE) for each in bars),
            ),
            lambda: Bars("probability that each action is right", bars, SHARE),
        )

    def episode(self, observation: Observation, view: View) -> Episode:
        """What the similar cases say of what works here."""
        if view.stage not in self.winning:
            return self.parts.plain_episode(observation, view)
        works = chances_to_work(observation, self.winning[view.stage].chance(view))
        return self._adapted(observation, view, works)

    def _adapted(self, observation: Observation, view: View, works: Mapping[str, float]) -> Episode:
        base = self.parts.pack.bases[view.stage]
        found = self.parts.retrieve[view.stage](base, Episode(view.target))
        policy = Among(self.parts.reuse, possible(observation))
        return solved(AdaptedReuse(policy, works)(base, found), observation)


def chances_to_work(observation: Observation, chance: float) -> dict[str, float]:
    """The probability that each action works, given the chance to win the hand; 0 for impossible actions."""
    allowed = possible(observation)
    free = CALL if CALL in allowed else CHECK
    more = RAISE if RAISE in allowed else BET
    found = dict.fromkeys(SOLUTIONS, 0.0)
    if more in allowed:
        found[more] = _against_price(chance, break_even(observation, more, free))
    if free == CALL:
        found[CALL] = _against_price(chance, break_even(observation, CALL))
        found[FOLD] = 1.0 - found[CALL]
    else:
        found[CHECK] = 1.0 - found[more]
    return found


def _against_price(chance: float, price: float) -> float:
    """A chance relative to the break-even chance, which becomes one half."""
    gain, loss = chance * (1.0 - price), (1.0 - chance) * price
    return gain / (gain + loss) if gain + loss > 0.0 else 0.5


class Winning:
    """The probability that a hand is won, given its strength and the opponents' probable hand types."""

    def __init__(self, base: CaseBase) -> None:
        self.symptoms = (
            Symptom(STRENGTH, EDGES[STRENGTH]),
            *(Symptom(name, symbols=_LABELS) for name in HAND_TYPES),
        )
        paid = np.array([each in PAID for each in base.schema.solutions])
        told = np.flatnonzero(base.known[:, paid].any(axis=1))
        won = base.sums[told][:, paid].sum(axis=1) > 0.0
        codes = np.column_stack([codes_of_cases(base, told, self.symptoms), won]).astype(np.int16)
        first, second, third = HAND_TYPES
        structure = Structure(
            (*(each.variable for each in self.symptoms), Variable(WON, ("no", "yes"))),
            {WON: (STRENGTH, first), second: (WON,), third: (WON,)},
        )
        self.network = count(structure, codes, prior=Average(_whatever_the_types(structure, codes), _BACKING))
        self._forward = Forward(self.network, [WON])

    def chance(self, view: View) -> float:
        """The chance to win."""
        codes = self.network.structure.codes(evidence_of(view.attributes, self.symptoms))
        return float(self._forward(codes)[1])


def _whatever_the_types(structure: Structure, codes: Codes) -> Network:
    """A network of how often hands of each strength are won, independent of hand types."""
    strength, won = codes[:, 0], codes[:, -1]
    tables = {}
    for variable in structure.variables:
        shape = structure.shape(variable.name)
        tables[variable.name] = np.full(shape, 1.0 / shape[-1])
    seen = np.ones((len(structure.variable(STRENGTH)), 2))
    np.add.at(seen, (strength, won), 1.0)
    tables[WON][...] = (seen / seen.sum(axis=1, keepdims=True))[:, np.newaxis, :]
    return Network(structure, tables)


@lru_cache(maxsize=_MOST_PACKS)
def _winning(watched: Pack) -> Mapping[str, Winning]:
    return {stage: Winning(watched.bases[stage]) for stage in STAGES[1:]}
