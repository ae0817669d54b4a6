"""PHH hands read: what the fields and actions mean, what is refused, and how the reader gets through any text."""

import re
from collections.abc import Sequence
from fractions import Fraction

import pytest
from hypothesis import given
from hypothesis import strategies as st

from hand_records import plain_record
from railbird.cards import parse_cards
from railbird.engine.actions import FOLD, Action, ActionError
from railbird.engine.betting_tree import BettingTree, SequenceEnd
from railbird.engine.events import Award, DealBoard, DealHole, Return, Reveal
from railbird.engine.games import named_game
from railbird.engine.record import HandRecord
from railbird.engine.rules import UNLIMITED_STACK, Antes, Betting, Reopening
from railbird.engine.setup import Setup
from railbird.engine.state import UNKNOWN, State
from railbird.notation.phh.cutting import MOST_CHARACTERS
from railbird.notation.phh.reader import read_phh
from railbird.notation.phh.writing import format_phh
from railbird.notation.reading import BadHand, Reading

RING = """
variant = "NT"  # no-limit
antes = [0, 0, 0]
blinds_or_straddles = [1, 2, 0]
min_bet = 2
starting_stacks = [200, 200, 100.50]
actions = [
  "d dh p1 ????",
  "d dh p2 AhKs",  # the big blind
  "d dh p3 ????",
  "p3 cbr 6",
  "p1 f",
  "p2 cc",
  "d db 2c7h9s",
  "p2 cc",
  "p3 cbr 10.25",
  "p2 f # sighing",
  "",
]
venue = "The Rail"
hand = 17
players = ["Ann", "Bob", "Cleo"]
seats = [4, 5, 9]
table = 3
time = 20:15:00
day = 4
month = 7
year = 2009
city = "Reno"
seat_count = 9
_sponsors = ["", "Acme", ""]
currency = "USD"
"""
HEADS_UP = """
variant = 'NT'
antes = [0, 0]
blinds_or_straddles = [5, 10]
min_bet = 10
starting_stacks = [1000, 1000]
actions = ['d dh p1 AhKh', 'd dh p2 QsQd', 'p2 cc', 'p1 cc', 'd db 2c7d9h', 'p1 cc', 'p2 cc', 'd db Js', 'p1 cc',\
 'p2 cc', 'd db 4c', 'p1 cc', 'p2 cc', 'p1 sm AhKh', 'p2 sm QsQd']
"""
LIMIT = """
variant = 'FT'
antes = [0, 0, 0]
blinds_or_straddles = [5, 10, 0]
small_bet = 10
big_bet = 20
starting_stacks = [500, 500, 500]
actions = ['d dh p1 ????', 'd dh p2 ????', 'd dh p3 ????', 'p3 cbr 20', 'p1 cbr 30', 'p2 f', 'p3 cc', 'd db 2c3d4h',\
 'p1 cbr 10', 'p3 f']
"""


def read(text: str) -> list[Reading]:
    return list(read_phh(text.splitlines(keepends=True)))


def record_of(text: str) -> HandRecord:
    (reading,) = read(text)
    assert isinstance(reading, HandRecord), reading
    return reading


def refusal_of(text: str) -> str:
    (reading,) = read(text)
    assert isinstance(reading, BadHand), reading
    return reading.reason


def with_field(text: str, name: str, value: str) -> str:
    """The same hand with another value of a field, or with one more."""
    lines = [line for line in text.split("\n") if not line.startswith(f"{name} = ")]
    return "\n".join([*lines, f"{name} = {value}", ""])


def test_a_hand_is_read_with_everything_that_is_told() -> None:
    record = record_of(RING)
    assert record.hand_id == "The Rail-17"
    assert record.players == ("Ann", "Bob", "Cleo")
    assert record.seats == (4, 5, 9)
    assert record.setup.stacks == (20000, 20000, 10050)
    assert record.setup.blinds == (100, 200, 0)
    assert record.rules.bet_sizes == (200,) * 4
    assert record.payoffs == (-100, -600, 700)
    details = record.details
    assert (details.venue, details.table, details.currency) == ("The Rail", "3", "USD")
    assert details.time == "2009-07-04T20:15:00"
    assert details.chip == Fraction(1, 100)
    assert details.notes == (
        ("city", "Reno"),
        ("seat_count", "9"),
        ("_sponsors", "['', 'Acme', '']"),
        ("_commentary_10", "sighing"),
    )


