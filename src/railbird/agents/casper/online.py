"""CASPER that learns while it plays (casper-2008 §VIII): every decision that it makes becomes a case.

1. It begins with the cases of its pack and those of its earlier play.
2. It decides as CASPER does, from watched cases and its own alike.
3. When a hand is over, its decisions are retained together, each with the amount won or lost in the whole hand, in
   small bets, like the cases of `railbird watch`.

`agents.retaining` has where they are kept; `store.experiences` has the series of figures 5 and 6.
"""

from collections.abc import Sequence
from pathlib import Path
from typing import Annotated, Any

from railbird.agent import Decision, HandResult, MatchStart, Meaning
from railbird.agents.casper.agent import (
    ELSE_NEAREST,
    HAND_PICKED,
    THRESHOLD,
    Casper,
    NearestParameter,
    PackParameter,
    ReuseParameter,
    ThresholdParameter,
    WeightsParameter,
)
from railbird.agents.casper.attributes import LOOK_AHEAD, STAGES
from railbird.agents.casper.cases import schema, system_name
from railbird.agents.casper.explanation import EXPERTS
from railbird.agents.retaining.memory import Memory
from railbird.agents.retaining.retainer import PendingDecision, Retainer
from railbird.cbr.case_base import CaseBase
from railbird.cbr.cycle.episode import Episode
from railbird.cbr.packs.files import Pack
from railbird.engine.rules import GameRules
from railbird.observation import Observation

NO_PACK = "none"
"""The name for an empty pack: no watched cases."""


class CasperOnline(Casper):
    """CASPER that also remembers its own decisions and their outcomes, in a store or from match to match."""

    title = "CASPER Online"
    papers = "casper-2008 §VIII"

    def __init__(
        self,
        store: Annotated[
            str,
            Meaning(
                "Where its decisions are stored: an SQLite file or the URL of a PostgreSQL database. Without one it "
                "learns within a match, and from an experience book.",
                "casper-2008 §VIII",
            ),
        ] = "",
        name: Annotated[str, Meaning("The name of its experience in the store.")] = "casper-online",
        pack: PackParameter = "casper02",
        threshold: ThresholdParameter = THRESHOLD,
        k: NearestParameter = ELSE_NEAREST,
        weights: WeightsParameter = HAND_PICKED,
        reuse: ReuseParameter = "dice",
    ) -> None:
        super().__init__(pack, threshold, k, weights, reuse)
        self.store = store
        self.name = name
        self.retainer_ = Retainer(system_name(LOOK_AHEAD), name, store)

    def verify_game(self, rules: GameRules) -> None:
        """Refuse every game that CASPER refuses, and a store that cannot be used."""
        super().verify_game(rules)
        # Its own cases look ahead as far as the watched ones.
        self.retainer_.system = self._watched().system
        self.retainer_.open()

    def start(self, match: MatchStart) -> None:
        """Begin with the watched cases and the experience of earlier matches."""
        super().start(match)
        self.memory_ = Memory(self.pack_)
        self.retainer_.start(match, self.memory_)
        self.pack_ = self.memory_.pack

    def _pack_files(self) -> tuple[Path, ...]:
        return () if self.pack == NO_PACK else super()._pack_files()

    def _watched(self) -> Pack:
        if self.pack == NO_PACK:
            bases = {stage: CaseBase(schema(stage)) for stage in STAGES}
            return Pack(system_name(LOOK_AHEAD), bases)
        return super()._watched()

    def choose(self, observation: Observation) -> Decision:
        """Draw from the actions of the experts and its own in similar situations."""
        decision, episode = self.decide(observation)
        kind = decision.action.kind
        done = episode.solved_by(kind.name.lower())
        # Like the cases of `railbird watch`: the outcome is what was won in the whole hand.
        made = PendingDecision(STAGES[observation.round], done, kind, observation.board, float)
        self.retainer_.decided(observation, made)
        return decision

    def who(self, stage: str, episode: Episode) -> str:
        """The players who decided in the retrieved cases."""
        assert episode.retrieved is not None
        return self.memory_.who(stage, episode.retrieved, EXPERTS)

    def bookmark(self) -> Any:
        """The bookmark of CASPER, and that of its experience."""
        return {**super().bookmark(), "retained": self.retainer_.bookmark}

    def hand_note(self) -> Any:
        """The last hand with its cases."""
        return self.retainer_.note

    def recall(self, result: HandResult, asked: Sequence[Observation], note: Any) -> None:  # noqa: ARG002
        """Remember a hand before a break."""
        self.retainer_.recall(note)

    def go_on(self, bookmark: Any) -> None:
        """Draw on from there."""
        super().go_on(bookmark)
        self.retainer_.go_on(bookmark["retained"])

    def end_hand(self, result: HandResult) -> None:
        """The outcome is known: the hand is retained, first in the store."""
        if self.match_ is not None:
            self.retainer_.end_hand(result)

    @property
    def keeps_experience(self) -> bool:
        """Whether there is no store, which keeps it otherwise."""
        return not self.store

    def lived(self) -> Sequence[str]:
        """The hands of this match, if there is no store."""
        return [hand.to_text() for hand in self.retainer_.hands] if self.match_ else []
