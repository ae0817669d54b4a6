"""PHH hands written: the record comes back from its text, and what the text cannot hold is refused or named."""

from dataclasses import replace
from fractions import Fraction
from random import Random

import pytest
from hypothesis import given

from hand_records import plain_record, records, unfinished_records
from railbird.cards import parse_cards
from railbird.engine.actions import CALL, FOLD, raise_to
from railbird.engine.events import Award, Reveal
from railbird.engine.games import named_game
from railbird.engine.record import Details, HandRecord
from railbird.engine.rules import Betting
from railbird.engine.setup import Setup
from railbird.engine.state import UNKNOWN, State
from railbird.notation.phh.reader import read_phh
from railbird.notation.phh.writing import POTS, SHOWN_AFTER_FOLDING, PhhsWriter, format_phh, phh_losses
from railbird.notation.reading import NotationError
from railbird.notation.showdowns import collected, record_from_source
from strategies import finished_hands, randoms

THREE = tuple("abc")


def read_back(record: HandRecord) -> object:
    (reading,) = read_phh(format_phh(record).splitlines())
    return reading


def can_be_written(record: HandRecord) -> bool:
    try:
        format_phh(record)
    except NotationError:
        return False
    return True


@given(records)
def test_a_record_comes_back_from_its_text(record: HandRecord) -> None:
    if can_be_written(record):
        assert read_back(record) == record
        assert phh_losses(record) == ()
    else:
        rules = record.rules
        assert (
            rules.betting is Betting.POT_LIMIT
            or rules.board_cards != (0, 3, 1, 1)
            or len(set(rules.bet_sizes)) > 1
            or record.setup.first != rules.first_seats[0]
            or min(record.setup.stacks) <= max(record.setup.antes)
        )


@given(finished_hands(), randoms)
def test_rake_comes_back_from_the_text(state: State, random: Random) -> None:
    players = tuple("abcdefghij"[: state.rules.players])
    whole = HandRecord.of(state, players)
    won = [int(chips * Fraction(random.randint(5, 20), 20)) for chips in collected(state, whole.payoffs)]
    record = record_from_source(state, players, "7", won=won)
    if can_be_written(record):
        assert read_back(record) == record
        assert phh_losses(record) == ()


@given(unfinished_records)
def test_a_hand_that_is_not_over_is_refused(record: HandRecord) -> None:
    if not record.state().is_over:
        with pytest.raises(NotationError, match=r"is not over: position \d is to act"):
            format_phh(record)


@pytest.mark.parametrize(
    ("game", "sentence"),
    [
        ("potlimit-3p", "PHH has no code for pot-limit Texas hold'em"),
        ("kuhn-2p", "kuhn-2p cannot be written as PHH: the board is not that of Texas hold'em"),
        ("leduc-2p", "leduc-2p cannot be written as PHH: the board is not that of Texas hold'em"),
        ("limit-2p:bets=10/20/30/40", "it has bet sizes other than a small and a big bet"),
        ("nolimit-2p:bets=100/100/200/200", "the minimum bet changes from round to round"),
    ],
)
def test_games_without_a_code_are_refused(game: str, sentence: str) -> None:
    with pytest.raises(NotationError, match=sentence):
        format_phh(plain_record(1, game))


