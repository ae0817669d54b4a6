"""What calls in kernels refer to, found once for the same types.

For every operator and call in a function, numba tries one implementation after the other until one accepts the types of
the arguments, however often it has found it before. This takes half of the time of type inference.
"""

from typing import Any

from numba.core.targetconfig import ConfigStack
from numba.core.types.functions import BaseFunction

from railbird.kernels.handed_down import handed_down
from railbird.kernels.inner_code import KernelLibrary


def remember_resolved_calls() -> None:
    """Find again what was found for the same function, types and options, while kernels are compiled."""
    found: dict[tuple[object, ...], tuple[Any, Any]] = {}
    resolve = BaseFunction.get_call_type

    def resolved(function: Any, context: Any, args: Any, kws: Any) -> Any:
        caller = ConfigStack.top_or_none() if KernelLibrary.kernels_under_way else None
        if caller is None:
            return resolve(function, context, args, kws)
        key = function, context, tuple(args), tuple(kws.items()), handed_down(caller)
        if (known := found.get(key)) is not None:
            signature, implementation = known
            function._impl_keys[signature.args] = implementation
            return signature
        signature = resolve(function, context, args, kws)
        found[key] = signature, function.get_impl_key(signature)
        return signature

    BaseFunction.get_call_type = resolved  # type: ignore[method-assign, assignment]
