"""`RemoteAgent`: at every table it plays as the agent in the brain would play there, and says what went wrong."""

import signal
import socket
import threading
from collections.abc import Iterator, Sequence
from dataclasses import replace
from pathlib import Path

import pytest

from brains import LONG, REMOTE, Body, brain_process, remote, wait_until
from command import railbird
from folders import SUPPORT
from railbird.agent import (
    Decision,
    MatchStart,
    UnsuitableGame,
    agent_info,
    fingerprint,
    make_agent,
)
from railbird.agent.faults import AgentFault, Fault
from railbird.arena.play.hand import play_hand
from railbird.arena.play.match import MatchResult, play_match
from railbird.arena.play.plan import Bust, Duplicate, Entrant, MatchPlan
from railbird.engine.games import named_game
from railbird.engine.setup import Setup
from railbird.engine.state import State
from railbird.interfaces.acpc.client import AcpcPlayer
from railbird.interfaces.brain import server as brain_server
from railbird.interfaces.brain.client import RemoteAgent
from railbird.interfaces.brain.server import BrainServer
from railbird.interfaces.brain.sessions import Sessions
from railbird.interfaces.brain.wire import BrainFault, parse_address
from railbird.interfaces.offer import Offer
from railbird.notation.acpc.match import acpc_rules, format_match_state
from railbird.observation import Observation
from railbird.rng import Stream
from railbird.spec import SpecError, split_specs

ATTENTIVE = f"{SUPPORT / 'thoughtful_agents.py'}:Attentive"
REMEMBERS = f"{SUPPORT / 'learning_agents.py'}:Remembers"
NOBODY = "http://127.0.0.1:9"


@pytest.fixture(scope="module")
def brain() -> Iterator[str]:
    """A brain in a process of its own that offers every agent these tests ask for."""
    agents = [
        *("random", "always-call", "probtriple", "pokibot", "casey", "simbot:trials=20,mix=0.5"),
        *(ATTENTIVE, REMEMBERS, f"{SUPPORT / 'misbehaving_agents.py'}:RaisesTooLittle"),
    ]
    with brain_process(*agents) as (process, address):
        yield address
        process.send_signal(signal.SIGTERM)
        assert process.wait(LONG) == 0
        assert process.stderr is not None
        assert process.stderr.read() == "", "nothing went wrong in the brain"


def result(game: str, agents: Sequence[str], hands: int, **more: object) -> MatchResult:
    """A match in which everyone is called by its seat, so that only the play can differ."""
    entrants = tuple(
        Entrant(f"player {seat}", agent, fingerprint(agent, trusted=True))
        for seat, agent in enumerate(agents)
    )
    return play_match(MatchPlan(game, entrants, hands, "7", **more), keep_log=True)  # type: ignore[arg-type]


@pytest.mark.parametrize(
    ("game", "agents", "hands", "more"),
    [
        ("limit-2p", ["random", "always-call"], 40, {"duplicate": Duplicate.PERMUTATIONS}),
        ("nolimit-3p", ["random", "random", "random"], 40, {}),
        ("limit-6max", ["probtriple", "pokibot", "random", "casey", "always-call", "random"], 12, {}),
        ("limit-2p", ["simbot:trials=20,mix=0.5", "pokibot"], 6, {}),
        ("nolimit-4max:stack=900,carry=yes", ["random"] * 4, 60, {}),
        ("nolimit-4max:stack=900,carry=yes,odd=fractional,muck=losers-muck", ["random"] * 4, 40, {"bust": Bust.REBUY}),
        ("kuhn-2p", ["random"] * 2, 20, {}),
        ("leduc-2p", ["random"] * 2, 20, {}),
    ],
)  # fmt: skip
def test_whole_matches_are_played_as_by_the_agents_themselves(
    brain: str, game: str, agents: list[str], hands: int, more: dict[str, object]
) -> None:
    here = result(game, agents, hands, **more)
    there = result(game, [remote(brain, agent) for agent in agents], hands, **more)
    assert not here.faults
    assert not there.faults
    assert there.log == here.log
    assert there.digest == here.digest


