"""Agents think in processes of their own: fairly, explained, and whatever they do the tables go on."""

import asyncio
import json
import os
import signal
import subprocess
import sys
from collections.abc import Iterator
from dataclasses import asdict
from pathlib import Path
from time import monotonic, sleep
from typing import Any

import pytest

from folders import SUPPORT
from railbird.agent import MatchStart, make_agent
from railbird.arena.play.hand import play_hand
from railbird.arena.results.rates import rate_of
from railbird.engine.actions import CALL, FOLD
from railbird.engine.events import Act
from railbird.engine.games import named_game
from railbird.engine.history import events_of, narrate
from railbird.engine.rules import GameRules
from railbird.engine.setup import Setup
from railbird.engine.state import State
from railbird.engine.wording import Wording
from railbird.equities.strength import hand_strength
from railbird.explanation import section_from_json
from railbird.interfaces.offer import Offer
from railbird.interfaces.web.study.questions import Comparison, StudyError, WrittenHand, read_out
from railbird.interfaces.web.study.review import ReviewQuestion, review
from railbird.interfaces.web.table.dealt_hand import DealtHand
from railbird.interfaces.web.thinking import quarantine
from railbird.interfaces.web.thinking.resident import resident
from railbird.interfaces.web.thinking.thinkers import ThinkerError, Thinkers, Thought
from railbird.observation import Observation
from railbird.rng import Stream
from thinking_tables import dealt, play, results_of, until

THINKING = SUPPORT / "thinking_agents.py"
MISBEHAVING = SUPPORT / "misbehaving_agents.py"
THOUGHTFUL = SUPPORT / "thoughtful_agents.py"
ATTENTIVE = f"{THOUGHTFUL}:Attentive"
LIMIT_6, LIMIT_2 = named_game("limit-6max"), named_game("limit-2p")
SHORT_S = 0.5
"""The limit for agents that are late on purpose."""


@pytest.fixture(scope="module")
def runner() -> Iterator[asyncio.Runner]:
    with asyncio.Runner() as running:
        yield running


@pytest.fixture(scope="module")
def shared(runner: asyncio.Runner) -> Iterator[Thinkers]:
    """Two processes for all tests of this file, in which agents from files may sit."""

    async def begin() -> Thinkers:
        thinkers = Thinkers(2, offer=Offer(trusted=True))
        await thinkers.start()
        return thinkers

    thinkers = runner.run(begin())
    yield thinkers
    runner.run(thinkers.close())


@pytest.fixture
def thinkers(runner: asyncio.Runner, shared: Thinkers) -> Iterator[Thinkers]:
    """The same, with no table open and all processes there: one that ended or was spent has a successor."""
    runner.run(until(lambda: None not in shared.pids))
    yield shared
    shared.limit_s = 10.0
    for table in tuple(shared._tables):
        runner.run(shared.close_table(table))


async def first_decision(thinkers: Thinkers, table: str, label: str, number: int = 1) -> Thought:
    """A heads-up decision of the player on the button, who has half a bet to call."""
    hand = dealt(number, LIMIT_2, (("other", label), (label, "other"))[number % 2])
    assert hand.players[1] == label
    return await thinkers.decide(table, label, hand.observation(1), "later")


async def open_heads_up(thinkers: Thinkers, table: str, agent: str, label: str = "it") -> None:
    await thinkers.open(table, LIMIT_2, (label, "other"), {label: agent, "other": "always-call"})


# At the table


def test_real_agents_play_together_and_explain_every_action(
    runner: asyncio.Runner, thinkers: Thinkers
) -> None:
    agents = {
        "caller": "always-call",
        "random": "random",
        "casper": "casper02",
        "poki": "pokibot",
        "sim": "simbot:trials=20",
        "bay": "baycarp2",
    }

    async def session() -> set[str]:
        kinds, with_strategy = set(), set()
        await thinkers.open("real", LIMIT_6, tuple(agents), agents)
        for number in range(1, 7):
            hand = dealt(number, LIMIT_6, tuple(agents))
            thoughts = await play(thinkers, "real", hand)
            acts = [
                text
                for event, text in narrate(events_of(hand.state), hand.state.setup, hand.players)
                if isinstance(event, Act)
            ]
            for (label, thought), act in zip(thoughts, acts, strict=True):
                assert not thought.fault, thought
                assert thought.took > 0
                reasons = await thinkers.reasons("real", label, thought.decision)
                assert f"{label} {reasons['action']}" == act
                if reasons["strategy"]:
                    assert sum(each["chance"] for each in reasons["strategy"]) == pytest.approx(1.0)
                    chances = [each["chance"] for each in reasons["strategy"]]
                    assert reasons["chance"] in chances
                    with_strategy.add(label)
                assert reasons["explanation"]["summary"]
                kinds |= {each["kind"] for each in reasons["explanation"]["sections"]}
                for section in reasons["explanation"]["sections"]:
                    section_from_json(section)
        assert with_strategy >= set(agents) - {"sim"}
        return kinds

    assert runner.run(session()) == {"bars", "table", "belief"}


