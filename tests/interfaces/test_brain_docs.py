"""What `docs/brain.md` shows works as it stands, against a real brain."""

import json
import re
import shlex
import shutil
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

from brains import LONG, Body
from folders import DOCS
from railbird.agent import make_agent
from railbird.engine.games import named_game
from railbird.engine.setup import Setup
from railbird.engine.state import State
from railbird.interfaces.acpc.client import AcpcPlayer
from railbird.interfaces.brain import requests as brain_requests
from railbird.interfaces.brain.messages import read_next_match
from railbird.interfaces.brain.refusals import Code
from railbird.interfaces.brain.server import BrainServer
from railbird.interfaces.brain.sessions import Sessions
from railbird.interfaces.offer import Offer
from railbird.notation.acpc.match import acpc_rules, format_match_state
from railbird.rng import Stream

PAGE = (DOCS / "brain.md").read_text(encoding="utf-8")


@pytest.fixture(scope="module")
def server() -> Iterator[BrainServer]:
    with BrainServer(Sessions(Offer())) as running:
        yield running


def curl(command: str) -> str:
    """What curl prints; where there is none, what it would send is sent by us."""
    words = shlex.split(command)
    if shutil.which("curl"):
        return subprocess.run(words, capture_output=True, text=True, timeout=LONG, check=True).stdout
    base, _, path = words[-1].partition("/sessions")
    with Body(base) as body:
        if "--json" in words:
            return json.dumps(body.post("/sessions" + path, json.loads(words[words.index("--json") + 1]))[1])
        return json.dumps(body.send(words[words.index("-X") + 1], "/sessions" + path, None, {})[1])


def test_the_session_with_curl(server: BrainServer) -> None:
    exchanges = re.findall(r"^    \$ (curl .*)\n    (.*)$", PAGE, re.MULTILINE)
    assert len(exchanges) == 5
    session = "SESSION"
    for command, printed in exchanges:
        answer = json.loads(curl(command.replace("$BRAIN", server.address).replace("SESSION", session)))
        session = answer.pop("session", session)
        shown = json.loads(printed)
        shown.pop("session", None)
        assert answer == shown


@pytest.mark.parametrize(("agent", "game"), [("random", "nolimit-3p"), ("pokibot", "limit-3p")])
def test_the_body_in_python(server: BrainServer, tmp_path: Path, agent: str, game: str) -> None:
    (program,) = re.findall(r"```python\n(.*?)```", PAGE, re.DOTALL)
    assert 25 <= program.count("\n") <= 35
    script = tmp_path / "body.py"
    script.write_text(program, encoding="utf-8")
    rules = acpc_rules(named_game(game))
    local = AcpcPlayer(make_agent(agent), agent, rules, Stream.from_seed(7), pytest.fail)
    lines, replies = [], []
    for hand in range(5):
        state = State.deal(Setup.of(rules), Stream.from_seed(2).child(hand))
        while True:
            line = format_match_state(state, hand % 3, hand)
            lines.append(line)
            reply = local.answer(line)
            if reply:
                replies.append(reply)
            if state.is_over:
                break
            state.act(state.choices[hand % len(state.choices)])
    done = subprocess.run(
        [sys.executable, str(script), server.address, agent, game],
        input="".join(f"{line}\n" for line in lines),
        capture_output=True,
        text=True,
        timeout=LONG,
        check=False,
    )
    assert done.stderr == ""
    assert done.stdout.splitlines() == replies
    assert len(replies) > 5
    assert len(server.brain.sessions) == 0


def test_the_page_names_every_request_code_and_field() -> None:
    table = brain_requests.__doc__ or ""
    for request in re.findall(r"^\| `(.*?)` \|", table, re.MULTILINE):
        assert f"| `{request}` |" in PAGE
    for code in Code:
        assert f"`{code.text}`" in PAGE
        assert str(code.status) in PAGE
    fields = (
        "acpc",
        "label",
        "players",
        "seed",
        "stream",
        "is_reset",
        "experience",
        "shown",
        "hand_number",
        "payoffs",
    )
    for field in fields:
        assert f"`{field}`" in PAGE
    assert read_next_match({"game": "limit-2p"}, "me").players == ("me", "opponent-1")
