"""Why a brain refuses a request: a message, a code and an HTTP status; reading of strict JSON."""

import json
from collections import Counter
from collections.abc import Mapping
from enum import Enum
from typing import Any

from railbird.cards import CardError
from railbird.engine.actions import ActionError
from railbird.engine.json_form import RecordError
from railbird.engine.rules import RulesError
from railbird.fields import FieldError, UnknownField, quoted
from railbird.notation.acpc.game import GameFileError
from railbird.notation.reading import NotationError
from railbird.spec import SpecError

SENTENCES = (
    ActionError, CardError, FieldError, GameFileError, NotationError, RecordError, RulesError, SpecError
)  # fmt: skip
"""Errors of lower layers that describe what is wrong with a request."""


class Code(Enum):
    """Why a request was refused: the code in the answer, and its HTTP status."""

    BAD_JSON = ("bad-json", 400)
    BAD_FIELD = ("bad-field", 400)
    UNKNOWN_FIELD = ("unknown-field", 400)
    BAD_HTTP = ("bad-http", 400)
    FORBIDDEN = ("forbidden", 403)
    NOT_FOUND = ("not-found", 404)
    NO_SESSION = ("no-session", 404)
    WRONG_METHOD = ("wrong-method", 405)
    NOT_NOW = ("not-now", 409)
    NO_LENGTH = ("no-length", 411)
    TOO_LARGE = ("too-large", 413)
    NOT_JSON = ("not-json", 415)
    BAD_AGENT = ("bad-agent", 422)
    UNSUITABLE_GAME = ("unsuitable-game", 422)
    AGENT_FAILED = ("agent-failed", 500)
    INTERNAL = ("internal", 500)
    FULL = ("full", 503)

    @property
    def text(self) -> str:
        """The code in the answer."""
        return self.value[0]

    @property
    def status(self) -> int:
        """The status of the answer."""
        return self.value[1]


class Refusal(ValueError):
    """A refused request: a message with a code. `more` has further fields of the answer."""

    def __init__(self, code: Code, sentence: str, more: Mapping[str, str] | None = None) -> None:
        super().__init__(sentence)
        self.code = code
        self.more = more or {}

    def to_json(self) -> dict[str, Any]:
        """The answer."""
        return {"code": self.code.text, "error": str(self), **self.more}


def read_body(body: bytes) -> object:
    """The data of a request's body: strict JSON in UTF-8, without duplicate names or NaN."""
    try:
        return json.loads(body.decode(), object_pairs_hook=_object, parse_constant=_constant)
    except Refusal:
        raise
    except RecursionError:
        raise Refusal(Code.BAD_JSON, "the body is nested too deeply") from None
    except UnicodeDecodeError as error:
        raise Refusal(Code.BAD_JSON, f"the body is not valid UTF-8 at byte {error.start}") from None
    except json.JSONDecodeError as error:
        where = f"line {error.lineno}, column {error.colno}"
        raise Refusal(Code.BAD_JSON, f"the body is not valid JSON at {where}: {error.msg}") from None
    except ValueError:
        raise Refusal(Code.BAD_JSON, "the body has a number with too many digits") from None


def _object(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    found = dict(pairs)
    if len(found) < len(pairs):
        twice = Counter(name for name, _ in pairs).most_common(1)[0][0]
        raise Refusal(Code.BAD_JSON, f"the field {quoted(twice)} is duplicated in an object")
    return found


def _constant(name: str) -> Any:
    raise Refusal(Code.BAD_JSON, f"{name} is not a JSON number")


def refusal_of(error: ValueError) -> Refusal:
    """The refusal for one of the errors in `SENTENCES`."""
    return Refusal(Code.UNKNOWN_FIELD if isinstance(error, UnknownField) else Code.BAD_FIELD, str(error))
