"""Play as a card room describes it, replayed by the rules.

A room's text names players, describes their actions and amounts, and prints who won. None of it is trusted: if the
rules disagree with the text, the hand is refused with the line that does not fit.
"""

from collections.abc import Iterable, Sequence
from functools import lru_cache
from typing import Literal, NamedTuple, TypeAlias

from railbird.cards import Card
from railbird.engine.actions import CALL, FOLD, ActionError, raise_to
from railbird.engine.betting_tree import BettingTree, SequenceEnd
from railbird.engine.events import Award, Chips
from railbird.engine.history import ending
from railbird.engine.rules import Betting, GameRules, blinds_for
from railbird.engine.setup import Setup
from railbird.engine.state import State
from railbird.kernels.rules.betting import BETS, OUTCOME, ROUND, SHOWDOWN, STACKS
from railbird.notation.reading import NotationError
from railbird.notation.rooms.hands import STREETS, refuse

LIMIT_CAPS = (3, 4, 4, 4)
_STACK = 100
"""Nominal stack of the game in big blinds; every hand has its own stacks."""
_UNCAPPED = (None, None, None, None)


@lru_cache(maxsize=256)
def cash_game(
    name: str, limit: bool, players: int, stakes: tuple[int, int, int], caps: tuple[int | None, ...]
) -> GameRules:
    """The hold'em of a card room: stakes are the small blind, the big blind and, in limit games, the big bet."""
    small, big, big_bet = stakes
    blinds, first_seats = blinds_for(players, small, big)
    return GameRules(
        name=name,
        betting=Betting.LIMIT if limit else Betting.NO_LIMIT,
        blinds=blinds,
        stacks=(_STACK * big,) * players,
        bet_sizes=(big, big, big_bet, big_bet) if limit else (big,) * 4,
        raise_caps=caps,
        first_seats=first_seats,
        carry=True,
    )


Verb: TypeAlias = Literal[
    "folds", "checks", "calls", "bets", "raises", "raises with", "goes all-in with", "street"
]
"""The kind of a step, in the words of the rooms. A plain string, because enums are slow to compare."""
_ACTIONS = {"folds": FOLD, "checks": CALL, "calls": CALL}
_RAISING = frozenset({"bets", "raises", "raises with"})


class PlayLine(NamedTuple):
    """One line of the play. A new street is a step of its own."""

    line: int
    who: str
    verb: Verb
    amount: int = 0
    """The cost of a call, a bet, a `raises with` or an all-in; for `raises` the amount on top of the previous bet."""
    to: int | None = None
    """The bet after a raise, if the text prints it."""
    all_in: bool | None = None
    """Whether the player is all-in; None if the text does not always say so."""


def replay(setup: Setup, cards: Sequence[Card], players: Sequence[str], steps: Sequence[PlayLine]) -> State:
    """The hand played by the rules; refused are actions that they forbid, and amounts that differ from theirs."""
    end = _end_of(steps, setup.tree, players)
    state = State(setup, cards, end)
    if end is None:
        _replay_in_turn(state, players, steps)
    return state


def _end_of(steps: Sequence[PlayLine], tree: BettingTree, players: Sequence[str]) -> SequenceEnd | None:
    """The end of the betting in one compiled call, None if any step differs from the rules or needs the situation."""
    actions = [_ACTIONS.get(step.verb) or raise_to(step.to or 0) for step in steps if step.verb != "street"]
    end = tree.after_all(actions)
    if end is None or end.actor is not None:
        return None
    acts, rounds = end.course()
    played = zip(acts, rounds, end.to_match, end.left, strict=True)
    street = 0
    for _, who, verb, amount, _, all_in in steps:
        if verb == "street":
            street += 1
            continue
        act, number, to_match, left = next(played)
        if players[act.seat] != who or number != street or all_in not in (None, not left):
            return None
        if verb == "calls" or verb == "checks":
            agrees = act.paid == amount and (amount > 0) == (verb == "calls")
        else:
            # Some rooms print the bet after a raise twice, others also what it adds.
            adds = amount in (act.to - to_match, act.to) and (to_match == 0) == (verb == "bets")
            agrees = verb == "folds" or adds
        if not agrees:
            return None
    last = len(STREETS) - 1 if end.view[OUTCOME] == SHOWDOWN else rounds[-1]
    return end if street == last else None


