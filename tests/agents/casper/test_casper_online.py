"""CASPER that retains its own play: what becomes a case, where it is kept, and what a kill leaves of it."""

import json
import subprocess
import sys
from collections.abc import Iterator, Sequence
from dataclasses import replace
from pathlib import Path

import pytest

from command import railbird
from folders import SUPPORT
from railbird.agent import Agent, HandResult, MatchStart, make_agent
from railbird.agents.casper.agent import Casper
from railbird.agents.casper.attributes import describe
from railbird.agents.casper.cases import system_name
from railbird.agents.casper.online import CasperOnline
from railbird.agents.retaining.memory import GrowingColumn, Memory
from railbird.arena.play.experience import snapshot_digest
from railbird.arena.play.match import play_match
from railbird.arena.play.plan import Limits, MatchPlan, entrants_of
from railbird.arena.run.experiment import run_matches
from railbird.cbr.packs.files import Pack, read_pack, write_pack
from railbird.cbr.target import Target
from railbird.engine.actions import CALL, FOLD, Action, raise_to
from railbird.engine.events import Act
from railbird.engine.games import named_game
from railbird.engine.history import events_of
from railbird.engine.record import HandRecord
from railbird.engine.setup import Setup
from railbird.engine.state import State
from railbird.experiments.casper.measured import MeasuredCasper, MeasuredHand, MeasuredLearner
from railbird.experiments.casper.online import EXPERIMENTS, blocks_of, cuts, rate
from railbird.experiments.frame import Laboratory
from railbird.experiments.played_hands import PlayedHand, hands, played_by
from railbird.learning.systems import system_named
from railbird.learning.watching import Watcher
from railbird.observation import Observation
from railbird.rng import Stream
from railbird.store.addresses import StoreError
from railbird.store.experiences import StoredExperience, experience_names
from railbird.store.lived import LivedCase, LivedError, LivedHand
from railbird.store.store import open_store

GAME = "limit-4max"
OTHERS = ("jagbot", "jagbot", "always-call")
LABELS = ("casper", "ann", "bob", "cid")
LEARNER = "casper"
SYSTEM = system_name(1)


@pytest.fixture(scope="module")
def watched(tmp_path_factory: pytest.TempPathFactory) -> Path:
    path = tmp_path_factory.mktemp("packs") / "watched.parquet"
    write_pack(learnt_from(list(hands(GAME, ["rulebot"] * 2 + ["probtriple"] * 2, 60, 3))), path)
    return path


@pytest.fixture(scope="module")
def bot(tmp_path_factory: pytest.TempPathFactory) -> str:
    """The learner as matches and commands name it."""
    path = tmp_path_factory.mktemp("bots") / "bot.py"
    path.write_text("from railbird.agents.casper.online import CasperOnline\n", encoding="utf-8")
    return f"{path}:CasperOnline"


def learnt_from(played: Sequence[PlayedHand], *players: str) -> Pack:
    """What `railbird watch` makes of hands."""
    watcher = Watcher(system_named("casper"), players)
    for number, hand in enumerate(played):
        watcher.add(HandRecord.of(hand.state, hand.labels, str(number)))
    return watcher.pack({})


def start(seed: int | str = 1, experience: Sequence[str] = (), label: str = LEARNER) -> MatchStart:
    return MatchStart(named_game(GAME), label, LABELS, Stream.from_seed(seed), experience=tuple(experience))


def play(agent: Agent, count: int, seed: int | str = 1, experience: Sequence[str] = ()) -> list[PlayedHand]:
    """A match of one agent against others."""
    agents = [agent, *map(make_agent, OTHERS)]
    root = Stream.from_seed(seed)
    for label, player in zip(LABELS, agents, strict=True):
        begin = start(seed, experience, label)
        player.begin_match(replace(begin, stream=root.child("agent", label)))
    return list(played_by(GAME, agents, LABELS, count, root))


