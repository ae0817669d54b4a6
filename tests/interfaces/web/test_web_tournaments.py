"""Tournaments in the browser: the same as on the command line, one after the other, and never lost."""

import asyncio
import fcntl
import json
import signal
import subprocess
import sys
from collections.abc import Awaitable, Callable, Iterator
from io import BytesIO
from itertools import combinations
from pathlib import Path
from time import monotonic, sleep
from typing import Any, cast

import msgspec
import pytest
from fastapi import FastAPI, Request, Response
from fastapi.testclient import TestClient
from hypothesis import given, settings
from hypothesis import strategies as st

from command import railbird
from folders import SUPPORT
from railbird.arena.play import match
from railbird.arena.play.match import MatchResult, Partial
from railbird.arena.play.plan import Entrant, MatchPlan, entrants_of
from railbird.arena.results.interim import standings_so_far
from railbird.arena.results.tally import Tally, tally_so_far
from railbird.arena.run.experiment import Progress, _Run, run_matches
from railbird.arena.run.job import Job
from railbird.arena.run.journal import journal_beside
from railbird.engine.games import named_game
from railbird.engine.rules import GameRules
from railbird.interfaces.offer import Offer
from railbird.interfaces.web.http.replies import answer
from railbird.interfaces.web.thinking.thinkers import ThinkerError
from railbird.interfaces.web.tournaments import process as tournament_process
from railbird.interfaces.web.tournaments import queue as tournament_queue
from railbird.interfaces.web.tournaments import routes as tournaments
from railbird.interfaces.web.tournaments.plan import MOST_HANDS, TournamentPlan
from railbird.interfaces.web.tournaments.process import play, results_path
from railbird.interfaces.web.tournaments.queue import (
    OWN,
    VISITORS,
    Allowance,
    Tournament,
    TournamentError,
    Tournaments,
)
from railbird.interfaces.web.web import HttpRefusal, Web

LONG = 60.0
SMALL = TournamentPlan("limit-2p", ["random", "always-call", "random", "always-raise"], 12, 2, "7")


def match_plans(plan: TournamentPlan, players: int) -> list[MatchPlan]:
    return plan.terms().round_robin(entrants_of(plan.agents), players, plan.matches)


THREE = TournamentPlan(
    "limit-3p", ["random", "always-call", "always-fold", "always-raise"], 5, 1, "some.seed"
)
FOUR = TournamentPlan("limit-4max", ["random", "always-call", "random", "random", "always-raise"], 3, 1, "4")


# The same as on the command line


@pytest.mark.parametrize("plan", [SMALL, THREE, FOUR], ids=lambda plan: plan.game)
def test_results_are_those_of_the_command(plan: TournamentPlan, tmp_path: Path) -> None:
    lines = BytesIO()
    play(tmp_path, "0", plan, lines)
    found = json.loads(results_path(tmp_path, "0").read_bytes())
    written = tmp_path / "command.json"
    words = plan.command().split()
    assert words[:2] == ["railbird", "tournament"]
    done = railbird(*words[1:], "--json", written)
    assert done.code == 0, done.error
    expected = json.loads(written.read_text())
    for changing in ("elapsed_s", "reproduce"):
        found.pop(changing)
        expected.pop(changing)
    assert found == expected
    last = json.loads(lines.getvalue().splitlines()[-1])
    assert last["progress"]["hands"] == last["progress"]["all_hands"] == plan.all_hands(plan.rules())
    told = last["standings"]
    assert told["standings"] == expected["standings"]
    assert told["crosstable"] == expected["crosstable"]
    assert told["players"] == [
        {key: player[key] for key in ("label", "agent", "hands", "net", "rate")}
        for player in expected["players"]
    ]


