"""Several imitators of different experts, combined (sartre-2012 §5.4.3; Rubin and Watson 2011).

An imitator is SARTRE with one pack. A combination of them acts in one of three ways:

    vote        every imitator names its action, and the one named most often is taken; in a tie, that of the imitator
                listed first
    ensemble    the action with the greatest mean probability over all imitators' cases
    dynamic     one imitator plays each hand: the one whose earlier hands in this match earned most, with an allowance
                for those that played few

The allowance is that of UCB1 (Auer and others 2002) with the standard deviation σ of all results so far as the unit:
the imitator with the greatest mean + σ · √(2 · ln hands / own hands) plays, and one that never played comes first.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from math import log, sqrt
from pathlib import Path
from typing import Annotated, Literal, TypeAlias

import numpy as np
from numpy.typing import NDArray

from railbird.agent import Decision, HandResult, MatchStart, Meaning, Strategies
from railbird.agents.holdem import LimitAgent, legal_strategies
from railbird.agents.sartre.agent import require_players
from railbird.agents.sartre.cases import RATE
from railbird.agents.sartre.imitator import (
    Architecture,
    Imitator,
    RateParameter,
    Reuse,
    ReuseParameter,
    chances_of,
    pack_path,
)
from railbird.agents.sartre.tabulation import TabulationError, tabulated
from railbird.engine.actions import ActionKind
from railbird.engine.rules import GameRules
from railbird.engine.wording import Wording
from railbird.explanation import (
    COUNT,
    SHARE,
    SMALL_BETS,
    Cell,
    Deferred,
    Explanation,
    Fact,
    Section,
    TableSection,
)
from railbird.observation import Observation
from railbird.strategies.streets import limit_tree
from railbird.strategies.table_strategy import TableStrategy

Combination: TypeAlias = Literal["vote", "ensemble", "dynamic"]
BETWEEN_PACKS = "+"
EXPERTS = {
    "sartre": "Equilibrium",
    "sartre-percentiles": "Equilibrium (coarser abstraction)",
    "sartre-simbot": "Simbot",
    "sartre-pokibot": "Pokibot",
}
"""Whom the imitators with the shipped packs imitate."""


class ImitatorsError(ValueError):
    """Imitators that cannot be combined."""


@dataclass(slots=True)
class Record:
    """What one imitator earned in the hands of a match."""

    hands: int = 0
    total: float = 0.0
    """In small bets."""
    squares: float = 0.0

    def add(self, earned: float) -> None:
        """Count a hand."""
        self.hands += 1
        self.total += earned
        self.squares += earned * earned


def select(records: Sequence[Record]) -> int:
    """Which imitator plays the next hand."""
    for place, record in enumerate(records):
        if not record.hands:
            return place
    hands = sum(record.hands for record in records)
    mean = sum(record.total for record in records) / hands
    spread = sqrt(max(0.0, sum(record.squares for record in records) / hands - mean * mean))

    def promise(record: Record) -> float:
        return record.total / record.hands + spread * sqrt(2.0 * log(hands) / record.hands)

    return max(range(len(records)), key=lambda place: promise(records[place]))


class Sartre2011(LimitAgent):
    """SARTRE as of 2011: several imitators of different experts, which vote on the action."""

    title = "Sartre 2011"
    papers = "sartre-2012 §5.4.3; imitators-2011"
    reads = ("packs",)

    def __init__(
        self,
        packs: Annotated[
            str,
            Meaning(
                "The packs of its imitators, one expert each, with + between them.", "sartre-2012 §5.4.3"
            ),
        ] = "sartre+sartre-percentiles+sartre-simbot+sartre-pokibot",
        combination: Annotated[
            Combination,
            Meaning(
                "How the imitators decide together: each votes for an action (vote), the action with the greatest mean "
                "probability (ensemble), or one of them plays each hand, chosen by its results (dynamic).",
                "imitators-2011",
            ),
        ] = "vote",
        reuse: ReuseParameter = "max-frequency",
        rate: RateParameter = RATE,
    ) -> None:
        self.packs = packs
        self.combination = combination
        self.reuse = reuse
        self.rate = rate

    @property
    def _names(self) -> tuple[str, ...]:
        names = tuple(self.packs.split(BETWEEN_PACKS))
        if "" in names or len(set(names)) < len(names):
            raise ImitatorsError(
                f"packs={self.packs} must list different packs with {BETWEEN_PACKS} between them"
            )
        return names

    @property
    def _experts(self) -> tuple[str, ...]:
        return tuple(EXPERTS.get(name, Path(name).stem) for name in self._names)

    def verify_game(self, rules: GameRules) -> None:
        """Refuse a game that is not heads-up limit hold'em, and packs that cannot be read."""
        super().verify_game(rules)
        require_players(self, rules, 2)
        self._imitators()

    def files(self) -> tuple[Path, ...]:
        """The packs."""
        return tuple(map(pack_path, self._names))

    def _imitators(self) -> tuple[Imitator, ...]:
        # Mean probabilities are those of the cases: the policy is applied to them afterwards.
        reuse: Reuse = "probabilistic" if self.combination == "ensemble" else self.reuse
        found = tuple(Imitator(path, 2, Architecture(reuse=reuse, rate=self.rate)) for path in self.files())
        # Imitators that describe hands alike describe every situation once for all of them.
        shared = {imitator.situations.hands.way: imitator.situations for imitator in found}
        for imitator in found:
            imitator.situations = shared[imitator.situations.hands.way]
        return found

    def table(self, rules: GameRules) -> TableStrategy:
        """The whole strategy as a table, which takes minutes to make."""
        self.verify_game(rules)
        if self.combination == "dynamic":
            raise TabulationError("combination=dynamic depends on earlier hands and cannot be a table")
        return tabulated(self._imitators(), limit_tree(rules), self._combined)

    def start(self, match: MatchStart) -> None:
        """Load the packs; the imitators have no results yet."""
        super().start(match)
        self.imitators_ = self._imitators()
        self.records_ = [Record() for _ in self.imitators_]
        self.selected_ = 0
        self.small_bet_ = match.rules.small_bet

    def choose(self, observation: Observation) -> Decision:
        """Act as the imitators agree."""
        episodes = [imitator.episode(observation) for imitator in self._asked()]
        rows = np.array([chances_of(episode) for episode in episodes])
        chances = self._combined(rows[:, np.newaxis])[0]
        wording = Wording.at(observation.node)
        first = self._asked()[0].explain(observation, episodes[0])
        reasons = Explanation(
            self._sentence(rows, chances, wording, first.summary),
            (Fact("imitators", len(self._names), COUNT), *first.facts),
            Deferred(lambda: (self._opinions(rows, wording), *first.sections)),
        )
        return self.draw(observation, chances.tolist(), reasons)

    def end_hand(self, result: HandResult) -> None:
        """Count what the selected imitator earned, and select the next one."""
        if self.combination == "dynamic" and self.match_ is not None:
            self.records_[self.selected_].add(float(result.payoffs[result.seat]) / self.small_bet_)
            self.selected_ = select(self.records_)

    def _strategies(self, observation: Observation, holdings: NDArray[np.int64]) -> Strategies:
        rows = np.array([imitator.chances(observation, holdings) for imitator in self._asked()])
        return legal_strategies(observation, holdings, self._combined(rows))

    def _asked(self) -> tuple[Imitator, ...]:
        """The imitators that decide now."""
        if self.combination == "dynamic":
            return (self.imitators_[self.selected_],)
        return self.imitators_

    def _combined(self, rows: NDArray[np.float64]) -> NDArray[np.float64]:
        """The probabilities of fold, call and raise from those of the imitators, situation by situation."""
        if self.combination == "dynamic":
            (found,) = rows
            return np.asarray(found)
        worth = np.asarray(rows.mean(axis=0)) if self.combination == "ensemble" else _votes(rows)
        if self.combination == "ensemble" and self.reuse == "probabilistic":
            return worth
        return _certain(worth)

    def _sentence(
        self, rows: NDArray[np.float64], chances: NDArray[np.float64], wording: Wording, first: str
    ) -> str:
        if self.combination == "dynamic":
            return f"The imitator of {self._experts[self.selected_]} plays this hand. {first}"
        action = wording.verb(ActionKind(int(chances.argmax()))).do
        agreeing = int((rows.argmax(axis=1) == chances.argmax()).sum())
        return f"{agreeing} of {len(rows)} imitators would {action}. {first}"

    def _opinions(self, rows: NDArray[np.float64], wording: Wording) -> Section:
        if self.combination == "dynamic":
            units = ("", COUNT, SMALL_BETS)
            return TableSection("results so far", ("imitator of", "hands", "won"), self._results(), units)
        cells: list[tuple[Cell, ...]] = [
            (expert, *row) for expert, row in zip(self._experts, rows.tolist(), strict=True)
        ]
        columns = ("imitator of", *(wording.verb(kind).do for kind in ActionKind))
        return TableSection("what each imitator would do", columns, tuple(cells), ("", SHARE, SHARE, SHARE))

    def _results(self) -> tuple[tuple[Cell, ...], ...]:
        found = zip(self._experts, self.records_, strict=True)
        return tuple((expert, record.hands, record.total) for expert, record in found)


def _votes(rows: NDArray[np.float64]) -> NDArray[np.float64]:
    """How many imitators prefer each action; in a tie, the vote of an imitator outweighs all listed after it."""
    weights = 1.0 + 0.5 ** np.arange(2, 2 + len(rows))
    return np.asarray(np.einsum("i,i...->...", weights, _certain(rows)))


def _certain(worth: NDArray[np.float64]) -> NDArray[np.float64]:
    """The action of the greatest worth for certain."""
    certain: NDArray[np.float64] = np.eye(worth.shape[-1])[worth.argmax(axis=-1)]
    return certain
