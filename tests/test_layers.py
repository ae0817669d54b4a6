"""A module imports only from lines above it, and modules on the same line do not import each other."""

import ast
from pathlib import Path

import pytest

SOURCE = Path(__file__).parents[1] / "src" / "railbird"
ARCHITECTURE = Path(__file__).parents[1] / "ARCHITECTURE.md"


def read_layers() -> list[list[str]]:
    """The lines of the table in ARCHITECTURE.md between the two markers: names, then what they are."""
    text = (
        ARCHITECTURE.read_text(encoding="utf-8").partition("<!-- layers -->")[2].partition("<!-- end -->")[0]
    )
    lines = [line for line in text.splitlines() if line.startswith("    ")]
    return [[name.rstrip("/").removesuffix(".py") for name in line[4:39].split()] for line in lines]


LAYERS = read_layers()
LEVEL = {name: level for level, names in enumerate(LAYERS) for name in names}


def part_of(path: Path) -> str:
    return path.relative_to(SOURCE).parts[0].removesuffix(".py")


def imported_parts(path: Path) -> set[str]:
    """The parts of the package that a module imports, wherever in it the import stands."""
    found = set()
    for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
        names = []
        if isinstance(node, ast.ImportFrom):
            assert node.level == 0, f"{path} has a relative import"
            names = [f"{node.module}.{alias.name}" for alias in node.names]
        elif isinstance(node, ast.Import):
            names = [alias.name for alias in node.names]
        for name in names:
            package, _, rest = name.partition(".")
            if package == "railbird" and rest:
                found.add(rest.split(".")[0])
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
