"""The `.game` files of the Annual Computer Poker Competition's server, read into `GameRules` and written from them.

The reader follows the official one: keys in any case, `=` optional, `#` comments, seats and rounds counted from 1,
missing stacks unlimited, missing `maxRaises` uncapped. Unlike there, an unknown or repeated key is an error.
"""

from pathlib import Path

from railbird.engine.rules import (
    ACPC_OPTIONS,
    UNLIMITED_STACK,
    Betting,
    GameRules,
    RulesError,
)
from railbird.kernels.rules.betting import MOST_ROUNDS, MOST_SEATS
from railbird.places import read_up_to

_UNCAPPED = 255
_SINGLE = ("numplayers", "numrounds", "numsuits", "numranks", "numholecards")
_LISTS = ("stack", "blind", "raisesize", "firstplayer", "maxraises", "numboardcards")
_REQUIRED = ("numplayers", "numrounds", "blind", "numsuits", "numranks", "numholecards", "numboardcards")
_SPELLING = {
    "numplayers": "numPlayers",
    "numrounds": "numRounds",
    "numsuits": "numSuits",
    "numranks": "numRanks",
    "numholecards": "numHoleCards",
    "raisesize": "raiseSize",
    "firstplayer": "firstPlayer",
    "maxraises": "maxRaises",
    "numboardcards": "numBoardCards",
}
MOST_BYTES = 64 * 1024
"""Maximum size of a `.game` file; those of the official server are smaller than one kilobyte."""
_FOUR_STACKS = 4
"""The official reader assumes four unlimited stacks, so games with more players must list theirs."""


class GameFileError(ValueError):
    """A `.game` file that cannot be read or written; the message gives file, line and what was expected."""


def read_game(path: Path) -> GameRules:
    """The game of a `.game` file, named after the file."""
    try:
        content = read_up_to(path, MOST_BYTES)
    except OSError as error:
        raise GameFileError(f"{path}: cannot be read: {error.strerror}") from None
    if len(content) > MOST_BYTES:
        raise GameFileError(f"{path}: a .game file may not have more than {MOST_BYTES:,} bytes")
    try:
        text = content.decode("ascii")
    except UnicodeDecodeError:
        raise GameFileError(f"{path}: a .game file must be plain ASCII text") from None
    return parse_game(text, name=path.stem, source=str(path))


def parse_game(text: str, name: str = "game", source: str = "game") -> GameRules:
    """The game that a `.game` text describes, with the ACPC's options."""
    betting = Betting.LIMIT
    fields: dict[str, list[int]] = {}
    lines: dict[str, int] = {}
    for number, line in enumerate(text.splitlines(), start=1):
        where = f"{source}, line {number}"
        words = line.replace("=", " ").split()
        if not words or line.startswith("#"):
            continue
        key = words[0].lower()
        match key:
            case "gamedef":
                continue
            case "end":
                break
            case "limit" | "nolimit":
                betting = Betting.LIMIT if key == "limit" else Betting.NO_LIMIT
                continue
        if key not in _SINGLE and key not in _LISTS:
            raise GameFileError(f"{where}: {words[0]!r} is not a field of a .game file")
        if key in fields:
            raise GameFileError(f"{where}: {words[0]!r} is repeated, first given in line {lines[key]}")
        fields[key] = _numbers(where, words)
        lines[key] = number
        if key in _SINGLE and len(fields[key]) != 1:
            raise GameFileError(f"{where}: {words[0]} is one number, not {len(fields[key])}")
    for key in _REQUIRED:
        if key not in fields:
            raise GameFileError(f"{source}: the field {_SPELLING.get(key, key)} is missing")
    return _rules(fields, betting, name, source)


def _numbers(where: str, words: list[str]) -> list[int]:
    for word in words[1:]:
        if not word.isdigit() or int(word) > UNLIMITED_STACK:
            raise GameFileError(f"{where}: {words[0]} has {word!r} where a number is expected")
    if len(words) == 1:
        raise GameFileError(f"{where}: {words[0]} has no number")
    return [int(word) for word in words[1:]]


