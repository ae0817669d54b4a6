"""Text of every format: written where we write the format, and otherwise a few hands as its source prints them."""

from folders import HISTORIES
from hand_records import plain_record
from railbird.notation.formats import FORMATS, Format

_PHH = """\
# Three players, one of them all-in.
variant = "NT"  # no-limit
ante_trimming_status = true
antes = [0, 0, 0]
blinds_or_straddles = [0.50, 1.00, 0.00]
min_bet = 1.00
starting_stacks = [80.50, 33.00, 100.00]
actions = [
  # Preflop
  "d dh p1 ????",  # Bob
  "d dh p2 7h7d",
  "d dh p3 AhKd",
  "p3 cbr 3.00",
  "p1 f",
  "p2 cc",
  "d db 2h7sKc",
  "p2 cc",
  "p3 cbr 4.00",
  "p2 cbr 30.00",
  "p3 cc",
  "p3 sm AhKd",
  "p2 sm 7h7d",
  "d db 9d",
  "d db 3c",
]
venue = "PokerStars"
hand = 1001
day = 5
month = 3
year = 2024
time = 20:15:07
seats = [2, 3, 1]
players = ["Bob", "Carol", "Alice"]
finishing_stacks = [80.00, 66.50, 67.00]
currency = "USD"
_mine = {note = "kept"}
"""


def history(*names: str) -> str:
    """Hands written by us as a room prints them."""
    return "\n\n".join((HISTORIES / name).read_text(encoding="utf-8") for name in names)


_PRINTED = {
    "pokerstars": history("pokerstars_limit.txt", "pokerstars_tournaments.txt"),
    "ggpoker": history("ggpoker.txt"),
    "winamax": history("winamax.txt"),
    "partypoker": history("partypoker.txt"),
    "888poker": history("888poker.txt"),
    "ipoker": history("ipoker.xml"),
    "poker-academy": history("poker_academy.txt"),
    "phh": _PHH,
}
_GAMES = ("limit-2p", "nolimit-2p", "nolimit-3p", "limit-2p")


def text_of(form: Format, hands: int = 8) -> str:
    """Some hands of a format in one text."""
    if form.name in _PRINTED:
        return _PRINTED[form.name]
    assert form.writer is not None, f"there is no text of {form.name}"
    writer = form.writer()
    count = 1 if form.one_hand else hands
    written = [writer.hand(plain_record(seed, _GAMES[seed % len(_GAMES)])) for seed in range(count)]
    return "".join(written) + writer.end()


TEXTS = {form.name: text_of(form) for form in FORMATS}
