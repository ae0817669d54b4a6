"""PokerStars text that we write: its form, what it leaves out, and real hands that come back from it."""

from collections import Counter
from dataclasses import replace
from fractions import Fraction
from pathlib import Path

import pytest

from archives import members
from folders import HISTORIES
from hand_records import plain_record
from railbird.cards import parse_cards
from railbird.engine.actions import CALL, FOLD, raise_to
from railbird.engine.games import named_game
from railbird.engine.record import Details, HandRecord
from railbird.engine.setup import Setup
from railbird.engine.state import State
from railbird.notation.phh.reader import read_phh
from railbird.notation.reading import NotationError
from railbird.notation.rooms.pokerstars import read_pokerstars
from railbird.notation.rooms.pokerstars_writing import format_pokerstars, pokerstars_losses
from railbird.observation import visible_to

WRITTEN = """\
PokerStars Hand #7000012:  Hold'em Limit (10/20) - 2012/03/04 19:00:00 UTC
Table 'evening' 3-max (Play Money) Seat #2 is the button
Seat 1: simbot (2000 in chips)
Seat 2: You (2000 in chips)
Seat 3: casper02 (2000 in chips)
casper02: posts small blind 5
simbot: posts big blind 10
*** HOLE CARDS ***
Dealt to You [Ah Kd]
You: raises 10 to 20
casper02: folds
simbot: calls 10
*** FLOP *** [Ac 7s 2d]
simbot: checks
You: bets 10
simbot: raises 10 to 20
You: calls 10
*** TURN *** [Ac 7s 2d] [9h]
simbot: checks
You: checks
*** RIVER *** [Ac 7s 2d 9h] [3c]
simbot: bets 20
You: calls 20
*** SHOW DOWN ***
simbot: shows [As Kc] (pair of aces, king, nine and seven kickers)
You: shows [Ah Kd] (pair of aces, king, nine and seven kickers)
simbot collected 63 from pot
You collected 62 from pot
*** SUMMARY ***
Total pot 125 | Rake 0
Board [Ac 7s 2d 9h 3c]
Seat 1: simbot (big blind) showed [As Kc] and won (63) with pair of aces, king, nine and seven kickers
Seat 2: You (button) showed [Ah Kd] and won (62) with pair of aces, king, nine and seven kickers
Seat 3: casper02 (small blind) folded before Flop

"""


def a_hand() -> HandRecord:
    """A split pot with an odd chip, as the player on the button saw it."""
    state = State(Setup.of(named_game("limit-3p:odd=fractional")), parse_cards("QhQs AsKc AhKd Ac7s2d 9h 3c"))
    for action in (
        *(raise_to(20), FOLD, CALL),
        *(CALL, raise_to(10), raise_to(20), CALL),
        *(CALL, CALL),
        *(raise_to(20), CALL),
    ):
        state.act(action)
    players = ("casper02", "simbot", "You")
    record = HandRecord.of(state, players, "7000012", (3, 1, 2))
    details = Details("Railbird", "evening", "2012-03-04T19:00:00+00:00", notes=(("hero", "You"),))
    return replace(record, events=visible_to(2, record.events), details=details)


def test_a_hand_is_written_as_its_player_would_save_it() -> None:
    record = a_hand()
    assert record.payoffs == (-5, Fraction(5, 2), Fraction(5, 2))
    assert format_pokerstars(record) == WRITTEN
    (again,) = read_pokerstars(WRITTEN.splitlines())
    assert isinstance(again, HandRecord)
    assert again.actions() == record.actions()
    assert again.cards == record.cards
    assert [loss.what for loss in pokerstars_losses(record)] == [
        "ids that are not hand numbers of PokerStars",
        "rules that differ from those of PokerStars",
        "times, currencies and notes that PokerStars text cannot express",
        "fractions of chips in winnings",
    ]
    assert pokerstars_losses(again) == ()


def test_money_is_written_with_its_sign() -> None:
    details = Details(currency="USD", chip=Fraction(1, 100))
    text = format_pokerstars(replace(plain_record(3), details=details))
    assert "Hold'em Limit ($0.10/$0.20 USD)" in text
    assert "Bob: posts small blind $0.05" in text
    assert "Play Money" not in text


@pytest.mark.parametrize("game", ["leduc-2p", "potlimit-3p"])
def test_other_games_are_refused_by_name(game: str) -> None:
    with pytest.raises(NotationError, match=f"limit and no-limit hold'em, so {game} cannot be written"):
        format_pokerstars(plain_record(1, game))


def test_a_name_that_would_be_read_differently_is_refused() -> None:
    with pytest.raises(NotationError, match="cannot be written as PokerStars text"):
        format_pokerstars(replace(plain_record(3), players=("Ann\n*** FLOP ***", "Bob")))


@pytest.mark.parametrize("name", ["pokerstars_limit.txt", "pokerstars_no_limit.txt"])
def test_hands_of_the_room_come_back_with_the_same_play(name: str) -> None:
    text = (HISTORIES / name).read_text(encoding="utf-8")
    kept = Counter[str]()
    for record in read_pokerstars(text.splitlines()):
        if isinstance(record, HandRecord):
            try:
                (again,) = read_pokerstars(format_pokerstars(record).splitlines())
            except NotationError:
                kept["refused"] += 1  # posts of players who come back, which are dead in part
                continue
            assert isinstance(again, HandRecord)
            assert (again.players, again.events) == (record.players, record.events)
            kept["same"] += 1
    assert kept["same"] > 2 * kept["refused"]


def test_published_cash_games_come_back_with_the_same_play(shared_data: Path) -> None:
    kept = Counter[str]()
    for _, lines in members(shared_data / "handhq_sample_phhs.tar.xz", ".phhs"):
        headings = [number for number, line in enumerate(lines) if line.startswith("[")]
        for record in read_phh(lines[: headings[2]]):
            assert isinstance(record, HandRecord)
            try:
                (again,) = read_pokerstars(format_pokerstars(record).splitlines())
            except NotationError:
                kept["refused"] += 1
                continue
            assert isinstance(again, HandRecord)
            assert again.actions() == record.actions()
            assert again.payoffs == record.payoffs
            kept["same"] += 1
    assert kept["same"] > 10 * kept["refused"]
