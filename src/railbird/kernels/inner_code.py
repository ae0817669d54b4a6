"""What only compiled functions call: optimised and turned into machine code within its callers, not on its own.

numba optimises each function, makes machine code of it with a wrapper for callers in Python and one for callers in C,
and does so once more for a copy within every function that calls it. While kernels are compiled, of a function that
Python cannot call only the copies are finished:

- kernels without wrappers (`compiler`): their own code is kept as it was written, for the functions that will call them
- numba's implementations of functions such as `np.zeros`: no wrapper for C either, and one form for all callers that
  hand down the same options, instead of one for every set of options
"""

import ctypes
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any, ClassVar

from llvmlite.binding import parse_bitcode
from numba.core.codegen import JITCodeLibrary, JITCPUCodegen
from numba.core.environment import lookup_environment
from numba.core.targetconfig import ConfigStack
from numba.core.typing.templates import _OverloadFunctionTemplate

from railbird.kernels.handed_down import handed_down

WITHOUT_WRAPPERS = {"no_cpython_wrapper": True, "no_cfunc_wrapper": True}
_INNER, _CALLABLE = "inner", "callable"
"""The kinds of cached code: for callers in compiled code only, and for those in Python as well."""
_ENVIRONMENT = "_ZN08NumbaEnv"


class KernelLibrary(JITCodeLibrary):
    """The code of one function, which has no machine code if only compiled functions call it."""

    kernels_under_way: ClassVar[int] = 0
    """Number of kernels that are compiled now, each for the one before."""
    _is_inner = False
    _copied: bytes | None = None
    """The code that callers copy, if it was loaded and has not been read yet."""

    def _optimize_functions(self, ll_module: Any) -> None:
        """As numba does, with one optimiser for all functions of a module, and none for those that it only calls."""
        ll_module.data_layout = self._codegen._data_layout
        optimiser, settings = self._codegen._function_pass_manager()
        for function in ll_module.functions:
            if not function.is_declaration:
                optimiser.run(function, settings)

    def _optimize_final_module(self) -> None:
        flags = ConfigStack.top_or_none()
        self._is_inner = bool(
            self.kernels_under_way and flags and flags.no_cpython_wrapper and flags.no_cfunc_wrapper
        )
        if not self._is_inner:
            super()._optimize_final_module()

    def _finalize_final_module(self) -> None:
        if self._is_inner:
            self._finalize_dynamic_globals()
            self._verify_declare_only_symbols()
            self._finalized = True
            return
        super()._finalize_final_module()
        for variable in self._final_module.global_variables:
            if variable.name.startswith(_ENVIRONMENT) and (environment := lookup_environment(variable.name)):
                _set_environment(self._codegen, variable.name, environment)

    def serialize_using_object_code(self) -> tuple[str, str, Any]:
        """What is cached: the code that callers copy, and for callers in Python machine code and its symbols."""
        if self._is_inner:
            return self.name, _INNER, self._get_module_for_linking().as_bitcode()
        name, kind, data = super().serialize_using_object_code()
        if not self.kernels_under_way:  # a function that is no kernel
            return name, kind, data
        module = self._get_module_for_linking()
        symbols = {
            each.name for each in (*module.functions, *module.global_variables) if not each.is_declaration
        }
        return name, _CALLABLE, (*data, symbols)

    @classmethod
    def _unserialize(cls, codegen: Any, state: tuple[str, str, Any]) -> "KernelLibrary":
        name, kind, data = state
        if kind not in (_INNER, _CALLABLE):
            loaded: KernelLibrary = super()._unserialize(codegen, state)
            return loaded
        library: KernelLibrary = codegen.create_library(name)
        if kind == _INNER:
            library._is_inner = True
            library._final_module = parse_bitcode(data)
            library._finalize_final_module()
        else:
            machine_code, library._copied, symbols = data
            library.enable_object_caching()
            library._set_compiled_object(machine_code)
            library._finalize_final_module()
            codegen._engine._defined_symbols |= symbols
        return library

    def _get_module_for_linking(self) -> Any:
        """The code that callers copy; of a function that was loaded, it is not read before one is compiled."""
        if self._copied is not None:
            self._shared_module, self._copied = parse_bitcode(self._copied), None
        return super()._get_module_for_linking()


@contextmanager
def compiling_kernel() -> Iterator[None]:
    """Leave out what nobody needs of the functions compiled meanwhile; the caller holds numba's compiler lock."""
    KernelLibrary.kernels_under_way += 1
    try:
        yield
    finally:
        KernelLibrary.kernels_under_way -= 1


def leave_out_inner_code() -> None:
    """Let `compiling_kernel` take effect from now on; numba has no setting for it."""
    find_implementation = _OverloadFunctionTemplate._get_impl
    find_decorator = _OverloadFunctionTemplate._get_jit_decorator

    def implementation(template: Any, args: Any, kws: Any) -> Any:
        caller = ConfigStack.top_or_none() if KernelLibrary.kernels_under_way else None
        if caller is None:
            return find_implementation(template, args, kws)
        with ConfigStack().enter(handed_down(caller)):
            return find_implementation(template, args, kws)

    def decorator(template: Any) -> Any:
        decorate = find_decorator(template)
        if not KernelLibrary.kernels_under_way:
            return decorate
        return lambda **options: decorate(**{**options, **WITHOUT_WRAPPERS})

    _OverloadFunctionTemplate._get_impl = implementation  # type: ignore[method-assign]
    _OverloadFunctionTemplate._get_jit_decorator = decorator  # type: ignore[method-assign]
    JITCPUCodegen._library_class = KernelLibrary
    JITCPUCodegen.set_env = _set_environment  # type: ignore[method-assign]


def _set_environment(codegen: Any, name: str, environment: object) -> None:
    """Give compiled code its environment, except code that is only contained in other code."""
    if address := codegen._engine.get_global_value_address(name):
        ctypes.c_void_p.from_address(address).value = id(environment)
