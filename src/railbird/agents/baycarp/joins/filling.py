"""CBR-BN-1 at the table, where the cases fill in what the network does not know (baycarp-2011 §4.1).

- An opponent's hand group is unknown. The cases tell what players held who acted so: the opponent's last decision
  before the flop is described by its betting, and similar decisions with the same action are retrieved. Their hands are
  the solutions: a hand group is as probable as it is frequent among them.
- The network's own belief counts as `PRIOR` cases, so that a few cases do not outvote it.
- With the hand group filled in, the network infers the hand types, and the action is the one worth most against these
  beliefs (G-bucks). Pot and position enter as numbers here, which the network would have to divide into states.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache
from weakref import WeakKeyDictionary

import numpy as np
from numpy.typing import NDArray

from railbird.agents.baycarp.cases import THRESHOLDS, similarity
from railbird.agents.baycarp.joins.worth import ByWorth
from railbird.agents.baycarp.parts import Parts
from railbird.agents.casper.attributes import STAGES
from railbird.bayes.network import Network
from railbird.cbr.case_base import CaseBase
from railbird.cbr.cycle.episode import Retrieved
from railbird.cbr.cycle.retrieve import AtLeastElseNearest, Search
from railbird.cbr.packs.files import Pack
from railbird.cbr.schema import Schema
from railbird.cbr.similarity import Similarity
from railbird.cbr.target import Target
from railbird.engine.actions import ActionKind
from railbird.engine.betting_facts import BettingFacts
from railbird.engine.betting_tree import BettingNode
from railbird.engine.setup import Setup
from railbird.explanation import COUNT, Fact, Section
from railbird.features import betting
from railbird.features.outcomes import CALL, CHECK, RAISE
from railbird.hands.groups import GROUP_OF_CLASS, HAND_GROUPS
from railbird.hands.starting import class_order
from railbird.joins.cbr_bn_1 import solution_shares
from railbird.kernels.rules.betting import ROUND, TO_CALL
from railbird.observation import Observation
from railbird.opponents.network.beliefs import MOST_GROUPS, Beliefs, Believed, Chances, Reading
from railbird.opponents.network.nodes import HAND_GROUP, HAND_TYPES, Variant
from railbird.opponents.network.rows import Styles

PRIOR = 20.0
"""Weight, in cases, of what the network itself believes about a hand group."""
_K = 20
_RANK = "hand rank"
_BEFORE_FLOP = STAGES[0]
_GROUPS = tuple(f"HandGroup{group}" for group in HAND_GROUPS)
_MOST_PACKS = 4


@dataclass(frozen=True, slots=True)
class _Decision(BettingFacts):
    """A decision of an opponent before the flop, as everybody saw it."""

    setup: Setup
    node: BettingNode


def last_decision(node: BettingNode, seat: int) -> tuple[BettingNode, ActionKind] | None:
    """The situation of a seat's last decision before the flop, and its action; None if it made none."""
    while node.reached_by is not None:
        node, action = node.reached_by
        if not node.view[ROUND] and node.actor == seat:
            return node, action.kind
    return None


def name_before_flop(node: BettingNode, kind: ActionKind) -> str:
    """The name of an action before the flop, where the blinds are a bet."""
    if kind is ActionKind.RAISE:
        return RAISE
    return CALL if node.view[TO_CALL] else CHECK


class HandsOfDecisions:
    """Decisions before the flop by action, described by the betting; their solutions are the hand groups held."""

    def __init__(self, base: CaseBase) -> None:
        before = similarity(_BEFORE_FLOP)
        rank = base.schema.place(_RANK)
        betting_attributes = tuple(each for each in base.schema.attributes if each.name != _RANK)
        self.schema = Schema(betting_attributes, _GROUPS)
        self.similarity = Similarity(
            self.schema, {name: part for name, part in before.parts.items() if name != _RANK}
        )
        groups = GROUP_OF_CLASS[class_order()][base.values[:, rank].astype(np.int64) - 1].astype(np.int64)
        held = (groups[:, np.newaxis] == np.array(HAND_GROUPS)).astype(np.int64)
        values = np.delete(base.values, rank, axis=1)
        nothing = np.zeros_like(held)
        self._bases = {
            action: CaseBase.of_arrays(
                self.schema, values[rows], held[rows], nothing[rows], nothing[rows].astype(np.float64), {}
            )
            for place, action in enumerate(base.schema.solutions)
            for rows in [np.flatnonzero(base.counts[:, place])]
        }

    def retrieve(self, facts: BettingFacts, seat: int, action: str) -> tuple[CaseBase, Retrieved] | None:
        """Similar decisions with the same action; None if there is none with it."""
        base = self._bases[action]
        if not len(base):
            return None
        search = Search(base, self.similarity, Target(self.schema, _described(facts, seat)))
        return base, AtLeastElseNearest(THRESHOLDS[_BEFORE_FLOP], _K)(search)