@pytest.mark.parametrize("game", ["limit-3p", "nolimit-3p:stack=500,carry=yes", "limit-3p:muck=losers-muck"])
def test_an_agent_that_listens_to_everything_plays_the_same(brain: str, game: str) -> None:
    """Its play depends on all that it is told, and what it lived through on how every hand ended."""
    agents = [ATTENTIVE, "random", ATTENTIVE]
    here = result(game, agents, 25)
    there = result(game, [remote(brain, agents[0]), "random", remote(brain, agents[2])], 25)
    assert not there.faults
    assert there.log == here.log
    assert there.experience == here.experience
    assert there.digest == here.digest


def observed(game: str = "limit-2p", seat: int = 1) -> tuple[MatchStart, Observation]:
    rules = named_game(game)
    players = tuple(f"player {each}" for each in range(rules.players))
    state = State.deal(Setup.of(rules), Stream.from_seed(3))
    match = MatchStart(rules, players[seat], players, Stream.from_seed(5))
    return match, Observation.of(state, seat, players, 4)


@pytest.mark.parametrize("name", ["random", "probtriple", "pokibot", "simbot:trials=20,mix=0.5", ATTENTIVE])
def test_a_decision_comes_with_its_strategy_and_all_its_reasons(brain: str, name: str) -> None:
    match, observation = observed()
    decisions = []
    for agent in (make_agent(name), RemoteAgent(brain, name)):
        agent.begin_match(match)
        for event in observation.events:
            agent.hear(event)
        decisions.append(agent.act(observation))
    here, there = decisions
    assert there.action == here.action
    assert there.strategy == here.strategy
    assert there.explanation == here.explanation


def test_reasons_outlive_the_agent_and_no_session_outlives_both() -> None:
    sessions = Sessions(Offer())
    with BrainServer(sessions) as server:

        def decided() -> Decision:
            match, observation = observed()
            agent = RemoteAgent(server.address, "pokibot")
            agent.begin_match(match)
            return agent.act(observation)

        decision = decided()
        match, observation = observed()
        local = make_agent("pokibot")
        local.begin_match(match)
        assert decision.explanation == local.act(observation).explanation
        assert len(sessions) == 1
        del decision
        wait_until(lambda: len(sessions) == 0)


def test_a_reset_begins_another_match_of_the_same_agent() -> None:
    sessions = Sessions(Offer())
    with BrainServer(sessions) as server:
        match, observation = observed("nolimit-2p")
        agent, local = RemoteAgent(server.address, "random"), make_agent("random")
        for _ in range(2):
            for each in (agent, local):
                each.begin_match(match)
            assert [agent.act(observation).action for _ in range(5)] == [
                local.act(observation).action for _ in range(5)
            ]
        assert len(sessions) == 1
        agent.close()


def test_an_agent_may_be_asked_without_a_match() -> None:
    with BrainServer(Sessions(Offer())) as server:
        agent = RemoteAgent(server.address, "always-call")
        assert agent.act(observed()[1]).action == make_agent("always-call").act(observed()[1]).action
        assert agent.lived() == ()
        agent.close()


def test_the_acpc_player_is_a_body_of_the_same_contract(brain: str) -> None:
    rules = acpc_rules(named_game("limit-3p"))
    replies = []
    for agent in (make_agent(ATTENTIVE), RemoteAgent(brain, ATTENTIVE)):
        player = AcpcPlayer(agent, "me", rules, Stream.from_seed(1), pytest.fail)
        answers = []
        for hand in range(20):
            state = State.deal(Setup.of(rules), Stream.from_seed(9).child(hand))
            position = hand % 3
            while True:
                reply = player.answer(format_match_state(state, position, hand) + "\r\n")
                if state.is_over:
                    break
                answers.append(reply)
                choices = state.choices
                state.act(choices[-1] if reply and reply[-1] == "r" else choices[hand % len(choices)])
        replies.append(answers)
    assert replies[0] == replies[1]
    assert any(replies[0])