def _replay_in_turn(state: State, players: Sequence[str], steps: Iterable[PlayLine]) -> None:
    street = 0
    for step in steps:
        line, who, verb, _, _, all_in = step
        node = state.node
        if verb == "street":
            street += 1
            if street != node.view[ROUND]:
                _check_alone(state)
            if street != node.view[ROUND] and not state.is_showdown:
                refuse(line, f"the {STREETS[street]} is dealt before the betting is over")
            continue
        actor = node.actor
        if actor is None or players[actor] != who:
            if verb == "folds" and who in players and not state.stacks[players.index(who)]:
                refuse(line, f"{who} is all-in and folds, which the rules do not allow")
            if actor is None:
                refuse(line, f"{who} {verb} when the betting is over")
            refuse(line, f"{who} {verb} out of turn: {players[actor]} is to act")
        if street != node.view[ROUND]:
            refuse(line, f"{who} {verb} before the {STREETS[state.round]} is dealt")
        _do(state, step)
        if all_in is not None and all_in != (state.node.view[STACKS + actor] == 0):
            refuse(
                line, f"{who} has {state.stacks[actor]} chips left, but the text disagrees about the all-in"
            )
    _check_alone(state)
    if state.actor is not None:
        raise NotationError(f"the hand stops while {players[state.actor]} is to act")
    if street != (len(STREETS) - 1 if state.is_showdown else state.round):
        raise NotationError(f"the betting is over, but the hand stops before the {STREETS[street + 1]}")


def _check_alone(state: State) -> None:
    """Check for a player whose opponents are all-in with less: rooms do not ask, the rules do."""
    node = state.node
    if node.actor is not None and not node.legal.call and len(state.live_seats) > 1:
        others = [seat for seat in state.live_seats if seat != node.actor]
        if not any(state.stacks[seat] for seat in others):
            state.act(CALL)


def _do(state: State, step: PlayLine) -> None:
    line, who, verb, amount, to, _ = step
    to_call = state.node.legal.call
    action = CALL
    if verb == "checks":
        if to_call:
            refuse(line, f"{who} checks, but there are {to_call} chips to call")
    elif verb == "calls":
        if to_call != amount or not amount:
            refuse(line, f"{who} calls {amount}, but there are {to_call} chips to call")
    elif verb == "folds":
        if not to_call and not state.rules.free_folds:
            refuse(line, f"{who} folds with nothing to call, which the rules do not allow")
        action = FOLD
    elif verb != "goes all-in with" or amount > to_call:
        before = state.to_match
        # When the big blind raises an unraised pot, Poker Academy Pro calls it a bet, other rooms a raise.
        if (to_call if verb == "bets" else not before) and verb != "goes all-in with":
            refuse(line, f"{who} {verb} when there are {to_call} chips to call")
        if verb == "bets" or verb == "raises":
            if to is not None and to != before + amount and not _is_told_otherwise(state, amount, to):
                refuse(line, f"{who} raises {before} by {amount}, which is not {to}")
            action = raise_to(before + amount if to is None else to)
        else:
            action = raise_to(_own_bet(state) + amount)
    elif amount != to_call:
        refuse(line, f"{who} goes all-in with {amount}, but there are {to_call} chips to call")
    try:
        state.act(action)
    except ActionError as error:
        refuse(line, f"{who} {verb}, but {error}")


def _is_told_otherwise(state: State, amount: int, to: int) -> bool:
    """Whether a raise is told in one of the other ways.

    Hold'em Manager prints the bet after it twice, others what it costs; on top of a blind that was not posted in full,
    PokerStars counts from what was posted.
    """
    view = state.node.view
    highest = max(view[BETS : BETS + len(state.setup.stacks)])
    return amount in (to, to - _own_bet(state), to - highest)


def _own_bet(state: State) -> int:
    assert state.node.actor is not None
    return state.node.view[BETS + state.node.actor]


def raise_caps(steps: Iterable[PlayLine], limit: bool) -> tuple[int | None, ...]:
    """The raise caps: a bet and three raises at limit, unless the text itself has more.

    Rooms differ in whether two players may continue raising, and their texts do not say.
    """
    if not limit:
        return _UNCAPPED
    left = LIMIT_CAPS[0]
    for step in steps:
        if step.verb == "street":
            left = LIMIT_CAPS[1]
        elif step.verb in _RAISING:
            if not left:
                return _UNCAPPED
            left -= 1
    return LIMIT_CAPS


def check_posts(setup: Setup, players: Sequence[str], posted: Sequence[int]) -> None:
    """Refuse antes and blinds that do not follow from the stacks and the stakes."""
    due = [0] * len(players)
    for post in setup.posts:
        due[post.seat] += post.amount
    if due == posted:
        return
    for player, chips, expected in zip(players, posted, due, strict=True):
        if chips != expected:
            raise NotationError(f"{player} posts {chips}, but {expected} is due")


def check_winners(state: State, players: Sequence[str], won: Sequence[Chips], rake: Chips) -> None:
    """Refuse winners that contradict the cards, when all cards are known.

    A room may award odd chips differently and take its rake from any pot; otherwise the rules decide.
    """
    given: list[Chips] = [0] * len(won)
    pots = 1
    if not state.is_showdown:
        given[state.live_seats[0]] = sum(won) + rake
    else:
        for event in ending(state):
            if isinstance(event, Award):
                given[event.seat] += event.amount
                pots = max(pots, event.pot + 1)
    odd = pots * (len(players) - 1)
    for seat, player in enumerate(players):
        if not -odd <= given[seat] - won[seat] <= rake + odd:
            raise NotationError(
                f"{player} collects {won[seat]} in the text, but the cards give {given[seat]} before rake"
            )
