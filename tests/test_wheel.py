"""The wheel alone, without extras, in a fresh environment of every supported Python that is there."""

import os
import subprocess
import sys
from pathlib import Path
from shutil import which

import pytest

from folders import ROOT

VERSIONS = ("3.11", "3.12", "3.13")
MOST_MEGABYTES = 450
UNREACHABLE = ("Temporary failure", "Failed to establish a new connection", "Connection refused", "timed out")


def interpreter(version: str) -> str | None:
    """A Python of this version: on the path, or among those of pyenv."""
    found = sorted((Path.home() / ".pyenv" / "versions").glob(f"{version}.*/bin/python"))
    for path in (which(f"python{version}"), *map(str, found)):
        if path is not None:
            shown = subprocess.run([path, "--version"], capture_output=True, text=True, check=False)
            if shown.stdout.startswith(f"Python {version}."):
                return path
    return None


@pytest.fixture(scope="module")
def wheel(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("wheel")
    build = [sys.executable, "-m", "hatchling", "build", "-t", "wheel", "-d", str(folder)]
    subprocess.run(build, cwd=ROOT, check=True, capture_output=True)
    return next(folder.glob("*.whl"))


def megabytes(folder: Path) -> float:
    """The space that files take on the disk."""
    return sum(path.lstat().st_blocks * 512 for path in folder.rglob("*") if not path.is_dir()) / 1024**2


@pytest.mark.soak
@pytest.mark.parametrize("version", VERSIONS)
def test_the_wheel_alone_plays_explains_and_reads_hands(version: str, wheel: Path, tmp_path: Path) -> None:
    python = interpreter(version)
    if python is None:
        pytest.skip(f"there is no Python {version} here")
    subprocess.run([python, "-m", "venv", tmp_path / "env"], check=True)
    programs = tmp_path / "env" / "bin"
    install = [str(programs / "python"), "-m", "pip", "install", "--disable-pip-version-check", str(wheel)]
    installed = subprocess.run(install, capture_output=True, text=True, check=False)
    if any(reason in installed.stderr for reason in UNREACHABLE):
        pytest.skip("the package index cannot be reached")
    assert installed.returncode == 0, installed.stderr
    assert megabytes(tmp_path / "env") <= MOST_MEGABYTES
    surroundings = {
        key: value for key, value in os.environ.items() if not key.startswith(("PYTHON", "RAILBIRD"))
    }

    def railbird(*arguments: str) -> subprocess.CompletedProcess[str]:
        command = [str(programs / "railbird"), *arguments]
        return subprocess.run(
            command, cwd=tmp_path, env=surroundings, capture_output=True, text=True, check=False
        )

    for words, wanted in (
        ("match --game limit-3p --seats casper02,pokibot,random --hands 5 --log hands.log", "casper02"),
        ("explain baycarp2 --state MATCHSTATE:1:0::|AhAd", "raise to 20"),
        ("convert hands.log hands.phhs", "5 hands read, 5 written"),
        ("stats hands.phhs --player random", "random in 5 hands"),
        ("import hands.phhs --store hands.db", "5 hands added"),
        ("reproduce list", "casper"),
    ):
        done = railbird(*words.split())
        assert done.returncode == 0, f"{words}: {done.stderr}"
        assert wanted in done.stdout, words
    done = railbird("play")
    assert (done.returncode, done.stdout) == (2, "")
    assert done.stderr == "railbird: railbird play needs the extra \"web\": pip install 'railbird[web]'\n"
