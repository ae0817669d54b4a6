"""Names of a package that are imported when they are first used, so that importing the package costs nothing."""

from collections.abc import Callable, Iterable, Mapping
from importlib import import_module
from sys import modules
from typing import Any


def lazy_names(
    package: str, sources: Mapping[str, Iterable[str]]
) -> tuple[Callable[[str], Any], Callable[[], list[str]]]:
    """The functions `__getattr__` and `__dir__` of a package, given the public names of each of its modules."""
    module_of = {name: f"{package}.{module}" for module, names in sources.items() for name in names}

    def getattr_(name: str) -> Any:
        if name not in module_of:
            raise AttributeError(f"module {package!r} has no attribute {name!r}")
        value = getattr(import_module(module_of[name]), name)
        setattr(modules[package], name, value)
        return value

    def dir_() -> list[str]:
        return sorted({*vars(modules[package]), *module_of})

    return getattr_, dir_
