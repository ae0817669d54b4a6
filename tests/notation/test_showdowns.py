"""Hands that end as their source says: hidden hands, hands thrown away, rake, side pots."""

from collections.abc import Sequence
from fractions import Fraction
from random import Random

import pytest
from hypothesis import given

from railbird.cards import Card, parse_cards
from railbird.engine.actions import CALL, FOLD, raise_to
from railbird.engine.events import Award, Chips, DealBoard, Return, Reveal
from railbird.engine.games import named_game
from railbird.engine.record import HandRecord
from railbird.engine.setup import Setup
from railbird.engine.state import UNKNOWN, State
from railbird.notation.reading import NotationError
from railbird.notation.showdowns import collected, record_from_source
from strategies import finished_hands, randoms

HIDDEN = (UNKNOWN, UNKNOWN)
ACES, KINGS, QUEENS = parse_cards("AsAh"), parse_cards("KsKh"), parse_cards("QsQh")
BOARD = parse_cards("2c3d7h8s9c")


def all_in(*holes: Sequence[Card], stacks: str = "100/300/1000", board: Sequence[Card] = BOARD) -> State:
    """Three players with 100, 300 and 1,000 chips are all-in before the flop."""
    setup = Setup.of(named_game(f"nolimit-3p:stack={stacks},blinds=5/10,muck=losers-muck"))
    state = State(setup, [card for hole in holes for card in hole] + list(board))
    state.act(raise_to(state.legal_actions.raise_maximum))
    state.act(CALL)
    state.act(CALL)
    return state


def ended(state: State, **told: object) -> HandRecord:
    players = tuple("abcdefghij"[: state.rules.players])
    return record_from_source(state, players, "1", **told)  # type: ignore[arg-type]


def awards(record: HandRecord) -> list[tuple[int, int, Chips]]:
    return [(event.seat, event.pot, event.amount) for event in record.events if isinstance(event, Award)]


def reveals(record: HandRecord) -> list[tuple[int, bool]]:
    return [(event.seat, event.cards is not None) for event in record.events if isinstance(event, Reveal)]


@given(finished_hands())
def test_a_source_that_says_nothing_leaves_a_known_hand_to_the_rules(state: State) -> None:
    assert ended(state).events == HandRecord.of(state, tuple("abcdefghij"[: state.rules.players])).events


@given(finished_hands())
def test_a_source_that_agrees_with_the_rules_changes_nothing(state: State) -> None:
    record = ended(state)
    assert ended(state, won=collected(state, record.payoffs)).events == record.events


@given(finished_hands(), randoms)
def test_rake_is_what_the_source_does_not_pay_out(state: State, random: Random) -> None:
    whole = ended(state)
    won = [chips * Fraction(random.randint(9, 10), 10) for chips in collected(state, whole.payoffs)]
    raked = ended(state, won=won)
    assert collected(state, raked.payoffs) == tuple(won)
    assert raked.rake == sum(collected(state, whole.payoffs)) - sum(won)


def test_uncalled_chips_go_back_and_are_not_collected() -> None:
    record = ended(all_in(ACES, KINGS, QUEENS))
    assert [event for event in record.events if isinstance(event, Return)] == [Return(2, 700)]
    assert awards(record) == [(0, 0, 300), (1, 1, 400)]
    assert collected(record.state(), record.payoffs) == (300, 400, 0)


def test_a_hand_that_nobody_saw_cannot_win() -> None:
    record = ended(all_in(QUEENS, KINGS, HIDDEN))
    assert awards(record) == [(1, 0, 300), (1, 1, 400)]
    assert reveals(record) == [(2, False), (0, False), (1, False)]


def test_a_winner_is_certain_if_the_cards_or_the_source_tell_it() -> None:
    """An unseen hand may have won, unless it was mucked or the source says who collected."""
    unseen = all_in(QUEENS, KINGS, HIDDEN)
    silent = ended(unseen)
    assert not silent.has_certain_winner
    assert silent.details.notes == (("_uncertain_winner", "true"),)
    assert ended(unseen, details=silent.details).details == silent.details
    certain = (
        ended(all_in(QUEENS, KINGS, ACES)),
        ended(unseen, shown={2: None}),
        ended(unseen, won=collected(unseen, silent.payoffs)),
    )
    assert all(record.has_certain_winner for record in certain)
    assert not ended(unseen, shown={2: None}, face_down={2}).has_certain_winner


