"""What a table and a browser say to each other over the WebSocket, checked field by field.

Every message from the browser has an `id`, which the answer repeats. An action names the hand and the step that it is
meant for, so that one that comes late or twice changes nothing.
"""

from enum import StrEnum
from typing import Any, Literal, TypeAlias

import msgspec

from railbird.interfaces.web.table.views import HandView

LONGEST_MESSAGE = 16 * 1024
MOST = 2**53
"""Numbers up to here are exact in a browser."""

Speed: TypeAlias = Literal["slow", "normal", "fast", "instant"]


class RefusalCode(StrEnum):
    """Why a message was refused."""

    NOT_YOUR_TURN = "not-your-turn"
    TOO_LATE = "too-late"
    ILLEGAL = "illegal"
    MALFORMED = "malformed"
    TOO_FAST = "too-fast"
    TOO_LONG = "too-long"
    NOT_NOW = "not-now"
    UNKNOWN = "unknown"
    BROKEN = "broken"


class RefusedMessage(Exception):
    """A message that changes nothing, with the reason."""

    def __init__(self, code: RefusalCode, sentence: str) -> None:
        super().__init__(sentence)
        self.code = code


class _Asked(msgspec.Struct, frozen=True, forbid_unknown_fields=True, tag_field="type"):
    id: int


class ActMessage(_Asked, frozen=True, tag="act"):
    """Fold, check or call, bet or raise."""

    hand: int
    step: int
    action: Literal["fold", "call", "raise"]
    to: int = 0


class Deal(_Asked, frozen=True, tag="deal"):
    """The next hand."""


class Pause(_Asked, frozen=True, tag="pause"):
    """Nobody acts until it goes on."""


class Continue(_Asked, frozen=True, tag="continue"):
    """It goes on."""


class Settings(_Asked, frozen=True, tag="settings"):
    """How fast, and whether hands follow each other by themselves."""

    speed: Speed | None = None
    auto_deal: bool | None = None


class ForwardMessage(_Asked, frozen=True, tag="forward"):
    """The rest of this hand at once."""


class StrengthMessage(_Asked, frozen=True, tag="strength"):
    """How strong is my hand?"""

    hand: int
    step: int


class Advise(_Asked, frozen=True, tag="advise"):
    """What would this agent do in my place?"""

    hand: int
    step: int
    agent: str


class Why(_Asked, frozen=True, tag="why"):
    """Why was this done?"""

    hand: int
    step: int


class Leave(_Asked, frozen=True, tag="leave"):
    """The session is over."""


Asked: TypeAlias = (
    ActMessage | Deal | Pause | Continue | Settings | ForwardMessage | StrengthMessage | Advise | Why | Leave
)

_decoder: msgspec.json.Decoder[Asked] = msgspec.json.Decoder(Asked)
_encoder = msgspec.json.Encoder()


class _Id(msgspec.Struct, frozen=True):
    id: int


_ids = msgspec.json.Decoder(_Id)


def read(text: str | bytes) -> Asked:
    """The message of a browser; refused with the reason where it is none."""
    try:
        message = _decoder.decode(text)
    except (msgspec.DecodeError, UnicodeDecodeError, RecursionError) as error:
        raise RefusedMessage(RefusalCode.MALFORMED, f"this is no message: {error}") from None
    if not 0 <= message.id <= MOST:
        raise RefusedMessage(RefusalCode.MALFORMED, f"an id is a number from 0 to 2^53, not {message.id}")
    return message


def id_of(text: str | bytes) -> int | None:
    """The id of a message that may be malformed otherwise."""
    try:
        found = _ids.decode(text).id
    except (msgspec.DecodeError, UnicodeDecodeError, RecursionError):
        return None
    return found if 0 <= found <= MOST else None


class Done(msgspec.Struct, frozen=True, tag_field="type", tag="done"):
    """What was asked for is done."""

    id: int


class Error(msgspec.Struct, frozen=True, tag_field="type", tag="error"):
    """What was asked for is not done."""

    id: int | None
    code: RefusalCode
    message: str


class StrengthTold(msgspec.Struct, frozen=True, tag_field="type", tag="strength"):
    """How strong the hand is."""

    id: int
    facts: list[dict[str, Any]]


class Advice(msgspec.Struct, frozen=True, tag_field="type", tag="advice"):
    """What an agent would do, and why."""

    id: int
    agent: str
    reasons: dict[str, Any]


class Reasons(msgspec.Struct, frozen=True, tag_field="type", tag="why"):
    """Why something was done."""

    id: int
    hand: int
    step: int
    reasons: dict[str, Any]


class Reason(msgspec.Struct, frozen=True):
    """An action of this hand whose reasons can be asked for."""

    step: int
    chair: int


class Practice(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """How a hand is practised: with all cards open, or only with some starting hands."""

    face_up: bool = False
    hands: str = ""


class ResultUnit(msgspec.Struct, frozen=True):
    """What results are counted in."""

    name: str
    chips: int


class TableView(HandView, frozen=True, tag_field="type", tag="table"):
    """The whole table as this viewer sees it: its hand, and everything around it."""

    version: int
    session: str
    title: str
    training: Practice | None
    watching: bool
    phase: Literal["ready", "playing", "over", "closed"]
    paused: bool
    auto_deal: bool
    speed: Speed
    forwarding: bool
    reasons: list[Reason]
    net: int | str
    hands: int
    unit: ResultUnit
    notice: str = ""


Told: TypeAlias = Done | Error | StrengthTold | Advice | Reasons | TableView


def write(message: Told) -> str:
    """A message for a browser."""
    return _encoder.encode(message).decode()
