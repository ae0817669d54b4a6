"""What every test may use: data made by others, databases, and patience for kernels that compile first."""

import gc
import os
import shutil
import tarfile
from collections.abc import Iterator
from pathlib import Path
from time import monotonic
from typing import TYPE_CHECKING

import pytest
from hypothesis import settings

from postgresql import address, new_postgresql_database

if TYPE_CHECKING:
    from playwright.sync_api import Browser

BEGAN = monotonic()

__all__ = ["address", "new_postgresql_database", "shared_data"]

# Tests keep many betting situations alive, and to look through all of them for garbage as often as usual takes a fifth
# of the time.
gc.set_threshold(100_000, 50, 50)

# A first call may compile for seconds, which says nothing about the property.
# The check tries the same few examples every time, so that it says something about the change that is checked; the soak
# draws new and more ones.
settings.register_profile("railbird", deadline=None, derandomize=True, max_examples=25)
settings.register_profile("soak", deadline=None)


def pytest_addoption(parser: pytest.Parser) -> None:
    parser.addoption(
        "--within", type=float, help="skip tests that have not begun after this many seconds (make quick)"
    )


def pytest_configure(config: pytest.Config) -> None:
    settings.load_profile("soak" if config.option.markexpr == "soak" else "railbird")


def pytest_runtest_setup(item: pytest.Item) -> None:
    within: float | None = item.config.option.within
    if within is not None and monotonic() - BEGAN > within:
        pytest.skip(f"not within the {within:g} s of the quick check")


def pytest_collection_finish() -> None:
    # What was imported to find the tests stays to the end, so nobody need look there for garbage again.
    gc.freeze()


@pytest.fixture(scope="session")
def shared_data() -> Path:
    """The folder of hand histories and oracles made by others; the test skips where there is none."""
    folder = os.environ.get("RAILBIRD_TEST_DATA")
    if not folder:
        pytest.skip("RAILBIRD_TEST_DATA names no folder of hand histories made by others")
    if not Path(folder).is_dir():
        pytest.skip(f"RAILBIRD_TEST_DATA names {folder}, which is not a folder")
    return Path(folder)


@pytest.fixture(scope="session")
def official(shared_data: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The logs, games and protocol trace of the official ACPC server, unpacked."""
    folder = tmp_path_factory.mktemp("acpc")
    with tarfile.open(shared_data / "acpc_dealer_example_logs.tar.xz") as archive:
        archive.extractall(folder, filter="data")
    return folder


@pytest.fixture(scope="module")
def browser() -> "Iterator[Browser]":
    """Debian's chromium, or whichever there is; for one module, since nothing else can run an event loop meanwhile."""
    from playwright.sync_api import sync_playwright

    chromium = shutil.which("chromium")
    if chromium is None:
        pytest.skip("there is no chromium on this machine")
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=chromium, args=["--no-sandbox"])
        yield browser
        browser.close()