def test_a_text_looks_as_others_write_it() -> None:
    setup = Setup.of(named_game("nolimit-3p:stack=10000,blinds=50/100"))
    state = State(setup, [*parse_cards("AhKs"), *[UNKNOWN] * 9])
    state.act(raise_to(300))
    state.act(CALL)
    state.act(FOLD)
    state = _with_board(state, "2c7h9s")
    state.act(raise_to(400))
    state.act(FOLD)
    details = Details("The Rail", "3", "2009-07-04T20:15:00", "USD", Fraction(1, 100), (("city", "Reno"),))
    record = replace(
        HandRecord.of(state, ("Ann", "Bob's", "Cleo"), "The Rail-17", (4, 5, 9)), details=details
    )
    assert format_phh(record).splitlines()[:-1] == [
        "variant = 'NT'",
        "ante_trimming_status = true",
        "antes = [0.00, 0.00, 0.00]",
        "blinds_or_straddles = [0.50, 1.00, 0.00]",
        "min_bet = 1.00",
        "starting_stacks = [100.00, 100.00, 100.00]",
        "actions = ['d dh p1 AhKs', 'd dh p2 ????', 'd dh p3 ????', 'p3 cbr 3.00', 'p1 cc', 'p2 f', 'd db 2c7h9s',"
        " 'p1 cbr 4.00', 'p3 f']",
        "finishing_stacks = [104.00, 99.00, 97.00]",
        "venue = 'The Rail'",
        "time = 20:15:00",
        "day = 4",
        "month = 7",
        "year = 2009",
        "hand = 17",
        "seats = [4, 5, 9]",
        "table = 3",
        "players = ['Ann', \"Bob's\", 'Cleo']",
        "currency = 'USD'",
        "city = 'Reno'",
    ]
    assert format_phh(record).splitlines()[-1].startswith("_railbird = {rules = '{")
    assert read_back(record) == record


def _with_board(state: State, board: str) -> State:
    hole = state.rules.players * state.rules.hole_cards
    cards = [*state.cards[:hole], *parse_cards(board)]
    again = State(state.setup, cards + [UNKNOWN] * (len(state.cards) - len(cards)))
    for action in state.actions:
        again.act(action)
    return again


def test_hands_of_a_file_are_numbered() -> None:
    writer = PhhsWriter()
    hands = [plain_record(seed, "nolimit-3p") for seed in range(12)]
    text = "".join([writer.hand(record) for record in hands]) + writer.end()
    assert text.startswith("[1]\nvariant")
    assert "\n\n[12]\nvariant" in text
    assert list(read_phh(text.splitlines(keepends=True))) == hands


def test_hands_shown_by_those_who_had_folded_are_lost() -> None:
    setup = Setup.of(named_game("nolimit-3p"))
    state = State(setup, [*parse_cards("AhKsQdQc"), *[UNKNOWN] * 7])
    for _ in range(2):
        state.act(FOLD)
    record = record_from_source(state, THREE, "5", shown={0: parse_cards("AhKs")})
    assert Reveal(0, parse_cards("AhKs")) in record.events
    assert phh_losses(record) == (SHOWN_AFTER_FOLDING,)
    again = read_back(record)
    assert isinstance(again, HandRecord)
    assert again.payoffs == record.payoffs
    assert again.cards == record.cards


def test_the_pots_that_shares_came_from_are_lost_where_they_matter() -> None:
    setup = Setup.of(named_game("nolimit-3p:stack=100/300/1000,blinds=5/10"))
    state = State(setup, parse_cards("AsAhKsKhQsQh2c3d7h8s9c"))
    state.act(raise_to(1000))
    state.act(CALL)
    state.act(CALL)
    record = HandRecord.of(state, THREE, "5")
    assert [event for event in record.events if isinstance(event, Award)] == [
        Award(0, 0, 300),
        Award(1, 1, 400),
    ]
    assert phh_losses(record) == ()
    split = State(setup, parse_cards("2s2d3s3hQsQhTcJcQcKcAc"))
    split.act(raise_to(1000))
    split.act(CALL)
    split.act(CALL)
    raked = record_from_source(split, THREE, "5", won=(100, 290, 300))
    events = tuple(
        replace(event, amount=event.amount + {0: 5, 1: -5}[event.pot])
        if isinstance(event, Award) and event.seat == 1
        else event
        for event in raked.events
    )
    assert phh_losses(raked) == ()
    assert phh_losses(replace(raked, events=events)) == (POTS,)


def test_a_long_hand_is_written_on_many_lines() -> None:
    state = State(
        Setup.of(named_game("nolimit-2p:stack=2000000000,blinds=1/2,bets=1")),
        parse_cards("AhKhQsQd2c7d9hJs4c"),
    )
    for _ in range(600):
        state.act(raise_to(state.legal_actions.raise_minimum))
    state.act(FOLD)
    record = HandRecord.of(state, ("a", "b"), "long")
    assert max(map(len, format_phh(record).splitlines())) < 4100
    assert read_back(record) == record
