"""Logs of the Annual Computer Poker Competition, read hand by hand into records and written from them.

A log names its game in a comment (`notation.acpc.header`); otherwise the caller must name it. A STATE line may end in a
comment, ` # 1478520223.88075`: the time in seconds since 1970, or a time in ISO 8601.
"""

import re
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import replace
from datetime import UTC, datetime
from pathlib import Path

from railbird.engine.actions import ActionError
from railbird.engine.events import Chips
from railbird.engine.history import events_of
from railbird.engine.record import NO_DETAILS, Details, HandRecord
from railbird.engine.rules import GameRules
from railbird.engine.setup import Setup
from railbird.notation.acpc.betting import shorten
from railbird.notation.acpc.header import (
    GameMissing,
    HandOpening,
    describes_an_opening,
    format_game_header,
    format_opening,
    game_beside,
    game_of_header,
    names_a_game,
    parse_opening,
)
from railbird.notation.acpc.replay import LineReplayer
from railbird.notation.acpc.state import (
    STATE_FIELDS,
    Score,
    format_hand,
    format_score_line,
    parse_score_line,
    parse_state_line,
)
from railbird.notation.reading import BadHand, Loss, NotationError, Reading, refuse_line

COMMENT = "comment"
"""The name of the note for a comment at the end of a STATE line that is not a time."""
_MOST_OPENINGS = 256
_SECONDS = re.compile(r"[0-9]{1,11}(\.[0-9]{1,9})?")
_ISO_TIME = re.compile(
    r"([0-9]{4}-[0-9]{2}-[0-9]{2}T)?[0-9]{2}:[0-9]{2}(:[0-9]{2}(\.[0-9]{1,9})?)?(Z|[+-][0-9]{2}:[0-9]{2})?"
    r"|[0-9]{4}-[0-9]{2}-[0-9]{2}"
)


def read_log(
    lines: Iterable[str], game: GameRules | None = None, folder: Path | None = None
) -> Iterator[Reading]:
    """The hands of a log. A given game takes precedence over the one that the log names.

    `folder` is the folder of the log, whose header may name a `.game` file in it. If no game is given and the log does
    not name one, the only `.game` file in the folder is used; without one, the whole log is refused.
    """
    reader = _LogReader(game, folder)
    for number, line in enumerate(lines, start=1):
        text = line.rstrip("\r\n")
        reason = refuse_line(line)
        if reason is None:
            try:
                record = reader.read(text, number)
            except _BadLine as error:
                reason = str(error)
            else:
                if record is not None:
                    yield record
                continue
        yield BadHand(number, reason, text)


def misfit(lines: Sequence[str], game: GameRules | None = None, folder: Path | None = None) -> str | None:
    """Why the first lines of a log cannot be of the game that is given or lies beside it: most hands contradict it."""
    if game is None and any(map(names_a_game, lines)):
        return None
    try:
        readings = list(read_log(lines, game, folder))
    except NotationError:
        return None  # which the reader reports with its line
    bad = [
        reading for reading in readings if isinstance(reading, BadHand) and refuse_line(reading.text) is None
    ]
    if 2 * len(bad) <= len(readings):
        return None
    name = "the game beside the log" if game is None else game.name
    return f"the hands do not fit {name}: line {bad[0].line}: {bad[0].reason}"


class _BadLine(ValueError):
    """A single line that cannot be read."""


class _Start:
    """The start of hands, with the fast reader for it."""

    def __init__(self, opening: HandOpening) -> None:
        self.setup = opening.setup
        self.seats = opening.seats
        self._replayer = LineReplayer(opening.setup)

    def hand(self, line: str, comment: str) -> HandRecord:
        """The hand of a STATE line."""
        record = self._replayed(line) or parse_state_line(line, self.setup)
        if comment or self.seats:
            return replace(record, seats=self.seats, details=details_of(comment))
        return record

    def _replayed(self, line: str) -> HandRecord | None:
        fields = line.split(":", STATE_FIELDS - 1)
        if len(fields) != STATE_FIELDS:
            return None
        _, hand_id, betting, cards, payoffs, players = fields
        return self._replayer.read(hand_id, betting, cards, payoffs, tuple(players.split("|")))


class _LogReader:
    """Reads a log line by line and keeps track of how the next hand starts."""

    def __init__(self, game: GameRules | None, folder: Path | None) -> None:
        self._game = game
        self._folder = folder
        self._usual = None if game is None else _Start(HandOpening(Setup.of(game)))
        self._opening: str | None = None
        self._openings: dict[str, _Start] = {}
        self._has_broken_header = False

    def read(self, line: str, number: int) -> HandRecord | None:
        """The hand in a line, None if there is none."""
        if line.startswith("STATE:"):
            return self._hand(line, number)
        if line.startswith("#"):
            self._comment(line, number)
        elif line.startswith("SCORE:"):
            try:
                parse_score_line(line)
            except NotationError as error:
                raise _BadLine(str(error)) from None
        elif line.strip() and not line.startswith(";"):
            raise _BadLine(f"{shorten(line)} is neither a comment nor a STATE nor a SCORE line")
        return None

    def _comment(self, line: str, number: int) -> None:
        if describes_an_opening(line):
            self._opening = line
        elif names_a_game(line) and self._game is None:
            self._usual, self._openings = None, {}
            try:
                self._usual = _Start(HandOpening(Setup.of(game_of_header(line, self._folder))))
            except GameMissing as error:
                raise NotationError(f"line {number}: {error}: specify the game") from None
            except ValueError as error:
                self._has_broken_header = True
                raise _BadLine(str(error)) from None

    def _hand(self, line: str, number: int) -> HandRecord:
        opening, self._opening = self._opening, None
        if self._usual is None:
            if self._has_broken_header:
                raise _BadLine("the header above does not identify the game of this hand")
            try:
                game = game_beside(self._folder)
            except ValueError as error:
                raise NotationError(f"line {number}: {error}") from None
            self._usual = _Start(HandOpening(Setup.of(game)))
        text, _, comment = line.partition(" # ")
        try:
            start = self._usual if opening is None else self._start(opening, self._usual.setup.rules)
            return start.hand(text, comment)
        except ValueError as error:
            raise _BadLine(str(error)) from None

    def _start(self, comment: str, rules: GameRules) -> _Start:
        found = self._openings.get(comment)
        if found is None:
            found = _Start(parse_opening(comment, rules))
            if len(self._openings) == _MOST_OPENINGS:
                self._openings.clear()
            self._openings[comment] = found
        return found


