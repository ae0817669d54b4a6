"""The names of SARTRE's systems, as packs record them: the game, and how hands are described.

`sartre` is heads-up limit hold'em with 50 buckets of E[HS²], `sartre-3p` the same with three players; other ways to
describe hands are parameters, as in `sartre:strength=categories`. `sartre-nl` is heads-up no-limit hold'em with the
bets `fcqhipdvta`; other bets are a parameter, as in `sartre-nl:actions=fcqhipdvt`. Cases of different systems are never
compared.
"""

from railbird.agents.sartre.hand_strength import HandStrength
from railbird.cbr.packs.files import PackError
from railbird.spec import parse_spec
from railbird.strategies.actions import SARTRE, ActionAbstraction

HEADS_UP, THREE_PLAYERS, NO_LIMIT = "sartre", "sartre-3p", "sartre-nl"
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


def nolimit_name(actions: ActionAbstraction) -> str:
    """The name of a system of no-limit hold'em."""
    return NO_LIMIT if actions == SARTRE else f"{NO_LIMIT}:actions={actions}"


def actions_of(system: str, pack: str) -> ActionAbstraction:
    """The bets of a system of no-limit hold'em; a system of another game, or not of SARTRE, is refused."""
    spec = parse_spec(system)
    if spec.name != NO_LIMIT:
        raise PackError(f"{pack}: holds cases of {system}, not of {NO_LIMIT}")
    return ActionAbstraction(spec.parameters.get("actions", str(SARTRE)))
