"""SARTRE with three players: sequences, strategy switching with the mapping of figure 9, and play."""

from collections.abc import Iterator
from pathlib import Path
from typing import NamedTuple

import numpy as np
import pytest

from railbird.agent import Agent, MatchStart, UnsuitableGame, make_agent
from railbird.agents.sartre.cases import SEQUENCE, SOLUTIONS, STAGES
from railbird.agents.sartre.sequences import SteppedSimilarity, betting_sequence, played
from railbird.agents.sartre.switching import InterDomainSimilarity, MappedSequence, mapped
from railbird.agents.sartre.three_player import Sartre3P
from railbird.arena.play.hand import play_hand
from railbird.cbr.case_base import CaseBase
from railbird.cbr.packs.files import Pack, PackError, write_pack
from railbird.engine.actions import CALL, FOLD, Action, ActionKind, raise_to
from railbird.engine.betting_tree import BettingNode
from railbird.engine.games import named_game
from railbird.engine.record import HandRecord
from railbird.engine.setup import Setup
from railbird.engine.state import State
from railbird.explanation import Explanation, TableSection
from railbird.hands.holdings import blocked_by, cards_of
from railbird.kernels.rules import betting
from railbird.learning.systems import system_named
from railbird.observation import Observation
from railbird.rng import Stream

GAME = named_game("limit-3p")
PLAYERS = ("a", "b", "c")
SMALL_BLIND, BIG_BLIND, DEALER = range(3)
NON_DEALER, DEALER_HEADS_UP = range(2)
LEVELS = InterDomainSimilarity()


class Situation(NamedTuple):
    """A decision after the flop, with all actions before it: round, seat and kind."""

    sequence: str
    actions: tuple[tuple[int, int, ActionKind], ...]

    def raises(self, round_: int, seat: int) -> int:
        return self.actions.count((round_, seat, ActionKind.RAISE))

    @property
    def raisers(self) -> list[int]:
        return [seat for round_, seat, kind in self.actions if round_ == 0 and kind is ActionKind.RAISE]

    def letters(self, round_: int, seats: tuple[int, int]) -> str:
        made = [kind for one, seat, kind in self.actions if one == round_ and seat in seats]
        return "".join({ActionKind.CALL: "c", ActionKind.RAISE: "r"}[kind] for kind in made)

    @property
    def folded(self) -> list[int]:
        return [seat for _, seat, kind in self.actions if kind is ActionKind.FOLD]


def situations(game: str, round_: int) -> list[Situation]:
    """All decisions in a betting round of a game."""
    found = []

    def walk(node: BettingNode, actions: tuple[tuple[int, int, ActionKind], ...]) -> None:
        if node.actor is None or node.view[betting.ROUND] > round_:
            return
        if node.view[betting.ROUND] == round_:
            found.append(Situation(betting_sequence(node), actions))
        for action in node.choices:
            made = (node.view[betting.ROUND], node.actor, action.kind)
            walk(setup.tree.after(node, action), (*actions, made))

    setup = Setup.of(named_game(game))
    walk(setup.tree.root, ())
    return found


def parts(folded: int) -> dict[int, int]:
    """The rules of figure 9, one by one: which heads-up seat each remaining player takes."""
    taken = {DEALER: DEALER_HEADS_UP, SMALL_BLIND: NON_DEALER}
    if folded == SMALL_BLIND:
        taken[BIG_BLIND] = NON_DEALER
    if folded == DEALER:
        taken[BIG_BLIND] = DEALER_HEADS_UP
    taken.pop(folded, None)
    return taken


def expected_level(here: Situation, there: Situation, round_: int) -> int:
    """The level of two situations, by the raises of each player in each round."""
    part = parts(here.folded[0])
    (first, _), (second, _) = sorted(part.items(), key=lambda item: item[1])
    if here.letters(round_, (first, second)) != there.letters(round_, (0, 1)):
        return 3
    for seat, other in part.items():
        if here.raises(0, seat) != there.raises(0, other):
            return 3
    same_order = [part[seat] for seat in here.raisers if seat in part] == there.raisers
    same_letters = all(
        here.letters(each, (first, second)) == there.letters(each, (0, 1)) for each in range(1, round_)
    )
    if same_order and same_letters:
        return 0
    by_round = [
        (here.raises(each, seat), there.raises(each, other))
        for each in range(1, round_)
        for seat, other in part.items()
    ]
    if all(one == two for one, two in by_round):
        return 1
    for seat, other in part.items():
        earlier = range(1, round_)
        if sum(here.raises(each, seat) for each in earlier) != sum(
            there.raises(each, other) for each in earlier
        ):
            return 3
    return 2


