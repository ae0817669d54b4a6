"""What players did and won, as exact counts: the statistics of a session (baycarp-2011 §7.3).

`PlayerStatistics` covers one player over any number of hands. Everything in it is a count or an exact sum of chips,
so statistics add with `+`, in any order, to the same value. Every percentage is a `Share`, which has its sample size.
`statistics_collector` computes them from hand records. Definitions:

| statistic          | counts hands in which the player …                          | out of the hands in which it … |
|--------------------|-------------------------------------------------------------|--------------------------------|
| `played`           | chose to pay: called a bet, bet or raised, in any round     | was dealt in                   |
| `won`              | took a pot or a part of one, or was the last one left       | was dealt in                   |
| `uncontested_wins` | was the last one left                                       | was dealt in                   |
| `showdowns_seen`   | had not folded when cards decided                           | was dealt in                   |
| `showdowns_won`    | took a pot or a part of one there ("W$SD")                  | saw a showdown                 |
| `flops_seen`       | had not folded when the board of the second round was dealt | was dealt in                   |
| `wtsd`             | saw a showdown ("went to showdown")                         | saw the flop                   |
| `vpip`             | chose to pay in the first round                             | decided in the first round     |
| `pfr`              | bet or raised in the first round                            | decided in the first round     |
| `three_bet`        | raised when the first round stood at two bets               | decided at two bets            |

The first five are the columns of the thesis's figures 7.4 and 7.9, which do not define them. In those tables the hands
won are the uncontested wins plus the showdowns won, so showdowns seen are relative to all hands, and a part of a pot
is a win. "Played" follows the text, which speaks of hands that a player chooses to play: paying a blind or seeing the
flop for free is not a choice. Blinds are the first bet of the first round, so a raise is the second and a three-bet
the raise after it; a walk and a blind that is all-in leave no decision and do not count for `vpip` and `pfr`.
"""

import re
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, fields
from fractions import Fraction
from typing import Any

from railbird.engine.events import Chips
from railbird.engine.rules import ROUND_NAMES
from railbird.hands.types import HandType


class StatisticsError(ValueError):
    """Input from which statistics cannot be computed, such as a hand that is not over."""


@dataclass(frozen=True, slots=True)
class Share:
    """How often something happened, out of how many times it could.

    >>> Share(1, 4) + Share(2, 4)
    Share(count=3, of=8)
    >>> print(Share(3, 8), "·", Share())
    37.5 % of 8 · – of 0
    """

    count: int = 0
    of: int = 0

    def __add__(self, other: "Share") -> "Share":
        return Share(self.count + other.count, self.of + other.of)

    def __str__(self) -> str:
        return f"{100 * self.count / self.of:.1f} % of {self.of}" if self.of else "– of 0"

    @property
    def fraction(self) -> float | None:
        """The fraction; None if it could never happen."""
        return self.count / self.of if self.of else None

    def to_json(self) -> dict[str, Any]:
        """Count, sample size and fraction."""
        return {"count": self.count, "of": self.of, "fraction": self.fraction}


@dataclass(frozen=True, slots=True)
class ActionCounts:
    """The decisions of one player in one betting round or in several (baycarp-2011 fig. 7.5).

    A check is a call that costs nothing; a bet is the first raise of a round without blinds.
    """

    fold: int = 0
    check: int = 0
    call: int = 0
    bet: int = 0
    raise_: int = 0

    def __add__(self, other: "ActionCounts") -> "ActionCounts":
        return ActionCounts(
            self.fold + other.fold,
            self.check + other.check,
            self.call + other.call,
            self.bet + other.bet,
            self.raise_ + other.raise_,
        )

    @property
    def decisions(self) -> int:
        """Number of decisions."""
        return self.fold + self.check + self.call + self.bet + self.raise_

    @property
    def frequencies(self) -> dict[str, Share]:
        """How often each action was chosen, out of all decisions."""
        decisions = self.decisions
        return {field.name.rstrip("_"): Share(getattr(self, field.name), decisions) for field in fields(self)}

    @property
    def aggression_factor(self) -> float | None:
        """Bets and raises per call; None without calls."""
        return (self.bet + self.raise_) / self.call if self.call else None

    @property
    def aggression_frequency(self) -> Share:
        """Bets and raises out of all decisions except checks."""
        return Share(self.bet + self.raise_, self.decisions - self.check)


@dataclass(frozen=True, slots=True)
class Winnings:
    """The winnings of a set of hands."""

    hands: int = 0
    net: Chips = 0

    def __add__(self, other: "Winnings") -> "Winnings":
        return Winnings(self.hands + other.hands, _whole(self.net + other.net))

    @property
    def per_hand(self) -> float | None:
        """The mean in chips; None without hands."""
        return float(self.net / Fraction(self.hands)) if self.hands else None

    def to_json(self) -> dict[str, Any]:
        """Hands and exact chips: an int, or text such as "7/2"."""
        return {"hands": self.hands, "net": chips_to_json(self.net)}


_NO_ACTIONS = (ActionCounts(),) * len(ROUND_NAMES)
_NO_TYPES = (Winnings(),) * len(HandType)


