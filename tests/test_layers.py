"""A module imports only from lines above it, and modules on the same line do not import each other."""

import ast
import re
import subprocess
import sys
from pathlib import Path

import pytest

from folders import ROOT

SOURCE = ROOT / "src" / "railbird"
ARCHITECTURE = ROOT / "ARCHITECTURE.md"


def read_levels(begin: str, end: str) -> dict[str, int]:
    """The lines of a table in ARCHITECTURE.md between two markers: names, then what they are."""
    text = ARCHITECTURE.read_text(encoding="utf-8").partition(begin)[2].partition(end)[0]
    lines = [line for line in text.splitlines() if line.startswith("    ")]
    return {
        name.rstrip("/").removesuffix(".py"): level
        for level, line in enumerate(lines)
        for name in line[4:39].split()
    }


LEVEL = read_levels("<!-- layers -->", "<!-- end -->")
PAPERS = read_levels("<!-- papers -->", "<!-- end of papers -->")


def part_named(name: str) -> str:
    """The part that a module belongs to: the module itself where the table names it, else the first folder."""
    names = name.split(".")
    module = "/".join(names[:2])
    return module if module in LEVEL else names[0]


def part_of(path: Path, below: Path = SOURCE) -> str:
    return part_named(".".join(path.relative_to(below).with_suffix("").parts))


def imported_parts(path: Path, package: str = "railbird") -> set[str]:
    """The parts of a package that a module imports, wherever in it the import stands."""
    found = set()
    for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
        names = []
        if isinstance(node, ast.ImportFrom):
            assert node.level == 0, f"{path} has a relative import"
            names = [f"{node.module}.{alias.name}" for alias in node.names]
        elif isinstance(node, ast.Import):
            names = [alias.name for alias in node.names]
        for name in names:
            if name.startswith(f"{package}."):
                found.add(part_named(name.removeprefix(f"{package}.")))
    return found


MODULES = sorted(path for path in SOURCE.rglob("*.py") if path != SOURCE / "__init__.py")


def test_every_part_of_the_package_has_a_layer_and_every_layer_exists() -> None:
    assert {part_of(path) for path in MODULES} == set(LEVEL)


@pytest.mark.parametrize("path", MODULES, ids=lambda path: str(path.relative_to(SOURCE)))
def test_modules_import_only_from_the_lines_above(path: Path) -> None:
    part = part_of(path)
    for other in imported_parts(path) - {part, "__version__"}:
        assert LEVEL[other] < LEVEL[part], (
            f"{path.relative_to(SOURCE)} imports {other}, which is not above {part}"
        )


WITHOUT_POKER = [
    SOURCE / "explanation" / "sections.py",
    *(
        path
        for name in ("sampling", "cbr", "bayes", "joins")
        for path in sorted((SOURCE / name).rglob("*.py"))
    ),
]
WHAT_THEY_MAY_LOAD = re.compile(
    r"railbird(\.(explanation(\.sections|\.formats)?|(sampling|cbr|bayes|joins)(\..+)?"
    r"|kernels(\.compiler|\.compiler_parts|\.handed_down|\.inner_code|\.passes|\.random|\.resolved_calls|\.shared_cache|\.unheard_calls|\.(cases|bayes)(\..+)?)?"
    r"|extras|lazy|places|plain_data|rng|spec))?"
)


def test_parts_without_poker_load_none() -> None:
    """All their modules together, imported in a process of their own, bring nothing that knows cards or a game."""
    modules = [".".join(path.relative_to(SOURCE.parent).with_suffix("").parts) for path in WITHOUT_POKER]
    code = f"import sys, {', '.join(module.removesuffix('.__init__') for module in modules)}; print(*sys.modules)"
    process = subprocess.run([sys.executable, "-c", code], check=True, capture_output=True, text=True)
    loaded = [name for name in process.stdout.split() if name.split(".")[0] == "railbird"]
    assert "railbird.cbr.explain" in loaded
    assert [name for name in loaded if not WHAT_THEY_MAY_LOAD.fullmatch(name)] == []


AGENTS = SOURCE / "agents"
OF_AGENTS = sorted(path for path in AGENTS.rglob("*.py") if path != AGENTS / "__init__.py")


def test_every_paper_has_a_line() -> None:
    assert {part_of(path, AGENTS) for path in OF_AGENTS} == set(PAPERS)


@pytest.mark.parametrize("path", OF_AGENTS, ids=lambda path: str(path.relative_to(AGENTS)))
def test_papers_build_on_each_other_only_as_it_is_said(path: Path) -> None:
    paper = part_of(path, AGENTS)
    for other in imported_parts(path, "railbird.agents") - {paper}:
        assert PAPERS[other] < PAPERS[paper], (
            f"{path.relative_to(AGENTS)} imports {other}, which is not above {paper}"
        )


PACKAGES = sorted(path.parent for path in SOURCE.rglob("__init__.py") if path.parent != SOURCE)
LISTED = re.compile(r"^- ((?:`[\w/]+`(?:, )?)+)", re.MULTILINE)


@pytest.mark.parametrize("package", PACKAGES, ids=lambda path: str(path.relative_to(SOURCE)))
def test_the_docstring_of_a_package_lists_its_modules(package: Path) -> None:
    docstring = ast.get_docstring(ast.parse((package / "__init__.py").read_text(encoding="utf-8"))) or ""
    modules = {path.stem for path in package.glob("*.py")} - {"__init__"}
    folders = {f"{path.parent.name}/" for path in package.glob("*/__init__.py")}
    listed = {name for names in LISTED.findall(docstring) for name in re.findall(r"`([\w/]+)`", names)}
    assert listed == modules | folders


def test_no_folder_holds_more_than_sixteen_modules() -> None:
    for package in PACKAGES:
        modules = [path for path in package.glob("*.py") if path.stem != "__init__"]
        assert len(modules) <= 16, package


def test_no_module_is_longer_than_400_lines() -> None:
    for path in MODULES:
        assert len(path.read_text(encoding="utf-8").splitlines()) <= 400, path


def test_plain_commands_do_not_import_the_compiler() -> None:
    """`railbird --help` must answer at once, so nothing that the command imports at the top may need numba."""
    seen: set[str] = set()
    waiting = ["railbird.cli"]
    while waiting:
        module = waiting.pop()
        if module in seen:
            continue
        seen.add(module)
        path = SOURCE.joinpath(*module.split(".")[1:])
        file = path / "__init__.py" if path.is_dir() else path.with_suffix(".py")
        for node in ast.parse(file.read_text(encoding="utf-8")).body:
            if isinstance(node, ast.ImportFrom) and node.module and node.module.startswith("railbird"):
                waiting.append(node.module)
            imports = [alias.name for alias in node.names] if isinstance(node, ast.Import) else []
            assert not {"numba", "numpy"} & {name.split(".")[0] for name in imports}, (
                f"{module} imports {imports}"
            )
    assert not any(module.startswith("railbird.kernels") for module in seen)
