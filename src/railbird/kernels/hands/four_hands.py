"""Four hands of seven cards at once: the sums of their cards' numbers, without a lookup in memory.

A card's number is one of its rank plus one of its suit, both of 64 bits. One instruction of AVX2 looks up 32 bytes in a
table of sixteen, and another adds up each eight bytes. So the bytes of each place are added up on their own:

    Σ number(card) = Σ 256^place · (Σ rank_byte(place, card) + Σ suit_byte(place, card))

Other processors add up the hands one by one, which is the caller's task.
"""

from collections.abc import Callable, Iterator, Sequence
from typing import Any

from llvmlite import ir
from numba import types
from numba.extending import intrinsic

HANDS = 4
_CARDS = 7
_ENTRIES = 16
_SECOND_HALF = HANDS * _CARDS - 16
"""The hands' 28 bytes are read in two overlapping halves of sixteen, and this is where the second begins."""

_intrinsic: Callable[[Any], Any] = intrinsic  # numba's own type counts the typing context among the arguments

_INT = ir.IntType(32)
_HALF = ir.VectorType(ir.IntType(8), 16)
_BYTES = ir.VectorType(ir.IntType(8), 8 * HANDS)
_LONGS = ir.VectorType(ir.IntType(64), HANDS)
_LOOK_UP = ("llvm.x86.avx2.pshuf.b", ir.FunctionType(_BYTES, [_BYTES, _BYTES]))
_ADD_UP = ("llvm.x86.avx2.psad.bw", ir.FunctionType(_LONGS, [_BYTES, _BYTES]))


def _has_avx2(context: Any) -> bool:
    _, _, features = context.codegen().magic_tuple()
    return "+avx2" in features.split(",")


@_intrinsic
def can_add_four_hands(_typing: Any) -> Any:
    """Whether the processor that code is compiled for has the instructions."""

    def generate(context: Any, _builder: Any, _signature: Any, _arguments: Any) -> Any:
        return ir.Constant(ir.IntType(1), _has_avx2(context))

    return types.boolean(), generate


def sums_of_four_hands(by_rank: Sequence[int], by_suit: Sequence[int], start: int) -> Any:
    """Make a function for compiled code that can add four hands: of an array of hands, and the row of the first.

    Its four results are `start` and the numbers of a row's seven cards, added up.
    """

    @_intrinsic
    def sums(_typing: Any, hands: Any, _row: Any) -> Any:
        four_sums = types.UniTuple(types.uint64, HANDS)  # type: ignore[no-untyped-call]

        def generate(context: Any, builder: Any, signature: Any, arguments: Any) -> Any:
            if not _has_avx2(context):
                return context.get_constant_undef(four_sums)  # never used
            cards = _cards_at(context, builder, signature.args[0], *arguments)
            # Bytes cannot be shifted on their own: the bits of others are removed.
            ranks = builder.and_(builder.lshr(cards, _each(2)), _each(0x0F0F_0F0F_0F0F_0F0F))
            total = _each(start)
            for place, table in _byte_tables([*by_rank, *[0] * (_ENTRIES - len(by_rank))]):
                total = builder.add(total, _looked_up(builder, place, table, ranks))
            for place, table in _byte_tables([*by_suit] * (_ENTRIES // len(by_suit))):
                total = builder.add(total, _looked_up(builder, place, table, cards))
            parts = [builder.extract_element(total, _INT(hand)) for hand in range(HANDS)]
            return context.make_tuple(builder, signature.return_type, parts)

        return four_sums(hands, types.uint64), generate

    return sums


def _cards_at(context: Any, builder: Any, kind: Any, hands: Any, row: Any) -> Any:
    """The cards of four rows, each row in eight bytes; the eighth is 255, which counts 0 as a rank and as a suit."""
    data = context.make_array(kind)(context, builder, hands).data
    first = builder.mul(row, ir.Constant(row.type, _CARDS))
    halves = []
    for byte in (0, _SECOND_HALF):
        address = builder.gep(data, [builder.add(first, ir.Constant(row.type, byte))])
        half = builder.load(builder.bitcast(address, _HALF.as_pointer()))
        half.align = 1
        halves.append(half)
    places = []
    for hand in range(HANDS):
        in_half = hand * _CARDS if hand < HANDS // 2 else 16 + hand * _CARDS - _SECOND_HALF
        places += [*range(in_half, in_half + _CARDS), in_half]
    spread = builder.shuffle_vector(*halves, ir.Constant(ir.VectorType(_INT, len(places)), places))
    return builder.or_(builder.bitcast(spread, _LONGS), _each(0xFF << 56))


def _byte_tables(numbers: Sequence[int]) -> Iterator[tuple[int, list[int]]]:
    """The bytes of the numbers at each place where one of them is not 0."""
    for place in range(8):
        table = [(number >> (8 * place)) & 0xFF for number in numbers]
        if any(table):
            yield place, table


def _looked_up(builder: Any, place: int, table: Sequence[int], entries: Any) -> Any:
    """The entries' bytes in a table, added up for each hand and moved to their place.

    An entry is the lowest four bits of a byte; one with the highest bit set is 0.
    """
    look_up, add_up = (builder.module.declare_intrinsic(name, (), kind) for name, kind in (_LOOK_UP, _ADD_UP))
    twice = ir.Constant(_BYTES, [*table, *table])  # each half of a vector has a table of its own
    found = builder.call(look_up, [twice, builder.bitcast(entries, _BYTES)])
    total = builder.call(add_up, [found, ir.Constant(_BYTES, [0] * 8 * HANDS)])
    return builder.shl(total, _each(8 * place))


def _each(number: int) -> Any:
    return ir.Constant(_LONGS, [number] * HANDS)