class TestSequences:
    @pytest.mark.parametrize(
        ("one", "other", "level"),
        [
            ("rcrrcc-crrrrcc-ccr", "rcrrcc-crrrrcc-ccr", 0),
            # Big blind and dealer raise once each, in either order.
            ("ccrrcc-c", "rcrcc-c", 1),
            # The small blind raises once in all: before the flop, or on the flop.
            ("crcc-ccc-cr", "ccc-rcc-cr", 2),
            # The dealer raises as well.
            ("crrcc-ccc-", "rrrcc-ccc-", 3),
            # Another present round.
            ("rcc-ccc-ccr", "rcc-ccc-cr", 3),
            # Another player folded.
            ("frc-r", "rfc-r", 3),
        ],
    )
    def test_levels_count_the_raises_of_every_active_player(self, one: str, other: str, level: int) -> None:
        assert SteppedSimilarity(3).level(one, other) == level
        assert SteppedSimilarity(3).level(other, one) == level

    def test_sequences_of_table_14_are_legal_three_player_sequences(self) -> None:
        tree = Setup.of(GAME).tree
        for sequence in ("rcrrcc-crrrrcc-ccr", "rcc-ccc-ccrf"):
            node = tree.root
            for letter in sequence.replace("-", ""):
                kind = {"f": ActionKind.FOLD, "c": ActionKind.CALL, "r": ActionKind.RAISE}[letter]
                node = tree.after(node, next(each for each in node.choices if each.kind is kind))
            assert betting_sequence(node) == sequence

    def test_every_action_belongs_to_a_seat(self) -> None:
        assert played("frc-r", 3) == (
            ((DEALER, "f"), (SMALL_BLIND, "r"), (BIG_BLIND, "c")),
            ((SMALL_BLIND, "r"),),
        )
        assert played("", 3) == ((),)


class TestMapping:
    def test_frc_r_is_crc_r_and_nothing_else(self) -> None:
        """The example of §7.2.2: crc-r is the only heads-up sequence that fits, and rc-r does not."""
        similar = {
            each.sequence: LEVELS("frc-r", each.sequence)
            for each in situations("limit-2p", 1)
            if LEVELS("frc-r", each.sequence)
        }
        assert similar == {"crc-r": 1.0}
        assert LEVELS("frc-r", "rc-r") == 0.0

    @pytest.mark.parametrize(
        ("sequence", "heads_up"),
        [
            ("rfc-", "rc-"),  # D → D
            ("frc-", "crc-"),  # SB → ND
            ("frrc-", "crrc-"),  # BB → D, the dealer having folded
            ("rfrc-", "rrc-"),  # BB → ND, the small blind having folded
            ("rcf-", "rc-"),  # SB → ND
            ("crrfc-", "crrc-"),
            # The small blind raised and folded later: the raise is left out.
            ("crcrfc-", "rc-"),
            # A fold on a later round, and in the present one.
            ("ccc-rfc-cr", "cc-rc-cr"),
            ("ccc-crrfc-", "cc-rrc-"),
            ("ccc-rf", "cc-r"),
            ("ccc-ccrf", "cc-cr"),
            ("ccc-crrrf", "cc-crr"),
        ],
    )
    def test_remaining_players_are_mapped_by_the_order_of_play(self, sequence: str, heads_up: str) -> None:
        assert LEVELS.level(sequence, heads_up) == 0
        assert mapped(sequence, 3) == mapped(heads_up, 2)

    def test_who_raised_first_decides_between_sequences_with_equal_raises(self) -> None:
        assert LEVELS("rfrc-c", "rrc-c") == 1.0
        assert LEVELS("rfrc-c", "crrc-c") == 0.9

    def test_later_rounds_are_compared_in_steps(self) -> None:
        assert LEVELS("rfc-rrc-c", "rc-crrc-c") == 0.9
        assert LEVELS("rfc-rc-cc-c", "rc-cc-rc-c") == 0.8
        assert LEVELS("rfc-rc-cc-c", "rc-cc-crc-c") == 0.0
        # Raises before the flop are not exchanged for later ones.
        assert LEVELS("rfc-cc-c", "cc-crc-c") == 0.0

    @pytest.mark.parametrize("sequence", ["rrcrfc-", "ccc-crcrf"])
    def test_some_sequences_have_no_heads_up_counterpart(self, sequence: str) -> None:
        """Two raises in a row of one player, and a check-raise after two checks, do not exist heads-up."""
        assert not any(LEVELS(sequence, each.sequence) for each in situations("limit-2p", 1))

    @pytest.mark.parametrize(
        ("raises", "round_", "step", "levels"),
        [("3/2/0/0", 1, 1, {0, 1, 3}), ("2/1/1/0", 2, 1, {0, 1, 3}), ("1/1/1/1", 3, 3, {0, 1, 2, 3})],
    )
    def test_short_sequences_are_compared_by_the_four_rules(
        self, raises: str, round_: int, step: int, levels: set[int]
    ) -> None:
        """All pairs of sequences with a limited number of raises; on the river, every third of them."""
        here = [each for each in situations(f"limit-3p:raises={raises}", round_) if each.folded]
        there = situations(f"limit-2p:raises={raises}", round_)
        found = set()
        for one in here[::step]:
            assert len(one.folded) == 1
            for other in there:
                level = LEVELS.level(one.sequence, other.sequence)
                assert level == expected_level(one, other, round_), (one.sequence, other.sequence)
                found.add(level)
        assert found == levels

    def test_the_player_to_act_and_the_bet_to_call_stay_the_same(self) -> None:
        """Where the present round exists heads-up, the same player acts there, with or without a bet to call."""
        heads_up = {mapped(each.sequence, 2).current for each in situations("limit-2p:raises=0/4/0/0", 1)}
        for each in situations("limit-3p:raises=1/4/0/0", 1):
            if each.folded and (current := mapped(each.sequence, 3).current) in heads_up:
                part, tree = parts(each.folded[0]), Setup.of(named_game("limit-3p:raises=1/4/0/0")).tree
                node = tree.root
                for _, _, kind in each.actions:
                    node = tree.after(node, next(choice for choice in node.choices if choice.kind is kind))
                assert node.actor is not None
                assert part[node.actor] == len(current) % 2
                assert (node.legal.call > 0) == current.endswith("r")

    def test_a_mapped_sequence_has_the_betting_of_both(self) -> None:
        assert mapped("rfrc-crrc-cr", 3) == MappedSequence((1, 0), ("crrc",), "cr")


