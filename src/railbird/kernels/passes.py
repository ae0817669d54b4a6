"""What numba does to a function to compile it, without the passes that no kernel needs.

- Functions defined within a kernel, comprehensions and `reduce` would be inlined: kernels have none. numba searches
  every call and loop for them all the same.
- The types of all variables would be kept as text for `inspect_types`.
"""

from typing import Any

from numba.core.compiler import Compiler
from numba.core.typed_passes import AnnotateTypes
from numba.core.untyped_passes import InlineClosureLikes

LEFT_OUT = InlineClosureLikes, AnnotateTypes


class KernelCompiler(Compiler):
    """numba's compiler without these passes."""

    def define_pipelines(self) -> list[Any]:
        """The passes, in their order."""
        pipelines = super().define_pipelines()  # type: ignore[no-untyped-call]
        for pipeline in pipelines:
            pipeline.passes = [each for each in pipeline.passes if each[0] not in LEFT_OUT]
            pipeline.finalize()
        return pipelines  # type: ignore[no-any-return]