def _described(facts: BettingFacts, seat: int) -> dict[str, float]:
    """The betting attributes of a decision."""
    node = facts.node
    opening = betting.opening_of_round(node)
    return {
        "number of players": betting.players_at_opening(opening),
        "players in hand": betting.players_in(node),
        "players yet to act": betting.players_yet_to_act(node),
        "relative position": betting.relative_position(opening, seat, len(facts.setup.stacks)),
        "bets committed": betting.bets_committed(facts),
        "bets to call": betting.bets_to_call(facts),
        "pot odds": betting.pot_odds_of_one_bet(facts),
    }


@lru_cache(maxsize=_MOST_PACKS)
def _hands_of(pack: Pack) -> HandsOfDecisions:
    return HandsOfDecisions(pack.bases[_BEFORE_FLOP])


class FilledBeliefs(Beliefs):
    """Reads opponents with a network whose node of the hand group is filled in by similar decisions."""

    def __init__(self, network: Network, variant: Variant, reading: Reading, pack: Pack) -> None:
        super().__init__(network, variant, reading)
        self._hands = _hands_of(pack)
        self._group = self.coder.structure.place(HAND_GROUP)
        self._found: WeakKeyDictionary[BettingNode, dict[int, tuple[CaseBase, Retrieved] | None]] = (
            WeakKeyDictionary()
        )

    def of(self, observation: Observation, styles: Styles) -> tuple[Believed, ...]:
        """The beliefs about every opponent who has not folded."""
        rows = self.coder.evidence(observation, styles)
        seen, board = (*observation.hole_cards, *observation.board), observation.board
        found = []
        for seat, codes in zip(rows.seats, rows.codes, strict=True):
            chances = self.chances(observation.players[seat], observation.round, codes)
            groups, types = chances[:MOST_GROUPS], chances[MOST_GROUPS:]
            similar = self.similar(observation.setup, observation.node, seat)
            if similar is not None:
                prior = dict(zip(_GROUPS, (PRIOR * groups).tolist(), strict=True))
                groups = np.array(list(solution_shares(*similar, prior).values()))
                if len(types):
                    types = groups @ self._types_by_group(observation.round, codes)
            found.append(Believed(seat, groups, types, self.range(groups, types, seen, board)))
        return tuple(found)

    def _types_by_group(self, stage: int, codes: NDArray[np.int16]) -> Chances:
        """The probabilities of the hand types of a stage, a row for every hand group."""
        rows = np.repeat(codes[np.newaxis], MOST_GROUPS, axis=0)
        rows[:, self._group] = np.arange(MOST_GROUPS)
        forward = self._stages[stage]
        return forward.rows(rows)[:, forward.parts[HAND_TYPES[stage - 1]]]

    def similar(self, setup: Setup, node: BettingNode, seat: int) -> tuple[CaseBase, Retrieved] | None:
        """The decisions similar to an opponent's last one before the flop; None if there are none."""
        last = last_decision(node, seat)
        if last is None:
            return None
        known = self._found.setdefault(node, {})
        if seat not in known:
            decided, kind = last
            action = name_before_flop(decided, kind)
            known[seat] = self._hands.retrieve(_Decision(setup, decided), seat, action)
        return known[seat]


class CbrBn1Fill(ByWorth):
    """Takes the action worth most against a network completed by similar decisions of opponents."""

    def __init__(self, parts: Parts) -> None:
        super().__init__(parts)
        assert isinstance(parts.viewer.beliefs, FilledBeliefs)
        self.beliefs = parts.viewer.beliefs

    def about(
        self, observation: Observation, believed: Sequence[Believed], names: Mapping[int, str]
    ) -> tuple[Sequence[Fact], Sequence[Section]]:
        """The number of cases that fill in each opponent's hand group."""
        counts = {}
        for each in believed:
            similar = self.beliefs.similar(observation.setup, observation.node, each.seat)
            counts[names[each.seat]] = 0 if similar is None else len(similar[1])
        return [Fact(f"decisions like {name}'s", count, COUNT) for name, count in counts.items()], ()
