"""Extras: packages that only some features need, and the sentence for features whose extra is not installed."""

from importlib.util import find_spec


class MissingExtra(ImportError, ValueError):
    """A feature whose extra is not installed."""


def require_extra(extra: str, module: str, feature: str) -> None:
    """Refuse a feature that needs a module of an extra which is not installed; `feature` begins the sentence."""
    if find_spec(module) is None:
        raise MissingExtra(f"{feature} needs the extra \"{extra}\": pip install 'railbird[{extra}]'")
