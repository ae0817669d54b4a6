"""How kernels are compiled: numba's `njit` without the parts of compiled functions that nobody calls.

numba adds two wrappers to every function, one for callers in Python and one for callers in C, which are optimised and
stored with it.

- No kernel is called from C.
- Only public kernels are called from Python: not those with a leading underscore, those that LLVM inlines
  (`forceinline`), and those that say so (`internal`). Such a function can be called by compiled code alone, and is
  finished there (`inner_code`); Python would find nothing to call. The few small functions that kernels inline and
  tests call are inlined by numba instead (`inline="always"`), which takes longer to compile.

numba counts the references to every array that a function handles, by atomic operations: in a loop of small steps they
take longer than the steps. A function that `borrows` does not count: it uses only arrays that its callers keep, makes
none, and calls no kernel that returns one.

Passes of numba's compiler that no kernel needs are left out as well (`passes`).
"""

from collections.abc import Callable
from typing import Any, TypeVar

import numba
from numba.core.dispatcher import Dispatcher

from railbird.kernels.passes import KernelCompiler
from railbird.kernels.shared_cache import IS_KNOWN

_Function = TypeVar("_Function", bound=Callable[..., Any])


def njit(
    *, forceinline: bool = False, internal: bool = False, borrows: bool = False, **options: Any
) -> "Callable[[_Function], Dispatcher[_Function]]":
    """The decorator of all kernels, with numba's options; `internal` if only kernels call it."""
    if IS_KNOWN:
        options["pipeline_class"] = KernelCompiler

    def compiled(function: _Function) -> "Dispatcher[_Function]":
        is_private = forceinline or internal or function.__name__.startswith("_")
        decorate: Callable[[_Function], Dispatcher[_Function]] = numba.njit(  # type: ignore[call-overload]
            forceinline=forceinline,
            _nrt=not borrows,
            no_cfunc_wrapper=True,
            no_cpython_wrapper=is_private,
            **options,
        )
        return decorate(function)

    return compiled
