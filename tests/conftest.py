"""Shared fixtures and settings: third-party data, databases, browsers, and time for kernels to compile."""

import gc
import os
import shutil
import tarfile
from collections.abc import Generator, Iterator
from functools import cache
from pathlib import Path
from tempfile import TemporaryDirectory
from time import monotonic
from typing import TYPE_CHECKING

import pytest
import typer.main
import typer.testing
from _pytest.doctest import DoctestModule
from hypothesis import settings

from archives import SAFELY
from postgresql import address, new_postgresql_database

if TYPE_CHECKING:
    from playwright.sync_api import Browser

BEGAN = monotonic()
PACKAGE = Path(__file__).parents[1] / "src"

PLAINLY = (
    "--no-sandbox",
    "--disable-gpu",
    "--disable-software-rasterizer",
    "--in-process-gpu",
    "--no-zygote",
    "--renderer-process-limit=1",
)
"""Chromium without the parts that pages of ours do not need, and in few processes: a fifth less processor time."""

__all__ = ["address", "new_postgresql_database", "shared_data"]

# Tests keep many betting situations alive; with the default settings, garbage collection takes a fifth of the time.
gc.set_threshold(100_000, 50, 50)

# A first call may compile for seconds, so there is no deadline.
# The check uses the same few examples every time, so that a failure is due to the change under test; the soak draws
# new and more ones.
settings.register_profile("railbird", deadline=None, derandomize=True, max_examples=25)
settings.register_profile("soak", deadline=None)


def pytest_addoption(parser: pytest.Parser) -> None:
    parser.addoption(
        "--within", type=float, help="skip tests that have not begun after this many seconds (make quick)"
    )


class Examples:
    """Looks for doctests where some are written: in no test, and in a sixth of the modules of the package."""

    @pytest.hookimpl(wrapper=True)
    def pytest_collect_file(
        self, file_path: Path
    ) -> Generator[None, list[pytest.Collector], list[pytest.Collector]]:
        found = yield
        if PACKAGE in file_path.parents and b">>>" in file_path.read_bytes():
            return found
        return [each for each in found if not isinstance(each, DoctestModule)]


def pytest_configure(config: pytest.Config) -> None:
    # Hooks of this file are called for the folder of the tests only, those of a plugin for the package too.
    config.pluginmanager.register(Examples())
    # Typer builds the parsers of all commands for every command that is run.
    patch = pytest.MonkeyPatch()
    config.add_cleanup(patch.undo)
    built = cache(typer.main.get_command)
    patch.setattr(typer.main, "get_command", built)
    patch.setattr(typer.testing, "_get_command", built)
    # What commands keep for their user must not end up with the person who runs the tests.
    folder = TemporaryDirectory(prefix="railbird-data-")
    config.add_cleanup(folder.cleanup)
    os.environ["XDG_DATA_HOME"] = folder.name
    settings.load_profile("soak" if config.option.markexpr == "soak" else "railbird")


def pytest_runtest_setup(item: pytest.Item) -> None:
    within: float | None = item.config.option.within
    if within is not None and monotonic() - BEGAN > within:
        pytest.skip(f"not within the {within:g} s of the quick check")


def pytest_collection_finish() -> None:
    # Everything imported during collection stays to the end, so garbage collection need not scan it again.
    gc.freeze()


@pytest.fixture(scope="session")
def shared_data() -> Path:
    """The folder of third-party hand histories and oracles; the test is skipped without one."""
    folder = os.environ.get("RAILBIRD_TEST_DATA")
    if not folder:
        pytest.skip("RAILBIRD_TEST_DATA is not set to a folder of third-party hand histories")
    if not Path(folder).is_dir():
        pytest.skip(f"RAILBIRD_TEST_DATA names {folder}, which is not a folder")
    return Path(folder)


@pytest.fixture(scope="session")
def official(shared_data: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The logs, games and protocol trace of the official ACPC server, unpacked."""
    folder = tmp_path_factory.mktemp("acpc")
    with tarfile.open(shared_data / "acpc_dealer_example_logs.tar.xz") as archive:
        archive.extractall(folder, **SAFELY)
    return folder


@pytest.fixture(scope="module")
def browser() -> "Iterator[Browser]":
    """Chromium; scoped to a module, because nothing else can run an event loop meanwhile.

    The headless shell is the same engine without windows, and draws a page in a quarter of the time.
    """
    from playwright.sync_api import sync_playwright

    chromium = shutil.which("chromium-headless-shell") or shutil.which("chromium")
    if chromium is None:
        pytest.skip("Chromium is not installed")
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=chromium, args=[*PLAINLY])
        yield browser
        browser.close()
