"""PokerStars text: written by hand for every feature, written from random hands, and refereed by PokerKit at no-limit.

No limit text made by others is at hand, so limit rests on the fixtures in `histories/` (posting, all-ins, side pots,
uncalled bets, rake, sitting out, odd names) and on random hands of our own rules.
"""

import warnings
from dataclasses import replace
from decimal import Decimal
from fractions import Fraction
from random import Random
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st
from pokerkit import HandHistory

from folders import HISTORIES
from histories.pokerstars_writer import Table, random_table, write_hand
from railbird.cards import format_cards
from railbird.engine.actions import CALL, FOLD, ActionKind
from railbird.engine.events import Act, Award, DealHole, Event, Return, Reveal
from railbird.engine.record import HandRecord
from railbird.engine.rules import Betting, Mucking, OddChips, Reopening, ShortBlind
from railbird.engine.setup import Setup
from railbird.engine.state import State
from railbird.notation.reading import LONGEST_LINE, BadHand, Reading, refuse_line
from railbird.notation.rooms.hands import MOST_LINES
from railbird.notation.rooms.pokerstars import read_pokerstars
from strategies import random_action, random_cards, random_style

LIMIT = (HISTORIES / "pokerstars_limit.txt").read_text(encoding="utf-8")
NO_LIMIT = (HISTORIES / "pokerstars_no_limit.txt").read_text(encoding="utf-8")


def readings(text: str) -> list[Reading]:
    return list(read_pokerstars(text.splitlines(keepends=True)))


def records(text: str) -> list[HandRecord]:
    found = readings(text)
    for reading in found:
        assert isinstance(reading, HandRecord), reading
    return [reading for reading in found if isinstance(reading, HandRecord)]


def only(text: str) -> HandRecord:
    (record,) = records(text)
    return record


def refusal(text: str) -> str:
    (reading,) = readings(text)
    assert isinstance(reading, BadHand), reading
    assert reading.text == text.rstrip("\n")
    return reading.reason


def hand(number: int) -> str:
    """One of the fixtures, by its number."""
    source = LIMIT if number < 2000 else NO_LIMIT
    start = source.index(f"#{number}:")
    start = source.rindex("\n", 0, start) + 1 if start > 30 else 0
    return source[start:].partition("\n\n")[0] + "\n"


# What the fixtures say

PAYOFFS = {
    1001: {"Ann": 0, "Bo": -1000, "Cy": 0, "Di": 1100, "Fay": -200},
    1002: {"Gus": 900, "Hal": -900, "Ida": -100},
    1003: {"Jo": 0, "Kim": -100, "Lou": 100},
    1004: {"Jil": -5, "Ken": -20, "Lea": -15, "Moe": 61, "Ned": -25},
    1005: {"raises $1 to $2": 0, "Al: folds [x] (button)": -1},
    1006: {"Oz": -60, "Pia": 260, "Quin": -200},
    1007: {"Ray": 90, "Sue": 0, "Vic": -100},
    1008: {"ünï_cødé": -400, "名前": 400},
    2001: {"Ann": 8, "Bo": -6, "Cy": -2},
    2002: {"Di": -150, "Ed": 150},
    2003: {"Fay": -920, "Gus": 5120, "Hal": -2200, "Ida": -2200},
    2004: {"Jil": 1247, "Ken": -1353, "Lea": -5, "Moe": -10},
}


def test_every_hand_of_the_fixtures_is_read_with_its_winnings() -> None:
    found = records(LIMIT) + records(NO_LIMIT)
    assert {
        int(record.hand_id.removeprefix("PokerStars-")): dict(
            zip(record.players, record.payoffs, strict=True)
        )
        for record in found
    } == PAYOFFS
    for record in found:
        assert record.state().is_over


@pytest.mark.parametrize("number", PAYOFFS)
def test_each_hand_is_found_alone_and_with_other_line_ends(number: int) -> None:
    text = hand(number)
    record = only(text)
    assert record == only("\ufeff" + text.replace("\n", "\r\n")) == only(text.rstrip("\n"))
    assert record == next(read_pokerstars(text.splitlines()))


def test_positions_are_counted_from_the_left_of_the_button() -> None:
    record = only(hand(1001))
    assert record.players == ("Di", "Fay", "Ann", "Bo", "Cy")
    assert record.seats == (4, 6, 1, 2, 3)
    assert record.setup.blinds == (50, 100, 0, 0, 0)
    assert record.setup.first == 2


