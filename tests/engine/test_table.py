"""Between hands: the button, the blinds, and players who are missing."""

import pytest

from railbird.engine.games import named_game
from railbird.engine.table import ButtonRule, Seating, Table, TableError


def blinds_by_seat(seating: Seating) -> dict[int, int]:
    return {seat: blind for seat, blind in zip(seating.seats, seating.setup.blinds, strict=True) if blind}


def test_the_button_goes_around_and_the_blinds_follow() -> None:
    table = Table(named_game("limit-3p"))
    hands = [table.next_hand() for _ in range(4)]
    assert [hand.button for hand in hands] == [2, 0, 1, 2]
    assert [hand.seats for hand in hands] == [(0, 1, 2), (1, 2, 0), (2, 0, 1), (0, 1, 2)]
    assert [blinds_by_seat(hand) for hand in hands[:2]] == [{0: 5, 1: 10}, {1: 5, 2: 10}]


def test_heads_up_the_button_posts_the_small_blind() -> None:
    table = Table(named_game("limit-2p"))
    first, second = table.next_hand(), table.next_hand()
    assert (first.button, blinds_by_seat(first)) == (1, {1: 5, 0: 10})
    assert (second.button, blinds_by_seat(second)) == (0, {0: 5, 1: 10})


def test_a_full_table_reuses_one_setup_when_every_hand_starts_afresh() -> None:
    table = Table(named_game("limit-3p"))
    assert table.next_hand().setup is table.next_hand().setup


def test_a_missing_small_blind_is_not_posted_under_the_dead_button_rule() -> None:
    table = Table(named_game("limit-4max"))
    assert blinds_by_seat(table.next_hand()) == {0: 5, 1: 10}
    table.sit_out(1)  # the big blind leaves and would owe the small blind next
    hand = table.next_hand()
    assert blinds_by_seat(hand) == {2: 10}
    assert (hand.button, hand.seats) == (0, (2, 3, 0))
    assert hand.setup.first == 1, "the seat after the big blind opens"


def test_the_button_may_be_dead() -> None:
    table = Table(named_game("limit-4max"))
    table.next_hand()
    table.sit_out(0)  # the small blind leaves, and the button comes to the empty seat
    hand = table.next_hand()
    assert (hand.button, hand.seats) == (0, (1, 2, 3))
    assert blinds_by_seat(hand) == {1: 5, 2: 10}


def test_with_a_moving_button_nobody_is_skipped_but_blinds_are_always_posted() -> None:
    table = Table(named_game("limit-4max"), button_rule=ButtonRule.MOVING)
    assert blinds_by_seat(table.next_hand()) == {0: 5, 1: 10}
    table.sit_out(1)
    hand = table.next_hand()
    assert (hand.button, blinds_by_seat(hand)) == (0, {2: 5, 3: 10})


def test_nobody_posts_the_big_blind_twice_in_a_row_when_three_become_two() -> None:
    for leaver in range(3):
        table = Table(named_game("limit-3p"))
        before = table.next_hand()
        big = next(seat for seat, blind in blinds_by_seat(before).items() if blind == 10)
        table.sit_out(leaver)
        after = table.next_hand()
        assert len(after.seats) == 2
        assert blinds_by_seat(after)[after.button] == 5
        assert blinds_by_seat(after).get(big) != 10


def test_a_player_who_comes_back_is_dealt_in_again() -> None:
    table = Table(named_game("limit-3p"))
    table.sit_out(0)
    assert len(table.next_hand().seats) == 2
    table.come_back(0)
    assert len(table.next_hand().seats) == 3


def test_stacks_are_carried_over_and_a_player_without_chips_is_not_dealt_in() -> None:
    table = Table(named_game("nolimit-3p:stack=1000,carry=yes"))
    hand = table.next_hand()
    table.settle(hand, (-1000, 400, 600))
    assert table.stacks == [0, 1400, 1600]
    assert table.dealt_in() == (1, 2)
    assert sorted(table.next_hand().setup.stacks) == [1400, 1600]
    table.add_chips(0, 500)
    assert table.dealt_in() == (0, 1, 2)


def test_doyles_game_starts_every_hand_with_the_same_stacks() -> None:
    table = Table(named_game("nolimit-2p"))
    table.settle(table.next_hand(), (-20000, 20000))
    assert table.next_hand().setup.stacks == (20000, 20000)


def test_a_hand_needs_two_players() -> None:
    table = Table(named_game("limit-2p"))
    table.sit_out(0)
    with pytest.raises(TableError, match="1 players with chips are present"):
        table.next_hand()
    with pytest.raises(TableError, match="no seat 5"):
        table.sit_out(5)
    with pytest.raises(TableError, match="cannot buy"):
        table.add_chips(0, 0)
    with pytest.raises(TableError, match="cannot have the button"):
        Table(named_game("limit-2p"), button=2)
