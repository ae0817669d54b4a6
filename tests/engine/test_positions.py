"""Positions are named as players name them."""

import pytest

from railbird.engine.games import named_game
from railbird.engine.positions import position_names


@pytest.mark.parametrize(
    ("game", "names"),
    [
        ("nolimit-2p", "BB BTN/SB"),
        ("limit-3p", "SB BB BTN"),
        ("limit-4max", "SB BB CO BTN"),
        ("limit-5max", "SB BB HJ CO BTN"),
        ("limit-6max", "SB BB UTG HJ CO BTN"),
        ("limit-7max", "SB BB UTG LJ HJ CO BTN"),
        ("limit-8max", "SB BB UTG UTG+1 LJ HJ CO BTN"),
        ("limit-9max", "SB BB UTG UTG+1 UTG+2 LJ HJ CO BTN"),
        ("limit-10max", "SB BB UTG UTG+1 UTG+2 UTG+3 LJ HJ CO BTN"),
    ],
)
def test_positions_of_every_number_of_players(game: str, names: str) -> None:
    assert " ".join(position_names(named_game(game).blinds)) == names


def test_a_dead_button_and_a_missing_small_blind() -> None:
    assert position_names((5, 10, 0, 0), dead_button=True) == ("SB", "BB", "HJ", "CO")
    assert position_names((10, 0, 0, 0)) == ("BB", "HJ", "CO", "BTN")


def test_without_blinds_only_the_button_counts() -> None:
    assert position_names((0, 0, 0)) == position_names((1, 1, 1)) == ("HJ", "CO", "BTN")
