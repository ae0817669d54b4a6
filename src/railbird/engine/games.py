"""Named games and their parameters: `limit-2p`, `nolimit-6max`, `limit-9max:cap=5,stack=100000,carry=yes`.

Limit games are $10/$20 with blinds 5/10 and the ACPC's caps (three raises preflop, a bet and three raises after);
no-limit and pot-limit games have blinds 50/100 and 20,000 chips each hand. `kuhn-2p`, `kuhn-3p` and `leduc-2p` are the
small games of the literature.

>>> named_game("limit-9max:cap=5").raise_caps
(4, 5, 5, 5)
"""

from collections.abc import Callable, Mapping
from dataclasses import replace
from enum import Enum
from functools import partial
from typing import Any

from railbird.engine.rules import (
    UNLIMITED_STACK,
    Antes,
    Betting,
    GameRules,
    MinimumRaise,
    Mucking,
    OddChips,
    Reopening,
    RulesError,
    ShortBlind,
    blinds_for,
)
from railbird.spec import SpecError, parse_choice, parse_flag, parse_number, parse_spec, unknown

LIMIT_STACK = 2000
"""A hundred big bets: more than a limit hand can cost under any common cap, so it matters only when carried over."""


def _limit(name: str, players: int) -> GameRules:
    blinds, first = blinds_for(players, 5, 10)
    return GameRules(
        name=name,
        betting=Betting.LIMIT,
        blinds=blinds,
        stacks=(LIMIT_STACK,) * players,
        bet_sizes=(10, 10, 20, 20),
        raise_caps=(3, 4, 4, 4),
        first_seats=first,
    )


def _unlimited(betting: Betting, name: str, players: int) -> GameRules:
    blinds, first = blinds_for(players, 50, 100)
    return GameRules(
        name=name,
        betting=betting,
        blinds=blinds,
        stacks=(20000,) * players,
        bet_sizes=(100,) * 4,
        raise_caps=(None,) * 4,
        first_seats=first,
    )


def _kuhn(name: str, players: int) -> GameRules:
    """Kuhn poker: one card each from a deck of one suit, an ante of 1, one bet of 1."""
    return GameRules(
        name=name,
        betting=Betting.LIMIT,
        blinds=(1,) * players,
        stacks=(UNLIMITED_STACK,) * players,
        bet_sizes=(1,),
        raise_caps=(1,),
        first_seats=(0,),
        board_cards=(0,),
        hole_cards=1,
        suits=1,
        ranks=players + 1,
    )


def _leduc(name: str, players: int) -> GameRules:
    """Leduc hold'em: one card each and one on the board, two rounds with bets of 2 and 4, at most two raises."""
    return GameRules(
        name=name,
        betting=Betting.LIMIT,
        blinds=(1,) * players,
        stacks=(UNLIMITED_STACK,) * players,
        bet_sizes=(2, 4),
        raise_caps=(2, 2),
        first_seats=(0, 0),
        board_cards=(0, 1),
        hole_cards=1,
        suits=2,
        ranks=3,
    )


_SIZES = {"2p": 2, "3p": 3} | {f"{players}max": players for players in range(4, 11)}
_FAMILIES: Mapping[str, tuple[Callable[[str, int], GameRules], Mapping[str, int]]] = {
    "limit": (_limit, _SIZES),
    "nolimit": (partial(_unlimited, Betting.NO_LIMIT), _SIZES),
    "potlimit": (partial(_unlimited, Betting.POT_LIMIT), _SIZES),
    "kuhn": (_kuhn, {"2p": 2, "3p": 3}),
    "leduc": (_leduc, {"2p": 2}),
}
GAME_NAMES = tuple(f"{family}-{size}" for family, (_, sizes) in _FAMILIES.items() for size in sizes)


def game_names() -> tuple[str, ...]:
    """The names of all games.

    >>> game_names()[:3]
    ('limit-2p', 'limit-3p', 'limit-4max')
    """
    return GAME_NAMES


