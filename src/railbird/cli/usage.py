"""Errors of the command line in one sentence.

>>> import typer
>>> usage_sentence(typer.BadParameter("7 is not a color.", param_hint="--paint"))
'invalid value for --paint: 7 is not a color'
"""

import re
from typing import Any

import typer

UsageError: type[Exception] = typer.BadParameter.__base__  # type: ignore[assignment]
"""The base class of all errors of the command line; Typer does not export it."""

_LIMITS = {
    "greater_than_equal": ("ge", "at least"),
    "greater_than": ("gt", "more than"),
    "less_than_equal": ("le", "at most"),
    "less_than": ("lt", "less than"),
}
_VALUE_MISSING = re.compile(r"Option (\S+) requires an argument")
_SURPLUS = re.compile(r"got unexpected extra argument.*? \((.*)\)")
_KINDS = {"int": "a whole number", "float": "a number"}


def usage_sentence(error: Any) -> str:
    """What was wrong with the command line, and where it is explained."""
    context = error.ctx
    help_hint = f" (see {context.command_path} --help)" if context is not None else ""
    return _sentence(error) + help_hint


def _sentence(error: Any) -> str:
    if hasattr(error, "possibilities") and hasattr(error, "option_name"):
        near = " or ".join(error.possibilities or ())
        return f"there is no option {error.option_name}" + (f": did you mean {near}?" if near else "")
    if hasattr(error, "param_type") and error.param is not None:
        return _missing(error)
    if hasattr(error, "param_hint") and error.param is None and error.param_hint is None:
        return str(error.message)
    demand = _demand(error)
    if demand and error.param is not None:
        return f"{_name(error)} must be {demand}"
    text = error.format_message().replace("'", "").replace(". Did you", ": did you").rstrip(".")
    text = _VALUE_MISSING.sub(r"\1 needs a value", text)
    return _SURPLUS.sub(r"unexpected argument: \1", text[0].lower() + text[1:])


def is_help(error: Any) -> bool:
    """Whether this is the help of a group that was called without a command."""
    return error.ctx is not None and error.message == error.ctx.get_help()


def _missing(error: Any) -> str:
    parameters = error.ctx.command.params if error.ctx is not None else []
    later = [
        _name(type(error)(ctx=error.ctx, param=each))
        for each in parameters[parameters.index(error.param) + 1 :]
        if each.param_type_name == "argument"
    ]
    if error.param.nargs == -1 and later:
        # A list of arguments is what remains for it, so it seems to be missing whichever of them was omitted.
        return f"{' and '.join([_name(error), *later])} are both required"
    return f"{_name(error)} is missing"


def _name(error: Any) -> str:
    """The option or the argument, as the error quotes it."""
    return str(error.format_message()).split("'")[1]


def _demand(error: Any) -> str:
    """What a number must be, from the cause of the error; empty if the cause is another one."""
    find = getattr(error.__cause__, "errors", None)
    if find is None:
        return ""
    found = find()[0]
    kind, value = found["type"], found["input"]
    if kind in _LIMITS:
        key, words = _LIMITS[kind]
        return f"{words} {found['ctx'][key]:g}, not {value}"
    wanted = _KINDS.get(kind.partition("_")[0])
    return f"{wanted}, not {value!r}" if wanted else ""