def cases_of(lived: Sequence[LivedHand]) -> list[LivedCase]:
    return [case for hand in lived for case in hand.cases]


def actions(played: Sequence[PlayedHand]) -> list[tuple[Action, ...]]:
    return [hand.state.node.actions for hand in played]


# What becomes a case


def test_it_retains_what_watching_it_would_have_learnt(watched: Path) -> None:
    """Every decision with its description, what was done, the outcome, the cards and the board."""
    agent = CasperOnline(name=LEARNER, pack=str(watched))
    played = play(agent, 80)
    expected = learnt_from(played, LEARNER)
    assert len(expected) > 100
    memory = agent.memory_
    assert memory.hands == len(agent.retainer_.hands) == 80
    assert memory.cases == len(expected)
    for stage, base in expected.bases.items():
        first = memory.watched[stage]
        for case in base:
            own = memory.pack.bases[stage].case(first + case.number)
            assert replace(own, number=case.number) == case
            riders = expected.rider(stage, case.number)
            found = memory.pack.rider(stage, first + case.number)
            assert found == {**riders, "source": ""}
    assert [hand.won for hand in agent.retainer_.hands] == [
        float(hand.state.payoffs[hand.seat_of(LEARNER)]) / 10 for hand in played
    ]


def test_hands_without_a_decision_count_too(watched: Path) -> None:
    agent = CasperOnline(pack=str(watched))
    agent.begin_match(start())
    agent.end_hand(HandResult(0, LABELS, (), (5, -5, 0, 0), 0))
    assert agent.retainer_.hands == [LivedHand(0.5)]


class Overruled(CasperOnline):
    """One whose raises and calls the table turns into folds, as it does to an agent that is late."""

    def end_hand(self, result: HandResult) -> None:
        events = tuple(
            replace(event, kind=FOLD.kind) if isinstance(event, Act) and event.seat == result.seat else event
            for event in result.events
        )
        super().end_hand(replace(result, events=events))


def test_a_decision_that_was_not_done_is_no_case(watched: Path) -> None:
    agent = Overruled(pack=str(watched))
    play(agent, 60)
    found = {case.solution for case in cases_of(agent.retainer_.hands)}
    assert found == {"fold"}


def test_a_hand_whose_end_nobody_told_is_forgotten(watched: Path) -> None:
    agent = CasperOnline(pack=str(watched))
    agent.begin_match(start())
    first, second = (hand.state for hand in hands(GAME, ["always-call"] * 4, 2, 1))
    agent.act(opening(first.setup.rules.name, 1, number=7))
    assert len(agent.retainer_.made) == 1
    agent.act(opening(first.setup.rules.name, 2, number=8))
    assert len(agent.retainer_.made) == 1
    agent.end_hand(HandResult(2, LABELS, tuple(events_of(second)), second.payoffs, 9))
    assert cases_of(agent.retainer_.hands) == []
    assert agent.retainer_.made == {}


def test_a_situation_that_is_asked_about_twice_is_decided_once(watched: Path) -> None:
    agent = CasperOnline(pack=str(watched))
    agent.begin_match(start())
    for _ in range(3):
        agent.act(opening(GAME, 1))
    assert len(agent.retainer_.made) == 1


def opening(game: str, seed: int, number: int = 0) -> Observation:
    """The first decision of a hand."""
    state = State.deal(Setup.of(named_game(game)), Stream.from_seed(seed))
    assert state.actor is not None
    return Observation.of(state, state.actor, LABELS, number)


# What it does with its cases


