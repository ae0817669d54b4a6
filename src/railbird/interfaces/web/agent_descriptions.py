"""What the pages tell of an agent: names, publications, and its parameters with what they mean."""

from inspect import Signature
from typing import Any

from railbird.agent import AgentInfo, Parameter
from railbird.papers import cited

_KINDS = {"str": "text", "int": "whole number", "float": "number", "bool": "yes or no"}
"""Types of parameters in words; other types are lists of choices."""


def described(info: AgentInfo) -> dict[str, Any]:
    """The description of an agent as plain data."""
    return {
        "name": info.name,
        "title": info.title,
        "summary": info.summary,
        "papers": [cited(each) for each in info.papers],
        "parameters": [
            {
                "name": each.name,
                "kind": _KINDS.get(each.kind, each.kind.replace(" | ", ", ")),
                "needed": each.default is Signature.empty,
                "default": _default(each),
                "meaning": each.meaning.text,
                "source": each.meaning.source,
            }
            for each in info.parameters
        ],
    }


def _default(parameter: Parameter) -> str:
    """The default value as it is written in a spec; "" if there is none."""
    if isinstance(parameter.default, bool):
        return "yes" if parameter.default else "no"
    return "" if parameter.default is Signature.empty else str(parameter.default)
