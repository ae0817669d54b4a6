"""The definition of a tournament in the browser: game, agents, number of hands and matches, and their limits."""

import re
from math import comb
from secrets import randbelow

import msgspec

from railbird.arena.play.plan import Duplicate, PlanError
from railbird.arena.run.terms import Terms
from railbird.engine.games import named_game
from railbird.engine.rules import GameRules
from railbird.interfaces.web.table.session_plan import LONGEST_GAME

MOST_AGENTS = 12
MOST_DEALS, MOST_MATCHES = 20_000, 100
MOST_HANDS = 500_000
"""Maximum number of hands of a tournament over all seatings."""
_SEED = re.compile(r"[A-Za-z0-9._-]{1,40}")


class TournamentPlan(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """Every table of agents meets equally often, with the same deals in all seatings: `railbird tournament`."""

    game: str
    agents: list[str]
    hands: int = 100
    """Number of deals in each match."""
    matches: int = 1
    """Number of matches at each table."""
    seed: str = ""

    def seeded(self) -> "TournamentPlan":
        """The same with a seed, if none was given."""
        return self if self.seed else msgspec.structs.replace(self, seed=str(randbelow(10**9)))

    def rules(self) -> GameRules:
        """The game, which must be a named one: nothing is read from a file."""
        if len(self.game) > LONGEST_GAME:
            raise PlanError(f"the name of a game has at most {LONGEST_GAME} characters")
        return named_game(self.game)

    def require(self, rules: GameRules) -> None:
        """Raise an error for an invalid or too large tournament."""
        if not rules.players <= len(self.agents) <= MOST_AGENTS:
            raise PlanError(
                f"a tournament of {rules.name} needs {rules.players} to {MOST_AGENTS} bots, not {len(self.agents)}"
            )
        for what, number, most in (
            ("hands", self.hands, MOST_DEALS),
            ("matches", self.matches, MOST_MATCHES),
        ):
            if not 1 <= number <= most:
                raise PlanError(f"a tournament can have 1 to {most:,} {what}, not {number:,}")
        if self.seed and not _SEED.fullmatch(self.seed):
            raise PlanError("a seed has 1 to 40 letters, digits, dots, hyphens and underscores")
        hands = self.all_hands(rules)
        if hands > MOST_HANDS:
            raise PlanError(
                f"this tournament would have {hands:,} hands over all seatings; at most {MOST_HANDS:,} are allowed"
            )

    def all_hands(self, rules: GameRules) -> int:
        """The number of hands of all tables over all seatings."""
        players = rules.players
        seatings = Duplicate.usual(players).count(players)
        return comb(len(self.agents), players) * self.matches * self.hands * seatings

    def terms(self) -> Terms:
        """What all its matches have in common."""
        return Terms(self.game, self.hands, self.seed, duplicate=True)

    def command(self) -> str:
        """The command line that plays the same tournament."""
        return self.terms().command("tournament", {"--agents": self.agents}, {"--matches": self.matches})