@dataclass(frozen=True, slots=True)
class PlayStatistics:
    """What one player did in a number of hands, without what it won; the module docstring defines each share."""

    hands: int = 0
    played: Share = Share()
    won: Share = Share()
    uncontested_wins: Share = Share()
    showdowns_seen: Share = Share()
    showdowns_won: Share = Share()
    flops_seen: Share = Share()
    vpip: Share = Share()
    pfr: Share = Share()
    three_bet: Share = Share()
    rounds: tuple[ActionCounts, ...] = _NO_ACTIONS
    """The decisions by betting round: preflop, flop, turn, river."""

    @property
    def wtsd(self) -> Share:
        """How often a seen flop led to a showdown."""
        return Share(self.showdowns_seen.count, self.flops_seen.count)

    @property
    def wsd(self) -> Share:
        """W$SD, won money at showdown: what the thesis calls showdowns won."""
        return self.showdowns_won

    @property
    def actions(self) -> ActionCounts:
        """The decisions of all rounds together."""
        return sum(self.rounds, ActionCounts())

    @property
    def aggression_factor(self) -> float | None:
        """Bets and raises per call over all rounds; `rounds` has it by round."""
        return self.actions.aggression_factor

    @property
    def aggression_frequency(self) -> Share:
        """Bets and raises out of all decisions except checks, over all rounds."""
        return self.actions.aggression_frequency

    def to_json(self) -> dict[str, Any]:
        """Everything under stable keys; shares with their sample sizes."""
        return {
            "hands": self.hands,
            **{name: getattr(self, name).to_json() for name in (*SHARES, "wtsd", "wsd")},
            "aggression_factor": self.aggression_factor,
            "aggression_frequency": self.aggression_frequency.to_json(),
            "actions": {
                name: {action: share.to_json() for action, share in counts.frequencies.items()}
                for name, counts in zip(ROUND_NAMES, self.rounds, strict=True)
            },
        }


@dataclass(frozen=True, slots=True)
class PlayerStatistics(PlayStatistics):
    """One player's statistics over a number of hands that can be added up in chips."""

    net: Chips = 0
    """Chips won, exactly."""
    flop_types: tuple[Winnings, ...] = _NO_TYPES
    """Final winnings of hands that saw the flop, by their hand type there (`HandType`; baycarp-2011 fig. 7.6).

    Only hands with known hole cards count, and only games with two hole cards and a flop of three.
    """

    def __add__(self, other: "PlayerStatistics") -> "PlayerStatistics":
        shares: dict[str, Any] = {name: getattr(self, name) + getattr(other, name) for name in SHARES}
        return PlayerStatistics(
            hands=self.hands + other.hands,
            net=_whole(self.net + other.net),
            **shares,
            rounds=tuple(map(ActionCounts.__add__, self.rounds, other.rounds)),
            flop_types=tuple(map(Winnings.__add__, self.flop_types, other.flop_types)),
        )

    def to_json(self) -> dict[str, Any]:
        """Everything under stable keys; chips as ints or exact text such as "7/2"."""
        # A dataclass with slots is another class than the one that `super()` without arguments would know.
        play = PlayStatistics.to_json(self)
        return {
            "hands": play.pop("hands"),
            "net": chips_to_json(self.net),
            **play,
            "flop_types": {kind.label: self.flop_types[kind].to_json() for kind in HandType},
        }

    @classmethod
    def from_json(cls, document: Mapping[str, Any]) -> "PlayerStatistics":
        """The statistics that `to_json` wrote; derived values are not read but computed again."""
        try:
            shares: dict[str, Any] = {
                name: Share(_count(document[name]["count"]), _count(document[name]["of"])) for name in SHARES
            }
            decisions = [document["actions"][name] for name in ROUND_NAMES]
            brought = [document["flop_types"][kind.label] for kind in HandType]
            return cls(
                hands=_count(document["hands"]),
                net=_chips_from_json(document["net"]),
                **shares,
                rounds=tuple(
                    ActionCounts(*(_count(counts[action]["count"]) for action in _ACTIONS))
                    for counts in decisions
                ),
                flop_types=tuple(
                    Winnings(_count(part["hands"]), _chips_from_json(part["net"])) for part in brought
                ),
            )
        except KeyError as error:
            raise StatisticsError(f"the field {error} is missing in a player's statistics") from None
        except (TypeError, ValueError, ArithmeticError) as error:
            raise StatisticsError(
                f"a field of a player's statistics is not a valid count or amount of chips: {error}"
            ) from None


SHARES = tuple(field.name for field in fields(PlayStatistics) if field.type is Share)
_MOST = 2**62
_CHIPS = re.compile(r"-?[0-9]{1,40}(/[1-9][0-9]{0,40})?", re.ASCII)
_ACTIONS = tuple(ActionCounts().frequencies)


def together(parts: Iterable[Mapping[str, PlayerStatistics]]) -> dict[str, PlayerStatistics]:
    """The statistics of several matches combined, label by label."""
    sums: dict[str, PlayerStatistics] = {}
    for part in parts:
        for label, statistics in part.items():
            sums[label] = sums.get(label, PlayerStatistics()) + statistics
    return dict(sorted(sums.items()))


def _whole(chips: Chips) -> Chips:
    """The same chips, as an int if they are whole."""
    return chips.numerator if chips.denominator == 1 else chips


def _count(value: Any) -> int:
    if type(value) is not int or not 0 <= value <= _MOST:
        raise ValueError(f"{str(value)[:40]!r} is not a count")
    return value


def chips_to_json(chips: Chips) -> int | str:
    """An exact amount: an int, or text such as "7/2"."""
    whole = _whole(chips)
    return whole if isinstance(whole, int) else str(whole)


def _chips_from_json(chips: int | str) -> Chips:
    # Checked first: a fraction such as 1e999999999 would take forever.
    if type(chips) not in (int, str) or not _CHIPS.fullmatch(str(chips)):
        raise ValueError(f"{str(chips)[:40]!r} is not an amount of chips such as 40 or '-7/2'")
    return _whole(Fraction(chips))
