"""Agents given as objects or classes, instead of by name.

Such an agent becomes a name that carries it (`GivenAgent`), such as `Cautious#1a2b3c4d`, which goes wherever names of
agents go: into plans, journals and results, and to workers.

- A class is constructed for every seating, without arguments. An object is a prototype: every seating plays a copy of
  it as it was when it was given.
- The digits after the class belong to a digest of its program and its state: the files that define the class and its
  bases outside of Railbird, the code and the attributes of these classes, and the attributes of the object. Another
  class of the same name, or another state, is another player: a journal does not resume with it. An agent that cannot
  be described in this way, such as one with an open file, is another player each time.
"""

import pickle
import sys
from collections.abc import Iterator, Mapping
from copy import deepcopy
from functools import cached_property
from hashlib import sha256
from inspect import isclass
from io import BytesIO
from pathlib import Path
from secrets import token_bytes
from types import CodeType, FunctionType
from typing import Any, TypeAlias

from railbird.agent.contract import Agent
from railbird.agent.faults import crash_sentence
from railbird.spec import SpecError

AgentLike: TypeAlias = str | Agent | type[Agent]
"""A name with parameters, an object or a class."""

_DIGITS = 8
_UNCOUNTED = ("__dict__", "__weakref__", "__firstlineno__", "__static_attributes__", "_abc_impl")
"""Attributes that Python adds to classes."""


class GivenAgent(str):
    """The name of an agent that was given as an object or a class, and the agent itself.

    >>> from railbird.agents.baselines import AlwaysCall
    >>> GivenAgent.of(AlwaysCall).label, type(GivenAgent.of(AlwaysCall()).make()).__name__
    ('AlwaysCall', 'AlwaysCall')
    """

    given: Agent | type[Agent]
    digest: str

    def __new__(cls, given: Agent | type[Agent], digest: str) -> "GivenAgent":
        """The name of an agent with this digest."""
        kind = given if isclass(given) else type(given)
        named = super().__new__(cls, f"{kind.__name__}#{digest[:_DIGITS]}")
        named.given, named.digest = given, digest
        return named

    def __getnewargs__(self) -> tuple[Agent | type[Agent], str]:  # type: ignore[override]
        return self.given, self.digest

    @classmethod
    def of(cls, given: Agent | type[Agent]) -> "GivenAgent":
        """The name of an agent as it is now."""
        return cls(given if isclass(given) else _copied(given), _digest_of(given))

    @property
    def label(self) -> str:
        """The name of its class."""
        return self.partition("#")[0]

    def __repr__(self) -> str:
        return self.label if isclass(self.given) else f"{self.label}(…)"

    def make(self) -> Agent:
        """A new agent."""
        return constructed(self.given, self.label, {}) if isclass(self.given) else _copied(self.given)


def named(agent: AgentLike) -> str:
    """The name of an agent, which carries it if it was given as an object or a class."""
    if isinstance(agent, str):
        return agent
    if isinstance(agent, Agent) or (isclass(agent) and issubclass(agent, Agent)):
        return GivenAgent.of(agent)
    raise SpecError(f"{agent!r} is not an agent: give a name, or an object or a class of railbird.Agent")


def constructed(found: type[Agent], name: str, arguments: Mapping[str, Any]) -> Agent:
    """A new agent of a class; an error that its program did not mean for users becomes a `SpecError`."""
    try:
        return found(**arguments)
    except (ValueError, OSError):
        raise  # a refusal, with its own words
    except Exception as error:
        # The broad except: an agent is untrusted code that may raise anything.
        raise SpecError(f"{name} cannot be created: {crash_sentence(error)}") from error


def _copied(agent: Agent) -> Agent:
    try:
        return deepcopy(agent)
    except Exception as error:
        # The broad except: an agent is untrusted code that may raise anything.
        name = type(agent).__name__
        raise SpecError(
            f"{name} cannot be copied, and every seating plays a copy: give the class ({type(error).__name__}: {error})"
        ) from error


def _digest_of(given: Agent | type[Agent]) -> str:
    """A digest of the program and the state of an agent."""
    kind = given if isclass(given) else type(given)
    described = BytesIO()
    describer = _Describer(described, protocol=5)
    try:
        for each in _programs(kind):
            attributes = {name: value for name, value in vars(each).items() if name not in _UNCOUNTED}
            describer.dump((_file_of(each), each.__qualname__, attributes))
        if not isclass(given):
            describer.dump(given)
    except Exception:
        # The broad except: an agent is untrusted code that may raise anything.
        described.write(token_bytes())
    return sha256(described.getvalue()).hexdigest()


def _programs(kind: type) -> Iterator[type]:
    """A class and its bases that are not parts of Railbird or Python."""
    for each in kind.__mro__:
        if each.__module__.partition(".")[0] not in ("railbird", "builtins", "abc", "typing"):
            yield each


def _file_of(kind: type) -> bytes:
    """The content of the file that defines a class; empty for one defined elsewhere, such as in a notebook."""
    file = getattr(sys.modules.get(kind.__module__), "__file__", None)
    return Path(file).read_bytes() if file and Path(file).is_file() else b""


class _Describer(pickle.Pickler):
    """Pickles for a digest only: programs by their code, classes by their names."""

    def reducer_override(self, thing: Any) -> Any:
        match thing:
            case FunctionType():
                cells = [cell.cell_contents for cell in thing.__closure__ or ()]
                parts: list[Any] = [_code(thing.__code__), thing.__defaults__, thing.__kwdefaults__, cells]
            case classmethod() | staticmethod():
                parts = [thing.__func__]
            case property():
                parts = [thing.fget, thing.fset, thing.fdel]
            case cached_property():
                parts = [thing.func]
            case type() if thing is not tuple:
                parts = [thing.__module__, thing.__qualname__]
            case _:
                return NotImplemented
        return tuple, (parts,)


def _code(code: CodeType) -> list[Any]:
    """What a function does, whatever its file and lines."""
    constants = [
        _code(each)
        if isinstance(each, CodeType)
        else sorted(map(repr, each))
        if isinstance(each, frozenset)
        else each
        for each in code.co_consts
    ]
    return [code.co_name, code.co_code, code.co_names, code.co_varnames, code.co_freevars, constants]
