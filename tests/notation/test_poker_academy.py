"""Poker Academy Pro's text: 46,454 hands made by others, fixtures for what those lack, and random hands."""

import lzma
from collections import Counter
from collections.abc import Iterator
from dataclasses import replace
from fractions import Fraction
from pathlib import Path
from random import Random

import pytest
from hypothesis import given
from hypothesis import strategies as st

from folders import HISTORIES
from histories.poker_academy_writer import write_hand
from railbird.cards import format_cards
from railbird.engine.actions import FOLD, raise_to
from railbird.engine.events import Award, DealHole, Return, Reveal
from railbird.engine.games import named_game
from railbird.engine.record import HandRecord
from railbird.engine.rules import Betting, Mucking
from railbird.engine.setup import Setup
from railbird.engine.state import UNKNOWN, State
from railbird.notation.reading import LONGEST_LINE, BadHand, Reading, refuse_line
from railbird.notation.rooms.poker_academy import read_poker_academy
from strategies import random_action, random_cards, random_style

FIXTURES = (HISTORIES / "poker_academy.txt").read_text(encoding="utf-8")
NAMES = (
    "Ann",
    "Ann folds",
    "Human Being",
    "wins $5",
    "*",
    "(all-in)",
    "名前",
    "1) x",
    "posts big",
    "FLOP:",
    "a.b",
)


def readings(text: str) -> list[Reading]:
    return list(read_poker_academy(text.splitlines(keepends=True)))


def records(text: str) -> list[HandRecord]:
    found = readings(text)
    for reading in found:
        assert isinstance(reading, HandRecord), reading
    return [reading for reading in found if isinstance(reading, HandRecord)]


def refusal(text: str) -> str:
    (reading,) = readings(text)
    assert isinstance(reading, BadHand), reading
    assert reading.line == 1
    return reading.reason


RING, NO_LIMIT, SPLIT = (part.lstrip("\n") for part in FIXTURES.split("*" * 30 + "\n")[:3])


# The hands made by others


@pytest.fixture(scope="module")
def academy(shared_data: Path) -> Path:
    return shared_data / "poker_academy_hu_limit_46454.txt.xz"


def lines_of(path: Path) -> Iterator[str]:
    with lzma.open(path, "rt", encoding="utf-8") as lines:
        yield from lines


def check_session(hands: Iterator[Reading]) -> int:
    """Stacks go on from hand to hand, and nobody gains or loses chips on the way."""
    stacks: dict[str, Fraction | int] = {}
    count = 0
    for record in hands:
        assert isinstance(record, HandRecord), record
        count += 1
        assert record.rake == 0
        for player, stack, payoff in zip(record.players, record.setup.stacks, record.payoffs, strict=True):
            assert stacks.get(player, stack) == stack, record.hand_id
            stacks[player] = stack + payoff
    return count


def test_the_first_hands_of_a_long_session_go_on_from_each_other(academy: Path) -> None:
    lines = (line for _, line in zip(range(50_000), lines_of(academy), strict=False))
    hands = list(read_poker_academy(lines))
    assert check_session(iter(hands[:-1])) == 2293
    assert getattr(hands[0], "hand_id", "") == "PokerAcademy-574644"


@pytest.mark.soak
def test_all_46454_hands_import_with_the_winners_and_amounts_of_the_text(academy: Path) -> None:
    """The reader itself refuses a hand whose printed wins are not those of the rules."""
    assert check_session(read_poker_academy(lines_of(academy))) == 46_454


def test_winners_are_those_that_the_text_prints(academy: Path) -> None:
    lines = [line for _, line in zip(range(30_000), lines_of(academy), strict=False)]
    printed = Counter(line.split()[0] + line.split()[2] for line in lines if " wins " in line)
    awarded: Counter[str] = Counter()
    for record in read_poker_academy(lines):
        if isinstance(record, HandRecord):
            for event in record.events:
                if isinstance(event, Award):
                    awarded[f"{record.players[event.seat]}${event.amount}"] += 1
    assert sum((printed - awarded).values()) <= 1
    assert not awarded - printed


# What the fixtures say


def test_a_ring_game_with_an_all_in_and_a_side_pot() -> None:
    (record,) = records(RING)
    assert record.hand_id == "PokerAcademy-1001"
    assert record.players == ("Simbot", "Random One", "Pokibot", "Human Being", "Jagbot")
    assert record.seats == (5, 10, 1, 2, 4)
    assert record.details.chip == Fraction(1, 100)
    assert record.setup.stacks == (50500, 3500, 100000, 24050, 99000)
    assert dict(zip(record.players, record.payoffs, strict=True)) == {
        "Simbot": -3000,
        "Random One": -3500,
        "Pokibot": -8500,
        "Human Being": 15000,
        "Jagbot": 0,
    }
    assert (record.details.venue, record.details.table) == ("Poker Academy Pro", "Ring of Five")
    assert record.details.time == "2006-03-07T09:08:07"
    assert record.details.notes == (("time zone", "MST"), ("sitting out", "Vano"))
    assert format_cards(record.cards[:2]) == "QsJs"


