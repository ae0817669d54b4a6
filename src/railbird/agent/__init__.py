"""Agents: what they are told, what they answer, and how they are found.

- `contract`: `Agent`, `Decision`, `Strategies`, and what an agent is told about a match and a hand
- `faults`: what agents can do wrong: every fault has a name, and whatever an agent's code raises becomes one of them
- `plain_form`: what agents are told and answer as plain data, which JSON can hold
- `ranges`: the range of an agent in a situation, as sections of an explanation: what it does with each starting hand
- `registry`: agents by name and parameters, and what there is to say about each
"""

from railbird.agent.contract import (
    Agent,
    Decision,
    HandResult,
    MatchAgent,
    MatchStart,
    NoStrategy,
    Strategies,
    UnsuitableGame,
    drawn,
)
from railbird.agent.ranges import range_sections
from railbird.agent.registry import AgentInfo, Parameter, agent_info, agent_names, fingerprint, make_agent
from railbird.explanation import UNEXPLAINED, Explanation, Fact

__all__ = [
    "UNEXPLAINED",
    "Agent",
    "AgentInfo",
    "Decision",
    "Explanation",
    "Fact",
    "HandResult",
    "MatchAgent",
    "MatchStart",
    "NoStrategy",
    "Parameter",
    "Strategies",
    "UnsuitableGame",
    "agent_info",
    "agent_names",
    "drawn",
    "fingerprint",
    "make_agent",
    "range_sections",
]