def test_a_fold_where_a_check_is_free_is_a_fold() -> None:
    head, _, tail = hand(1001).partition("Fay: checks \n")
    record = only(f"{head}Fay: folds \n{tail.replace('Fay: folds ', '', 1).lstrip()}")
    folds = [
        event.seat for event in record.events if isinstance(event, Act) and event.kind is ActionKind.FOLD
    ]
    assert folds == [2, 4, 1]
    assert record.payoffs == only(hand(1001)).payoffs
    assert record.state().is_over


def test_heads_up_the_button_is_last_and_has_the_small_blind() -> None:
    record = only(hand(1005))
    assert record.players == ("raises $1 to $2", "Al: folds [x] (button)")
    assert (record.setup.blinds, record.setup.first) == ((50, 25), 1)


def test_a_limit_game_has_two_bets_and_four_of_them_a_round() -> None:
    rules = only(hand(1001)).rules
    assert rules.betting is Betting.LIMIT
    assert (rules.bet_sizes, rules.raise_caps) == ((100, 100, 200, 200), (3, 4, 4, 4))


def test_more_raises_than_four_show_that_there_was_no_cap() -> None:
    assert only(hand(1008)).rules.raise_caps == (None,) * 4


def test_a_mucked_hand_is_known_from_the_summary_and_still_mucked() -> None:
    record = only(hand(1001))
    assert DealHole(3, record.cards[6:8]) in record.events
    assert format_cards(record.cards[6:8]) == "AhAd"
    assert Reveal(3, None) in record.events
    assert [event for event in record.events if isinstance(event, DealHole) and event.cards is None] == [
        DealHole(1, None),
        DealHole(4, None),
    ]


def test_side_pots_go_to_those_who_collected_them() -> None:
    record = only(hand(1002))
    assert [event for event in record.events if isinstance(event, Award)] == [
        Award(0, 0, 1400),
        Award(2, 1, 800),
    ]
    assert record.rake == 100


def test_older_histories_do_not_print_what_nobody_called() -> None:
    assert Return(1, 100) in only(hand(1003)).events


def test_dead_blinds_are_antes() -> None:
    record = only(hand(1004))
    assert record.setup.blinds == (5, 10, 10, 10, 0)
    assert record.setup.antes == (0, 0, 5, 0, 5)
    assert record.rake == 4
    assert format_cards(record.cards[4:6]) == "5c5h"


def test_a_short_big_blind_is_called_in_full() -> None:
    record = only(hand(1006))
    assert record.setup.blinds == (100, 200, 0)
    assert record.setup.stacks[1] == 130
    assert record.actions()[:2] == (CALL, CALL)


def test_those_who_sit_out_wait_or_come_and_go_are_not_dealt_in() -> None:
    record = only(hand(1007))
    assert record.players == ("Ray", "Sue", "Vic")
    assert record.setup.blinds == (100, 0, 0)
    notes = dict(record.details.notes)
    assert notes["sitting out"] == "Tom, Xi"
    assert notes["chat"] == 'Yann said, "nh: folds, raises £1 to £2"'
    assert "Ray shows [Ah]" in notes["remarks"].splitlines()
    assert "Vic has timed out while disconnected" in notes["remarks"].splitlines()


def test_straddles_are_blinds_and_antes_are_antes() -> None:
    assert only(hand(2004)).setup.blinds == (5, 10, 20, 0)
    assert only(hand(2004)).setup.first == 3
    assert only(hand(2003)).setup.antes == (20, 20, 20, 20)


def test_details_tell_where_when_and_in_which_money() -> None:
    details = only(hand(1002)).details
    assert (details.venue, details.table, details.time) == ("PokerStars", "Side Pots", "2012-11-30T17:59:59")
    assert (details.currency, details.chip) == ("USD", Fraction(1, 100))
    assert dict(details.notes)["local time"] == "2012-11-30T23:59:59 CET"
    assert only(hand(1003)).details.currency == "USD"
    assert only(hand(1007)).details.currency == "GBP"
    assert dict(only(hand(1008)).details.notes)["mixed game"] == "HORSE"
    assert dict(only(hand(2001)).details.notes)["kind"] == "Zoom"
    play_money = only(hand(2002)).details
    assert (play_money.currency, play_money.chip) == ("", Fraction(1))
    assert "cashed out" in dict(only(hand(2004)).details.notes)["remarks"]


