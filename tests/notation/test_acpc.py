"""The ACPC's `.game` files and STATE lines: the official server's own files, and broken ones."""

from fractions import Fraction
from pathlib import Path

import pytest

from railbird.engine.games import named_game
from railbird.engine.record import HandRecord
from railbird.engine.rules import UNLIMITED_STACK, Betting, GameRules
from railbird.engine.setup import Setup
from railbird.engine.state import State
from railbird.notation.acpc.game import GameFileError, format_game, parse_game, read_game
from railbird.notation.acpc.log import read_log
from railbird.notation.acpc.state import (
    HandLines,
    Score,
    StateLineError,
    format_chips,
    format_hand,
    format_score_line,
    format_state_line,
    parse_score_line,
    parse_state_line,
)
from railbird.notation.game_names import find_game
from railbird.rng import Stream
from railbird.spec import SpecError

LOGS = (
    *("hul_q", "nl3_q"),
    *(pytest.param(name, marks=pytest.mark.soak) for name in ("hun_q", "l3_q", "l6_q", "l9_q", "nl3u_q")),
)


@pytest.mark.parametrize("name", LOGS)
def test_every_line_of_the_official_log_replays_to_its_printed_values(official: Path, name: str) -> None:
    lines = (official / f"{name}.log").read_text().splitlines()
    state_lines = [line for line in lines if line.startswith("STATE:")]
    scores: dict[str, Fraction] = {}
    hands = 0
    for record, line in zip(read_log(lines, folder=official), state_lines, strict=True):
        assert isinstance(record, HandRecord), record
        assert format_state_line(record) == line
        if hands % 20 == 0:
            assert parse_state_line(line, record.setup) == record
        hands += 1
        for player, payoff in zip(record.players, record.payoffs, strict=True):
            scores[player] = scores.get(player, Fraction(0)) + payoff
    assert hands >= 3000
    score = parse_score_line(lines[-1])
    assert format_score_line(score) == lines[-1]
    assert format_score_line(Score(tuple(scores), tuple(scores.values()))) == lines[-1]


@pytest.mark.parametrize("name", ["limit-2p", "limit-3p", "nolimit-2p:stack=300", "nolimit-3p:stack=300"])
def test_lines_that_share_their_text_are_those_of_single_hands(name: str) -> None:
    setup = Setup.of(named_game(name))
    players = tuple(f"100 %s {place}" for place in range(setup.rules.players))
    lines, stream = HandLines(), Stream.from_seed(4)
    draw = stream.generator()
    for number in range(300):
        state = State.deal(setup, stream.child(number))
        while choices := state.choices:
            state.act(choices[int(draw.integers(len(choices)))])
        for labels in (players, players[::-1]):
            line = lines.format(state, labels, str(number), state.payoffs)
            assert line == format_hand(state, labels, str(number), state.payoffs)


def test_official_games_are_written_back_byte_for_byte(official: Path) -> None:
    games = sorted(official.glob("*.game"))
    assert len(games) == 9
    for path in games:
        assert format_game(read_game(path)) == path.read_text()


def test_the_official_kuhn_game_plays(official: Path) -> None:
    rules = read_game(official / "kuhn.limit.3p.game")
    state = State.deal(Setup.of(rules), Stream.from_seed(1))
    state.call()
    state.raise_to(2)
    state.fold()
    state.call()
    assert sum(state.payoffs) == 0
    assert sorted(state.payoffs) == [-2, -1, 3]


@pytest.mark.parametrize(
    "name", ["limit-2p", "limit-9max", "nolimit-2p", "nolimit-6max", "kuhn-3p", "leduc-2p"]
)
def test_what_a_game_file_can_say_survives_it(name: str) -> None:
    rules = named_game(name)
    again = parse_game(format_game(rules))
    for field in ("betting", "blinds", "stacks", "bet_sizes", "raise_caps", "first_seats", "board_cards"):
        assert getattr(again, field) == getattr(rules, field), field
    assert (again.suits, again.ranks, again.hole_cards) == (rules.suits, rules.ranks, rules.hole_cards)


@pytest.mark.parametrize("name", ["potlimit-2p", "nolimit-2p:ante=5", "nolimit-2p:bets=7"])
def test_what_a_game_file_cannot_say_is_refused(name: str) -> None:
    with pytest.raises(GameFileError, match=r"\.game file"):
        format_game(named_game(name))


KUHN = """GAMEDEF
# a comment
limit
numPlayers = 2
numRounds 1
blind = 1 1
raiseSize = 1
maxRaises = 1
numSuits = 1
numRanks = 3
numHoleCards = 1
numBoardCards = 0
END GAMEDEF
anything after the end is not read
"""


def test_the_reader_takes_comments_missing_equal_signs_and_any_case() -> None:
    rules = parse_game(KUHN.upper())
    assert rules == parse_game(KUHN)
    assert (rules.betting, rules.stacks) == (Betting.LIMIT, (UNLIMITED_STACK,) * 2)


