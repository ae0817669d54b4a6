"""A game is data: `GameRules` has everything that the rules of a hand depend on.

Where rulesets in use differ, the difference is a named option here:

- `Reopening`: when a seat that already acted may raise again after a short all-in.
- `MinimumRaise`: how much the next raise must be after a short all-in.
- `OddChips`: who gets the odd chips of a split pot.
- `ShortBlind`: the amount to call when the big blind could not be posted in full.
- `Antes`: whether an ante can be won only by those who matched it.
- `Mucking`: whether losers show their cards at the showdown.
- `raise_needs_caller`: whether a raise is refused when no opponent has chips to call any of it.
- `free_folds`: whether a seat may fold where it could check for free.

`ACPC_OPTIONS` are the choices of the official server of the Annual Computer Poker Competition.
"""

from collections.abc import Mapping
from dataclasses import dataclass, replace
from enum import Enum
from functools import lru_cache
from typing import Any

import numpy as np
from numpy.typing import NDArray

from railbird.cards import DECK_SIZE
from railbird.kernels.rules import betting

ROUND_NAMES = ("preflop", "flop", "turn", "river")
UNLIMITED_STACK = 2**31 - 1


class RulesError(ValueError):
    """Invalid rules of a game; the message names the field."""


class Betting(Enum):
    """How much may be bet."""

    LIMIT = "limit"
    POT_LIMIT = "pot-limit"
    NO_LIMIT = "no-limit"


class Reopening(Enum):
    """When a seat that already acted in this round may raise again."""

    ANY_RAISE = "any-raise"
    """After any raise, however short (ACPC)."""
    FULL_RAISE = "full-raise"
    """When what it faces since it acted is at least a full raise, short all-ins added up (at limit: half a bet)."""
    CONSECUTIVE_SHORTS = "consecutive-shorts"
    """As in PokerKit: blinds are not raises, and short all-ins in a row that make up a full raise reset the count."""


class MinimumRaise(Enum):
    """The minimum raise after a short all-in."""

    ON_TOP = "on-top"
    """A full raise on top of the short all-in."""
    KEPT = "kept"
    """What it was before the short all-in (ACPC)."""


class OddChips(Enum):
    """Who gets the odd chips of a split pot."""

    LEFT_OF_BUTTON = "left-of-button"
    """The first winner to the left of the button, pot by pot."""
    MERGED_POTS = "merged-pots"
    """The same, after beaten hands are removed and pots with the same remaining winners are merged (PokerKit)."""
    FRACTIONAL = "fractional"
    """Nobody: chips are divided into exact fractions (ACPC)."""


class ShortBlind(Enum):
    """The amount to call when the big blind is all-in for less."""

    NOMINAL = "nominal"
    """The full big blind."""
    POSTED = "posted"
    """The largest blind that was posted (PokerKit)."""


class Antes(Enum):
    """What happens to antes."""

    MATCHED = "matched"
    """They count towards what each seat paid, so a short ante wins only the same amount from each other seat."""
    DEAD = "dead"
    """They go to the main pot, regardless of who paid them (a big-blind ante)."""


class Mucking(Enum):
    """Who shows at the showdown."""

    SHOW_ALL = "show-all"
    """Everyone who did not fold (ACPC)."""
    LOSERS_MUCK = "losers-muck"
    """In turn: a hand that is already beaten for every pot is mucked, unless a player is all-in."""


