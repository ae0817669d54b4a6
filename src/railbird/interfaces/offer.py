"""Which agents and games somebody else may ask for: the one list that stands before every server of ours.

A name from another machine decides what runs on this one, so it is checked as text, before anything is made, planned or
described: nothing of a file is read, loaded or run for a name that is refused, and the refusal does not depend on
whether the file exists. The table in the browser (sessions, tournaments, advice, comparisons) and the brain check names
here when they come in; the processes in which agents think check them here once more.

A game is bounded by the length of its hands: every view of a table tells the whole hand, and a hand of always higher
raises would take all time and memory that there is.
"""

from collections.abc import Iterator
from dataclasses import dataclass

from railbird.agent import Parameter, agent_info, agent_names
from railbird.engine.rules import GameRules
from railbird.spec import Spec, SpecError, parse_spec, unknown

LONGEST_AGENT = 200
"""The maximum length of an agent's name with its parameters."""
MOST_TIMES = 10
"""A number is at most this many times its default, or this where the default is less than 1."""
MOST_ACTIONS = 2_500
"""The maximum number of actions in a hand of a game: ten players who each have 200 big blinds may need 2,040."""
_PLAIN_KINDS = ("int", "float", "bool")
_FILE = ".py:"
_QUOTED = 40


@dataclass(frozen=True, slots=True)
class Offer:
    """Which agents may be asked for.

    - `Offer()`: every registered agent. Numbers up to a bound, switches and choices may be set; texts, which name
      files, databases and addresses, may not.
    - `Offer(("casper:pack=my.parquet",))`: these, exactly as they are written.
    - `Offer(trusted=True)`: every agent with all parameters, and those in files. Only for who sits at this machine.

    >>> Offer().verify("simbot:trials=200")
    >>> Offer().verify("bot.py:Cautious")
    Traceback (most recent call last):
    railbird.spec.SpecError: an agent in a file can be named only by whoever runs the server
    """

    agents: tuple[str, ...] = ()
    trusted: bool = False

    @property
    def names(self) -> tuple[str, ...]:
        """What may be asked for."""
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
            raise SpecError(f"an agent is named with at most {LONGEST_AGENT} characters, not {len(agent):,}")
        if _FILE in agent:
            raise SpecError("an agent in a file can be named only by whoever runs the server")
        spec = parse_spec(agent)
        if spec.name not in agent_names():
            raise unknown("agent", spec.name, agent_names())
        for key in _texts_in(spec):
            raise SpecError(
                f"{key} of {spec.name} may name a file or an address, so only whoever runs the server can set it"
            )
        _verify_numbers(spec)

    def verify_game(self, rules: GameRules) -> None:
        """Refuse a game whose hands may go on and on."""
        if not self.trusted and most_actions(rules) > MOST_ACTIONS:
            raise SpecError(
                f"a hand of {rules.name} may have {most_actions(rules):,} actions, and at most {MOST_ACTIONS:,} are"
                " offered: choose smaller stacks, larger bets or a cap"
            )


def most_actions(rules: GameRules) -> int:
    """The maximum number of actions in a hand that begins with the stacks of the rules; short all-ins are not counted.

    >>> from railbird.engine.games import named_game
    >>> most_actions(named_game("limit-2p")), most_actions(named_game("nolimit-10max"))
    (38, 2040)
    """
    # Every raise is by at least the smallest bet, and after it everybody acts once more at most.
    raises = max(rules.stacks) // min(rules.bet_sizes)
    caps = [cap for cap in rules.raise_caps if cap is not None]
    if len(caps) == rules.rounds:
        raises = min(raises, sum(caps))
    return rules.players * (raises + rules.rounds)


def _texts_in(spec: Spec) -> Iterator[str]:
    """The parameters of a registered agent that are texts, which may name files, databases and addresses."""
    kinds = {parameter.name: parameter.kind for parameter in agent_info(spec.name).parameters}
    for key, value in spec.parameters.items():
        kind = kinds.get(key.replace("-", "_"), "int")  # one that does not exist is refused by `make_agent`
        choices = kind.split(" | ")
        if kind not in _PLAIN_KINDS and (len(choices) == 1 or value not in choices):
            yield key


def _verify_numbers(spec: Spec) -> None:
    """Refuse numbers with which an agent would keep the machine busy."""
    bounds = {
        parameter.name: MOST_TIMES * _usual(parameter)
        for parameter in agent_info(spec.name).parameters
        if parameter.kind in ("int", "float")
    }
    for key, value in spec.parameters.items():
        most = bounds.get(key.replace("-", "_"))
        if most is not None and not _number(value) <= most:
            raise SpecError(f"{key} of {spec.name} is at most {most:,g} on this server")


def _usual(parameter: Parameter) -> float:
    """What a number usually is, at least 1: the default, if it has one."""
    return max(1, parameter.default) if isinstance(parameter.default, int | float) else 1


def _number(text: str) -> float:
    """The number that a text says; 0 for one that says none, which `make_agent` refuses."""
    try:
        return float(text)
    except ValueError:
        return 0.0
