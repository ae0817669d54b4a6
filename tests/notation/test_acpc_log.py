"""Logs read hand by hand and written: the official server's, DeepStack's, our own, and broken ones."""

import json
import lzma
from fractions import Fraction
from pathlib import Path
from random import Random

import pytest
from hypothesis import given

from acpc_readers import digest_of_acpc_readers
from fuzzing import broken, terminating
from hand_records import plain_record, records
from railbird.arena.play.match import play_match
from railbird.arena.play.plan import MatchPlan, entrants_of
from railbird.engine.events import Award, Reveal
from railbird.engine.games import named_game
from railbird.engine.record import Details, HandRecord
from railbird.engine.rules import Mucking
from railbird.engine.setup import Setup
from railbird.engine.state import State
from railbird.notation.acpc.header import format_game_header
from railbird.notation.acpc.log import LogWriter, comment_of, details_of, log_losses, read_log, write_log
from railbird.notation.acpc.replay import LineReplayer
from railbird.notation.acpc.state import (
    Score,
    StateLineError,
    format_state_line,
    parse_score_line,
    parse_state_line,
)
from railbird.notation.reading import LONGEST_LINE, BadHand, NotationError
from resuming import digest_of_rules, hands_to_go
from strategies import finished_hands, randoms

FUZZED_LINES = 8_000
SOAK_CHUNKS, SOAK_LINES = 10, 100_000
HAND = "STATE:3:crf:Ad3s|8d5d:10|-10:Bob|Al"


def only_records(lines: list[str], **more: object) -> list[HandRecord]:
    found = []
    for reading in read_log(lines, **more):  # type: ignore[arg-type]
        assert isinstance(reading, HandRecord), reading
        found.append(reading)
    return found


def only_refusal(*lines: str, game: str | None = "limit-2p") -> BadHand:
    (found,) = read_log(lines, named_game(game) if game else None)
    assert isinstance(found, BadHand)
    return found


def test_deepstacks_hands_are_read_with_their_times_and_written_back(shared_data: Path) -> None:
    with lzma.open(shared_data / "deepstack_vs_pros_hunl.30000.log.xz", "rt") as file:
        lines = file.read().splitlines()
    game = named_game("nolimit-2p:odd=fractional")
    hands = only_records(lines, game=game)
    assert len(hands) == 30_000
    assert hands[0].details.time == "2016-11-07T12:03:43.88075Z"
    written = "".join(write_log(hands[::30])).splitlines()
    assert written[1:-1] == lines[::30]


def test_our_own_matches_are_read_back_with_carried_stacks_and_missing_players() -> None:
    plan = MatchPlan("nolimit-3p:carry=yes,stack=1500", entrants_of(["random"] * 3), 60, "7")
    result = play_match(plan, keep_log=True)
    rules = named_game(plan.game)
    hands = only_records([format_game_header(rules), *result.log])
    assert len(hands) == len([line for line in result.log if line.startswith("STATE")]) >= 2
    assert {record.rules.players for record in hands} == {2, 3}, (
        "choose a seed with which somebody goes broke"
    )
    for record in hands:
        assert record.state().payoffs == record.payoffs
    assert len({record.setup.stacks for record in hands}) > 2


# Round trips


@given(records)
def test_what_a_log_can_carry_comes_back_identical(record: HandRecord) -> None:
    if any("|" in text for text in record.players):
        with pytest.raises(NotationError, match="cannot be written in a STATE line"):
            list(write_log([record]))
        return
    text = "".join(write_log([record]))
    (again,) = read_log(text.splitlines(keepends=True))
    assert isinstance(again, HandRecord), again
    losses = log_losses(record)
    if not losses:
        assert again == record
    assert (again.setup, again.players, again.seats) == (record.setup, record.players, record.seats)
    assert (again.hand_id, again.actions()) == (record.hand_id, record.actions())