def test_an_agent_decides_as_it_would_in_the_arena(
    runner: asyncio.Runner, thinkers: Thinkers, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The agent's play depends on everything that it hears, so it must hear the same, reset or not."""
    labels = ("a", "b", "c")
    rules = named_game("limit-3p")
    stream = Stream.from_seed(7)
    monkeypatch.setattr(Stream, "live", lambda: stream)

    async def session() -> list[str]:
        await thinkers.open("attentive", rules, labels, dict.fromkeys(labels, ATTENTIVE))
        hands = [dealt(number, rules, labels) for number in range(1, 13)]
        for hand in hands:
            await play(thinkers, "attentive", hand)
        return [hand.done() for hand in hands]

    agents = {label: make_agent(ATTENTIVE) for label in labels}
    for label, agent in agents.items():
        agent.begin_match(MatchStart(rules, label, labels, stream))
    expected = []
    for number in range(1, 13):
        hand = dealt(number, rules, labels)
        play_hand(hand.state, [agents[label] for label in hand.players], hand.players, hand_number=number)
        expected.append(hand.done())
    assert runner.run(session()) == expected
    assert len(set(expected)) > 6


def test_earlier_hands_are_told_again(runner: asyncio.Runner, thinkers: Thinkers) -> None:
    async def session() -> tuple[float, float]:
        hands = [dealt(number, LIMIT_2, ("it", "other")) for number in range(1, 46)]
        for hand in hands:
            while hand.state.actor is not None:
                hand.state.act(CALL)
        counts = []
        for told in (hands, hands[:1]):
            await open_heads_up(thinkers, "again", f"{THINKING}:CountsHands:seconds=0")
            assert await thinkers.remember("again", [results_of(hand) for hand in told]) == {}
            thought = await first_decision(thinkers, "again", "it", 46)
            reasons = await thinkers.reasons("again", "it", thought.decision)
            counts.append(reasons["explanation"]["sections"][0]["bars"][0]["value"])
        return counts[0], counts[1]

    assert runner.run(session()) == (45.0, 1.0)


def test_reasons_are_made_before_the_agent_hears_how_the_hand_ended(
    runner: asyncio.Runner, thinkers: Thinkers
) -> None:
    async def seen(table: str, decision: int) -> float:
        reasons = await thinkers.reasons(table, "it", decision)
        value: float = reasons["explanation"]["sections"][0]["bars"][0]["value"]
        return value

    async def session() -> None:
        await open_heads_up(thinkers, "reasons", f"{THINKING}:CountsHands")
        for number in range(1, 4):
            thoughts = await play(thinkers, "reasons", dealt(number, LIMIT_2, ("it", "other")))
            decisions = [thought.decision for label, thought in thoughts if label == "it"]
            assert [await seen("reasons", decision) for decision in decisions] == [number - 1.0] * 4
        with pytest.raises(
            ThinkerError, match=f"reasons of decision {decisions[0] - 1} are no longer available"
        ):
            await thinkers.reasons("reasons", "it", decisions[0] - 1)
        hand = dealt(4, LIMIT_2, ("other", "it"))
        now = await thinkers.decide("reasons", "it", hand.observation(hand.players.index("it")), "now")
        assert now.reasons is not None
        assert now.reasons["action"] in ("calls 5", "checks")
        assert now.reasons["explanation"]["sections"][0]["bars"][0]["value"] == 3.0

    runner.run(session())


def test_the_action_does_not_wait_for_its_reasons(runner: asyncio.Runner, thinkers: Thinkers) -> None:
    async def session() -> tuple[float, float]:
        await open_heads_up(thinkers, "slow reasons", f"{THINKING}:CountsHands:seconds=1.5")
        began = monotonic()
        thought = await first_decision(thinkers, "slow reasons", "it")
        decided = monotonic() - began
        await thinkers.reasons("slow reasons", "it", thought.decision)
        return decided, monotonic() - began

    decided, explained = runner.run(session())
    assert decided < 1.5 <= explained


def test_an_agent_whose_reasons_fail_acts_all_the_same(runner: asyncio.Runner, thinkers: Thinkers) -> None:
    async def session() -> dict[str, Any]:
        await open_heads_up(thinkers, "mute", f"{THINKING}:CannotSayWhy")
        thought = await first_decision(thinkers, "mute", "it")
        assert (thought.action, thought.fault) == (CALL, "")
        return await thinkers.reasons("mute", "it", thought.decision)

    reasons = runner.run(session())
    assert reasons["action"] == "calls 5"
    assert reasons["explanation"]["facts"] == {"number": 7}
    assert reasons["explanation"]["sections"] == []
    assert "no words" in reasons["explanation"]["summary"]


# Agents that misbehave


def test_an_agent_that_crashes_checks_or_folds_and_is_asked_again(
    runner: asyncio.Runner, thinkers: Thinkers
) -> None:
    async def session() -> list[Thought]:
        await open_heads_up(thinkers, "crash", f"{MISBEHAVING}:Raises")
        hand = dealt(1, LIMIT_2, ("it", "other"))
        thoughts = [await first_decision(thinkers, "crash", "it", 1)]
        hand.state.act(CALL)
        turned = DealtHand(1, hand.state, ("it", "other"), (1, 0), 0)
        thoughts.append(await thinkers.decide("crash", "it", turned.observation(0), "later"))
        thoughts.append(await first_decision(thinkers, "crash", "it", 2))
        return thoughts

    folded, checked, good = runner.run(session())
    assert (folded.action, folded.fault) == (FOLD, "crash")
    assert (checked.action, checked.fault) == (CALL, "crash")
    assert "KeyError: 'lost'" in folded.detail
    assert (good.action, good.fault) == (CALL, "")


def test_an_agent_that_never_answers_holds_up_nobody_and_is_asked_no_more(
    runner: asyncio.Runner, thinkers: Thinkers
) -> None:
    async def session() -> None:
        table = "sleeps"
        await open_heads_up(thinkers, table, f"{THINKING}:Sleeps")
        await first_decision(thinkers, table, "other", 0)
        thinkers.limit_s = SHORT_S
        late = asyncio.create_task(first_decision(thinkers, table, "it"))
        await asyncio.sleep(0.05)
        assert (await first_decision(thinkers, table, "other", 0)).fault == ""
        assert not late.done()
        assert (await late).action == FOLD
        assert (late.result().fault, late.result().detail) == ("timeout", "it did not decide within 0.5 s")
        again = await first_decision(thinkers, table, "it")
        assert (again.fault, again.detail) == ("timeout", "it is still thinking about an earlier decision")
        # When it is clear that it will never answer, its process is killed, and it is not asked in the next one.
        pids = thinkers.pids
        await until(lambda: thinkers.pids != pids and None not in thinkers.pids)
        thinkers.limit_s = 10.0
        with pytest.raises(ThinkerError, match="has ended"):
            await first_decision(thinkers, table, "it")
        await open_heads_up(thinkers, table, f"{THINKING}:Sleeps")
        barred = await first_decision(thinkers, table, "it")
        assert (barred.fault, barred.detail) == ("timeout", "it no longer decides at this table")
        assert (await first_decision(thinkers, table, "other", 0)).fault == ""

    runner.run(session())


def test_an_agent_that_never_ends_its_reasons_is_asked_no_more(
    runner: asyncio.Runner, thinkers: Thinkers
) -> None:
    async def session() -> None:
        table, agent = "explains", f"{THINKING}:ExplainsForEver"
        await open_heads_up(thinkers, table, agent)
        thinkers.limit_s = SHORT_S
        thought = await first_decision(thinkers, table, "it")
        assert (thought.action, thought.fault) == (CALL, "")
        thinkers.limit_s = 10.0
        with pytest.raises(ThinkerError, match="has ended"):
            await thinkers.reasons(table, "it", thought.decision)
        await open_heads_up(thinkers, table, agent)
        assert (await first_decision(thinkers, table, "it")).detail == "it no longer decides at this table"

    runner.run(session())


def test_an_agent_that_is_late_once_plays_on(runner: asyncio.Runner, thinkers: Thinkers) -> None:
    async def session() -> list[str]:
        await open_heads_up(thinkers, "late", f"{THINKING}:IsLateOnce:seconds={3 * SHORT_S}")
        thinkers.limit_s = 2 * SHORT_S
        pids = thinkers.pids
        faults = [(await first_decision(thinkers, "late", "it")).fault]
        await asyncio.sleep(2 * SHORT_S)
        thinkers.limit_s = 10.0
        faults.append((await first_decision(thinkers, "late", "it")).fault)
        assert thinkers.pids == pids
        return faults

    assert runner.run(session()) == ["timeout", ""]


def test_an_agent_that_ends_its_process_is_found_out(runner: asyncio.Runner, thinkers: Thinkers) -> None:
    async def session() -> list[str]:
        told = []
        for _ in range(4):
            await open_heads_up(thinkers, "leaves", f"{MISBEHAVING}:Leaves")
            try:
                thought = await first_decision(thinkers, "leaves", "it")
            except ThinkerError as error:
                told.append(str(error))
            else:
                told.append(f"{thought.fault}: {thought.detail}")
        return told

    again = "disconnect: its process ended again while it was thinking"
    assert runner.run(session()) == [
        "the process that runs the bots has ended",
        again,
        again,
        "timeout: it no longer decides at this table",
    ]


def test_tables_go_on_after_kill_9(runner: asyncio.Runner, thinkers: Thinkers) -> None:
    agent = f"{THINKING}:CountsHands:seconds=0"

    async def session() -> tuple[int, int]:
        tables = [f"table {number}" for number in range(4)]
        await open_heads_up(thinkers, "waits", f"{THINKING}:Sleeps")
        for table in tables:
            await open_heads_up(thinkers, table, agent)
        pending = asyncio.create_task(first_decision(thinkers, "waits", "it"))
        await asyncio.sleep(0.1)
        before = thinkers.pids
        # Nobody sat anywhere before, so the first table is in the first process.
        assert before[0] is not None
        os.kill(before[0], signal.SIGKILL)
        with pytest.raises(ThinkerError, match="has ended"):
            await pending
        await thinkers.close_table("waits")
        lost = good = 0
        for table in tables:
            try:
                await first_decision(thinkers, table, "it")
            except ThinkerError:
                lost += 1
                await open_heads_up(thinkers, table, agent)
            good += not (await first_decision(thinkers, table, "it")).fault
        assert thinkers.pids[0] not in before
        assert thinkers.pids[1] == before[1]
        return lost, good

    assert runner.run(session()) == (2, 4)


def test_tables_go_on_when_the_process_that_forks_the_others_is_killed(
    runner: asyncio.Runner, thinkers: Thinkers
) -> None:
    async def session() -> None:
        before = thinkers.pids
        (nursery,) = {parent_of(pid) for pid in before}
        os.kill(nursery, signal.SIGKILL)
        await until(lambda: None not in thinkers.pids and not {*before} & {*thinkers.pids})
        assert nursery not in {parent_of(pid) for pid in thinkers.pids}
        await open_heads_up(thinkers, "later", "random")
        assert not (await first_decision(thinkers, "later", "it")).fault

    runner.run(session())


def parent_of(pid: int | None) -> int:
    """The parent of a process."""
    status = Path(f"/proc/{pid}/stat").read_text(encoding="ascii")
    return int(status.rpartition(")")[2].split()[1])


def test_fifty_tables_play_while_an_agent_thinks(
    runner: asyncio.Runner, thinkers: Thinkers, tmp_path: Path
) -> None:
    agents = {"poki": "pokibot", "casper": "casper02", "random": "random"}
    rules = named_game("limit-3p")

    async def table(name: str) -> int:
        await thinkers.open(name, rules, tuple(agents), agents)
        faults = 0
        for number in range(1, 3):
            thoughts = await play(thinkers, name, dealt(number, rules, tuple(agents)))
            faults += sum(bool(thought.fault) for _, thought in thoughts)
        return faults

    async def session() -> tuple[list[int], list[int]]:
        await thinkers.open("first", rules, tuple(agents), agents)
        await thinkers.close_table("first")
        note = tmp_path / "thinking"
        await open_heads_up(thinkers, "thoughtful", f"{THOUGHTFUL}:Waits:note={note}")
        thinking = asyncio.create_task(first_decision(thinkers, "thoughtful", "it"))
        faults = await asyncio.gather(*(table(f"of fifty {number}") for number in range(50)))
        assert not thinking.done(), "the agent thinks until its note is gone"
        note.unlink()
        assert (await thinking).fault == ""
        await thinkers.close_table("thoughtful")
        sat = [each.process for each in thinkers._tables.values()]
        return faults, sorted(sat.count(process) for process in set(sat))

    faults, counts = runner.run(session())
    assert sum(faults) == 0
    assert len(counts) == 2
    assert counts[1] - counts[0] <= 1


def test_closed_tables_leave_nothing_behind(runner: asyncio.Runner, thinkers: Thinkers) -> None:
    agents = {"poki": "pokibot", "casper": "casper02", "bay": "baycarp2"}
    rules = named_game("limit-3p")

    async def size() -> int:
        """Of all tables' processes, when each has one again."""
        await until(lambda: None not in thinkers.pids)
        return sum(resident(pid) for pid in thinkers.pids if pid is not None)

    async def rounds(count: int) -> None:
        for number in range(count):
            tables = [f"{number} {place}" for place in range(2)]
            for table in tables:
                await thinkers.open(table, rules, tuple(agents), agents)
                await play(thinkers, table, dealt(number, rules, tuple(agents)))
            for table in tables:
                await thinkers.close_table(table)

    async def session() -> tuple[int, int]:
        await rounds(6)
        before = await size()
        await rounds(12)
        return before, await size()

    before, after = runner.run(session())
    assert after - before < 0.05 * before, f"{before} bytes became {after}"


# Who may be named


@pytest.fixture(scope="module")
def public(runner: asyncio.Runner) -> Iterator[Thinkers]:
    """What a server for others has."""

    async def begin() -> Thinkers:
        thinkers = Thinkers(1)
        await thinkers.start()
        return thinkers

    thinkers = runner.run(begin())
    yield thinkers
    runner.run(thinkers.close())


@pytest.mark.parametrize(
    ("agent", "why"),
    [
        (ATTENTIVE, "only the operator of the server can name an agent in a file"),
        ("casper02:pack=/etc/passwd.parquet", "pack of casper02 may name a file"),
        ("casper02:weights=mine.toml", "weights of casper02 may name a file"),
        ("baycarp2:network=net.xdsl", "network of baycarp2 may name a file"),
        ("casper-online:store=postgresql://somewhere", "store of casper-online may name a file"),
        ("brain:url=http://127.0.0.1:1,agent=random", "url of brain may name a file or an address"),
        ("brain", "'' is not the address of a brain"),
        ("pokibot:profile=../secret", "profile of pokibot may name"),
        ("nobody", "no agent is called 'nobody'"),
        ("simbot:trials=many", "trials=many is not a whole number"),
        ("simbot:trails=5", "no parameter of simbot is called 'trails'"),
        ("", "has no name"),
        ("x" * 2000, "name may have at most 200 characters|text of at most 1000 characters"),
        ("random\nhello", "no agent is called|text of at most 1000 characters"),
    ],
)
def test_people_cannot_name_files_or_addresses(
    runner: asyncio.Runner, public: Thinkers, agent: str, why: str
) -> None:
    with pytest.raises(ThinkerError, match=why):
        runner.run(public.verify(agent, LIMIT_2))
    with pytest.raises(ThinkerError, match=why):
        runner.run(public.open("refused", LIMIT_2, ("it", "other"), {"it": agent, "other": "random"}))
    with pytest.raises(ThinkerError, match="there are no bots at this table"):
        runner.run(first_decision(public, "refused", "other", 0))


def test_people_cannot_ask_files_for_advice(runner: asyncio.Runner, public: Thinkers) -> None:
    view = dealt(1, LIMIT_2, ("it", "other")).observation(1)
    with pytest.raises(ThinkerError, match="only the operator of the server can name an agent in a file"):
        runner.run(public.study.advise(ATTENTIVE, LIMIT_2, ("it", "other"), "it", view))


def test_parameters_that_were_too_slow_are_refused_for_a_while(
    runner: asyncio.Runner, monkeypatch: pytest.MonkeyPatch
) -> None:
    slow = "simbot:trials=5000,obvious=never,stride=1"

    async def session() -> None:
        thinkers = Thinkers(1)
        await thinkers.start()
        try:
            await thinkers.verify(slow, LIMIT_2)
            # Time in which compiled code is loaded does not count, so all of it is loaded first.
            await open_heads_up(thinkers, "loading", "simbot:trials=1")
            await first_decision(thinkers, "loading", "it")
            await open_heads_up(thinkers, "first", slow)
            pids, thinkers.limit_s = thinkers.pids, 0.005
            assert (await first_decision(thinkers, "first", "it")).fault == "timeout"
            thinkers.limit_s = 10.0
            await until(lambda: thinkers.pids != pids and None not in thinkers.pids)
            for other in (slow, "simbot:trials=4999"):
                with pytest.raises(ThinkerError, match="simbot with parameters was too slow for this server"):
                    await thinkers.verify(other, LIMIT_2)
            for harmless in ("simbot", "pokibot:profile=loose-passive"):
                await thinkers.verify(harmless, LIMIT_2)
            # At a table that has it already it checks or folds.
            await open_heads_up(thinkers, "first", slow)
            assert (await first_decision(thinkers, "first", "it")).fault == "timeout"
            monkeypatch.setattr(quarantine, "monotonic", lambda: monotonic() + quarantine.QUARANTINE_S)
            await thinkers.verify(slow, LIMIT_2)
        finally:
            await thinkers.close()

    runner.run(session())


def test_plain_parameters_and_suitable_games_are_fine(runner: asyncio.Runner, public: Thinkers) -> None:
    for agent in ("pokibot:profile=loose-passive", "simbot:trials=5,models=no", "casper02:k=5"):
        runner.run(public.verify(agent, LIMIT_2))
    with pytest.raises(ThinkerError, match="plays limit hold'em only, but nolimit-2p is no-limit"):
        runner.run(public.verify("casper02", named_game("nolimit-2p")))


def test_on_ones_own_machine_files_may_be_named(runner: asyncio.Runner, thinkers: Thinkers) -> None:
    runner.run(thinkers.verify(ATTENTIVE, LIMIT_2))
    with pytest.raises(ThinkerError, match="there is no file missing.py"):
        runner.run(thinkers.verify("missing.py:Bot", LIMIT_2))


# Beside the tables


def test_advice_is_what_the_agent_would_do_there(runner: asyncio.Runner, thinkers: Thinkers) -> None:
    players = ("you", *(f"bot {number}" for number in range(5)))
    hand = dealt(6, LIMIT_6, players)
    while hand.state.actor != hand.players.index("you"):
        hand.state.act(CALL)
    view = hand.observation(hand.players.index("you"))
    advice = runner.run(thinkers.study.advise("casper02", LIMIT_6, players, "you", view))
    casper = make_agent("casper02")
    casper.begin_match(MatchStart(LIMIT_6, "you", players, Stream.from_seed(1)))
    decision = casper.act(view)
    assert advice.reasons is not None
    assert advice.reasons["explanation"] == decision.explanation.to_json()
    assert [(each["action"], each["chance"]) for each in advice.reasons["strategy"]] == [
        (Wording.at(view.node).name(action), chance) for action, chance in decision.strategy
    ]


def test_an_adviser_hears_of_the_earlier_hands(runner: asyncio.Runner, thinkers: Thinkers) -> None:
    earlier = []
    for number in range(1, 6):
        hand = dealt(number, LIMIT_2, ("it", "other"))
        while hand.state.actor is not None:
            hand.state.act(CALL)
        earlier.append(results_of(hand)["it"])
    hand = dealt(7, LIMIT_2, ("it", "other"))
    view = hand.observation(hand.players.index("it"))
    if view.actor != view.seat:
        hand.state.act(CALL)
        view = hand.observation(hand.players.index("it"))
    agent = f"{THINKING}:CountsHands:seconds=0"
    thought = runner.run(thinkers.study.advise(agent, LIMIT_2, ("it", "other"), "it", view, earlier))
    assert thought.reasons is not None
    assert thought.reasons["explanation"]["sections"][0]["bars"][0]["value"] == 5.0


def test_the_read_out_of_a_hand(runner: asyncio.Runner, thinkers: Thinkers) -> None:
    hand = dealt(3, LIMIT_6, tuple("abcdef"))
    state = hand.state
    facts = runner.run(thinkers.study.strength(hand.observation(2)))
    assert [fact["name"] for fact in facts] == ["hand", "equity against 5 random hands", "pot odds"]
    assert facts[2]["value"] == pytest.approx(10 / 25)
    state.act(FOLD)
    while state.round == 0:
        state.act(CALL)
    view = hand.observation(5)
    facts = runner.run(thinkers.study.strength(view))
    named = {fact["name"]: fact["value"] for fact in facts}
    assert facts == [asdict(fact) for fact in read_out(view)]
    assert named["hand strength"] == hand_strength(view.hole_cards, view.board, 4)
    assert {"hand", "positive potential", "negative potential", "effective hand strength"} <= set(named)
    assert 0 < named["equity against 4 random hands"] < 1
    with pytest.raises(ThinkerError, match="hand that was folded"):
        runner.run(thinkers.study.strength(hand.observation(2)))


def test_only_holdem_hands_are_read_out() -> None:
    rules = named_game("kuhn-2p")
    state = State.deal(Setup.of(rules), Stream.from_seed(1))
    with pytest.raises(StudyError, match="available only for hold'em, not for kuhn-2p"):
        read_out(Observation.of(state, 0, ("a", "b")))


# The duplicate


def played(
    rules: GameRules, agents: dict[str, str], hands: int, seed: str = "s"
) -> tuple[list[WrittenHand], list[Any]]:
    """Hands of a table as the store keeps them, and what the first player won in each."""
    stream = Stream.from_seed(seed).child("duplicate")
    players = {label: make_agent(agent) for label, agent in agents.items()}
    for label, agent in players.items():
        agent.begin_match(MatchStart(rules, label, tuple(agents), stream.child("agent", label)))
    kept, won = [], []
    for number in range(1, hands + 1):
        hand = dealt(number, rules, tuple(agents))
        play_hand(hand.state, [players[label] for label in hand.players], hand.players, hand_number=number)
        kept.append(WrittenHand(number, hand.start(), hand.done()))
        won.append(hand.state.payoffs[hand.players.index(next(iter(agents)))])
    return kept, won


def test_who_did_the_same_as_the_agent_did_as_well(runner: asyncio.Runner, thinkers: Thinkers) -> None:
    opponents = {"poki": "pokibot", "caller": "always-call"}
    rules = named_game("limit-3p")
    hands, _ = played(rules, {"you": "pokibot", **opponents}, 30)
    told: list[tuple[int, int]] = []
    comparison = Comparison(rules, "you", "pokibot", opponents, hands, "s")
    compared = runner.run(thinkers.study.compare(comparison, lambda done, of: told.append((done, of))))
    assert compared["own"] == compared["agent"]
    difference = compared["difference"]
    assert (difference["mean"], difference["low"], difference["high"], difference["hands"]) == (0, 0, 0, 30)
    assert compared["faults"] == 0
    assert told[0] == (0, 30)
    assert told == sorted(told)


def test_decisions_are_reviewed_in_the_process_of_long_questions(
    runner: asyncio.Runner, thinkers: Thinkers
) -> None:
    rules, labels = named_game("limit-3p"), ("you", "poki", "caller")
    hands, _ = played(rules, {"you": "always-raise", "poki": "pokibot", "caller": "always-call"}, 12)
    told: list[tuple[int, int]] = []
    question = ReviewQuestion(rules, "you", "pokibot", labels, hands, "s")
    found = runner.run(thinkers.study.review(question, lambda done, of: told.append((done, of))))
    here = review(question, lambda agent, _: make_agent(agent), lambda _done, _of: None, lambda: False)
    assert found == json.loads(json.dumps(here.to_json("pokibot")))
    assert found["findings"]
    assert told[0] == (0, 12)
    assert told == sorted(told)


def test_the_difference_is_that_of_the_same_deals(runner: asyncio.Runner, thinkers: Thinkers) -> None:
    opponents = {"poki": "pokibot", "caller": "always-call"}
    rules = named_game("limit-3p")
    hands, own = played(rules, {"you": "always-raise", **opponents}, 30)
    _, others = played(rules, {"you": "casper02", **opponents}, 30)
    comparison = Comparison(rules, "you", "casper02", opponents, hands, "s")
    compared = runner.run(thinkers.study.compare(comparison, lambda _done, _of: None))
    for name, payoffs in (
        ("own", own),
        ("agent", others),
        ("difference", [mine - its for mine, its in zip(own, others, strict=True)]),
    ):
        rate = rate_of(rules, payoffs)
        found = compared[name]
        assert (found["unit"], found["hands"]) == ("sb/h", 30)
        assert (found["mean"], found["low"], found["high"]) == pytest.approx((rate.mean, rate.low, rate.high))
    assert compared["difference"]["low"] < compared["difference"]["high"]


def test_one_hand_has_no_interval_and_none_has_no_rate(runner: asyncio.Runner, thinkers: Thinkers) -> None:
    hands, own = played(LIMIT_2, {"you": "always-call", "other": "random"}, 1)
    comparison = Comparison(LIMIT_2, "you", "always-call", {"other": "random"}, hands, "s")
    compared = runner.run(thinkers.study.compare(comparison, lambda _done, _of: None))
    assert compared["own"]["mean"] == float(own[0]) / 10
    assert compared["own"]["low"] is None
    none = Comparison(LIMIT_2, "you", "always-call", {"other": "random"}, [])
    assert runner.run(thinkers.study.compare(none, lambda _done, _of: None))["own"]["hands"] == 0


def test_a_comparison_can_be_stopped_and_refused(runner: asyncio.Runner, thinkers: Thinkers) -> None:
    hands, _ = played(LIMIT_2, {"you": "always-call", "other": "random"}, 20)
    slow = f"{MISBEHAVING}:IsSlow:seconds=0.2"

    async def session() -> None:
        told: list[int] = []
        comparison = Comparison(LIMIT_2, "you", slow, {"other": "random"}, hands)
        comparing = asyncio.create_task(
            thinkers.study.compare(comparison, lambda done, _of: told.append(done))
        )
        await until(lambda: len(told) > 2)
        comparing.cancel()
        with pytest.raises(asyncio.CancelledError):
            await comparing
        seen = len(told)
        unfinished = WrittenHand(21, hands[0].start, "")
        strange = WrittenHand(22, {**hands[0].start, "players": ["you", "stranger"]}, hands[0].done)
        for bad, why in (
            (Comparison(LIMIT_2, "you", "random", {"other": "random"}, [unfinished]), "hand 21 is not over"),
            (Comparison(LIMIT_2, "you", "random", {"other": "random"}, [strange]), "'stranger', who is no"),
            (Comparison(LIMIT_2, "you", "nobody", {"other": "random"}, hands), "no agent is called 'nobody'"),
        ):
            with pytest.raises(ThinkerError, match=why):
                await thinkers.study.compare(bad, lambda _done, _of: None)
        assert len(told) == seen < 20

    runner.run(session())


# Processes and their connections


def test_nothing_outlives_a_server_that_is_killed() -> None:
    program = """
import asyncio, os, signal
from railbird.interfaces.web.thinking.thinkers import Thinkers

async def serve():
    thinkers = Thinkers(1)
    await thinkers.start()
    while None in thinkers.pids:
        await asyncio.sleep(0.01)
    print(*thinkers.pids, flush=True)
    await asyncio.sleep(60)

asyncio.run(serve())
"""
    with subprocess.Popen([sys.executable, "-c", program], stdout=subprocess.PIPE, text=True) as server:
        assert server.stdout is not None
        pid = int(server.stdout.readline())
        os.kill(server.pid, signal.SIGKILL)
    deadline = monotonic() + 60
    while lives(pid):
        assert monotonic() < deadline, "the thinker lives on"
        sleep(0.02)


def lives(pid: int) -> bool:
    """Whether there is such a process, which has not ended without being waited for."""
    try:
        return ") Z " not in Path(f"/proc/{pid}/stat").read_text(encoding="ascii")
    except OSError:
        return False


def test_thinkers_that_are_closed_say_so(runner: asyncio.Runner) -> None:
    async def session() -> None:
        thinkers = Thinkers(1)
        with pytest.raises(ThinkerError, match="the bots are not running"):
            await thinkers.verify("random", LIMIT_2)
        await thinkers.start()
        await until(lambda: None not in thinkers.pids)
        pid = thinkers.pids[0]
        assert pid is not None
        pending = asyncio.create_task(thinkers.verify("random", LIMIT_2))
        await asyncio.sleep(0)
        await thinkers.close()
        with pytest.raises(ThinkerError, match="has ended"):
            await pending
        assert not lives(pid)
        with pytest.raises(ThinkerError, match="there are no bots at this table"):
            await first_decision(thinkers, "none", "it")

    runner.run(session())