def test_hidden_hole_cards_stay_hidden() -> None:
    holes = [event.cards for event in record_of(RING).events if isinstance(event, DealHole)]
    assert holes == [None, parse_cards("AhKs"), None]


def test_heads_up_the_last_player_has_the_button_and_the_small_blind() -> None:
    record = record_of(HEADS_UP)
    assert record.setup.blinds == (10, 5)
    assert record.setup.first == 1
    assert record.payoffs == (-10, 10)


def test_limit_hands_have_a_small_and_a_big_bet() -> None:
    record = record_of(LIMIT)
    assert record.rules.betting is Betting.LIMIT
    assert record.rules.bet_sizes == (10, 10, 20, 20)
    assert record.payoffs == (40, -10, -30)


def test_a_straddle_is_a_blind_and_acts_last() -> None:
    text = with_field(RING.replace("actions = [", "_ = ["), "blinds_or_straddles", "[1, 2, 4]")
    record = record_of(with_field(text, "actions", "['p1 f', 'p2 f']"))
    assert (record.setup.blinds, record.setup.first) == ((100, 200, 400), 0)


def test_players_without_names_are_called_by_their_numbers() -> None:
    assert record_of(HEADS_UP).players == ("p1", "p2")


def test_a_hand_without_a_number_is_called_by_a_digest_of_its_text() -> None:
    first, again = record_of(HEADS_UP), record_of(HEADS_UP)
    assert first.hand_id == again.hand_id
    assert first.hand_id.startswith("phh-")
    assert record_of(f"[12]{HEADS_UP}\n").hand_id == first.hand_id
    assert record_of(with_field(HEADS_UP, "players", "['a', 'b']")).hand_id != first.hand_id
    assert record_of(with_field(HEADS_UP, "hand", "'A 7'")).hand_id == "A 7"


@pytest.mark.parametrize(
    ("fields", "time", "notes"),
    [
        ("year = 2009", "2009", ()),
        ("month = 7\nyear = 2009", "2009-07", ()),
        ("day = 4\nmonth = 7\nyear = 2009", "2009-07-04", ()),
        ("time = 09:00:00.250000", "09:00:00.250000", ()),
        ("time = 09:00:00\nyear = 2009", "2009", (("time", "09:00:00"),)),
        ("day = 4", "", (("day", "4"),)),
    ],
)
def test_the_time_is_told_as_far_as_it_is_known(
    fields: str, time: str, notes: tuple[tuple[str, str], ...]
) -> None:
    details = record_of(f"{HEADS_UP}{fields}\n").details
    assert (details.time, details.notes) == (time, notes)


@pytest.mark.parametrize(("trimmed", "rule"), [("true", Antes.MATCHED), ("false", Antes.DEAD)])
def test_antes_are_matched_or_dead_as_the_file_says(trimmed: str, rule: Antes) -> None:
    record = record_of(with_field(with_field(HEADS_UP, "antes", "[0, 3]"), "ante_trimming_status", trimmed))
    assert record.setup.antes == (3, 0)
    assert record.rules.ante_rule is rule


def test_finishing_stacks_tell_the_rake() -> None:
    record = record_of(with_field(HEADS_UP, "finishing_stacks", "[990, 1009]"))
    assert record.payoffs == (-10, 9)
    assert record.rake == 1


def test_winnings_tell_the_rake() -> None:
    record = record_of(with_field(HEADS_UP, "winnings", "[0, 19]"))
    assert record.payoffs == (-10, 9)


def test_winnings_of_nothing_tell_nothing() -> None:
    assert record_of(with_field(HEADS_UP, "winnings", "[0, 0]")).payoffs == (-10, 10)


def test_winnings_may_include_the_uncalled_bet() -> None:
    text = with_field(with_field(HEADS_UP, "actions", "['p2 cbr 30', 'p1 f']"), "winnings", "[0, 40]")
    assert record_of(text).payoffs == (-10, 10)
    party = with_field(text.replace("[0, 40]", "[0, 39]"), "venue", "'PartyPoker'")
    assert record_of(party).payoffs == (-10, 9)


def test_results_that_cannot_be_become_notes() -> None:
    record = record_of(with_field(HEADS_UP, "winnings", "[0, 35]"))
    assert record.payoffs == (-10, 10)
    assert record.details.notes == (("_unconfirmed_winnings", "[0, 35]"),)