def test_games_that_the_agent_does_not_play_are_refused_as_by_the_agent(brain: str) -> None:
    rules = named_game("nolimit-2p")
    with pytest.raises(UnsuitableGame) as here:
        make_agent("pokibot").verify_game(rules)
    with pytest.raises(UnsuitableGame) as there:
        RemoteAgent(brain, "pokibot").verify_game(rules)
    assert str(there.value) == str(here.value)
    RemoteAgent(brain, "pokibot").verify_game(named_game("limit-2p"))
    with pytest.raises(SpecError, match="no agent of this server is called 'jagbot'"):
        RemoteAgent(brain, "jagbot").verify_game(named_game("limit-2p"))


def test_a_fault_in_the_brain_is_the_same_fault_at_the_table(brain: str) -> None:
    agent = f"{SUPPORT / 'misbehaving_agents.py'}:RaisesTooLittle"
    here = result("limit-2p", [agent, "random"], 25)
    there = result("limit-2p", [remote(brain, agent), "random"], 25)
    assert [(record.hand_number, record.fault, record.detail) for record in there.faults] == [
        (record.hand_number, record.fault, record.detail) for record in here.faults
    ]
    assert len(here.faults) == 3
    assert there.digest == here.digest


@pytest.mark.parametrize(
    ("arguments", "sentence"),
    [
        (("", "random"), "'' is not the address of a brain: write it as `railbird brain` prints it, such as http://"),
        (("127.0.0.1:80", "random"), "'127.0.0.1:80' is not the address of a brain"),
        (("http://127.0.0.1", "random"), "'http://127.0.0.1' is not the address of a brain"),
        (("https://127.0.0.1:80", "random"), "'https://127.0.0.1:80' is not the address of a brain"),
        (("http://127.0.0.1:80/x", "random"), "'http://127.0.0.1:80/x' is not the address of a brain"),
        (("http://me@127.0.0.1:80", "random"), "'http://me@127.0.0.1:80' is not the address of a brain"),
        (("http://127.0.0.1:99999", "random"), "'http://127.0.0.1:99999' is not the address of a brain"),
        ((NOBODY, ""), "brain needs the name of an agent"),
        ((NOBODY, "random", 0.0), "seconds=0.0 is not a valid time limit"),
        ((NOBODY, "random"), f"no brain is running at {NOBODY}: start one with `railbird brain`"),
        (("http://no.such.host.invalid:80", "random"), "the brain at http://no.such.host.invalid:80 failed: "),
    ],
)  # fmt: skip
def test_a_brain_that_cannot_be_reached_is_told_in_a_sentence(
    arguments: tuple[str, str], sentence: str
) -> None:
    with pytest.raises(ValueError) as refused:
        RemoteAgent(*arguments).verify_game(named_game("limit-2p"))
    assert sentence in str(refused.value)


def test_addresses_are_read() -> None:
    assert parse_address("http://127.0.0.1:8000") == ("127.0.0.1", 8000)
    assert parse_address("http://[::1]:8000/") == ("::1", 8000)


def test_the_command_says_what_is_wrong_before_anything_is_played(brain: str) -> None:
    for agent, sentence in [
        (remote(NOBODY, "random"), f"no brain is running at {NOBODY}"),
        (remote(brain, "jagbot"), "no agent of this server is called 'jagbot'"),
        (f"{REMOTE}:url={brain}", "brain needs the name of an agent"),
        (f"{REMOTE}:agent=random", "'' is not the address of a brain"),
    ]:
        outcome = railbird("match", "--game", "limit-2p", "--seats", f"{agent},random", "--hands", 5)
        assert (outcome.code, outcome.out) == (2, b"")
        assert sentence in outcome.error
        assert outcome.error.count("\n") == 1


def test_the_command_plays_and_explains_with_a_brain(brain: str) -> None:
    agent = remote(brain, "simbot:trials=20,mix=0.5")
    outcome = railbird("match", "--game", "limit-2p", "--seats", f"{agent},random", "--hands", 5, "--seed", 1)
    assert outcome.code == 0, outcome.error
    state = "MATCHSTATE:1:0::|AhKs"
    outcome = railbird("explain", remote(brain, "pokibot"), "--state", state, "--seed", 1)
    assert outcome.code == 0, outcome.error
    local = railbird("explain", "pokibot", "--state", state, "--seed", 1).out.decode()
    # Another player draws another action from the same strategy.
    assert outcome.out.decode().splitlines()[-4:] == local.splitlines()[-4:]


