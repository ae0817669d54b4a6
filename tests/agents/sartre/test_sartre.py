"""SARTRE heads-up: the paper's examples, its attributes, merged cases, and play by the most similar situation."""

from pathlib import Path

import numpy as np
import pytest

from railbird.agent import MatchStart, UnsuitableGame, make_agent
from railbird.agents.sartre.agent import Sartre
from railbird.agents.sartre.cases import BOARD_TEXTURES, STAGES, Grading, limit_table
from railbird.agents.sartre.explanation import LEVEL_WORDS
from railbird.agents.sartre.hand_strength import HandFinder, HandStrength, HandStrengthError
from railbird.agents.sartre.imitator import Reuse
from railbird.agents.sartre.sequences import SteppedSimilarity, betting_sequence, raises_in
from railbird.agents.sartre.situations import Situations
from railbird.arena.run.contest import match
from railbird.cards import parse_cards
from railbird.cbr.case_base import CaseBase
from railbird.cbr.packs.files import Pack, PackError, read_pack, write_pack
from railbird.cbr.packs.merging import merged, split
from railbird.engine.actions import CALL, FOLD, raise_to
from railbird.engine.games import named_game
from railbird.engine.setup import Setup
from railbird.engine.state import State
from railbird.equities.strength import strength
from railbird.explanation import Bars, TableSection
from railbird.hands.boards import TEXTURE_TITLES, Texture
from railbird.hands.holdings import blocked_by, cards_of
from railbird.learning.packs import watch
from railbird.learning.systems import system_named
from railbird.observation import Observation
from railbird.rng import Stream
from railbird.spec import SpecError

HEADS_UP = named_game("limit-2p")
PLAYERS = ("expert", "other")
REUSES: tuple[Reuse, ...] = ("probabilistic", "max-frequency", "best-outcome")


