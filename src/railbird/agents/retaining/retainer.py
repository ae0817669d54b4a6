"""An agent's own decisions, which wait for the end of their hand and are then retained as cases.

With `store`, every hand is one transaction in a database, stored under `name`, and later games begin with all of them:
if the process is killed, at most the current hand is lost. Hands that other processes add under the same name are
loaded when the next match begins. Without `store` an agent learns within the match, and the arena passes its experience
from match to match (`Agent.lived`), so that results do not depend on the number of workers.

After a break in a match (`Agent.bookmark`), an agent without a store is told of its hands again. With a store they are
there, perhaps with some that were played after the last bookmark: these are played again, and not stored twice.

Only decisions that were carried out are retained: a decision that the arena replaced, for example because it came too
late, does not become a case. The mean similarity of the retrieved cases is stored with every case.
"""

from collections import deque
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, field
from fractions import Fraction
from typing import TYPE_CHECKING
from weakref import finalize

from railbird.agent import HandResult, MatchStart
from railbird.agents.retaining.memory import LivedCaseError, Memory
from railbird.cards import Card, format_cards
from railbird.cbr.cycle.episode import Episode
from railbird.engine.actions import ActionKind
from railbird.engine.events import Act
from railbird.observation import Observation
from railbird.store.lived import LivedCase, LivedError, LivedHand

if TYPE_CHECKING:
    from railbird.store.experiences import StoredExperience

_BOOK = "the experience of earlier matches"


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

    stored: "StoredExperience | None" = None
    """The experience in the store, once it is open."""

    def __init__(self, system: str, name: str, store: str) -> None:
        self.system = system
        self.name = name
        self.store = store
        self.hands: list[LivedHand] = []
        """The hands of this match, if there is no store."""
        self._begun = 0
        """The number of the last hand in the store when the match began."""
        self._last = 0
        """The number of the last hand in the store."""
        self._before: set[int] = set()
        """The numbers in the store of this match's hands before a break."""
        self._ahead: deque[tuple[int, LivedHand]] = deque()
        """Hands in the store that may have been played between the last bookmark and the break."""
        self._forget_hand()

    def open(self) -> None:
        """Open the store for the lifetime of the agent."""
        if self.store and self.stored is None:
            # Databases take a fifth of a second to import.
            from railbird.store.experiences import StoredExperience
            from railbird.store.store import open_store

            opened = open_store(self.store)
            finalize(self, opened.close)
            self.stored = StoredExperience(opened, self.name, self.system)

    def start(self, match: MatchStart, *memories: Memory) -> None:
        """A match begins: every memory gets the hands of earlier matches."""
        self.unit_chips = match.rules.unit_chips
        self.hands = []
        self._match, self._memories = match, memories
        self._before.clear()
        self._ahead.clear()
        self._forget_hand()
        self._begun = 0
        for number, hand in self._stored_hands():
            self._begun = number
            self._remember(hand, self._place)
        self._remember_book()

    def go_on(self, begun: int) -> None:
        """Go on after a break: remember the hands that were stored when the match began, and its own before the break.

        The argument is the bookmark.
        """
        if self.stored is None:
            return
        for memory in self._memories:
            memory.forget()
        self._begun, last = begun, max(self._before, default=begun)
        own: list[LivedHand] = []
        for number, hand in self._stored_hands():
            if number <= begun:
                self._remember(hand, self._place)
            elif number in self._before:
                own.append(hand)
            elif number > last:
                self._ahead.append((number, hand))
        if len(own) < len(self._before):
            raise LivedError(f"{self._place}: the hands of this match before its break are missing")
        self._remember_book()
        for hand in own:
            self._remember(hand, self._place)

    @property
    def bookmark(self) -> int:
        """The number of the last hand in the store when the match began."""
        return self._begun

    @property
    def note(self) -> int | str:
        """The last hand of this match: its number in the store, or the hand as a text."""
        return self._last if self.stored is not None else self.hands[-1].to_text()

    def recall(self, note: int | str) -> None:
        """Take up a hand before a break by its note."""
        if isinstance(note, int):
            self._before.add(note)
            return
        hand = LivedHand.from_text(note)
        self.hands.append(hand)
        self._remember(hand, _BOOK)

    @property
    def _place(self) -> str:
        assert self.stored is not None
        return f"{self.stored.store.address}: {self.name}"

    def _stored_hands(self) -> Iterator[tuple[int, LivedHand]]:
        return iter(()) if self.stored is None else self.stored.numbered_hands()

    def _remember_book(self) -> None:
        for text in self._match.experience:
            try:
                hand = LivedHand.from_text(text)
            except LivedError as error:
                raise LivedError(f"{_BOOK}: {error}") from None
            self._remember(hand, _BOOK)

    def _remember(self, hand: LivedHand, where: str) -> None:
        try:
            for memory in self._memories:
                memory.add(hand)
        except LivedCaseError as error:
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

    def end_hand(self, result: HandResult) -> None:
        """The outcome is known: the hand is retained, and remembered."""
        hand = self._lived_hand(result)
        self._forget_hand()
        if self.stored is None:
            self.hands.append(hand)
        else:
            self._last = self._known(hand) or self.stored.retain(hand)
        self._remember(hand, self.name)

    def _known(self, hand: LivedHand) -> int | None:
        """The number of a hand that was stored before the break; after the first that was not, there are none."""
        for place, (number, stored) in enumerate(self._ahead):
            if stored == hand:
                for _ in range(place + 1):
                    self._ahead.popleft()
                return number
        self._ahead.clear()
        return None

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
