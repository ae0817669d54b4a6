"""The game of a PHH hand: variant, amounts and rules, from its fields to a `Setup` and back.

PHH leaves the rules to PokerKit, its reference: `PHH_OPTIONS`. Its first player is the one to the left of the button,
as our position 0; heads-up it lists blinds and antes in reverse. A negative blind is posted like any other but ignored
in finding the first to act: it is the post of a player who comes in late. Unknown stacks are written as `inf`.
"""

from collections.abc import Mapping, Sequence
from decimal import Decimal
from functools import lru_cache
from typing import Any, NamedTuple, TypeGuard

from railbird.engine.rules import (
    UNLIMITED_STACK,
    Antes,
    Betting,
    GameRules,
    MinimumRaise,
    Mucking,
    OddChips,
    Reopening,
    ShortBlind,
)
from railbird.engine.setup import Setup
from railbird.kernels.rules.betting import MOST_SEATS
from railbird.notation.phh.fields import Fields
from railbird.notation.reading import NotationError

NO_LIMIT, LIMIT = "NT", "FT"
OTHER_GAMES: Mapping[str, str] = {
    "NS": "no-limit short-deck hold'em",
    "PO": "pot-limit Omaha",
    "FO/8": "limit Omaha eight or better",
    "F7S": "seven-card stud",
    "F7S/8": "seven-card stud eight or better",
    "FR": "razz",
    "N2L1D": "deuce-to-seven single draw",
    "F2L3D": "deuce-to-seven triple draw",
    "FB": "badugi",
}
"""PHH variants other than Texas hold'em."""

PHH_OPTIONS: Mapping[str, Any] = {
    "reopening": Reopening.CONSECUTIVE_SHORTS,
    "minimum_raise": MinimumRaise.ON_TOP,
    "odd_chips": OddChips.MERGED_POTS,
    "short_blind": ShortBlind.POSTED,
    "mucking": Mucking.LOSERS_MUCK,
    "raise_needs_caller": True,
}
LENIENT_OPTIONS: Mapping[str, Any] = {
    **PHH_OPTIONS,
    "reopening": Reopening.ANY_RAISE,
    "minimum_raise": MinimumRaise.KEPT,
    "raise_needs_caller": False,
    "free_folds": True,
}
"""For tables with other house rules: everything that any ruleset allows after a short all-in, folds where a check is
free, and no cap."""
LIMIT_CAPS = (4, 4, 4, 4)

MOST_DECIMALS = 6
_INFINITE = Decimal("inf")
_POWERS: tuple[int, ...] = tuple(10**decimals for decimals in range(MOST_DECIMALS + 1))
_WHOLE = frozenset((int,))
_AMOUNTS = frozenset((int, Decimal))
_SIZES = {2: "2p", 3: "3p"}


class Stakes(NamedTuple):
    """The amounts in the fields of a hand, in chips."""

    variant: str
    decimals: int
    """The number of decimals of the printed amounts: a chip is a unit of the last one."""
    stacks: tuple[int, ...]
    antes: tuple[int, ...]
    blinds: tuple[int, ...]
    """With their printed signs, but also heads-up in order from the left of the button."""
    bets: tuple[int, int]
    trimmed: bool

    def setup(self, lenient: bool = False) -> Setup:
        """The start of the hand, by PokerKit's rules or by lenient ones."""
        blinds = regular = self.blinds
        if min(blinds) < 0:
            blinds = tuple(map(abs, self.blinds))
            regular = tuple([max(blind, 0) for blind in self.blinds])
        first = opener(self.blinds, self.stacks, self.antes)
        rules = phh_rules(
            self.variant,
            regular if any(regular) else blinds,
            self.antes,
            self.bets,
            self.trimmed,
            first,
            lenient,
        )
        return Setup(rules, self.stacks, blinds, self.antes, first)

    def with_dead_posts(self) -> "Stakes":
        """The same with late posts limited to a big blind, the rest being dead like an ante."""
        big = max(self.blinds)
        live = tuple(0 if -big < blind < 0 else max(blind, -big) for blind in self.blinds)
        dead = (abs(blind) - abs(kept) for blind, kept in zip(self.blinds, live, strict=True))
        antes = tuple(ante + rest for ante, rest in zip(self.antes, dead, strict=True))
        return self._replace(blinds=live, antes=antes, trimmed=False)


