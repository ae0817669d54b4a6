"""What numba needs to compile, but not to load compiled code: loaded when the first function is compiled.

That is the support for every type and function that compiled code may use, and takes an eighth of the time of a short
command.
"""

import importlib
import sys
from collections.abc import Callable, Sequence
from functools import cache, wraps
from typing import Any

from numba.core import environment
from numba.core.environment import Environment, lookup_environment
from numba.core.runtime.nrt import rtsys


def prepare_to_load(target_context: Any) -> None:
    """Prepare numba to load compiled code: the memory of its arrays."""
    rtsys.initialize(target_context)


def load_few_modules() -> None:
    """Let numba load compiled code without the modules of its own functions in it, from now on.

    Such a function keeps the names of its module for Python's interpreter, which compiled code does not use.
    """
    known: Callable[[str], Environment | None] = lookup_environment
    rebuild: Callable[[str, Sequence[object], str], Any] = environment._rebuild_env

    @wraps(rebuild)  # so that it has the same name in the cache
    def rebuilt(module: str, constants: Sequence[object], name: str) -> Any:
        if module in sys.modules or not module.startswith("numba.") or known(name) is not None:
            return rebuild(module, constants, name)
        alone = Environment({"__name__": module})
        alone.consts[:] = constants
        alone.env_name = name
        Environment._memo[name] = alone
        return alone

    environment._rebuild_env = rebuilt


@cache
def prepare_to_compile() -> None:
    """Load numba's NumPy functions without SciPy, whose import would take a seventh of a short command's time.

    numba loads them before it compiles and looks for SciPy's BLAS then, which only `np.convolve` and `np.correlate` use
    because of it. They have an implementation without; no kernel calls them.
    """
    blas = "scipy.linalg.cython_blas"
    if blas in sys.modules:
        return
    sys.modules[blas] = None  # type: ignore[assignment]  # importing it fails, as if SciPy were not installed
    try:
        importlib.import_module("numba.np.arraymath")
    finally:
        del sys.modules[blas]