def _rules(fields: dict[str, list[int]], betting: Betting, name: str, source: str) -> GameRules:
    (players,), (rounds,) = fields["numplayers"], fields["numrounds"]
    if players > MOST_SEATS or rounds > MOST_ROUNDS:  # checked before lists of this size are made
        raise GameFileError(
            f"{source}: {players} players and {rounds} rounds, but at most {MOST_SEATS} and {MOST_ROUNDS} are possible"
        )

    def values(key: str, count: int, default: int | None = None) -> list[int]:
        found = fields.get(key)
        if found is None:
            if default is None:
                raise GameFileError(f"{source}: the field {_SPELLING.get(key, key)} is missing")
            return [default] * count
        if len(found) < count:
            raise GameFileError(
                f"{source}: {_SPELLING.get(key, key)} has {len(found)} numbers where {count} are expected"
            )
        return found[:count]

    blinds = values("blind", players)
    least_bet = max([1, *blinds])
    first = values("firstplayer", rounds, default=1)
    if 0 in first:
        raise GameFileError(f"{source}: firstPlayer counts players from 1")
    bet_sizes = values("raisesize", rounds) if betting is Betting.LIMIT else [least_bet] * rounds
    try:
        return GameRules(
            name=name,
            betting=betting,
            blinds=tuple(blinds),
            stacks=tuple(values("stack", players, default=UNLIMITED_STACK)),
            bet_sizes=tuple(bet_sizes),
            raise_caps=tuple(
                None if cap >= _UNCAPPED else cap for cap in values("maxraises", rounds, default=_UNCAPPED)
            ),
            first_seats=tuple(seat - 1 for seat in first),
            board_cards=tuple(values("numboardcards", rounds)),
            hole_cards=fields["numholecards"][0],
            suits=fields["numsuits"][0],
            ranks=fields["numranks"][0],
            **ACPC_OPTIONS,
        )
    except RulesError as error:
        raise GameFileError(f"{source}: {error}") from None


def format_game(rules: GameRules) -> str:
    """The `.game` text of a game, in the official order. A game that the format cannot express is refused."""
    if rules.betting is Betting.POT_LIMIT:
        raise GameFileError(f"{rules.name}: a .game file cannot describe pot-limit betting")
    if any(rules.antes):
        raise GameFileError(f"{rules.name}: a .game file cannot describe antes in addition to blinds")
    if rules.betting is Betting.NO_LIMIT and rules.bet_sizes != (max(rules.blinds),) * rules.rounds:
        raise GameFileError(f"{rules.name}: in a no-limit .game file the minimum bet is the big blind")
    lines = ["GAMEDEF", "limit" if rules.betting is Betting.LIMIT else "nolimit"]

    def add(key: str, *numbers: int) -> None:
        lines.append(f"{key} = {' '.join(map(str, numbers))}")

    add("numPlayers", rules.players)
    add("numRounds", rules.rounds)
    if rules.players > _FOUR_STACKS or min(rules.stacks) < UNLIMITED_STACK:
        add("stack", *rules.stacks)
    add("blind", *rules.blinds)
    if rules.betting is Betting.LIMIT:
        add("raiseSize", *rules.bet_sizes)
    add("firstPlayer", *(seat + 1 for seat in rules.first_seats))
    if any(cap is not None for cap in rules.raise_caps):
        add("maxRaises", *(_UNCAPPED if cap is None else cap for cap in rules.raise_caps))
    add("numSuits", rules.suits)
    add("numRanks", rules.ranks)
    add("numHoleCards", rules.hole_cards)
    add("numBoardCards", *rules.board_cards)
    lines.append("END GAMEDEF")
    return "\n".join(lines) + "\n"
