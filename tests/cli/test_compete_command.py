"""`railbird match`, `tournament` and `selfplay` as a user meets them."""

import json
from pathlib import Path

import pytest
from typer.testing import CliRunner

from command import railbird
from folders import SUPPORT
from railbird.arena.play.plan import PlanError
from railbird.cli import app
from railbird.engine.setup import Setup
from railbird.notation.acpc.state import parse_state_line
from railbird.notation.game_names import find_game
from railbird.places import OutputExists


def run(*arguments: str) -> str:
    result = CliRunner().invoke(app, list(arguments), catch_exceptions=False)
    assert result.exit_code == 0, result.output
    return result.output


def test_a_match_shows_rates_with_intervals_and_how_to_repeat_it(tmp_path: Path) -> None:
    file = tmp_path / "results.json"
    text = run(
        "match",
        "--seats",
        "random,always-call",
        "--hands",
        "50",
        "--duplicate",
        "--seed",
        "7",
        "--json",
        str(file),
    )
    for part in ("random", "always-call", "sb/h", "95 % interval", "digest", "reproduce: railbird"):
        assert part in text
    data = json.loads(file.read_text())
    assert data["schema"] == "railbird.results/1"
    assert (data["game"], data["seed"], data["hands"], data["duplicate"]) == ("limit-2p", 7, 50, True)
    first, second = data["players"]
    assert (first["label"], first["hands"], first["net"]) == ("random", 100, -second["net"])
    assert first["rate"]["unit"] == "sb/h"
    assert first["rate"]["low"] <= first["rate"]["mean"] <= first["rate"]["high"]
    assert first["statistics"]["vpip"]["of"] > 0
    assert set(data) >= {"digest", "reproduce", "elapsed_s", "version"}


def test_the_same_command_gives_the_same_digest(tmp_path: Path) -> None:
    digests = []
    for name in ("one.json", "two.json"):
        run(
            "match",
            "--game",
            "nolimit-3p",
            "--seats",
            "random,random,always-call",
            "--hands",
            "30",
            "--json",
            str(tmp_path / name),
        )
        digests.append(json.loads((tmp_path / name).read_text())["digest"])
    assert digests[0] == digests[1]


def test_a_tournament_has_both_standings_and_a_crosstable(tmp_path: Path) -> None:
    file = tmp_path / "t.json"
    text = run(
        "tournament",
        "--agents",
        "random,always-call,always-fold",
        "--hands",
        "40",
        "--matches",
        "2",
        "--json",
        str(file),
    )
    assert "total bankroll" in text
    assert "instant run-off" in text
    data = json.loads(file.read_text())
    assert sorted(data["standings"]["total_bankroll"]) == ["always-call", "always-fold", "random"]
    assert sorted(data["standings"]["instant_runoff"]) == ["always-call", "always-fold", "random"]
    there, back = data["crosstable"]["random"]["always-fold"], data["crosstable"]["always-fold"]["random"]
    assert there["mean"] == -back["mean"]
    assert data["matches"] == 6


def test_one_more_agent_plays_only_the_missing_matches(tmp_path: Path) -> None:
    file = tmp_path / "t.json"
    common = ["--hands", "40", "--json", str(file)]
    run("tournament", "--agents", "random,always-call,always-fold", *common)
    journal = tmp_path / "t.json.journal"
    before = journal.read_text()
    run("tournament", "--agents", "random,always-call,always-fold,always-raise", *common)
    after = journal.read_text()
    assert after.startswith(before)
    assert len(after.splitlines()) - len(before.splitlines()) == 3
    fresh = tmp_path / "fresh.json"
    run(
        "tournament",
        "--agents",
        "random,always-call,always-fold,always-raise",
        "--hands",
        "40",
        "--json",
        str(fresh),
    )
    assert json.loads(fresh.read_text())["digest"] == json.loads(file.read_text())["digest"]


def test_selfplay_writes_hands_that_can_be_read_back(tmp_path: Path) -> None:
    log = tmp_path / "hands.log"
    run(
        "selfplay",
        "--game",
        "limit-3p",
        "--seats",
        "random,always-call,always-raise",
        "--hands",
        "25",
        "-o",
        str(log),
    )
    header, *lines = log.read_text().splitlines()
    assert json.loads(header.removeprefix("# "))["schema"] == "railbird.log/1"
    setup = Setup.of(find_game("limit-3p"))
    assert len([parse_state_line(line, setup) for line in lines]) == 25


