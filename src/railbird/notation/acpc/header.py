"""Comments in ACPC logs that carry data: the game, and unusual stacks and blinds of a hand.

    # name/game/hands/seed match holdem.limit.3p.game 3000 42       the official server
    # {"schema": "railbird.log/1", "game": "limit-3p", "rules": …}   Railbird: the rules in full
    # stacks 940|1060|1000 blinds 5|10|0                             for the next hand only

The last one may continue with `antes 1|1|1`, `first 2` (the seat that opens, counted from 0) and `seats 3|0|1` (the
seats at the table), if they do not follow from the game and the blinds.
"""

import json
from collections.abc import Mapping
from dataclasses import MISSING, dataclass, fields
from pathlib import Path
from typing import Any

from railbird.engine.json_form import RecordError, rules_from_json, rules_to_json
from railbird.engine.record import HandRecord
from railbird.engine.rules import UNLIMITED_STACK, GameRules
from railbird.engine.setup import Setup
from railbird.notation.acpc.betting import shorten
from railbird.notation.acpc.match import acpc_rules
from railbird.notation.game_names import find_game
from railbird.notation.reading import NotationError

LOG_SCHEMA = "railbird.log/1"
_OFFICIAL = "# name/game/hands/seed "
_OWN = '# {"schema": "railbird.log/'
_STACKS = "# stacks "
_LISTS = ("blinds", "stacks", "bet_sizes", "first_seats", "antes", "board_cards")
_NUMBERS = ("hole_cards", "suits", "ranks")
_FLAGS = ("carry", "raise_needs_caller", "free_folds")


class GameMissing(NotationError):
    """A header that names a game that cannot be found."""


@dataclass(frozen=True, slots=True)
class MatchHeader:
    """The first lines that the official server writes: the match, its game, and the time limits in milliseconds."""

    name: str
    game: str
    """The path of the `.game` file, as given."""
    hands: int
    seed: int
    t_response: int
    t_hand: int
    t_per_hand: int

    def __str__(self) -> str:
        return (
            f"{_OFFICIAL}{self.name} {self.game} {self.hands} {self.seed}\n"
            f"#--t_response {self.t_response}\n#--t_hand {self.t_hand}\n#--t_per_hand {self.t_per_hand}\n"
        )


def names_a_game(comment: str) -> bool:
    """Whether a comment is a header that names the game of the following hands."""
    return comment.startswith((_OFFICIAL, _OWN))


def game_of_header(comment: str, folder: Path | None = None) -> GameRules:
    """The game that a header names; a `.game` file is looked up by its path and beside the log."""
    if comment.startswith(_OWN):
        return _own_game(comment[2:])
    words = comment[len(_OFFICIAL) :].split()
    if len(words) < 4:
        raise NotationError("the header does not give a name, a game, a number of hands and a seed")
    game = words[-3]
    path, ending, parameters = game.partition(".game")
    if ending and folder is not None and not Path(path + ending).is_file():
        beside = folder / (path + ending)
        game = f"{beside if beside.is_file() else folder / beside.name}{parameters}"
    try:
        return acpc_rules(find_game(game))
    except ValueError as error:
        raise GameMissing(f"the header names the game {shorten(words[-3])}: {error}") from None


def game_beside(folder: Path | None) -> GameRules:
    """The game of a log that does not name it: that of the only `.game` file in its folder."""
    found = [] if folder is None else sorted(folder.glob("*.game"))
    if len(found) != 1:
        names = ", ".join(path.name for path in found)
        hint = f" (beside it are {names})" if found else ""
        raise NotationError(f"the log does not name its game: specify the game{hint}")
    return acpc_rules(find_game(str(found[0])))


def _own_game(text: str) -> GameRules:
    try:
        header = json.loads(text)
    except (ValueError, RecursionError):
        raise NotationError("the header is not valid JSON") from None
    if not isinstance(header, dict) or header.get("schema") != LOG_SCHEMA:
        raise NotationError(f"the header's schema is not {LOG_SCHEMA!r}")
    rules = header.get("rules")
    if not isinstance(rules, dict):
        raise NotationError("the header has no rules")
    try:
        _require_plain(rules)
        return rules_from_json(rules)
    except (TypeError, ValueError) as error:
        raise NotationError(f"the rules in the header are not valid: {error}") from None


