"""Agents: the messages they get, the decisions they return, and how they are found by name.

- `contract`: `Agent`, `Decision`, `Strategies`, and the messages about a match and a hand
- `faults`: named faults of agents: every exception from an agent's code becomes one of them
- `given`: agents given as objects or classes, as names that carry them
- `meanings`: what the parameters of agents mean, as annotations
- `names`: names of agents for people, unique at a table
- `plain_form`: messages to agents and their decisions as plain data for JSON
- `ranges`: the range of an agent in a situation, as sections of an explanation: what it does with each starting hand
- `registry`: agents by name and parameters, and a description of each
- `sending`: agents, and work with agents, pickled for other processes
"""

from railbird.agent.contract import (
    ActionValue,
    Agent,
    Decision,
    HandPlayer,
    HandResult,
    MatchAgent,
    MatchStart,
    NoStrategy,
    Strategies,
    UnsuitableGame,
    drawn,
)
from railbird.agent.given import AgentLike, GivenAgent, named
from railbird.agent.meanings import Meaning
from railbird.agent.names import agent_of_label, display_name, display_names, numbered
from railbird.agent.ranges import range_sections
from railbird.agent.registry import (
    AgentInfo,
    Parameter,
    agent_info,
    agent_names,
    fingerprint,
    keeps_experience,
    make_agent,
    parse_agent,
)
from railbird.explanation import UNEXPLAINED, Explanation, Fact

__all__ = [
    "UNEXPLAINED",
    "ActionValue",
    "Agent",
    "AgentInfo",
    "AgentLike",
    "Decision",
    "Explanation",
    "Fact",
    "GivenAgent",
    "HandPlayer",
    "HandResult",
    "MatchAgent",
    "MatchStart",
    "Meaning",
    "NoStrategy",
    "Parameter",
    "Strategies",
    "UnsuitableGame",
    "agent_info",
    "agent_names",
    "agent_of_label",
    "display_name",
    "display_names",
    "drawn",
    "fingerprint",
    "keeps_experience",
    "make_agent",
    "named",
    "numbered",
    "parse_agent",
    "range_sections",
]
