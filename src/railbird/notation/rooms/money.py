"""Amounts as card rooms print them: cents of a currency, or chips.

>>> Money.of("€").loosely("1.234,50 €", line=7), CHIPS.loosely("$1,500", line=7)
(123450, 1500)
"""

import re
from functools import lru_cache
from typing import NamedTuple

from railbird.notation.reading import NotationError
from railbird.notation.rooms.hands import refuse, shorten

CURRENCIES = {"$": "USD", "€": "EUR", "£": "GBP", "₹": "INR", "¥": "CNY", "": ""}
"""The codes of currencies by their signs; chips have neither."""
SIGNS = {code: sign for sign, code in CURRENCIES.items()}
_AMOUNT = re.compile(r"(?:\d{1,13}|\d{1,3}(?:,\d{3}){1,4})(?:\.\d\d?)?", re.ASCII)
_LOOSE = re.compile(
    r"([^\d,.]{0,9})(\d{1,13}|[1-9]\d{0,2}(?:[., \u00a0\u202f]\d{3}){1,4})(?:[.,](\d\d?))?([^\d,.]{0,9})",
    re.ASCII,
)
_NO_SIGNS = frozenset("+-−–—/*%^")
"""What changes an amount, so that it cannot be the sign of a currency."""
_SEPARATORS = str.maketrans("", "", "., \u00a0\u202f")


class Money(NamedTuple):
    """How amounts are printed."""

    sign: str
    currency: str
    scale: int
    """The chips in one unit: 100 if chips are cents, otherwise 1."""

    @classmethod
    def of(cls, sign: str, currency: str = "") -> "Money":
        """Cents of a currency, by its sign; chips if there is no sign."""
        return cls(sign, currency or CURRENCIES[sign], 100) if sign else CHIPS

    def strictly(self, text: str) -> int:
        """An amount with the sign in front, a decimal point and commas between thousands."""
        chips = _chips(text, self.sign, self.scale)
        if chips is None:
            raise NotationError(f"{shorten(text)} is not an amount such as {self.sign}25")
        return chips

    def chips(self, text: str, line: int) -> int:
        """The same, in a line that is refused otherwise."""
        chips = _chips(text, self.sign, self.scale)
        if chips is None:
            refuse(line, f"{shorten(text)} is not an amount such as {self.sign}25")
        return chips

    def loosely(self, text: str, line: int) -> int:
        """An amount with any sign on either side, and the separators of any country."""
        chips = _loosely(text, self.scale)
        if chips is None:
            refuse(line, f"{shorten(text)} is not an amount{' in whole chips' if self.scale == 1 else ''}")
        return chips


CHIPS, CENTS = Money("", "", 1), Money("", "", 100)
"""The chips of tournaments and play money; play money with decimals."""


@lru_cache(maxsize=1 << 13)
def _chips(text: str, sign: str, scale: int) -> int | None:
    digits = text.removeprefix(sign)
    if not _AMOUNT.fullmatch(digits) or (sign and digits is text):
        return None
    whole, _, decimals = digits.replace(",", "").partition(".")
    return _counted(int(whole), decimals, scale)


@lru_cache(maxsize=1 << 13)
def _loosely(text: str, scale: int) -> int | None:
    found = _LOOSE.fullmatch(text)
    if found is None:
        return None
    before, whole, decimals, after = found.groups()
    if any(letter.isnumeric() or letter in _NO_SIGNS for letter in before + after):
        return None
    return _counted(int(whole.translate(_SEPARATORS)), decimals or "", scale)


def _counted(whole: int, decimals: str, scale: int) -> int | None:
    if scale == 1:
        return None if decimals.strip("0") else whole
    return whole * scale + int(decimals.ljust(2, "0"))