def test_standings_are_live_within_a_match(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(match, "TELL_S", 0.0)
    monkeypatch.setattr(tournament_process, "_EVERY_S", 0.0)
    monkeypatch.setattr(tournament_process, "_REST", 0.0)
    agents = ["random", "always-call", "pokibot", "always-raise"]
    lines = BytesIO()
    play(tmp_path, "0", TournamentPlan("limit-4max", agents, 70, 1, "5"), lines)
    told = [json.loads(line) for line in lines.getvalue().splitlines()]
    hands = [each["progress"]["hands"] for each in told]
    assert hands == sorted(hands)
    assert len([number for number in hands if number % 70]) >= 3 * 4, "it is told within seatings too"
    assert [each["progress"]["matches"] for each in told] == [0] * (len(told) - 1) + [1]
    for each in told:
        players = each["standings"]["players"]
        assert [player["hands"] for player in players] == [each["progress"]["hands"]] * 4
        assert sum(player["net"] for player in players) == 0
        nets = {player["label"]: player["net"] for player in players}
        assert each["standings"]["standings"]["total_bankroll"] == sorted(agents, key=lambda one: -nets[one])
        if each["progress"]["hands"] > 1:
            rates = [player["rate"] for player in players]
            assert all(rate["low"] < rate["mean"] < rate["high"] for rate in rates)
            assert all(
                set(row) == set(agents) - {one} for one, row in each["standings"]["crosstable"].items()
            )


@given(
    st.integers(2, 3).flatmap(
        lambda players: st.lists(
            st.lists(st.tuples(*[st.integers(-50, 50)] * players), max_size=6), min_size=1, max_size=4
        )
    )
)
def test_what_is_not_finished_is_added_up_by_deals(seatings: list[list[tuple[int, ...]]]) -> None:
    players = next((len(won) for seating in seatings for won in seating), 2)
    found = tally_so_far(players, seatings)
    hands = [won for seating in seatings for won in seating]
    assert (found.units, found.hands) == (max(map(len, seatings)), len(hands))
    assert found.totals == tuple(sum(won[player] for won in hands) for player in range(players))
    deals = [
        [
            sum(seating[deal][player] for seating in seatings if deal < len(seating))
            for player in range(players)
        ]
        for deal in range(found.units)
    ]
    for one in range(players):
        for other in range(players):
            assert found.products[one][other] == sum(deal[one] * deal[other] for deal in deals)


@pytest.mark.parametrize("workers", ["1", pytest.param("2", marks=pytest.mark.soak)])
def test_what_is_told_of_unfinished_matches_is_what_was_won_so_far(
    workers: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(match, "TELL_S", 0.0)
    plan = TournamentPlan("limit-2p", ["random", "pokibot"], 40, 2, "6")
    finished = Tally.empty(2)
    parts = 0

    def listen(progress: Progress) -> None:
        nonlocal finished, parts
        if progress.latest is not None:
            finished += progress.latest.tally
        unfinished = [each.tally for each in progress.unfinished]
        found = sum(unfinished, finished)
        assert (found.hands, found.totals) == (progress.hands, progress.totals)
        parts += any(each.hands % 40 for each in unfinished)

    results = run_matches(match_plans(plan, 2), workers, progress=listen)
    assert finished == sum((result.tally for result in results), Tally.empty(2))
    assert parts >= 4 or workers != "1", "processes of their own tell by the clock"


def test_a_job_that_is_played_again_is_told_again_from_its_first_hand() -> None:
    entrants = (Entrant("a", "random"), Entrant("b", "random"))
    (plan,) = TournamentPlan("limit-2p", ["random", "random"], 9, 1, "6").terms().round_robin(entrants, 2, 1)
    heard: list[tuple[int, tuple[int, ...]]] = []

    def listen(progress: Progress) -> None:
        (match,) = progress.unfinished
        heard.append((match.tally.hands, match.tally.totals))

    run = _Run([plan], keep_log=False, journal=None, progress=listen, stop=None)
    for hands, payoffs in ((1, [5]), (3, [1, 1]), (2, [4, 4]), (3, [-2])):
        won = tuple((chips, -chips) for chips in payoffs)
        run.hear(Job(plan, 1), Partial(hands, (0, 0), won))
    assert heard == [(1, (5, -5)), (3, (7, -7)), (2, (8, -8)), (3, (6, -6))]


@pytest.fixture(scope="module")
def small_results() -> list[MatchResult]:
    return run_matches(match_plans(SMALL, 2))


@settings(max_examples=40)
@given(chosen=st.sets(st.integers(0, 11)))
def test_standings_so_far_are_of_those_who_met(small_results: list[MatchResult], chosen: set[int]) -> None:
    results = [small_results[place] for place in sorted(chosen)]
    entrants = entrants_of(SMALL.agents)
    found = standings_so_far(SMALL.rules(), entrants, results)
    met = {frozenset(result.plan.labels) for result in results}
    labels = [entrant.label for entrant in entrants]
    for first, second in combinations(labels, 2):
        assert (second in found["crosstable"][first]) == (frozenset((first, second)) in met)
    players = {player["label"]: player for player in found["players"]}
    for label in labels:
        played = [result for result in results if label in result.plan.labels]
        assert (players[label]["rate"] is not None) == bool(played)
        assert players[label]["hands"] == sum(2 * SMALL.hands for _ in played)
    assert sum(player["net"] for player in players.values()) == 0
    ranked = [players[label] for label in found["standings"]["total_bankroll"]]
    assert [player["net"] for player in ranked if player["rate"]] == sorted(
        (player["net"] for player in ranked if player["rate"]), reverse=True
    )
    assert all(player["rate"] is None for player in ranked[sum(map(has_rate, ranked)) :])
    assert (found["standings"]["instant_runoff"] is not None) == (len(met) == 6)


def has_rate(player: dict[str, Any]) -> bool:
    return player["rate"] is not None


# What is refused


@pytest.mark.parametrize(
    ("plan", "words"),
    [
        (TournamentPlan("limit-2p", ["random"]), "needs 2 to 12 bots, not 1"),
        (TournamentPlan("limit-2p", ["random"] * 13), "needs 2 to 12 bots, not 13"),
        (TournamentPlan("limit-3p", ["random"] * 2), "needs 3 to 12 bots, not 2"),
        (TournamentPlan("limit-2p", ["random"] * 2, hands=0), "1 to 20,000 hands, not 0"),
        (TournamentPlan("limit-2p", ["random"] * 2, hands=20_001), "1 to 20,000 hands"),
        (TournamentPlan("limit-2p", ["random"] * 2, matches=101), "1 to 100 matches"),
        (TournamentPlan("limit-2p", ["random"] * 2, matches=-1), "1 to 100 matches"),
        (TournamentPlan("limit-2p", ["random"] * 2, seed="a b"), "a seed has"),
        (TournamentPlan("limit-2p", ["random"] * 2, seed="../x"), "a seed has"),
        (TournamentPlan("limit-2p", ["random"] * 2, seed="x" * 41), "a seed has"),
        (TournamentPlan("limit-2p", ["random"] * 12, hands=4000), "528,000 hands"),
        (TournamentPlan("limit-6max", ["random"] * 12, hands=100), "554,400 hands"),
        (TournamentPlan("limit-2q", ["random"] * 2), "no game is called 'limit-2q'"),
        (TournamentPlan("/etc/passwd.game", ["random"] * 2), "no game is called"),
        (TournamentPlan("x" * 201, ["random"] * 2), "at most 200 characters"),
    ],
)
def test_what_is_no_tournament_or_too_large_is_refused(plan: TournamentPlan, words: str) -> None:
    with pytest.raises(ValueError, match=words):
        plan.require(plan.rules())


@given(
    agents=st.integers(2, 12), hands=st.integers(1, 50), matches=st.integers(1, 5), players=st.integers(2, 5)
)
def test_the_size_that_is_judged_is_the_size_that_is_played(
    agents: int, hands: int, matches: int, players: int
) -> None:
    agents = max(agents, players)
    game = f"limit-{players}{'p' if players < 4 else 'max'}"
    plan = TournamentPlan(game, ["random"] * agents, hands, matches, "1")
    if agents <= 7:
        plans = match_plans(plan, players)
        assert plan.all_hands(plan.rules()) == sum(each.hands * len(each.seatings()) for each in plans)
    assert plan.all_hands(named_game(game)) <= MOST_HANDS or agents > players


def test_a_seed_is_drawn_where_none_is_named() -> None:
    plan = TournamentPlan("limit-2p", ["random", "random"])
    seeds = {plan.seeded().seed for _ in range(20)}
    assert len(seeds) > 1
    assert SMALL.seeded() is SMALL
    plan.seeded().require(plan.rules())


# The queue, with a process that stands in for the real one


@pytest.fixture
def quick(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(tournament_queue, "_MODULE", "played_tournament")
    monkeypatch.setenv("PYTHONPATH", str(SUPPORT))


def scripted(seed: str) -> TournamentPlan:
    return TournamentPlan("limit-2p", ["random", "random"], seed=seed)


def with_tournaments(
    folder: Path, work: Callable[[Tournaments], Awaitable[None]], allowance: Allowance = OWN
) -> None:
    async def run() -> None:
        found = Tournaments(folder, allowance)
        await found.start()
        try:
            await work(found)
        finally:
            await found.close()

    asyncio.run(run())


async def until(condition: Callable[[], bool]) -> None:
    async with asyncio.timeout(LONG):
        while not condition():
            await asyncio.sleep(0.01)


def state_of(found: Tournaments, tournament: str) -> str:
    kept = found.find("me", tournament)
    return "" if kept is None else kept.state


@pytest.mark.usefixtures("quick")
def test_tournaments_are_played_one_after_the_other(tmp_path: Path) -> None:
    async def work(found: Tournaments) -> None:
        slow, waiting, last = [
            await found.add("me", "here", scripted(seed)) for seed in ("slow", "good", "good.2")
        ]
        await until(lambda: found.told(slow).progress is not None)
        assert [state_of(found, each) for each in (slow, waiting, last)] == ["playing", "waiting", "waiting"]
        assert [found.place(each) for each in (waiting, last)] == [1, 2]
        assert [each.id for each in found.of_owner("me")] == [last, waiting, slow]
        kept = found.find("me", slow)
        assert kept is not None
        await found.remove(kept)
        await until(lambda: state_of(found, last) == "finished")
        assert state_of(found, waiting) == "finished"
        assert state_of(found, slow) == ""
        assert not list(tmp_path.glob(f"{slow}*.json*"))
        assert not list(tmp_path.glob("*.journal"))

    with_tournaments(tmp_path, work)


@pytest.mark.usefixtures("quick")
def test_one_that_waits_can_be_removed(tmp_path: Path) -> None:
    async def work(found: Tournaments) -> None:
        slow, waiting = [await found.add("me", "here", scripted(seed)) for seed in ("slow", "good")]
        await until(lambda: state_of(found, slow) == "playing")
        kept = found.find("me", waiting)
        assert kept is not None
        await found.remove(kept)
        assert [each.id for each in found.of_owner("me")] == [slow]
        assert not (tmp_path / f"{waiting}.json").exists()

    with_tournaments(tmp_path, work)


@pytest.mark.usefixtures("quick")
def test_a_process_that_ends_without_a_word_is_started_again_but_not_for_ever(tmp_path: Path) -> None:
    async def work(found: Tournaments) -> None:
        once, always, wrong, good = [
            await found.add("me", "here", scripted(seed)) for seed in ("crash-once", "crash", "error", "good")
        ]
        await until(lambda: state_of(found, good) == "finished")
        assert [state_of(found, each) for each in (once, always, wrong)] == ["finished", "failed", "failed"]
        sentences = {each.id: each.error for each in found.of_owner("me")}
        assert sentences[always] == "its process was started 3 times, but never reported a result"
        assert sentences[wrong] == "there is no such luck"
        assert [(tmp_path / f"{each}.runs").read_text() for each in (once, always, wrong)] == [
            "xx",
            "xxx",
            "x",
        ]

    with_tournaments(tmp_path, work)


@pytest.mark.usefixtures("quick")
def test_a_process_that_says_nonsense_is_started_again_but_not_for_ever(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(tournament_queue, "_LONGEST_LINE", 1 << 17)

    async def work(found: Tournaments) -> None:
        once, always, endless, good = [
            await found.add("me", "here", scripted(seed))
            for seed in ("babble-once", "babble", "rant", "good")
        ]
        await until(lambda: state_of(found, good) == "finished")
        assert [state_of(found, each) for each in (once, always, endless)] == ["finished", "failed", "failed"]
        sentences = {each.id: each.error for each in found.of_owner("me")}
        for each in (always, endless):
            assert sentences[each] == "its process was started 3 times, but never reported a result"
            assert (tmp_path / f"{each}.runs").read_text() == "xxx"

    with_tournaments(tmp_path, work)


@pytest.mark.usefixtures("quick")
def test_a_mistake_of_ours_ends_one_tournament_and_not_the_queue(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    play_one = Tournaments._result_of

    async def mistaken(self: Tournaments, tournament: Tournament) -> Any:
        if tournament.plan.seed == "good.1":
            raise KeyError("a mistake")
        if tournament.plan.seed == "good.2":
            raise OSError(28, "No space left on device")
        return await play_one(self, tournament)

    monkeypatch.setattr(Tournaments, "_result_of", mistaken)

    async def work(found: Tournaments) -> None:
        first, second, third = [
            await found.add("me", "here", scripted(f"good.{number}")) for number in (1, 2, 3)
        ]
        await until(lambda: state_of(found, third) == "finished")
        assert [state_of(found, each) for each in (first, second)] == ["failed", "failed"]
        sentences = {each.id: each.error for each in found.of_owner("me")}
        assert sentences[first] == "it could not be played or stored: KeyError"
        assert sentences[second] == "it could not be played or stored: No space left on device"

    with_tournaments(tmp_path, work)


def test_the_end_of_the_queue_never_fails(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    async def broken(_: Tournaments) -> None:
        raise KeyError("a mistake")

    monkeypatch.setattr(Tournaments, "_play_all", broken)

    async def work(found: Tournaments) -> None:
        await asyncio.sleep(0)
        assert found.of_owner("me") == []

    with_tournaments(tmp_path, work)
    assert not is_locked(tmp_path / ".lock")


@pytest.mark.usefixtures("quick")
def test_what_takes_too_long_is_ended(tmp_path: Path) -> None:
    async def work(found: Tournaments) -> None:
        slow = await found.add("me", "here", scripted("slow"))
        await until(lambda: state_of(found, slow) == "failed")
        sentence = "it took longer than 0.01 minutes, the limit of this server"
        assert found.of_owner("me")[0].error == sentence

    with_tournaments(tmp_path, work, Allowance(unfinished=1, of_one_address=20, seconds=0.6))


@pytest.mark.usefixtures("quick")
def test_a_player_has_only_so_many_that_are_not_finished(tmp_path: Path) -> None:
    async def work(found: Tournaments) -> None:
        done = await found.add("me", "here", scripted("good"))
        await until(lambda: state_of(found, done) == "finished")
        slow, _ = [await found.add("me", "here", scripted(seed)) for seed in ("slow", "good")]
        await until(lambda: state_of(found, slow) == "playing")
        with pytest.raises(TournamentError, match="^2 of your tournaments are not finished: wait for one"):
            await found.add("me", "here", scripted("good"))
        assert await found.add("somebody else", "here", scripted("good"))
        kept = found.find("me", slow)
        assert kept is not None
        await found.remove(kept)
        assert await found.add("me", "here", scripted("good"))

    with_tournaments(tmp_path, work, Allowance(unfinished=2, of_one_address=20, seconds=60.0))


def test_visitors_are_allowed_minutes_and_not_hours() -> None:
    assert VISITORS.unfinished <= 3
    assert VISITORS.seconds <= 900 < OWN.seconds


@pytest.mark.usefixtures("quick")
def test_what_was_not_finished_when_the_server_ended_is_played_after_its_start(tmp_path: Path) -> None:
    ids: list[str] = []

    async def begin(found: Tournaments) -> None:
        ids.extend(
            [await found.add("me", "here", scripted("good")), await found.add("me", "here", scripted("slow"))]
        )
        ids.append(await found.add("me", "here", scripted("good.3")))
        await until(lambda: found.told(ids[1]).progress is not None)

    async def go_on(found: Tournaments) -> None:
        assert [each.id for each in found.of_owner("me")] == ids[::-1]
        assert [state_of(found, each) for each in ids] == ["finished", "waiting", "waiting"]
        await until(lambda: found.told(ids[1]).progress is not None)
        assert state_of(found, ids[1]) == "playing"

    with_tournaments(tmp_path, begin)
    (tmp_path / "something.json").write_text("else")
    with_tournaments(tmp_path, go_on)


@pytest.mark.usefixtures("quick")
def test_one_server_at_a_time_has_the_folder(tmp_path: Path) -> None:
    async def work(found: Tournaments) -> None:
        second = Tournaments(tmp_path)
        await second.start()
        with pytest.raises(TournamentError, match="another server"):
            await second.add("me", "here", scripted("good"))
        await found.close()
        assert await second.add("me", "here", scripted("good"))
        await second.close()

    with_tournaments(tmp_path, work)


@pytest.mark.usefixtures("quick")
def test_there_is_an_end_to_what_is_kept(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(tournament_queue, "MOST_OF_ONE", 2)
    monkeypatch.setattr(tournament_queue, "MOST_WAITING", 3)
    monkeypatch.setattr(tournament_queue, "MOST_KEPT", 4)

    async def work(found: Tournaments) -> None:
        first = await found.add("me", "here", scripted("good"))
        await until(lambda: state_of(found, first) == "finished")
        slow = await found.add("me", "here", scripted("slow"))
        await until(lambda: state_of(found, slow) == "playing")
        with pytest.raises(TournamentError, match="a player can have at most 2 tournaments"):
            await found.add("me", "here", scripted("good"))
        for owner in "abc":
            await found.add(owner, "here", scripted("good"))
        assert state_of(found, first) == "", "the oldest finished one makes room"
        with pytest.raises(TournamentError, match="3 tournaments are already waiting"):
            await found.add("d", "here", scripted("good"))

    with_tournaments(tmp_path, work)


# kill -9

SERVER = """
import asyncio, sys
from pathlib import Path
import msgspec
from railbird.interfaces.web.tournaments.plan import TournamentPlan
from railbird.interfaces.web.tournaments.queue import Tournaments

async def main():
    found = Tournaments(Path(sys.argv[1]))
    await found.start()
    print(await found.add("me", "here", msgspec.json.decode(sys.argv[2], type=TournamentPlan)), flush=True)
    await asyncio.Event().wait()

asyncio.run(main())
"""
KILLED = TournamentPlan("limit-2p", ["random", "always-call", "pokibot"], 60, 5, "9")


def test_a_tournament_survives_kill_9_of_the_server(tmp_path: Path) -> None:
    text = json.dumps({name: getattr(KILLED, name) for name in KILLED.__struct_fields__})
    command = [sys.executable, "-c", SERVER, str(tmp_path), text]
    with subprocess.Popen(command, stdout=subprocess.PIPE, text=True) as first:
        assert first.stdout is not None
        tournament = first.stdout.readline().strip()
        results = results_path(tmp_path, tournament)
        journal = journal_beside(results)
        wait_until(lambda: journal.exists() and journal.read_bytes().count(b"\n") >= 3)
        first.send_signal(signal.SIGKILL)
    wait_until(lambda: not is_locked(journal))
    before = journal.read_bytes()
    assert before.count(b"\n") < 16, "it was killed before it was finished"
    assert not results.exists()
    kept = tmp_path / "kept.journal"
    kept.hardlink_to(journal)

    async def work(found: Tournaments) -> None:
        assert [each.id for each in found.of_owner("me")] == [tournament]
        await until(lambda: state_of(found, tournament) in ("finished", "failed"))
        assert (state_of(found, tournament), found.told(tournament).error) == ("finished", "")

    with_tournaments(tmp_path, work)
    found = json.loads(results.read_bytes())
    written = tmp_path / "command.json"
    assert railbird(*KILLED.command().split()[1:], "--json", written).code == 0
    assert found["digest"] == json.loads(written.read_text())["digest"]
    assert not journal.exists()
    played = kept.read_bytes()
    assert played.startswith(before), "what was finished is not played again"
    assert played.count(b"\n") == 16


def wait_until(condition: Callable[[], bool]) -> None:
    end = monotonic() + LONG
    while not condition():
        assert monotonic() < end, "it did not happen"
        sleep(0.005)


def is_locked(path: Path) -> bool:
    """Whether a process still has the journal open."""
    with path.open("rb") as file:
        try:
            fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError:
            return True
    return False


# Over HTTP


class Verifier:
    """Refuses what the server's own processes would refuse; they have tests of their own."""

    offer = Offer()

    async def verify(self, spec: str, _: GameRules) -> None:
        self.admit(spec)

    def admit(self, spec: str) -> None:
        if spec != "random":
            raise ThinkerError(f"{spec} may not be named here")


class Stored:
    def __init__(self, path: Path) -> None:
        self.address = str(path)


class Shared:
    def __init__(self, store: Path) -> None:
        self.thinkers = Verifier()
        self.store = Stored(store)
        self.trusted = False

    def player(self, request: Request) -> str:
        return request.headers.get("player", "me")

    def address(self, request: Request) -> str:
        return request.headers.get("address", "here")

    def begin(self, request: Request) -> None:
        """Everybody may begin as much as they like."""

    def sentence(self, error: object) -> str:
        return str(error)


@pytest.fixture
def client(tmp_path: Path, quick: None) -> Iterator[TestClient]:
    app = FastAPI()
    app.include_router(tournaments.router(cast(Web, Shared(tmp_path / "hands.db"))))

    @app.exception_handler(HttpRefusal)
    async def refused(_: Request, error: Exception) -> Response:
        assert isinstance(error, HttpRefusal)
        return answer({"error": str(error)}, error.status)

    with TestClient(app) as opened:
        yield opened


def begun(client: TestClient, **changes: Any) -> str:
    wanted = {"game": "limit-2p", "agents": ["random", "random"], "seed": "good"} | changes
    found = client.post("/api/tournaments", json=wanted)
    assert found.status_code == 201, found.text
    return cast(str, found.json()["id"])


def looked_at(client: TestClient, tournament: str, state: str) -> dict[str, Any]:
    end = monotonic() + LONG
    while True:
        found = client.get(f"/api/tournaments/{tournament}").json()
        if found["state"] == state and (found["progress"] or state == "waiting"):
            return cast(dict[str, Any], found)
        assert monotonic() < end, found
        sleep(0.02)


def test_a_tournament_is_begun_and_watched_over_http(client: TestClient) -> None:
    tournament = begun(client)
    found = looked_at(client, tournament, "finished")
    assert found["agents"] == ["random", "random"]
    assert (found["hands"], found["matches"], found["seed"]) == (100, 1, "good")
    assert found["players"][0]["label"] == "random"
    assert found["digest"] == "abc"
    assert found["command"].startswith("railbird tournament --game limit-2p --agents random,random")
    results = client.get(f"/api/tournaments/{tournament}/results.json")
    assert results.json()["digest"] == "abc"
    assert results.headers["content-disposition"].startswith("attachment")
    listed = client.get("/api/tournaments").json()
    assert [each["id"] for each in listed["tournaments"]] == [tournament]
    assert listed["bounds"]["all_hands"] == MOST_HANDS
    assert client.delete(f"/api/tournaments/{tournament}").status_code == 200
    assert client.get("/api/tournaments").json()["tournaments"] == []


def test_a_tournament_belongs_to_one_player(client: TestClient) -> None:
    tournament = begun(client, seed="slow")
    assert looked_at(client, tournament, "playing")["progress"]["hands"] == 10
    somebody = {"player": "somebody else"}
    assert client.get("/api/tournaments", headers=somebody).json()["tournaments"] == []
    for method, path in (("GET", ""), ("DELETE", ""), ("GET", "/results.json")):
        found = client.request(method, f"/api/tournaments/{tournament}{path}", headers=somebody)
        assert found.status_code == 404
        assert found.json() == {"error": "there is no such tournament"}
    found = client.get(f"/api/tournaments/{tournament}/results.json")
    assert (found.status_code, found.json()["error"]) == (404, "this tournament has no results yet")


@pytest.mark.parametrize(
    ("body", "words"),
    [
        ({"game": "limit-2p", "agents": ["random", "bot.py:Bot"]}, "bot.py:Bot may not be named here"),
        ({"game": "limit-2p", "agents": ["random"]}, "needs 2 to 12 bots"),
        ({"game": "../../secret.game", "agents": ["random", "random"]}, "no game is called"),
        ({"game": "limit-2p", "agents": ["random", "random"], "seed": "../x"}, "a seed has"),
        ({"game": "limit-2p", "agents": "random"}, "the request is not valid"),
        ({"game": "limit-2p", "agents": ["random", "random"], "hands": 1.5}, "the request is not valid"),
        ({"game": "limit-2p", "agents": ["random", "random"], "workers": 8}, "the request is not valid"),
        ([], "the request is not valid"),
    ],
)
def test_what_is_wrong_is_answered_with_one_sentence(client: TestClient, body: object, words: str) -> None:
    found = client.post("/api/tournaments", json=body)
    assert found.status_code == 422
    assert set(found.json()) == {"error"}
    assert words in found.json()["error"]
    assert client.get("/api/tournaments").json()["tournaments"] == []


@pytest.mark.parametrize("tournament", ["nothing", "..%2fx", "%2e%2e", ".lock", "x.results"])
def test_what_is_not_there_is_not_found(client: TestClient, tournament: str) -> None:
    for method in ("GET", "DELETE"):
        assert client.request(method, f"/api/tournaments/{tournament}").status_code in (404, 405)


def test_too_many_are_refused_without_a_change(client: TestClient, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(tournament_queue, "MOST_OF_ONE", 1)
    begun(client, seed="slow")
    wanted = {"game": "limit-2p", "agents": ["random", "random"]}
    found = client.post("/api/tournaments", json=wanted)
    assert (found.status_code, len(client.get("/api/tournaments").json()["tournaments"])) == (409, 1)


def test_a_visitor_does_not_fill_the_queue(client: TestClient) -> None:
    bounds = client.get("/api/tournaments").json()["bounds"]
    assert (bounds["unfinished"], bounds["seconds"]) == (VISITORS.unfinished, VISITORS.seconds)
    for _ in range(VISITORS.unfinished):
        begun(client, seed="slow")
    found = client.post("/api/tournaments", json={"game": "limit-2p", "agents": ["random", "random"]})
    assert found.status_code == 409
    sentence = f"{VISITORS.unfinished} of your tournaments are not finished: wait for one, or remove it"
    assert found.json() == {"error": sentence}


def test_a_kept_tournament_reads_as_it_was_written(tmp_path: Path) -> None:
    kept = Tournament("ab", "me", "2020-01-01T00:00:00+00:00", SMALL, "failed", "a sentence")
    path = tmp_path / "ab.json"
    path.write_bytes(msgspec.json.encode(kept))
    assert tournament_queue._read(path) == kept
    assert tournament_queue._read(path.rename(tmp_path / "cd.json")) is None