@pytest.mark.parametrize(
    ("line", "sentence"),
    [
        ("blind = 1 x", "game, line 6: blind has 'x' where a number is expected"),
        ("blind = 1", "blind has 1 numbers where 2 are expected"),
        ("blind =", "line 6: blind has no number"),
        ("blnd = 1 1", "line 6: 'blnd' is not a field of a .game file"),
        ("blind = -1 1", "line 6: blind has '-1'"),
        ("numRounds = 2", "line 6: 'numRounds' is repeated, first given in line 5"),
        ("blind = 99999999999 1", "line 6: blind has '99999999999'"),
        ("", "the field blind is missing"),
        ("blind = 0 0", "nobody posts a blind"),
        ("blind = 1 1\nfirstPlayer = 3", "first_seats are 0 … 1"),
        ("blind = 1 1\nfirstPlayer = 0", "firstPlayer counts players from 1"),
    ],
)
def test_a_broken_line_of_a_game_file_is_named(line: str, sentence: str) -> None:
    with pytest.raises(GameFileError, match=sentence):
        parse_game(KUHN.replace("blind = 1 1", line))


def test_a_file_that_cannot_be_read_is_named(tmp_path: Path) -> None:
    with pytest.raises(GameFileError, match="missing.game: cannot be read: No such file"):
        read_game(tmp_path / "missing.game")
    (tmp_path / "binary.game").write_bytes(b"\xff\xfe")
    with pytest.raises(GameFileError, match="must be plain ASCII text"):
        read_game(tmp_path / "binary.game")


def test_a_game_is_found_by_name_or_by_file_with_parameters(tmp_path: Path) -> None:
    path = tmp_path / "kuhn.game"
    path.write_text(KUHN)
    assert find_game(str(path)).name == "kuhn"
    assert find_game(f"{path}:bets=3").bet_sizes == (3,)
    assert find_game("limit-2p:cap=5").raise_caps == (4, 5, 5, 5)
    with pytest.raises(SpecError, match="no game is called"):
        find_game("no.gamefile")


@pytest.fixture
def heads_up() -> GameRules:
    return parse_game(format_game(named_game("limit-2p")))


@pytest.mark.parametrize(
    ("line", "sentence"),
    [
        ("STATE:3:crf:Ad3s|8d5d:10|-10", "is not STATE:hand:betting:cards:payoffs:players"),
        ("MATCHSTATE:0:0::|", "is not STATE"),
        ("STATE:3:crf:Ad3s|8d5d:10|-10:Bob", "hand 3 has 1 players in a game of 2"),
        ("STATE:3:cxf:Ad3s|8d5d:10|-10:Bob|Al", "hand 3: there is 'x' where an action is expected"),
        ("STATE:3:cr:Ad3s|8d5d:10|-10:Bob|Al", "hand 3 stops while seat 1 is to act"),
        ("STATE:3:crff:Ad3s|8d5d:10|-10:Bob|Al", "hand 3: the hand is over"),
        ("STATE:3:cf:Ad3s|8d5d:10|-10:Bob|Al", "hand 3: seat 0 cannot fold: checking is free"),
        (
            "STATE:3:crf:Ad3s|8d5d:20|-20:Bob|Al",
            r"hand 3 has the payoffs '20\|-20', but the rules give 10\|-10",
        ),
        ("STATE:3:crf:Ad3s|Ad5d:10|-10:Bob|Al", "hand 3: Ad is dealt twice"),
        ("STATE:3:crf:Ad3s:10|-10:Bob|Al", "hand 3: 1 hands for 2 players"),
        ("STATE:3:crf:Ad|8d5d:10|-10:Bob|Al", "hand 3: 'Ad' is not a hand of 2 cards"),
        ("STATE:3:crf:Ad3s|8d5x:10|-10:Bob|Al", "hand 3: '5x' is not a card"),
        ("STATE:3:cr20f:Ad3s|8d5d:10|-10:Bob|Al", "hand 3: there is '2' after 'cr', which takes no amount"),
        ("STATE:3:c/rf:Ad3s|8d5d:10|-10:Bob|Al", "hand 3: there is a / after 'c', where no round ends"),
        ("STATE:3:rrrr:Ad3s|8d5d:10|-10:Bob|Al", "hand 3: seat 0 cannot raise: the cap of 3 raises"),
        ("STATE:0:cc/cc/cc/cc:7d3d|2hAc/5sKs/9s/6h:0|0:Bob|Al", "hand 0: '5sKs' is not a board of 3 cards"),
        ("STATE:0:cc/cc/cc/cc:7d3d|/5sKs7s/9s/6h:0|0:Bob|Al", "hole cards of seat 1 are not known"),
    ],
)
def test_a_broken_state_line_is_refused_in_a_sentence(heads_up: GameRules, line: str, sentence: str) -> None:
    with pytest.raises(StateLineError, match=sentence):
        parse_state_line(line, Setup.of(heads_up))


@pytest.mark.parametrize(
    ("chips", "text"),
    [(5, "5"), (Fraction(1160, 3), "386.666667"), (Fraction(-5, 2), "-2.5"), (Fraction(-1, 3), "-0.333333")],
)
def test_chips_are_printed_with_six_decimals_at_most(chips: int | Fraction, text: str) -> None:
    assert format_chips(chips) == text