@given(finished_hands())
def test_a_hand_of_any_game_comes_back_identical(state: State) -> None:
    players = tuple(f"player {seat}" for seat in range(state.rules.players))
    record = HandRecord.of(state, players, "12")
    if record.events != HandRecord.of(record.state(), players, "12").events:
        return
    (again,) = only_records("".join(write_log([record])).splitlines())
    assert again == record


@given(finished_hands())
def test_the_fast_reader_gives_what_the_plain_one_gives_or_nothing(state: State) -> None:
    players = tuple(f"p{seat}" for seat in range(state.rules.players))
    line = format_state_line(HandRecord.of(state, players, "5"))
    plain = parse_state_line(line, state.setup)
    _, hand_id, betting, cards, payoffs, names = line.split(":")
    fast = LineReplayer(state.setup).read(hand_id, betting, cards, payoffs, tuple(names.split("|")))
    assert fast is None or fast == plain
    is_unusual = state.rules.mucking is Mucking.LOSERS_MUCK or not state.actions
    assert (fast is None) == is_unusual


@given(finished_hands(), randoms)
def test_the_fast_reader_takes_nothing_that_the_plain_one_refuses(state: State, random: Random) -> None:
    players = tuple(f"p{seat}" for seat in range(state.rules.players))
    line = format_state_line(HandRecord.of(state, players, "5"))
    replayer = LineReplayer(state.setup)
    for _ in range(20):
        place = random.randrange(8, len(line))
        changed = line[:place] + random.choice(["", *"cfr/|:-0129AKs"]) + line[place + random.randint(0, 2) :]
        fields = changed.split(":")
        if len(fields) != 6:
            continue
        _, hand_id, betting, cards, payoffs, names = fields
        fast = replayer.read(hand_id, betting, cards, payoffs, tuple(names.split("|")))
        if fast is not None:
            assert fast == parse_state_line(changed, state.setup)


def test_games_may_change_within_a_log() -> None:
    hands = [plain_record(1), plain_record(2, "nolimit-3p"), plain_record(3, "nolimit-3p"), plain_record(4)]
    text = "".join(write_log(hands))
    assert text.count("# {") == 3
    assert only_records(text.splitlines()) == hands


@pytest.mark.parametrize(
    ("comment", "details"),
    [
        ("1478520223.88075", Details(time="2016-11-07T12:03:43.88075Z")),
        ("0", Details(time="1970-01-01T00:00:00Z")),
        ("2009-07-01T00:00:33", Details(time="2009-07-01T00:00:33")),
        ("2010-11-01", Details(time="2010-11-01")),
        ("won by luck", Details(notes=(("comment", "won by luck"),))),
    ],
)
def test_the_comment_of_a_line_is_kept(comment: str, details: Details) -> None:
    (record,) = only_records([f"{HAND} # {comment}"], game=named_game("limit-2p"))
    assert record.details == details == details_of(comment)
    assert comment_of(details) == comment
    assert "".join(write_log([record])).splitlines()[1] == f"{HAND} # {comment}"


# What is left out, and what cannot be written


def test_losses_are_named() -> None:
    record = plain_record(1)
    assert log_losses(record) == ()
    details = Details("PokerStars", "Alpha", "yesterday", "USD", Fraction(1, 100), (("author", "me"),))
    told = HandRecord(record.hand_id, record.setup, record.players, record.events, (), details)
    assert [loss.what for loss in log_losses(told)] == [
        "times", "names of venues and tables", "currencies", "notes of the source",
    ]  # fmt: skip


def test_a_rake_is_a_loss_and_the_payoffs_are_those_of_the_rules() -> None:
    record = plain_record(1)
    events = tuple(
        Award(event.seat, event.pot, event.amount - 1) if isinstance(event, Award) else event
        for event in record.events
    )
    raked = HandRecord(record.hand_id, record.setup, record.players, events)
    assert [loss.what for loss in log_losses(raked)] == ["rakes"]
    assert only_records("".join(write_log([raked])).splitlines()) == [record]