# What is refused


GAMES = (
    "Omaha Pot Limit",
    "Omaha Hi/Lo Limit",
    "5 Card Omaha Pot Limit",
    "7 Card Stud Limit",
    "Razz Limit",
    "Triple Draw 2-7 Lowball Limit",
    "Badugi Limit",
    "6+ Hold'em No Limit",
    "Split Hold'em No Limit",
    "Hold'em Pot Limit",
)


@pytest.mark.parametrize("game", GAMES)
def test_other_games_are_refused_by_name(game: str) -> None:
    reason = refusal(hand(1001).replace("Hold'em Limit", game, 1))
    assert reason == f"line 1: the game is {game}, but only Hold'em Limit and Hold'em No Limit are supported"


@pytest.mark.parametrize(
    ("old", "new", "sentence"),
    [
        (
            "Hold'em Limit (",
            "Tournament #7, $1 USD Hold'em No Limit - Level I (",
            "does not give a tournament",
        ),
        (
            "Hold'em Limit ($1/$2 USD)",
            "Tournament #7, $1 USD Omaha Pot Limit (1/2)",
            "the tournament is '$1 USD Omaha",
        ),
        ("$1/$2 USD", "$1/$2 - $30 Cap -  USD", "line 1: the game has a cap of $30 per hand"),
        ("$1/$2 USD", "₽1/₽2 RUB", "an unsupported currency"),
        ("$1/$2 USD", "$2/$1 USD", "are inconsistent"),
        ("2009/07/01", "2009/13/01", "2009-13-01 0:00:33 is not a valid date and time"),
        ("*** FLOP ***", "*** FIRST FLOP ***", "line 18: the hand was run more than once"),
        ("Board [8c", "Hand was run twice\nBoard [8c", "the hand was run more than once"),
        ("*** SHOW DOWN ***", "Hand cancelled", "line 33: the hand was cancelled"),
        ("*** TURN ***", "*** DRAW ***", "'DRAW' is not a supported part of a hand"),
        (
            "Ann: folds",
            "Zoe: folds",
            "line 13: 'Zoe: folds' is not a supported line of a hand, or names a player",
        ),
        ("Ann: folds", "Ann: dances", "'Ann: dances' is not a supported line of a hand"),
        ("Ann: folds", "Cy: folds", "line 13: Cy folds out of turn: Ann is to act"),
        ("Ann: folds", "Ann: checks", "Ann checks, but there are 100 chips to call"),
        ("Di: calls $1.50", "Di: calls $1.49", "line 16: Di calls 149, but there are 150 chips to call"),
        (
            "Di: calls $1.50",
            "Di: calls $1.50 and is all-in",
            "Di has 2925 chips left, but the text disagrees about the all-in",
        ),
        ("Di: calls $1.50", "Di: calls €1.50", "'€1.50' is not an amount such as $25"),
        ("Di: calls $1.50", "Di: calls $1,50", "'$1,50' is not an amount"),
        ("Bo: raises $1 to $2", "Bo: raises $3 to $2", "Bo raises 100 by 300, which is not 200"),
        (
            "Bo: raises $1 to $2",
            "Bo: raises $2 to $3",
            "Bo raises, but seat 3 can raise only to 200, not to 300",
        ),
        ("Bo: raises $1 to $2", "Bo: bets $1", "Bo bets when there are 100 chips to call"),
        ("Fay: checks ", "Fay: folds ", "line 23: Fay folds out of turn: Bo is to act"),
        ("Fay: folds \nBo: raises", "Bo: raises", "line 23: Bo raises out of turn: Fay is to act"),
        (
            "posts big blind $1",
            "posts big blind $2",
            "Fay posts a big blind of 200, but the big blind is 100",
        ),
        (
            "posts small blind $0.50",
            "posts big bet $0.50",
            "line 9: Di posts big bet, which is not supported",
        ),
        ("Fay: posts big blind $1\n", "", "nobody posts the big blind"),
        ("[8c 3s 2d] [Kh]", "[8c 3s 2h] [Kh]", "line 27: the TURN does not add its cards"),
        ("[8c 3s 2d Kh] [4c]", "[8c 3s 2d Kh] [8h]", "the board in the summary differs"),
        ("*** FLOP *** [8c 3s 2d]", "*** FLOP *** [8c 3s]", "line 18: the FLOP does not add"),
        ("Ann [9s 2h]", "Ann [9s 2x]", "line 12: '2x' is not a card"),
        ("Di: shows [8h 8d]", "Di: shows [8h 8s]", "Di has different cards than before"),
        ("Di collected $21", "Di collected $20", "Di gets 2100, but collected 2000 in the hand"),
        (
            "Total pot $22 | Rake $1",
            "Total pot $22 | Rake $2",
            "2100 is collected and 200 raked, but the pot has 2200",
        ),
        ("Total pot $22 | Rake $1", "Total pot $20 | Rake $1", "a total pot of 2000, but 2200 was paid"),
        ("Total pot $22 | Rake $1", "Total pot $22", "the summary does not print the rake"),
        ("Bo: calls $1\n", "STP added: $1\n", "line 26: the house adds chips to the pot"),
        ("Total pot $22 | Rake $1 \n", "", "the summary has no total pot"),
        ("Board [8c 3s 2d Kh 4c]", "Board [8c 3s 2d Kh 4d]", "the board in the summary differs"),
        ("Seat 2: Bo mucked", "Seat 2: Di mucked", "seat 2 does not belong to 'Di mucked"),
        ("Seat 2: Bo mucked [Ah Ad]", "Seat 2: Bo mucked [8h Ad]", "8h is dealt twice"),
        ("Seat 2: Bo mucked [Ah Ad]", "Seat 2: Bo flew away", "is not a valid ending for Bo"),
        ("Seat 2: Bo mucked [Ah Ad]\n", "", "Bo takes part in the hand, but is missing from its summary"),
        ("Seat 3: Cy (", "Seat 1: Cy (", "seat 1 or the player Cy is listed twice"),
        ("Seat 3: Cy (", "Seat 3: Ann (", "seat 3 or the player Ann is listed twice"),
        ("Table 'Fixture I'", "Chair 'Fixture I'", "line 2: "),
        ("*** SUMMARY ***", "*** SUMMARY", "line 37: '*** SUMMARY' is not a supported line of a hand"),
    ],
)
def test_a_hand_that_contradicts_itself_is_refused_with_the_reason(old: str, new: str, sentence: str) -> None:
    text = hand(1001)
    assert old in text
    assert sentence in refusal(text.replace(old, new, 1))


