"""Machine code, when Python first calls it, for a kernel that was compiled only because another one contains it.

Its own code is taken as it is, so nothing is translated again: what callers in Python need is added, and then the whole
is optimised.
"""

from typing import Any

from numba.core.compiler import Flags, _make_subtarget
from numba.core.targetconfig import ConfigStack


def finished(function: Any, compiled: Any) -> Any:
    """The compiled form of a function with machine code, from the one without."""
    flags = Flags()
    function.targetdescr.options.parse_as_flags(flags, function.targetoptions)
    target = _make_subtarget(function.targetctx, flags)
    library = target.codegen().create_library(compiled.library.name)
    library.enable_object_caching()
    with ConfigStack().enter(flags), target.push_code_library(library):
        target.create_cpython_wrapper(library, compiled.fndesc, compiled.environment, None)
        library.add_linking_library(compiled.library)
        library.finalize()
    callable_form = target.get_executable(library, compiled.fndesc, compiled.environment)
    return compiled._replace(library=library, entry_point=callable_form)
