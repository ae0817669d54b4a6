"""The numbers of explanations as text, by their unit; `static/words/numbers.js` writes them in the same way.

>>> from railbird.explanation.sections import CHIPS, TIMES
>>> format_value(0.1642, SHARE), format_value(1, TIMES), format_value(19800, CHIPS), format_value(-0.123456)
('16 %', '1 time', '19,800 chips', '−0.1235')
"""

from collections.abc import Iterable
from decimal import ROUND_HALF_UP, Decimal

from railbird.explanation.sections import COUNT, SHARE, Cell

_WHOLE = (10.0, 90.0)
"""Between these, percentages are written without decimals."""
_LEAST_PERCENT = 0.05
_PLAIN = (1e-4, 1e9)
"""Numbers without a unit are written without an exponent between these."""


def format_value(value: Cell, unit: str = "") -> str:
    """A value with its unit: text as it is, a share in per cent, one thing in the singular."""
    if isinstance(value, str):
        return value
    text = format_number(value, unit)
    if unit in ("", COUNT, SHARE):
        return text
    return f"{text} {unit.removesuffix('s') if text in ('1', '−1') else unit}"


def format_estimate(value: float, error: float | None, unit: str = "") -> str:
    """A value with its standard error, if it has one."""
    if error is None:
        return format_value(value, unit)
    name = "" if unit in ("", COUNT, SHARE) else f" {unit}"
    return f"{format_number(value, unit)} ± {format_number(error, unit)}{name}"


def format_number(value: float, unit: str = "") -> str:
    """A number of a unit without the unit's name: two decimals at most, four digits if it has no unit."""
    if unit == SHARE:
        return format_share(value)
    if unit:
        return _fixed(value, 2, commas=True)
    if isinstance(value, int):
        return _minus(str(value))
    near = float(f"{value:.4g}")
    low, high = _PLAIN
    return _fixed(near, 10) if near == 0 or low <= abs(near) < high else _minus(f"{near:.2e}")


def format_share(share: float) -> str:
    """A part of one in per cent: without decimals between 10 % and 90 %, and above 100 %."""
    percent = 100 * share
    if 0 < percent < _LEAST_PERCENT:
        return "<0.1 %"
    low, high = _WHOLE
    if low <= percent <= high:
        return f"{int(percent + 0.5)} %"  # the most frequent case, while agents play
    return f"{_fixed(percent, 0 if low <= abs(percent) <= high or abs(percent) > 100 else 1, commas=True)} %"


def format_percent(share: float, decimals: int = 1) -> str:
    """A part of one in per cent, with a fixed number of decimals.

    >>> format_percent(0.4651), format_percent(1.0, 0)
    ('46.5 %', '100 %')
    """
    return f"{format_fixed(100 * share, decimals)} %"


def format_choices(shares: Iterable[tuple[str, float]]) -> str:
    """What was or is done how often, the most frequent first, in words.

    >>> format_choices([("folded", 0.05), ("called", 0.0), ("raised", 0.95)])
    'raised (95 %) or folded (5 %)'
    """
    by_share = sorted(((word, share) for word, share in shares if share > 0), key=lambda each: -each[1])
    said = [f"{word} ({format_share(share)})" for word, share in by_share]
    return said[0] if len(said) == 1 else f"{', '.join(said[:-1])} or {said[-1]}"


def format_signed(value: float, decimals: int, *, commas: bool = False) -> str:
    """A gain or a loss with its sign and a fixed number of decimals; zero has no sign.

    >>> format_signed(1.25, 1), format_signed(-0.5, 2), format_signed(-0.001, 2), format_signed(1e6, 0, commas=True)
    ('+1.2', '−0.50', '0.00', '+1,000,000')
    """
    text = f"{value:+,.{decimals}f}" if commas else f"{value:+.{decimals}f}"
    return _minus(text) if text.strip("+-0.") else text[1:]


def format_fixed(value: float, decimals: int) -> str:
    """A number with a fixed number of decimals; zero has no sign.

    >>> format_fixed(1234.56, 1), format_fixed(-2.5, 2), format_fixed(-0.001, 2)
    ('1,234.6', '−2.50', '0.00')
    """
    return _minus(f"{value:,.{decimals}f}")


def format_times(count: int) -> str:
    """How often something happened.

    >>> format_times(1), format_times(1200)
    ('once', '1,200 times')
    """
    return "once" if count == 1 else f"{count:,} times"


def _fixed(value: float, decimals: int, *, commas: bool = False) -> str:
    """A number rounded half up, without zeros at its end."""
    near = Decimal(value).quantize(Decimal(1).scaleb(-decimals), ROUND_HALF_UP)
    text = f"{near:,f}" if commas else f"{near:f}"
    return _minus(text.rstrip("0").rstrip(".") if "." in text else text)


def _minus(text: str) -> str:
    return text.removeprefix("-") if not text.strip("-0.") else text.replace("-", "−", 1)