@lru_cache(maxsize=1024)
def phh_rules(
    variant: str,
    blinds: tuple[int, ...],
    antes: tuple[int, ...],
    bets: tuple[int, int],
    trimmed: bool,
    first: int,
    lenient: bool = False,
) -> GameRules:
    """The rules of a hand, from its fields alone. Buy-ins are not part of them."""
    players = len(blinds)
    limit = variant == LIMIT
    return GameRules(
        name=f"{'limit' if limit else 'nolimit'}-{_SIZES.get(players, f'{players}max')}",
        betting=Betting.LIMIT if limit else Betting.NO_LIMIT,
        blinds=blinds,
        stacks=(UNLIMITED_STACK,) * players,
        bet_sizes=(bets[0], bets[0], bets[1], bets[1]),
        raise_caps=LIMIT_CAPS if limit and not lenient else (None,) * 4,
        first_seats=(first, 0, 0, 0),
        antes=antes,
        ante_rule=Antes.MATCHED if trimmed else Antes.DEAD,
        **(LENIENT_OPTIONS if lenient else PHH_OPTIONS),
    )


def opener(signed: Sequence[int], stacks: Sequence[int], antes: Sequence[int]) -> int:
    """The first to act: the position after the last of the largest blinds; negative blinds count less than none."""
    posted = _posted(signed, stacks, antes)
    largest, count = max(posted), len(posted)
    return (count - posted[::-1].index(largest)) % count


def _posted(signed: Sequence[int], stacks: Sequence[int], antes: Sequence[int]) -> Sequence[int]:
    """The part of its blind that each seat can pay, with the blind's sign."""
    if min(stacks) >= max(antes) + max(max(signed), -min(signed)):
        return signed
    behind = [max(stack - ante, 0) for stack, ante in zip(stacks, antes, strict=True)]
    return [max(min(blind, chips), -chips) for blind, chips in zip(signed, behind, strict=True)]


def signed_blinds(setup: Setup) -> tuple[int, ...]:
    """The blinds with signs that make PHH find the right first to act; refused if there are no such signs.

    If all seats before it are all-in with their blinds, the signs do not matter.
    """
    actor = setup.tree.root.actor
    last = (setup.first - 1) % setup.rules.players
    posted = _posted(setup.blinds, setup.stacks, setup.antes)
    as_late = tuple(
        -blind if (posted[seat], seat) > (posted[last], last) else blind
        for seat, blind in enumerate(setup.blinds)
    )
    for signed in (setup.blinds, as_late):
        first = opener(signed, setup.stacks, setup.antes)
        found = (
            Setup(setup.rules, setup.stacks, setup.blinds, setup.antes, first)
            if first != setup.first
            else setup
        )
        if found.tree.root.actor == actor:
            return signed
    raise NotationError(
        f"PHH cannot express blinds {setup.blinds} after which position {setup.first} acts first"
    )


def read_stakes(fields: Fields, variant: str, players: int, more: Sequence[int | Decimal]) -> Stakes:
    """Read the amounts; `more` are other amounts of the hand, whose decimals count too."""
    stacks = amounts(fields, "starting_stacks")
    antes = amounts(fields, "antes", players)
    blinds = amounts(fields, "blinds_or_straddles", players)
    if variant == LIMIT:
        bets = [_amount(fields, "small_bet"), _amount(fields, "big_bet")]
    else:
        bets = [_amount(fields, "min_bet")] * 2
    trimmed = fields.get("ante_trimming_status", False)
    if not isinstance(trimmed, bool):
        raise NotationError("ante_trimming_status is neither true nor false")
    decimals = most_decimals([*stacks, *antes, *blinds, *bets, *more])
    if players == 2:
        antes, blinds = antes[::-1], blinds[::-1]

    small, big = all_in_chips("min_bet" if variant == NO_LIMIT else "small_bet or big_bet", bets, decimals)
    return Stakes(
        variant=variant,
        decimals=decimals,
        stacks=_stacks_in_chips(stacks, decimals),
        antes=all_in_chips("antes", antes, decimals),
        blinds=all_in_chips("blinds_or_straddles", blinds, decimals),
        bets=(small, big),
        trimmed=trimmed,
    )


def _stacks_in_chips(stacks: Sequence[int | Decimal], decimals: int) -> tuple[int, ...]:
    if _INFINITE not in stacks:
        return all_in_chips("starting_stacks", stacks, decimals)
    return tuple(
        [
            UNLIMITED_STACK if stack == _INFINITE else in_chips("starting_stacks", stack, decimals)
            for stack in stacks
        ]
    )