def named_game(text: str) -> GameRules:
    """The game with a name such as `limit-9max`, with optional parameters.

    >>> game = named_game("limit-9max:cap=5")
    >>> game.players, game.raise_caps
    (9, (4, 5, 5, 5))
    """
    spec = parse_spec(text)
    if spec.name not in GAME_NAMES:
        raise unknown("game", spec.name, GAME_NAMES)
    family, _, size = spec.name.partition("-")
    make, sizes = _FAMILIES[family]
    return with_parameters(make(spec.name, sizes[size]), spec.parameters)


_BETTING = {Betting.LIMIT: "Limit", Betting.NO_LIMIT: "No-limit", Betting.POT_LIMIT: "Pot-limit"}
_SMALL_GAMES = {"kuhn": "Kuhn poker", "leduc": "Leduc hold'em"}
_USUAL_DEPTH = {Betting.LIMIT: 100, Betting.NO_LIMIT: 200, Betting.POT_LIMIT: 200}
"""The stacks of named games, in big bets at limit and in big blinds otherwise."""


def game_title(rules: GameRules) -> str:
    """The name of a game for people: betting, players and stakes, then whatever is unusual about it.

    >>> game_title(named_game("limit-6max")), game_title(named_game("nolimit-2p:stack=2000"))
    ('Limit, 6 players, $10/$20', 'No-limit heads-up, 50/100, 20 big blinds')
    """
    name, _, parameters = rules.name.partition(":")
    family = _SMALL_GAMES.get(name.partition("-")[0])
    if family is not None:
        parts = [family] if rules.players == 2 else [family, f"{rules.players} players"]
    else:
        betting = _BETTING[rules.betting]
        parts = [f"{betting} heads-up"] if rules.players == 2 else [betting, f"{rules.players} players"]
        parts += [_stakes(rules), *_stacks(rules)]
    if rules.carry:
        parts.append("stacks carry over")
    others = (part.partition("=") for part in parameters.split(",") if part)
    parts += [f"{key} {value}".strip() for key, _, value in others if key not in _TITLED]
    return ", ".join(parts)


_TITLED = ("blinds", "bets", "stack", "carry")


def _stakes(rules: GameRules) -> str:
    if rules.betting is Betting.LIMIT:
        return f"${rules.bet_sizes[0]:,}/${rules.bet_sizes[-1]:,}"
    blinds = sorted(blind for blind in rules.blinds if blind)
    return "/".join(f"{blind:,}" for blind in blinds)


def _stacks(rules: GameRules) -> list[str]:
    """The depth of the stacks, if it is not the usual one."""
    limit = rules.betting is Betting.LIMIT
    unit = rules.bet_sizes[-1] if limit else rules.big_blind or rules.small_bet
    if all(stack == UNLIMITED_STACK or stack == _USUAL_DEPTH[rules.betting] * unit for stack in rules.stacks):
        return []
    depths = sorted({stack / unit for stack in rules.stacks})
    span = f"{depths[0]:,g}" if len(depths) == 1 else f"{depths[0]:,g} to {depths[-1]:,g}"
    return [f"{span} big {'bets' if limit else 'blinds'}"]


def with_parameters(rules: GameRules, parameters: Mapping[str, str]) -> GameRules:
    """The same game with some of its rules changed; its name then says so."""
    for key in parameters:
        if key not in PARAMETERS:
            raise unknown("game parameter", key, PARAMETERS)
    for key, value in parameters.items():
        try:
            rules = replace(rules, **PARAMETERS[key][0](rules, value))
        except RulesError as error:
            raise SpecError(f"{key}={value} is not valid: {error}") from None
    if not parameters:
        return rules
    return replace(rules, name=f"{rules.name}:{','.join(f'{k}={v}' for k, v in parameters.items())}")


def _cap(rules: GameRules, value: str) -> dict[str, Any]:
    if value == "none":
        return {"raise_caps": (None,) * rules.rounds}
    bets = parse_number("cap", value, least=1)
    # The big blind is the first bet of the first round.
    return {"raise_caps": (bets - 1,) + (bets,) * (rules.rounds - 1)}


def _raises(rules: GameRules, value: str) -> dict[str, Any]:
    caps = _numbers("raises", value)
    return {"raise_caps": caps * rules.rounds if len(caps) == 1 else caps}


