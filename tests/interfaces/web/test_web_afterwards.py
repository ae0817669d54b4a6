"""After a session in the browser: the hand list, replays, results, downloads, and the duplicate."""

import asyncio
import json
from collections import deque
from collections.abc import Iterator
from fractions import Fraction
from itertools import accumulate
from typing import Any

import pytest
from fastapi.testclient import TestClient
from pokerkit import HandHistory

from railbird.arena.results.rates import Rate, rate_of
from railbird.arena.results.statistics import PlayerStatistics
from railbird.arena.results.statistics_collector import StatisticsCollector
from railbird.cards import format_card
from railbird.engine.actions import CALL, raise_to
from railbird.engine.events import Reveal
from railbird.engine.games import named_game
from railbird.engine.json_form import rules_to_json
from railbird.engine.record import HandRecord
from railbird.engine.setup import Setup
from railbird.engine.state import UNKNOWN, State
from railbird.interfaces.web.study.jobs import MOST_JOBS, Jobs
from railbird.interfaces.web.study.session_results import (
    SessionHand,
    finished_hands,
    hand_list,
    interval_of,
    replay,
    summary,
)
from railbird.interfaces.web.table.dealt_hand import DealtHand
from railbird.interfaces.web.table.ending import stages_before_result
from railbird.interfaces.web.table.messages import Practice
from railbird.interfaces.web.table.session_plan import SessionPlan
from railbird.notation.acpc.log import read_log
from railbird.notation.phh.reader import read_phh
from railbird.notation.rooms.pokerstars import read_pokerstars
from railbird.rng import Stream
from railbird.store.sessions import ActionsDone, HandOver, StoredHand, StoredSessions
from railbird.store.store import Store, open_store
from served_sessions import FakeThinkers, served
from web_evenings import TIME, Evening, play_evening

ROUNDING = 1e-9


@pytest.fixture(scope="module")
def store(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Store]:
    with open_store(tmp_path_factory.mktemp("sessions") / "sessions.db") as opened:
        yield opened


@pytest.fixture(scope="module")
def stored(store: Store) -> StoredSessions:
    return StoredSessions(store)


@pytest.fixture(scope="module")
def evening(stored: StoredSessions) -> Evening:
    """Three players at limit; the fourth hand was voided, and one is still being played."""
    return play_evening(stored, "evening", hands=30, voided=4, unfinished=True)


@pytest.fixture(scope="module")
def practice(stored: StoredSessions) -> Evening:
    """Training: nothing counts."""
    return play_evening(stored, "practice", hands=5, training=Practice(face_up=True))


@pytest.fixture(scope="module")
def rail(stored: StoredSessions) -> Evening:
    """Agents alone at no-limit, with stacks that are carried on."""
    return play_evening(stored, "rail", game="nolimit-3p:carry=yes", hands=12, watching=True)


def records_of(stored: StoredSessions, session: Evening) -> list[HandRecord]:
    return [hand.record for hand in finished_hands(stored.hands(session.id), session.plan, "ann")]


def all_hands(stored: StoredSessions, name: str) -> list[SessionHand]:
    session = stored.session(name)
    assert session is not None
    return list(finished_hands(stored.hands(name), SessionPlan.from_json(session.settings), "ann"))


def cards_of(hand: DealtHand, position: int) -> list[str]:
    cards = hand.state.hole_cards(position)
    assert cards is not None
    return [format_card(card) for card in cards]


# What was played


def test_only_hands_that_were_played_to_their_end_are_told(stored: StoredSessions, evening: Evening) -> None:
    told = list(finished_hands(stored.hands("evening"), evening.plan, "ann"))
    kept = stored.hands("evening")
    assert len(kept) == len(told) + 2
    assert [hand.number for hand in told] == [hand.number for hand in evening.hands]
    assert 4 not in [hand.number for hand in told]
    assert kept[-1].number not in [hand.number for hand in told]