def variant_of(fields: Fields) -> str:
    """The code of the game; other games than Texas hold'em are refused by name."""
    variant = fields.get("variant")
    if variant is None:
        raise NotationError("the field variant is missing, so this is not a PHH hand")
    if not isinstance(variant, str) or variant not in (NO_LIMIT, LIMIT):
        if isinstance(variant, str) and variant in OTHER_GAMES:
            raise NotationError(
                f"the hand is {OTHER_GAMES[variant]} ({variant}), but only Texas hold'em is supported"
            )
        raise NotationError(f"variant is {_shown(variant)}, which is not a PHH variant")
    if fields.get("bring_in"):
        raise NotationError("the hand has a bring_in, but Texas hold'em is played with blinds")
    return variant


def players_of(fields: Fields) -> int:
    """The number of players."""
    players = len(amounts(fields, "starting_stacks"))
    if not 2 <= players <= MOST_SEATS:
        raise NotationError(f"starting_stacks has {players} players, but a table has 2 to {MOST_SEATS}")
    return players


def amounts(fields: Fields, name: str, players: int | None = None) -> list[int | Decimal]:
    """A list of amounts, one for each player."""
    values = fields.get(name)
    if values is None:
        raise NotationError(f"the field {name} is missing")
    if not isinstance(values, list):
        raise NotationError(f"{name} is {_shown(values)}, but a list of amounts is expected")
    if not _AMOUNTS.issuperset(map(type, values)):
        wrong = next(value for value in values if type(value) not in _AMOUNTS)
        raise NotationError(f"{name} has {_shown(wrong)} where an amount is expected")
    if players is not None and len(values) != players:
        raise NotationError(f"{name} has {len(values)} amounts for {players} players")
    return values


def _amount(fields: Fields, name: str) -> int | Decimal:
    value = fields.get(name)
    if value is None:
        raise NotationError(f"the field {name} is missing")
    if type(value) is not int and not isinstance(value, Decimal):
        raise NotationError(f"{name} is {_shown(value)}, but an amount is expected")
    if (isinstance(value, Decimal) and value.is_nan()) or value <= 0:
        raise NotationError(f"{name} is {_shown(value)}, but a bet must be positive")
    return value


def _shown(value: object) -> str:
    text = repr(value) if not isinstance(value, Decimal) else str(value)
    return text if len(text) <= 40 else text[:37] + "…"


def are_whole(values: Sequence[int | Decimal]) -> TypeGuard[Sequence[int]]:
    """Whether all amounts are printed without decimals."""
    return _WHOLE.issuperset(map(type, values))


def most_decimals(values: Sequence[int | Decimal]) -> int:
    """The largest number of decimals of the amounts."""
    decimals = 0
    if are_whole(values):
        return decimals
    for value in values:
        if type(value) is Decimal:
            exponent = value.as_tuple()[2]
            if isinstance(exponent, int) and -exponent > decimals:
                decimals = -exponent
    if decimals > MOST_DECIMALS:
        raise NotationError(f"an amount has {decimals} decimals, but at most {MOST_DECIMALS} are supported")
    return decimals


def in_chips(name: str, value: int | Decimal, decimals: int) -> int:
    """An amount in whole chips, within the limits of the engine."""
    if type(value) is int:
        chips = value * _POWERS[decimals]
    else:
        assert isinstance(value, Decimal)
        if not value.is_finite():
            raise NotationError(f"{name} has {value} where an amount is expected")
        if value.adjusted() > MOST_DECIMALS + 10:
            raise NotationError(f"{name} has an amount of more than {UNLIMITED_STACK} chips")
        chips = int(value.scaleb(decimals))
    if not -UNLIMITED_STACK < chips < UNLIMITED_STACK:
        raise NotationError(f"{name} has an amount of more than {UNLIMITED_STACK} chips")
    return chips


def all_in_chips(name: str, values: Sequence[int | Decimal], decimals: int) -> tuple[int, ...]:
    """Amounts in whole chips; most hands are printed in chips."""
    if not decimals and are_whole(values) and -UNLIMITED_STACK < min(values) <= max(values) < UNLIMITED_STACK:
        return tuple(values)
    return tuple([in_chips(name, value, decimals) for value in values])


def out_of_chips(chips: int, decimals: int) -> int | Decimal:
    """Whole chips as a printed amount."""
    return Decimal(chips).scaleb(-decimals) if decimals else chips
