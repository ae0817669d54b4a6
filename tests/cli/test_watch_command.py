"""`railbird watch`: hands in any format become cases, one for every decision whose cards are known."""

import json
import lzma
import re
import subprocess
import sys
from collections import Counter
from dataclasses import replace
from itertools import islice
from pathlib import Path

import pytest
from hypothesis import given, settings

from command import railbird
from hand_records import plain_record, records
from railbird.agents.casper.attributes import STAGES, describe
from railbird.cards import parse_cards
from railbird.cbr.packs.files import Pack, read_pack
from railbird.engine.actions import ActionError, ActionKind
from railbird.engine.events import Act, Reveal
from railbird.engine.games import named_game
from railbird.engine.record import HandRecord
from railbird.engine.state import UNKNOWN
from railbird.learning.systems import system_named
from railbird.learning.watching import Watched, Watcher
from railbird.notation.acpc.log import LogWriter
from railbird.notation.files import find_hands
from railbird.notation.records import format_record
from railbird.observation import Observation, visible_to
from watched_hands import Decided, decisions_in

SMALL_BET = 10


@pytest.fixture(scope="module")
def log(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A hundred hands at a full table of players who do anything."""
    path = tmp_path_factory.mktemp("hands") / "h.log"
    seats = ",".join(["random"] * 9)
    done = railbird(
        "selfplay", "--game", "limit-9max", "--seats", seats, "--hands", 100, "--seed", 1, "-o", path
    )
    assert done.code == 0, done.error
    return path


@pytest.fixture(scope="module")
def everybody(log: Path) -> Pack:
    path = log.parent / "everybody.parquet"
    done = railbird("watch", log, "--all-players", "--as", "casper", "-o", path)
    assert done.code == 0, done.error
    return read_pack(path)


def cases_of(pack: Pack) -> list[Decided]:
    """The cases in words, to compare with the log."""
    found = []
    for stage, base in pack.bases.items():
        for case in base:
            [action] = [solution for solution, count in case.counts.items() if count]
            rider = pack.rider(stage, case.number)
            outcome = case.sums[action] * SMALL_BET
            found.append(
                Decided(
                    stage, rider["hand"], rider["player"], rider["cards"], rider["board"], action, outcome
                )
            )
    return found


def write(path: Path, hands: list[HandRecord]) -> Path:
    path.write_text("".join(map(format_record, hands)), encoding="utf-8")
    return path


def test_every_decision_of_the_log_is_one_case(log: Path, everybody: Pack) -> None:
    told = sorted(decisions_in(log.read_text()), key=lambda each: STAGES.index(each.stage))
    assert len(told) > 1000
    assert cases_of(everybody) == told


def test_only_the_players_who_are_named_are_watched(log: Path, tmp_path: Path) -> None:
    path = tmp_path / "two.parquet"
    names = ("random 2", "random 7")
    done = railbird("watch", log, "--player", names[0], "--player", names[1], "--as", "casper", "-o", path)
    assert done.code == 0, done.error
    told = [each for each in decisions_in(log.read_text()) if each.player in names]
    assert sorted(cases_of(read_pack(path))) == sorted(told)
    counts = Counter((each.stage, each.action) for each in told)
    lines = {line.split()[0]: line.split() for line in done.out.decode().splitlines() if line}
    for stage in STAGES:
        row = [counts[stage, action] for action in ("fold", "call", "raise")]
        assert lines[stage][1:5] == [f"{count:,}" for count in (*row, sum(row))]
    assert "100 hands read\n" in done.out.decode()


def test_attributes_are_what_the_player_could_know(log: Path, everybody: Pack) -> None:
    rows = dict.fromkeys(STAGES, 0)
    for found in find_hands(log):
        assert isinstance(found.reading, HandRecord)
        for state, act in found.reading.states():
            observation = Observation.of(state, act.seat, found.reading.players)
            stage = STAGES[observation.round]
            assert everybody.bases[stage].description(rows[stage]) == describe(observation)
            rows[stage] += 1
    assert rows == {stage: len(base) for stage, base in everybody.bases.items()}


def test_the_recipe_tells_sources_players_and_counts(log: Path, everybody: Pack) -> None:
    recipe = everybody.recipe
    digest = subprocess.run(["sha256sum", log], capture_output=True, check=True).stdout.decode().split()[0]
    assert recipe["sources"] == [{"name": "h.log", "sha256": digest, "hands": 100, "bad": 0}]
    assert sorted(recipe["players"]) == [f"random {number}" for number in range(1, 10)]
    told = Counter((each.stage, each.action) for each in decisions_in(log.read_text()))
    assert recipe["cases"] == {
        stage: {action: told[stage, action] for action in ("fold", "call", "raise")} for stage in STAGES
    }
    assert recipe["hands"]["read"] == 100


def test_the_same_hands_give_the_same_bytes(log: Path, everybody: Pack, tmp_path: Path) -> None:
    path = tmp_path / "again.parquet"
    assert railbird("watch", log, "--all-players", "--as", "casper", "-o", path).code == 0
    assert path.read_bytes() == (log.parent / "everybody.parquet").read_bytes()


@pytest.mark.parametrize("ending", [".phhs", ".jsonl", ".log.xz"])
def test_the_format_does_not_matter(ending: str, log: Path, everybody: Pack, tmp_path: Path) -> None:
    other = tmp_path / f"other{ending}"
    assert railbird("convert", log, other).code == 0
    path = tmp_path / "other.parquet"
    done = railbird("watch", other, "--all-players", "--as", "casper", "-o", path)
    assert done.code == 0, done.error
    again = read_pack(path)
    assert cases_of(again) == cases_of(everybody)
    for stage, base in everybody.bases.items():
        assert again.bases[stage].values.tobytes() == base.values.tobytes()


def test_a_hand_that_was_read_before_is_not_watched_again(log: Path, everybody: Pack, tmp_path: Path) -> None:
    lines = log.read_text().splitlines(keepends=True)
    (tmp_path / "half.log").write_text("".join(lines[:51]))
    path = tmp_path / "both.parquet"
    done = railbird("watch", tmp_path / "half.log", log, "--all-players", "--as", "casper", "-o", path)
    assert b"150 hands read, 50 duplicates" in done.out
    assert sorted(cases_of(read_pack(path))) == sorted(cases_of(everybody))
    assert [source["name"] for source in read_pack(path).recipe["sources"]] == ["half.log", "h.log"]


# Cards that are not known


def from_the_rail(record: HandRecord) -> HandRecord:
    """The same hand as seen by somebody who sees cards at a showdown only."""
    return replace(record, events=visible_to(None, record.events))


def is_shown(record: HandRecord, seat: int) -> bool:
    return any(isinstance(event, Reveal) and event.seat == seat and event.cards for event in record.events)


def test_unknown_cards_are_counted_and_left_out(tmp_path: Path) -> None:
    hands = [from_the_rail(plain_record(seed, "limit-3p")) for seed in range(30)]
    file, path = write(tmp_path / "h.jsonl", hands), tmp_path / "known.parquet"
    done = railbird("watch", file, "--player", "Alice", "--as", "casper", "-o", path)
    assert done.code == 0, done.error
    unknown = sum(not is_shown(hand, 0) for hand in hands)
    assert 5 < unknown < 25
    assert f"30 hands read, {unknown} with unknown cards" in done.out.decode()
    decided = sum(
        isinstance(event, Act) and event.seat == 0
        for hand in hands
        for event in hand.events
        if is_shown(hand, 0)
    )
    assert len(read_pack(path)) == decided
    assert re.search(rf"Alice +30 +{unknown} +{decided}\b", done.out.decode())


def test_a_log_without_known_cards_is_refused(tmp_path: Path) -> None:
    hands = [from_the_rail(plain_record(seed, "limit-3p")) for seed in range(30)]
    file, path = tmp_path / "h.jsonl", tmp_path / "known.parquet"
    write(file, [hand for hand in hands if not is_shown(hand, 0)][:5])
    assert refusal(file, "--player", "Alice", "--as", "casper", "-o", path) == (
        f"{file}: the hole cards of Alice are not known in any hand (5 hands skipped), "
        "so there is nothing to learn"
    )


def test_the_outcome_of_a_hand_that_was_not_finished_is_unknown() -> None:
    record = plain_record(3, "limit-3p")
    last = max(place for place, event in enumerate(record.events) if isinstance(event, Act))
    watcher = Watcher(system_named("casper"))
    watcher.add(replace(record, events=record.events[: last + 1]))
    assert watcher.counts.unfinished == 1
    assert sum(int(base.known.sum()) for base in watcher.pack({}).bases.values()) == 0
    assert watcher.cases == sum(isinstance(event, Act) for event in record.events)


def test_a_hand_against_the_rules_is_refused_and_leaves_no_trace() -> None:
    record = plain_record(3, "limit-3p")
    first = next(place for place, event in enumerate(record.events) if isinstance(event, Act))
    watcher = Watcher(system_named("casper"))
    act = record.events[first]
    assert isinstance(act, Act)
    out_of_turn = Act(act.seat, ActionKind.CALL, 0, act.to)
    events = (*record.events[: first + 1], out_of_turn, *record.events[first + 1 :])
    with pytest.raises(ActionError):
        watcher.add(replace(record, events=events))
    assert watcher.cases == watcher.counts.hands == 0
    watcher.add(record)
    assert watcher.counts.hands == 1


@settings(max_examples=60)
@given(records)
def test_any_hand_gives_a_case_for_each_decision_of_known_cards(record: HandRecord) -> None:
    watcher = Watcher(system_named("casper"))
    watcher.add(record)
    size, cards = record.rules.hole_cards, record.cards
    known = [UNKNOWN not in cards[seat * size :][:size] for seat in range(len(record.players))]
    decided = Counter(record.players[event.seat] for event in record.events if isinstance(event, Act))
    if record.rules.is_limit_holdem:
        assert watcher.players == {
            name: Watched(1, int(not is_known), decided[name] if is_known else 0)
            for name, is_known in zip(record.players, known, strict=True)
        }
        assert watcher.counts.unknown == (not all(known))
    else:
        assert (watcher.counts.other_games, watcher.cases) == (1, 0)
    pack = watcher.pack({})
    payoffs = dict(zip(record.players, record.payoffs, strict=True))
    for stage, base in pack.bases.items():
        for row in range(len(base)):
            rider = pack.rider(stage, row)
            chips = float(base.sums[row].sum()) * record.rules.small_bet
            assert chips == pytest.approx(float(payoffs[rider["player"]]))
            seat = record.players.index(rider["player"])
            assert parse_cards(rider["cards"]) == cards[seat * size :][:size]


# Hands made by others


def test_poker_academy_hands_as_their_text_tells_them(shared_data: Path, tmp_path: Path) -> None:
    with lzma.open(shared_data / "poker_academy_hu_limit_46454.txt.xz", "rt", encoding="utf-8") as source:
        text = "".join(islice(source, 4000))
    text = text[: text.rindex("****")]
    text = text[: text.rindex("Poker Academy Pro #")]
    (tmp_path / "pa.txt").write_text(text, encoding="utf-8")
    path = tmp_path / "pa.parquet"
    done = railbird("watch", tmp_path / "pa.txt", "--player", "Mvb1", "--as", "casper", "-o", path)
    assert done.code == 0, done.error
    told = Counter(re.findall(r"^Mvb1 (folds|checks|calls|bets|raises)", text, re.MULTILINE))
    found: Counter[str] = Counter()
    for actions in read_pack(path).recipe["cases"].values():
        found.update(actions)
    assert found == {
        "fold": told["folds"],
        "call": told["checks"] + told["calls"],
        "raise": told["bets"] + told["raises"],
    }
    hands = text.count("Poker Academy Pro #")
    assert f"{hands:,} hands read\n" in done.out.decode()


def test_logs_of_the_official_dealer_as_their_text_tells_them(official: Path, tmp_path: Path) -> None:
    lines = (official / "l6_q.log").read_text().splitlines(keepends=True)
    for game in official.glob("*.game"):
        (tmp_path / game.name).write_bytes(game.read_bytes())
    (tmp_path / "l6.log").write_text("".join(lines[:204]))
    path = tmp_path / "l6.parquet"
    done = railbird("watch", tmp_path / "l6.log", "--all-players", "--as", "casper", "-o", path)
    assert done.code == 0, done.error
    told = list(decisions_in((tmp_path / "l6.log").read_text()))
    assert sorted(cases_of(read_pack(path))) == sorted(told)


# Bad input


def refusal(*arguments: object) -> str:
    """The one line with which the command ends, after which there is no pack."""
    path = Path(str(arguments[-1]))
    before = sorted(path.parent.iterdir()) if path.parent.is_dir() else []
    done = railbird("watch", *arguments)
    assert (done.code, done.out) == (2, b"")
    assert done.error.startswith("railbird: ")
    assert done.error.count("\n") == 1
    assert (sorted(path.parent.iterdir()) if path.parent.is_dir() else []) == before
    return done.error.removeprefix("railbird: ").rstrip()


def test_a_missing_name_is_answered_with_the_names_there_are(log: Path, tmp_path: Path) -> None:
    output = tmp_path / "x.parquet"
    assert refusal(log, "--player", "Doyle", "--as", "casper", "-o", output).startswith(
        f"{log}: no player is called 'Doyle'; there are random 1, random 2"
    )
    assert "nearest names are random 9" in refusal(
        log, "--player", "randon 9", "--as", "casper", "-o", output
    )
    assert refusal(log, "--as", "casper", "-o", output).startswith(
        f"choose players with --player NAME or --all-players: {log} has random 1, random 2"
    )
    both = refusal(log, "--player", "random 1", "--all-players", "--as", "casper", "-o", output)
    assert both == "--player and --all-players cannot be combined"


def test_hands_that_the_system_does_not_play_are_left_out(tmp_path: Path) -> None:
    nolimit = [plain_record(seed, "nolimit-2p") for seed in range(3)]
    file = write(tmp_path / "h.jsonl", nolimit)
    output = tmp_path / "x.parquet"
    assert (
        refusal(file, "--player", "Bob", "--as", "casper", "-o", output)
        == f"{file}: none of 3 hands is limit hold'em, which casper:look-ahead=1 learns from"
    )
    write(file, [*nolimit, plain_record(4), plain_record(5)])
    done = railbird("watch", file, "--player", "Bob", "--as", "casper", "-o", output)
    assert b"5 hands read, 3 of another game" in done.out


def test_bad_hands_are_counted_and_told(tmp_path: Path) -> None:
    writer = LogWriter()
    text = "".join(writer.hand(plain_record(seed, "limit-3p")) for seed in range(20))
    (tmp_path / "h.log").write_text(text + "STATE:20:zz:AhAd|KhKd|QhQd:0|0|0:Alice|Bob|Carol\n")
    (tmp_path / "diary.txt").write_text("Dear diary,\n")
    output = tmp_path / "x.parquet"
    done = railbird("watch", tmp_path, "--player", "Bob", "--as", "casper", "-o", output)
    assert done.code == 1
    assert b"20 hands read, 1 bad" in done.out
    assert f"1 hand could not be read (kept in {output}.bad):" in done.error
    assert "1 file skipped:" in done.error
    assert [(each["name"], each["bad"]) for each in read_pack(output).recipe["sources"]] == [("h.log", 1)]


def test_bad_orders_end_in_one_line(log: Path, tmp_path: Path) -> None:
    output = tmp_path / "x.parquet"
    player = ("--player", "random 1")
    assert refusal(log, *player, "--as", "caspar", "-o", output) == (
        "no system is called 'caspar': did you mean 'casper'?"
    )
    assert "no such file or folder" in refusal(tmp_path / "no.log", *player, "--as", "casper", "-o", output)
    assert "standard input cannot be watched" in refusal("-", *player, "--as", "casper", "-o", output)
    assert "is not a folder" in refusal(log, *player, "--as", "casper", "-o", tmp_path / "no" / "x.parquet")
    assert "is a folder" in refusal(log, *player, "--as", "casper", "-o", tmp_path)
    (tmp_path / "empty.log").write_text("")
    assert refusal(tmp_path / "empty.log", *player, "--as", "casper", "-o", output) == (
        f"{tmp_path / 'empty.log'}: no hand can be read"
    )
    output.write_bytes(b"precious")
    assert "exists already: use --force" in refusal(log, *player, "--as", "casper", "-o", output)
    assert output.read_bytes() == b"precious"
    assert railbird("watch", log, *player, "--as", "casper", "-o", output, "--force").code == 0
    assert len(read_pack(output)) > 0
    copy = tmp_path / "copy.log"
    copy.write_bytes(log.read_bytes())
    assert "is read and cannot be written" in refusal(copy, *player, "--as", "casper", "--force", "-o", copy)


def test_plain_commands_do_not_import_polars() -> None:
    script = "import sys, railbird.cli; print([name for name in ('polars', 'numpy') if name in sys.modules])"
    done = subprocess.run([sys.executable, "-c", script], capture_output=True, check=True)
    assert json.loads(done.stdout) == []


def test_games_that_casper_learns_from() -> None:
    fits = {name: named_game(name).is_limit_holdem for name in ("limit-9max", "nolimit-2p", "leduc-2p")}
    assert fits == {"limit-9max": True, "nolimit-2p": False, "leduc-2p": False}