def test_winners_that_the_cards_contradict_are_refused() -> None:
    text = hand(1001).replace("[8h 8d]", "[7h 6d]").replace("three of a kind, Eights", "a lie")
    assert refusal(text) == "Di collects 2100 in the text, but the cards give 0 before rake"


def test_pots_that_do_not_add_up_are_refused() -> None:
    assert "the pots and the rake add up to 2200, not to 2300" in refusal(
        hand(1002).replace("Side pot $8.", "Side pot $7.")
    )


def test_an_uncalled_bet_that_was_called_is_refused() -> None:
    text = hand(1004).replace("Uncalled bet ($0.10) returned to Moe", "Uncalled bet ($0.20) returned to Moe")
    assert refusal(text) == "line 26: 20 is returned to Moe, but the uncalled bet is 10"


@pytest.mark.parametrize("number", [1001, 1004, 2003])
def test_no_part_of_a_hand_passes_for_the_whole(number: int) -> None:
    """Cut off anywhere, a hand is refused, or it lacks only words after the last fact."""
    text = hand(number).rstrip("\n")
    whole = only(text)
    for end in range(40, len(text)):
        (reading,) = readings(text[:end])
        if isinstance(reading, HandRecord):
            assert reading == whole
            assert "\n" not in text[end:]


def test_after_a_broken_hand_the_reader_goes_on() -> None:
    lines = LIMIT.splitlines(keepends=True)
    broken = lines.index("Ida: calls $3\n")
    del lines[broken]
    found = list(read_pokerstars(lines))
    bad = [reading for reading in found if isinstance(reading, BadHand)]
    assert len(found) == 8
    assert [reading.line for reading in bad] == [lines.index(bad[0].text.partition("\n")[0] + "\n") + 1]
    assert f"line {broken + 1}: " in bad[0].reason


