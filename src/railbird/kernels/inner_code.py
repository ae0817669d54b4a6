"""What only compiled functions call: optimised and turned into machine code within its callers, not on its own.

numba optimises each function, makes machine code of it with a wrapper for callers in Python and one for callers in C,
and does so once more for a copy within every function that calls it. While kernels are compiled, of a function that
Python cannot call only the copies are finished:

- kernels without wrappers (`compiler`): their own code is only simplified, for the functions that will call them
- public kernels that another one calls: the same, until Python calls them too (`finishing`)
- numba's implementations of functions such as `np.zeros`: no wrapper for C either, and one form for all callers that
  hand down the same options, instead of one for every set of options

What is finished as a whole is not simplified function by function before.
"""

import ctypes
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any, ClassVar

from llvmlite.binding import parse_bitcode
from numba.core import dispatcher
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
        if not self.kernels_under_way:
            super()._optimize_functions(ll_module)
            return
        ll_module.data_layout = self._codegen._data_layout
        if _compiles_inner_code():
            passes, builder = self._codegen._function_pass_manager()
            for function in ll_module.functions:
                if not function.is_declaration:
                    passes.run(function, builder)

    def _optimize_final_module(self) -> None:
        self._is_inner = bool(self.kernels_under_way) and _compiles_inner_code()
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


def is_inner(compiled: Any) -> bool:
    """Whether only compiled functions can call this one."""
    return isinstance(compiled.library, KernelLibrary) and compiled.library._is_inner


def is_called_from_python(function: Any) -> bool:
    """Whether it is Python that needs the kernel under way, and may call it."""
    return KernelLibrary.kernels_under_way == 1 and not function.targetoptions.get("no_cpython_wrapper")


def _compiles_inner_code() -> bool:
    """Whether Python will not be able to call the function under way."""
    flags = ConfigStack.top_or_none()
    return bool(flags and flags.no_cpython_wrapper and flags.no_cfunc_wrapper)


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
    add_overload = dispatcher.Dispatcher.add_overload

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

    def options(_: Any, flags: Any) -> Any:
        if KernelLibrary.kernels_under_way > 1:
            flags.no_cpython_wrapper = flags.no_cfunc_wrapper = True
        return flags

    def add(function: Any, compiled: Any) -> None:
        if is_inner(compiled):  # Python must not find what it cannot call
            function.overloads[tuple(compiled.signature.args)] = compiled
        else:
            add_overload(function, compiled)

    _OverloadFunctionTemplate._get_impl = implementation  # type: ignore[method-assign]
    _OverloadFunctionTemplate._get_jit_decorator = decorator  # type: ignore[method-assign]
    dispatcher._FunctionCompiler._customize_flags = options  # type: ignore[attr-defined]
    dispatcher.Dispatcher.add_overload = add  # type: ignore[method-assign, assignment]
    JITCPUCodegen._library_class = KernelLibrary
    JITCPUCodegen.set_env = _set_environment  # type: ignore[method-assign]


def _set_environment(codegen: Any, name: str, environment: object) -> None:
    """Give compiled code its environment, except code that is only contained in other code."""
    if address := codegen._engine.get_global_value_address(name):
        ctypes.c_void_p.from_address(address).value = id(environment)