def _stack(rules: GameRules, value: str) -> dict[str, Any]:
    stacks = _numbers("stack", value)
    return {"stacks": stacks * rules.players if len(stacks) == 1 else stacks}


def _blinds(rules: GameRules, value: str) -> dict[str, Any]:
    amounts = _numbers("blinds", value)
    if len(amounts) != 2:
        raise SpecError(f"blinds={value} is not a small and a big blind, such as 5/10")
    blinds, _ = blinds_for(rules.players, *amounts, rules.rounds)
    changes: dict[str, Any] = {"blinds": blinds}
    if rules.betting is not Betting.LIMIT:
        changes["bet_sizes"] = (amounts[1],) * rules.rounds
    return changes


def _bets(rules: GameRules, value: str) -> dict[str, Any]:
    sizes = _numbers("bets", value)
    if len(sizes) == 2 and rules.rounds == 4:
        sizes = (sizes[0], sizes[0], sizes[1], sizes[1])
    return {"bet_sizes": sizes * rules.rounds if len(sizes) == 1 else sizes}


def _ante(rules: GameRules, value: str) -> dict[str, Any]:
    return {"antes": (parse_number("ante", value),) * rules.players}


def _choice(field: str, choices: type[Enum], key: str) -> Callable[[GameRules, str], dict[str, Any]]:
    def parse(_rules: GameRules, value: str) -> dict[str, Any]:
        return {field: parse_choice(key, value, choices)}

    return parse


def _numbers(key: str, value: str) -> tuple[int, ...]:
    return tuple(parse_number(key, part) for part in value.split("/"))


PARAMETERS: Mapping[str, tuple[Callable[[GameRules, str], dict[str, Any]], str]] = {
    "cap": (_cap, "maximum number of bets in a round, including the big blind (5 for CASPER), or none"),
    "raises": (_raises, "maximum number of bets and raises by round, not including the blinds: 3/4/4/4"),
    "stack": (_stack, "starting chips: of all seats, or seat by seat from the left of the button: 1000/4000"),
    "carry": (
        lambda _, value: {"carry": parse_flag("carry", value)},
        "yes: stacks carry over from hand to hand; no: every hand begins with full stacks",
    ),
    "blinds": (_blinds, "small and big blind: 5/10"),
    "bets": (_bets, "bet sizes, or minimum bets if betting is not limit: 10/20, or round by round"),
    "ante": (_ante, "chips that every seat pays before the deal"),
    "antes": (
        _choice("ante_rule", Antes, "antes"),
        "matched: a short ante wins only as much from each other seat; dead: all antes go to the main pot",
    ),
    "odd": (
        _choice("odd_chips", OddChips, "odd"),
        "odd chips of a split pot: left-of-button, to the first winner there; merged-pots, the same after pots with "
        "the same winners are merged; fractional, divided exactly",
    ),
    "reopening": (
        _choice("reopening", Reopening, "reopening"),
        "when a seat may raise again: any-raise, after every raise; full-raise, if it faces a full one in total; "
        "consecutive-shorts, also after short all-ins in a row that make up a full raise",
    ),
    "min-raise": (
        _choice("minimum_raise", MinimumRaise, "min-raise"),
        "after a short all-in: on-top, a full raise on top of it; kept, as it was before",
    ),
    "short-blind": (
        _choice("short_blind", ShortBlind, "short-blind"),
        "to call when the big blind is all-in for less: nominal, the full blind; posted, the largest blind posted",
    ),
    "needs-caller": (
        lambda _, value: {"raise_needs_caller": parse_flag("needs-caller", value)},
        "no: a raise is allowed even when no opponent has chips to call it",
    ),
    "free-folds": (
        lambda _, value: {"free_folds": parse_flag("free-folds", value)},
        "yes: a seat may fold where it could check",
    ),
    "muck": (
        _choice("mucking", Mucking, "muck"),
        "at the showdown: show-all, everyone shows; losers-muck, beaten hands are mucked",
    ),
}
"""Every parameter: how it changes the rules, and what it means."""
