"""Compiled functions over arrays: ints in, ints out, no checks, no objects.

Public functions in the layers above check their input; kernels assume it. Each kernel has a slow, obvious twin in
`tests/reference/`. Compiled code is cached on disk in the user's cache folder, never next to the package.

- `rules/`: betting, pots, and what a showdown pays
- `hands/`: values, types, draws, situations up to suits
- `strength/`: how strong holdings are, now and over all cards to come
- `showdown/`: showdowns between ranges
- `play/`: policies, and hands played to their ends
- `cases/`: search for similar cases
- `bayes/`: inference in Bayesian networks
- `solve/`: regret minimisation and best responses
- `random`: random numbers inside compiled code
- `compiler`: how kernels are compiled
- `passes`: what numba does to a function to compile it, without what no kernel needs
- `inner_code`: functions that only compiled functions call are finished within these
- `resolved_calls`: what calls refer to is found once for the same types
- `unheard_calls`: LLVM is called without telling numba's clocks
- `handed_down`: the options that numba's implementations take from their callers
- `compiler_parts`: what only compiling needs of numba, loaded when something is compiled
- `shared_cache`: the cache of compiled code; of several processes that need a function, one compiles it
"""

import atexit
import os
import warnings
from hashlib import blake2b
from pathlib import Path
from shutil import rmtree
from tempfile import mkdtemp

import numba

from railbird.kernels.shared_cache import share_compiled_code, sources
from railbird.places import cache_folder, private_folder


def _digest_of_sources() -> str:
    """A name for the present state of the kernels.

    Compiled code contains the functions and constants of the other modules here, but numba recompiles it only when its
    own module changes: a folder for each state of all the sources keeps old and new code apart.
    """
    digest = blake2b(numba.__version__.encode(), digest_size=8)
    for path in sources():
        digest.update(path.read_bytes())
    return digest.hexdigest()


def _choose_folder() -> str:
    """The folder of compiled code. Since it contains programs, other users must not be able to write to it.

    If there is no such folder, one is made for this process and its children. By default, numba would write next to the
    package, under names that do not distinguish old from new code.
    """
    wanted = cache_folder() / "kernels" / _digest_of_sources()
    folder = private_folder(wanted)
    if folder is None:
        folder = Path(mkdtemp(prefix="railbird-kernels-"))
        atexit.register(rmtree, folder, ignore_errors=True)
        os.environ["NUMBA_CACHE_DIR"] = str(folder)
        warnings.warn(
            f"compiled code is not kept: {wanted} cannot be written, or others could put files there",
            stacklevel=2,
        )
    return str(folder)


if "NUMBA_CACHE_DIR" not in os.environ:
    numba.config.CACHE_DIR = _choose_folder()  # type: ignore[attr-defined]  # numba makes its settings at run time
share_compiled_code()