@pytest.fixture(scope="module")
def log(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Hands of two experts whose cards are known."""
    path = tmp_path_factory.mktemp("hands") / "hands.log"
    match(["pokibot", "rulebot"], hands=150, seed=5, log=path)
    return path


@pytest.fixture(scope="module")
def pack(log: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    path = tmp_path_factory.mktemp("packs") / "pokibot.parquet"
    watch(log, ["pokibot"], system="sartre", output=path)
    return path


def start(rules_name: str = "limit-2p", seed: int = 1) -> MatchStart:
    return MatchStart(named_game(rules_name), PLAYERS[0], PLAYERS, Stream.from_seed(seed))


def decisions(agent: Sartre, hands: int) -> list[tuple[Observation, tuple[float, ...]]]:
    """The situations in which an agent decided against itself, with its probabilities."""
    found = []
    agent.begin_match(start())
    for number in range(hands):
        state = State.deal(Setup.of(HEADS_UP), Stream.from_seed(number))
        while state.actor is not None:
            observation = Observation.of(state, state.actor, PLAYERS, number)
            decision = agent.act(observation)
            found.append((observation, tuple(chance for _, chance in decision.strategy or ())))
            state.act(decision.action)
    return found


class TestSequences:
    # Two of the paper's sequences are printed without some of their letters, so that they contradict its text:
    # "crcc-crrrc-cr", where each player raises once before the flop and equally often on the flop, and
    # "cc-rc-rc-rrr", where each player raises once before the river.
    @pytest.mark.parametrize(
        ("one", "other", "similarity"),
        [
            ("crrc-crrrrc-cr", "rrc-rrrrc-cr", 0.9),
            ("rrc-cc-cc-rrr", "cc-rc-crc-rrr", 0.8),
            ("rrc-cc-cc-rrr", "cc-rc-rc-rrr", 0.0),
            ("rrc-cc-cc-rrr", "rrc-cc-cc-rrr", 1.0),
            ("rc-c", "cc-c", 0.0),
            ("rc-c", "rc-", 0.0),
            ("crc-rc-c", "rc-crc-c", 0.0),
            ("crc-crc-c", "rc-rc-c", 0.8),
            ("r", "cr", 0.0),
        ],
    )
    def test_steps_are_those_of_the_paper(self, one: str, other: str, similarity: float) -> None:
        assert SteppedSimilarity(2)(one, other) == similarity
        assert SteppedSimilarity(2)(other, one) == similarity

    def test_raises_belong_to_the_players_in_their_order(self) -> None:
        # Seat 0 is the big blind, seat 1 the dealer, who begins before the flop.
        assert raises_in("crrrc-crc-", 2).by_round == ((2, 1), (0, 1))
        # Seats 0, 1 and 2 are small blind, big blind and dealer.
        assert raises_in("rcrrcc-crrrrcc-ccr", 3).by_round == ((0, 1, 2), (1, 2, 1))
        assert raises_in("frc-r", 3) == (((1, 0, 0),), (0, 1), "r")
        assert raises_in("rcc-crfc-c", 3).active == (0, 1)

    @pytest.mark.parametrize("game", ["limit-2p", "limit-3p"])
    def test_raises_of_real_hands_are_those_that_were_made(self, game: str) -> None:
        rules = named_game(game)
        choices = np.random.default_rng(3)
        for number in range(200):
            state = State.deal(Setup.of(rules), Stream.from_seed(number))
            made = [[0] * rules.players for _ in range(4)]
            while state.actor is not None:
                round_, seat = (
                    Observation.of(state, state.actor, ("a", "b", "c")[: rules.players]).round,
                    state.actor,
                )
                read = raises_in(betting_sequence(state.node), rules.players)
                assert read.by_round == tuple(map(tuple, made[:round_]))
                assert seat in read.active
                action = state.node.choices[int(choices.integers(len(state.node.choices)))]
                made[round_][seat] += action.kind.name == "RAISE"
                state.act(action)

    def test_a_case_is_told_in_words(self) -> None:
        schema = limit_table(HandStrength.parse("ehs2-50"), 2).schemas["preflop"]
        assert schema.told("hole cards", 1) == "AA (rank 1 of 169)"
        assert schema.told("betting sequence", "cr") == "preflop: call, raise (cr)"
        for stranger in ("ff-", "x", "-----"):
            assert schema.told("betting sequence", stranger) == stranger
        flop = limit_table(HandStrength.parse("ehs2-50"), 2).schemas["flop"]
        assert flop.told("hand strength", 37) == "37 of 50"

    def test_a_sequence_is_written_as_in_the_paper(self) -> None:
        state = State.deal(Setup.of(HEADS_UP), Stream.from_seed(1))
        assert betting_sequence(state.node) == ""
        for action, sequence in [
            (CALL, "c"),
            (raise_to(20), "cr"),
            (CALL, "crc-"),
            (CALL, "crc-c"),
            (CALL, "crc-cc-"),
            (raise_to(20), "crc-cc-r"),
            (FOLD, "crc-cc-rf"),
        ]:
            state.act(action)
            assert betting_sequence(state.node) == sequence


class TestAttributes:
    def test_the_matrix_is_that_of_figure_3(self) -> None:
        rows = np.array(BOARD_TEXTURES.rows)
        assert (rows == rows.T).all()
        assert (rows.diagonal() == 1.0).all()
        letters = {texture.letter: texture.label for texture in Texture}
        for one, other, similarity in [
            ("B", "C", 0.8), ("B", "D", 0.7), ("C", "D", 0.7), ("E", "F", 0.8), ("E", "G", 0.7), ("E", "I", 0.6),
            ("F", "G", 0.7), ("F", "I", 0.5), ("G", "H", 0.8), ("G", "I", 0.8), ("H", "I", 0.8), ("A", "B", 0.0),
            ("D", "E", 0.0), ("F", "H", 0.0),
        ]:  # fmt: skip
            assert BOARD_TEXTURES(letters[one], letters[other]) == similarity
        assert (rows > 0).sum() == 9 + 2 * 11

    def test_equation_2_falls_with_the_distance_of_buckets(self) -> None:
        similarity = limit_table(HandStrength.parse("ehs2-50"), 2, Grading.GRADED, 2.0).similarity("flop")
        here: dict[str, float | str] = {
            "hand strength": 20,
            "betting sequence": "cc-",
            "board texture": "No-Salient",
        }
        there = {**here, "hand strength": 30}
        assert similarity.locals_of(here, there)["hand strength"] == pytest.approx(1 - 2 * 10 / 50)
        assert similarity(here, there) == pytest.approx((0.6 + 1 + 1) / 3)
        assert similarity.locals_of(here, {**here, "hand strength": 49})["hand strength"] == 0.0

    @pytest.mark.parametrize("name", ["ehs2-50", "ehs-20", "ehs2-20", "categories"])
    @pytest.mark.parametrize("board", ["Kd7s2s", "Kd7s2s9h", "Kd7s2s9h3c"])
    def test_all_holdings_have_the_values_of_each_one(self, name: str, board: str) -> None:
        finder, cards = HandFinder(HandStrength.parse(name)), parse_cards(board)
        every = finder.values(cards)
        free = np.flatnonzero(~blocked_by(cards))
        assert {place for place, value in enumerate(every) if value is None} == set(range(1326)) - set(
            free.tolist()
        )
        for each in free[::97].tolist():
            assert every[each] == finder.value(cards_of(each), cards)

    def test_buckets_divide_the_measure_evenly(self) -> None:
        cards, board = parse_cards("JhTh"), parse_cards("9h8c2h")
        measured = strength(cards, board)
        squares, means = (HandFinder(HandStrength.parse(name)) for name in ("ehs2-50", "ehs-20"))
        assert squares.value(cards, board) == 1 + int(50 * measured.expected_hs_squared)
        assert means.value(cards, board) == 1 + int(20 * measured.expected_hs)

    def test_an_unknown_way_to_describe_hands_is_refused(self) -> None:
        for name in ("ehs3-50", "ehs2", "ehs2-0", ""):
            with pytest.raises(HandStrengthError, match="hands cannot be described by"):
                HandStrength.parse(name)

    def test_a_situation_has_the_attributes_of_table_1(self) -> None:
        state = State.deal(Setup.of(HEADS_UP), Stream.from_seed(4))
        situations = Situations(HandStrength.parse("ehs2-50"))
        before = situations.describe(Observation.of(state, 1, PLAYERS))
        assert set(before) == {"hole cards", "betting sequence"}
        state.act(CALL)
        state.act(CALL)
        after = situations.describe(Observation.of(state, 0, PLAYERS))
        assert set(after) == {"hand strength", "betting sequence", "board texture"}
        assert after["betting sequence"] == "cc-"


class TestWatching:
    def test_merged_cases_hold_the_same_decisions_in_fewer_cases(self, log: Path) -> None:
        single = watch(log, None, system="sartre:solutions=single").pack
        vector = watch(log, None, system="sartre").pack
        assert single.system == vector.system == "sartre"
        for stage in STAGES:
            assert single.bases[stage].is_single
            assert single.bases[stage].decisions == vector.bases[stage].decisions
            same = merged(single.bases[stage])
            assert (same.values == vector.bases[stage].values).all()
            assert (same.counts == vector.bases[stage].counts).all()
            assert same.sums == pytest.approx(vector.bases[stage].sums)
        assert len(vector) < len(single)
        assert not vector.riders["flop"]

    def test_a_pack_can_be_written_and_read(self, pack: Path) -> None:
        found = read_pack(pack)
        assert found.system == "sartre"
        assert found.recipe["players"] == ["pokibot"]
        system = system_named(found.system)
        found.require("sartre", system.table.schemas)

    def test_systems_have_their_parameters_in_their_names(self) -> None:
        assert system_named("sartre:strength=categories").name == "sartre:strength=categories"
        assert system_named("sartre:strength=ehs2-50").name == "sartre"
        assert system_named("sartre-3p").name == "sartre-3p"
        with pytest.raises(SpecError, match="parameter of sartre"):
            system_named("sartre:strenght=ehs2-50")
        with pytest.raises(SpecError, match="form of solutions"):
            system_named("sartre:solutions=both")

    def test_hands_of_other_games_are_not_watched(self, log: Path) -> None:
        with pytest.raises(ValueError, match="none of 150 hands is limit hold'em with three players"):
            watch(log, None, system="sartre-3p")


class TestPlay:
    def test_the_expert_is_imitated_where_it_was_watched(self, pack: Path) -> None:
        """In a situation that was watched, the counts of exactly that situation decide."""
        found = read_pack(pack)
        agent = Sartre(str(pack), reuse="probabilistic")
        situations = Situations(HandStrength.parse("ehs2-50"))
        known = 0
        for observation, _ in decisions(agent, 60):
            base = found.bases[STAGES[observation.round]]
            description = situations.describe(observation)
            same = [case for case in base if case.description == description]
            if same:
                known += 1
                counts = np.array(list(same[0].counts.values()))
                expected = counts / counts.sum()
                episode = agent.imitator_.episode(observation)
                assert episode.strategy is not None
                assert episode.strategy.probabilities == pytest.approx(expected)
        assert known > 20

    def test_single_and_vector_solutions_give_the_same_strategy(self, pack: Path, tmp_path: Path) -> None:
        """Table 2: merging loses nothing; equal situations of single cases vote together."""
        vector = read_pack(pack)
        bases = {stage: split(base) for stage, base in vector.bases.items()}
        write_pack(Pack("sartre", bases), tmp_path / "single.parquet")
        paths = (pack, tmp_path / "single.parquet")
        for reuse in REUSES:
            agents = [Sartre(str(path), "all-or-nothing", "equal", reuse) for path in paths]
            agents[1].begin_match(start())
            for observation, _ in decisions(agents[0], 25):
                one, other = (agent.imitator_.episode(observation).strategy for agent in agents)
                assert one is not None
                assert other is not None
                assert one.probabilities == pytest.approx(other.probabilities)

    def test_without_an_equal_situation_it_calls(self, tmp_path: Path) -> None:
        system = system_named("sartre")
        bases = {stage: CaseBase(schema) for stage, schema in system.table.schemas.items()}
        write_pack(Pack("sartre", bases), tmp_path / "empty.parquet")
        agent = Sartre(str(tmp_path / "empty.parquet"), retrieval="equal")
        agent.begin_match(start())
        state = State.deal(Setup.of(HEADS_UP), Stream.from_seed(1))
        decision = agent.act(Observation.of(state, 1, PLAYERS))
        assert decision.action == CALL
        assert "never seen" in decision.explanation.summary

    @pytest.mark.parametrize("reuse", REUSES)
    def test_the_strategy_of_all_holdings_is_that_of_each(self, pack: Path, reuse: Reuse) -> None:
        agent = Sartre(str(pack), reuse=reuse)
        for observation, _ in decisions(agent, 12)[::3]:
            holdings = np.flatnonzero(~blocked_by(observation.board))[::53]
            stated = agent.strategies(observation, holdings)
            for place, each in enumerate(holdings.tolist()):
                assert stated.row(place) == agent.act(observation.holding(cards_of(each))).strategy

    def test_an_explanation_shows_the_case_and_the_level_of_its_sequence(self, pack: Path) -> None:
        agent = Sartre(str(pack))
        agent.begin_match(start())
        state = State.deal(Setup.of(HEADS_UP), Stream.from_seed(2))
        state.act(CALL)
        state.act(CALL)
        why = agent.act(Observation.of(state, 0, PLAYERS)).explanation
        facts = {fact.name: fact.value for fact in why.facts}
        assert facts["betting sequence"] in LEVEL_WORDS
        kinds = [type(section) for section in why.sections]
        assert kinds[0] is Bars
        tables = [section for section in why.sections if isinstance(section, TableSection)]
        compared = {row[0]: row[1] for row in tables[0].rows}
        assert compared["board texture"] in TEXTURE_TITLES.values()
        assert "the expert" in why.summary

    def test_other_games_and_other_packs_are_refused(self, pack: Path) -> None:
        with pytest.raises(UnsuitableGame, match="plays with 2 players"):
            Sartre(str(pack)).verify_game(named_game("limit-3p"))
        with pytest.raises(UnsuitableGame, match="limit hold'em only"):
            Sartre(str(pack)).verify_game(named_game("nolimit-2p"))
        with pytest.raises(PackError, match="holds cases of casper"):
            Sartre("casper02").verify_game(HEADS_UP)

    def test_shipped_agents_play(self) -> None:
        for name in ("sartre", "sartre-2010"):
            match([name, "always-call"], hands=30, seed=2, faults="strict")
            assert make_agent(name).files()[0].is_file()
