"""Hand histories of PokerStars: limit and no-limit hold'em for money or play money, in English.

`pokerstars_header` and `pokerstars_text` read the lines; here the hand is set up and replayed by the rules, and its
printed pot, rake and winners are checked against the replay.

- Money is counted in cents.
- All players in the summary were dealt in. A small blind after the big blind is dead, and so is the small blind of a
  small and big blind posted together: dead blinds are antes.
- Older histories do not print uncalled bets; they are never part of the total pot.
- Unsupported, and refused by name: tournaments, pot-limit and capped games, other games than hold'em, hands that were
  run twice or cancelled.
"""

import re
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import replace
from fractions import Fraction
from functools import lru_cache

from railbird.engine.history import reckoning_of
from railbird.engine.record import Details, HandRecord
from railbird.engine.rules import Antes, Betting, GameRules, Mucking
from railbird.engine.setup import Setup
from railbird.engine.state import State
from railbird.notation.reading import NotationError, Reading
from railbird.notation.rooms.hands import (
    HandText,
    TextLayout,
    all_cards,
    cash_game,
    check_posts,
    check_winners,
    from_button,
    raise_caps,
    read_room,
    refuse,
    replay,
)
from railbird.notation.rooms.pokerstars_header import FIRST_LINE
from railbird.notation.rooms.pokerstars_text import SUMMARY, StarsHand
from railbird.notation.showdowns import record_from_source

VENUE = "PokerStars"
_LAYOUT = TextLayout(
    begins=FIRST_LINE,
    divides=re.compile(r"\*{5,30} # \d{1,9} \*{5,30}$", re.ASCII),
    marks="P*",
    beginning="'PokerStars Hand #'",
    closing=SUMMARY,
)


def read_pokerstars(lines: Iterable[str]) -> Iterator[Reading]:
    """The hands of a PokerStars history, one after another."""
    return read_room(lines, _LAYOUT, _read_hand)


def _read_hand(text: HandText) -> HandRecord:
    told = StarsHand(text)
    players = _players(told)
    state = State(_setup(told, players), all_cards(players, told.holes.cards, told.board.cards))
    replay(state, players, told.steps)
    won = _winnings(told, state, players)
    if not state.is_showdown or all(players[seat] in told.holes.cards for seat in state.live_seats):
        check_winners(state, players, won, told.rake)
    seat_of = {player: seat for seat, player in enumerate(players)}
    return record_from_source(
        state,
        players,
        f"PokerStars-{told.header.number}",
        tuple(told.seats[player] for player in players),
        _details(told),
        won=won,
        shown={seat_of[player]: cards for player, cards in told.shown.items()},
    )


def _players(told: StarsHand) -> tuple[str, ...]:
    """The players dealt in, by position; no one else may take part in the hand."""
    if len(told.dealt_in) < 2:
        raise NotationError(f"the summary lists {len(told.dealt_in)} players, but a hand needs two")
    active = {
        **{who: line for line, who, *_ in told.posts},
        **{step.who: step.line for step in told.steps if step.who},
    }
    for who, line in active.items():
        if who not in told.dealt_in:
            refuse(line, f"{who} takes part in the hand, but is missing from its summary")
    for who in (*told.collected, *told.shown):
        if who not in told.dealt_in:
            raise NotationError(f"{who} takes part in the hand, but is missing from its summary")
    player_of = {told.seats[who]: who for who in told.dealt_in}
    return tuple(player_of[seat] for seat in from_button(player_of, told.table.button))


def _setup(told: StarsHand, players: tuple[str, ...]) -> Setup:
    limit = told.header.betting is Betting.LIMIT
    low, high = told.header.stakes
    big = low if limit else high
    blinds = dict.fromkeys(players, 0)
    antes = dict.fromkeys(players, 0)
    for _, who, kind, chips, _ in told.posts:
        if kind == "the ante":
            antes[who] += chips
    dead = False
    small = big // 2 if limit else low
    last: str | None = None
    for line, who, kind, chips, _ in told.posts:
        match kind:
            case "the ante":
                continue
            case "small blind" if last is None:
                small = blinds[who] = chips
                continue
            case "small blind":
                antes[who] += chips
                dead = True
                continue
            case "big blind" | "straddle":
                live = chips
            case "small & big blinds":
                live = min(chips, big)
                antes[who] += chips - live
                dead = True
            case _:
                refuse(line, f"{who} posts {kind}, which is not supported")
        if blinds[who]:
            refuse(line, f"{who} posts a second blind")
        short = live + antes[who] == told.stacks[who]
        if kind != "straddle" and live != big and not (short and live < big):
            refuse(line, f"{who} posts a {kind} of {live}, but the big blind is {big}")
        blinds[who] = max(live, big) if short else live
        if last is None or kind == "straddle":
            last = who
    if last is None:
        raise NotationError("nobody posts the big blind")
    count = len(players)
    stakes, caps = (small, big, high), raise_caps(told.steps, limit)
    rules = _rules(told.header.game, limit, count, stakes, caps, dead)
    setup = Setup(
        rules,
        stacks=tuple(told.stacks[player] for player in players),
        blinds=tuple(blinds[player] for player in players),
        antes=tuple(antes[player] for player in players),
        first=(players.index(last) + 1) % count,
    )
    posted = dict.fromkeys(players, 0)
    for _, who, _, chips, _ in told.posts:
        posted[who] += chips
    check_posts(setup, players, list(posted.values()))
    for line, who, _, _, all_in in told.posts:
        if all_in and posted[who] != told.stacks[who]:
            refuse(line, f"{who} posts the last chips, but has {told.stacks[who]}")
    return setup


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
        cash_game(f"{VENUE} {name}", limit, players, stakes, caps),
        mucking=Mucking.LOSERS_MUCK,
        raise_needs_caller=False,
        free_folds=True,
        ante_rule=Antes.DEAD if dead else Antes.MATCHED,
    )


def _winnings(told: StarsHand, state: State, players: Sequence[str]) -> tuple[int, ...]:
    """What every player collected; it must agree with the chips paid, the uncalled bet returned, and the rake."""
    reckoning = reckoning_of(state)
    if told.returned is not None:
        line, who, chips = told.returned
        if (who, chips) != (players[reckoning.uncalled_seat], reckoning.uncalled):
            refuse(line, f"{chips} is returned to {who}, but the uncalled bet is {reckoning.uncalled}")
    pot = state.pot - reckoning.uncalled
    if told.total != pot:
        raise NotationError(f"the summary has a total pot of {told.total}, but {pot} was paid into it")
    collected = sum(told.collected.values())
    if collected + told.rake != pot:
        raise NotationError(f"{collected} is collected and {told.rake} raked, but the pot has {pot}")
    return tuple(told.collected.get(player, 0) for player in players)


def _details(told: StarsHand) -> Details:
    header = told.header
    notes = {
        "kind": header.kind,
        "mixed game": header.mixed,
        "seats": told.table.seats,
        "time zone": header.zone,
        "local time": header.local_time,
        "hero": told.hero,
        "sitting out": ", ".join(told.sitting_out),
        "chat": "\n".join(told.chat),
        "remarks": "\n".join(told.remarks),
    }
    return Details(
        venue=VENUE,
        table=told.table.name,
        time=header.time,
        currency=header.money.currency,
        chip=Fraction(1, header.money.scale),
        notes=tuple((name, note) for name, note in notes.items() if note),
    )