def test_it_decides_from_watched_and_lived_cases_alike(watched: Path, tmp_path: Path) -> None:
    """As CASPER does whose pack holds both: joined by the same tools that join packs."""
    learner = CasperOnline(pack=str(watched))
    played = play(learner, 60)
    both = tmp_path / "both.parquet"
    everything = learnt_from(list(hands(GAME, ["rulebot"] * 2 + ["probtriple"] * 2, 60, 3)))
    for stage, base in learnt_from(played, LEARNER).bases.items():
        for case in base:
            (solution,) = (name for name, count in case.counts.items() if count)
            everything.bases[stage].add(case.description, solution, case.sums[solution])
    write_pack(Pack(SYSTEM, everything.bases), both)
    casper = Casper(pack=str(both))
    casper.begin_match(start())
    situations = learnt_from(play(Casper(pack=str(watched)), 40, seed=9), LEARNER).bases
    for stage, targets in situations.items():
        for number in range(len(targets)):
            target: Target = targets.target(number)
            expected, found = casper.solve(stage, target), learner.solve(stage, target)
            assert expected.retrieved is not None
            assert found.retrieved is not None
            assert found.retrieved.similarities.tolist() == expected.retrieved.similarities.tolist()
            assert found.retrieved.rows.tolist() == expected.retrieved.rows.tolist()
            assert found.strategy == expected.strategy


def test_the_pack_that_others_use_does_not_grow(watched: Path) -> None:
    before = read_pack(watched)
    casper, first, second = Casper(pack=str(watched)), *(CasperOnline(pack=str(watched)) for _ in range(2))
    casper.begin_match(start())
    play(first, 30)
    play(second, 10)
    first.verify_game(named_game(GAME))
    assert first.pack_ is first.memory_.pack, "asking for the game in between forgets nothing"
    for stage, base in before.bases.items():
        assert len(casper.pack_.bases[stage]) == len(base)
        assert (casper.pack_.bases[stage].values == base.values).all()
        assert (casper.pack_.bases[stage].counts == base.counts).all()
    assert first.memory_.cases > second.memory_.cases > 0


def test_similarity_rises_as_cases_are_retained() -> None:
    """From nothing, against players of one kind (casper-2008, fig. 6)."""
    agent = CasperOnline(pack="none")
    play(agent, 150)
    found = [case.similarity for case in cases_of(agent.retainer_.hands)]
    assert found[0] is None, "nothing is similar to the first"
    similarities = [similarity for similarity in found if similarity is not None]
    third = len(similarities) // 3
    early, late = sum(similarities[:third]) / third, sum(similarities[-third:]) / third
    assert late > early + 0.02


def test_one_who_watched_nobody_has_only_its_own_calls_to_go_by() -> None:
    agent = CasperOnline(pack="none")
    first = play(agent, 20)
    assert {case.solution for case in cases_of(agent.retainer_.hands)} == {"call"}
    seat = first[0].seat_of(LEARNER)
    assert all(act.kind is CALL.kind for act in acts(first[0], seat))


def acts(hand: PlayedHand, seat: int) -> Iterator[Act]:
    return (event for event in events_of(hand.state) if isinstance(event, Act) and event.seat == seat)


def test_its_reasons_say_whose_decisions_it_went_by(watched: Path) -> None:
    here = opening(GAME, 5)
    learner = CasperOnline(pack="none")
    learner.begin_match(start())
    assert "It knows no cases" in learner.act(here).explanation.summary
    expert = CasperOnline(pack=str(watched), threshold=0.5)
    expert.begin_match(start())
    assert " the experts " in expert.act(here).explanation.summary
    own = [lived_call(here)] * 3
    for agent, who in ((learner, " it always called."), (expert, " it and the experts ")):
        agent.begin_match(start(experience=[hand.to_text() for hand in own]))
        explanation = agent.act(here).explanation
        assert who in explanation.summary
        listed = json.dumps(explanation.to_json())
        assert listed.count('"7c2d"') == 3, "its own cases are listed with the cards that it had"


def lived_call(observation: Observation) -> LivedHand:
    riders = {"hand": "1", "player": LEARNER, "cards": "7c2d", "board": ""}
    description = describe(observation)
    return LivedHand(-1.0, (LivedCase("preflop", description, "call", -1.0, 0.9, riders),))


