"""Kernels without a wrapper for Python are called by kernels only: Python would end in a crash."""

import ast
from importlib import import_module
from pathlib import Path
from pkgutil import walk_packages

import railbird
from railbird import kernels

FOLDERS = (Path(railbird.__file__).parent, Path(__file__).parents[1])
KERNELS = Path(kernels.__file__).parent


def _without_wrapper() -> set[tuple[str, str]]:
    """The modules and names of kernels that Python cannot call."""
    modules = [import_module(found.name) for found in walk_packages(kernels.__path__, "railbird.kernels.")]
    return {
        (module.__name__, name)
        for module in modules
        for name, each in vars(module).items()
        if getattr(each, "targetoptions", {}).get("no_cpython_wrapper")
    }


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
