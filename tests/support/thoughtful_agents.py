"""Agents for tests of brains: one that thinks until a file is there, one whose play depends on everything it hears."""

from hashlib import blake2b
from pathlib import Path
from time import sleep

from railbird.agent import Agent, Decision, Explanation, Fact, HandResult, MatchStart
from railbird.engine.actions import CALL
from railbird.engine.events import Event
from railbird.explanation import Bar, Bars, Deferred
from railbird.observation import Observation


class Waits(Agent):
    """Says in a file that it has begun to think, and thinks until that file is gone."""

    def __init__(self, note: str = "") -> None:
        self.note = note

    def act(self, observation: Observation) -> Decision:
        note = Path(self.note)
        note.touch()
        while note.exists():
            sleep(0.01)
        return Decision(CALL, Explanation("It has waited long enough."))


class Attentive(Agent):
    """Digests all that it is told, acts by the digest, and explains itself with it."""

    def begin_match(self, match: MatchStart) -> None:
        self.digest = blake2b(match.stream.key)
        self.note(match.rules, match.label, match.players, match.is_reset, match.experience)
        self.texts: list[str] = []

    def note(self, *news: object) -> None:
        self.digest.update(repr(news).encode())

    def hear(self, event: Event) -> None:
        self.note(event)

    def act(self, observation: Observation) -> Decision:
        self.note(sorted(observation.to_json().items()), observation.events)
        number = self.digest.digest()[0]
        choices = observation.choices
        action = choices[number % len(choices)]
        told = self.digest.hexdigest()
        sections = Deferred(lambda: (Bars(told, (Bar("number", number / 3),)),))
        strategy = tuple((choice, float(choice == action)) for choice in choices)
        return Decision(action, Explanation(f"Digest {told}.", (Fact("number", number),), sections), strategy)

    def end_hand(self, result: HandResult) -> None:
        self.note(result)
        self.texts.append(self.digest.hexdigest())

    def lived(self) -> list[str]:
        return self.texts


class Observant(Attentive):
    """Acts by all that it sees when it must act, and by nothing else that it is told."""

    hear = Agent.hear
    end_hand = Agent.end_hand