@dataclass(frozen=True, slots=True)
class GameRules:
    """A hold'em game. Positions are seats counted from the left of the button; the last one has the button.

    `bet_sizes` are the raise sizes of a limit game by round, and the minimum bet by round otherwise. `raise_caps` count
    bets and raises by round, without blinds; None means no cap. `first_seats` open the rounds.
    """

    name: str
    betting: Betting
    blinds: tuple[int, ...]
    stacks: tuple[int, ...]
    bet_sizes: tuple[int, ...]
    raise_caps: tuple[int | None, ...]
    first_seats: tuple[int, ...]
    antes: tuple[int, ...] = ()
    board_cards: tuple[int, ...] = (0, 3, 1, 1)
    hole_cards: int = 2
    suits: int = 4
    ranks: int = 13
    carry: bool = False
    """Whether stacks are carried from hand to hand; otherwise every hand starts afresh ("Doyle's game")."""
    reopening: Reopening = Reopening.FULL_RAISE
    minimum_raise: MinimumRaise = MinimumRaise.ON_TOP
    odd_chips: OddChips = OddChips.LEFT_OF_BUTTON
    short_blind: ShortBlind = ShortBlind.NOMINAL
    ante_rule: Antes = Antes.MATCHED
    mucking: Mucking = Mucking.SHOW_ALL
    raise_needs_caller: bool = True
    free_folds: bool = False
    """Whether a fold is accepted where a check is free. It is never offered; card rooms fold absent players."""

    def __post_init__(self) -> None:
        if not self.antes:
            object.__setattr__(self, "antes", (0,) * len(self.blinds))
        _check(self)

    def __hash__(self) -> int:
        # Readers look up rules for every hand. Games that differ mostly differ here, and hashing every field is slow.
        return hash((self.name, self.blinds, self.bet_sizes, self.antes))

    @property
    def players(self) -> int:
        """How many seats are dealt in."""
        return len(self.blinds)

    @property
    def rounds(self) -> int:
        """How many betting rounds a hand has."""
        return len(self.bet_sizes)

    @property
    def big_blind(self) -> int:
        """The largest blind."""
        return max(self.blinds)

    @property
    def small_bet(self) -> int:
        """The bet of the first round: the unit of sb/h."""
        return self.bet_sizes[0]

    @property
    def deals_two_of_52(self) -> bool:
        """Whether everybody is dealt two cards of a full deck, whatever the board."""
        return self.hole_cards == 2 and len(self.deck) == DECK_SIZE

    @property
    def is_holdem(self) -> bool:
        """Whether it is Texas hold'em with a full deck, however it is bet."""
        return self.deals_two_of_52 and self.board_cards == (0, 3, 1, 1)

    @property
    def is_limit_holdem(self) -> bool:
        """Whether it is limit Texas hold'em with a full deck."""
        return self.betting is Betting.LIMIT and self.is_holdem

    @property
    def unit(self) -> str:
        """The unit in which results are given: small bets per hand at limit, big blinds per hand otherwise."""
        return "sb/h" if self.betting is Betting.LIMIT else "bb/h"

    @property
    def unit_chips(self) -> int:
        """The chips in one small bet (limit) or one big blind (otherwise); with antes only, in the minimum bet."""
        return self.small_bet if self.betting is Betting.LIMIT else self.big_blind or self.small_bet

    @property
    def cards_dealt(self) -> int:
        """How many cards a hand needs: everyone's hole cards, then the board."""
        return self.players * self.hole_cards + sum(self.board_cards)

    @property
    def deck(self) -> tuple[int, ...]:
        """The cards in play: the highest ranks and suits of the full deck, as the ACPC takes them."""
        return _deck(self.ranks, self.suits)

    def board_size(self, round_number: int) -> int:
        """The number of board cards dealt by a round."""
        return sum(self.board_cards[: round_number + 1])

    def round_name(self, round_number: int) -> str:
        """What players call a round: preflop, flop, turn, river; in other games its number."""
        if self.board_cards == (0, 3, 1, 1):
            return ROUND_NAMES[round_number]
        return f"round {round_number + 1}"

    def for_players(self, players: int) -> "GameRules":
        """The same game with fewer seats dealt in: a small and a big blind, then the others."""
        if players == self.players:
            return self
        posted = sorted(blind for blind in self.blinds if blind)
        if len(posted) != 2 or self.board_cards[0] != 0 or not 2 <= players < self.players:
            raise RulesError(f"{self.name} cannot be played with {players} players")
        blinds, first_seats = blinds_for(players, posted[0], posted[1], self.rounds)
        return replace(
            self,
            blinds=blinds,
            stacks=self.stacks[:players],
            antes=self.antes[:players],
            first_seats=first_seats,
        )


def blinds_for(
    players: int, small: int, big: int, rounds: int = 4
) -> tuple[tuple[int, ...], tuple[int, ...]]:
    """Blinds and the seats that open each round; heads-up the button posts the small blind and opens ("reverse")."""
    if players == 2:
        return (big, small), (1,) + (0,) * (rounds - 1)
    return (small, big) + (0,) * (players - 2), (2 % players,) + (0,) * (rounds - 1)


ACPC_OPTIONS: Mapping[str, Any] = {
    "reopening": Reopening.ANY_RAISE,
    "minimum_raise": MinimumRaise.KEPT,
    "odd_chips": OddChips.FRACTIONAL,
    "short_blind": ShortBlind.POSTED,
    "raise_needs_caller": False,
}


