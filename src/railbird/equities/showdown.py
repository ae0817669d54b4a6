"""Equity: how often each of two to ten players wins, ties and loses at the showdown, and its share of the pot.

Every player has known cards or a range. All deals without duplicate cards count, each weighted by the product of
the weights of the players' holdings, and every completion of the board is equally likely. The answer is exact if
that takes about a second, by the cheapest of these methods (`showdown_ways`):

- known holdings on every run-out; ranges become lists of known holdings, and lists that differ only in the
  names of the suits are counted once
- on every board, every assignment of holdings to players
- on every board, the holdings of two ranges in the order of their values
- two ranges before the flop by the table of `matchups`, once that has been built

and sampled otherwise (`kernels.showdown.sampling` describes how, and why it is unbiased), with the standard error
of every equity.

>>> from railbird.cards import parse_cards
>>> result = equity([parse_cards("Ah As"), parse_cards("Kh Kd")])
>>> aces, kings = result.players
>>> round(aces.win * result.deals), round(aces.tie * result.deals), round(aces.lose * result.deals)
(1399204, 7923, 305177)
>>> f"{aces.equity:.4f} {kings.equity:.4f}"
'0.8195 0.1805'
>>> flop = equity([parse_cards("Ah Kh"), Range.parse("TT+")], board=parse_cards("Qh 7h 2c"))
>>> f"{flop.players[0].equity:.4f}", flop.exact
('0.4610', True)
"""

from collections.abc import Sequence
from dataclasses import dataclass
from math import sqrt
from typing import TypeAlias

import numpy as np
from numpy.typing import NDArray

from railbird.cards import Card, format_card, require_distinct
from railbird.equities.ranges import Range
from railbird.equities.showdown_ways import ShowdownAnswer, ShowdownQuestion, cheapest_way, sampled_answer
from railbird.hands.holdings import HOLDINGS, blocked_by, cards_of, holding

Player: TypeAlias = Range | Sequence[Card] | NDArray[np.float64]
"""What is known about a player's hand: a range, two cards, or the weights of a range."""

BOARD_SIZES = (0, 3, 4, 5)
MOST_PLAYERS = 10
SAMPLES = 400_000


class EquityError(ValueError):
    """An invalid equity question, or one without a possible deal."""


@dataclass(frozen=True, slots=True)
class PlayerEquity:
    """The result of one player: `win + tie + lose` is one, and `equity` is the mean share of the pot."""

    win: float
    """The frequency of having the best hand alone."""
    tie: float
    """The frequency of sharing the best hand with others."""
    lose: float
    equity: float
    """Wins plus the player's share of every tie: one half, one third …"""
    standard_error: float
    """Of the equity; 0 when it is exact."""


@dataclass(frozen=True, slots=True)
class EquityResult:
    """The results of all players, in the order in which they were given."""

    players: tuple[PlayerEquity, ...]
    exact: bool
    deals: int
    """The number of deals of holdings and boards that exist (exact) or that were drawn (sampled)."""


def equity(
    players: Sequence[Player],
    board: Sequence[Card] = (),
    dead: Sequence[Card] = (),
    *,
    exact_within: float = 1.0,
    samples: int = SAMPLES,
    seed: int | str = 0,
) -> EquityResult:
    """The equities of two to ten players on a board of 0, 3, 4 or 5 cards; dead cards are out of play.

    The answer is exact if the estimated time is at most `exact_within` seconds (0 always samples, `math.inf` never
    does); otherwise `samples` random deals are drawn from the stream of `seed`.
    """
    question = _question(players, board, dead)
    if samples < 1:
        raise EquityError(f"at least one deal must be sampled, not {samples}")
    way = cheapest_way(question) if exact_within > 0 else None
    if way is not None and way.seconds <= exact_within:
        answer = way.answer()
    else:
        answer = sampled_answer(question, samples, seed)
    return _result(answer)