def test_records_end_as_the_hands_did(stored: StoredSessions, evening: Evening) -> None:
    records = records_of(stored, evening)
    assert [record.payoffs for record in records] == [hand.state.payoffs for hand in evening.hands]
    assert [record.players for record in records] == [hand.players for hand in evening.hands]
    assert {record.details.time for record in records} == {TIME}


def test_the_list_tells_the_persons_cards_the_open_board_and_what_was_won(
    stored: StoredSessions, evening: Evening
) -> None:
    lines = hand_list(finished_hands(stored.hands("evening"), evening.plan, "ann"), "You")
    for line, hand in zip(lines, evening.hands, strict=True):
        position = hand.players.index("You")
        assert line["cards"] == cards_of(hand, position)
        assert line["board"] == [format_card(card) for card in hand.state.board]
        assert Fraction(line["won"]) == hand.state.payoffs[position]
        assert line["showdown"] == (hand.state.is_showdown and not hand.state.folded[position])
        assert line["counted"]
    assert {line["showdown"] for line in lines} == {True, False}


# What it brought


@pytest.mark.parametrize("player", ["You", "Always Call", "Random"])
def test_the_lines_of_the_chart_are_the_sums_of_the_records(
    stored: StoredSessions, evening: Evening, player: str
) -> None:
    found = summary(finished_hands(stored.hands("evening"), evening.plan, "ann"), evening.plan, player, "You")
    won = evening.won(player)
    assert found["net"] == [float(total) / 10 for total in accumulate(won)]
    parts = zip(found["showdown"], found["other"], strict=True)
    assert [shown + other for shown, other in parts] == pytest.approx(found["net"], abs=ROUNDING)
    at_showdown = sum(
        hand.state.payoffs[hand.players.index(player)]
        for hand in evening.hands
        if hand.state.is_showdown and not hand.state.folded[hand.players.index(player)]
    )
    assert found["showdown"][-1] == pytest.approx(float(at_showdown) / 10, abs=ROUNDING)
    assert found["unit"] == {"name": "small bet", "chips": 10, "big_blind": 10, "money": True}


def test_the_interval_of_the_chart_ends_in_that_of_the_arenas_rate(
    stored: StoredSessions, evening: Evening
) -> None:
    found = summary(finished_hands(stored.hands("evening"), evening.plan, "ann"), evening.plan, "You", "You")
    rate = rate_of(evening.plan.game(), evening.won("You"))
    assert found["rate"] == {
        "unit": "sb/h",
        "mean": rate.mean,
        "low": rate.low,
        "high": rate.high,
        "hands": len(evening.hands),
    }
    low, high = found["interval"]["low"], found["interval"]["high"]
    assert low[-1] == pytest.approx(rate.low * rate.hands)
    assert high[-1] == pytest.approx(rate.high * rate.hands)
    # A sum of four times as many hands spreads twice as much.
    assert high[19] - low[19] == pytest.approx(2 * (high[4] - low[4]))
    assert (high[9] + low[9]) / 2 == pytest.approx(10 * rate.mean)


def test_one_hand_has_no_interval() -> None:
    assert interval_of(Rate("sb/h", 1.0, float("-inf"), float("inf"), 1)) is None


def test_everyones_statistics_are_the_arenas(stored: StoredSessions, evening: Evening) -> None:
    collector = StatisticsCollector()
    for hand in evening.hands:
        collector.add(HandRecord.of(hand.state, hand.players))
    found = summary(finished_hands(stored.hands("evening"), evening.plan, "ann"), evening.plan, "You", "You")
    assert [player["name"] for player in found["players"]] == evening.plan.names
    for player in found["players"]:
        expected = collector.statistics()[player["name"]]
        assert PlayerStatistics.from_json(player["statistics"]) == expected
    nets = [Fraction(player["statistics"]["net"]) for player in found["players"]]
    assert sum(nets) == 0
    assert float(nets[0]) / 10 == found["net"][-1]


