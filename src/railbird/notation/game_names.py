"""A game by its name or by the path of an ACPC `.game` file, with parameters in either case.

>>> find_game("limit-3p").raise_caps
(3, 4, 4, 4)
"""

from pathlib import Path

from railbird.engine.games import named_game, with_parameters
from railbird.engine.rules import GameRules
from railbird.notation.acpc.game import read_game
from railbird.spec import parse_parameters

_SUFFIX = ".game"


def find_game(text: str) -> GameRules:
    """The rules of `limit-9max:cap=5`, of `some/leduc.game`, or of `some/leduc.game:odd=left-of-button`."""
    path, suffix, parameters = text.partition(_SUFFIX)
    if not suffix or (parameters and not parameters.startswith(":")):
        return named_game(text)
    return with_parameters(read_game(Path(path + suffix)), parse_parameters(text, parameters[1:]))
