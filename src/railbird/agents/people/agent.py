"""A person: drawn from a population when a match begins, plays by a character of its own, and may go on tilt.

Every seat has its own person, from the randomness of the match; the same seed gives the same people, and other
seatings of a duplicate match have others.
"""

from dataclasses import replace
from typing import Annotated

from railbird.agent import Decision, HandResult, MatchStart, Meaning
from railbird.agents.loki.probtriple import ProbTriple
from railbird.agents.people.characters import Money, somebody
from railbird.explanation import COUNT, Fact
from railbird.observation import Observation
from railbird.opponents.weights.styles import Style


class People(ProbTriple):
    """One of the people who play for play money or small stakes: drawn for each match, with habits and moods."""

    title = "Person"
    papers = "casper-2008 §VII"

    def __init__(
        self,
        kind: Annotated[
            Money,
            Meaning(
                "Where this person comes from: tables for play money are loose and reckless, those for real money "
                "tighter.",
                "casper-2008 §VII",
            ),
        ] = "play-money",
    ) -> None:
        self.kind: Money = kind

    def start(self, match: MatchStart) -> None:
        """Become somebody."""
        super().start(match)
        self.person_ = somebody(self.kind, match.stream.child("person").generator())
        self.calm_, self.upset_ = self.person_.style(), self.person_.style(on_tilt=True)
        self.tilted_ = 0
        """The number of hands for which this person remains on tilt."""

    def style(self) -> Style:
        """The style of its character in its present mood."""
        return self.upset_ if self.tilted_ else self.calm_

    def end_hand(self, result: HandResult) -> None:
        """Calm down, or go on tilt after a big loss."""
        if self.match_ is None:
            return
        self.tilted_ = max(0, self.tilted_ - 1)
        temper = self.person_.character.temper
        if temper and -result.payoffs[result.seat] >= temper.loss * self.match_.rules.small_bet:
            self.tilted_ = temper.hands

    def choose(self, observation: Observation) -> Decision:
        """Draw from the triple, and tell what kind of person this is."""
        decision = super().choose(observation)
        character, why = self.person_.character, decision.explanation
        who = f"A {character.name}, who {character.habit}"
        facts = [Fact("character", character.name)]
        if self.tilted_:
            who = f"{who} and is on tilt after a big loss"
            facts.append(Fact("hands left on tilt", self.tilted_, COUNT))
        return replace(
            decision, explanation=replace(why, summary=f"{who}. {why.summary}", facts=(*facts, *why.facts))
        )
