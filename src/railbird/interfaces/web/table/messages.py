"""The WebSocket messages between a table and a browser, validated field by field.

Every message from the browser has an `id`, which the reply repeats. An action names its hand and step, so that a late
or repeated one changes nothing.
"""

from enum import StrEnum
from typing import Any, Literal, TypeAlias

import msgspec

from railbird.interfaces.web.table.views import HandView
from railbird.places import without_passwords

LONGEST_MESSAGE = 16 * 1024
MOST = 2**53
"""The largest number up to which integers are exact in a browser."""

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
    """A refused message, with the reason."""

    def __init__(self, code: RefusalCode, sentence: str) -> None:
        super().__init__(without_passwords(sentence))
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
    """Deal the next hand, and resume a paused table."""


class Hold(_Asked, frozen=True, tag="hold"):
    """Let the next hand wait while this browser shows an explanation, or no longer."""

    held: bool


class Pause(_Asked, frozen=True, tag="pause"):
    """Pause the table."""


class Continue(_Asked, frozen=True, tag="continue"):
    """Resume the table."""


class Settings(_Asked, frozen=True, tag="settings"):
    """Set the speed, and whether hands follow each other automatically."""

    speed: Speed | None = None
    auto_deal: bool | None = None


class ForwardMessage(_Asked, frozen=True, tag="forward"):
    """Play the rest of this hand at once."""


class StrengthMessage(_Asked, frozen=True, tag="strength"):
    """Request the strength of the own hand."""

    hand: int
    step: int


class Advise(_Asked, frozen=True, tag="advise"):
    """Request an agent's advice."""

    hand: int
    step: int
    agent: str


class Why(_Asked, frozen=True, tag="why"):
    """Request the reasons for an action."""

    hand: int
    step: int


class RangeMessage(_Asked, frozen=True, tag="range"):
    """Request what the agent that took an action would have done there with every starting hand."""

    hand: int
    step: int


class SitOutMessage(_Asked, frozen=True, tag="sit-out"):
    """Sit out from the next hand on, or come back."""

    out: bool


class RemoveMessage(_Asked, frozen=True, tag="remove"):
    """Free the seat of another person, between hands."""

    name: str


class Leave(_Asked, frozen=True, tag="leave"):
    """End the session, or leave somebody else's table."""


Asked: TypeAlias = (
    ActMessage
    | Deal
    | Hold
    | Pause
    | Continue
    | Settings
    | ForwardMessage
    | StrengthMessage
    | Advise
    | Why
    | RangeMessage
    | SitOutMessage
    | RemoveMessage
    | Leave
)

_decoder: msgspec.json.Decoder[Asked] = msgspec.json.Decoder(Asked)
_encoder = msgspec.json.Encoder()


class _Id(msgspec.Struct, frozen=True):
    id: int


_ids = msgspec.json.Decoder(_Id)


def read(text: str | bytes) -> Asked:
    """Parse a browser's message; an invalid one is refused with the reason."""
    try:
        message = _decoder.decode(text)
    except (msgspec.DecodeError, UnicodeDecodeError, RecursionError) as error:
        raise RefusedMessage(RefusalCode.MALFORMED, f"not a valid message: {error}") from None
    if not 0 <= message.id <= MOST:
        raise RefusedMessage(
            RefusalCode.MALFORMED, f"an id must be a number from 0 to 2^53, not {message.id}"
        )
    return message


def id_of(text: str | bytes) -> int | None:
    """The id of a message that may otherwise be malformed."""
    try:
        found = _ids.decode(text).id
    except (msgspec.DecodeError, UnicodeDecodeError, RecursionError):
        return None
    return found if 0 <= found <= MOST else None


class Done(msgspec.Struct, frozen=True, tag_field="type", tag="done"):
    """The request was carried out."""

    id: int


class Error(msgspec.Struct, frozen=True, tag_field="type", tag="error"):
    """The request was refused or failed."""

    id: int | None
    code: RefusalCode
    message: str


class StrengthTold(msgspec.Struct, frozen=True, tag_field="type", tag="strength"):
    """The strength of the hand."""

    id: int
    facts: list[dict[str, Any]]


class Advice(msgspec.Struct, frozen=True, tag_field="type", tag="advice"):
    """What an agent would do, and why."""

    id: int
    agent: str
    reasons: dict[str, Any]


class Reasons(msgspec.Struct, frozen=True, tag_field="type", tag="why"):
    """The reasons for an action, and the street of it."""

    id: int
    hand: int
    step: int
    round: str
    reasons: dict[str, Any]


class RangeTold(msgspec.Struct, frozen=True, tag_field="type", tag="range"):
    """The range of an agent at an action: a grid of starting hands for each of its choices."""

    id: int
    hand: int
    step: int
    sections: list[dict[str, Any]]


class Reason(msgspec.Struct, frozen=True):
    """An action of this hand whose reasons can be requested."""

    step: int
    chair: int


class Practice(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """Practice options: all cards open, or only some starting hands."""

    face_up: bool = False
    hands: str = ""


class ResultUnit(msgspec.Struct, frozen=True):
    """The unit of results, and what it takes to show them in other units."""

    name: str
    chips: int
    big_blind: int
    money: bool
    """Whether chips are dollars."""


class PersonView(msgspec.Struct, frozen=True):
    """A person at a table for several people."""

    chair: int
    name: str
    host: bool
    out: bool
    """Sits out from the next hand on."""
    away: bool
    """Has no open page of this table."""


class TogetherView(msgspec.Struct, frozen=True):
    """What a table for several people has besides."""

    host: bool
    """Whether the viewer is the host."""
    people: list[PersonView]
    free: int
    """The number of free seats."""
    can_deal: bool
    """Whether enough players are there."""
    invitation: str
    """The token of the invitation, for the host only."""
    advice: bool


class PlateStatistics(msgspec.Struct, frozen=True):
    """How a player has played lately: percentages of hands, and bets and raises per call."""

    hands: int
    vpip: int
    pfr: int
    aggression: float | None
    """None without a call."""


class ClockView(msgspec.Struct, frozen=True):
    """The time that the person to act still has, in seconds."""

    chair: int
    seconds: int
    left: float


class TableView(HandView, frozen=True, tag_field="type", tag="table"):
    """The whole table as this viewer sees it: the hand, and everything around it."""

    version: int
    session: str
    title: str
    training: Practice | None
    watching: bool
    phase: Literal["ready", "playing", "over", "closed"]
    paused: bool
    auto_deal: bool
    countdown: int | None
    """Milliseconds until the next hand is dealt automatically."""
    held: bool
    """Whether the next hand waits until an explanation is closed."""
    betting: str
    speed: Speed
    forwarding: bool
    reasons: list[Reason]
    net: int | str
    hands: int
    unit: ResultUnit
    notice: str = ""
    together: TogetherView | None = None
    clock: ClockView | None = None
    statistics: dict[str, PlateStatistics] = msgspec.field(default_factory=dict)
    """Of other players, by label, where the viewer may see them."""


Told: TypeAlias = Done | Error | StrengthTold | Advice | Reasons | RangeTold | TableView


def write(message: Told) -> str:
    """Encode a message for a browser."""
    return _encoder.encode(message).decode()
