"""ACPC logs read without Railbird's reader: who decided what in which round, with which cards, and won what."""

from collections.abc import Iterator
from typing import NamedTuple

STAGES = ("preflop", "flop", "turn", "river")
ACTIONS = {"f": "fold", "c": "call", "r": "raise"}


class Decided(NamedTuple):
    """One decision as it stands in the log."""

    stage: str
    hand: str
    player: str
    cards: str
    board: str
    action: str
    chips: float
    """What the player won or lost in the hand."""


def decisions_in(log: str) -> Iterator[Decided]:
    """Every decision of a limit log with three players or more, in which nobody is ever all-in."""
    for line in log.splitlines():
        if not line.startswith("STATE:"):
            continue
        _, hand, betting, cards, chips, names = line.split(":")
        players, won = names.split("|"), chips.split("|")
        hole, *board = cards.split("/")
        folded: set[int] = set()
        for number, letters in enumerate(betting.split("/")):
            seat = 1 if number == 0 else len(players) - 1
            for letter in letters:
                seat = next(
                    other % len(players)
                    for other in range(seat + 1, seat + 1 + len(players))
                    if other % len(players) not in folded
                )
                yield Decided(
                    STAGES[number],
                    hand,
                    players[seat],
                    hole.split("|")[seat],
                    "".join(board[:number]),
                    ACTIONS[letter],
                    float(won[seat]),
                )
                if letter == "f":
                    folded.add(seat)