def test_training_counts_for_nothing_but_is_listed(stored: StoredSessions, practice: Evening) -> None:
    found = summary(
        finished_hands(stored.hands("practice"), practice.plan, "ann"), practice.plan, "You", "You"
    )
    assert found["net"] == found["showdown"] == found["other"] == found["players"] == []
    assert found["rate"] is None
    assert found["interval"] is None
    assert found["hands_left_out"] == 5
    lines = hand_list(finished_hands(stored.hands("practice"), practice.plan, "ann"), "You")
    assert [line["counted"] for line in lines] == [False] * 5


def test_agents_alone_have_results_too(stored: StoredSessions, rail: Evening) -> None:
    found = summary(
        finished_hands(stored.hands("rail"), rail.plan, "ann"), rail.plan, "Always Call", "Always Call"
    )
    assert found["own"] == "Always Call"
    assert found["unit"] == {"name": "big blind", "chips": 100, "big_blind": 100, "money": False}
    assert found["net"][-1] == pytest.approx(float(sum(rail.won("Always Call"))) / 100)


# Replays


def test_a_replay_runs_an_all_in_out_street_by_street_and_invents_no_chips() -> None:
    rules = named_game("nolimit-3p:stack=400")
    plan = SessionPlan(rules_to_json(rules), ["Ann", "B", "C"], ["", "always-call", "always-call"])
    setup = Setup.of(named_game("nolimit-2p:stack=400"))
    hand = DealtHand(1, State.deal(setup, Stream.from_seed("replay")), ("Ann", "B"), (0, 1), 1)
    for action in (raise_to(400), CALL):
        hand.state.act(action)
    views = replay(StoredHand("s", 1, hand.start(), hand.done(), True, True, None, {}), plan, "ann")["views"]
    assert [len(view["board"]) for view in views] == [0, 0, 0, 0, 3, 4, 5, 5]
    assert [view["chairs"][2]["stack"] for view in views] == [None] * 8
    assert [view["chairs"][0]["won"] is None for view in views] == [True] * 7 + [False]


def test_a_replay_shows_every_step_with_all_cards_and_every_reason(
    stored: StoredSessions, evening: Evening
) -> None:
    for hand in evening.hands:
        kept = stored.hand("evening", hand.number)
        assert kept is not None
        shown = replay(kept, evening.plan, "ann")
        ending = [hand.step] * (stages_before_result(hand.state) + 1)
        assert [view["step"] for view in shown["views"]] == [*range(hand.step), *ending]
        assert [view["phase"] for view in shown["views"]][-2:] == ["playing", "over"]
        for view in shown["views"]:
            for chair in view["chairs"]:
                position = hand.chairs.index(chair["chair"])
                assert chair["cards"] == cards_of(hand, position)
            assert view["actions"] is None
        won = {name: hand.state.payoffs[hand.players.index(name)] for name in hand.players}
        assert {name: Fraction(chips) for name, chips in shown["won"].items()} == won
        agents = [
            step for step, node in enumerate(hand.state.node.path) if hand.players[node.act.seat] != "You"
        ]
        assert list(shown["reasons"]) == [str(step) for step in agents]
        for step, reasons in shown["reasons"].items():
            assert reasons["explanation"]["summary"] == f"step {step} of hand {hand.number}"


def test_board_cards_that_never_left_the_deck_are_not_told(stored: StoredSessions, evening: Evening) -> None:
    early = [hand for hand in evening.hands if len(hand.state.board) < 5]
    assert early
    for hand in early:
        hidden = {format_card(card) for card in hand.state.cards[6 + len(hand.state.board) :]}
        kept = stored.hand("evening", hand.number)
        assert kept is not None
        views = json.dumps(replay(kept, evening.plan, "ann")["views"])
        assert not [card for card in hidden if f'"{card}"' in views]


# The routes


@pytest.fixture
def thinkers() -> FakeThinkers:
    return FakeThinkers()


@pytest.fixture
def client(
    stored: StoredSessions,
    thinkers: FakeThinkers,
    evening: Evening,
    practice: Evening,
    rail: Evening,
) -> Iterator[TestClient]:
    with TestClient(served(stored, thinkers), headers={"player": "ann"}) as opened:
        yield opened


ROUTES = ("hands", "summary", "hands/1", "hands.phhs", "hands.log", "hands.txt", "hands/1/txt")