def test_no_limit_raises_are_counted_from_the_bet_before() -> None:
    (record,) = records(NO_LIMIT)
    assert record.actions()[:2] == (raise_to(6), raise_to(16))
    assert record.actions()[-2:] == (raise_to(134), FOLD)
    assert record.rules.betting is Betting.NO_LIMIT
    assert Return(0, 134) in record.events
    assert record.payoffs == (16, -16)
    assert [event for event in record.events if isinstance(event, DealHole)] == [
        DealHole(0, None),
        DealHole(1, None),
    ]


def test_a_split_pot_and_a_big_blind_that_bets() -> None:
    (record,) = records(SPLIT)
    assert record.payoffs == (0, 0)
    assert record.details.notes == ()
    assert [event for event in record.events if isinstance(event, Award)] == [
        Award(0, 0, 20),
        Award(1, 0, 20),
    ]


def test_the_fixtures_are_read_in_one_go_with_any_line_ends() -> None:
    whole = records(FIXTURES)
    assert [record.hand_id for record in whole] == [f"PokerAcademy-{number}" for number in (1001, 1002, 1003)]
    assert records("\ufeff" + FIXTURES.replace("\n", "\r\n")) == whole
    assert list(read_poker_academy(FIXTURES.splitlines())) == whole
    assert records(RING + NO_LIMIT + SPLIT) == whole


# What is refused


@pytest.mark.parametrize(
    "game",
    ["Limit Omaha", "Pot Limit Texas Holdem", "No Limit Omaha", "Limit 7 Card Stud", "Limit Omaha Hi/Lo"],
)
def test_other_games_are_refused_by_name(game: str) -> None:
    assert refusal(RING.replace("Limit Texas Holdem", game)) == (
        f"line 2: the game is {game}, but only Limit Texas Holdem and No Limit Texas Holdem are supported"
    )


@pytest.mark.parametrize(
    ("old", "new", "sentence"),
    [
        ("#1,003", "#x", "line 1: 'Poker Academy Pro #x' does not give the number of the hand"),
        ("($10/$20)", "(10/20)", "line 2: 'Limit Texas Holdem (10/20)' does not give a game with its stakes"),
        ("($10/$20)", "($10/$20 NL)", "is both limit and no-limit"),
        ("($10/$20)", "($20/$10)", "has inconsistent stakes"),
        ("($10/$20)", "($20/$40)", "Bo posts 10, but 20 is due"),
        ("Table Split", "Split", "line 3: 'Split' does not name the table"),
        ("March", "Marz", "line 4: 'Marz 07, 2006 - 09:12:07' is not a time"),
        ("March 07", "March 37", "line 4: 2006-03-37 09:12:07 is not a valid date and time"),
        ("Ann *", "Ann  ", "no seat has the button"),
        (" 2) Bo   ", " 2) Bo * ", "a second seat has the button"),
        (" 2) Bo", " 1) Bo", "seat 1 or the player Bo is listed twice"),
        ("$200  2c 3d", "$200  2c 4h", "line 27: Ann has different cards than before"),
        ("2c 3d\n", "2c 3x\n", "line 6: '3x' is not a card"),
        ("Bo posts big blind $10\n", "", "nobody posts the big blind"),
        ("Bo posts big blind $10", "Bo posts dead blind $10", "Bo posts a dead blind, but only"),
        ("Bo posts big blind $10", "Bo posts ante $10", "Bo posts a ante, but only"),
        ("Bo bets $10", "Bo bets $15", "Bo bets, but seat 0 can raise only to 20, not to 25"),
        ("Bo bets $10", "Bo bets", "'Bo bets' is not a valid line for Bo bets"),
        ("Bo bets $10", "Zoe bets $10", "line 12: 'Zoe bets $10' is not a line of a hand, or names a player"),
        (
            "Bo bets $10",
            "Bo bets $10 (all-in)",
            "Bo has 130 chips left, but the text disagrees about the all-in",
        ),
        ("Ann calls $10", "Ann calls $5", "line 13: Ann calls 5, but there are 10 chips to call"),
        ("Ann calls $10 \n", "", "the FLOP is dealt before the betting is over"),
        ("FLOP:", "TURN:", "the TURN is dealt, but it is not the next street"),
        ("TURN:  As Ks Qs Js", "TURN:  As Ks Qd Js", "the TURN does not add its cards to the board"),
        ("RIVER:  As Ks Qs Js Ts\n", "", "Bo checks before the RIVER is dealt"),
        ("Bo shows 4h 5s", "Bo shows 4h 6s", "Bo has different cards than before"),
        ("Bo wins $20 with a Royal Flush\n", "", "the players win 20 chips together, but the pot has 40"),
        ("Ann wins $20", "Ann wins $30", "the players win 50 chips together"),
        ("Ann wins $20 with a", "Ann wins $20 by a", "is not a valid line for Ann wins"),
        ("Bo checks\nAnn checks\nBo shows", "Bo checks\nBo shows", "the hand stops while Ann is to act"),
    ],
)
def test_a_hand_that_contradicts_itself_is_refused_with_the_reason(old: str, new: str, sentence: str) -> None:
    assert old in SPLIT
    assert sentence in refusal(SPLIT.replace(old, new, 1))


