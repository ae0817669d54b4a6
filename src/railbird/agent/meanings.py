"""What the parameters of agents mean: an annotation of each argument of a constructor.

>>> def __init__(self, trials: Annotated[int, Meaning("Number of simulated hands.", "loki-1999")] = 500): ...
>>> plain_type(__init__.__annotations__["trials"]), meaning_of(__init__.__annotations__["trials"]).text
(<class 'int'>, 'Number of simulated hands.')
"""

from dataclasses import dataclass
from typing import Annotated, Any, get_args, get_origin


@dataclass(frozen=True, slots=True)
class Meaning:
    """What a parameter does, and where its publication describes it."""

    text: str
    source: str = ""
    """A citation for `railbird.papers.cited`; empty if no publication describes the parameter."""


UNSTATED = Meaning("")


def plain_type(annotation: Any) -> Any:
    """The type of an argument without its meaning."""
    return get_args(annotation)[0] if get_origin(annotation) is Annotated else annotation


def meaning_of(annotation: Any) -> Meaning:
    """The meaning of an argument; `UNSTATED` if there is none."""
    stated = get_args(annotation)[1:] if get_origin(annotation) is Annotated else ()
    return next((each for each in stated if isinstance(each, Meaning)), UNSTATED)
