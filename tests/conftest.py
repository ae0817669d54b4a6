"""What every test may use: the folder of data made by others, and patience for kernels that compile first."""

import os
from pathlib import Path

import pytest
from hypothesis import settings

# A first call may compile for seconds, which says nothing about the property.
settings.register_profile("railbird", deadline=None)
settings.load_profile("railbird")


@pytest.fixture(scope="session")
def shared_data() -> Path:
    """The folder of hand histories and oracles made by others; the test skips where there is none."""
    folder = os.environ.get("RAILBIRD_TEST_DATA")
    if not folder:
        pytest.skip("RAILBIRD_TEST_DATA names no folder of hand histories made by others")
    if not Path(folder).is_dir():
        pytest.skip(f"RAILBIRD_TEST_DATA names {folder}, which is not a folder")
    return Path(folder)
