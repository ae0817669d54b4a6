"""SartreNL: the paper's examples of §6, bets read and made, cases watched, and play at no-limit."""

import lzma
from collections import Counter
from fractions import Fraction
from itertools import islice, pairwise
from math import exp
from pathlib import Path
from random import Random

import numpy as np
import pytest

from railbird.agent import MatchStart, UnsuitableGame, drawn, make_agent
from railbird.agents.sartre.cases import STAGES
from railbird.agents.sartre.hand_strength import RANKS
from railbird.agents.sartre.imitator import Reuse
from railbird.agents.sartre.nolimit.agent import SartreNL, SartreNL2010
from railbird.agents.sartre.nolimit.amounts import Amounts, scaled
from railbird.agents.sartre.nolimit.cases import COMMITMENT, nolimit_table, stack_commitment
from railbird.agents.sartre.nolimit.sequences import BETS, BetSimilarity, SequenceReader
from railbird.arena.run.contest import match
from railbird.cbr.packs.files import PackError, read_pack
from railbird.engine.actions import CALL, FOLD, Action, ActionKind, raise_to
from railbird.engine.games import named_game
from railbird.engine.setup import Setup
from railbird.engine.state import State
from railbird.explanation import TableSection
from railbird.hands.holdings import blocked_by, cards_of
from railbird.kernels.rules import betting
from railbird.learning.packs import watch
from railbird.learning.systems import system_named
from railbird.observation import Observation
from railbird.rng import Stream
from railbird.strategies.actions import (
    SARTRE,
    ActionAbstraction,
    Translation,
    Translator,
    chance_at,
    raise_share,
)
from strategies import random_action, random_style

NO_LIMIT = named_game("nolimit-2p")
PLAYERS = ("hero", "villain")
WITHOUT_ALL_IN = ActionAbstraction("fcqhipdvt")
ODD_GAMES = (
    "nolimit-2p",
    "nolimit-2p:stack=700/20000",
    "nolimit-2p:stack=20000/130",
    "nolimit-2p:stack=60/90",
)
HARD = Translator(Translation.HARD)