def test_figures_are_drawn_as_png_and_svg(tmp_path: Path) -> None:
    run("match", "--seats", "random,always-call", "--hands", "30", "--figures", str(tmp_path / "figures"))
    figures = ("--figures", str(tmp_path / "figures"))
    tournament = ("tournament", "--agents", "random,always-call", "--hands", "30", *figures)
    with pytest.raises(OutputExists, match="actions-random.png exists already"):
        run(*tournament)
    run(*tournament, "--force")
    names = {path.name for path in (tmp_path / "figures").iterdir()}
    for stem in ("bankroll", "crosstable", "actions-random", "hand-types-always-call"):
        assert {f"{stem}.png", f"{stem}.svg"} <= names
    assert (tmp_path / "figures" / "bankroll.png").read_bytes().startswith(b"\x89PNG")
    assert "<svg" in (tmp_path / "figures" / "crosstable.svg").read_text()


@pytest.mark.parametrize(
    ("arguments", "sentence"),
    [
        (["match", "--seats", "randon,random"], "no agent is called 'randon': did you mean 'random'"),
        (["match", "--seats", "random:speed=1,random"], "random has no parameters"),
        (["match", "--seats", "random"], "limit-2p needs 2 players, not 1"),
        (["match", "--seats", "random,random", "--workers", "many"], "workers must be a whole number from 1"),
        (
            ["match", "--seats", "random,random", "--seatings", "all"],
            "no choice for --seatings is called 'all'",
        ),
        (["match", "--seats", "random,random", "--json", "no/such/file.json"], "is not a folder"),
        (["tournament", "--agents", "random"], "limit-2p needs at least 2 agents, not 1"),
    ],
)
def test_bad_input_is_answered_in_a_sentence(arguments: list[str], sentence: str) -> None:
    with pytest.raises(ValueError, match=sentence):
        CliRunner().invoke(app, [*arguments, "--hands", "5"], catch_exceptions=False)


def test_results_of_another_experiment_are_not_overwritten(tmp_path: Path) -> None:
    file = tmp_path / "results.json"
    run("match", "--seats", "random,random", "--hands", "5", "--json", str(file))
    kept = file.read_text()
    with pytest.raises(PlanError, match=r"contains another experiment \(hands is 5, not 6\)"):
        run("match", "--seats", "random,random", "--hands", "6", "--json", str(file))
    assert file.read_text() == kept
    other = tmp_path / "notes.txt"
    other.write_text("dear diary")
    with pytest.raises(PlanError, match="exists and is not a results file"):
        run("match", "--seats", "random,random", "--hands", "6", "--json", str(other))
    assert other.read_text() == "dear diary"


LEARNER = f"{SUPPORT / 'learning_agents.py'}:Remembers"


def test_agents_that_learn_start_from_a_stated_snapshot_of_their_book(tmp_path: Path) -> None:
    book = tmp_path / "book.jsonl"

    def learn(name: str, *more: str) -> dict[str, object]:
        file = tmp_path / name
        run("match", "--seats", f"{LEARNER},random", "--hands", "25", "--matches", "3", "--json", str(file),
            "--experience", str(book), *more)  # fmt: skip
        data: dict[str, object] = json.loads(file.read_text())
        return data

    first = learn("first.json")
    after_first = book.read_text()
    assert len(after_first.splitlines()) == 1 + 3
    assert learn("first.json")["digest"] == first["digest"], "a finished experiment is not played on"
    assert book.read_text() == after_first
    second = learn("second.json")
    assert second["digest"] != first["digest"]
    assert len(book.read_text().splitlines()) == 1 + 6
    assert str(second["reproduce"]).endswith("--snapshot 3")
    for workers in ("1", "2"):
        again = learn(f"again-{workers}.json", "--snapshot", "3", "--workers", workers)
        assert again["digest"] == second["digest"]
    with pytest.raises(PlanError, match="so --experience must be given"):
        run("match", "--seats", "random,random", "--snapshot", "1")


def test_seats_are_shuffled_between_matches_and_labels_stay(tmp_path: Path) -> None:
    log = tmp_path / "hands.log"
    run("match", "--game", "limit-4max", "--seats", "always-call,random,always-raise,always-fold", "--hands", "2",
        "--matches", "6", "--shuffle-seats", "--log", str(log))  # fmt: skip
    orders = {line.split(":", 5)[5] for line in log.read_text().splitlines() if line.startswith("STATE:0:")}
    assert len(orders) > 2
    assert {frozenset(order.split("|")) for order in orders} == {
        frozenset({"always-call", "random", "always-raise", "always-fold"})
    }


