"""The password of a database URL is never shown or written: not in results, journals, commands or errors."""

import json
from pathlib import Path

import pytest

from command import railbird
from railbird.agent import display_name
from railbird.arena.run.terms import Terms
from railbird.cli.output import PLAYERS_FAILED
from railbird.interfaces.web.table.messages import RefusalCode, RefusedMessage
from railbird.interfaces.web.web import HttpRefusal
from railbird.places import without_passwords
from railbird.spec import SpecError, split_specs
from railbird.store.addresses import parse_address, shown

SECRET = "Tr0ub4dor"
URLS = [
    f"postgresql://ann:{SECRET}@127.0.0.1:1/hands",
    f"postgresql://ann:{SECRET}/x@127.0.0.1:1/hands",
    f"postgresql://ann:x@{SECRET}@127.0.0.1:1/hands",
    f"postgresql://ann@127.0.0.1:1/hands?password={SECRET}",
    f"postgresql+psycopg://:{SECRET}@127.0.0.1:1/hands",
    f"mysql://ann:{SECRET}@127.0.0.1/hands",
    f"postgresql://ann:{SECRET}@127.0.0.1:port/hands",
    f"postgresql://ann:x://{SECRET}@127.0.0.1:1/hands",
    f"postgresql://ann:x,{SECRET}@127.0.0.1:1/hands",
    f"postgresql://ann:x%2C{SECRET}@127.0.0.1:1/hands",
    f"postgresql://ann@127.0.0.1:1/hands?password=x,{SECRET}&sslmode=disable",
    f"postgresql://ann@127.0.0.1:1/hands?passwort={SECRET}",
]
BOT = """
from railbird.agents.baselines import AlwaysCall


class Bot(AlwaysCall):
    def __init__(self, store: str = "") -> None:
        self.store = store

    def lived(self) -> list[str]:
        return ["a match"]


class Crashing(Bot):
    def act(self, view):
        raise RuntimeError(f"no connection to {self.store}")
"""


@pytest.mark.parametrize("url", URLS)
def test_errors_hide_the_password(url: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("PGPASSWORD", SECRET)
    log = tmp_path / "hands.log"
    log.write_text("text\n")
    agent = f"casper-online:store={url}"
    for command in (
        ("import", log, "--store", url),
        ("stats", url),
        ("store", url),
        ("match", "--seats", f"{agent},random", "--hands", 2),
        ("explain", agent, "--state", "MATCHSTATE:1:0::|AhAd"),
    ):
        done = railbird(*command)
        if command[0] != "explain":  # which opens no store
            assert done.code == 2
        assert SECRET not in done.error + done.out.decode()
    assert SECRET not in display_name(agent)


def test_results_journals_and_commands_hide_the_password(tmp_path: Path) -> None:
    (tmp_path / "bot.py").write_text(BOT)
    agent, crashing = (f"{tmp_path / 'bot.py'}:{name}:store={URLS[0]}" for name in ("Bot", "Crashing"))
    results, log, book = (tmp_path / name for name in ("r.json", "h.log", "book"))
    command = ("--hands", 4, "--json", results, "--experience", book)
    done = railbird("match", "--seats", f"{agent},random", *command, "--log", log)
    assert done.code == 0, done.error
    again = railbird("match", "--seats", f"{agent},random", *command, "--matches", 2)
    assert again.code == 0, again.error
    assert json.loads(results.read_text())["matches"] == 2
    both = railbird("tournament", "--agents", f"{agent},random", "--hands", 4, "--json", tmp_path / "t.json")
    assert both.code == 0, both.error
    faults = railbird("match", "--seats", f"{crashing},random", "--hands", 4, "--json", tmp_path / "c.json")
    assert faults.code == PLAYERS_FAILED, faults.error
    assert "no connection to postgresql://ann:***@127.0.0.1:1/hands" in (tmp_path / "c.json").read_text()
    assert "postgresql://ann:***@127.0.0.1:1/hands" in results.read_text()
    assert SECRET not in "".join(each.out.decode() + each.error for each in (done, again, both, faults))
    for file in tmp_path.rglob("*"):
        assert not file.is_file() or SECRET.encode() not in file.read_bytes(), file


def test_a_comma_in_a_password_is_refused_where_commas_separate_agents() -> None:
    for password in (f"x,{SECRET}", f"x,y,{SECRET}", f"x,y://{SECRET}"):
        with pytest.raises(SpecError, match="must have %2C instead"):
            split_specs(f"casper-online:store=postgresql://ann:{password}@h/d,random")
    with pytest.raises(SpecError, match="between the user and the host"):
        split_specs(f"casper-online:store=postgresql://h/d?password={SECRET},random")
    agents = (
        "casper-online:store=postgresql://ann:x%2Cy@h/d,name=ann",
        "bot.py:Bot:store=postgresql://a:b@h/d",
    )
    assert split_specs(",".join(agents)) == [*agents]


def test_calls_and_messages_to_browsers_hide_the_password() -> None:
    given = Terms("limit-2p", 4, "1", duplicate=False).call("match", [f"bot.py:Bot:store={URLS[0]}"], {})
    refused = HttpRefusal(422, URLS[0]), RefusedMessage(RefusalCode.UNKNOWN, URLS[0])
    assert "ann:***@" in given
    assert SECRET not in "".join([given, *map(str, refused)])


def test_other_texts_stay_as_they_are() -> None:
    for text in (
        "http://localhost:8000/a@b",
        "ray://head:10001",
        "postgresql://ann@h:5432/d",
        "limit-2p:cap=3",
    ):
        assert without_passwords(text) == text
    for text, hidden in {
        f"postgresql://ann:5432/{SECRET}@h/d": "postgresql://ann:***@h/d",
        f"postgresql://ann@work:{SECRET}@h/d": "postgresql://ann@work:***@h/d",
        f"'postgresql://ann:x {SECRET}@h/d' is bad": "'postgresql://ann:***@h/d' is bad",
        f"postgresql://ann:x=y://{SECRET}@h/d": "postgresql://ann:***@h/d",
        f"postgresql://ann:{SECRET}": "postgresql://ann:***",
        f"a:store=postgresql://h:5432/d,b:store=postgresql://ann:{SECRET}@h/d": (
            "a:store=postgresql://h:5432/d,b:store=postgresql://ann:***@h/d"
        ),
        f"('postgresql://h/d?sslpassword={SECRET}&user=ann')": "('postgresql://h/d?sslpassword=***&user=ann')",
    }.items():
        assert without_passwords(text) == hidden
    seats = f"a:store={URLS[0]},b:store={URLS[0]}"
    assert without_passwords(seats) == seats.replace(SECRET, "***")
    assert shown(parse_address(URLS[0])) == "postgresql://ann:***@127.0.0.1:1/hands"
