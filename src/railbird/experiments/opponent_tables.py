"""The tables of opponents that several experiments share.

baycarp-2011 §7.3 names its opponents and prints how many hands each plays (figures 7.4 and 7.9), but not how they are
configured. Karma, Erasmus and Jake are said to be Pokibots and Absinthe a Simbot. Anders and Frida play as many hands,
and win as many, as Absinthe, so they are Simbots here; Doyle and Hari play like Erasmus and Karma. Of these Karma is
"more inclined to raise after the flop". All choose their hands by income rates (`agents.loki.income_thresholds`).
"""

from collections.abc import Mapping

_SIMBOT = "simbot:trials=100,preflop=hard"
_TIGHT_PASSIVE = "pokibot:profile=tight-passive,preflop=hard"
_TIGHT_AGGRESSIVE = "pokibot:profile=tight-aggressive,preflop=hard"

THESIS_PLAYERS: Mapping[str, str] = {
    "Absinthe": _SIMBOT,
    "Anders": _SIMBOT,
    "Doyle": _TIGHT_AGGRESSIVE,
    "Erasmus": _TIGHT_PASSIVE,
    "Frida": _SIMBOT,
    "Hari": _TIGHT_PASSIVE,
    "Jake": "pokibot:profile=loose-aggressive,preflop=hard",
    "Karma": _TIGHT_AGGRESSIVE,
}
"""The thesis's opponents by name, and the agents that play like them."""

THESIS_PLAYED: Mapping[str, tuple[float, ...]] = {
    "Absinthe": (0.29, 0.28),
    "Anders": (0.29,),
    "Doyle": (0.23, 0.21),
    "Erasmus": (0.18, 0.19),
    "Frida": (0.29, 0.29),
    "Hari": (0.17, 0.19),
    "Jake": (0.43, 0.42),
    "Karma": (0.18, 0.19),
}
"""The hands that each plays, in figures 7.4 and 7.9; Anders is only in the second."""
THESIS_HANDS = 4_500
"""The hands of each session; both figures have a few more."""
THESIS_SHOWDOWNS = (0.35, 0.44)
"""The hands that reach a showdown, in the same figures: all that nobody wins uncontested."""

THESIS_TABLE = tuple(THESIS_PLAYERS.values())
"""Eight opponents for the ninth seat of a nine-handed table."""