def test_the_name_of_an_agent_may_have_parameters() -> None:
    text = "brain:url=http://127.0.0.1:80,agent=simbot:trials=20;mix=0.5"
    assert split_specs(f"{text},random") == [text, "random"]
    made = make_agent(text.replace("brain", REMOTE, 1))
    assert made.agent == "simbot:trials=20;mix=0.5"  # type: ignore[attr-defined]


def test_a_brain_that_dies_in_the_middle_of_a_hand_is_a_fault_and_its_successor_is_found() -> None:
    match, observation = observed()
    player = make_agent("pokibot")
    player.begin_match(match)
    local = player.act(observation)
    with brain_process() as (process, address):
        agent = RemoteAgent(address, "pokibot", seconds=LONG)
        agent.begin_match(match)
        decision = agent.act(observation)
        process.send_signal(signal.SIGKILL)
        process.wait()
        with pytest.raises(BrainFault) as gone:
            agent.act(observation)
        assert gone.value.fault is Fault.DISCONNECT
        assert (
            str(gone.value)
            == f"disconnect: no brain is running at {address}: start one with `railbird brain`"
        )
        with pytest.raises(BrainFault, match="has ended, so its reasons are not available"):
            list(decision.explanation.sections)
    with BrainServer(Sessions(Offer()), port=int(address.rpartition(":")[2])):
        again = agent.act(observation)
        assert (again.action, again.explanation.facts) == (decision.action, decision.explanation.facts)
        assert list(again.explanation.sections) == list(local.explanation.sections)
        agent.close()


def test_a_match_goes_on_when_the_brain_dies(tmp_path: Path) -> None:
    agent = f"{SUPPORT / 'slow_agents.py'}:Slow:milliseconds=5"
    with brain_process(agent) as (process, address):
        threading.Timer(0.7, process.kill).start()
        outcome = result("limit-2p", [remote(address, agent), "always-call"], 3000)
    assert [record.fault for record in outcome.faults] == [Fault.DISCONNECT] * 3
    assert all(f"the brain at {address} failed" in record.detail or "no brain is running" in record.detail
               for record in outcome.faults)  # fmt: skip
    assert len(outcome.log) == 3000


class Answers:
    """A server that answers every request with the same bytes, or not at all."""

    def __init__(self, answer: bytes | None) -> None:
        self.answer = answer
        self.listener = socket.create_server(("127.0.0.1", 0))
        self.address = f"http://127.0.0.1:{self.listener.getsockname()[1]}"
        self.kept: list[socket.socket] = []
        threading.Thread(target=self._serve, daemon=True).start()

    def _serve(self) -> None:
        while True:
            try:
                connection, _ = self.listener.accept()
            except OSError:
                return
            connection.recv(65536)
            if self.answer is None:
                self.kept.append(connection)
            else:
                connection.sendall(self.answer)
                connection.close()

    def __enter__(self) -> "Answers":
        return self

    def __exit__(self, *_: object) -> None:
        self.listener.shutdown(socket.SHUT_RDWR)
        self.listener.close()
        for connection in self.kept:
            connection.close()


def http(status: int, body: bytes) -> bytes:
    return b"HTTP/1.1 %d X\r\nContent-Length: %d\r\n\r\n%s" % (status, len(body), body)