def test_a_winner_who_hides_his_hand_is_known_by_his_winnings() -> None:
    text = HEADS_UP.replace("AhKh", "????").replace("QsQd", "????")
    record = record_of(with_field(text, "winnings", "[20, 0]"))
    assert record.payoffs == (10, -10)
    assert [event for event in record.events if isinstance(event, Reveal)] == [
        Reveal(0, None),
        Reveal(1, None),
    ]
    assert "no hand is shown" in refusal_of(text)


def test_a_hand_shown_for_the_first_time_at_the_showdown_was_dealt() -> None:
    text = HEADS_UP.replace("d dh p1 AhKh", "d dh p1 ????").replace("d dh p2 QsQd", "d dh p2 ????")
    assert record_of(text).events == record_of(HEADS_UP).events
    assert record_of(HEADS_UP.replace("sm AhKh", "sm -")).events == record_of(HEADS_UP).events


def test_a_known_hand_that_lies_face_down_still_wins() -> None:
    record = record_of(HEADS_UP.replace("sm AhKh", "sm ????").replace("sm QsQd", "sm ????"))
    assert record.payoffs == (-10, 10)
    assert record_of(HEADS_UP.replace("sm QsQd", "sm")).payoffs == (10, -10)


def test_unknown_stacks_are_unlimited_and_missing_checks_after_the_river_are_implied() -> None:
    text = with_field(
        HEADS_UP.replace(", 'p1 cc', 'p2 cc', 'p1 sm", ", 'p1 sm"), "starting_stacks", "[inf, inf]"
    )
    record = record_of(text)
    assert record.setup.stacks == (UNLIMITED_STACK, UNLIMITED_STACK)
    assert record.payoffs == (-10, 10)
    assert record.details.notes == (("_implied_checks", "2"),)
    assert "the hand stops while p1 is to act" in refusal_of(text.replace("inf", "1000"))


def test_missing_folds_are_implied_where_one_player_collected_everything() -> None:
    text = with_field(LIMIT.replace(", 'p3 f']", "]"), "winnings", "[70, 0, 0]")
    record = record_of(text)
    assert record.payoffs == (40, -10, -30)
    assert record.details.notes == (("_implied_folds", "1"),)
    assert "the hand stops while p3 is to act" in refusal_of(text.replace("[70, 0, 0]", "[35, 0, 35]"))


def test_late_posts_are_live_unless_the_money_says_otherwise() -> None:
    text = with_field(RING.replace("actions = [", "_ = ["), "blinds_or_straddles", "[1, 2, -1]")
    text = with_field(
        text, "actions", "['p3 cc', 'p1 f', 'p2 cc', 'd db 2c7h9s', 'p2 cc', 'p3 cbr 2', 'p2 f']"
    )
    live = record_of(with_field(text, "finishing_stacks", "[199, 198, 103.50]"))
    assert (live.setup.blinds, live.setup.antes, live.setup.first) == ((100, 200, 100), (0, 0, 0), 2)
    assert live.payoffs == (-100, -200, 300)
    dead = record_of(with_field(text, "finishing_stacks", "[199, 198, 103.25]"))
    assert (dead.setup.blinds, dead.setup.antes) == ((100, 200, 100), (0, 0, 0))
    assert dead.rake == 25
    dead = record_of(with_field(text, "winnings", "[0, 0, 6]"))
    assert (dead.setup.blinds, dead.setup.antes) == ((100, 200, 0), (0, 0, 100))
    assert dead.payoffs == (-100, -200, 300)


def test_a_late_post_above_the_big_blind_is_a_big_blind_and_dead_chips() -> None:
    text = with_field(RING.replace("actions = [", "_ = ["), "blinds_or_straddles", "[1, 2, -3]")
    record = record_of(with_field(text, "actions", "['p3 cc', 'p1 f', 'p2 cbr 6', 'p3 f']"))
    assert (record.setup.blinds, record.setup.antes) == ((100, 200, 200), (0, 0, 100))
    assert record.payoffs == (-100, 400, -300)


def test_other_house_rules_are_taken_to_be_lenient() -> None:
    record = record_of(
        HEADS_UP.replace("'p2 cc', 'd db 4c', 'p1 cc', 'p2 cc', 'p1 sm AhKh', 'p2 sm QsQd'", "'p2 f'")
    )
    assert record.payoffs == (10, -10)
    assert record.rules.free_folds
    assert record.rules.reopening is Reopening.ANY_RAISE
    assert not record_of(HEADS_UP).rules.free_folds


