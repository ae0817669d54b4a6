"""An agent's own decisions, which wait for the end of their hand and are then retained as cases.

With `store`, every hand is one transaction in a database, stored under `name`, and later games begin with all of them:
if the process is killed, at most the current hand is lost. Hands that other processes add under the same name are
loaded when the next match begins. Without `store` an agent learns within the match, and the arena passes its experience
from match to match (`Agent.lived`), so that results do not depend on the number of workers.

Only decisions that were carried out are retained: a decision that the arena replaced, for example because it came too
late, does not become a case. The mean similarity of the retrieved cases is stored with every case.
"""

from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, field
from fractions import Fraction
from weakref import finalize

from railbird.agent import HandResult, MatchStart
from railbird.agents.retaining.memory import LivedCaseError, Memory
from railbird.cards import Card, format_cards
from railbird.cbr.cycle.episode import Episode
from railbird.engine.actions import ActionKind
from railbird.engine.events import Act
from railbird.observation import Observation
from railbird.store.experiences import StoredExperience
from railbird.store.lived import LivedCase, LivedError, LivedHand
from railbird.store.store import open_store


@dataclass(frozen=True, slots=True)
class PendingDecision:
    """A decision whose hand has not ended yet."""

    stage: str
    episode: Episode
    """With the solution that was decided on."""
    action: ActionKind
    board: tuple[Card, ...]
    judge: Callable[[float], float]
    """The outcome of the decision from what the player won in the whole hand, in the unit of the game."""
    riders: Mapping[str, str] = field(default_factory=dict)


class Retainer:
    """The experience of one agent."""

    stored: StoredExperience | None = None
    """The experience in the store, once it is open."""

    def __init__(self, system: str, name: str, store: str) -> None:
        self.system = system
        self.name = name
        self.store = store
        self.hands: list[LivedHand] = []
        """The hands of this match, if there is no store."""
        self._forget_hand()

    def open(self) -> None:
        """Open the store for the lifetime of the agent."""
        if self.store and self.stored is None:
            opened = open_store(self.store)
            finalize(self, opened.close)
            self.stored = StoredExperience(opened, self.name, self.system)

    def start(self, match: MatchStart, *memories: Memory) -> None:
        """A match begins: every memory gets the hands of earlier matches."""
        self.unit_chips = match.rules.unit_chips
        self.hands = []
        self._forget_hand()
        for where, hand in self._earlier(match):
            try:
                for memory in memories:
                    memory.add(hand)
            except LivedCaseError as error:
                raise LivedError(f"{where}: {error}") from None

    def _earlier(self, match: MatchStart) -> Iterator[tuple[str, LivedHand]]:
        """Hands of earlier matches, and where they are from."""
        if self.stored is not None:
            where = f"{self.stored.store.address}: {self.name}"
            yield from ((where, hand) for hand in self.stored.hands())
        where = "the experience of earlier matches"
        for text in match.experience:
            try:
                yield where, LivedHand.from_text(text)
            except LivedError as error:
                raise LivedError(f"{where}: {error}") from None

    def _forget_hand(self) -> None:
        self._hand: tuple[int, tuple[Card, ...]] | None = None
        """The number of the current hand, and the agent's own cards."""
        self.made: dict[int, PendingDecision] = {}
        """Its decisions, by the number of actions before them."""

    def decided(self, observation: Observation, made: PendingDecision) -> None:
        """Keep a decision until its hand is over."""
        hand = (observation.hand_number, observation.hole_cards)
        if hand != self._hand:
            self._forget_hand()  # the end of the previous hand was not announced
            self._hand = hand
        self.made[len(observation.actions)] = made
        self.unit_chips = observation.rules.unit_chips

    def end_hand(self, result: HandResult) -> LivedHand:
        """The outcome is known: the hand is retained."""
        hand = self._lived_hand(result)
        self._forget_hand()
        if self.stored is not None:
            self.stored.retain(hand)
        else:
            self.hands.append(hand)
        return hand

    def _lived_hand(self, result: HandResult) -> LivedHand:
        """The outcomes of the decisions of a hand that were carried out."""
        won = float(Fraction(result.payoffs[result.seat]) / self.unit_chips)
        if self._hand is None or self._hand[0] != result.hand_number:
            return LivedHand(won)
        number, cards = self._hand
        riders = {"hand": str(number), "player": self.name, "cards": format_cards(cards)}
        cases = []
        for place, event in enumerate(event for event in result.events if isinstance(event, Act)):
            made = self.made.get(place)
            if made is None or (event.seat, event.kind) != (result.seat, made.action):
                continue
            found, solution = made.episode.retrieved, made.episode.solution
            assert solution is not None
            cases.append(
                LivedCase(
                    made.stage,
                    made.episode.target.description,
                    solution,
                    made.judge(won),
                    float(found.similarities.mean()) if found else None,
                    {**riders, "board": format_cards(made.board), **made.riders},
                )
            )
        return LivedHand(won, tuple(cases))
