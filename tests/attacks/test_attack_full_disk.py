"""A full disk: one sentence, nothing half-written, what was finished is kept, and work goes on when there is room."""

import asyncio
import os
import subprocess
import sys
from dataclasses import dataclass
from pathlib import Path

import pytest

from command import Outcome, railbird
from railbird.arena.run import break_journal
from railbird.arena.run.growing_journal import JournalError
from railbird.arena.run.journal import Journal, journal_beside
from railbird.interfaces.web import server
from railbird.interfaces.web.tournaments.plan import TournamentPlan
from railbird.interfaces.web.tournaments.queue import TournamentError, Tournaments
from railbird.learning import exploit
from railbird.learning.local_best_response import LOT
from railbird.learning.solvers import ExactSolver
from railbird.notation.outputs import FileOutput
from railbird.places import data_folder, write_whole
from railbird.store.store import open_store
from small_disks import file_limit, fill, small_disk
from small_packs import watched_pack
from web_client import Person, serving

MATCH = ("match", "--seats", "random,always-call", "--hands", 20)
SOLVE = ("solve", "--game", "leduc-2p", "--iterations")


def assert_one_sentence(done: Outcome, path: Path) -> None:
    assert done.code == 2, done.error
    assert "Traceback" not in done.error
    said = done.error.strip().splitlines()[-1]
    assert said.startswith(f"railbird: {path}"), said
    assert said.endswith(("File too large", "No space left on device", "disk is full", "disk I/O error")), (
        said
    )


def names(folder: Path) -> set[str]:
    return {path.name for path in folder.iterdir()}


def contents(folder: Path) -> dict[str, bytes]:
    return {path.name: path.read_bytes() for path in folder.rglob("*") if path.is_file()}


