"""Other known card rooms and programs: their hand histories are recognised, so that they can be refused by name.

>>> unsupported_content(["Bovada Hand #3598529326 TBL#18242652 HOLDEM No Limit - 2018-04-10 16:01:17"])
'hands of Bovada or Ignition'
"""

import re
from collections.abc import Sequence

from railbird.notation.rooms.hands import BLANK

_ROOMS = {
    name: re.compile(beginning)
    for name, beginning in {
        "Bovada or Ignition": r"(?:Bovada|Ignition|Bodog\S{0,3})(?: UK)?(?: Hand| Poker| Casino)",
        "Full Tilt Poker": r"Full ?Tilt ?(?:Poker)?(?:\.\w{2,3})? (?:Game|Tournament)",
        "Absolute Poker or UltimateBet": r"Stage #[A-Z]?\d{1,20}:",
        "the Winning Poker Network": r"Game (?:started at|ID): |Hand #\d{1,20} - .{1,40} ?\(.{0,16}Limit\)",
        "BetOnline": r"(?:BetOnline|SportsBetting|Tigergaming|Gear) Poker Game #|PayNoRake Game #",
        "Merge": r"MERGE_GAME #|Merge Game #|<description type=|<game id=\"\d{1,20}-\d{1,9}\"",
        "Everest": r"EverestPoker Game #|<SESSION time=\"\d",
        "Everleaf": r"\*{5} Hand history for game #\d|Everleaf Gaming Game #",
        "Microgaming": r"<Game (?:hhversion|id)=|\*\* (?:Game ID|Hand #) \d{1,20} ",
        "Boss Media": r"<HISTORY ID=|<ROOT>",
        "OnGame": r"\*{5} History for hand ",
        "Entraction": r"Game # ?[\d ]{1,20} - ",
        "Cake Poker": r"Hand#[A-Z0-9]{6,20} - ",
        "PKR": r"Table #\d{1,20} - |Starting Hand #\d{1,20}",
        "SwC Poker": r"Hand #\d{1,20}-\d{1,9} - \d{4}-\d\d-\d\d",
        "KingsClub": r"#\d{1,20}: [\w' -]{3,40} - [\d.]{1,9}/",
        "E-Net": r"Game #\d{1,20}: (?:Hold'em|Omaha)",
        "Unibet": r"Game #\d{1,20}: Table ",
        "Betfair": r"\*{5} Betfair Poker Hand History for Game",
        "iPoker in the form of PokerTracker": r"GAME #\d{1,20}(?: |:)",
        "PokerNow": r"entry,at,order|\"?-- starting hand #\d",
        "CoinPoker": r"CoinPoker Hand #",
        "Open Hand History": r"\{\s{0,9}\"ohh\"",
    }.items()
}


_SUMMARY = re.compile(r".{1,30} Tournament Summary|PokerStars Tournament #")


def unsupported_content(lines: Sequence[str]) -> str | None:
    """What a source begins with, if it is known but not read: hands of another room, or no hands."""
    for line in lines:
        text = line.strip(BLANK)
        if _SUMMARY.match(text):
            return "a tournament summary"
        for name, beginning in _ROOMS.items():
            if beginning.match(text):
                return f"hands of {name}"
    return None