def _question(players: Sequence[Player], board: Sequence[Card], dead: Sequence[Card]) -> ShowdownQuestion:
    if not 2 <= len(players) <= MOST_PLAYERS:
        raise EquityError(f"equity is computed for 2 to {MOST_PLAYERS} players, not {len(players)}")
    if len(board) not in BOARD_SIZES:
        raise EquityError(f"a board has 0, 3, 4 or 5 cards, not {len(board)}")
    _require_apart(players, board, dead)
    weights = np.array([_weights(player, number) for number, player in enumerate(players, start=1)])
    weights[:, blocked_by((*board, *dead))] = 0.0
    _remove_known_holdings(weights)
    empty = np.flatnonzero(~weights.any(axis=1))
    if len(empty):
        raise EquityError(
            f"player {empty[0] + 1} has no holding left: the board, dead cards and other hands block them all"
        )
    question = ShowdownQuestion(weights, tuple(board), tuple(dead))
    needed = 2 * len(players) + 5 - len(board)
    left = len(question.live_cards())
    if left < needed:
        raise EquityError(f"the players and the board need {needed} more cards, but only {left} are left")
    return question


def _require_apart(players: Sequence[Player], board: Sequence[Card], dead: Sequence[Card]) -> None:
    """Refuse a card that appears in two places, naming both."""
    places = {"on the board": board, "among the dead cards": dead}
    for number, player in enumerate(players, start=1):
        if not isinstance(player, Range | np.ndarray):
            places[f"in player {number}'s hand"] = player
    found: dict[Card, str] = {}
    for place, cards in places.items():
        require_distinct(cards)
        for card in cards:
            if card in found:
                raise EquityError(f"{format_card(card)} is both {found[card]} and {place}")
            found[card] = place


def _weights(player: Player, number: int) -> NDArray[np.float64]:
    """The weights of one player's range, scaled so that the largest is one."""
    if isinstance(player, Range | np.ndarray):
        weights = (player if isinstance(player, Range) else Range(player)).weights
        if not weights.any():
            raise EquityError(f"player {number}'s range is empty: at least one holding must have weight")
        scaled: NDArray[np.float64] = weights / weights.max()
        return scaled
    if len(player) != 2:
        raise EquityError(f"player {number} has {len(player)} cards: give two cards or a range")
    weights = np.zeros(HOLDINGS)
    weights[holding(player)] = 1.0
    return weights


def _remove_known_holdings(weights: NDArray[np.float64]) -> None:
    """Take the cards of players with a single holding out of the other ranges, until nothing changes."""
    done: set[int] = set()
    while True:
        single = [
            player for player, row in enumerate(weights) if player not in done and np.count_nonzero(row) == 1
        ]
        if not single:
            return
        player = single[0]
        done.add(player)
        others = np.arange(len(weights)) != player
        weights[np.ix_(others, blocked_by(cards_of(int(weights[player].argmax()))))] = 0.0


def _result(answer: ShowdownAnswer) -> EquityResult:
    whole = float(answer.outcomes.sum())
    if whole <= 0.0:
        if answer.exact:
            raise EquityError("no deal gives every player a holding: the ranges need the same cards")
        raise EquityError(
            f"none of {answer.deals:,} random deals gave every player a holding: the ranges need the same cards"
        )
    sets = np.arange(len(answer.outcomes))
    sharers = np.bitwise_count(sets)
    players = []
    for player in range(len(sets).bit_length() - 1):
        best = (sets >> player & 1).astype(np.bool_)
        share = best / np.maximum(sharers, 1)
        win = float(answer.outcomes[1 << player]) / whole
        mean = float(share @ answer.outcomes) / whole
        players.append(
            PlayerEquity(
                win=win,
                tie=float(answer.outcomes[best & (sharers > 1)].sum()) / whole,
                lose=float(answer.outcomes[~best].sum()) / whole,
                equity=mean,
                # The weighted mean Σ w x / Σ w has the standard error √(Σ w² (x − mean)²) / Σ w.
                standard_error=sqrt(float((share - mean) ** 2 @ answer.squares)) / whole,
            )
        )
    return EquityResult(tuple(players), answer.exact, answer.deals)