@pytest.fixture(scope="module")
def log(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Hands of an expert and of a random player, whose bets have all sizes."""
    path = tmp_path_factory.mktemp("hands") / "hands.log"
    match(["equilibrium", "random"], hands=200, seed=5, game="nolimit-2p", log=path)
    return path


@pytest.fixture(scope="module")
def packs(log: Path, tmp_path_factory: pytest.TempPathFactory) -> dict[str, Path]:
    """What was watched with and without all-in."""
    folder = tmp_path_factory.mktemp("packs")
    found = {}
    for name, system in (("2011", "sartre-nl"), ("2010", f"sartre-nl:actions={WITHOUT_ALL_IN}")):
        found[name] = folder / f"{name}.parquet"
        watch(log, None, system=system, output=found[name])
    return found


@pytest.fixture(scope="module")
def agents(packs: dict[str, Path]) -> dict[str, SartreNL]:
    return {"2011": SartreNL(str(packs["2011"])), "2010": SartreNL2010(str(packs["2010"]))}


def start(game: str = "nolimit-2p", seed: int = 1) -> MatchStart:
    return MatchStart(named_game(game), PLAYERS[0], PLAYERS, Stream.from_seed(seed))


def after(*actions: Action, game: str = "nolimit-2p") -> State:
    """A hand after some actions."""
    state = State.deal(Setup.of(named_game(game)), Stream.from_seed(4))
    for action in actions:
        state.act(action)
    return state


def situations(agent: SartreNL, game: str, hands: int, seed: int = 3) -> list[Observation]:
    """The decisions of an agent against players who do anything, in both seats."""
    found, random = [], Random(seed)
    agent.begin_match(start(game))
    for number in range(hands):
        style = random_style(random)
        state = State.deal(Setup.of(named_game(game)), Stream.from_seed(number))
        while state.actor is not None:
            if state.actor == number % 2:
                observation = Observation.of(state, state.actor, PLAYERS, number)
                found.append(observation)
                state.act(agent.act(observation).action)
            else:
                state.act(random_action(random, state.node.legal, style))
    return found


class TestSimilarity:
    def test_the_example_of_equation_7(self) -> None:
        similarity = BetSimilarity(0.05)
        assert similarity("ihpc", "dqpc") == pytest.approx(0.85)
        assert similarity("dqpc", "ihpc") == pytest.approx(0.85)
        assert BetSimilarity(0.1)("ihpc", "dqpc") == pytest.approx(0.7)

    @pytest.mark.parametrize(("one", "other", "distance"), [("h", "i", 1), ("q", "t", 6), ("p", "p", 0)])
    def test_distances_are_those_of_table_11(self, one: str, other: str, distance: int) -> None:
        assert BETS == "qhipdvt"
        assert BetSimilarity(0.05)(one, other) == pytest.approx(1 - 0.05 * distance)

    @pytest.mark.parametrize(
        ("one", "other"),
        [
            ("pc", "pp"),  # a call and a bet
            ("pa", "pt"),  # all-in is not a large bet
            ("pc-", "pc-c"),  # not equally long
            ("cpc-", "pc-c"),  # rounds do not end at the same place
            ("pf", "pc"),
        ],
    )
    def test_calls_all_ins_and_rounds_must_be_at_the_same_places(self, one: str, other: str) -> None:
        for each in (BetSimilarity(), BetSimilarity(0.001)):
            assert each(one, other) == each(other, one) == 0.0
            assert each(one, one) == 1.0

    def test_similarity_is_never_negative(self) -> None:
        assert BetSimilarity(0.05)("qqqqc-", "ttttc-") == 0.0
        assert BetSimilarity(0.5)("q", "t") == 0.0

    def test_equation_8_and_the_plain_mean(self) -> None:
        similarity = nolimit_table(SARTRE, 0.05, 1.0).similarity("flop")
        here: dict[str, float | str] = {
            "hand strength": 20, "betting sequence": "pc-h", COMMITMENT: 1, "board texture": "No-Salient",
        }  # fmt: skip
        there = {**here, "hand strength": 25, "betting sequence": "ic-h", COMMITMENT: 3}
        assert similarity.locals_of(here, there) == pytest.approx(
            {"hand strength": 0.9, "betting sequence": 0.95, COMMITMENT: exp(-2), "board texture": 1.0}
        )
        assert similarity(here, there) == pytest.approx((0.9 + 0.95 + exp(-2) + 1) / 4)
        for distance in range(4):
            same = similarity.locals_of(here, {**here, COMMITMENT: 1 + distance})[COMMITMENT]
            assert same == pytest.approx(exp(-distance))

    def test_stack_commitment_has_four_categories(self) -> None:
        bounds = {0: 1, 4999: 1, 5000: 2, 9999: 2, 10000: 3, 14999: 3, 15000: 4, 19999: 4, 20000: 4}
        assert {paid: stack_commitment(paid, 20000) for paid in bounds} == bounds


class TestReading:
    def read(self, *actions: Action, letters: ActionAbstraction = SARTRE, game: str = "nolimit-2p") -> str:
        return SequenceReader(letters, HARD).sequence(after(*actions, game=game).node)

    def test_a_sequence_has_letters_and_hyphens(self) -> None:
        assert self.read() == ""
        # Raises to 300 and 900 are the pot: 200 after the call of 50, and 600. A bet of 900 in 1800 is half of it.
        pots = (raise_to(300), raise_to(900), CALL)
        assert self.read(*pots) == "ppc-"
        assert self.read(*pots, raise_to(900)) == "ppc-h"
        assert self.read(*pots, raise_to(900), FOLD) == "ppc-hf"
        assert self.read(CALL, CALL, CALL, CALL, raise_to(19900)) == "cc-cc-a"

    def test_bets_of_any_size_are_read_by_ratio(self) -> None:
        # √(1 · 2) = 1.414: the bound between the pot and twice the pot, after a call of 200.
        assert self.read(raise_to(100 + 282)) == "p"
        assert self.read(raise_to(100 + 283)) == "d"

    def test_a_bet_below_the_smallest_letter_is_read_as_it(self) -> None:
        assert self.read(raise_to(2100), CALL, raise_to(100)) == "tc-q"  # 1/42 of the pot

    def test_a_bet_is_read_by_its_share_also_where_its_letter_would_not_be_legal(self) -> None:
        # A bet of 200 into 200: the least raise is by 200 into 600, and a quarter of the pot is less.
        view = after(CALL, CALL, raise_to(200)).node.view
        assert view[betting.RAISE_MINIMUM] == 400
        assert "q" not in {choice.letter for choice in SARTRE.choices(view)}
        assert self.read(CALL, CALL, raise_to(200), raise_to(400)) == "cc-pq"

    def test_all_in_is_a_letter_unless_there_is_none(self) -> None:
        short = "nolimit-2p:stack=450"
        # All 450 chips are a raise by 350 into 200, 1.75 times the pot.
        assert self.read(raise_to(450), game=short) == "a"
        assert self.read(raise_to(450), game=short, letters=WITHOUT_ALL_IN) == "d"
        assert self.read(raise_to(20000)) == "a"
        assert self.read(raise_to(20000), letters=WITHOUT_ALL_IN) == "t"
        # Between the pot and all-in, twice the pot does not exist: √(1 · 1.75) = 1.32 times 200.
        assert self.read(raise_to(100 + 264), game=short) == "p"
        assert self.read(raise_to(100 + 265), game=short) == "a"

    def test_frequencies_of_soft_translation_are_those_of_equations_4_and_5(self) -> None:
        view, stream = after().node.view, Stream.from_seed(9)
        translator = Translator(Translation.SOFT, stream)
        numbers = np.array([chance_at(stream, hand, 0) for hand in range(100_000)])
        for to in (100 + 130, 100 + 251, 100 + 600, 5000):  # between two letters each
            bets = SARTRE.readable(view, to)
            x, y, b = float(bets[0].share), float(bets[1].share), (to - 100) / 200
            towards_x = (x / b - x / y) / (1 - x / y)
            towards_y = (b / y - x / y) / (1 - x / y)
            expected = towards_x / (towards_x + towards_y)
            deviation = (expected * (1 - expected) / 100_000) ** 0.5
            read = [translator.read(bets, Fraction(to - 100, 200), hand, 0) for hand in range(50)]
            chances = read[0][1]
            assert [letter for letter, _ in read] == [
                drawn(chances, number) for number in numbers[:50].tolist()
            ]
            assert np.mean(numbers < chances[0][1]) == pytest.approx(expected, abs=4 * deviation)
        for letter, to in (("p", 300), ("d", 500), ("a", 20000)):  # b = x and b = y
            share = raise_share(view, to)
            assert translator.read(SARTRE.readable(view, to), share, 7, 0) == (letter, ((letter, 1.0),))

    def test_a_reading_lasts_for_the_hand_and_differs_between_hands(self) -> None:
        stream = Stream.from_seed(2)
        soft = Translator(Translation.SOFT, stream)

        def reader() -> SequenceReader:
            return SequenceReader(SARTRE, soft, Amounts(0.3, stream))

        odd = (raise_to(390), CALL, CALL, raise_to(490), CALL)
        long = after(*odd, CALL).node
        lasting, read = reader(), set()
        for hand in range(50):
            sequences = [lasting.sequence(after(*odd[:count]).node, hand, 0) for count in range(6)]
            assert all(later.startswith(sooner) for sooner, later in pairwise(sequences))
            assert reader().sequence(long, hand, 0).startswith(sequences[-1])
            read.add(sequences[-1])
        assert len(read) > 1

    def test_own_bets_are_read_as_they_were_meant(self) -> None:
        stream = Stream.from_seed(2)
        amounts = Amounts(0.3, stream)
        for hand in range(40):
            reader = SequenceReader(SARTRE, Translator(Translation.SOFT, stream), amounts)
            for letter, action in amounts.offered(SARTRE, after().node.view, hand, 0).items():
                if action.kind is ActionKind.RAISE:
                    assert reader.sequence(after(action).node, hand, 1) == letter
        # In the seat of somebody else, they are translated.
        read = {
            reader.sequence(after(amounts.offered(SARTRE, after().node.view, hand, 0)["p"]).node, hand, 0)
            for hand in range(40)
        }
        assert len(read) > 1


class TestAmounts:
    def test_the_example_of_equation_6(self) -> None:
        """x' = 100 and Δ = 0.3: any amount between 70 and 130 chips."""
        state = after(CALL, CALL)  # a pot of 200, of which half is 100
        view = list(state.node.view)
        view[betting.RAISE_MINIMUM] = 1
        found = [scaled(100, view, Amounts(0.3, Stream.from_seed(1)).factor(hand, 2)) for hand in range(4000)]
        assert (min(found), max(found)) == (70, 130)
        # Uniform: the mean and the spread of a uniform distribution, within five deviations.
        assert np.mean(found) == pytest.approx(100, abs=5 * 17.4 / 4000**0.5)
        assert np.std(found) == pytest.approx(60 / 12**0.5, rel=0.04)

    def test_amounts_remain_legal_and_below_all_in(self) -> None:
        view = after(CALL, CALL).node.view
        assert scaled(100, view, 0.7) == 100, "the least bet is 100"
        assert scaled(19_000, view, 1.3) == 19_899
        assert scaled(19_900, view, 0.7) == 19_900, "all-in is not changed"

    def test_without_delta_amounts_are_exact(self) -> None:
        view = after().node.view
        exact = {choice.letter: choice.action for choice in SARTRE.choices(view)}
        assert Amounts(0.0, Stream.from_seed(1)).offered(SARTRE, view, 3, 0) == exact

    def test_a_larger_letter_is_a_larger_bet(self) -> None:
        view = after().node.view
        for hand in range(200):
            offered = Amounts(0.3, Stream.from_seed(1)).offered(SARTRE, view, hand, 0)
            amounts = [action.to for action in offered.values()]
            assert amounts == sorted(amounts)


class TestWatching:
    def test_the_same_hands_give_the_same_pack(
        self, log: Path, packs: dict[str, Path], tmp_path: Path
    ) -> None:
        watch(log, None, system="sartre-nl", output=tmp_path / "again.parquet")
        assert (tmp_path / "again.parquet").read_bytes() == packs["2011"].read_bytes()

    def test_solutions_are_letters_and_outcomes_big_blinds(self, tmp_path: Path) -> None:
        path = tmp_path / "one.log"
        path.write_text(
            "STATE:0:r300r900c/r2250f:AcJs|3d2d/Kc5sQc:900|-900:villain|expert\n", encoding="utf-8"
        )
        pack = watch(path, ["expert"], system="sartre-nl", game="nolimit-2p").pack
        assert pack.system == "sartre-nl"
        first, second = pack.bases["preflop"]
        assert (first.description["betting sequence"], second.description["betting sequence"]) == ("", "pp")
        assert {letter for letter, count in first.counts.items() if count} == {"p"}
        assert second.counts["c"] == 1
        assert first.sums["p"] == second.sums["c"] == -9.0
        (flop,) = pack.bases["flop"]
        # The log counts chips of the whole hand: 1,350 into 1,800.
        assert flop.description["betting sequence"] == "ppc-i"
        assert flop.counts["f"] == 1
        assert [case.description[COMMITMENT] for case in (first, second, flop)] == [1, 1, 1]
        assert pack.bases["preflop"].schema.solutions == tuple("fcqhipdvta")

    @pytest.mark.parametrize("game", ODD_GAMES)
    def test_hands_with_odd_stacks_are_watched(self, game: str, tmp_path: Path) -> None:
        path = tmp_path / "odd.log"
        match(["random", "random"], hands=40, seed=5, game=game, log=path)
        for system in ("sartre-nl", f"sartre-nl:actions={WITHOUT_ALL_IN}"):
            pack = watch(path, None, system=system).pack
            for base in pack.bases.values():
                column = base.values[:, base.schema.place(COMMITMENT)]
                assert set(column.tolist()) <= {1.0, 2.0, 3.0, 4.0}

    def test_systems_have_their_actions_in_their_names(self) -> None:
        assert system_named("sartre-nl").name == "sartre-nl"
        assert system_named("sartre-nl:actions=fcqhipdvta").name == "sartre-nl"
        assert system_named("sartre-nl:actions=fcpa").name == "sartre-nl:actions=fcpa"
        assert not system_named("sartre-nl:solutions=single").merges

    def test_limit_hands_are_not_watched(self, tmp_path: Path) -> None:
        path = tmp_path / "limit.log"
        match(["random", "random"], hands=5, seed=1, log=path)
        with pytest.raises(ValueError, match="none of 5 hands is no-limit hold'em with two players"):
            watch(path, None, system="sartre-nl")

    def test_deepstack_is_watched(self, shared_data: Path, tmp_path: Path) -> None:
        """3,000 hands of DeepStack against professional players."""
        path = tmp_path / "deepstack.log"
        with lzma.open(shared_data / "deepstack_vs_pros_hunl.30000.log.xz", "rt") as file:
            path.write_text("".join(islice(file, 3000)), encoding="utf-8")
        found = watch(path, ["DeepStack"], system="sartre-nl", game="nolimit-2p")
        assert found.watcher.counts.hands == 3000
        assert found.watcher.players["DeepStack"].unknown == 0
        decisions = {stage: found.pack.bases[stage].decisions for stage in STAGES}
        assert decisions == {"preflop": 3500, "flop": 2332, "turn": 1419, "river": 949}


class TestPlay:
    @pytest.mark.parametrize("game", ODD_GAMES)
    @pytest.mark.parametrize("year", ["2011", "2010"])
    def test_amounts_are_always_legal(self, agents: dict[str, SartreNL], year: str, game: str) -> None:
        """Against players who bet anything; an illegal action would raise an error."""
        agent = agents[year]
        for observation in situations(agent, game, 60):
            for action, chance in agent.act(observation).strategy:
                assert observation.legal_actions.allows(action)
                assert 0.0 <= chance <= 1.0

    @pytest.mark.parametrize("year", ["2011", "2010"])
    def test_what_is_done_is_in_the_strategy_and_can_be_repeated(
        self, agents: dict[str, SartreNL], packs: dict[str, Path], year: str
    ) -> None:
        """An agent that begins in the middle of a hand reads it, and bets, as the one that played it."""
        agent, kind = agents[year], type(agents[year])
        for observation in situations(agent, "nolimit-2p", 30)[::3]:
            fresh = kind(str(packs[year]))
            fresh.begin_match(start())
            seen = Observation.from_json(observation.to_json())
            one, other = agent.act(observation), fresh.act(seen)
            assert one.strategy == other.strategy
            assert one.action in dict(one.strategy)
            assert sum(chance for _, chance in one.strategy) == pytest.approx(1.0)

    @pytest.mark.parametrize("reuse", ["probabilistic", "max-frequency", "best-outcome"])
    def test_the_strategy_of_all_holdings_is_that_of_each(self, packs: dict[str, Path], reuse: Reuse) -> None:
        agent = SartreNL(str(packs["2011"]), reuse=reuse)
        for observation in situations(agent, "nolimit-2p", 16)[::3]:
            holdings = np.flatnonzero(~blocked_by(observation.board))[::83]
            stated = agent.strategies(observation, holdings)
            for place, each in enumerate(holdings.tolist()):
                assert stated.row(place) == agent.act(observation.holding(cards_of(each))).strategy

    def test_hard_translation_does_not_depend_on_the_hand(self, packs: dict[str, Path]) -> None:
        for seed in range(5):
            agent = SartreNL2010(str(packs["2010"]))
            agent.begin_match(start(seed=seed))
            # 490 into 780 is 0.628 of the pot, above √(1/2 · 3/4) = 0.612.
            node = after(raise_to(390), CALL, CALL, raise_to(490)).node
            assert {agent.reader_.sequence(node, hand, 0) for hand in range(20)} == {"dc-ci"}

    def test_an_expert_is_imitated_where_it_was_watched(self, packs: dict[str, Path]) -> None:
        agent = SartreNL(str(packs["2011"]), reuse="probabilistic", delta=0.0)
        agent.begin_match(start())
        openings = [
            case
            for case in read_pack(packs["2011"]).bases["preflop"]
            if not case.description["betting sequence"]
        ]
        opening = max(openings, key=lambda case: sum(case.counts.values()))
        state = after()
        holding = int(np.flatnonzero(opening.description["hole cards"] == RANKS)[0])
        observation = Observation.of(state, 1, PLAYERS).holding(cards_of(holding))
        total = sum(opening.counts.values())
        expected = Counter[Action]()
        letters = {choice.letter: choice.action for choice in SARTRE.choices(state.node.view)}
        for letter, count in opening.counts.items():
            expected[letters.get(letter, letters["h"])] += count
        stated = dict(agent.act(observation).strategy)
        assert stated == pytest.approx({action: expected[action] / total for action in stated})
        assert sum(expected.values()) == total > 1

    def test_other_games_and_packs_are_refused(self, packs: dict[str, Path]) -> None:
        for game in ("limit-2p", "nolimit-3p", "potlimit-2p"):
            with pytest.raises(UnsuitableGame, match="plays no-limit hold'em with two players"):
                SartreNL(str(packs["2011"])).verify_game(named_game(game))
        with pytest.raises(PackError, match="holds cases of sartre, not of sartre-nl"):
            SartreNL("sartre").verify_game(NO_LIMIT)

    def test_shipped_packs_are_read(self) -> None:
        for kind, actions in ((SartreNL, SARTRE), (SartreNL2010, WITHOUT_ALL_IN)):
            agent = kind()
            situations(agent, "nolimit-2p", 5)
            assert agent.reader_.actions == actions


class TestExplanations:
    def test_they_show_the_case_the_readings_and_the_amounts(self, agents: dict[str, SartreNL]) -> None:
        agent = agents["2011"]
        titles = Counter[str]()
        summaries = []
        for observation in situations(agent, "nolimit-2p", 60):
            decision = agent.act(observation)
            why = decision.explanation
            facts = {fact.name: fact.value for fact in why.facts}
            sections = {
                section.title: section for section in why.sections if isinstance(section, TableSection)
            }
            titles.update(sections.keys())
            assert {"similarity", "decisions", "similarity of the betting sequence"} <= facts.keys()
            compared = sections["the most similar situation"]
            assert {"betting sequence", COMMITMENT} <= {row[0] for row in compared.rows}
            summaries.append(why.summary)
            assert ("bet size" in facts) == (decision.action.kind is ActionKind.RAISE)
            if observation.legal_actions.can_raise:
                bets = {row[1]: row[3] for row in sections["bet sizes in chips"].rows}
                if decision.action.kind is ActionKind.RAISE:
                    assert bets[facts["bet size"]] == decision.action.to
        assert titles["bets of other sizes, and how it read them"] > 10
        assert any("to be less predictable" in summary for summary in summaries)
        assert all(summary.endswith(".") for summary in summaries)

    def test_a_reading_has_its_share_and_its_chances(self, agents: dict[str, SartreNL]) -> None:
        agent = agents["2011"]
        agent.begin_match(start())
        state = after(raise_to(400))  # 1.5 times the pot: x/b − x/y = 1/6 and b/y − x/y = 1/4
        why = agent.act(Observation.of(state, 0, PLAYERS)).explanation
        (table,) = [
            section
            for section in why.sections
            if section.title == "bets of other sizes, and how it read them"
        ]
        assert isinstance(table, TableSection)
        ((player, action, share, read, possible),) = table.rows
        assert (player, action, share) == ("villain", "raise to 400", 1.5)
        assert read in {"pot", "twice the pot"}
        assert possible == "pot 40 %, twice the pot 60 %"


@pytest.mark.parametrize(
    "wrong", ["delta=-3", "delta=nan", "delta=1.5", "alpha=-1", "alpha=nan", "rate=0", "rate=inf"]
)
def test_parameters_out_of_their_bounds_are_refused(wrong: str) -> None:
    with pytest.raises(ValueError, match=f"{wrong.partition('=')[0]}=.* is not a valid"):
        make_agent(f"sartre-nl:{wrong}")
