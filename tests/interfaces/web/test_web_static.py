"""The pages' modules: rooms of a readable size, whose imports and style sheets exist."""

import re
from pathlib import Path

import pytest

from railbird.interfaces.web.app import STATIC

FILES = sorted(path for path in STATIC.rglob("*") if path.is_file())
SCRIPTS = [path for path in FILES if path.suffix == ".js"]
IMPORTED = re.compile(r"""(?:from |import\()"([^"]+)\"""")
STYLED = re.compile(r'useStyle\("([^"]+)"\)')


def name_of(path: Path) -> str:
    return path.relative_to(STATIC).as_posix()


def test_no_room_holds_more_than_sixteen_modules_and_no_file_is_longer_than_400_lines() -> None:
    for room in {path.parent for path in FILES}:
        assert len([path for path in SCRIPTS if path.parent == room]) <= 16, name_of(room)
    for path in FILES:
        assert len(path.read_text(encoding="utf-8").splitlines()) <= 400, name_of(path)


@pytest.mark.parametrize("path", SCRIPTS, ids=name_of)
def test_what_a_module_loads_exists(path: Path) -> None:
    text = path.read_text(encoding="utf-8")
    loaded = [path.parent / name for name in IMPORTED.findall(text)]
    styled = [STATIC / name for name in STYLED.findall(text)]
    for file in loaded + styled:
        assert file.resolve() in FILES, file


def test_every_module_is_loaded_by_a_page() -> None:
    found: set[Path] = set()
    waiting = [STATIC / "app.js", STATIC / "theme.js"]
    while waiting:
        path = waiting.pop().resolve()
        if path not in found:
            found.add(path)
            waiting += [path.parent / name for name in IMPORTED.findall(path.read_text(encoding="utf-8"))]
    assert found == {path.resolve() for path in SCRIPTS}