@pytest.mark.parametrize("workers", ["1", "2"])
def test_a_decided_comparison_stops_at_the_same_match_whatever_the_workers(
    workers: str, tmp_path: Path
) -> None:
    file = tmp_path / "results.json"
    text = run("match", "--seats", "always-raise,always-fold", "--hands", "40", "--matches", "30", "--duplicate",
               "--until-decided", "--json", str(file), "--workers", workers)  # fmt: skip
    data = json.loads(file.read_text())
    assert data["matches"] == 6
    assert data["sequential"]["decided"]
    assert data["sequential"]["rate"]["low"] > 0
    assert "always-raise wins after 6 matches" in text


def test_what_is_not_decided_is_said(tmp_path: Path) -> None:
    text = run("match", "--seats", "always-call,always-call", "--hands", "10", "--until-decided")
    assert "not decided after 1 match:" in text


def test_luck_is_reduced_where_it_is_asked_for(tmp_path: Path) -> None:
    file = tmp_path / "results.json"
    text = run("match", "--game", "nolimit-2p:stack=1000", "--seats", "random,always-raise", "--hands", "300",
               "--reduce-luck", "--json", str(file))  # fmt: skip
    assert "adjusted for the luck of starting hands and of the board" in text
    first, second = json.loads(file.read_text())["players"]
    plain, reduced = first["rate"], first["without_luck"]
    assert reduced["high"] - reduced["low"] < 0.9 * (plain["high"] - plain["low"])
    assert reduced["hands"] == plain["hands"]
    assert first["without_luck"]["mean"] == pytest.approx(-second["without_luck"]["mean"])


NEWBIE = """
from railbird import Agent, Decision

class Newbie(Agent):
    def __init__(self, level=3, share=0.5, bold=False, name="x"):
        self.seen = {}

    def act(self, observation):
        return Decision(self.advice(observation.hand_number))

    def advice(self, number):
        return self.seen[max([number])]
"""


@pytest.fixture
def newbie(tmp_path: Path) -> str:
    """A bot that crashes in its first decision."""
    path = tmp_path / "newbie.py"
    path.write_text(NEWBIE)
    return f"{path}:Newbie"


FIRST = "KeyError: 0 (in advice, newbie.py line 12)"


@pytest.mark.parametrize(
    ("arguments", "sentence", "counts", "forfeits"),
    [
        (["match", "--seats"], f"Newbie: 3 crashes, forfeited, first: {FIRST}\n", 3, 1),
        (["match", "--duplicate", "--seats"], "Newbie: 6 crashes, forfeited 2 times", 6, 2),
        (["tournament", "--agents"], f"Newbie: 6 crashes, forfeited 2 times, first: {FIRST}\n", 6, 2),
        (["match", "--faults", "strict", "--seats"], f"first: {FIRST}\nThe match is void.\n", 1, 0),
        (
            ["tournament", "--faults", "strict", "--agents"],
            "The match is void.\nDisqualified: Newbie.\n",
            2,
            0,
        ),
    ],
)
def test_a_crashing_bot_is_told_with_its_first_reason_and_an_exit_code(
    arguments: list[str], sentence: str, counts: int, forfeits: int, newbie: str, tmp_path: Path
) -> None:
    file = tmp_path / "results.json"
    done = railbird(*arguments, f"{newbie},always-raise", "--hands", 12, "--json", file)
    assert done.code == 3, done.error
    assert sentence in done.out.decode()
    player, other = json.loads(file.read_text())["players"]
    assert (player["faults"], player["forfeits"]) == ({"crash": counts}, forfeits)
    first = player["first_fault"]
    assert (first["hand"], first["fault"]) == (0, "crash")
    assert first["detail"] == FIRST
    assert (other["faults"], other["forfeits"], other["first_fault"]) == ({}, 0, None)


def test_standings_of_a_strict_tournament_leave_out_who_crashed(newbie: str, tmp_path: Path) -> None:
    done = railbird("tournament", "--agents", f"{newbie},always-raise,always-fold", "--hands", 8, "--faults", "strict",
                    "--json", tmp_path / "t.json")  # fmt: skip
    assert done.code == 3, done.error
    assert "2 of 3 matches are void.\nDisqualified: Newbie.\n" in done.out.decode()
    data = json.loads((tmp_path / "t.json").read_text())
    assert data["standings"]["instant_runoff"] == ["always-raise", "always-fold"]
    assert data["disqualified"] == ["Newbie"]
    assert [player["hands"] for player in data["players"]] == [0, 16, 16]
