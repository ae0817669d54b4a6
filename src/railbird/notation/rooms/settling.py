"""From a told hand to its record: the hand is set up and replayed, and its pots, rake and winners are checked.

- All who were dealt in take part: they post, act, show or collect. A room may name them instead (`dealt_in`).
- A small blind after the big blind is dead, and so is what exceeds the big blind in a post of both: dead blinds are
  antes. Antes that some do not pay, such as that of the big blind for everyone, are dead as well.
- Whether a room counts an uncalled bet among the winnings follows from the pot and the rake. Where the text prints no
  rake and both readings are possible, the hand is refused.
"""

from collections.abc import Sequence
from dataclasses import replace
from fractions import Fraction
from functools import lru_cache
from typing import NoReturn

from railbird.engine.betting_tree import Reckoning
from railbird.engine.history import reckoning_of
from railbird.engine.record import Details, HandRecord
from railbird.engine.rules import Antes, GameRules, Mucking
from railbird.engine.setup import Setup
from railbird.engine.state import State
from railbird.notation.reading import NotationError
from railbird.notation.rooms.hands import all_cards, from_button, refuse
from railbird.notation.rooms.play import cash_game, check_posts, check_winners, raise_caps, replay
from railbird.notation.rooms.told import ANTE, BIG, BOTH, MISSED, SMALL, STRADDLE, ToldHand
from railbird.notation.showdowns import record_from_source

_CHIP, _CENT = Fraction(1), Fraction(1, 100)
_USUAL_RAKE, _MOST_RAKE = 10, 5
"""A room that prints no rake usually keeps at most a tenth of a pot, and never more than a fifth."""


def record_of(told: ToldHand) -> HandRecord:
    """The record of the hand; a hand that contradicts the rules or itself is refused."""
    players = _players(told)
    cards = all_cards(players, told.holes.cards, told.board.cards)
    state = replay(_setup(told, players), cards, players, told.steps)
    won, rake = _winnings(told, state, players)
    if not state.is_showdown or all(players[seat] in told.holes.cards for seat in state.live_seats):
        check_winners(state, players, won, rake)
    seat_of = {player: seat for seat, player in enumerate(players)}
    return record_from_source(
        state,
        players,
        f"{told.venue.replace(' ', '')}-{told.number}",
        tuple([told.seats[player] for player in players]),
        _details(told),
        won=won,
        shown={seat_of[player]: cards for player, cards in told.shown.items()},
    )


def _players(told: ToldHand) -> tuple[str, ...]:
    """The players dealt in, by position."""
    active = {*[post.who for post in told.posts], *[step.who for step in told.steps if step.who]}
    active.update(told.collected, told.shown)
    dealt_in = told.dealt_in or active.union(told.holes.cards)
    if not dealt_in >= active:
        _refuse_absent(told, active - dealt_in)
    if len(dealt_in) < 2:
        raise NotationError(f"{len(dealt_in)} players are dealt in, but a hand needs two")
    player_of = {told.seats[who]: who for who in dealt_in}
    return tuple([player_of[seat] for seat in from_button(player_of, told.button)])


def _refuse_absent(told: ToldHand, absent: set[str]) -> NoReturn:
    """Refuse players who are not dealt in, with the last line in which the first of them posts or acts."""
    lines = {post.who: post.line for post in told.posts}
    lines.update([(step.who, step.line) for step in told.steps])
    for who, line in lines.items():
        if who in absent:
            refuse(line, f"{who} takes part in the hand, but is missing from its summary")
    who = next(who for who in (*told.collected, *told.shown) if who in absent)
    raise NotationError(f"{who} takes part in the hand, but is missing from its summary")


