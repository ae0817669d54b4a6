from pathlib import Path
from typing import IO

import pytest

from railbird.places import cache_folder, data_folder, write_whole


def test_one_variable_moves_everything(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setenv("RAILBIRD_HOME", str(tmp_path))
    assert cache_folder() == tmp_path / "cache"
    assert data_folder() == tmp_path / "data"


def test_files_go_to_the_users_folders(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv("RAILBIRD_HOME", raising=False)
    assert "railbird" in cache_folder().parts
    assert "railbird" in data_folder().parts


def test_a_file_is_written_whole_or_not_at_all(tmp_path: Path) -> None:
    path = tmp_path / "new" / "file"
    write_whole(path, lambda file: file.write(b"old"))

    def fail(file: IO[bytes]) -> None:
        file.write(b"half")
        raise RuntimeError("power cut")

    with pytest.raises(RuntimeError, match="power cut"):
        write_whole(path, fail)
    assert path.read_bytes() == b"old"
    assert list(path.parent.iterdir()) == [path]


def test_a_file_has_the_permissions_of_any_new_file(tmp_path: Path) -> None:
    plain, whole = tmp_path / "plain", tmp_path / "whole"
    plain.write_bytes(b"")
    write_whole(whole, lambda file: file.write(b"all of it"))
    assert whole.stat().st_mode == plain.stat().st_mode
