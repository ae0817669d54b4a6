"""Thirty-two cases at once: a vector type for compiled code, of one 16-bit whole number for each case.

The compiler turns every operation into a few machine instructions, whatever the width of the processor's vectors.
"""

from collections.abc import Callable
from typing import Any

from llvmlite import ir
from numba import types
from numba.extending import intrinsic, models, register_model

LANES = 32

_intrinsic: Callable[[Any], Any] = intrinsic  # numba's own type counts the typing context among the arguments

_BYTE = ir.IntType(8)
_SHORT = ir.IntType(16)
_INT = ir.IntType(32)
_LONG = ir.IntType(64)
_SHORTS = ir.VectorType(_SHORT, LANES)
_INTS = ir.VectorType(_INT, LANES)


class LossesType(types.Type):
    """The type of thirty-two whole numbers."""

    def __init__(self) -> None:
        super().__init__(name="losses")


losses = LossesType()


@register_model(LossesType)
class _LossesModel(models.PrimitiveModel):
    def __init__(self, manager: Any, kind: Any) -> None:
        super().__init__(manager, kind, _SHORTS)  # type: ignore[no-untyped-call]


def _splat(builder: Any, number: Any) -> Any:
    undefined = ir.Constant(_SHORTS, ir.Undefined)
    first = builder.insert_element(undefined, number, _INT(0))
    return builder.shuffle_vector(first, undefined, ir.Constant(_INTS, [0] * LANES))


def _distances(builder: Any, steps: Any, wanted: Any) -> Any:
    is_above = builder.icmp_unsigned(">", steps, wanted)
    return builder.select(is_above, builder.sub(steps, wanted), builder.sub(wanted, steps))


def _share(builder: Any, distance: Any, slope: Any) -> Any:
    product = builder.mul(builder.zext(distance, _INTS), builder.zext(slope, _INTS))
    return builder.trunc(builder.lshr(product, ir.Constant(_INTS, [16] * LANES)), _SHORTS)


def _sum(builder: Any, one: Any, other: Any) -> Any:
    """The sum; what is above 65,535 counts as that."""
    whole = builder.add(one, other)
    greatest = ir.Constant(_SHORTS, [65_535] * LANES)
    return builder.select(builder.icmp_unsigned("<", whole, one), greatest, whole)


@_intrinsic
def no_losses(_typing: Any) -> Any:
    """Nothing, thirty-two times."""

    def generate(_context: Any, _builder: Any, _signature: Any, _arguments: Any) -> Any:
        return ir.Constant(_SHORTS, [0] * LANES)

    return losses(), generate


def _numbers_at(builder: Any, context: Any, kind: Any, array: Any, place: Any, number: Any) -> Any:
    """The thirty-two numbers that begin at this byte of an array."""
    data = context.make_array(kind)(context, builder, array).data
    address = builder.bitcast(builder.gep(data, [place]), ir.VectorType(number, LANES).as_pointer())
    found = builder.load(address)
    found.align = 1
    return found


@_intrinsic
def shorts_at(_typing: Any, array: Any, _place: Any) -> Any:
    """The thirty-two 16-bit numbers that begin at this byte of an array."""

    def generate(context: Any, builder: Any, signature: Any, arguments: Any) -> Any:
        array, place = arguments
        return _numbers_at(builder, context, signature.args[0], array, place, _SHORT)

    return losses(array, types.int64), generate


@_intrinsic
def bytes_at(_typing: Any, array: Any, _place: Any) -> Any:
    """The thirty-two bytes that begin at this one of an array, each times 256."""

    def generate(context: Any, builder: Any, signature: Any, arguments: Any) -> Any:
        array, place = arguments
        found = _numbers_at(builder, context, signature.args[0], array, place, _BYTE)
        return builder.shl(builder.zext(found, _SHORTS), ir.Constant(_SHORTS, [8] * LANES))

    return losses(array, types.int64), generate


@_intrinsic
def with_losses(_typing: Any, _lost: Any, _steps: Any, _wanted: Any, _slope: Any, _greatest: Any) -> Any:
    """The losses, each with that of one attribute added: `min(greatest, abs(step - wanted) * slope >> 16)`.

    No sum may be above 65,535.
    """

    def generate(_context: Any, builder: Any, _signature: Any, arguments: Any) -> Any:
        lost, steps, *splats = arguments
        wanted, slope, greatest = (_splat(builder, each) for each in splats)
        share = _share(builder, _distances(builder, steps, wanted), slope)
        capped = builder.select(builder.icmp_unsigned("<", share, greatest), share, greatest)
        return builder.add(lost, capped)

    return losses(losses, losses, types.uint16, types.uint16, types.uint16), generate


@_intrinsic
def distances(_typing: Any, _steps: Any, _wanted: Any) -> Any:
    """The distances of thirty-two steps from the wanted one."""

    def generate(_context: Any, builder: Any, _signature: Any, arguments: Any) -> Any:
        return _distances(builder, arguments[0], _splat(builder, arguments[1]))

    return losses(losses, types.uint16), generate


@_intrinsic
def on_line(_typing: Any, _distances: Any, _offset: Any, _slope: Any) -> Any:
    """The losses at these distances on a straight line: `offset + (distance * slope >> 16)`, at most 65,535."""

    def generate(_context: Any, builder: Any, _signature: Any, arguments: Any) -> Any:
        distance, *splats = arguments
        offset, slope = (_splat(builder, each) for each in splats)
        return _sum(builder, _share(builder, distance, slope), offset)

    return losses(losses, types.uint16, types.uint16), generate


@_intrinsic
def lesser(_typing: Any, _one: Any, _other: Any) -> Any:
    """The lesser of two losses, thirty-two times."""

    def generate(_context: Any, builder: Any, _signature: Any, arguments: Any) -> Any:
        one, other = arguments
        return builder.select(builder.icmp_unsigned("<", one, other), one, other)

    return losses(losses, losses), generate


@_intrinsic
def sums(_typing: Any, _one: Any, _other: Any) -> Any:
    """The sums of two losses, thirty-two times, each at most 65,535."""

    def generate(_context: Any, builder: Any, _signature: Any, arguments: Any) -> Any:
        return _sum(builder, *arguments)

    return losses(losses, losses), generate


@_intrinsic
def cases_within(_typing: Any, _lost: Any, _budget: Any) -> Any:
    """The cases that lose no more than the budget: a bit for each, the lowest for the first."""

    def generate(_context: Any, builder: Any, _signature: Any, arguments: Any) -> Any:
        lost, budget = arguments
        stays = builder.icmp_unsigned("<=", lost, _splat(builder, budget))
        return builder.zext(builder.bitcast(stays, _INT), _LONG)

    return types.uint64(losses, types.uint16), generate


@_intrinsic
def lowest_bit(_typing: Any, _bits: Any) -> Any:
    """The place of the lowest bit that is set; there must be one."""

    def generate(_context: Any, builder: Any, _signature: Any, arguments: Any) -> Any:
        return builder.cttz(arguments[0], ir.Constant(ir.IntType(1), 1))

    return types.uint64(types.uint64), generate


@_intrinsic
def bit_count(_typing: Any, _bits: Any) -> Any:
    """The number of bits that are set."""

    def generate(_context: Any, builder: Any, _signature: Any, arguments: Any) -> Any:
        return builder.ctpop(arguments[0])

    return types.int64(types.uint64), generate