def _check(rules: GameRules) -> None:
    def require(condition: bool, problem: str) -> None:
        if not condition:
            raise RulesError(f"{rules.name}: {problem}")

    players, rounds = rules.players, rules.rounds
    require(2 <= players <= betting.MOST_SEATS, f"{players} players, but a table has 2 to 10")
    require(1 <= rounds <= betting.MOST_ROUNDS, f"{rounds} betting rounds, but there are 1 to 4")
    for field in ("stacks", "antes"):
        count = len(getattr(rules, field))
        require(count == players, f"{count} {field} for {players} players")
    for field in ("raise_caps", "first_seats", "board_cards"):
        count = len(getattr(rules, field))
        require(count == rounds, f"{count} {field} for {rounds} rounds")
    for field in ("blinds", "antes", "board_cards"):
        require(min(getattr(rules, field)) >= 0, f"{field} may not be negative")
    for field in ("stacks", "bet_sizes"):
        require(min(getattr(rules, field)) > 0, f"{field} must be positive")
    require(max(rules.stacks) <= UNLIMITED_STACK, f"a stack is at most {UNLIMITED_STACK}")
    for field in ("blinds", "antes", "bet_sizes"):
        require(max(getattr(rules, field)) <= UNLIMITED_STACK, f"{field} are at most {UNLIMITED_STACK}")
    require(
        all(cap is None or 0 <= cap <= betting.UNCAPPED for cap in rules.raise_caps),
        f"a raise cap is a number of raises up to {betting.UNCAPPED}, or none",
    )
    require(
        all(0 <= seat < players for seat in rules.first_seats),
        f"first_seats are 0 … {players - 1}, not {rules.first_seats}",
    )
    require(1 <= rules.suits <= 4 and 1 <= rules.ranks <= 13, "a deck has 1 to 4 suits and 1 to 13 ranks")
    require(rules.hole_cards in (1, 2), f"{rules.hole_cards} hole cards, but hold'em has 2, Kuhn and Leduc 1")
    require(
        rules.cards_dealt <= rules.suits * rules.ranks,
        f"{rules.cards_dealt} cards are dealt from a deck of {rules.suits * rules.ranks}",
    )
    hand_size = rules.hole_cards + sum(rules.board_cards)
    require(hand_size <= 7, f"a hand of {hand_size} cards, but hold'em hands have at most 7")
    require(any(rules.blinds) or any(rules.antes), "nobody posts a blind or an ante")


@lru_cache(maxsize=64)
def _deck(ranks: int, suits: int) -> tuple[int, ...]:
    return tuple(4 * rank + suit for rank in range(13 - ranks, 13) for suit in range(4 - suits, 4))


@lru_cache(maxsize=256)
def compiled(rules: GameRules) -> NDArray[np.int64]:
    """The rules as the vector that `kernels.rules.betting` reads; computed once per game."""
    vector = np.zeros(betting.RULES_LENGTH, dtype=np.int64)
    vector[betting.SEATS] = rules.players
    vector[betting.ROUNDS] = rules.rounds
    vector[betting.BETTING] = list(Betting).index(rules.betting)
    vector[betting.REOPENING] = list(Reopening).index(rules.reopening)
    vector[betting.MINIMUM_KEPT] = rules.minimum_raise is MinimumRaise.KEPT
    vector[betting.NEEDS_CALLER] = rules.raise_needs_caller
    vector[betting.BLINDS_NOMINAL] = rules.short_blind is ShortBlind.NOMINAL
    vector[betting.DEAD_ANTES] = rules.ante_rule is Antes.DEAD
    vector[betting.FRACTIONAL] = rules.odd_chips is OddChips.FRACTIONAL
    vector[betting.MERGED_POTS] = rules.odd_chips is OddChips.MERGED_POTS
    vector[betting.HOLE_CARDS] = rules.hole_cards
    vector[betting.BOARD_CARDS] = sum(rules.board_cards)
    for number in range(rules.rounds):
        cap = rules.raise_caps[number]
        vector[betting.BET_SIZES + number] = rules.bet_sizes[number]
        vector[betting.RAISE_CAPS + number] = betting.UNCAPPED if cap is None else cap
        vector[betting.FIRST_SEATS + number] = rules.first_seats[number]
    vector.flags.writeable = False
    return vector
