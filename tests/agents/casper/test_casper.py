"""CASPER: triples of similar cases as in casper-2007, a drawn and legal action, packs, weights, reasons."""

import json
import os
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from pathlib import Path
from random import Random
from statistics import median
from time import process_time

import numpy as np
import pytest
from hypothesis import given, settings

from command import railbird
from railbird.agent import Decision, MatchStart, UnsuitableGame, fingerprint, make_agent
from railbird.agents.casper import agent as casper
from railbird.agents.casper.agent import Casper, pack_path
from railbird.agents.casper.attributes import STAGES, describe
from railbird.agents.casper.cases import require_pack, schema, similarity, system_name
from railbird.agents.shipped import MissingKnowledge
from railbird.arena.play.hand import play_hand
from railbird.cards import format_cards, parse_cards
from railbird.cbr.case_base import CaseBase
from railbird.cbr.explain import worded
from railbird.cbr.packs.files import Pack, PackError, read_pack, write_pack
from railbird.cbr.schema import Number, Schema
from railbird.cbr.similarity import SimilarityError
from railbird.cbr.target import Target
from railbird.cbr.weights import format_weights
from railbird.engine.actions import CALL, FOLD, ActionKind, raise_to
from railbird.engine.games import named_game
from railbird.engine.rules import Betting, GameRules
from railbird.engine.setup import Setup
from railbird.engine.state import State
from railbird.experiments.played_hands import seated
from railbird.explanation import Bars, Cell, TableSection, explanation_from_json
from railbird.explanation.formats import format_share
from railbird.learning.recipes import verify_counts
from railbird.observation import Observation
from railbird.rng import Stream
from railbird.spec import SpecError
from reference import casper as reference
from strategies import random_cards, random_rules, randoms

GAME = "limit-6max:cap=5"
ONE_CARD, TWO_CARDS = system_name(1), system_name(2)
ACES = "AhAs KdKc 9h8h 7c2d JdTd QsQc 2h5h9c 6d 3s"
Decided = tuple[Observation, str]
"""A situation, and what was done there."""


def start(rules: GameRules, seed: int = 1) -> MatchStart:
    players = tuple(f"player {seat}" for seat in range(rules.players))
    return MatchStart(rules, players[0], players, Stream.from_seed(seed))


def watch(agents: Sequence[str], hands: int, seed: int) -> Iterator[Decided]:
    """Every decision of a table."""
    players, setup = seated(GAME, agents, seed), Setup.of(named_game(GAME))
    labels = tuple(f"{place} {agent}" for place, agent in enumerate(agents))
    for number in range(hands):
        state = State.deal(setup, Stream.from_seed(seed).child("deal", number))
        while state.actor is not None:
            observation = Observation.of(state, state.actor, labels, number)
            action = players[state.actor].act(observation).action
            yield observation, action.kind.name.lower()
            state.act(action)


def pack_of(decided: Sequence[Decided], bases: Mapping[str, CaseBase] | None = None) -> Pack:
    bases = bases or {stage: CaseBase(schema(stage)) for stage in STAGES}
    riders: dict[str, dict[str, list[str]]] = {
        stage: {"hand": [], "player": [], "cards": [], "board": []} for stage in STAGES
    }
    for observation, done in decided:
        stage = STAGES[observation.round]
        bases[stage].add(describe(observation), done)
        texts = (str(observation.hand_number), observation.players[observation.seat],
                 format_cards(observation.hole_cards), format_cards(observation.board))  # fmt: skip
        for column, text in zip(riders[stage].values(), texts, strict=True):
            column.append(text)
    return Pack(ONE_CARD, bases, riders)


@pytest.fixture(scope="module")
def decisions() -> list[Decided]:
    return list(watch(["rulebot"] * 3 + ["probtriple"] * 3, hands=160, seed=3))


