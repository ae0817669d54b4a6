"""The names of SARTRE's systems, as packs record them: the game, and how hands are described.

`sartre` is heads-up limit hold'em with 50 buckets of E[HS²], `sartre-3p` the same with three players; other ways to
describe hands are parameters, as in `sartre:strength=categories`. Cases of different systems are never compared.
"""

from railbird.agents.sartre.hand_strength import HandStrength
from railbird.cbr.packs.files import PackError
from railbird.spec import parse_spec

HEADS_UP, THREE_PLAYERS = "sartre", "sartre-3p"
GAMES = {2: HEADS_UP, 3: THREE_PLAYERS}
"""The systems of limit hold'em by the number of players."""
USUAL = HandStrength.parse("ehs2-50")
"""How hands are described unless a system says otherwise."""


def players_of(name: str) -> int:
    """The number of players of a system of limit hold'em, by its name without parameters."""
    return next(players for players, each in GAMES.items() if each == name)


def system_name(strength: HandStrength, players: int) -> str:
    """The name of a system of limit hold'em."""
    return GAMES[players] if strength == USUAL else f"{GAMES[players]}:strength={strength}"


def strength_of(system: str, players: int, pack: str) -> HandStrength:
    """How a system describes hands; one for another game, or not of SARTRE, is refused."""
    spec = parse_spec(system)
    if spec.name != GAMES[players]:
        raise PackError(f"{pack}: holds cases of {system}, not of {GAMES[players]}")
    return HandStrength.parse(spec.parameters.get("strength", str(USUAL)))