def test_a_free_fold_needs_a_rule_that_accepts_it() -> None:
    strict = State(Setup.of(named_game("nolimit-2p")), [UNKNOWN] * 9)
    strict.call()
    with pytest.raises(ActionError, match="seat 0 cannot fold: checking is free"):
        strict.act(FOLD)
    lenient = State(Setup.of(named_game("nolimit-2p:free-folds=yes")), [UNKNOWN] * 9)
    lenient.call()
    assert not lenient.can_fold()
    lenient.act(FOLD)
    assert lenient.payoffs == (-100, 100)


def test_an_all_in_shows_first_and_deals_the_board_after() -> None:
    text = with_field(
        HEADS_UP,
        "actions",
        "['d dh p1 AhKh', 'd dh p2 ????', 'p2 cbr 1000', 'p1 cc', 'p1 sm AhKh', 'p2 sm ????', 'd db 2c3d4h',"
        " 'p2 sm ????', 'd db 9s', 'p2 sm ????', 'd db Tc', 'p2 sm QsQd']",
    )
    record = record_of(text)
    assert record.payoffs == (-1000, 1000)
    assert [event.round for event in record.events if isinstance(event, DealBoard)] == [1, 2, 3]
    assert [event.seat for event in record.events if isinstance(event, Reveal)] == [0, 1]
    assert [event for event in record.events if isinstance(event, Award)] == [Award(1, 0, 2000)]
    assert not any(isinstance(event, Return) for event in record.events)


@pytest.mark.parametrize(
    ("code", "name"),
    [
        ("NS", "no-limit short-deck hold'em"),
        ("PO", "pot-limit Omaha"),
        ("FO/8", "limit Omaha eight or better"),
        ("F7S", "seven-card stud"),
        ("F7S/8", "seven-card stud eight or better"),
        ("FR", "razz"),
        ("N2L1D", "deuce-to-seven single draw"),
        ("F2L3D", "deuce-to-seven triple draw"),
        ("FB", "badugi"),
    ],
)
def test_other_games_are_refused_by_name(code: str, name: str) -> None:
    assert (
        refusal_of(f"variant = '{code}'")
        == f"the hand is {name} ({code}), but only Texas hold'em is supported"
    )