def test_the_column_of_riders_grows_behind_the_watched_ones() -> None:
    column = GrowingColumn(["a", "b"])
    column.append("c")
    assert list(column) == ["a", "b", "c"]
    assert (column[-1], column[1:], len(column), column[2]) == ("c", ["b", "c"], 3, "c")
    with pytest.raises(IndexError):
        column[3]


# From match to match


def test_a_store_and_the_arena_carry_the_same_experience(watched: Path, address: str) -> None:
    """Two matches with a store, and two with what the arena carries on: the same play, the same cases."""
    carried: list[str] = []
    for number, seed in enumerate((1, 2)):
        stored = CasperOnline(store=address, name="ann", pack=str(watched))
        free = CasperOnline(name="ann", pack=str(watched))
        there, here = play(stored, 25, seed), play(free, 25, seed, carried)
        assert actions(there) == actions(here)
        assert stored.lived() == []
        carried += free.lived()
        assert stored.memory_.hands == free.memory_.hands == len(carried) == 25 * (number + 1)
    with open_store(address, create=False) as store:
        assert experience_names(store) == {"ann": 50}
        lived = StoredExperience(store, "ann", "casper:look-ahead=1")
        assert [hand.to_text() for hand in lived.hands()] == carried
        points = lived.series()
    assert points[-1].cases == stored.memory_.cases
    assert [point.won for point in points] == [LivedHand.from_text(text).won for text in carried]
    assert [point.similarity for point in points] == [
        LivedHand.from_text(text).similarity for text in carried
    ]


def test_a_match_begins_with_what_it_is_given_and_no_more(watched: Path) -> None:
    """The same agent object, reset: what the match before brought is not in its memory."""
    agent = CasperOnline(pack=str(watched))
    first = play(agent, 20)
    assert actions(play(agent, 20)) == actions(first)
    assert agent.memory_.hands == 20


def test_workers_and_processes_cannot_be_seen(watched: Path, bot: str) -> None:
    agent = f"{bot}:pack={watched}"
    first = MatchPlan(GAME, entrants_of([agent, *OTHERS], trusted=True), 10, "7")
    before = {agent: play_match(first).experience[0]}
    plans = [
        replace(first, name=("match", number), snapshot=snapshot_digest(before)) for number in range(1, 4)
    ]
    alone = run_matches(plans, "1", experience=before)
    assert all(len(result.experience[0]) == 10 for result in alone)
    assert run_matches(plans, "2", experience=before) == alone
    isolated = play_match(replace(plans[0], limits=Limits(decision_s=60.0)), experience=before)
    assert (isolated.digest, isolated.experience) == (alone[0].digest, alone[0].experience)


def test_a_match_on_the_command_line_adds_to_the_store(watched: Path, bot: str, tmp_path: Path) -> None:
    store = tmp_path / "lived.db"
    seats = f"{bot}:pack={watched},store={store},name=ann,always-call"
    for hands_so_far in (15, 30):
        done = railbird(
            "match", "--game", "limit-2p", "--seats", seats, "--hands", "15", "--seed", str(hands_so_far)
        )
        assert done.code == 0, done.error
        with open_store(store, create=False) as opened:
            assert experience_names(opened) == {"ann": hands_so_far}


# What is refused


def test_its_own_cases_look_as_far_ahead_as_its_pack(watched: Path, tmp_path: Path) -> None:
    """An experience of an earlier version, which does not say how far, goes on with a pack of that version only."""
    earlier = tmp_path / "earlier.parquet"
    write_pack(Pack("casper", read_pack(watched).bases), earlier)
    with open_store(tmp_path / "lived.db") as opened:
        StoredExperience(opened, "ann", "casper").retain(LivedHand(1.0))
    learner = CasperOnline(store=str(tmp_path / "lived.db"), name="ann", pack=str(earlier))
    play(learner, 1)
    assert (learner.look_ahead_, learner.memory_.hands) == (2, 2)
    other = CasperOnline(store=str(tmp_path / "lived.db"), name="ann", pack=str(watched))
    with pytest.raises(
        StoreError, match="the experience 'ann' belongs to casper, not to casper:look-ahead=1"
    ):
        other.verify_game(named_game(GAME))


