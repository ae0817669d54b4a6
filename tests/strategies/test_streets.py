"""Heads-up limit hold'em in streets: every decision has a place of its own, in the lane of its history."""

import numpy as np
import pytest

from railbird.engine.games import named_game
from railbird.kernels.solve import programs as steps
from railbird.strategies.programs import write_program
from railbird.strategies.streets import TreeLayout
from railbird.strategies.tree import DECISION

RULES = named_game("limit-2p")
LAYOUT = TreeLayout(RULES, (169, 3, 2, 4))


def test_streets_have_the_known_numbers_of_roots() -> None:
    sections = (LAYOUT.preflop, LAYOUT.flop, LAYOUT.turn, LAYOUT.river)
    assert [int((section.roots >= 0).sum()) for section in sections] == [1, 7, 63, 567]
    assert [section.batches for section in sections] == [1, 1, 4, 36]
    assert [len(section.leaves) for section in sections] == [7, 9, 9, 0]
    assert [len(section.nodes) for section in sections[1:]] == [27, 27, 27]


def test_river_roots_stand_in_the_lanes_of_their_turn_roots() -> None:
    turn, river = LAYOUT.turn, LAYOUT.river
    for batch in range(turn.batches):
        for place, leaf in enumerate(turn.leaves):
            used = turn.roots[batch] >= 0
            following = river.roots[batch * len(turn.leaves) + place]
            assert np.array_equal(following[used], turn.roots[batch][used] + leaf)
            assert (following[~used] == -1).all()


@pytest.mark.parametrize("layout", [LAYOUT, TreeLayout(RULES, (169, 3, 2, 4), (169, 5, 5, 5))])
def test_no_two_decisions_share_a_number(layout: TreeLayout) -> None:
    taken = np.zeros((layout.size, 16), dtype=np.int64)
    for node in layout.tree.decisions.tolist():
        row = int(layout.rows[node])
        taken[row : row + 3 * layout.buckets_at(node), layout.lanes[node]] += 1
    assert taken.max() == 1
    first = layout.rows[layout.tree.kinds != DECISION]
    assert (first == -1).all()


def test_payoffs_are_what_was_paid() -> None:
    tree, section = LAYOUT.tree, LAYOUT.turn_and_river
    for seat in (0, 1):
        stakes = section.payoffs(seat)
        for batch, lane, place in ((0, 0, 0), (1, 5, 40), (3, 14, len(section.ends) - 1)):
            node = int(section.roots[batch, lane]) + section.ends[place]
            has_folded = tree.folded[node] >> seat & 1
            chips = -tree.paid[node, seat] if has_folded else tree.paid[node, 1 - seat]
            assert stakes[batch, place, lane] == pytest.approx(chips / RULES.small_bet)
        assert not stakes[3, :, 15].any()


@pytest.mark.parametrize("seat", [0, 1])
def test_programs_visit_every_node_once(seat: int) -> None:
    for section, is_last in ((LAYOUT.flop, False), (LAYOUT.turn_and_river, True)):
        written = write_program(LAYOUT, section, seat, down=is_last)
        done = np.bincount(written.steps[:, steps.WHAT], minlength=10)
        decisions = len(section.nodes) - len(section.ends) - len(section.leaves)
        assert done[steps.MATCH] == done[steps.UPDATE] + done[steps.GATHER] == decisions
        assert done[steps.FOLD] + done[steps.SHOWDOWN] + 2 * done[steps.SHOWDOWN_OR_FOLD] == len(section.ends)
        assert done[steps.TAKE_UP] == len(section.leaves)
        sends = written.steps[written.steps[:, steps.WHAT] == steps.SEND]
        places = np.flatnonzero(written.steps[:, steps.WHAT] == steps.SEND)
        assert (sends[:, steps.SKIP] > places).all()