def test_hands_thrown_away_are_a_loss() -> None:
    record = next(hand for seed in range(99) if (hand := plain_record(seed)).state().is_showdown)
    events = tuple(
        Reveal(event.seat, None) if isinstance(event, Reveal) and event.seat == 0 else event
        for event in record.events
    )
    mucked = HandRecord(record.hand_id, record.setup, record.players, events)
    (loss,) = log_losses(mucked)
    assert "mucked hands" in loss.what


def test_names_may_have_colons_as_those_of_agents_do() -> None:
    record = plain_record(1)
    named = HandRecord("1", record.setup, ("simbot:trials=500", "b:c"), record.events)
    text = "".join(write_log([named]))
    assert only_records(text.splitlines()) == [named]
    assert parse_score_line(text.splitlines()[-1]).players == named.players


@pytest.mark.parametrize("name", ["a|b", "a\nb", "a #b", "a\u2028b"])
def test_names_that_a_line_cannot_hold_are_refused(name: str) -> None:
    record = plain_record(1)
    with pytest.raises(NotationError, match="cannot be written in a STATE line"):
        LogWriter().hand(HandRecord("1", record.setup, (name, "b"), record.events))
    with pytest.raises(NotationError, match="cannot be written in a STATE line"):
        LogWriter().hand(HandRecord(name, record.setup, ("a", "b"), record.events))


def test_hand_ids_may_not_have_colons() -> None:
    record = plain_record(1)
    with pytest.raises(NotationError, match="cannot be written in a STATE line"):
        LogWriter().hand(HandRecord("1:2", record.setup, ("a", "b"), record.events))


def test_a_hand_that_is_not_over_is_refused() -> None:
    setup = Setup.of(named_game("limit-2p"))
    record = HandRecord.of(State(setup, range(9)), ("a", "b"), "4")
    with pytest.raises(NotationError, match="hand 4 is not over: seat 1 is to act"):
        LogWriter().hand(record)


def test_a_log_without_hands_is_empty() -> None:
    assert list(write_log([])) == [""]
    assert list(read_log([])) == []


# Logs that do not name their game


def test_a_log_without_a_game_asks_for_one() -> None:
    with pytest.raises(NotationError, match="line 2: the log does not name its game: specify the game"):
        list(read_log(["# a comment", HAND]))


def test_a_game_file_that_is_not_there_is_asked_for(tmp_path: Path) -> None:
    header = "# name/game/hands/seed match missing.game 10 42"
    with pytest.raises(
        NotationError, match=r"line 1: the header names the game 'missing.game': .* specify the game"
    ):
        list(read_log([header, HAND], folder=tmp_path))
    assert len(only_records([header, HAND], game=named_game("limit-2p"))) == 1


def test_a_header_may_name_one_of_our_games_which_then_follows_the_official_rules() -> None:
    (record,) = only_records(["# name/game/hands/seed match limit-2p 10 42", HAND])
    assert record.rules.odd_chips.value == "fractional"


# Broken logs


@pytest.mark.parametrize(
    ("line", "reason"),
    [
        ("STATE:3:crf:Ad3s|8d5d:10|-10:Bob", "hand 3 has 1 players in a game of 2"),
        ("STATE:3:cr", "is not STATE:hand:betting:cards:payoffs:players"),
        ("nonsense", "'nonsense' is neither a comment nor a STATE nor a SCORE line"),
        ("SCORE:1|2:a", "the SCORE line has 2 totals for 1 players"),
        ("SCORE:x|2:a|b", "the SCORE line has 'x' where a number of chips is expected"),
        ("SCORE:1..5|2:a|b", "the SCORE line has '1..5'"),
        ("STATE:3:crf:Ad3s|8d5d:10|-10:B\0b|Al", "the line contains a NUL byte"),
        ("STATE:3:crf:Ad3s|8d5d:10|-10:B\ufffdb|Al", "the line is not valid in the encoding of the file"),
        ("STATE:3:" + "c" * LONGEST_LINE, "the line has more than"),
        (
            "STATE:3:crf:Ad3s|8d5d/5s6s7s:10|-10:Bob|Al",
            "the betting ends in round 1, but the board has 2 parts",
        ),
        ("STATE:3:crf:Ad 3s|8d5d:10|-10:Bob|Al", "'Ad 3s' is not a list of cards"),
        (
            "STATE:3:r" + "9" * 5000 + "f:Ad3s|8d5d:10|-10:Bob|Al",
            "there is '9' after 'r', which takes no amount",
        ),
    ],
)
def test_a_broken_line_is_put_aside_and_the_next_hand_is_read(line: str, reason: str) -> None:
    bad, good = read_log([line, HAND], named_game("limit-2p"))
    assert isinstance(bad, BadHand)
    assert (bad.line, bad.text) == (1, line)
    assert reason in bad.reason
    assert len(bad.reason) < 300
    assert isinstance(good, HandRecord)


