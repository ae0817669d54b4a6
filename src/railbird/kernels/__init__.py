"""Compiled functions over arrays: ints in, ints out, no checks, no objects.

Public functions in the layers above check their input; kernels assume it. Each kernel has a slow, obvious twin in
`tests/reference/`. Compiled code is cached on disk in the user's cache folder, never beside the package.
"""

import os

import numba

from railbird.places import cache_folder

if "NUMBA_CACHE_DIR" not in os.environ:
    numba.config.CACHE_DIR = str(cache_folder() / "kernels")