def begun(agent: Agent) -> Agent:
    agent.begin_match(MatchStart(GAME, PLAYERS[0], PLAYERS, Stream.from_seed(1)))
    return agent


def after(actions: list[Action], seed: int = 1) -> Observation:
    """The situation of the player to act."""
    state = State.deal(Setup.of(GAME), Stream.from_seed(seed))
    for action in actions:
        state.act(action)
    assert state.actor is not None
    return Observation.of(state, state.actor, PLAYERS)


FRC_R = [FOLD, raise_to(20), CALL, raise_to(10)]


def hands(agent: Agent, other: str, number: int) -> Iterator[tuple[HandRecord, list[Observation]]]:
    """Hands of an agent in every seat in turn, with the situations in which it decided."""

    class Watched(Agent):
        def __init__(self) -> None:
            self.asked: list[Observation] = []

        def act(self, observation: Observation):  # type: ignore[no-untyped-def]
            self.asked.append(observation)
            return agent.act(observation)

    others = [begun(make_agent(other)) for _ in range(2)]
    setup = Setup.of(GAME)
    for hand in range(number):
        place, watched = hand % 3, Watched()
        seated = [*others[:place], watched, *others[place:]]
        state = State.deal(setup, Stream.from_seed(hand))
        yield play_hand(state, seated, PLAYERS, hand_number=hand), watched.asked


def facts(why: Explanation) -> dict[str, object]:
    return {fact.name: fact.value for fact in why.facts}


@pytest.fixture(scope="module")
def agent() -> Sartre3P:
    made = Sartre3P()
    begun(made)
    return made


@pytest.fixture(scope="module")
def without() -> Sartre3P:
    made = Sartre3P(switching=False)
    begun(made)
    return made


