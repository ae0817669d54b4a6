"""Agents by name.

An agent is named `name` or `name:key=value,…`; the name is an entry point of the group `railbird.agents`, or a class
in a file, `bot.py:Cautious`. Parameters are the arguments of its constructor, which only stores them; one without an
annotation has the type of its default.
"""

import importlib.util
import inspect
import sys
from collections.abc import Mapping
from dataclasses import dataclass
from functools import cache
from hashlib import sha256
from importlib.metadata import EntryPoint, entry_points
from pathlib import Path
from types import NoneType, UnionType
from typing import Any, Literal, Union, get_args, get_origin

from railbird.agent.contract import Agent
from railbird.agent.faults import crash_sentence
from railbird.agent.given import AgentLike, GivenAgent, constructed, named
from railbird.agent.meanings import UNSTATED, Meaning, meaning_of, plain_type
from railbird.spec import Spec, SpecError, parse_flag, parse_parameters, parse_spec, unknown

GROUP = "railbird.agents"


@dataclass(frozen=True, slots=True)
class Parameter:
    """An argument of an agent's constructor."""

    name: str
    kind: str
    default: Any
    meaning: Meaning = UNSTATED


@dataclass(frozen=True, slots=True)
class AgentInfo:
    """The description of a registered agent."""

    name: str
    title: str
    """Its name for people."""
    summary: str
    papers: tuple[str, ...]
    """The publications that describe it, for `railbird.papers.cited`."""
    parameters: tuple[Parameter, ...]


@cache
def _registered() -> Mapping[str, EntryPoint]:
    return {point.name: point for point in entry_points(group=GROUP)}


def agent_names() -> tuple[str, ...]:
    """Every registered agent, in alphabetical order.

    >>> agent_names()[:3]
    ('always-call', 'always-fold', 'always-raise')
    """
    return tuple(sorted(_registered()))


def agent_info(name: str) -> AgentInfo:
    """Describe a registered agent."""
    found = _agent_class(Spec(name))
    title: str = vars(found).get("title", "")  # a subclass does not inherit it
    summary = (inspect.getdoc(found) or "").partition("\n")[0]
    papers = tuple(each.strip() for each in found.papers.split(";") if each)
    return AgentInfo(name, title or title_from(name), summary, papers, _parameters(found))


def title_from(name: str) -> str:
    """The title of an agent that states none.

    >>> title_from("my-first-bot")
    'My first bot'
    """
    return name.replace("-", " ").replace("_", " ").capitalize()


def make_agent(agent: AgentLike) -> Agent:
    """A new agent from its name and parameters, or from a class in a file: `bot.py:Cautious`.

    An object is copied, a class constructed without arguments.

    >>> type(make_agent("simbot:trials=200")).__name__
    'Simbot'
    """
    text = named(agent)
    if isinstance(text, GivenAgent):
        return text.make()
    spec = parse_agent(text)
    found = _agent_class(spec)
    known = {parameter.name: parameter for parameter in _signature(found)}
    arguments = {}
    for key, value in spec.parameters.items():
        parameter = known.get(key.replace("-", "_"))
        if parameter is None:
            if not known:
                raise SpecError(f"{spec.name} has no parameters, but {key}={value} was given")
            raise unknown(f"parameter of {spec.name}", key, known)
        arguments[parameter.name] = _convert(_type_of(parameter), key, value)
    for name, parameter in known.items():
        if parameter.default is inspect.Parameter.empty and name not in arguments:
            raise SpecError(f"{spec.name} needs the parameter {name}: write {spec.name}:{name}=…")
    return constructed(found, spec.name, arguments)


def keeps_experience(text: str) -> bool:
    """Whether an agent has, with its parameters, experiences of a match for later ones.

    An agent in a file may misbehave, so it is not constructed here: its class tells whether it can have any.

    >>> keeps_experience("baycarp2:retain=yes"), keeps_experience("baycarp2")
    (True, False)
    """
    found: Agent | type[Agent]
    if isinstance(text, GivenAgent):
        found = text.given
    else:
        found = _agent_class(parse_agent(text)) if ".py:" in text else make_agent(text)
    return found.lived is not Agent.lived if inspect.isclass(found) else found.keeps_experience


def fingerprint(text: str, *, trusted: bool = False) -> str:
    """A digest of an agent's files; empty for an agent without files. A given agent is described by its own digest.

    If the name is not trusted, no file is read and no program is loaded: an agent in a file is refused, whether or not
    the file exists, and so is an agent whose parameters name files.

    An agent in a file may misbehave, so it is not constructed here: its files are the program and those that its
    parameters name. To determine these, the program is loaded.
    """
    if isinstance(text, GivenAgent):
        return text.digest
    spec = parse_agent(text)
    path, suffix, _ = spec.name.partition(".py:")
    if not trusted:
        _refuse_files(spec)
    if suffix:
        reads = _agent_class(spec).reads if spec.parameters else ()
        named = (value for key, value in spec.parameters.items() if key.replace("-", "_") in reads)
        files = [Path(path + ".py"), *map(Path, named)]
    else:
        try:
            files = [*make_agent(text).files()]
        except ValueError:
            # An agent that cannot be constructed is refused, with the reason, when it is about to play.
            return ""
    contents = [file.read_bytes() for file in files if file.is_file()]
    return sha256(b"".join(sha256(content).digest() for content in contents)).hexdigest() if contents else ""


