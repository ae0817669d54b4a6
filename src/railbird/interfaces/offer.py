"""The agents and games that untrusted clients may request: the one allow-list of all servers.

A name from another machine decides what runs on this one, so it is checked as text before any agent is created or
described: for a refused name no file is read, loaded or run, and the refusal does not depend on whether the file
exists. The browser table (sessions, tournaments, advice, comparisons) and the brain check names here on arrival; the
processes that run agents check them again.

A game is bounded by the length of its hands: every view of a table contains the whole hand, and a hand of ever higher
raises would exhaust time and memory.
"""

from collections.abc import Iterator
from dataclasses import dataclass

from railbird.agent import Parameter, agent_info, agent_names
from railbird.engine.rules import GameRules
from railbird.spec import Spec, SpecError, parse_spec, unknown

LONGEST_AGENT = 200
"""Maximum length of an agent's name with its parameters."""
MOST_TIMES = 10
"""Maximum value of a number as a multiple of its default, or of 1 if the default is smaller."""
MOST_ACTIONS = 2_500
"""Maximum number of actions in a hand; ten players with 200 big blinds each may need 2,040."""
_PLAIN_KINDS = ("int", "float", "bool")
_FILE = ".py:"
_QUOTED = 40


@dataclass(frozen=True, slots=True)
class Offer:
    """The agents that may be requested.

    - `Offer()`: every registered agent. Numbers up to a bound, switches and choices may be set; texts, which can name
      files, databases and addresses, may not.
    - `Offer(("casper:pack=my.parquet",))`: these agents, exactly as written.
    - `Offer(trusted=True)`: every agent with all parameters, and agents in files. Only for the local user.

    >>> Offer().verify("simbot:trials=200")
    >>> Offer().verify("bot.py:Cautious")
    Traceback (most recent call last):
    railbird.spec.SpecError: only the operator of the server can name an agent in a file
    """

    agents: tuple[str, ...] = ()
    trusted: bool = False

    @property
    def names(self) -> tuple[str, ...]:
        """The agents that may be requested."""
        return self.agents or agent_names()

    def verify(self, agent: str) -> None:
        """Refuse an agent that is not offered."""
        if self.trusted:
            return
        if self.agents:
            if agent not in self.agents:
                raise unknown("agent of this server", agent[:_QUOTED], self.agents)
            return
        if len(agent) > LONGEST_AGENT:
            raise SpecError(
                f"an agent's name may have at most {LONGEST_AGENT} characters, not {len(agent):,}"
            )
        if _FILE in agent:
            raise SpecError("only the operator of the server can name an agent in a file")
        spec = parse_spec(agent)
        if spec.name not in agent_names():
            raise unknown("agent", spec.name, agent_names())
        for key in _texts_in(spec):
            raise SpecError(
                f"{key} of {spec.name} may name a file or an address, so only the operator of the server can set it"
            )
        _verify_numbers(spec)

    def verify_game(self, rules: GameRules) -> None:
        """Refuse a game whose hands may be too long."""
        if not self.trusted and most_actions(rules) > MOST_ACTIONS:
            raise SpecError(
                f"a hand of {rules.name} may have {most_actions(rules):,} actions, but at most {MOST_ACTIONS:,} are"
                " allowed: choose smaller stacks, larger bets or a cap"
            )


def most_actions(rules: GameRules) -> int:
    """The maximum number of actions in a hand with the stacks of the rules; short all-ins are not counted.

    >>> from railbird.engine.games import named_game
    >>> most_actions(named_game("limit-2p")), most_actions(named_game("nolimit-10max"))
    (38, 2040)
    """
    # Every raise is by at least the smallest bet, and after it every player acts at most once more.
    raises = max(rules.stacks) // min(rules.bet_sizes)
    caps = [cap for cap in rules.raise_caps if cap is not None]
    if len(caps) == rules.rounds:
        raises = min(raises, sum(caps))
    return rules.players * (raises + rules.rounds)


def _texts_in(spec: Spec) -> Iterator[str]:
    """The text parameters of a registered agent, which may name files, databases and addresses."""
    kinds = {parameter.name: parameter.kind for parameter in agent_info(spec.name).parameters}
    for key, value in spec.parameters.items():
        kind = kinds.get(key.replace("-", "_"), "int")  # unknown parameters are refused by `make_agent`
        choices = kind.split(" | ")
        if kind not in _PLAIN_KINDS and (len(choices) == 1 or value not in choices):
            yield key


def _verify_numbers(spec: Spec) -> None:
    """Refuse numbers that would make an agent too expensive."""
    bounds = {
        parameter.name: MOST_TIMES * _usual(parameter)
        for parameter in agent_info(spec.name).parameters
        if parameter.kind in ("int", "float")
    }
    for key, value in spec.parameters.items():
        most = bounds.get(key.replace("-", "_"))
        if most is not None and not _number(value) <= most:
            raise SpecError(f"{key} of {spec.name} may be at most {most:,g} on this server")


def _usual(parameter: Parameter) -> float:
    """The default of a number, at least 1."""
    return max(1, parameter.default) if isinstance(parameter.default, int | float) else 1


def _number(text: str) -> float:
    """The number in a text; 0 for anything else, which `make_agent` refuses."""
    try:
        return float(text)
    except ValueError:
        return 0.0