def _require_plain(rules: Mapping[str, Any]) -> None:
    """Check the types of all fields, which `GameRules` itself does not."""
    for field in fields(GameRules):
        if field.name not in rules and field.default is MISSING:
            raise RecordError(f"{field.name} is missing")
    for name, value in rules.items():
        if name in _LISTS:
            if not (isinstance(value, list) and all(map(_is_amount, value))):
                raise RecordError(f"{name} is not a list of whole numbers")
        elif name == "raise_caps":
            if not (isinstance(value, list) and all(cap is None or _is_amount(cap) for cap in value)):
                raise RecordError("raise_caps is not a list of whole numbers")
        elif name in _NUMBERS:
            if not _is_amount(value):
                raise RecordError(f"{name} is not a whole number")
        elif name in _FLAGS:
            if not isinstance(value, bool):
                raise RecordError(f"{name} is neither true nor false")
        elif not isinstance(value, str):
            raise RecordError(f"{name} is not text")


def _is_amount(value: object) -> bool:
    return type(value) is int and 0 <= value <= UNLIMITED_STACK


def format_game_header(rules: GameRules) -> str:
    """The comment that names a game with its rules in full."""
    header = {"schema": LOG_SCHEMA, "game": rules.name, "rules": rules_to_json(rules)}
    return f"# {json.dumps(header)}"


@dataclass(frozen=True, slots=True)
class HandOpening:
    """The start of the next hand, from the comment before it."""

    setup: Setup
    seats: tuple[int, ...] = ()


def describes_an_opening(comment: str) -> bool:
    """Whether a comment gives the stacks and blinds of the next hand."""
    return comment.startswith(_STACKS)


def parse_opening(comment: str, rules: GameRules) -> HandOpening:
    """The opening that a comment describes, in a game that may have more seats than were dealt in."""
    words = comment[2:].split()
    values: dict[str, tuple[int, ...]] = {}
    for key, text in zip(words[::2], words[1::2], strict=False):
        if key not in ("stacks", "blinds", "antes", "first", "seats") or key in values:
            raise NotationError(f"{shorten(key)} is not expected in a comment about stacks")
        values[key] = _amounts(key, text)
    if len(words) % 2 or "blinds" not in values:
        raise NotationError("the comment about stacks does not give stacks and blinds")
    stacks, blinds = values["stacks"], values["blinds"]
    rules = rules.for_players(len(stacks))
    antes = values.get("antes", rules.antes)
    first = values.get("first", (usual_first(rules, blinds),))
    seats = values.get("seats", ())
    if len(first) != 1 or len(seats) not in (0, len(stacks)):
        raise NotationError("the comment about stacks has more values than seats")
    return HandOpening(Setup(rules, stacks, blinds, antes, first[0]), seats)


def _amounts(key: str, text: str) -> tuple[int, ...]:
    parts = text.split("|")
    if not all(part.isascii() and part.isdigit() and len(part) <= 10 for part in parts):
        raise NotationError(f"{key} {shorten(text)} is not a list of whole numbers separated by |")
    amounts = tuple(map(int, parts))
    if max(amounts) > UNLIMITED_STACK:
        raise NotationError(f"{key} has {max(amounts)}, but at most {UNLIMITED_STACK} is allowed")
    return amounts


def usual_first(rules: GameRules, blinds: tuple[int, ...]) -> int:
    """The seat that opens the first round: by the rules, or left of the big blind if the blinds have moved."""
    if blinds == rules.blinds:
        return rules.first_seats[0]
    return (blinds.index(max(blinds)) + 1) % len(blinds)


def format_opening(record: HandRecord) -> str | None:
    """The comment that a record needs before its STATE line, None if the hand starts as usual in its game."""
    setup, rules = record.setup, record.rules
    if setup == Setup.of(rules) and not record.seats:
        return None

    def listed(amounts: tuple[int, ...]) -> str:
        return "|".join(map(str, amounts))

    text = f"{_STACKS}{listed(setup.stacks)} blinds {listed(setup.blinds)}"
    if setup.antes != rules.antes:
        text += f" antes {listed(setup.antes)}"
    if setup.first != usual_first(rules, setup.blinds):
        text += f" first {setup.first}"
    if record.seats:
        text += f" seats {listed(record.seats)}"
    return text