@pytest.mark.parametrize(
    ("field", "value", "sentence"),
    [
        ("variant", "'XX'", "variant is 'XX', which is not a PHH variant"),
        ("variant", "7", "variant is 7, which is not a PHH variant"),
        ("bring_in", "2", "the hand has a bring_in, but Texas hold'em is played with blinds"),
        ("antes", "[0]", "antes has 1 amounts for 2 players"),
        ("antes", "0", "antes is 0, but a list of amounts is expected"),
        ("antes", "['0', 0]", "antes has '0' where an amount is expected"),
        ("antes", "[-1, 0]", "antes may not be negative"),
        ("antes", "[nan, 0]", "antes has NaN where an amount is expected"),
        ("min_bet", "0", "min_bet is 0, but a bet must be positive"),
        ("min_bet", "'x'", "min_bet is 'x', but an amount is expected"),
        ("min_bet", "0.00000001", "an amount has 8 decimals, but at most 6 are supported"),
        ("starting_stacks", "[1000]", "starting_stacks has 1 players, but a table has 2 to 10"),
        ("starting_stacks", "[1000, 0]", "seat 1 has no chips and cannot be dealt in"),
        ("starting_stacks", "[1000, 1e30]", "starting_stacks has an amount of more than 2147483647 chips"),
        (
            "starting_stacks",
            "[1000, 3000000000]",
            "starting_stacks has an amount of more than 2147483647 chips",
        ),
        ("blinds_or_straddles", "[0, 0]", "nobody posts a blind or an ante"),
        ("ante_trimming_status", "1", "ante_trimming_status is neither true nor false"),
        ("players", "['a']", "players is not a list of 2 names"),
        ("players", "['a', 1]", "players has a name that is not text"),
        ("seats", "[1, 'b']", "seats is not a list of 2 numbers"),
        ("hand", "1.5", "hand is neither a number nor text"),
        ("day", "31\nmonth = 2\nyear = 2009", "year, month and day are 2009, 2, 31, which is not a date"),
        ("actions", "'p1 f'", "the field actions is not a list of notations"),
        ("actions", "[5]", "notation 1 of the actions is not text"),
        ("actions", "['p3 f']", "'p3 f' names an unknown player: there are 2 players"),
        ("actions", "['p0 f']", "'p0 f' does not name a player: players are p1, p2 and so on"),
        ("actions", "['q1 f']", "'q1 f' does not name a player"),
        ("actions", "['p1 x']", "'p1 x' is not a notation of an action"),
        ("actions", "['p1 sd']", "'p1 sd' is not an action of Texas hold'em"),
        ("actions", "['p1 cbr x']", "'p1 cbr x' has no amount"),
        ("actions", "['p1 f']", "'p1 f' is out of turn: p2 is to act"),
        ("actions", "['p2 f', 'p1 f']", "'p1 f' comes after the betting is over"),
        ("actions", "['p2 cbr 11']", "'p2 cbr 11': seat 1 can raise to between 20 and 1000, not to 11"),
        ("actions", "['p2 cc']", "the hand stops while p1 is to act"),
        (
            "actions",
            "['p2 cc', 'p1 cc', 'p1 cc']",
            "'p1 cc' does not fit the board: the flop is still to be dealt",
        ),
        ("actions", "['d db AhKhQh', 'p2 cc']", "the preflop betting is not over, but the board has 3 cards"),
        ("actions", "['p2 f', 'd db AhKhQh']", "the board has 3 cards, but the hand ends with 0"),
        ("actions", "['d db AhKh']", "the board has 2 cards, but it grows by 3, 1 and 1"),
        ("actions", "['d db AhKhQhJhTh9h']", "hands that are run more than once are not supported"),
        ("actions", "['d dh p1 AhKhQh']", "p1 is dealt 3 hole cards, but Texas hold'em has 2"),
        ("actions", "['d dh p1 Ah??']", "one hole card of p1 is known and one is not"),
        ("actions", "['d dh p1 AhX']", "'d dh p1 AhX' ends in half a card"),
        ("actions", "['d dh p1 AhXh']", "'d dh p1 AhXh': 'Xh' is not a card"),
        ("actions", "['d dh p1 AhKh', 'd dh p2 AhQh', 'p2 f']", "Ah is dealt twice"),
        ("actions", "['p2 f', 'p1 sm -']", "p1 shows `-`, but its cards were not given when they were dealt"),
        ("actions", "['p2 f', 'p1 sm Ah??']", "p1 shows one card and hides the other"),
        ("actions", "['d dh p1 AhKh', 'p2 f', 'p1 sm 2c2d']", "seat 0 shows cards that it was not dealt"),
        ("_railbird", "{chip = '1/0'}", "_railbird does not have the fields that Railbird writes"),
        ("_railbird", "5", "_railbird does not have the fields that Railbird writes"),
        (
            "_railbird",
            "{rules = '{\"bet_sizes\":[1.5,1,1,1]}'}",
            "_railbird does not have the fields that Railbird writes",
        ),
    ],
)
def test_what_is_wrong_with_a_hand_is_said_in_a_sentence(field: str, value: str, sentence: str) -> None:
    assert sentence in refusal_of(with_field(HEADS_UP, field, value))


@pytest.mark.parametrize(
    "field", ["variant", "antes", "blinds_or_straddles", "min_bet", "starting_stacks", "actions"]
)
def test_a_missing_field_is_named(field: str) -> None:
    text = with_field(HEADS_UP, field, "0").replace(f"{field} = 0\n", "")
    assert refusal_of(text).startswith(f"the field {field} is missing")


def test_a_file_of_many_hands_is_read_hand_by_hand() -> None:
    lines = iter(f"[1]{HEADS_UP}\n[2]{RING}\n[3]{LIMIT}".splitlines())
    hands = read_phh(lines)
    first = next(hands)
    assert isinstance(first, HandRecord)
    assert len(list(lines)) > len(LIMIT.splitlines())


def test_headings_may_have_any_name_and_comments_may_stand_anywhere() -> None:
    text = f"# a file\n\n[first] # one\n{HEADS_UP}\n  [ 'two' ]\n{RING}# the end\n"
    assert [type(reading) for reading in read(text)] == [HandRecord, HandRecord]


def test_brackets_inside_a_value_are_no_headings() -> None:
    text = f'{HEADS_UP}_deep = [\n[1],\n[\n7\n]\n]\n_text = \'\'\'\n[5]\n\'\'\'\n_more = """\n[x] \\"\n"""\n'
    notes = dict(record_of(text).details.notes)
    assert notes["_deep"] == "[[1], [7]]"
    assert notes["_text"] == "[5]\n"


