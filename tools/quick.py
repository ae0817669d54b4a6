"""A quick check of changes: format, lint, types, and the most closely related tests, in under a minute.

    python tools/quick.py            changes since the last commit, or in it if there are none
    python tools/quick.py main       changes since the branch `main`

Tests are found by imports: first the changed ones, then those that import a changed module, then those that import
these, and so on. They run in this order for 35 seconds; the rest is counted as skipped. `make test` runs all of them.
"""

import ast
import subprocess
import sys
from collections.abc import Iterable, Iterator
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
SECONDS = 35
ROOTS = (ROOT / "src", ROOT / "tests", ROOT / "tests" / "support")
"""The import roots, as configured for the tests in pyproject.toml."""


def main(since: str | None = None) -> int:
    """Run all parts of the check; fail if any of them fails."""
    changed = [path for path in changed_files(since) if path.is_file()]
    python = [path for path in changed if path.suffix == ".py"]
    tests = [*nearest_tests(python), *(path for path in changed if path == ROOT / "README.md")]
    print(f"{len(changed)} changed files, {len(tests)} dependent test files")
    statuses = []
    if python:
        statuses += [run("ruff", "format", "--check", *python), run("ruff", "check", *python)]
        statuses.append(run("mypy", *python))
    if tests:
        statuses.append(run("pytest", "-n", "2", "-m", "not soak", "--within", str(SECONDS), *tests))
    return int(any(statuses))


def changed_files(since: str | None) -> list[Path]:
    """The files that differ from a commit, and untracked files."""
    known = git("diff", "--name-only", since or "HEAD")
    new = git("ls-files", "--others", "--exclude-standard")
    names = known + new or git("diff", "--name-only", "HEAD~1")
    return [ROOT / name for name in names]


def nearest_tests(changed: Iterable[Path]) -> list[Path]:
    """The test files that depend on changed files: those with the shortest chain of imports first."""
    importers = importers_of_every_file()
    seen = dict.fromkeys(changed)
    waiting = list(seen)
    for path in waiting:
        for importer in sorted(importers.get(path, ())):
            if importer not in seen:
                seen[importer] = None
                waiting.append(importer)
    return [path for path in seen if path.name.startswith("test_")]


def importers_of_every_file() -> dict[Path, set[Path]]:
    """Which files import a file."""
    importers: dict[Path, set[Path]] = {}
    for folder in (ROOT / "src", ROOT / "tests"):
        for path in folder.rglob("*.py"):
            for imported in imports_of(path):
                importers.setdefault(imported, set()).add(path)
    return importers


def imports_of(path: Path) -> Iterator[Path]:
    """The files of the project that a file imports anywhere."""
    for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
        names: list[str] = []
        if isinstance(node, ast.ImportFrom) and node.module:
            names = [node.module, *(f"{node.module}.{alias.name}" for alias in node.names)]
        elif isinstance(node, ast.Import):
            names = [alias.name for alias in node.names]
        yield from filter(None, map(file_of, names))


def file_of(module: str) -> Path | None:
    """The file of a module of the project; None for other modules."""
    bases = [folder.joinpath(*module.split(".")) for folder in ROOTS]
    places = [*(base.with_suffix(".py") for base in bases), *(base / "__init__.py" for base in bases)]
    return next((place for place in places if place.is_file()), None)


def git(*words: str) -> list[str]:
    """The lines of git's output."""
    return subprocess.run(
        ["git", *words], cwd=ROOT, check=True, capture_output=True, text=True
    ).stdout.splitlines()


def run(tool: str, *arguments: str | Path) -> int:
    """Run a tool of this environment and return its exit status."""
    return subprocess.run([Path(sys.executable).parent / tool, *arguments], cwd=ROOT, check=False).returncode


if __name__ == "__main__":
    sys.exit(main(*sys.argv[1:]))
