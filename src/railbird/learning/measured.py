"""Who is measured: the strategy in a file, or an agent by its name and parameters."""

from hashlib import sha256
from pathlib import Path

from railbird.agent import Agent, fingerprint, make_agent
from railbird.agents.equilibrium.agent import Equilibrium


def is_strategy_file(name: str) -> bool:
    """Whether a name is that of a file, which may be missing, and not that of an agent.

    >>> is_strategy_file("limit.strategy"), is_strategy_file("casper:pack=limit.strategy")
    (True, False)
    """
    return Path(name).is_file() or (name.endswith(".strategy") and ":" not in name)


def player_named(name: str) -> Agent:
    """The agent that plays the strategy in a file, or the agent with a name."""
    return Equilibrium(strategy=name) if is_strategy_file(name) else make_agent(name)


def player_digest(name: str) -> str:
    """A digest of the files of a player; empty for an agent without files."""
    if is_strategy_file(name):
        return sha256(Path(name).read_bytes()).hexdigest()
    return fingerprint(name, trusted=True)