@pytest.mark.parametrize(
    ("betting", "reason"),
    [
        ("r0300f", "the raise after '' has no amount"),
        ("rf", "the raise after '' has no amount"),
        ("r99999999999f", "can raise to between 200 and 20000, not to 9999999999"),
        ("r300" + "7" * 5000 + "f", "can raise to between 200 and 20000"),
        ("r300c/r1f", "can raise to"),
        ("r20000c", "a / is missing after 'r20000c', where a round ends"),
        ("r20000c////", "there is a / after 'r20000c///', where no round ends"),
        ("r20000c///c", "the hand is over"),
        ("r20000c///r5", "the hand is over"),
        ("cc", "a / is missing after 'cc', where a round ends"),
    ],
)
def test_a_broken_no_limit_betting_is_named(betting: str, reason: str) -> None:
    cards = "7d3d|2hAc/5sKs7s/9s/6h"
    assert reason in only_refusal(f"STATE:3:{betting}:{cards}:0|0:a|b", game="nolimit-2p").reason


HEADER = json.loads(format_game_header(named_game("limit-2p"))[2:])


@pytest.mark.parametrize(
    ("changes", "reason"),
    [
        ({"schema": "railbird.log/9"}, "the header's schema is not 'railbird.log/1'"),
        ({"rules": None}, "the header has no rules"),
        ({"rules": HEADER["rules"] | {"blinds": [5, 1.5]}}, "blinds is not a list of whole numbers"),
        ({"rules": HEADER["rules"] | {"stacks": [5, -1]}}, "stacks is not a list of whole numbers"),
        ({"rules": HEADER["rules"] | {"raise_caps": [True]}}, "raise_caps is not a list of whole numbers"),
        ({"rules": HEADER["rules"] | {"suits": "4"}}, "suits is not a whole number"),
        ({"rules": HEADER["rules"] | {"carry": 1}}, "carry is neither true nor false"),
        ({"rules": HEADER["rules"] | {"name": 1}}, "name is not text"),
        ({"rules": HEADER["rules"] | {"odd_chips": "mine"}}, "'mine' is not a valid OddChips"),
        ({"rules": HEADER["rules"] | {"stacks": [5, 0]}}, "stacks must be positive"),
        ({"rules": {"name": "x"}}, "betting is missing"),
        ({"rules": HEADER["rules"] | {"joker": "x"}}, "'joker' is not a field of a game's rules"),
    ],
)
def test_a_broken_header_puts_its_hands_aside(changes: dict[str, object], reason: str) -> None:
    header, hand = read_log([f"# {json.dumps(HEADER | changes)}", HAND])
    assert isinstance(header, BadHand)
    assert reason in header.reason
    assert isinstance(hand, BadHand)
    assert hand.reason == "the header above does not identify the game of this hand"


def test_a_header_from_before_an_option_existed_means_its_usual_choice() -> None:
    rules = {name: value for name, value in HEADER["rules"].items() if name != "free_folds"}
    (record,) = only_records([f"# {json.dumps(HEADER | {'rules': rules})}", HAND])
    assert record.rules == named_game("limit-2p")