class TestPlay:
    @pytest.mark.parametrize("other", ["random", "always-call", "always-fold", "always-raise"])
    def test_it_plays_every_seat_with_and_without_switching(
        self, agent: Sartre3P, without: Sartre3P, other: str
    ) -> None:
        for each in (agent, without):
            records = [record for record, _ in hands(each, other, 30)]
            assert all(sum(record.payoffs) == 0 for record in records)

    def test_after_a_fold_the_heads_up_cases_decide_from_the_flop_on(self, agent: Sartre3P) -> None:
        searched = set()
        for _, asked in hands(agent, "random", 60):
            for observation in asked:
                why = agent.act(observation).explanation
                folded = observation.round > 0 and any(observation.folded)
                pack = facts(why)["pack"]
                if not folded:
                    assert pack == "sartre-3p"
                    assert "heads-up" not in why.summary
                assert ("heads-up sequence" in facts(why)) == (pack == "sartre")
                searched.add((folded, pack))
        assert (True, "sartre") in searched
        assert (False, "sartre-3p") in searched

    def test_without_switching_only_three_player_cases_are_searched(self, without: Sartre3P) -> None:
        assert len(without.files()) == 1
        why = without.act(after(FRC_R)).explanation
        assert facts(why)["pack"] == "sartre-3p"
        assert "heads-up" not in why.summary

    def test_the_example_of_the_paper_is_explained(self, agent: Sartre3P) -> None:
        why = agent.act(after(FRC_R)).explanation
        known = facts(why)
        assert known["pack"] == "sartre"
        assert known["players"] == "small blind → non-dealer, big blind → dealer"
        there = "preflop: call, raise, call; flop: bet (crc-r)"
        assert known["heads-up sequence"] == there
        assert known["betting sequence"] == "the same"
        assert "heads-up" in why.summary
        compared = next(each for each in why.sections if each.title == "the most similar situation")
        assert isinstance(compared, TableSection)
        here = "preflop: fold, raise, call; flop: bet (frc-r)"
        assert (SEQUENCE, here, there, 1.0) in compared.rows

    def test_the_heads_up_case_is_that_of_the_mapped_sequence(self, agent: Sartre3P) -> None:
        """The expert's most frequent action in the heads-up case with equal strength, sequence and texture."""
        assert agent.cases_.heads_up is not None
        heads_up = agent.cases_.heads_up
        known = 0
        for seed in range(40):
            observation = after(FRC_R, seed)
            wanted = {**heads_up.situations.describe(observation), SEQUENCE: "crc-r"}
            case = next((case for case in heads_up.pack.bases["flop"] if case.description == wanted), None)
            if case is not None:
                known += 1
                best = max(SOLUTIONS, key=lambda solution: case.counts[solution])
                strategy = agent.act(observation).strategy or ()
                assert [each.kind.name.lower() for each, chance in strategy if chance] == [best]
        assert known > 20

    def test_without_a_similar_sequence_the_three_player_cases_decide(self, tmp_path: Path) -> None:
        schemas = system_named("sartre").table.schemas
        bases = {stage: CaseBase(schema) for stage, schema in schemas.items()}
        observation = after(FRC_R)
        holdings = np.flatnonzero(~blocked_by(observation.board))
        three_players = Sartre3P(switching=False, reuse="probabilistic")
        begun(three_players)
        expected = three_players.strategies(observation, holdings)
        for name in ("without cases", "with another sequence"):
            path = tmp_path / f"{name}.parquet"
            write_pack(Pack("sartre", bases), path)
            agent = Sartre3P(heads_up=str(path), reuse="probabilistic")
            begun(agent)
            why = agent.act(observation).explanation
            assert facts(why)["pack"] == "sartre-3p"
            assert "no heads-up situation is similar enough" in why.summary
            stated = agent.strategies(observation, holdings)
            assert np.array_equal(stated.probabilities, expected.probabilities)
            bases["flop"].add({"hand strength": 25, SEQUENCE: "rc-r", "board texture": "No-Salient"}, "raise")

    @pytest.mark.parametrize("switching", [True, False])
    def test_the_strategy_of_all_holdings_is_that_of_each(self, switching: bool) -> None:
        agent = Sartre3P(switching=switching, reuse="probabilistic")
        begun(agent)
        folded = set()
        for _, asked in hands(agent, "random", 15):
            for observation in asked[::2]:
                folded.add(any(observation.folded))
                holdings = np.flatnonzero(~blocked_by(observation.board))[::61]
                stated = agent.strategies(observation, holdings)
                for place, each in enumerate(holdings.tolist()):
                    assert stated.row(place) == agent.act(observation.holding(cards_of(each))).strategy
        assert folded == {True, False}

    def test_the_shipped_cases_are_of_all_three_seats(self, agent: Sartre3P) -> None:
        pack = agent.cases_.three_players.pack
        assert pack.system == "sartre-3p"
        assert {"", "c", "r", "f", "cc", "rf"} <= set(pack.bases["preflop"].vocabulary(SEQUENCE))
        assert all(len(pack.bases[stage]) for stage in STAGES)

    def test_other_games_and_other_packs_are_refused(self) -> None:
        with pytest.raises(UnsuitableGame, match="plays with 3 players, but limit-2p has 2"):
            Sartre3P().verify_game(named_game("limit-2p"))
        with pytest.raises(UnsuitableGame, match="limit hold'em only"):
            Sartre3P().verify_game(named_game("nolimit-3p"))
        with pytest.raises(PackError, match="holds cases of sartre, not of sartre-3p"):
            Sartre3P(pack="sartre").verify_game(GAME)
        with pytest.raises(PackError, match="holds cases of sartre-3p, not of sartre"):
            Sartre3P(heads_up="sartre-3p").verify_game(GAME)
