"""What numba does not check: who calls kernels without a wrapper for Python, and kernels that count no references."""

import ast
from importlib import import_module
from pathlib import Path
from pkgutil import walk_packages
from types import FunctionType
from typing import Any

import railbird
from railbird import kernels
from railbird.kernels.rules.known_betting import known_from

FOLDERS = (Path(railbird.__file__).parent, Path(__file__).parents[1])
KERNELS = Path(kernels.__file__).parent


def _kernels() -> dict[tuple[str, str], Any]:
    """All kernels, by the modules that have them and their names there."""
    modules = [import_module(found.name) for found in walk_packages(kernels.__path__, "railbird.kernels.")]
    return {
        (module.__name__, name): each
        for module in modules
        for name, each in vars(module).items()
        if hasattr(each, "targetoptions")
    }


def _without_wrapper() -> set[tuple[str, str]]:
    """The modules and names of kernels that Python cannot call."""
    return {place for place, each in _kernels().items() if each.targetoptions["no_cpython_wrapper"]}


def _imported(path: Path) -> set[tuple[str, str]]:
    """The modules and names that a file takes from kernels."""
    text = path.read_text(encoding="utf-8")
    if "railbird.kernels" not in text:
        return set()
    return {
        (node.module, each.name)
        for node in ast.walk(ast.parse(text))
        if isinstance(node, ast.ImportFrom) and node.module is not None
        for each in node.names
    }


def test_python_imports_no_kernel_that_it_cannot_call() -> None:
    closed = _without_wrapper()
    assert ("railbird.kernels.rules.betting", "_offer") in closed
    assert ("railbird.kernels.rules.betting", "advance") in closed
    assert ("railbird.kernels.rules.betting", "step") not in closed
    files = [path for folder in FOLDERS for path in folder.rglob("*.py") if KERNELS not in path.parents]
    assert {str(path): found for path in files if (found := _imported(path) & closed)} == {}


def test_python_functions_beside_kernels_call_none_that_they_cannot() -> None:
    closed = {id(each) for each in _kernels().values() if each.targetoptions["no_cpython_wrapper"]}
    functions = {
        each
        for found in walk_packages(kernels.__path__, "railbird.kernels.")
        for each in vars(import_module(found.name)).values()
        if isinstance(each, FunctionType) and each.__module__.startswith("railbird.kernels.")
    }
    assert known_from in functions
    called = {
        (each.__module__, each.__name__, name)
        for each in functions
        for name in each.__code__.co_names
        if id(each.__globals__.get(name)) in closed
    }
    assert called == set()


def test_kernels_that_borrow_get_no_new_arrays() -> None:
    borrowing = {place: each.py_func for place, each in _kernels().items() if not each.targetoptions["_nrt"]}
    assert ("railbird.kernels.rules.betting", "advance") in borrowing
    called = {
        (place, name): function.__globals__[name].py_func
        for place, function in borrowing.items()
        for name in function.__code__.co_names
        if hasattr(function.__globals__.get(name), "targetoptions")
    }
    assert called
    returned = {calls: str(function.__annotations__["return"]) for calls, function in called.items()}
    assert {calls: kind for calls, kind in returned.items() if "ndarray" in kind} == {}