def test_a_header_of_lists_in_lists_is_refused() -> None:
    line = '# {"schema": "railbird.log/1", "rules": ' + "[" * 60_000
    (found,) = read_log([line])
    assert isinstance(found, BadHand)
    assert found.reason == "the header is not valid JSON"


@pytest.mark.parametrize(
    ("comment", "reason"),
    [
        ("# stacks 100|x blinds 5|10", "stacks '100|x' is not a list of whole numbers"),
        ("# stacks 100|200", "does not give stacks and blinds"),
        ("# stacks 100|200 blinds 5|10 hats 1|2", "'hats' is not expected"),
        ("# stacks 100|0 blinds 5|10", "seat 1 has no chips"),
        ("# stacks 9999999999|1 blinds 5|10", "at most 2147483647 is allowed"),
        ("# stacks 1|2|3 blinds 5|10|0", "cannot be played with 3 players"),
        ("# stacks 100|200 blinds 5|10 first 7", "seat 7 cannot open"),
        ("# stacks 100|200 blinds 5|10 seats 1", "more values than seats"),
    ],
)
def test_a_broken_comment_about_stacks_puts_the_next_hand_aside(comment: str, reason: str) -> None:
    bad, good = read_log([comment, HAND, HAND], named_game("limit-2p"))
    assert isinstance(bad, BadHand)
    assert reason in bad.reason
    assert isinstance(good, HandRecord)


def test_scores_are_parsed_exactly() -> None:
    assert parse_score_line("SCORE:25020|7422.5|-32442.5:Al|Bo|Cy") == Score(
        ("Al", "Bo", "Cy"), (25020, Fraction(14845, 2), Fraction(-64885, 2))
    )


# Fuzzing


def valid_lines() -> list[bytes]:
    hands = [plain_record(seed, game) for game in ("limit-2p", "nolimit-3p") for seed in range(30)]
    for hand in hands:
        assert parse_state_line(format_state_line(hand), hand.setup).payoffs == hand.payoffs
    lines = "".join(write_log(hands)).splitlines(keepends=True)
    assert not any(isinstance(reading, BadHand) for reading in read_log(lines))
    return "".join(lines).encode().splitlines()


def read_and_write(line: str, setup: Setup) -> str | None:
    """The line as we write it; nothing where it is refused."""
    with terminating():
        try:
            return format_state_line(parse_state_line(line, setup))
        except StateLineError as error:
            if len(str(error)) >= 300:
                raise
            return None


def feed(random: Random, lines: list[bytes]) -> int:
    """Give broken lines to the readers of single lines and of logs; nothing but refusals may come of them."""
    data = broken(random, random.sample(lines, 20)).decode(errors="replace").split("\n")
    setup = Setup.of(named_game(random.choice(["limit-2p", "nolimit-3p"])))
    for line in data:
        assert read_and_write(line, setup) in (None, line.rstrip("\r\n"))
    for reading in read_log(data, setup.rules):
        if isinstance(reading, BadHand):
            assert 0 < len(reading.reason) < 300
            assert reading.reason.isprintable(), reading.reason
        else:
            assert sum(reading.payoffs) == 0
    return len(data)


def test_broken_state_lines_are_refused_and_nothing_else() -> None:
    random, lines, fed = Random(1), valid_lines(), 0
    while fed < FUZZED_LINES:
        fed += feed(random, lines)


@pytest.mark.soak
@pytest.mark.parametrize("chunk", range(SOAK_CHUNKS))
def test_a_million_broken_state_lines_are_refused(chunk: int) -> None:
    version = digest_of_rules(digest_of_acpc_readers(Path(__file__)))
    lines = valid_lines()
    for batch in hands_to_go("acpc-lines", version, chunk, SOAK_LINES // 20):
        feed(Random(f"{chunk} {batch}"), lines)