def test_a_hand_without_an_end_is_refused_alone() -> None:
    cut = hand(1001).partition("*** TURN")[0]
    first, second = readings(cut + hand(1003))
    assert isinstance(first, BadHand)
    assert first.reason == "the hand stops before its summary"
    assert isinstance(second, HandRecord)


def test_text_between_hands_is_put_aside() -> None:
    found = readings(
        "Transcript of your last hands\nsent by mail\n" + hand(1001) + "\nRegards\n\n" + hand(1003)
    )
    assert [type(reading) for reading in found] == [BadHand, HandRecord, BadHand, HandRecord]
    assert found[0] == BadHand(
        1,
        "line 1: 'Transcript of your last hands' does not begin a hand: a hand begins with 'PokerStars Hand #'",
        "Transcript of your last hands\nsent by mail",
    )


def test_hands_of_other_rooms_are_refused_by_name() -> None:
    reason = refusal(hand(1001).replace("PokerStars Hand", "Lock Poker Hand", 1))
    assert reason.startswith('line 1: "Lock Poker Hand #1001')


@pytest.mark.parametrize(
    ("line", "sentence"),
    [
        ("x" * (LONGEST_LINE + 1), f"line 14: {refuse_line('x' * (LONGEST_LINE + 1))}"),
        ("Ann\0: folds", "line 14: the line contains a NUL byte"),
        ("Ann\ufffd: folds", "line 14: the line is not valid in the encoding of the file"),
        ("y" * 1000, "line 14: the line has 1000 characters, too many for a line other than chat"),
    ],
)
def test_lines_that_no_text_has_are_refused(line: str, sentence: str) -> None:
    text = hand(1001).replace("Bo: raises $1 to $2", line + "\nBo: raises $1 to $2", 1)
    assert refusal(text) == sentence


def test_chat_may_be_long() -> None:
    said = f'Ann said, "{"la " * 1000}"'
    record = only(hand(1001).replace("Bo: raises $1 to $2", said + "\nBo: raises $1 to $2", 1))
    assert dict(record.details.notes)["chat"] == said


def test_a_hand_that_never_ends_is_handed_over_in_pieces() -> None:
    head = hand(1001).partition("Bo: raises")[0]
    lines = [*head.splitlines(), *['Ann said, "hello"'] * (2 * MOST_LINES), *hand(1003).splitlines()]
    *bad, last = read_pokerstars(lines)
    assert isinstance(last, HandRecord)
    assert all(isinstance(reading, BadHand) and reading.text.count("\n") <= MOST_LINES for reading in bad)
    assert f"more than {MOST_LINES} lines" in getattr(bad[0], "reason", "")


def test_nothing_is_in_nothing() -> None:
    assert readings("") == readings("\n\n \n") == []


# Random hands


def random_hand(random: Random, betting: Betting, plain: bool = False) -> tuple[HandRecord, Table]:
    table = random_table(random, betting, plain)
    rules = replace(table.setup.rules, mucking=random.choice(list(Mucking)))
    setup = replace(table.setup, rules=rules)
    state = State(setup, random_cards(random, rules))
    style = random_style(random)
    while not state.is_over:
        state.act(random_action(random, state.legal_actions, style))
    number = random.randrange(10**12)
    return HandRecord.of(state, table.players, f"PokerStars-{number}", table.seats), table


def as_text_tells(record: HandRecord, hero: int | None) -> tuple[Event, ...]:
    """The events without the cards that nobody saw."""
    told = set(record.state().live_seats) if record.state().is_showdown else set()
    return tuple(
        DealHole(event.seat, None)
        if isinstance(event, DealHole) and event.seat != hero and event.seat not in told
        else event
        for event in record.events
    )


def check_random_hand(random: Random, betting: Betting) -> None:
    record, table = random_hand(random, betting)
    hero = random.choice([None, random.randrange(record.rules.players)])
    text = write_hand(record, table, random, hero=hero)
    found = only(text)
    assert (found.hand_id, found.players, found.seats) == (record.hand_id, record.players, record.seats), text
    assert found.events == as_text_tells(record, hero), text
    most = max((int(event.amount) for event in record.events if isinstance(event, Award)), default=1)
    rake = random.randint(0, min(most - 1, 300))
    raked = only(write_hand(record, table, random, rake=rake, hero=hero))
    assert raked.rake == rake
    lost = [ours - theirs for ours, theirs in zip(record.payoffs, raked.payoffs, strict=True)]
    assert sorted(lost)[-1] == rake == sum(lost)