def test_routes_tell_what_the_functions_do(
    client: TestClient, stored: StoredSessions, evening: Evening
) -> None:
    lines = client.get("/api/sessions/evening/hands").json()
    assert lines == hand_list(finished_hands(stored.hands("evening"), evening.plan, "ann"), "You")
    results = client.get("/api/sessions/evening/summary?player=Random").json()
    assert results == summary(
        finished_hands(stored.hands("evening"), evening.plan, "ann"), evening.plan, "Random", "You"
    )
    kept = stored.hand("evening", 7)
    assert kept is not None
    shown = client.get("/api/sessions/evening/hands/7").json()
    assert shown == {**replay(kept, evening.plan, "ann"), "previous": 6, "next": 8}


def test_results_are_counted_once_until_another_hand_is_over(
    client: TestClient, stored: StoredSessions, monkeypatch: pytest.MonkeyPatch
) -> None:
    evening = play_evening(stored, "short", hands=3, unfinished=True)
    read = []
    honest = stored.hands

    def reading(session: str) -> list[StoredHand]:
        read.append(session)
        return honest(session)

    monkeypatch.setattr(stored, "hands", reading)
    first = client.get("/api/sessions/short/summary").json()
    assert client.get("/api/sessions/short/summary").json() == first
    client.get("/api/sessions/short/summary?player=Random")
    assert len(read) == 2
    running = honest("short")[-1]
    hand = DealtHand.restored(running.number, running.start, running.actions)
    while not hand.state.is_over:
        hand.state.act(CALL)
    ending = {"payoffs": list(hand.state.payoffs), "won": 0, "showdown": True, "time": TIME}
    stored.write([ActionsDone("short", 4, hand.done()), HandOver("short", 4, ending, None)])
    second = client.get("/api/sessions/short/summary").json()
    assert len(read) == 3
    assert (first["rate"]["hands"], second["rate"]["hands"]) == (len(evening.hands), 4)


def test_a_replay_leads_to_the_finished_hands_before_and_after(client: TestClient) -> None:
    beside = {}
    for number in (1, 3, 5, 31):
        shown = client.get(f"/api/sessions/evening/hands/{number}").json()
        beside[number] = shown["previous"], shown["next"]
    assert beside == {1: (None, 2), 3: (2, 5), 5: (3, 6), 31: (30, None)}


@pytest.mark.parametrize("route", ROUTES)
def test_sessions_of_others_are_as_unknown_as_those_that_never_were(client: TestClient, route: str) -> None:
    for session, player in (("evening", "bob"), ("morning", "ann")):
        reply = client.get(f"/api/sessions/{session}/{route}", headers={"player": player})
        assert (reply.status_code, reply.json()) == (404, {"error": "there is no such session"})
    for session, player in (("evening", "bob"), ("morning", "ann")):
        reply = client.post(
            f"/api/sessions/{session}/duplicate", json={"agent": "random"}, headers={"player": player}
        )
        assert reply.status_code == 404


@pytest.mark.parametrize("number", ["0", "4", "32", "99", "-1", "1.5", "one", "9" * 40, "²"])
def test_no_other_hand_than_a_finished_one_can_be_replayed(client: TestClient, number: str) -> None:
    reply = client.get(f"/api/sessions/evening/hands/{number}")
    assert reply.status_code == 404
    assert "no finished hand" in reply.json()["error"]


@pytest.mark.parametrize("route", ["hands", "summary"])
def test_an_unknown_player_is_refused_with_a_hint(client: TestClient, route: str) -> None:
    reply = client.get(f"/api/sessions/evening/{route}?player=Randon")
    assert reply.status_code == 422
    assert reply.json() == {"error": "no player is called 'Randon': did you mean 'Random'?"}


# Downloads