@pytest.mark.parametrize(
    ("answer", "fault", "sentence"),
    [
        (None, Fault.TIMEOUT, "did not answer within 0.3 s"),
        (b"", Fault.DISCONNECT, "failed: Remote end closed connection without response"),
        (b"SSH-2.0\r\n", Fault.DISCONNECT, "failed: SSH-2.0"),
        (http(200, b"<html>"), Fault.NOT_A_DECISION, "is not a brain of this version"),
        (http(200, b"[]"), Fault.NOT_A_DECISION, "is not a brain of this version"),
        (http(201, b'{"schema": "railbird.brain/2", "session": "x"}'), Fault.NOT_A_DECISION, "is not a brain of this"),
        (http(500, b'{"code": "internal", "error": "It broke."}'), Fault.CRASH, "refused: It broke."),
        (http(500, b'{"code": "agent-failed", "fault": "new", "detail": "d"}'), Fault.CRASH, "d"),
        (http(503, b'{"code": "full", "error": "No room."}'), Fault.DISCONNECT, "refused: No room."),
    ],
)  # fmt: skip
def test_what_is_no_brain_or_does_not_answer_is_a_fault_with_a_sentence(
    answer: bytes | None, fault: Fault, sentence: str
) -> None:
    with Answers(answer) as server:
        agent = RemoteAgent(server.address, "random", seconds=0.3)
        with pytest.raises(AgentFault) as failed:
            agent.begin_match(observed()[0])
        assert failed.value.fault is fault
        assert sentence in failed.value.detail
        assert isinstance(failed.value, ValueError), "the command turns it into one line"
        agent.close()


@pytest.mark.parametrize(
    "answer",
    [b"{}", b'{"decision": 1, "action": ["dance", 0], "strategy": [], "explanation": {"summary": "", "facts": {}}}'],
)  # fmt: skip
def test_an_answer_that_is_no_decision_is_a_fault(answer: bytes) -> None:
    match, observation = observed()
    agent = RemoteAgent("", "random")
    with BrainServer(Sessions(Offer())) as server:
        agent.url = server.address
        agent.begin_match(match)
        wire = agent._wire
        assert wire is not None
        session = wire.session
        wire.close()
    with Answers(http(200, answer)) as server_:
        agent.url, agent._wire = server_.address, None
        agent._connected().session = session
        with pytest.raises(AgentFault) as failed:
            agent.act(observation)
    assert failed.value.fault is Fault.NOT_A_DECISION
    agent.close()


def test_a_connection_that_was_closed_between_two_questions_is_no_fault(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(brain_server._Handler, "timeout", 0.1)
    match, observation = observed()
    with BrainServer(Sessions(Offer())) as server:
        agent = RemoteAgent(server.address, "always-call")
        agent.begin_match(match)
        for _ in range(2):
            wait_until(lambda: not server._connections)
            agent.act(observation)
        assert len(server.brain.sessions) == 1, "the session stayed"
        agent.close()


def test_a_session_that_was_dropped_is_a_fault_once() -> None:
    match, observation = observed()
    with BrainServer(Sessions(Offer())) as server, Body(server.address) as body:
        agent = RemoteAgent(server.address, "always-call")
        agent.begin_match(match)
        assert agent._wire is not None
        body.send("DELETE", agent._wire.session, None, {})
        with pytest.raises(BrainFault, match="there is no session"):
            agent.act(observation)
        agent.act(observation)
        agent.close()


def test_what_is_too_long_for_the_brain_is_not_sent() -> None:
    match, _ = observed()
    with BrainServer(Sessions(Offer())) as server:
        agent = RemoteAgent(server.address, "always-call")
        with pytest.raises(AgentFault, match="bytes, but the brain reads at most 16,777,216"):
            agent.begin_match(replace(match, experience=("x" * 2**24,)))
        agent.begin_match(match)
        agent.close()


def test_a_table_without_guards_ends_in_the_sentence() -> None:
    match, _ = observed()
    agent = RemoteAgent(NOBODY, "random")
    state = State.deal(Setup.of(match.rules), Stream.from_seed(1))
    with pytest.raises(ValueError, match=f"no brain is running at {NOBODY}"):
        play_hand(state, [make_agent("always-call"), agent], match.players)


def test_it_says_what_it_is_and_what_it_takes() -> None:
    info = agent_info(REMOTE)
    assert info.summary.startswith("Asks the brain at a URL for an agent's decisions")
    assert [parameter.name for parameter in info.parameters] == ["url", "agent", "seconds"]