def _setup(told: ToldHand, players: tuple[str, ...]) -> Setup:
    low, high = _stakes(told)
    limit = told.limit
    big = low if limit else high
    if told.tournament:
        big = _posted_big_blind(told, big)
    small = big // 2 if limit else low
    blinds = dict.fromkeys(players, 0)
    antes = dict.fromkeys(players, 0)
    posted = dict.fromkeys(players, 0)
    for post in told.posts:
        posted[post.who] += post.amount
        if post.kind == ANTE:
            antes[post.who] += post.amount
    dead = _are_dead(antes, told.stacks)
    last: str | None = None
    for line, who, kind, chips, _ in told.posts:
        if kind == ANTE:
            continue
        if kind == SMALL or (kind == MISSED and chips < big):
            if kind == SMALL and last is None and not blinds[who]:
                blinds[who] = chips
                small = small if posted[who] == told.stacks[who] else chips
            elif kind == SMALL and told.second_small_is_live and not blinds[who]:
                blinds[who] = chips
            else:
                antes[who] += chips
                dead = True
            continue
        if kind == BOTH:
            live = min(chips, big)
            antes[who] += chips - live
            dead = True
        elif kind in (BIG, STRADDLE, MISSED):
            live = chips
            if last is not None and chips == 2 * big:
                kind = STRADDLE  # some converters call it a big blind
        else:
            refuse(line, f"{who} posts {kind}, which is not supported")
        if blinds[who]:
            refuse(line, f"{who} posts a second blind")
        short = live + antes[who] == told.stacks[who]
        if kind != STRADDLE and live != big and not (short and live < big):
            refuse(line, f"{who} posts a {kind} of {live}, but the big blind is {big}")
        blinds[who] = max(live, big) if short else live
        if last is None or kind == STRADDLE:
            last = who
    if last is None:
        last = _broke_big_blind(told, players, blinds, antes)
        blinds[last] = big
    count = len(players)
    setup = Setup(
        _rules(
            f"{told.venue} {told.game}",
            limit,
            count,
            (small, big, high),
            raise_caps(told.steps, limit),
            dead,
        ),
        stacks=tuple([told.stacks[player] for player in players]),
        blinds=tuple(blinds.values()),
        antes=tuple(antes.values()),
        first=(players.index(last) + 1) % count,
    )
    check_posts(setup, players, list(posted.values()))
    for line, who, _, _, all_in in told.posts:
        if all_in and posted[who] != told.stacks[who]:
            refuse(line, f"{who} posts the last chips, but has {told.stacks[who]}")
    return setup


def _posted_big_blind(told: ToldHand, big: int) -> int:
    """The blinds of a tournament may rise between the first line and the posts; the posts count."""
    posted = next((post for post in told.posts if post.kind == BIG), None)
    if posted is None or posted.amount + _ante_of(told, posted.who) == told.stacks[posted.who]:
        return big
    return posted.amount


def _ante_of(told: ToldHand, who: str) -> int:
    return sum([post.amount for post in told.posts if post.kind == ANTE and post.who == who])


