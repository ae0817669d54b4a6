"""Names with parameters: `name` or `name:key=value,key=value`, as games and agents are written.

>>> parse_spec("limit-9max:cap=5,carry=yes")
Spec(name='limit-9max', parameters={'cap': '5', 'carry': 'yes'})
"""

import re
from collections.abc import Iterable
from dataclasses import dataclass, field
from difflib import get_close_matches
from enum import Enum
from typing import TypeVar

_Choice = TypeVar("_Choice", bound=Enum)
_URL_VALUE = re.compile(r"=[\w+]+://")
_PASSWORD_OPTION = re.compile(r"://.*[?&](?!passfile)(?:ssl)?(?:pass|pw)\w*=", re.IGNORECASE)


class SpecError(ValueError):
    """An unknown name or parameter; the message suggests the nearest known one."""


@dataclass(frozen=True, slots=True)
class Spec:
    """A name and its parameters, still as text."""

    name: str
    parameters: dict[str, str] = field(default_factory=dict)

    def __str__(self) -> str:
        if not self.parameters:
            return self.name
        return f"{self.name}:{','.join(f'{key}={value}' for key, value in self.parameters.items())}"


def parse_spec(text: str) -> Spec:
    """Split a name from its parameters."""
    name, _, rest = text.partition(":")
    name = name.strip()
    if not name:
        raise SpecError(f"{text!r} has no name before its parameters")
    return Spec(name, parse_parameters(text, rest))


def parse_parameters(text: str, parameters: str) -> dict[str, str]:
    """The parameters `key=value,key=value`; `text` is the whole spec, for error messages."""
    found: dict[str, str] = {}
    for part in _parts(parameters) if parameters.strip() else []:
        key, equals, value = (piece.strip() for piece in part.partition("="))
        if not key or not equals or not value:
            raise SpecError(f"{part.strip()!r} in {text!r} is not a parameter: write key=value")
        if key in found:
            raise SpecError(f"the parameter {key!r} is given twice in {text!r}")
        found[key] = value
    return found


def unknown(kind: str, name: str, known: Iterable[str]) -> SpecError:
    """The error for an unknown name, with the nearest known one as a hint."""
    choices = sorted(known)
    near = get_close_matches(name, choices, n=1)
    hint = f"did you mean {near[0]!r}?" if near else f"there are {', '.join(choices)}"
    return SpecError(f"no {kind} is called {name!r}: {hint}")


def parse_choice(key: str, text: str, choices: type[_Choice]) -> _Choice:
    """The member of an enumeration that has this value."""
    known = {choice.value: choice for choice in choices}
    if text not in known:
        raise unknown(f"choice for {key}", text, known)
    return known[text]


def parse_flag(key: str, text: str) -> bool:
    """Parse `yes` or `no`."""
    match text.lower():
        case "yes" | "true" | "on" | "1":
            return True
        case "no" | "false" | "off" | "0":
            return False
    raise SpecError(f"{key}={text} is neither yes nor no")


def parse_number(key: str, text: str, least: int = 0) -> int:
    """Parse a whole number that is not below the least one."""
    if not (text.isascii() and text.isdigit()) or int(text) < least:
        raise SpecError(f"{key}={text} is not a whole number from {least}")
    return int(text)


def split_specs(text: str) -> list[str]:
    """Split a comma-separated list of specs; a comma before `key=value` belongs to the preceding spec.

    >>> split_specs("simbot:trials=500,mix=yes,random")
    ['simbot:trials=500,mix=yes', 'random']
    """
    specs: list[str] = []
    for part in _parts(text):
        if specs and ":" in specs[-1] and "=" in part.partition(":")[0]:
            specs[-1] += f",{part.strip()}"
        else:
            specs.append(part.strip())
    if not all(specs):
        raise SpecError(f"{text!r} has an empty name between its commas")
    return specs


def _parts(text: str) -> list[str]:
    """The parts between commas. A password with a comma is refused: its parts would be shown as unknown names."""
    parts = text.split(",")
    has_url = False
    for place, part in enumerate(parts):
        if has_url and "@" in _URL_VALUE.split(part)[0]:
            raise SpecError("a password with a comma in a URL must have %2C instead")
        if _PASSWORD_OPTION.search(part) and place < len(parts) - 1:
            raise SpecError(
                "a comma cannot follow a password at the end of a URL: write it between the user and the host"
            )
        has_url = has_url or "://" in part
    return parts