def test_a_store_that_cannot_be_used_is_refused_before_the_match(watched: Path, tmp_path: Path) -> None:
    with pytest.raises(StoreError, match="lived.db cannot be created"):
        CasperOnline(store=str(tmp_path / "nowhere" / "lived.db"), pack=str(watched)).verify_game(
            named_game(GAME)
        )
    with open_store(tmp_path / "lived.db") as opened:
        StoredExperience(opened, "ann", "sartre").retain(LivedHand(1.0))
    with pytest.raises(StoreError, match="the experience 'ann' belongs to sartre, not to casper"):
        CasperOnline(store=str(tmp_path / "lived.db"), name="ann", pack=str(watched)).verify_game(
            named_game(GAME)
        )


@pytest.mark.parametrize(
    ("text", "reason"),
    [
        ("[]", "the experience of earlier matches: not a valid experience"),
        (
            LivedHand(1.0, (LivedCase("dawn", {}, "call", 1.0),)).to_text(),
            "the experience of earlier matches: hand 2 .* not a case of casper:look-ahead=1: no stage is called 'dawn'",
        ),
        (
            LivedHand(1.0, (LivedCase("flop", {}, "call", 1.0),)).to_text(),
            "hand 2 .* not a case of casper:look-ahead=1: the description has no 'number of players'",
        ),
    ],
)
def test_experience_of_something_else_is_refused(watched: Path, text: str, reason: str) -> None:
    with pytest.raises(LivedError, match=reason):
        CasperOnline(pack=str(watched)).begin_match(start(experience=[LivedHand(0.0).to_text(), text]))


def test_a_refused_hand_leaves_the_memory_as_it_was(watched: Path) -> None:
    memory = Memory(read_pack(watched))
    good = lived_call(opening(GAME, 1)).cases
    bad = replace(good[0], solution="sing")
    with pytest.raises(ValueError, match="no solution is called 'sing'"):
        memory.add(LivedHand(1.0, (*good, bad)))
    assert (memory.hands, memory.cases) == (0, 0)


def test_it_raises_when_its_experience_raised(watched: Path) -> None:
    """Lived cases are cases: after a thousand raises in this very spot it raises there."""
    here = opening(GAME, 1)
    case = replace(lived_call(here).cases[0], solution="raise")
    agent = CasperOnline(pack=str(watched))
    agent.begin_match(start(experience=[LivedHand(1.0, (case,) * 10).to_text()] * 100))
    chances = {action.kind: chance for action, chance in agent.act(here).strategy}
    assert chances[raise_to(20).kind] > 0.9


# Kill -9

KILLED_WHILE_PLAYING = """
import random, sys
sys.path[:0] = sys.argv[1].split(":")
from killing import acknowledged_until_killed
from railbird.agents.casper.online import CasperOnline
from railbird.store.experiences import StoredExperience
from railbird.store.lived import LivedHand
from railbird.store.store import open_store
from test_casper_online import play

address, pack, kills = sys.argv[2], sys.argv[3], int(sys.argv[4])
chance = random.Random(kills)


class Acknowledges(CasperOnline):
    def begin_match(self, match):
        super().begin_match(match)
        self.acknowledge(str(self.memory_.hands))

    def end_hand(self, result):
        retained, add = [], self.memory_.add
        self.memory_.add = lambda hand: (retained.append(hand), add(hand))
        super().end_hand(result)
        self.memory_.add = add
        self.acknowledge(retained[0].to_text())


def live(seed, acknowledge):
    agent = Acknowledges(store=address, name="ann", pack=pack)
    agent.acknowledge = acknowledge
    play(agent, 100_000, seed)


def lived():
    with open_store(address) as store:
        with store._writing():
            pass  # whatever the dead process had begun is over now
        return list(StoredExperience(store, "ann", "casper:look-ahead=1").hands())


play(CasperOnline(pack=pack), 3)  # everything is compiled and read before the first fork
before = lived()
unacknowledged = 0
for kill in range(kills):
    lines, pause_s = chance.randrange(2, 15), chance.uniform(0.0, 0.02)
    begins, *heard = acknowledged_until_killed(lambda acknowledge: live(kill, acknowledge), lines, pause_s)
    found = lived()
    assert int(begins) == len(before), "it began with other experience than the store has"
    assert found[: len(before)] == before, "something older has changed"
    new = found[len(before) :]
    assert new[: len(heard)] == [LivedHand.from_text(line) for line in heard], "an acknowledged hand is not there"
    assert len(new) <= len(heard) + 1, "there is more than the running hand"
    unacknowledged += len(new) - len(heard)
    before = found
print("all is well", len(before), unacknowledged)
"""


