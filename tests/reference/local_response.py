"""A local best response on the river, holding by holding: fractions to count, eval7 to judge."""

from collections.abc import Mapping, Sequence
from fractions import Fraction

from reference.showdown_equity import Hand, pot_shares


def river_values(
    hole: Sequence[int],
    board: Sequence[int],
    weights: Mapping[Hand, Fraction],
    folds: Mapping[Hand, Fraction],
    *,
    paid: tuple[int, int],
    called: int,
    raised: int,
) -> tuple[Fraction, Fraction, Fraction]:
    """What folding, calling and raising win in the whole hand.

    `weights` and `folds` are the weights of the opponent's holdings and their probabilities of folding to the raise.
    `paid` is what the seat and its opponent have paid, `called` what each has paid after the seat's call, and `raised`
    after the seat's raise and the opponent's call.
    """
    sums = [Fraction(0)] * 3
    for hand, weight in weights.items():
        if {*hand} & {*hole, *board}:
            continue
        share = 2 * pot_shares(((hole[0], hole[1]), hand), board)[0] - 1
        stays = 1 - folds[hand]
        sums[0] += weight
        sums[1] += weight * share * called
        sums[2] += weight * (folds[hand] * paid[1] + stays * share * raised)
    return Fraction(-paid[0]), sums[1] / sums[0], sums[2] / sums[0]