@pytest.fixture(scope="module")
def watched(decisions: list[Decided], tmp_path_factory: pytest.TempPathFactory) -> Path:
    path = tmp_path_factory.mktemp("packs") / "watched.parquet"
    write_pack(pack_of(decisions[: len(decisions) // 2]), path)
    return path


def after(letters: str, cards: str = ACES, game: str = GAME) -> Observation:
    state = State(Setup.of(named_game(game)), parse_cards(cards))
    for letter in letters.replace("/", ""):
        state.act({"f": FOLD, "c": CALL, "r": raise_to(state.legal_actions.raise_minimum)}[letter])
    assert state.actor is not None
    return Observation.of(state, state.actor, tuple(f"player {seat}" for seat in range(state.rules.players)))


def knowing(path: Path, *decided: tuple[Observation, str, int]) -> Casper:
    """CASPER that watched these decisions so many times each."""
    write_pack(
        pack_of([(observation, done) for observation, done, times in decided for _ in range(times)]), path
    )
    agent = Casper(pack=str(path))
    agent.begin_match(start(named_game(GAME)))
    return agent


def shares(decision: Decision) -> dict[ActionKind, float]:
    return {action.kind: chance for action, chance in decision.strategy}


def fact(decision: Decision, name: str) -> Cell:
    return {each.name: each.value for each in decision.explanation.facts}[name]


# The paper's example, and what it leaves to say


def test_pocket_aces_of_the_paper(tmp_path: Path) -> None:
    """casper-2007 §6: the triple (0.0, 0.1, 0.9) never folds, calls one time in ten and raises nine."""
    aces = after("ffff")
    assert format_cards(aces.hole_cards) == "AhAs"
    agent = knowing(tmp_path / "aces.parquet", (aces, "call", 1), (aces, "raise", 9))
    decided = [agent.act(aces) for _ in range(2000)]
    assert shares(decided[0]) == {ActionKind.FOLD: 0.0, ActionKind.CALL: 0.1, ActionKind.RAISE: 0.9}
    drawn = Counter(decision.action.kind for decision in decided)
    assert drawn[ActionKind.FOLD] == 0
    assert drawn[ActionKind.CALL] == pytest.approx(200, abs=60)
    assert (
        decided[0].explanation.summary
        == "In 10 similar situations the experts raised (90 %) or called (10 %)."
    )


def test_to_fold_where_a_check_is_free_becomes_a_check(tmp_path: Path) -> None:
    flop = after("ffffcc/")
    decision = knowing(tmp_path / "folds.parquet", (flop, "fold", 3), (flop, "raise", 1)).act(flop)
    assert shares(decision) == {ActionKind.CALL: 0.75, ActionKind.RAISE: 0.25}


def test_to_raise_at_the_cap_becomes_a_call(tmp_path: Path) -> None:
    capped = after("ffffrrrr")
    assert not capped.legal_actions.raise_maximum
    decision = knowing(tmp_path / "raises.parquet", (capped, "raise", 3), (capped, "fold", 1)).act(capped)
    assert shares(decision) == {ActionKind.CALL: 0.75, ActionKind.FOLD: 0.25}


def test_above_the_threshold_all_cases_count_else_the_best_twenty(tmp_path: Path) -> None:
    """Aces under the gun against kings and queens; deuce-seven is far from all of them."""
    aces, kings, queens, trash = (
        after("", f"2h3h 4h5h {own} 8c8d 9c9d TcTd 2c5s9h 6d 3s") for own in ("AhAs", "KdKc", "QsQc", "7c2d")
    )
    agent = knowing(tmp_path / "k.parquet", (kings, "raise", 30), (queens, "call", 10))
    decision = agent.act(aces)
    assert agent.misses_["preflop"] == 0
    assert shares(decision)[ActionKind.RAISE] == 0.75
    assert fact(decision, "required similarity") == 0.97
    assert float(fact(decision, "greatest similarity")) >= 0.97
    decision = agent.act(trash)
    assert agent.misses_ == {"preflop": 1, "flop": 0, "turn": 0, "river": 0}
    assert agent.decisions_["preflop"] == 2
    assert fact(decision, "most similar situations") == 20
    best = format_share(float(fact(decision, "greatest similarity")))
    assert decision.explanation.summary.startswith(
        f"No situation was at least 97 % similar (the best was {best}). In the 20 most similar ones"
    )
    assert shares(decision)[ActionKind.CALL] == 0.5, "queens are nearer to deuce-seven, so all ten count"


def test_a_stage_of_which_nothing_was_watched_is_checked_and_called(tmp_path: Path) -> None:
    agent = knowing(tmp_path / "empty.parquet")
    called, checked = agent.act(after("")), agent.act(after("ffffcc/"))
    assert called.action == checked.action == CALL
    assert called.explanation.summary == "It knows no cases before the flop, so it calls."
    assert checked.explanation.summary == "It knows no cases on the flop, so it checks."


# Slow twin


def test_triples_are_those_of_the_slow_twin(decisions: list[Decided], watched: Path) -> None:
    half = len(decisions) // 2
    cases: dict[str, list[tuple[Mapping[str, float], str]]] = {stage: [] for stage in STAGES}
    for observation, done in decisions[:half]:
        cases[STAGES[observation.round]].append((numbers(observation), done))
    agent = Casper(pack=str(watched))
    agent.begin_match(start(named_game(GAME)))
    for observation, _ in decisions[half::4]:
        stage = STAGES[observation.round]
        weights = similarity(stage).weights()
        expected = reference.triple(numbers(observation), cases[stage], weights)
        found = agent.solve(stage, Target(schema(stage), describe(observation))).strategy
        assert found is not None
        assert found.probabilities == pytest.approx(expected)


def numbers(observation: Observation) -> dict[str, float]:
    return {name: float(value) for name, value in describe(observation).items()}


def test_it_decides_like_those_it_watched(decisions: list[Decided], watched: Path) -> None:
    """On hands that it did not see, its likeliest action is the expert's far more often than the usual one is."""
    half = len(decisions) // 2
    agent = Casper(pack=str(watched))
    agent.begin_match(start(named_game(GAME)))
    usual = {
        facing: Counter(done for seen, done in decisions[:half] if (seen.to_call > 0) == facing).most_common(
            1
        )[0][0]
        for facing in (False, True)
    }
    right = usually = 0
    for observation, done in decisions[half:]:
        chances = shares(agent.act(observation))
        right += max(chances, key=lambda kind: chances[kind]).name.lower() == done
        usually += usual[observation.to_call > 0] == done
    count = len(decisions) - half
    assert right / count > usually / count + 0.1


# Any game


@settings(max_examples=40)
@given(randoms)
def test_any_limit_game_is_played_legally(watched: Path, random: Random) -> None:
    rules = replace(random_rules(random), betting=Betting.LIMIT)
    labels = tuple(f"player {seat}" for seat in range(rules.players))
    agents = [Casper(pack=str(watched)) for _ in labels]
    for agent in agents:
        agent.begin_match(start(rules, random.randint(0, 99)))
    record = play_hand(State(Setup.of(rules), random_cards(random, rules)), agents, labels)
    assert sum(record.payoffs) == 0


def test_the_same_seed_gives_the_same_play(decisions: list[Decided], watched: Path) -> None:
    first, second, other = (drawn(watched, decisions, seed) for seed in (1, 1, 2))
    assert first == second
    assert first != other


def drawn(pack: Path, decisions: Sequence[Decided], seed: int) -> list[ActionKind]:
    agent = Casper(pack=str(pack))
    agent.begin_match(start(named_game(GAME), seed))
    return [agent.act(observation).action.kind for observation, _ in decisions[::5]]


def test_it_acts_without_a_match(watched: Path) -> None:
    agent = Casper(pack=str(watched))
    assert agent.act(after("")).explanation.summary.endswith(".")
    assert sum(agent.decisions_.values()) == 1


def test_counts_begin_anew_with_a_match_but_not_when_seats_change(watched: Path) -> None:
    agent, begin = Casper(pack=str(watched)), start(named_game(GAME))
    agent.begin_match(begin)
    agent.act(after(""))
    agent.begin_match(replace(begin, is_reset=True))
    assert agent.decisions_["preflop"] == 1
    agent.begin_match(begin)
    assert agent.decisions_["preflop"] == 0


@pytest.mark.parametrize("game", ["nolimit-2p", "potlimit-6max", "leduc-2p"])
def test_other_games_are_refused_with_a_sentence(watched: Path, game: str) -> None:
    with pytest.raises(UnsuitableGame, match="Casper plays limit hold'em"):
        Casper(pack=str(watched)).verify_game(named_game(game))


@pytest.mark.soak
def test_a_decision_takes_less_than_a_millisecond(decisions: list[Decided], watched: Path) -> None:
    agent = Casper(pack=str(watched))
    agent.begin_match(start(named_game(GAME)))
    times = []
    for observation, _ in decisions[:600]:
        began = process_time()
        agent.act(observation)
        times.append(process_time() - began)
    assert median(times) < 0.001


# Packs and weights


@pytest.mark.parametrize(
    ("name", "pack", "weights"),
    [
        ("casper", "casper02", "hand-picked"),
        ("casper01", "casper01", "hand-picked"),
        ("casper02", "casper02", "hand-picked"),
        ("casper-general", "casper02", "casper-general"),
        ("casper-general-play", "casper02", "casper-general-play"),
        ("casper-online", "casper02", "hand-picked"),
    ],
)
def test_the_versions_of_the_papers_differ_in_packs_and_weights(name: str, pack: str, weights: str) -> None:
    agent = make_agent(name)
    assert isinstance(agent, Casper)
    assert (agent.pack, agent.threshold, agent.k, agent.weights) == (pack, 0.97, 20, weights)
    agent.verify_game(named_game(GAME))
    assert all(path.is_file() for path in agent.files())
    assert len(agent.files()) == (1 if weights == "hand-picked" else 2)


def test_the_smaller_pack_is_a_part_of_the_larger_one() -> None:
    """7,000 of 13,000 hands of Pokibots and Simbots, the decisions of the Simbots."""
    first, second = (read_pack(pack_path(name)) for name in ("casper01", "casper02"))
    assert first.system == second.system
    for pack, hands in ((first, 7_000), (second, 13_000)):
        assert pack.recipe["hands"]["read"] == hands
        assert all(name.startswith("simbot") for name in pack.recipe["players"])
        verify_counts(pack, "the shipped pack")
    for stage, base in first.bases.items():
        assert 0.5 < len(base) / len(second.bases[stage]) < 0.6
        assert np.array_equal(base.values, second.bases[stage].values[: len(base)])
        assert np.array_equal(base.counts, second.bases[stage].counts[: len(base)])


def test_a_pack_is_read_once_and_again_when_it_changes(tmp_path: Path) -> None:
    aces = after("")
    path = tmp_path / "pack.parquet"
    first, second = knowing(path, (aces, "call", 2)), Casper(pack=str(path))
    second.begin_match(start(named_game(GAME)))
    assert first.pack_ is second.pack_
    write_pack(pack_of([(aces, "raise")] * 2), path)
    os.utime(path, ns=(1, 1))
    second.begin_match(start(named_game(GAME)))
    assert shares(second.act(aces))[ActionKind.RAISE] == 1.0


def test_weights_of_a_file_change_what_is_similar(tmp_path: Path) -> None:
    """With all weight on the bets to call, every hand under the gun is like every other."""
    aces, trash = (after("", f"2h3h 4h5h {own} 8c8d 9c9d TcTd 2c5s9h 6d 3s") for own in ("AhAs", "7c2d"))
    path, weights = tmp_path / "pack.parquet", tmp_path / "weights.toml"
    plain = knowing(path, (aces, "raise", 1), (trash, "fold", 1))
    weights.write_text(
        format_weights({"preflop": dict.fromkeys(schema("preflop").names, 0.0) | {"bets to call": 5.0}})
    )
    blind = Casper(pack=str(path), weights=str(weights))
    blind.begin_match(start(named_game(GAME)))
    assert shares(plain.act(aces))[ActionKind.RAISE] == 1.0
    assert shares(blind.act(aces)) == {ActionKind.FOLD: 0.5, ActionKind.RAISE: 0.5, ActionKind.CALL: 0.0}


def test_a_file_that_changes_without_growing_is_read_again(tmp_path: Path, watched: Path) -> None:
    path = tmp_path / "weights.toml"
    found = []
    for weight in (6.0, 7.0):
        path.write_text(format_weights({"flop": {"pot odds": weight}}))
        os.utime(path, ns=(0, int(weight)))
        agent = Casper(pack=str(watched), weights=str(path))
        agent.begin_match(start(named_game(GAME)))
        found.append(agent.retrieve_["flop"].similarity.weights()["pot odds"])
    assert found == [6.0, 7.0]


def test_a_changed_pack_is_another_agent(tmp_path: Path) -> None:
    """The arena's journal asks for the digest of the files that an agent reads."""
    bot, path, weights = tmp_path / "bot.py", tmp_path / "pack.parquet", tmp_path / "weights.toml"
    bot.write_text("from railbird.agents.casper.agent import Casper\n", encoding="utf-8")
    weights.write_text(format_weights({"flop": {"pot odds": 6.0}}))
    spec = f"{bot}:Casper:pack={path},weights={weights}"
    knowing(path, (after(""), "call", 1))
    before = fingerprint(spec, trusted=True)
    knowing(path, (after(""), "call", 2))
    after_pack = fingerprint(spec, trusted=True)
    weights.write_text(format_weights({"flop": {"pot odds": 7.0}}))
    assert len({before, after_pack, fingerprint(spec, trusted=True)}) == 3
    made = make_agent(spec)
    assert isinstance(made, casper.Casper)
    assert made.pack == str(path)


def test_what_cannot_be_read_is_refused_with_a_sentence(tmp_path: Path) -> None:
    rules = named_game(GAME)
    other, few, wrong = (tmp_path / f"{name}.parquet" for name in ("other", "few", "wrong"))
    write_pack(Pack("baycarp", {}), other)
    write_pack(Pack(ONE_CARD, {stage: CaseBase(schema(stage)) for stage in STAGES[:3]}), few)
    strange = Schema((Number("mood"),), ("fold", "call", "raise"))
    write_pack(Pack(ONE_CARD, {stage: CaseBase(strange) for stage in STAGES}), wrong)
    for agent, error, sentence in (
        (
            Casper(pack=str(tmp_path / "none.parquet")),
            MissingKnowledge,
            "none.parquet: cannot be read: No such file",
        ),
        (
            Casper(pack="caspar02"),
            MissingKnowledge,
            "no pack is called 'caspar02': there are .* a path that ends in .parquet",
        ),
        (Casper(pack=str(other)), PackError, "other.parquet: holds cases of baycarp, not of casper"),
        (Casper(pack=str(few)), PackError, "few.parquet: has no base 'river'"),
        (Casper(pack=str(wrong)), PackError, "wrong.parquet: preflop has another schema"),
    ):
        with pytest.raises(error, match=sentence):
            agent.verify_game(rules)


@pytest.mark.parametrize(("system", "look_ahead"), [(ONE_CARD, 1), (TWO_CARDS, 2), ("casper", 2)])
def test_potentials_look_as_far_ahead_as_those_of_the_pack(
    system: str, look_ahead: int, tmp_path: Path
) -> None:
    """Packs that do not say how far were made when all cards to come were considered."""
    path = tmp_path / "pack.parquet"
    bases = {stage: CaseBase(schema(stage)) for stage in STAGES}
    flop = after("cccccc/")
    for done in ("call", "raise"):
        bases["flop"].add(describe(flop, look_ahead), done)
    write_pack(Pack(system, bases), path)
    assert require_pack(read_pack(path), str(path)) == look_ahead
    agent = Casper(pack=str(path))
    agent.begin_match(start(flop.rules))
    _, episode = agent.decide(flop)
    assert episode.target.description == describe(flop, look_ahead) != describe(flop, 3 - look_ahead)
    assert episode.retrieved is not None
    assert episode.retrieved.similarities.tolist() == [1.0, 1.0]


def test_a_look_ahead_that_no_flop_has_is_refused() -> None:
    bases = {stage: CaseBase(schema(stage)) for stage in STAGES}
    with pytest.raises(SpecError, match="no look-ahead is called '3': there are 1, 2"):
        require_pack(Pack("casper:look-ahead=3", bases), "my.parquet")
    with pytest.raises(SpecError, match="no parameter of casper is called 'mood'"):
        require_pack(Pack("casper:mood=2", bases), "my.parquet")


def test_weights_that_do_not_exist_are_refused(watched: Path) -> None:
    agent = Casper(pack=str(watched), weights="lucky")
    with pytest.raises(
        MissingKnowledge, match="no file of weights is called 'lucky': .* a path that ends in .toml"
    ):
        agent.verify_game(named_game(GAME))


def test_parameters_that_make_no_sense_are_refused() -> None:
    with pytest.raises(SimilarityError, match="a threshold must be a similarity between 0 and 1, not 97.0"):
        Casper(threshold=97.0)
    with pytest.raises(SimilarityError, match="at least one case must be retrieved, not 0"):
        Casper(k=0)


# Reasons


@pytest.mark.parametrize(
    ("reuse", "chances", "said"),
    [
        ("dice", (0.6, 0.4, 0.0), "the experts folded (60 %) or called (40 %)."),
        ("max-frequency", (1.0, 0.0, 0.0), "or called (40 %). It takes the most frequent action."),
        (
            "best-outcome",
            (0.0, 1.0, 0.0),
            "or called (40 %). It takes the action with the best outcome: where they called, +2.00 small bets.",
        ),
    ],
)
def test_reuse_selects_how_the_cases_decide(
    tmp_path: Path, reuse: casper.CasperReuse, chances: tuple[float, ...], said: str
) -> None:
    rules = named_game(GAME)
    observation = Observation.of(State.deal(Setup.of(rules), Stream.from_seed(3)), 2, start(rules).players)
    bases = {stage: CaseBase(schema(stage)) for stage in STAGES}
    for done, won in (("fold", 0.0),) * 3 + (("call", 1.0), ("call", 3.0)):
        bases["preflop"].add(describe(observation), done, won)
    write_pack(Pack(ONE_CARD, bases), tmp_path / "few.parquet")
    agent = Casper(pack=str(tmp_path / "few.parquet"), reuse=reuse)
    agent.begin_match(start(rules))
    decision = agent.act(observation)
    found = {action.kind: chance for action, chance in decision.strategy}
    assert tuple(found.get(kind, 0.0) for kind in ActionKind) == pytest.approx(chances)
    assert decision.explanation.summary.endswith(said)


def test_the_reasons_list_who_did_what_with_which_cards(tmp_path: Path) -> None:
    flop = after("frfccf/r")
    agent = knowing(tmp_path / "pack.parquet", (flop, "call", 12), (flop, "fold", 71), (flop, "raise", 1))
    decision = agent.act(flop)
    assert decision.explanation.summary == (
        "In 84 similar situations the experts folded (85 %), called (14 %) or raised (1.2 %)."
    )
    counts, listed, values, similarities = decision.explanation.sections
    assert isinstance(counts, Bars)
    assert [(bar.label, bar.value) for bar in counts.bars] == [("folded", 71), ("called", 12), ("raised", 1)]
    assert isinstance(listed, TableSection)
    assert listed.columns == ("case", "similarity", "expert's action", "hand", "player", "cards", "board")
    assert len(listed.rows) == 20
    assert listed.rows[0] == (0, 1.0, "called", "0", f"player {flop.seat}", "7c2d", "2h5h9c")
    assert isinstance(values, TableSection)
    assert [row[0] for row in values.rows] == list(schema("flop").names)
    assert isinstance(similarities, TableSection)


def test_the_similarities_shown_add_up(decisions: list[Decided], watched: Path) -> None:
    """The weighted mean of a column is what stands below it, and what stands in the list of situations."""
    agent = Casper(pack=str(watched))
    agent.begin_match(start(named_game(GAME)))
    for observation, _ in decisions[1::60]:
        stage = STAGES[observation.round]
        explanation = agent.act(observation).explanation
        _, listed, values, table = explanation.sections
        assert isinstance(table, TableSection)
        assert isinstance(listed, TableSection)
        assert isinstance(values, TableSection)
        *rows, total = table.rows
        weights = [float(row[1]) for row in rows]
        assert total[:2] == ("total", sum(weights))
        for place in range(2, len(total)):
            mean = sum(weight * float(row[place]) for weight, row in zip(weights, rows, strict=True)) / sum(
                weights
            )
            assert mean == pytest.approx(float(total[place]))
            assert total[place] == listed.rows[place - 2][1]
        here = describe(observation)
        assert [row[1] for row in values.rows] == [worded(schema(stage), *each) for each in here.items()]
        assert explanation_from_json(json.loads(json.dumps(explanation.to_json()))) == explanation


def test_words_fit_the_situation(tmp_path: Path) -> None:
    """Nobody calls where nothing is to call, and the first bet of a round is no raise; the big blind is a bet."""
    for letters, done, sentence in (
        ("ffffcc/", "call", "In 2 similar situations the experts always checked."),
        ("ffffcc/", "raise", "In 2 similar situations the experts always bet."),
        ("ffffcc/r", "raise", "In 2 similar situations the experts always raised."),
        ("ffffc", "call", "In 2 similar situations the experts always checked."),
        ("ffffc", "raise", "In 2 similar situations the experts always raised."),
        ("fff", "fold", "In 2 similar situations the experts always folded."),
    ):
        observation = after(letters)
        decision = knowing(tmp_path / "pack.parquet", (observation, done, 2)).act(observation)
        assert decision.explanation.summary == sentence
        _, listed, *_ = decision.explanation.sections
        assert isinstance(listed, TableSection)
        assert str(listed.rows[0][2]) == sentence.removesuffix(".").split()[-1]
    one = knowing(tmp_path / "pack.parquet", (after(""), "raise", 1)).act(after(""))
    assert one.explanation.summary == "In one similar situation the expert raised."


def test_merged_situations_count_all_their_decisions(tmp_path: Path) -> None:
    """A pack may hold equal situations as one case."""
    aces = after("")
    base = CaseBase(schema("preflop"))
    for done in ("raise", "raise", "call"):
        base.add(describe(aces), done, merge=True)
    others = {stage: CaseBase(schema(stage)) for stage in STAGES[1:]}
    path = tmp_path / "merged.parquet"
    write_pack(Pack(ONE_CARD, {"preflop": base, **others}), path)
    decision = Casper(pack=str(path)).act(aces)
    assert (
        decision.explanation.summary == "In 3 similar situations the experts raised (67 %) or called (33 %)."
    )
    _, listed, *_ = decision.explanation.sections
    assert isinstance(listed, TableSection)
    assert listed.rows == ((0, 1.0, "called once, raised 2 times"),)


def test_the_command_explains_it(tmp_path: Path, watched: Path) -> None:
    bot = tmp_path / "bot.py"
    bot.write_text("from railbird.agents.casper.agent import Casper\n", encoding="utf-8")
    state = "MATCHSTATE:2:7::||AhKd|||"
    outcome = railbird("explain", f"{bot}:Casper:pack={watched}", "--state", state, "--game", GAME)
    assert outcome.code == 0, outcome.error
    text = outcome.out.decode()
    for line in (
        "similar situations the experts",
        "the most similar situations",
        "hand strength",
        "total",
    ):
        assert line in text
    data = railbird(
        "explain", f"{bot}:Casper:pack={watched}", "--state", state, "--game", GAME, "--json", "-"
    )
    assert json.loads(data.out)["explanation"]["facts"]["similar situations"] >= 1
    wrong = railbird("explain", f"{bot}:Casper:pack=nothing", "--state", state, "--game", GAME)
    assert (wrong.code, wrong.error.count("\n")) == (2, 1)
    assert "no pack is called 'nothing'" in wrong.error