@pytest.mark.parametrize("session", ["evening", "practice", "rail"])
def test_the_phh_download_replays_in_pokerkit_and_is_read_again(
    client: TestClient, stored: StoredSessions, session: str
) -> None:
    reply = client.get(f"/api/sessions/{session}/hands.phhs")
    assert reply.headers["content-disposition"] == f'attachment; filename="railbird-{session}.phhs"'
    records = [hand.record for hand in all_hands(stored, session)]
    assert list(read_phh(reply.text.splitlines())) == records
    theirs = list(HandHistory.loads_all(reply.text))
    assert len(theirs) == len(records)
    for history, record in zip(theirs, records, strict=True):
        (last,) = deque(history, maxlen=1)
        assert not last.status
        assert tuple(last.payoffs) == record.payoffs


@pytest.mark.parametrize("session", ["evening", "practice", "rail"])
def test_the_acpc_download_is_read_again(client: TestClient, stored: StoredSessions, session: str) -> None:
    reply = client.get(f"/api/sessions/{session}/hands.log")
    records = [hand.record for hand in all_hands(stored, session)]
    again = list(read_log(reply.text.splitlines()))
    assert [hand.events for hand in again] == [record.events for record in records]  # type: ignore[union-attr]
    assert [hand.players for hand in again] == [record.players for record in records]  # type: ignore[union-attr]
    assert reply.text.splitlines()[-1].startswith("SCORE:")


@pytest.mark.parametrize("session", ["evening", "practice", "rail"])
def test_the_text_download_has_the_cards_that_the_player_saw(
    client: TestClient, stored: StoredSessions, evening: Evening, session: str
) -> None:
    """In an evening of its own the player saw the shown hands; in open training and among agents everyone's."""
    text = client.get(f"/api/sessions/{session}/hands.txt").text
    hands = all_hands(stored, session)
    again = list(read_pokerstars(text.splitlines()))
    assert len({hand.hand_id for hand in again if isinstance(hand, HandRecord)}) == len(again) == len(hands)
    hidden = 0
    for read, hand in zip(again, hands, strict=True):
        assert isinstance(read, HandRecord), read
        assert (read.players, read.actions()) == (hand.record.players, hand.record.actions())
        shown = {event.seat for event in hand.record.events if isinstance(event, Reveal) and event.cards}
        for seat, player in enumerate(read.players):
            own = slice(2 * seat, 2 * seat + 2)
            if session != "evening" or player == "You" or seat in shown:
                assert read.cards[own] == hand.record.cards[own]
            else:
                assert read.cards[own] == (UNKNOWN, UNKNOWN)
                hidden += 1
    assert (hidden > 0) == (session == "evening")
    one = client.get(f"/api/sessions/{session}/hands/{hands[0].number}/txt")
    assert text.startswith(one.text)
    assert one.headers["content-disposition"] == f'attachment; filename="railbird-{session}-1.txt"'


def test_files_of_hands_have_known_endings(client: TestClient) -> None:
    for route in ("hands.doc", "hands/1/doc"):
        reply = client.get(f"/api/sessions/evening/{route}")
        assert (reply.status_code, reply.json()) == (
            404,
            {"error": "hands can be downloaded as phhs, log, txt"},
        )


def test_a_game_that_a_format_cannot_hold_is_refused(client: TestClient, stored: StoredSessions) -> None:
    play_evening(stored, "pot", game="potlimit-3p", hands=2)
    for ending, reason in (
        ("phhs", "pot-limit"),
        ("txt", "PokerStars text holds limit and no-limit hold'em"),
    ):
        reply = client.get(f"/api/sessions/pot/hands.{ending}")
        assert reply.status_code == 422
        assert reason in reply.json()["error"]


# The duplicate


def ended(client: TestClient, job: str) -> Any:
    """How a job ended."""
    for _ in range(1000):
        state = client.get(f"/api/jobs/{job}").json()
        if state["result"] is not None or state["error"] is not None:
            return state
    raise AssertionError(f"the job does not end: {state}")


