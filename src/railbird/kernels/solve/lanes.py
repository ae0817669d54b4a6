"""Sixteen single-precision numbers at once: a vector type for compiled code.

Arrays of lanes have sixteen numbers in their last dimension; `load(array, row)` reads the row-th sixteen of them,
whatever the other dimensions are. The compiler turns every operation into one or two machine instructions; a loop over
sixteen numbers it would turn into sixteen. Operations are exactly those of IEEE 754, in the order in which they are
written, so results are the same on every machine.
"""

import operator
from collections.abc import Callable
from typing import Any

import numpy as np
from llvmlite import ir
from numba import types
from numba.extending import intrinsic, models, overload, register_model
from numpy.typing import NDArray

LANES = 16

_intrinsic: Callable[[Any], Any] = intrinsic  # numba's own type counts the typing context among the arguments

_FLOAT = ir.FloatType()
_BYTE = ir.IntType(8)
_INT = ir.IntType(32)
_FLOATS = ir.VectorType(_FLOAT, LANES)
_BYTES = ir.VectorType(_BYTE, LANES)
_INTS = ir.VectorType(_INT, LANES)
_ZERO = ir.Constant(_FLOATS, [0.0] * LANES)


def aligned_zeros(*shape: int) -> NDArray[np.float32]:
    """An array of lanes that starts at a multiple of 64 bytes: reading sixteen numbers then never takes two reads."""
    size = int(np.prod(shape)) * LANES
    room = np.zeros(size + LANES, dtype=np.float32)
    start = -(room.ctypes.data // room.itemsize) % LANES
    return room[start : start + size].reshape(*shape, LANES)


class LanesType(types.Type):
    """The type of sixteen numbers."""

    def __init__(self) -> None:
        super().__init__(name="lanes")


lanes = LanesType()


@register_model(LanesType)
class _LanesModel(models.PrimitiveModel):
    def __init__(self, manager: Any, kind: Any) -> None:
        super().__init__(manager, kind, _FLOATS)  # type: ignore[no-untyped-call]


def _address(context: Any, builder: Any, kind: Any, array: Any, row: Any, vector: Any) -> Any:
    data = context.make_array(kind)(context, builder, array).data
    first = builder.mul(row, ir.Constant(row.type, LANES))
    return builder.bitcast(builder.gep(data, [first]), vector.as_pointer())


@_intrinsic
def load(_typing: Any, array: Any, _row: Any) -> Any:
    """The row-th sixteen numbers of an array."""

    def generate(context: Any, builder: Any, signature: Any, arguments: Any) -> Any:
        array, row = arguments
        found = builder.load(_address(context, builder, signature.args[0], array, row, _FLOATS))
        found.align = 4
        return found

    return lanes(array, types.int64), generate


@_intrinsic
def load_bytes(_typing: Any, array: Any, _row: Any) -> Any:
    """The row-th sixteen bytes of an array, as numbers."""

    def generate(context: Any, builder: Any, signature: Any, arguments: Any) -> Any:
        array, row = arguments
        found = builder.load(_address(context, builder, signature.args[0], array, row, _BYTES))
        found.align = 1
        return builder.uitofp(builder.zext(found, _INTS), _FLOATS)

    return lanes(array, types.int64), generate


@_intrinsic
def store(_typing: Any, array: Any, _row: Any, _numbers: Any) -> Any:
    """Write the row-th sixteen numbers of an array."""

    def generate(context: Any, builder: Any, signature: Any, arguments: Any) -> Any:
        array, row, numbers = arguments
        address = _address(context, builder, signature.args[0], array, row, _FLOATS)
        builder.store(numbers, address).align = 4
        return context.get_dummy_value()

    return types.void(array, types.int64, lanes), generate


@_intrinsic
def splat(_typing: Any, _number: Any) -> Any:
    """Sixteen times the same number."""

    def generate(_context: Any, builder: Any, _signature: Any, arguments: Any) -> Any:
        undefined = ir.Constant(_FLOATS, ir.Undefined)
        first = builder.insert_element(undefined, arguments[0], _INT(0))
        return builder.shuffle_vector(first, undefined, ir.Constant(_INTS, [0] * LANES))

    return lanes(types.float32), generate


@_intrinsic
def maximum(_typing: Any, _one: Any, _other: Any) -> Any:
    """The greater number of each two."""

    def generate(_context: Any, builder: Any, _signature: Any, arguments: Any) -> Any:
        return builder.select(builder.fcmp_ordered(">", *arguments), *arguments)

    return lanes(lanes, lanes), generate


@_intrinsic
def where_positive(_typing: Any, _condition: Any, _one: Any, _other: Any) -> Any:
    """The one number where the condition is above 0, the other elsewhere."""

    def generate(_context: Any, builder: Any, _signature: Any, arguments: Any) -> Any:
        condition, one, other = arguments
        return builder.select(builder.fcmp_ordered(">", condition, _ZERO), one, other)

    return lanes(lanes, lanes, lanes), generate


@_intrinsic
def total(_typing: Any, _numbers: Any) -> Any:
    """The sum of the sixteen numbers, from the first to the last."""

    def generate(_context: Any, builder: Any, _signature: Any, arguments: Any) -> Any:
        found = builder.extract_element(arguments[0], _INT(0))
        for place in range(1, LANES):
            found = builder.fadd(found, builder.extract_element(arguments[0], _INT(place)))
        return found

    return types.float32(lanes), generate


def _define(symbol: Callable[[Any, Any], Any], instruction: str) -> None:
    """Give lanes one of the four operations of arithmetic."""

    @_intrinsic
    def operate(_typing: Any, _one: Any, _other: Any) -> Any:
        def generate(_context: Any, builder: Any, _signature: Any, arguments: Any) -> Any:
            return getattr(builder, instruction)(*arguments)

        return lanes(lanes, lanes), generate

    @overload(symbol)
    def operation(one: Any, other: Any) -> Any:
        def implementation(one: Any, other: Any) -> Any:
            return operate(one, other)

        return implementation if isinstance(one, LanesType) and isinstance(other, LanesType) else None


_define(operator.add, "fadd")
_define(operator.sub, "fsub")
_define(operator.mul, "fmul")
_define(operator.truediv, "fdiv")