@pytest.mark.parametrize("kills", [2, pytest.param(100, marks=pytest.mark.soak)])
def test_killed_while_it_plays_it_loses_the_running_hand_at_most(
    address: str, watched: Path, kills: int
) -> None:
    """Killed at random moments; every life begins with all that the lives before had acknowledged, whole."""
    done = subprocess.run(
        [
            sys.executable,
            "-c",
            KILLED_WHILE_PLAYING,
            f"{SUPPORT}:{Path(__file__).parent}",
            address,
            str(watched),
            str(kills),
        ],
        capture_output=True,
        text=True,
        timeout=900,
        check=False,
    )
    assert done.stdout.startswith("all is well"), done.stderr
    assert int(done.stdout.split()[3]) > kills


# The experiment


def test_blocks_end_where_the_cases_are_divided_evenly() -> None:
    decisions, hits = (2, 0, 1, 4, 1, 0), (1, 0, 1, 1, 1, 0)
    similarities, won = (0.5, None, 0.8, 0.9, 1.0, None), (1.0, -1.0, 0.0, 2.0, -2.0, 6.0)
    played = [MeasuredHand(*hand) for hand in zip(decisions, hits, similarities, won, strict=True)]
    assert cuts(played, 2) == [4, 6]
    first, last = blocks_of(played, [3, 6])
    assert (first.hands, first.won, last.hands, last.won) == (3, 0.0, 3, 2.0)
    assert first.similarity == pytest.approx((2 * 0.5 + 0.8) / 3)
    assert last.similarity == pytest.approx((4 * 0.9 + 1.0) / 5)
    assert (first.hit_rate, last.hit_rate) == (2 / 3, 2 / 5)


def test_a_measured_learner_decides_as_any_learner_and_counts_its_hits(watched: Path) -> None:
    learner, measured = CasperOnline(pack=str(watched)), MeasuredLearner(pack=str(watched))
    assert actions(play(learner, 25)) == actions(play(measured, 25))
    assert sum(hand.decisions for hand in measured.played_) == sum(measured.decisions_.values())
    assert sum(hand.decisions for hand in measured.played_) == measured.memory_.cases
    missed = sum(hand.decisions - hand.hits for hand in measured.played_)
    assert missed == sum(measured.misses_.values())
    beside = MeasuredCasper(pack=str(watched))
    play(beside, 25)
    assert sum(hand.hits for hand in beside.played_) < sum(hand.decisions for hand in beside.played_)


def test_the_interval_is_over_learners() -> None:
    found = rate([0.1, 0.2, 0.3], 3000)
    assert found.mean == pytest.approx(0.2)
    assert found.hands == 3000
    assert found.high - found.mean == pytest.approx(4.303 * 0.1 / 3**0.5, rel=1e-3)


def test_the_experiment_runs() -> None:
    (experiment,) = EXPERIMENTS
    findings = list(experiment.run(Laboratory(quick=True)))
    assert sum(finding.holds is not None for finding in findings) == 7
    assert all("sb/h" in finding.measured or "→" in finding.measured for finding in findings)
