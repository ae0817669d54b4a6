"""Extracting archives of test data with the safe filter, which early releases of Python 3.11 do not have."""

import tarfile
from typing import Any

SAFELY: dict[str, Any] = {"filter": "data"} if hasattr(tarfile, "data_filter") else {}