def test_winners_that_the_cards_contradict_are_refused() -> None:
    text = SPLIT.replace("Ann wins $20", "Ann wins $35").replace("Bo wins $20", "Bo wins $5")
    assert refusal(text) == "Bo collects 5 in the text, but the cards give 20 before rake"
    text = SPLIT.replace("Ts\n", "9d\n").replace("2c 3d", "2c Th").replace("4h 5s", "4h 5h")
    assert refusal(text) == "Bo collects 20 in the text, but the cards give 0 before rake"


def test_a_hand_that_was_thrown_away_keeps_its_cards() -> None:
    text = (
        SPLIT.replace("Ts\n", "9d\n")
        .replace("2c 3d", "2c Th")
        .replace("4h 5s", "4h 5h")
        .replace("Ann wins $20", "Ann wins $40")
    )
    text = text.replace("Bo wins $20 with a Royal Flush\n", "").replace("Bo shows 4h 5h", "Bo mucks")
    (record,) = records(text)
    assert Reveal(0, None) in record.events
    assert format_cards(record.cards[:2]) == "4h5h"


def test_after_a_broken_hand_the_reader_goes_on() -> None:
    first, second, third = readings(FIXTURES.replace("Ann raises $4\n", ""))
    assert isinstance(first, HandRecord)
    assert isinstance(second, BadHand)
    assert (second.line, second.reason) == (48, "line 58: Bo raises out of turn: Ann is to act")
    assert second.text.startswith("Poker Academy Pro #1,002\n")
    assert isinstance(third, HandRecord)


def test_a_summary_of_a_tournament_is_put_aside() -> None:
    found = readings("Tournament Summary\nStart: today\n" + "*" * 30 + "\n" + SPLIT)
    assert isinstance(found[0], BadHand)
    assert "'Tournament Summary' does not begin a hand" in found[0].reason
    assert isinstance(found[1], HandRecord)


@pytest.mark.parametrize("text", [RING, NO_LIMIT, SPLIT])
def test_no_part_of_a_hand_passes_for_the_whole(text: str) -> None:
    """Cut off anywhere, a hand is refused, or it lacks only words after the last fact."""
    text = text.rstrip("\n")
    (whole,) = records(text)
    for end in range(25, len(text)):
        (reading,) = readings(text[:end])
        if isinstance(reading, HandRecord):
            assert reading == whole
            assert "\n" not in text[end:]


@pytest.mark.parametrize("line", ["x" * (LONGEST_LINE + 1), "Ann\0 folds", "Ann\ufffd folds"])
def test_lines_that_no_text_has_are_refused(line: str) -> None:
    assert refusal(SPLIT.replace("Bo bets $10", line)) == f"line 12: {refuse_line(line)}"


def test_long_lines_are_refused() -> None:
    assert refusal(SPLIT.replace("Bo bets $10", "y" * 300)).startswith("line 12: the line has 300 characters")


# Random hands


def check_random_hand(random: Random) -> None:
    players = random.randint(2, 10)
    name = random.choice(["limit", "nolimit"])
    rules = named_game(f"{name}-{players}p" if players < 4 else f"{name}-{players}max")
    rules = replace(rules, mucking=random.choice(list(Mucking)))
    big = rules.big_blind
    stacks = tuple(random.randint(1, big * random.choice([2, 20, 200])) for _ in range(players))
    setup = Setup.of(rules, stacks)
    state = State(setup, random_cards(random, rules))
    style = random_style(random)
    while not state.is_over:
        state.act(random_action(random, state.legal_actions, style))
    seats = tuple(sorted(random.sample(range(1, 20), players)))
    turn = random.randrange(players)
    record = HandRecord.of(
        state,
        tuple(random.sample(NAMES, players)),
        f"PokerAcademy-{random.randrange(10**9)}",
        seats[turn:] + seats[:turn],
    )
    if not state.is_showdown and random.random() < 0.5:
        hidden = State(setup, (UNKNOWN,) * (2 * players) + state.cards[2 * players :])
        for action in state.actions:
            hidden.act(action)
        record = HandRecord.of(hidden, record.players, record.hand_id, record.seats)
    text = write_hand(record, random)
    (found,) = records(text)
    assert (found.hand_id, found.players, found.seats) == (record.hand_id, record.players, record.seats), text
    assert found.events == record.events, text


@given(seed=st.integers(min_value=0))
def test_random_hands_survive_the_text(seed: int) -> None:
    check_random_hand(Random(seed))


@pytest.mark.soak
@pytest.mark.parametrize("chunk", range(10))
def test_ten_thousand_random_hands_survive_the_text(chunk: int) -> None:
    random = Random(chunk)
    for _ in range(1000):
        check_random_hand(random)
