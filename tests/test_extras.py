"""What needs an extra says which, and nothing else imports its packages."""

import re
import sys
import tomllib
from io import StringIO

import pytest
from rich.console import Console

from command import railbird
from folders import ROOT
from railbird import match
from railbird.benchmarks import report
from railbird.benchmarks.measuring import Figure, compare_rates, if_installed
from railbird.extras import MissingExtra

SOURCE = ROOT / "src" / "railbird"
PROJECT = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]
DISTRIBUTIONS = {
    "pyspiel": "open_spiel",
    "open_spiel": "open_spiel",
    "gymnasium": "pettingzoo",
    "starlette": "fastapi",
    "llvmlite": "numba",
}
"""By module, where another package of the extra brings it, or the package has another name."""


def packages(requirements: list[str]) -> set[str]:
    return {re.split(r"[\[>=<]", each)[0] for each in requirements}


BASE = packages(PROJECT["dependencies"])
EXTRAS = {extra: packages(of) for extra, of in PROJECT["optional-dependencies"].items()}


@pytest.mark.parametrize(
    ("extra", "module", "arguments", "feature"),
    [
        ("web", "fastapi", ("play",), "railbird play"),
        ("web", "fastapi", ("serve",), "railbird serve"),
        ("figures", "matplotlib", ("match", "--seats", "random,random", "--figures", "x"), "--figures"),
        ("figures", "matplotlib", ("tournament", "--agents", "random,random", "--figures", "x"), "--figures"),
        ("figures", "matplotlib", ("strategy", "show", "x", "-o", "x.svg"), "--output"),
        ("figures", "matplotlib", ("network", "show", "x", "-o", "x.svg"), "--output"),
        (
            "figures",
            "matplotlib",
            ("evolve", "casper", "--pack", "x", "-o", "x.toml", "--figure", "x.svg"),
            "--figure",
        ),
        ("learn", "cma", ("evolve", "casper", "--pack", "x", "-o", "x.toml"), "railbird evolve"),
        ("learn", "polars", ("watch", "x", "--as", "casper", "-o", "y"), "railbird watch"),
        ("learn", "polars", ("casebase", "merge", "x", "y", "-o", "z"), "railbird casebase merge"),
        ("learn", "polars", ("casebase", "export", "x", "y.csv"), "railbird casebase export"),
        (
            "postgres",
            "psycopg",
            ("store", "postgresql://me@host/hands"),
            "a PostgreSQL store",
        ),
        ("ray", "ray", ("match", "--seats", "random,random", "--workers", "ray"), "--workers ray"),
    ],
)
def test_a_command_that_needs_an_extra_says_which(
    extra: str, module: str, arguments: tuple[str, ...], feature: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setitem(sys.modules, module, None)
    done = railbird(*arguments)
    assert done.error == f"railbird: {feature} needs the extra \"{extra}\": pip install 'railbird[{extra}]'\n"
    assert (done.code, done.out) == (2, b"")


def test_the_library_says_it_too(monkeypatch: pytest.MonkeyPatch) -> None:
    results = match(["random", "always-call"], hands=1)
    monkeypatch.setitem(sys.modules, "polars", None)
    with pytest.raises(MissingExtra, match=r"^a data frame needs the extra \"frames\": pip install"):
        results.to_frame()


# Who imports what


IMPORT = re.compile(r"^(?:from (\S+) import (.+)|import (\S+))", re.MULTILINE)
"""An import that runs when its module is imported: not in a function, and not for types alone."""
ASKED = re.compile(r'require_extra\("(\w+)", "(\w+)"')


def sources() -> dict[str, str]:
    return {
        ".".join(path.relative_to(SOURCE.parent).with_suffix("").parts).removesuffix(
            ".__init__"
        ): path.read_text(encoding="utf-8")
        for path in SOURCE.rglob("*.py")
    }


MAY_NEED = {
    "railbird.interfaces.web": "web",
    "railbird.bayes.picture": "figures",
    "railbird.cbr.packs.table": "learn",
    "railbird.adapters.pettingzoo": "rl",
    "railbird.adapters.openspiel": "rl",
    "railbird.adapters.spiel_games": "rl",
}
"""Modules that are imported only where their extra was asked for."""
WITHOUT_EXTRAS = "railbird.interfaces.web.table.session_journal."
"""A module of the browser's table that needs none, which a benchmark measures."""


def extra_of(module: str) -> str | None:
    if f"{module}.".startswith(WITHOUT_EXTRAS):
        return None
    return next((extra for part, extra in MAY_NEED.items() if f"{module}.".startswith(f"{part}.")), None)


def test_only_modules_of_an_extra_import_its_packages_and_only_functions_import_these() -> None:
    for name, source in sources().items():
        extra = extra_of(name)
        allowed = BASE | (EXTRAS[extra] if extra else set()) | sys.stdlib_module_names
        for package, names, whole in IMPORT.findall(source):
            first = (package or whole).partition(".")[0]
            if first == "railbird":
                found = {extra_of(f"{package}.{each.strip()}") for each in names.strip("()").split(",")}
                assert found <= {None, extra}, f"{name} imports from {package}"
            else:
                assert DISTRIBUTIONS.get(first, first) in allowed, f"{name} imports {first}"


def test_every_extra_that_is_asked_for_exists_and_has_the_package() -> None:
    asked = {each for source in sources().values() for each in ASKED.findall(source)}
    assert {extra for extra, _ in asked} == EXTRAS.keys()
    for extra, module in asked:
        assert DISTRIBUTIONS.get(module, module) in EXTRAS[extra]


# Benchmarks without their peers


def test_a_figure_without_its_peer_is_ours_alone_and_the_peer_is_named(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    @if_installed
    def peer() -> int:
        import no_such_peer  # type: ignore[import-not-found]  # noqa: F401

        return 1

    alone = compare_rates("hands", lambda: 1000, "Peer, fast", peer(), unit="hands/s", required=5)  # type: ignore[arg-type]
    assert alone.ours > 0
    assert (alone.theirs, alone.ratio, alone.reached) == (None, None, True)
    both = Figure("other hands", 10.0, "Another", 2.0, "hands/s", required=6)
    monkeypatch.setattr(report, "figures_of", lambda _: iter([alone, both]))
    printed = StringIO()
    found = report.measure(["engine"], Console(file=printed, width=120))
    assert found == [alone, both]
    assert "\nnot installed, and left out: Peer; pip install 'railbird[bench]'" in printed.getvalue()
    assert "≥ 6, not reached" in printed.getvalue()
    assert [each["theirs"] for each in report.figures_to_json(found)["results"]] == [None, 2.0]
    monkeypatch.undo()
    monkeypatch.setitem(sys.modules, "pettingzoo", None)
    assert report.measure(["environment"], Console(file=printed, width=120)) == []
    assert 'a rollout through PettingZoo needs the extra "rl"' in printed.getvalue()