@pytest.fixture(scope="module")
def pack(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return watched_pack(tmp_path_factory.mktemp("pack"))


@pytest.fixture(scope="module")
def hands(pack: Path) -> Path:
    return pack.with_name("h.log")


@pytest.fixture(scope="module", autouse=True)
def compiled(pack: Path) -> None:
    """Have everything compiled that the commands need: the limit on files is meant for what they write themselves."""
    folder = pack.parent / "compiled"
    folder.mkdir()
    evolve = ("evolve", "casper", "--pack", pack, "--generations", 1, "--population", 4, "--targets", 20)
    for command in ((*evolve, "-o", folder / "w.toml"), (*MATCH, "--json", folder / "r.json")):
        assert railbird(*command).code == 0


# Commands


def test_a_match_keeps_its_finished_matches_and_goes_on_when_there_is_room(tmp_path: Path) -> None:
    results, whole = tmp_path / "r.json", tmp_path / "whole.json"
    match = (*MATCH, "--matches", 12, "--json")
    with file_limit(20_000):
        assert_one_sentence(railbird(*match, results), journal_beside(results))
    assert names(tmp_path) == {"r.json.journal"}
    kept = journal_beside(results).read_bytes()
    assert kept.endswith(b"\n")
    assert 1 < kept.count(b"\n") < 12
    assert railbird(*match, results).code == 0
    assert journal_beside(results).read_bytes().startswith(kept)
    assert railbird(*match, whole).code == 0
    digests = [path.read_text().partition('"digest": ')[2][:70] for path in (results, whole)]
    assert digests[0] == digests[1]


@pytest.mark.parametrize("ending", ["jsonl", "jsonl.gz", "jsonl.xz", "jsonl.zst", "phhs"])
def test_a_conversion_leaves_nothing_half_written(ending: str, hands: Path, tmp_path: Path) -> None:
    output = tmp_path / f"x.{ending}"
    with file_limit(2000):
        done = railbird("convert", hands, output)
    assert_one_sentence(done, output)
    assert names(tmp_path) == set()


def test_a_conversion_into_a_folder_leaves_nothing_behind(hands: Path, tmp_path: Path) -> None:
    with file_limit(100):
        done = railbird("convert", hands, tmp_path / "new", "--to", "phh")
    assert_one_sentence(done, tmp_path / "new")
    assert names(tmp_path) == set()


def test_commands_that_write_at_their_end_leave_nothing_behind(
    pack: Path, hands: Path, tmp_path: Path
) -> None:
    for arguments, output in (
        ((*MATCH, "--log"), tmp_path / "log"),
        (("selfplay", "--seats", "random,always-call", "--hands", 50, "-o"), tmp_path / "log"),
        (("watch", hands, "--as", "casper", "--all-players", "-o"), tmp_path / "p.parquet"),
        (("train-network", hands, "-o"), tmp_path / "n.xdsl"),
        (("casebase", "export", pack), tmp_path / "cases.csv"),
    ):
        assert (
            railbird(*arguments, output).code == 0
        )  # and everything is compiled, which is kept in files too
        output.unlink()
        with file_limit(500):
            done = railbird(*arguments, output)
        assert_one_sentence(done, output)
        assert names(tmp_path) == set()
        assert names(data_folder() / "journals") == set()


def test_a_match_that_is_only_shown_needs_no_room(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(break_journal, "WRITE_S", -1.0)
    match = (*MATCH, "--matches", 3, "--seed", 77)
    shown = railbird(*match)
    assert shown.code == 0
    for room in (0, 60, 500, 1_000, 2_000):
        with file_limit(room):
            done = railbird(*match)
        assert (done.code, done.out.partition(b"\n\n")[0]) == (0, shown.out.partition(b"\n\n")[0])
        assert names(data_folder() / "journals") == set()


def test_an_import_ends_with_the_first_file_that_finds_no_room(hands: Path, tmp_path: Path) -> None:
    store, other = tmp_path / "s.db", tmp_path / "other.log"
    first = tmp_path / "first.log"
    lines = hands.read_text().splitlines(keepends=True)
    first.write_text("".join(lines[:20]))
    other.write_text("".join(lines))
    assert railbird("import", first, "--store", store).code == 0
    with file_limit(store.stat().st_size):
        assert_one_sentence(railbird("import", first, other, "--store", store), store)
    assert railbird("import", first, other, "--store", store).code == 0


def test_results_that_do_not_fit_leave_the_journal_to_go_on_from(tmp_path: Path) -> None:
    results = tmp_path / "r.json"
    assert railbird(*MATCH, "--json", results).code == 0
    size = journal_beside(results).stat().st_size
    results.unlink()
    assert size < len(_report_of(tmp_path))
    with file_limit(size):
        assert_one_sentence(railbird(*MATCH, "--json", results), results)
    assert names(tmp_path) == {"r.json.journal", "other.json", "other.json.journal"}
    assert railbird(*MATCH, "--json", results).code == 0


def _report_of(folder: Path) -> bytes:
    assert railbird(*MATCH, "--json", folder / "other.json").code == 0
    return (folder / "other.json").read_bytes()


def test_a_tournament_that_finds_no_room_goes_on_later(tmp_path: Path) -> None:
    results = tmp_path / "t.json"
    arguments = ("tournament", "--agents", "random,always-call,always-raise", "--hands", 5, "--json", results)
    with file_limit(9_000):
        assert_one_sentence(railbird(*arguments), journal_beside(results))
    assert names(tmp_path) == {"t.json.journal"}
    assert railbird(*arguments).code == 0


def test_an_evolution_that_finds_no_room_goes_on_later(pack: Path, tmp_path: Path) -> None:
    weights = tmp_path / "w.toml"
    arguments = ("evolve", "casper", "--pack", pack, "-o", weights, "--generations", 1, "--population", 4)
    with file_limit(3_000):
        assert_one_sentence(railbird(*arguments, "--targets", 20), journal_beside(weights))
    assert names(tmp_path) == {"w.toml.journal"}
    assert railbird(*arguments, "--targets", 20).code == 0
    assert names(tmp_path) == {"w.toml.journal", "w.toml"}


@pytest.fixture
def solved(tmp_path: Path) -> dict[str, bytes]:
    """What four iterations write."""
    folder = tmp_path / "whole"
    folder.mkdir()
    assert railbird(*SOLVE, 4, "-o", folder / "leduc.strategy").code == 0
    return contents(folder)


def test_a_solver_that_finds_no_room_goes_on_later(solved: dict[str, bytes], tmp_path: Path) -> None:
    folder = tmp_path / "here"
    folder.mkdir()
    strategy, checkpoint = folder / "leduc.strategy", folder / "leduc.strategy.checkpoint"
    with file_limit(1000):
        assert_one_sentence(railbird(*SOLVE, 2, "-o", strategy), checkpoint)
    assert names(folder) == set()
    assert railbird(*SOLVE, 2, "-o", strategy).code == 0
    before = contents(folder)
    with file_limit(1000):
        assert_one_sentence(railbird(*SOLVE, 4, "-o", strategy), checkpoint)
    assert contents(folder) == before
    assert railbird(*SOLVE, 4, "-o", strategy).code == 0
    assert contents(folder) == solved


def test_a_strategy_that_does_not_fit_leaves_its_checkpoint(
    solved: dict[str, bytes], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    pages = {name: -(-len(content) // 4096) for name, content in solved.items()}
    room = 4 * (sum(pages.values()) - 1)
    with small_disk(tmp_path / "disk", f"{room}k") as disk:
        strategy = disk / "leduc.strategy"
        assert_one_sentence(railbird(*SOLVE, 4, "-o", strategy), strategy)
        assert names(disk) == {"leduc.strategy.checkpoint"}
        subprocess.run(["mount", "-o", "remount,size=2m", str(disk)], check=True)
        monkeypatch.setattr(ExactSolver, "iterate", None)
        assert railbird(*SOLVE, 4, "-o", strategy).code == 0
        assert contents(disk) == solved


@dataclass(frozen=True)
class Measured:
    """A measurement, its results, and the parts that it keeps."""

    command: tuple[object, ...]
    results: bytes
    parts: dict[str, bytes]


@pytest.fixture(
    scope="module",
    params=[
        ("exploit", "always-call", "--game", "limit-2p:raises=1/0/0/0", "--flops", 4),
        ("exploit", "random", "--game", "nolimit-2p", "--hands", 2 * 4 * LOT),
    ],
    ids=["flops", "hands"],
)
def measured(request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory) -> Measured:
    """A measurement with enough room; afterwards, everything that it needs is compiled."""
    folder = tmp_path_factory.mktemp("measured")
    results, parts = folder / "r.json", folder / "parts"
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(exploit, "cache_folder", lambda: parts)
        assert railbird(*request.param, "--json", results).code == 0
    return Measured(request.param, results.read_bytes(), contents(parts))


def test_a_measurement_that_finds_no_room_begins_later(
    measured: Measured, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    measure = measured.command
    kept = tmp_path / "kept"
    monkeypatch.setattr(exploit, "cache_folder", lambda: kept)
    with file_limit(100):
        assert_one_sentence(railbird(*measure), kept)
    assert contents(kept) == {}
    assert railbird(*measure).code == 0
    damaged = next(path for path in kept.rglob("*") if path.is_file())
    damaged.write_bytes(damaged.read_bytes()[:-1])
    refused = railbird(*measure)
    assert (refused.code, refused.error.count("\n")) == (2, 1)
    assert refused.error.startswith(f"railbird: {damaged} has ")


def test_a_measurement_keeps_its_finished_flops_and_hands(
    measured: Measured, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    results = tmp_path / "r.json"
    measure = (*measured.command, "--json", results)
    whole = measured.parts
    room = 3 * 4 * -(-max(map(len, whole.values())) // 4096)
    with small_disk(tmp_path / "disk", f"{room}k") as disk:
        monkeypatch.setattr(exploit, "cache_folder", lambda: disk)
        assert_one_sentence(railbird(*measure), disk)
        kept = contents(disk)
        assert len(kept) == 3
        assert kept.items() < whole.items()
        assert not results.exists()
        subprocess.run(["mount", "-o", "remount,size=2m", str(disk)], check=True)
        assert railbird(*measure).code == 0
        assert (contents(disk), results.read_bytes()) == (whole, measured.results)


def test_an_import_that_finds_no_room_is_completed_later(hands: Path, tmp_path: Path) -> None:
    store = tmp_path / "s.db"
    with open_store(store):
        pass
    with file_limit(store.stat().st_size):
        assert_one_sentence(railbird("import", hands, "--store", store), store)
    assert names(tmp_path) == {"s.db"}
    assert railbird("import", hands, "--store", store).code == 0
    with open_store(store) as opened:
        assert opened.count() == 200


def test_a_real_disk_that_is_full_keeps_finished_matches_and_nothing_else(tmp_path: Path) -> None:
    with small_disk(tmp_path / "disk", "60k") as disk:
        results = disk / "r.json"
        match = (*MATCH, "--matches", 40, "--json", results)
        assert_one_sentence(railbird(*match), journal_beside(results))
        assert names(disk) == {"r.json.journal"}
        assert journal_beside(results).read_bytes().endswith(b"\n")
        subprocess.run(["mount", "-o", "remount,size=2m", str(disk)], check=True)
        assert railbird(*match).code == 0
        assert names(disk) == {"r.json.journal", "r.json"}


# The standard output


def run(redirection: str, *arguments: str) -> "subprocess.CompletedProcess[str]":
    command = f'"$0" -m railbird "$@" {redirection}'
    return subprocess.run(
        ["/bin/sh", "-c", command, sys.executable, *arguments], capture_output=True, text=True, check=False
    )


@pytest.mark.parametrize("arguments", [("games",), ("--help",)])
def test_a_full_standard_output_is_told_in_one_sentence(arguments: tuple[str, ...]) -> None:
    done = run("> /dev/full", *arguments)
    assert done.returncode == 2
    assert done.stderr == "railbird: the output cannot be written: No space left on device\n"


def test_hands_that_a_full_standard_output_does_not_take_are_told_in_one_sentence(hands: Path) -> None:
    done = run("> /dev/full", "convert", str(hands), "-", "--to", "railbird")
    assert done.returncode == 2
    assert done.stderr == "railbird: the output cannot be written: No space left on device\n"


def test_a_reader_that_leaves_and_a_closed_output_are_no_mistakes() -> None:
    assert run("| head -1 > /dev/null", "games").stderr == ""
    closed = run(">&-", "games")
    assert (closed.returncode, closed.stderr) == (0, "")


# Files that must last


def synced(patch: pytest.MonkeyPatch) -> list[str]:
    """The paths that are synced from now on."""
    found: list[str] = []
    sync = os.fsync

    def fsync(descriptor: int) -> None:
        found.append(os.readlink(f"/proc/self/fd/{descriptor}"))
        sync(descriptor)

    patch.setattr(os, "fsync", fsync)
    return found


def test_a_whole_file_is_synced_before_its_name_and_its_folder_after(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    found = synced(monkeypatch)
    write_whole(tmp_path / "new" / "file", lambda file: file.write(b"all"))
    above, part, folder = found
    assert above == str(tmp_path)
    assert part.startswith(str(tmp_path / "new" / "file"))
    assert part.endswith(".part")
    assert folder == str(tmp_path / "new")


def test_journals_outputs_and_keys_are_synced_with_their_folders(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    found = synced(monkeypatch)
    with Journal(tmp_path / "j", {}):
        assert found == [str(tmp_path / "j"), str(tmp_path)]
    output = FileOutput(tmp_path / "o")
    output.write(b"text")
    output.finish()
    assert found[-1] == str(tmp_path)
    server.own_key(tmp_path)
    assert found[-2:] == [str(tmp_path / server.KEY_FILE), str(tmp_path)]


def test_a_file_that_cannot_be_synced_closed_or_renamed_leaves_nothing(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def refuse(*_: object) -> None:
        raise OSError(28, "No space left on device")

    for owner, name in ((os, "fsync"), (Path, "replace")):
        with monkeypatch.context() as broken:
            broken.setattr(owner, name, refuse)
            with pytest.raises(OSError, match="No space left on device") as caught:
                write_whole(tmp_path / "file", lambda file: file.write(b"all"))
        assert caught.value.filename == str(tmp_path / "file")
        assert names(tmp_path) == set()
    with file_limit(10), pytest.raises(OSError, match="File too large"):
        write_whole(tmp_path / "file", lambda file: file.write(b"more than ten bytes"))
    assert names(tmp_path) == set()


def test_a_journal_that_could_not_be_written_is_as_long_as_before_and_still_works(tmp_path: Path) -> None:
    with Journal(tmp_path / "j", {}) as journal:
        journal.add_note("first", 1)
        size = (tmp_path / "j").stat().st_size
        with file_limit(size + 10), pytest.raises(JournalError, match="cannot be written: File too large"):
            journal.add_note("long", "x" * 1000)
        assert (tmp_path / "j").stat().st_size == size
        assert journal.note("long") is None
        journal.add_note("second", 2)
    with Journal(tmp_path / "j", {}) as journal:
        assert [journal.note(name) for name in ("first", "long", "second")] == [1, None, 2]


# The table in the browser


def test_a_server_without_room_says_so_and_goes_on_when_there_is_room(tmp_path: Path) -> None:
    with small_disk(tmp_path / "disk", "1m") as disk, serving(disk / "s.db") as served:
        asyncio.run(_play_on_a_full_disk(disk, Person(served.address)))


FULL = "the disk of the server is full: nothing was changed"


async def _play_on_a_full_disk(disk: Path, person: Person) -> None:
    wanted = {"game": "limit-2p", "opponents": ["random"]}
    session = person.begin("limit-2p", ["always-call"])
    filling = fill(disk)
    reply = person.ask("POST", "/api/sessions", wanted)
    assert (reply.status, reply.data) == (507, {"error": FULL})
    assert person.get("/api/lobby")["sessions"]
    async with person.seat(session) as seat:
        stopped = await seat.until(lambda view: view["paused"])
        assert stopped["notice"] == f"The table stopped: {FULL}. Press Continue to try again."
        filling.unlink()
        await seat.ask("continue")
        view = await seat.own_turn()
        filling = fill(disk)
        answer = await seat.answer("act", hand=view["hand"], step=view["step"], action="call")
        assert (answer["type"], answer["message"]) == ("error", FULL)
        filling.unlink()
        assert (await seat.play_hand())["phase"] == "over"
    assert person.ask("POST", "/api/sessions", wanted).status == 201


def test_a_tournament_that_cannot_be_kept_is_refused_and_forgotten(tmp_path: Path) -> None:
    async def add() -> None:
        tournaments = Tournaments(tmp_path)
        plan = TournamentPlan("limit-2p", ["random", "always-call"], 10, 1, "1")
        with file_limit(10), pytest.raises(TournamentError, match="could not be stored: File too large"):
            await tournaments.add("ann", "here", plan)
        assert tournaments.of_owner("ann") == []
        await tournaments.close()

    asyncio.run(add())
    assert not list(tmp_path.glob("*.json*"))
