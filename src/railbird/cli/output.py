"""What commands print and write: counts, tables, JSON, and a note on hands that could not be used."""

import sys
from collections.abc import Callable
from json import dumps
from pathlib import Path
from shutil import get_terminal_size
from textwrap import TextWrapper, fill
from typing import TYPE_CHECKING, Any

from railbird.places import require_output, without_passwords, write_whole

if TYPE_CHECKING:
    from rich.console import Console

    from railbird.interfaces.fitting import FittedTable
    from railbird.notation.refusals import Refused

PLAYERS_FAILED = 3
"""The exit code of a contest in which a player crashed, was late or acted illegally."""
_MOST_REASONS = 10


def hands(count: int) -> str:
    """A number of hands in words."""
    return "1 hand" if count == 1 else f"{count:,} hands"


def cases(count: int) -> str:
    """A number of cases in words."""
    return "1 case" if count == 1 else f"{count:,} cases"


def result_console(*, markup: bool = False) -> "Console":
    """A console for results: in a terminal, lines wrap at words; elsewhere they do not wrap at all."""
    from rich.console import Console

    console = Console(highlight=False, markup=markup)
    console.soft_wrap = not console.is_terminal
    return console


def print_indented(text: str, console: "Console", by: int) -> None:
    """Print a paragraph with a margin on the left."""
    margin = " " * by
    room = max(len(text) + by, 1) if console.soft_wrap else console.width
    lines = fill(
        text,
        room,
        initial_indent=margin,
        subsequent_indent=margin,
        break_on_hyphens=False,
    )
    console.print(lines, markup=False, soft_wrap=True)


def plain_table(*headings: str) -> "FittedTable":
    """A table without lines: the first column left-aligned, all others right-aligned."""
    from railbird.interfaces.fitting import FittedTable

    table = FittedTable(headings[0])
    for heading in headings[1:]:
        table.add_column(heading, justify="right")
    return table


def require_json(path: Path | None, *, force: bool = False) -> None:
    """Refuse a file for JSON that cannot be written, before the work begins."""
    if path is not None and not is_standard_output(path):
        require_output(path, force=force)


def write_json(path: Path | None, data: Callable[[], Any]) -> bool:
    """Write data as JSON, if a path is given, and return whether it went to standard output, where it stands alone."""
    if path is None:
        return False
    text = dumps(data(), indent=2, ensure_ascii=False) + "\n"
    if is_standard_output(path):
        sys.stdout.write(text)
        return True
    write_whole(path, lambda file: file.write(text.encode()), make_folder=False)
    return False


def is_standard_output(path: Path | None) -> bool:
    """Whether a path stands for standard output."""
    return path == Path("-")


def command_words() -> list[str]:
    """The command line that repeats this run, without passwords; a repetition does not overwrite files."""
    return ["railbird", *(without_passwords(word) for word in sys.argv[1:] if word != "--force")]


def tell_refused(refused: "Refused", what: str) -> None:
    """Report on standard error what was refused and why; `what` continues the sentence "7 hands …"."""
    if refused.count:
        kept = f" (kept in {refused.kept})" if refused.kept else ""
        tell(f"{hands(refused.count)} {what}{kept}:")
        reasons = refused.by_reason()
        for reason in reasons[:_MOST_REASONS]:
            _tell_more(f"{reason.count:,} × {reason}; first: {reason.where}")
        _count_rest(len(reasons), "reason")
    if refused.files:
        tell(f"{len(refused.files):,} file{'' if len(refused.files) == 1 else 's'} skipped:")
        for name, why in list(refused.files.items())[:_MOST_REASONS]:
            _tell_more(f"{name}: {why}")
        _count_rest(len(refused.files), "file")


def tell(sentence: str) -> None:
    """Print a notice on standard error; in a terminal, it wraps at words."""
    _print_wrapped(f"railbird: {sentence}", "")


def _tell_more(line: str) -> None:
    # It may quote untrusted files, whose control characters must not reach the terminal.
    _print_wrapped("".join(letter if letter.isprintable() else "�" for letter in line), "  ")


def _print_wrapped(text: str, margin: str) -> None:
    if sys.stderr.isatty():
        lines = TextWrapper(
            get_terminal_size().columns,
            initial_indent=margin,
            subsequent_indent=f"{margin}  ",
            break_long_words=False,
            break_on_hyphens=False,
        ).fill(text)
    else:
        lines = f"{margin}{text}"
    print(lines, file=sys.stderr)


def _count_rest(count: int, what: str) -> None:
    if count > _MOST_REASONS:
        rest = count - _MOST_REASONS
        _tell_more(f"and {rest:,} more {what}{'' if rest == 1 else 's'}")


def end_refused(*refused: "Refused") -> None:
    """End the command with exit code 1 if anything was refused."""
    if any(refused):
        import typer

        raise typer.Exit(1)