@given(seed=st.integers(min_value=0), betting=st.sampled_from([Betting.LIMIT, Betting.NO_LIMIT]))
def test_random_hands_survive_the_text(seed: int, betting: Betting) -> None:
    check_random_hand(Random(seed), betting)


@pytest.mark.soak
@pytest.mark.parametrize("chunk", range(10))
def test_ten_thousand_random_hands_survive_the_text(chunk: int) -> None:
    random = Random(chunk)
    for _ in range(1000):
        check_random_hand(random, random.choice([Betting.LIMIT, Betting.NO_LIMIT]))


# PokerKit

POKERKIT_RULES: dict[str, Any] = {
    "reopening": Reopening.CONSECUTIVE_SHORTS,
    "odd_chips": OddChips.MERGED_POTS,
    "short_blind": ShortBlind.POSTED,
    "raise_needs_caller": True,
}


def hand_for_both(random: Random) -> tuple[HandRecord, Table]:
    """A hand of which our reader's rules and PokerKit's allow every action."""
    while True:
        table = random_table(random, Betting.NO_LIMIT, plain=True)
        if min(table.setup.stacks) >= max(table.setup.blinds):
            break
    cards = random_cards(random, table.setup.rules)
    theirs = State(replace_rules(table.setup), cards)
    ours = State(table.setup, cards)
    style = random_style(random)
    while not ours.is_over:
        action = random_action(random, theirs.legal_actions, style)
        if not ours.legal_actions.allows(action):
            action = FOLD if ours.legal_actions.fold else CALL
        ours.act(action)
        theirs.act(action)
    return HandRecord.of(theirs, table.players, str(random.randrange(10**9)), table.seats), table


def replace_rules(setup: Setup) -> Setup:
    return replace(setup, rules=replace(setup.rules, **POKERKIT_RULES))


def pokerkit_reads(text: str) -> HandHistory:
    """What PokerKit makes of a hand, in cents; it warns about a field of its own."""
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", UserWarning)
        (history,) = HandHistory.from_pokerstars(
            text, parse_value=lambda amount: int(100 * Decimal(amount)), error_status=True
        )
    return history


def check_with_pokerkit(random: Random) -> None:
    record, table = hand_for_both(random)
    # PokerKit cuts names by patterns alone, so they are plain here.
    record = replace(record, players=tuple(f"Player{seat}" for seat in record.seats))
    table = replace(table, players=record.players)
    text = write_hand(record, table, Random(0), hero=random.randrange(record.rules.players))
    text = "\n".join(line for line in text.splitlines() if "Watcher" not in line) + "\n"
    ours = only(text)
    theirs = pokerkit_reads(text)
    assert tuple(tuple(theirs)[-1].payoffs) == ours.payoffs, text
    assert tuple(theirs.players or ()) == ours.players
    assert tuple(theirs.seats or ()) == ours.seats
    assert tuple(theirs.starting_stacks) == ours.setup.stacks
    done = [action.split() for action in theirs.actions if action[0] == "p" and action.split()[1] != "sm"]
    assert done == [_as_pokerkit(act) for act in ours.events if isinstance(act, Act)], text


def _as_pokerkit(act: Act) -> list[str]:
    who = f"p{act.seat + 1}"
    match act.kind:
        case ActionKind.FOLD:
            return [who, "f"]
        case ActionKind.CALL:
            return [who, "cc"]
        case ActionKind.RAISE:
            return [who, "cbr", str(act.to)]


def test_pokerkit_reads_the_same_hands_from_no_limit_text() -> None:
    random = Random(2009)
    for _ in range(60):
        check_with_pokerkit(random)


@pytest.mark.soak
@pytest.mark.parametrize("chunk", range(10))
def test_pokerkit_reads_the_same_five_thousand_hands(chunk: int) -> None:
    random = Random(10_000 + chunk)
    for _ in range(500):
        check_with_pokerkit(random)


def test_pokerkit_agrees_on_a_hand_written_by_hand() -> None:
    """Its reader knows no antes, play money with braces or straddles, so the other ones are not for it."""
    assert tuple(tuple(pokerkit_reads(hand(2001)))[-1].payoffs) == only(hand(2001)).payoffs
