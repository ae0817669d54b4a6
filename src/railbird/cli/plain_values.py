"""Plain values of the command line, read without Pydantic.

Typer reads every value with Pydantic, whose import takes an eighth of a short command's time. Here text, numbers within
their bounds, paths and choices are read at once. Everything else, and everything wrong, is left to Typer, so that its
messages stay the same.
"""

import re
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Literal, get_args, get_origin

import typer
from typer import BadParameter

KNOWN_TYPER = "0.29."
"""The beginning of the versions whose inner parts are known."""
_INTEGER = re.compile(r"0|-?[1-9][0-9]{0,14}")
_DECIMAL = re.compile(r"-?[0-9]{1,8}(\.[0-9]{1,8})?")
_NOT_PLAIN = object()


def read_plain_values() -> None:
    """Let Typer read values so; versions that are not known stay as they are."""
    if not typer.__version__.startswith(KNOWN_TYPER):
        return
    from typer import core
    from typer._coercion import RuntimeParam, TypeDescriptor, build_runtime_param
    from typer._param_types import coerce_cli_path

    @dataclass(frozen=True)
    class Reader(RuntimeParam):
        """Reads the values of one option or argument."""

        descriptor: TypeDescriptor

        def _coerce_value(self, value: Any, param: Any, ctx: Any) -> Any:
            def as_path(text: str | Path) -> Any:
                try:
                    return coerce_cli_path(
                        Path(text), self.parameter_info, path_type=Path, param=param, ctx=ctx
                    )
                except BadParameter:
                    return _NOT_PLAIN

            read = _read(value, self.annotation, self.parameter_info, as_path)
            if read is _NOT_PLAIN:
                return build_runtime_param(self.descriptor)._coerce_value(value, param=param, ctx=ctx)
            return read

    def reader(descriptor: TypeDescriptor) -> RuntimeParam:
        return Reader(descriptor.parameter_info, descriptor.annotation, descriptor)

    core.build_runtime_param = reader  # type: ignore[attr-defined]


def _read(value: Any, annotation: Any, info: Any, as_path: Any) -> Any:
    """The value of an option of this type, or `_NOT_PLAIN`."""
    if info.parser is not None or info.path_type is not None or info.allow_dash:
        return _NOT_PLAIN
    if get_origin(annotation) is list and isinstance(value, (list, tuple)):
        (of_each,) = get_args(annotation)
        read = [_read(each, of_each, info, as_path) for each in value]
        return _NOT_PLAIN if _NOT_PLAIN in read else read
    if get_origin(annotation) is Literal:
        return value if isinstance(value, str) and value in get_args(annotation) else _NOT_PLAIN
    if annotation is str:
        return value if isinstance(value, str) else _NOT_PLAIN
    if annotation in (int, float):
        return _within(_number(value, annotation), info)
    if annotation is Path and isinstance(value, (str, Path)):
        return as_path(value)
    return _NOT_PLAIN


def _number(value: Any, of_type: Any) -> Any:
    if type(value) is of_type:
        return value
    form = _INTEGER if of_type is int else _DECIMAL
    return of_type(value) if isinstance(value, str) and form.fullmatch(value) else _NOT_PLAIN


def _within(number: Any, info: Any) -> Any:
    """The number, if it lies within the bounds of the option."""
    is_within = (
        number is not _NOT_PLAIN
        and not info.clamp
        and (info.min is None or number >= info.min)
        and (info.max is None or number <= info.max)
    )
    return number if is_within else _NOT_PLAIN