def _stakes(told: ToldHand) -> tuple[int, int]:
    if told.stakes is not None:
        return told.stakes
    small = next((post.amount for post in told.posts if post.kind == SMALL), 0)
    big = next((post.amount for post in told.posts if post.kind == BIG and not post.all_in), 0)
    if not big or any(told.stacks[post.who] == post.amount for post in told.posts if post.kind == BIG):
        raise NotationError("the text does not name the stakes, and the posts do not reveal them")
    return (big, 2 * big) if told.limit else (min(small or big // 2 or big, big), big)


def _broke_big_blind(
    told: ToldHand, players: Sequence[str], blinds: dict[str, int], antes: dict[str, int]
) -> str:
    """The player left of the small blind, whose last chips were the ante."""
    small = next((player for player in players if blinds[player]), None)
    if small is not None:
        after = players[(players.index(small) + 1) % len(players)]
        if antes[after] and antes[after] == told.stacks[after]:
            return after
    raise NotationError("nobody posts the big blind")


def _winnings(told: ToldHand, state: State, players: Sequence[str]) -> tuple[tuple[int, ...], int]:
    """What every player won, without uncalled bets, and the rake.

    They must agree with the chips paid and with every sum that the text prints.
    """
    reckoning = reckoning_of(state)
    won = dict.fromkeys(players, 0) | told.collected
    taken, rake = sum(told.collected.values()), told.rake
    pot = state.pot - reckoning.uncalled
    if told.returned is not None:
        taken += _take_back(told, state, reckoning, players, won)
    elif rake is None:
        rake = _implied_rake(told, state, reckoning, players)
    counted = taken + (rake or 0) == state.pot
    if counted and reckoning.uncalled:
        won[players[reckoning.uncalled_seat]] -= reckoning.uncalled
    rake = rake or 0
    if not counted and (told.returned is not None or taken + rake != pot):
        raise NotationError(
            f"{sum(told.collected.values())} is collected and {rake} raked, but the pot has {pot}"
        )
    if min(won.values()) < 0:
        raise NotationError("the uncalled bet is not returned to the player who made it")
    # Hold'em Manager prints the pot after rake, and some converters do not see that a blind was not called.
    possible = {pot, pot - rake, sum(told.collected.values()) + rake}
    if told.total is not None and told.total not in possible:
        raise NotationError(f"the summary has a total pot of {told.total}, but {pot} was paid into it")
    if told.tournament and rake:
        raise NotationError(f"{rake} is raked in a tournament")
    return tuple(won.values()), rake


def _take_back(
    told: ToldHand, state: State, reckoning: Reckoning, players: Sequence[str], won: dict[str, int]
) -> int:
    """Add the uncalled bet that the text returns. Converters return a whole big blind that nobody called."""
    assert told.returned is not None
    line, who, chips = told.returned
    fits = chips == reckoning.uncalled or (not state.is_showdown and chips == max(state.setup.blinds))
    if who != players[reckoning.uncalled_seat] or not fits:
        refuse(line, f"{chips} is returned to {who}, but the uncalled bet is {reckoning.uncalled}")
    won[who] += chips
    return chips


def _implied_rake(told: ToldHand, state: State, reckoning: Reckoning, players: Sequence[str]) -> int:
    """The rake that a text does not print. At a showdown an uncalled bet is collected in a line of its own."""
    paid, uncalled, taken = state.pot, reckoning.uncalled, sum(told.collected.values())
    without = paid - uncalled - taken
    counted = None if told.tournament else told.counts_uncalled
    if told.bets:
        counted = _counts_uncalled_as_bet(told, state, reckoning, players)
    if counted is None:
        counted = without < 0
        if uncalled and not counted and not told.tournament:
            if state.is_showdown:
                counted = (players[reckoning.uncalled_seat], uncalled) in told.takings
            elif (paid - taken) * _USUAL_RAKE <= paid:
                raise NotationError(
                    f"the text does not say whether the uncalled bet of {uncalled} is among the winnings"
                )
    rake = without + uncalled if counted else without
    if rake < 0 or rake > max(1, (paid - uncalled) // _MOST_RAKE):
        raise NotationError(f"{taken} is collected, but the pot has {paid - uncalled}")
    for pot, claim in enumerate(reckoning.claims[: reckoning.pots].tolist(), start=1):
        if not any(claim >> seat & 1 and who in told.collected for seat, who in enumerate(players)):
            raise NotationError(f"nobody collects pot {pot}")
    return rake


def _counts_uncalled_as_bet(
    told: ToldHand, state: State, reckoning: Reckoning, players: Sequence[str]
) -> bool:
    """Whether the uncalled bet is among what its player bet in total, and so among the winnings."""
    for seat, (who, paid) in enumerate(zip(players, state.paid, strict=True)):
        left = reckoning.uncalled if seat == reckoning.uncalled_seat else 0
        if told.bets[who] not in (paid, paid - left):
            raise NotationError(f"{who} bets {told.bets[who]} in total, but the actions cost {paid}")
    return told.bets[players[reckoning.uncalled_seat]] == state.paid[reckoning.uncalled_seat]


def _details(told: ToldHand) -> Details:
    told.note(
        hero=told.hero,
        sitting_out=", ".join(told.sitting_out),
        chat="\n".join(told.chat),
        remarks="\n".join(told.remarks),
    )
    return Details(
        venue=told.venue,
        table=told.table,
        time=told.time,
        currency=told.money.currency,
        chip=_CHIP if told.money.scale == 1 else _CENT,
        notes=tuple(told.notes.items()),
    )


def _are_dead(antes: dict[str, int], stacks: dict[str, int]) -> bool:
    """Whether some paid an ante for others: not everyone paid the same, apart from those with too few chips."""
    most = max(antes.values())
    return bool(most) and any(chips != most and chips != stacks[who] for who, chips in antes.items())


@lru_cache(maxsize=256)
def _rules(
    name: str,
    limit: bool,
    players: int,
    stakes: tuple[int, int, int],
    caps: tuple[int | None, ...],
    dead: bool,
) -> GameRules:
    return replace(
        cash_game(name, limit, players, stakes, caps),
        mucking=Mucking.LOSERS_MUCK,
        raise_needs_caller=False,
        free_folds=True,
        ante_rule=Antes.DEAD if dead else Antes.MATCHED,
    )
