"""CASPER that learns while it plays (casper-2008 §VIII): every decision that it makes becomes a case.

1. It begins with the cases of its pack and those of its earlier play.
2. It decides as CASPER does, from watched cases and its own alike.
3. When a hand is over, its decisions are retained together, each with the amount won or lost in the whole hand, in
   small bets, like the cases of `railbird watch`.

With `store`, every hand is one transaction in a database, stored under `name`, and later games begin with all of them:
if the process is killed, at most the current hand is lost. Hands that other processes add under the same name are
loaded when the next match begins. Without `store` it learns within the match, and the arena passes its experience from
match to match (`Agent.lived`), so that results do not depend on the number of workers.

The similarity of the retrieved cases is stored with every case: `store.experiences` has the series of figures 5 and 6.
Only decisions that were carried out are retained: a decision that the arena replaced, for example because it came too
late, does not become a case.
"""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from fractions import Fraction
from pathlib import Path
from weakref import finalize

from railbird.agent import Decision, HandResult, MatchStart
from railbird.agents.casper.agent import ELSE_NEAREST, HAND_PICKED, THRESHOLD, Casper
from railbird.agents.casper.attributes import STAGES
from railbird.agents.casper.cases import SYSTEM, schema
from railbird.agents.casper.explanation import EXPERTS
from railbird.agents.casper.memory import LivedCaseError, Memory
from railbird.cards import Card, format_cards
from railbird.cbr.case_base import CaseBase
from railbird.cbr.cycle.episode import Episode
from railbird.cbr.packs.files import Pack
from railbird.engine.events import Act
from railbird.engine.rules import GameRules
from railbird.observation import Observation
from railbird.store.experiences import StoredExperience
from railbird.store.lived import LivedCase, LivedError, LivedHand
from railbird.store.store import open_store

NO_PACK = "none"
"""The name for an empty pack: no watched cases."""


@dataclass(frozen=True, slots=True)
class _Made:
    """A decision whose hand has not ended yet."""

    stage: str
    episode: Episode
    board: tuple[Card, ...]


class CasperOnline(Casper):
    """CASPER that also remembers its own decisions and their outcomes, in a store or from match to match."""

    title = "CASPER Online"
    papers = "casper-2008 §VIII"
    stored_: StoredExperience | None = None
    """The experience in the store, once it is open."""

    def __init__(
        self,
        store: str = "",
        name: str = "casper-online",
        pack: str = "casper02",
        threshold: float = THRESHOLD,
        k: int = ELSE_NEAREST,
        weights: str = HAND_PICKED,
    ) -> None:
        super().__init__(pack, threshold, k, weights)
        self.store = store
        self.name = name

    def verify_game(self, rules: GameRules) -> None:
        """Refuse every game that CASPER refuses, and a store that cannot be used."""
        super().verify_game(rules)
        self._open()

    def start(self, match: MatchStart) -> None:
        """Begin with the watched cases and the experience of earlier matches."""
        super().start(match)
        self.unit_chips_ = match.rules.unit_chips
        memory = Memory(self.pack_)
        if self.stored_ is not None:
            where = f"{self.stored_.store.address}: {self.name}"
            _relive(memory, self.stored_.hands(), where)
        _relive(memory, map(LivedHand.from_text, match.experience), "the experience of earlier matches")
        self.memory_ = memory
        self.pack_ = memory.pack
        self.lived_: list[LivedHand] = []
        self._forget_hand()

    def _pack_files(self) -> tuple[Path, ...]:
        return () if self.pack == NO_PACK else super()._pack_files()

    def _watched(self) -> Pack:
        if self.pack == NO_PACK:
            return Pack(SYSTEM, {stage: CaseBase(schema(stage)) for stage in STAGES})
        return super()._watched()

    def _open(self) -> None:
        """Open the store for the lifetime of this agent."""
        if self.store and self.stored_ is None:
            opened = open_store(self.store)
            finalize(self, opened.close)
            self.stored_ = StoredExperience(opened, self.name, SYSTEM)

    def _forget_hand(self) -> None:
        self.hand_: tuple[int, tuple[Card, ...]] | None = None
        """The number of the current hand, and the agent's own cards."""
        self.made_: dict[int, _Made] = {}
        """Its decisions, by the number of actions before them."""

    def choose(self, observation: Observation) -> Decision:
        """Draw from the actions of the experts and its own in similar situations."""
        decision, episode = self.decide(observation)
        hand = (observation.hand_number, observation.hole_cards)
        if hand != self.hand_:
            self._forget_hand()  # the end of the previous hand was not announced
            self.hand_ = hand
        stage = STAGES[observation.round]
        done = episode.solved_by(decision.action.kind.name.lower())
        self.made_[len(observation.actions)] = _Made(stage, done, observation.board)
        self.unit_chips_ = observation.rules.unit_chips
        return decision

    def who(self, stage: str, episode: Episode) -> str:
        """The players who decided in the retrieved cases: the experts, the agent itself, or both."""
        assert episode.retrieved is not None
        own = self.memory_.own_among(stage, episode.retrieved)
        if own == 0:
            return EXPERTS
        return "it" if own == len(episode.retrieved) else f"it and {EXPERTS}"

    def end_hand(self, result: HandResult) -> None:
        """The outcome is known: the hand is retained, first in the store."""
        if self.match_ is None:
            return
        hand = self._lived_hand(result)
        self._forget_hand()
        if self.stored_ is not None:
            self.stored_.retain(hand)
        else:
            self.lived_.append(hand)
        self.memory_.add(hand)

    def _lived_hand(self, result: HandResult) -> LivedHand:
        """The outcomes of the decisions of a hand that were carried out."""
        won = float(Fraction(result.payoffs[result.seat]) / self.unit_chips_)
        if self.hand_ is None or self.hand_[0] != result.hand_number:
            return LivedHand(won)
        number, cards = self.hand_
        riders = {"hand": str(number), "player": self.name, "cards": format_cards(cards)}
        cases = []
        for place, event in enumerate(event for event in result.events if isinstance(event, Act)):
            made = self.made_.get(place)
            if made is None or event.seat != result.seat or event.kind.name.lower() != made.episode.solution:
                continue
            found, solution = made.episode.retrieved, made.episode.solution
            cases.append(
                LivedCase(
                    made.stage,
                    made.episode.target.description,
                    solution,
                    won,
                    float(found.similarities.mean()) if found else None,
                    {**riders, "board": format_cards(made.board)},
                )
            )
        return LivedHand(won, tuple(cases))

    def lived(self) -> Sequence[str]:
        """The hands of this match, if there is no store."""
        return [hand.to_text() for hand in self.lived_] if self.match_ else []


def _relive(memory: Memory, hands: Iterable[LivedHand], where: str) -> None:
    """Add hands of earlier experience."""
    try:
        for hand in hands:
            memory.add(hand)
    except (LivedCaseError, LivedError) as error:
        raise LivedError(f"{where}: {error}") from None
