"""Opponents who ignore their cards, against whom a sampled solver learns to play as well.

An equilibrium meets only opponents who play it too, so it hardly ever sees some situations, such as raises without end,
and what it does there is arbitrary. With strangers, a seat believes that in a small share of hands some of the others
are such players: they raise whenever they can, or act at random. The longer a hand goes on like this, the more likely
it is one of these, which the strategy learns to take into account.

>>> Strangers.parse("strangers:0.01")
Strangers(share=0.01)
"""

import re
from dataclasses import dataclass

_NAME = re.compile(r"strangers:(?P<share>0?\.\d{1,4})")
MOST = 0.5
"""The largest share of strangers."""


class StrangersError(ValueError):
    """Something that does not name strangers."""


@dataclass(frozen=True, slots=True)
class Strangers:
    """How often some of the others are strangers."""

    share: float = 0.0
    """The share of such hands; in each of them, each of the others is one with probability one half."""

    @classmethod
    def parse(cls, text: str) -> "Strangers":
        """The strangers of a name."""
        found = _NAME.fullmatch(text)
        if found is None or not 0 < float(found["share"]) <= MOST:
            raise StrangersError(
                f"{text!r} does not name strangers: write strangers: and a share of hands up to {MOST}, such as "
                "strangers:0.01"
            )
        return cls(float(found["share"]))

    def __str__(self) -> str:
        return f"strangers:{self.share:g}" if self.share else ""


NO_STRANGERS = Strangers()
"""Everybody learns."""