def test_the_duplicate_plays_the_counted_hands_again_and_tells_three_rates(
    client: TestClient, thinkers: FakeThinkers, evening: Evening
) -> None:
    reply = client.post("/api/sessions/evening/duplicate", json={"agent": "jagbot"})
    assert (reply.status_code, reply.json()["name"]) == (202, "Jagbot")
    state = ended(client, reply.json()["job"])
    assert state["error"] is None
    assert (state["done"], state["of"]) == (30, 30)
    assert state["result"]["own"] == {"unit": "sb/h", "mean": 1.0, "low": 0.0, "high": 2.0, "hands": 30}
    assert state["result"]["difference"]["mean"] == 0.75
    (asked,) = thinkers.asked
    assert asked.agent == "jagbot"
    assert asked.label == "You"
    assert asked.opponents == {"Always Call": "always-call", "Random": "random"}
    assert [hand.number for hand in asked.hands] == [hand.number for hand in evening.hands]
    assert [hand.done for hand in asked.hands] == [hand.done() for hand in evening.hands]


def test_a_job_that_fails_tells_why(client: TestClient, thinkers: FakeThinkers) -> None:
    thinkers.fault = "the agent fell asleep"
    job = client.post("/api/sessions/evening/duplicate", json={"agent": "jagbot"}).json()["job"]
    state = ended(client, job)
    assert (state["result"], state["error"]) == (None, "the agent fell asleep")


def test_jobs_of_others_are_unknown(client: TestClient) -> None:
    job = client.post("/api/sessions/evening/duplicate", json={"agent": "jagbot"}).json()["job"]
    assert client.get(f"/api/jobs/{job}").status_code == 200
    assert client.get(f"/api/jobs/{job}", headers={"player": "bob"}).status_code == 404
    assert client.get("/api/jobs/none").json() == {"error": "there is no such job"}


@pytest.mark.parametrize(
    ("session", "body", "sentence"),
    [
        ("evening", {"agent": "nobody"}, "no agent is called 'nobody'"),
        ("practice", {"agent": "random"}, "there are no counted hands yet"),
        ("rail", {"agent": "random"}, "only bots play at this table"),
        ("evening", {"agent": 7}, "not valid"),
        ("evening", {"agent": "random", "seed": 1}, "not valid"),
        ("evening", {}, "not valid"),
    ],
)
def test_a_comparison_that_cannot_be_made_is_refused(
    client: TestClient, session: str, body: Any, sentence: str
) -> None:
    reply = client.post(f"/api/sessions/{session}/duplicate", json=body)
    assert reply.status_code == 422
    assert sentence in reply.json()["error"]


def test_a_players_next_question_ends_the_one_before_and_nobody_elses() -> None:
    async def waits(_progress: Any) -> dict[str, Any]:
        await asyncio.Event().wait()
        return {}

    async def asked() -> list[str | None]:
        jobs = Jobs()
        first, other = jobs.begin("ann", "here", waits), jobs.begin("bob", "here", waits)
        second = jobs.begin("ann", "here", waits)
        await asyncio.sleep(0.01)
        found = [jobs.job("ann", first), jobs.job("bob", other), jobs.job("ann", second)]
        return [None if job is None else job.error for job in found]

    assert asyncio.run(asked()) == ["this was stopped before it was finished", None, None]


def test_old_jobs_make_room() -> None:
    async def done(_progress: Any) -> dict[str, Any]:
        return {"own": 1}

    async def asked() -> tuple[object, object]:
        jobs = Jobs()
        names = [jobs.begin(f"player {number}", f"address {number}", done) for number in range(MOST_JOBS + 1)]
        await asyncio.sleep(0.01)
        last = jobs.job(f"player {MOST_JOBS}", names[-1])
        return jobs.job("player 0", names[0]), None if last is None else last.result

    assert asyncio.run(asked()) == (None, {"own": 1})


def test_what_breaks_in_a_job_is_not_told_in_detail(caplog: pytest.LogCaptureFixture) -> None:
    async def breaks(_progress: Any) -> dict[str, Any]:
        raise KeyError("a secret")

    async def asked() -> str | None:
        jobs = Jobs()
        name = jobs.begin("ann", "here", breaks)
        await asyncio.sleep(0.01)
        job = jobs.job("ann", name)
        return None if job is None else job.error

    assert asyncio.run(asked()) == "internal server error"
    assert "a secret" in caplog.text