class LogWriter:
    """Writes one log, hand by hand: the header whenever the game changes, and the score at the end."""

    def __init__(self) -> None:
        self._rules: GameRules | None = None
        self._totals: dict[str, Chips] = {}

    def hand(self, record: HandRecord) -> str:
        """The lines of the next hand; a hand that a STATE line cannot express is refused."""
        for text in (record.hand_id, *record.players):
            if "|" in text or " #" in text or text.splitlines() not in ([], [text]) or ":" in record.hand_id:
                raise NotationError(f"hand {record.hand_id!r}: {text!r} cannot be written in a STATE line")
        state = record.state()
        if not state.is_over:
            raise NotationError(f"hand {record.hand_id} is not over: seat {state.actor} is to act")
        try:
            payoffs = state.payoffs
        except ActionError as error:
            raise NotationError(f"hand {record.hand_id}: {error}") from None
        lines = [] if record.rules == self._rules else [format_game_header(record.rules)]
        self._rules = record.rules
        opening = format_opening(record)
        if opening is not None:
            lines.append(opening)
        comment = comment_of(record.details)
        line = format_hand(state, record.players, record.hand_id, payoffs)
        reason = refuse_line(line)
        if reason is not None:
            raise NotationError(f"hand {record.hand_id}: {reason}")
        lines.append(f"{line} # {comment}" if comment else line)
        for player, payoff in zip(record.players, payoffs, strict=True):
            self._totals[player] = self._totals.get(player, 0) + payoff
        return "\n".join(lines) + "\n"

    def end(self) -> str:
        """The SCORE line."""
        if not self._totals:
            return ""
        return format_score_line(Score(tuple(self._totals), tuple(self._totals.values()))) + "\n"


def write_log(records: Iterable[HandRecord]) -> Iterator[str]:
    """The text of a log in pieces; it can be read back without specifying the game."""
    writer = LogWriter()
    for record in records:
        yield writer.hand(record)
    yield writer.end()


def log_losses(record: HandRecord) -> tuple[Loss, ...]:
    """What a log leaves out of a record."""
    found = []
    details = record.details
    kept = details_of(comment_of(details))
    if details.time != kept.time:
        found.append(Loss("times"))
    if details.venue or details.table:
        found.append(Loss("names of venues and tables"))
    if details.currency or details.chip != NO_DETAILS.chip:
        found.append(Loss("currencies"))
    if details.notes != kept.notes:
        found.append(Loss("notes of the source"))
    if record.rake:
        found.append(Loss("rakes"))
    elif record.events != events_of(record.state()):
        found.append(Loss("endings that differ from the rules, such as mucked hands"))
    return tuple(found)


def details_of(comment: str) -> Details:
    """The details in the comment at the end of a STATE line."""
    if not comment:
        return NO_DETAILS
    if _SECONDS.fullmatch(comment):
        whole, _, decimals = comment.partition(".")
        return Details(time=_iso_time(int(whole), decimals))
    if _ISO_TIME.fullmatch(comment):
        return Details(time=comment)
    return Details(notes=((COMMENT, comment),))


def comment_of(details: Details) -> str:
    """The comment at the end of a record's STATE line: its time, or the comment it was read with."""
    if _ISO_TIME.fullmatch(details.time):
        return _seconds(details.time) or details.time
    notes = dict(details.notes)
    comment = notes.get(COMMENT, "")
    is_kept = len(details.notes) == 1 and details_of(comment).notes and comment.splitlines() == [comment]
    return comment if is_kept and not details.time else ""


def _iso_time(seconds: int, decimals: str) -> str:
    text = datetime.fromtimestamp(seconds, UTC).strftime("%Y-%m-%dT%H:%M:%S")
    return f"{text}.{decimals}Z" if decimals else f"{text}Z"


def _seconds(time: str) -> str:
    """Seconds since 1970, if the exact text of the time can be restored from them."""
    if not time.endswith("Z") or "T" not in time:
        return ""
    whole, _, decimals = time.removesuffix("Z").partition(".")
    try:
        seconds = int(datetime.fromisoformat(f"{whole}+00:00").timestamp())
    except ValueError:
        return ""
    text = f"{seconds}.{decimals}" if decimals else str(seconds)
    return text if _SECONDS.fullmatch(text) and _iso_time(seconds, decimals) == time else ""
