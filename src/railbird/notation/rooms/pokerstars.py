"""Hand histories of PokerStars: limit and no-limit hold'em, cash games and tournaments, in English.

`pokerstars_header` and `pokerstars_text` read the lines, `told` makes the record. GGPoker and some converters write the
same text with small differences.

- Money is counted in cents, play money and the chips of tournaments as they are.
- All players in the summary were dealt in.
- Older histories do not print uncalled bets; they are never part of the total pot.
- Unsupported, and refused by name: pot-limit and capped games, other games than hold'em, hands that were run twice or
  cancelled, and hands in which the house adds chips to the pot.
"""

import re
from collections.abc import Iterable, Iterator

from railbird.engine.record import HandRecord
from railbird.notation.reading import Reading
from railbird.notation.rooms.hands import HandText, TextLayout, read_room
from railbird.notation.rooms.pokerstars_header import FIRST_LINE, GG_FIRST_LINE
from railbird.notation.rooms.pokerstars_text import SUMMARY, StarsHand
from railbird.notation.rooms.settling import record_of

_LAYOUT = TextLayout(
    begins=FIRST_LINE,
    divides=re.compile(r"\*{5,30} # \d{1,9} \*{5,30}$", re.ASCII),
    marks="PpFRSM*",
    sign="#",
    beginning="'PokerStars Hand #'",
    closing=SUMMARY,
)
_GG_LAYOUT = TextLayout(
    begins=GG_FIRST_LINE,
    divides=_LAYOUT.divides,
    marks="P*",
    sign="#",
    beginning="'Poker Hand #'",
    closing=SUMMARY,
)


def read_pokerstars(lines: Iterable[str]) -> Iterator[Reading]:
    """The hands of a PokerStars history, one after another."""
    return read_room(lines, _LAYOUT, _read_hand)


def read_ggpoker(lines: Iterable[str]) -> Iterator[Reading]:
    """The hands of a GGPoker history, one after another."""
    return read_room(lines, _GG_LAYOUT, _read_hand)


def _read_hand(text: HandText) -> HandRecord:
    return record_of(StarsHand(text))