def test_a_broken_hand_does_not_take_the_next_ones_with_it() -> None:
    broken = HEADS_UP.replace("'p2 sm QsQd']", "'p2 sm QsQd'")
    first, second, third = read(f"[1]{broken}\n[2]{RING}\n[3]{LIMIT}")
    assert isinstance(first, BadHand)
    assert (first.line, first.text) == (1, f"[1]{broken}")
    assert isinstance(second, HandRecord)
    assert isinstance(third, HandRecord)


def test_headings_of_other_tables_are_refused_where_they_stand() -> None:
    readings = read(f"[1]{HEADS_UP}\n[[2]]\n[a.b]\n[2]{RING}")
    bad = [reading for reading in readings if isinstance(reading, BadHand)]
    lines = len(HEADS_UP.splitlines())
    assert [(reading.line, reading.text) for reading in bad] == [(lines + 2, "[[2]]"), (lines + 3, "[a.b]")]
    assert "is not a heading of a hand" in bad[0].reason
    assert len(readings) == 4


@pytest.mark.parametrize("text", ["", "\n\n", "# only a comment\n", "\ufeff"])
def test_nothing_is_read_from_nothing(text: str) -> None:
    assert read(text) == []


def test_byte_order_marks_and_other_line_ends_do_not_matter() -> None:
    (reading,) = read_phh(("\ufeff" + HEADS_UP.replace("\n", "\r\n")).splitlines(keepends=True))
    assert isinstance(reading, HandRecord)
    assert reading.events == record_of(HEADS_UP).events


@pytest.mark.parametrize(
    ("line", "sentence"),
    [
        ("_x = '" + "x" * 70_000 + "'", "line 8: the line has more than 65536 characters"),
        ("_x = '\0'", "line 8: the line contains a NUL byte"),
        ("_x = '\ufffd'", "line 8: the line is not valid in the encoding of the file"),
        ("_x = 'half a", "the text is not valid TOML"),
    ],
)
def test_lines_that_are_no_text_are_refused(line: str, sentence: str) -> None:
    first, second = read(f"[1]{HEADS_UP}{line}\n[2]{RING}")
    assert isinstance(first, BadHand)
    assert first.line == 1
    assert sentence in first.reason
    assert isinstance(second, HandRecord)


def test_a_hand_without_an_end_is_not_kept_whole() -> None:
    first, second = read_phh(line for line in ["[1]", *["x = 1"] * 200_000, "[2]", *RING.split("\n")])
    assert isinstance(first, BadHand)
    assert len(first.text) < MOST_CHARACTERS + 1000
    assert first.reason == f"the hand has more than {MOST_CHARACTERS} characters"
    assert isinstance(second, HandRecord)


@given(
    st.lists(st.sampled_from([*RING.split("\n"), *LIMIT.split("\n"), *HEADS_UP.split("\n")]), max_size=30),
    st.data(),
)
def test_any_text_is_read_or_refused(lines: list[str], data: st.DataObject) -> None:
    cuts = data.draw(
        st.lists(st.tuples(st.integers(0, 29), st.integers(0, 60), st.text(max_size=3)), max_size=5)
    )
    for line, place, text in cuts:
        if line < len(lines):
            lines[line] = lines[line][:place] + text + lines[line][place:]
    for reading in read_phh(lines):
        if isinstance(reading, HandRecord):
            assert list(read_phh(format_phh(reading).split("\n"))) == [reading]
        else:
            assert reading.reason


@pytest.mark.parametrize(
    "game", ["nolimit-3p:stack=4000", "limit-3p", "nolimit-2p:ante=1,stack=60,blinds=1/2"]
)
def test_the_fast_reader_gives_the_same_hands_as_the_plain_one(
    game: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Hands with and without a showdown, whole and raked, with and without results, and some that must be refused."""
    texts = []
    for seed in range(60):
        text = format_phh(plain_record(seed, game))
        plain = re.sub("_railbird = .*", "", text)
        texts += [text, plain, re.sub("finishing_stacks = .*", "", plain), text.replace(" f'", " cc'", 1)]
    seen: list[SequenceEnd] = []
    after_all = BettingTree.after_all

    def noted(tree: BettingTree, actions: Sequence[Action]) -> SequenceEnd | None:
        found = after_all(tree, actions)
        seen.extend([found] if found else [])
        return found

    monkeypatch.setattr(BettingTree, "after_all", noted)
    fast = [list(read_phh(text.splitlines())) for text in texts]
    monkeypatch.setattr(BettingTree, "after_all", lambda *_: None)
    assert fast == [list(read_phh(text.splitlines())) for text in texts]
    assert len(seen) > 100