def test_a_better_hand_that_is_thrown_away_cannot_win() -> None:
    state = all_in(ACES, KINGS, QUEENS)
    record = ended(state, shown={1: KINGS, 0: None, 2: QUEENS})
    assert awards(record) == [(1, 0, 700)]
    assert reveals(record) == [(1, True), (0, False), (2, True)]


def test_a_hand_that_lies_face_down_is_not_thrown_away() -> None:
    record = ended(all_in(ACES, KINGS, QUEENS), shown={0: None, 1: None, 2: None}, face_down={0, 1})
    assert awards(record) == [(0, 0, 300), (1, 1, 400)]
    assert reveals(record) == [(0, False), (1, False), (2, False)]


def test_the_source_says_who_won_with_a_hidden_hand() -> None:
    state = all_in(HIDDEN, KINGS, QUEENS)
    assert awards(ended(state, won=(290, 395, 0))) == [(0, 0, 290), (1, 1, 395)]
    assert awards(ended(state, won=(0, 690, 0))) == [(1, 0, 290), (1, 1, 400)]


def test_hidden_winners_share_every_pot_evenly() -> None:
    state = all_in(HIDDEN, HIDDEN, HIDDEN)
    assert awards(ended(state, won=(0, 350, 350))) == [(1, 0, 150), (2, 0, 150), (1, 1, 200), (2, 1, 200)]
    assert awards(ended(state, won=(101, 499, 100))) == [(0, 0, 101), (1, 0, 199), (1, 1, 300), (2, 1, 100)]


def test_hands_shown_after_everybody_folded_are_kept() -> None:
    setup = Setup.of(named_game("nolimit-2p"))
    state = State(setup, [*ACES, *KINGS, *[UNKNOWN] * 5])
    state.act(FOLD)
    assert reveals(ended(state, shown={0: ACES})) == [(0, True)]
    assert reveals(ended(state, shown={0: None})) == []


def test_a_board_that_nobody_saw_is_left_out_and_the_source_tells_the_winner() -> None:
    state = all_in(ACES, KINGS, QUEENS, board=[UNKNOWN] * 5)
    record = ended(state, won=(0, 0, 700))
    assert not any(isinstance(event, DealBoard) for event in record.events)
    assert record.payoffs == (-100, -300, 400)
    assert record.state() == state


@pytest.mark.parametrize(
    ("holes", "board", "told", "sentence"),
    [
        ((HIDDEN, HIDDEN, HIDDEN), BOARD, {}, "no hand is shown at the showdown"),
        ((ACES, KINGS, QUEENS), [UNKNOWN] * 5, {}, "no hand is shown at the showdown"),
        ((ACES, KINGS, QUEENS), [*BOARD[:4], UNKNOWN], {}, "no hand is shown at the showdown"),
        ((ACES, KINGS, QUEENS), [*BOARD[:2], *[UNKNOWN] * 3], {}, "some cards of the board are known"),
        ((ACES, KINGS, QUEENS), BOARD, {"won": (0, 0, 700)}, "seat 2 collected 700 in the source, 700 more"),
        ((ACES, KINGS, HIDDEN), BOARD, {"won": (301, 0, 400)}, "seat 0 collected 301 in the source, 1 more"),
        ((ACES, KINGS, HIDDEN), BOARD, {"won": (0, 0, 701)}, "seat 2 collected 701 in the source, 1 more"),
        ((ACES, KINGS, HIDDEN), BOARD, {"won": (301, 0, -1)}, "seat 2 collected a negative amount"),
        ((ACES, KINGS, HIDDEN), BOARD, {"shown": {0: KINGS}}, "seat 0 shows cards that it was not dealt"),
    ],
)
def test_a_source_that_cannot_be_right_is_refused(
    holes: tuple[Sequence[Card], ...], board: Sequence[Card], told: dict[str, object], sentence: str
) -> None:
    state = all_in(*holes, board=board)
    with pytest.raises(NotationError, match=sentence):
        ended(state, **told)


def test_a_hand_that_is_not_over_has_no_end() -> None:
    state = State(Setup.of(named_game("nolimit-2p")), [UNKNOWN] * 9)
    with pytest.raises(NotationError, match="the hand stops while seat 1 is to act"):
        ended(state)