def _refuse_files(spec: Spec) -> None:
    """Refuse an agent in a file, or with parameters that name files, without accessing the files."""
    if ".py:" in spec.name:
        raise SpecError("an agent in a file is described only if its name is trusted")
    point = _registered().get(spec.name)
    reads = _agent_class(spec).reads if point is not None and spec.parameters else ()
    for key in spec.parameters:
        if key.replace("-", "_") in reads:
            raise SpecError(
                f"{key} of {spec.name} names a file, which is read only if the agent's name is trusted"
            )


def parse_agent(text: str) -> Spec:
    """The name and the parameters of an agent; the name of a class in a file is `bot.py:Cautious`."""
    path, suffix, rest = text.partition(".py:")
    if not suffix:
        return parse_spec(text)
    class_name, _, parameters = rest.partition(":")
    return Spec(f"{path}.py:{class_name}", parse_parameters(text, parameters))


def _agent_class(spec: Spec) -> type[Agent]:
    path, suffix, class_name = spec.name.partition(".py:")
    if suffix:
        found = _class_in_file(Path(path + ".py"), class_name)
    else:
        point = _registered().get(spec.name)
        if point is None:
            raise unknown("agent", spec.name, _registered())
        found = point.load()
    if not (inspect.isclass(found) and issubclass(found, Agent)):
        raise SpecError(f"{spec.name} is not an agent: it must be a subclass of railbird.agent.Agent")
    return found


def _class_in_file(path: Path, class_name: str) -> Any:
    if not path.is_file():
        raise SpecError(f"there is no file {path} for the agent {class_name}")
    module_name = f"railbird_agent_{path.stem}"
    spec = importlib.util.spec_from_file_location(module_name, path)
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    sys.modules[module_name] = module
    try:
        spec.loader.exec_module(module)
    except SystemExit as end:
        # Otherwise the command would end here without a message, perhaps with exit code 0.
        raise SpecError(f"{path} exits when it is loaded, with exit code {end.code!r}") from end
    except SyntaxError as error:
        raise SpecError(f"{error.filename or path}, line {error.lineno}: {error.msg}") from None
    except Exception as error:
        # The broad except: an agent's file may raise anything.
        raise SpecError(f"{path} cannot be loaded: {crash_sentence(error)}") from error
    found = getattr(module, class_name, None)
    if found is None:
        raise SpecError(f"{path} has no class {class_name!r}")
    return found


def _parameters(found: type[Agent]) -> tuple[Parameter, ...]:
    return tuple(
        Parameter(
            parameter.name,
            _kind(_type_of(parameter)),
            parameter.default,
            meaning_of(parameter.annotation),
        )
        for parameter in _signature(found)
    )


def _signature(found: type[Agent]) -> list[inspect.Parameter]:
    """The arguments of an agent's constructor that have names."""
    if found.__init__ is object.__init__:
        return []
    try:
        signature = inspect.signature(found, eval_str=True)
    except NameError:  # an annotation that only type checkers can evaluate
        signature = inspect.signature(found)
    named = (inspect.Parameter.POSITIONAL_OR_KEYWORD, inspect.Parameter.KEYWORD_ONLY)
    return [parameter for parameter in signature.parameters.values() if parameter.kind in named]


def _type_of(parameter: inspect.Parameter) -> Any:
    """The type of an argument: as annotated, without None; otherwise that of its default."""
    annotation = plain_type(parameter.annotation)
    if isinstance(annotation, UnionType) or get_origin(annotation) is Union:
        others = [each for each in get_args(annotation) if each is not NoneType]
        annotation = others[0] if len(others) == 1 else str
    if annotation is inspect.Parameter.empty or isinstance(annotation, str):
        is_plain = type(parameter.default) in (bool, int, float)
        annotation = type(parameter.default) if is_plain else str
    return annotation


def _kind(annotation: Any) -> str:
    choices = get_args(annotation)
    if choices:
        return " | ".join(map(str, choices))
    return str(getattr(annotation, "__name__", annotation))


def _convert(annotation: Any, key: str, value: str) -> Any:
    if annotation is bool:
        return parse_flag(key, value)
    if annotation in (int, float):
        try:
            return annotation(value)
        except ValueError:
            kind = "whole number" if annotation is int else "number"
            raise SpecError(f"{key}={value} is not a {kind}") from None
    if get_origin(annotation) is Literal and value not in get_args(annotation):
        raise unknown(f"choice for {key}", value, map(str, get_args(annotation)))
    return value
