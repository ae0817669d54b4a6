"""How well cases predict held-out decisions: the split by hands, predictions, and what they are measured by."""

from collections import Counter
from collections.abc import Sequence
from itertools import pairwise
from math import log
from pathlib import Path
from random import Random

import numpy as np
import polars as pl
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from railbird.agent import MatchStart
from railbird.agents.casper.agent import Casper
from railbird.agents.casper.attributes import STAGES
from railbird.agents.casper.cases import SOLUTIONS, schema, similarity
from railbird.cbr.case_base import CaseBase
from railbird.cbr.packs.files import Pack, read_pack, write_pack
from railbird.cbr.packs.merging import merged
from railbird.cbr.schema import Value
from railbird.cbr.similarity import Similarity
from railbird.engine.games import named_game
from railbird.learning.imitation import BET, ImitationError, Split, Targets, agreement, predict, split
from railbird.rng import Stream
from small_packs import watched_pack

HAND_PICKED = {stage: similarity(stage) for stage in STAGES}
THRESHOLD, NEAREST = 0.97, 20


@pytest.fixture(scope="module")
def pack(tmp_path_factory: pytest.TempPathFactory) -> Pack:
    """The decisions of two hundred hands at a table of six."""
    return read_pack(watched_pack(tmp_path_factory.mktemp("imitation")))


@pytest.fixture(scope="module")
def parts(pack: Pack) -> Split:
    return split(pack)


def flop_description(**values: float) -> dict[str, Value]:
    usual: dict[str, Value] = {
        "number of players": 6, "relative position": 0.5, "players in current hand": 2, "players yet to act": 1,
        "bets committed": 0, "bets to call": 0, "pot odds": 0, "hand strength": 0.5, "positive potential": 0.2,
        "negative potential": 0.1, "small bets in pot": 4, "previous round bets": 1,
    }  # fmt: skip
    return usual | {name.replace("_", " "): value for name, value in values.items()}


def pack_of_hands(keys: Sequence[tuple[str, str]]) -> Pack:
    """A flop decision for every source and hand; the number of small bets in the pot tells which."""
    base = CaseBase(schema("flop"))
    for number, _ in enumerate(keys):
        base.add(flop_description(small_bets_in_pot=number), "call")
    riders = {"hand": [hand for _, hand in keys], "source": [source for source, _ in keys]}
    return Pack("casper", {"flop": base}, {"flop": riders})


def sides(parts: Split) -> dict[int, int]:
    """By decision the side on which it stands."""
    place = schema("flop").place("small bets in pot")
    return {
        int(number): side
        for side, pack in enumerate((parts.cases, parts.tuning, parts.held_out))
        for number in pack.bases["flop"].values[:, place]
    }


keys = st.lists(st.tuples(st.sampled_from(["a.log", "b.log"]), st.integers(0, 60).map(str)), min_size=1)


@given(keys, keys)
@settings(max_examples=40)
def test_a_hand_stands_on_one_side_whatever_else_is_in_the_pack(
    some: list[tuple[str, str]], others: list[tuple[str, str]]
) -> None:
    alone, together = sides(split(pack_of_hands(some))), sides(split(pack_of_hands(some + others)))
    assert sorted(alone) == list(range(len(some)))  # nothing is lost and nothing stands twice
    assert alone == {number: together[number] for number in alone}
    by_hand: dict[tuple[str, str], set[int]] = {}
    for number, key in enumerate(some + others):
        by_hand.setdefault(key, set()).add(together[number])
    assert all(len(found) == 1 for found in by_hand.values())


def test_the_decisions_of_a_hand_stay_together_over_all_stages(pack: Pack, parts: Split) -> None:
    hands = [
        {hand for columns in side.riders.values() for hand in columns["hand"]}
        for side in (parts.cases, parts.tuning, parts.held_out)
    ]
    assert sum(map(len, hands)) == len(set.union(*hands)) == 200
    assert len(parts.cases) + len(parts.tuning) + len(parts.held_out) == len(pack)
    for stage in STAGES:
        sides = [side.table(stage) for side in (parts.cases, parts.tuning, parts.held_out)]
        joined, whole = pl.concat(sides), pack.table(stage)
        order = [name for name in whole.columns if name not in ("base", "solution")]
        assert joined.sort(order).equals(whole.sort(order))  # every case kept what rides along with it


def test_about_a_tenth_each_is_for_tuning_and_held_out() -> None:
    found = Counter(sides(split(pack_of_hands([("x.log", str(hand)) for hand in range(5000)]))).values())
    assert 450 < found[1] < 550
    assert 450 < found[2] < 550


def test_cases_that_do_not_say_their_hand_are_refused(pack: Pack) -> None:
    with pytest.raises(ImitationError, match="the cases of preflop do not state from which hands they are"):
        split(Pack("casper", pack.bases))
    preflop = merged(pack.bases["preflop"])
    riders = {"preflop": {"hand": [""] * len(preflop)}}
    with pytest.raises(ImitationError, match="the cases of preflop are merged"):
        split(Pack("casper", {"preflop": preflop}, riders))
    with pytest.raises(ImitationError, match="merged cases do not state"):
        Targets.of(merged(pack.bases["preflop"]))


def test_some_decisions_are_evenly_spread(pack: Pack) -> None:
    base = pack.bases["preflop"]
    rows = Targets.of(base, 100).rows.tolist()
    assert len(rows) == 100
    steps = {second - first for first, second in pairwise(rows)}
    assert steps <= {len(base) // 100, len(base) // 100 + 1}
    assert Targets.of(base, 10**6).rows.tolist() == list(range(len(base)))


def naive(cases: CaseBase, target: CaseBase, row: int, compare: Similarity) -> tuple[float, bool, bool]:
    """One prediction, by looking at every case in plain Python."""
    wanted = target.description(row)
    done = SOLUTIONS[int(target.counts[row].argmax())]
    known = [
        (
            compare(wanted, case.description),
            -case.number,
            max(case.counts, key=lambda name: case.counts[name]),
            case,
        )
        for case in cases
    ]
    near = [solution for how, _, solution, _ in known if how >= THRESHOLD]
    met = bool(near)
    if not near:
        near = [
            solution for _, _, solution, _ in sorted(known, key=lambda each: each[:2], reverse=True)[:NEAREST]
        ]
    alike = [each[2] for each in known if (each[3].description[BET] > 0) == (wanted[BET] > 0)]  # type: ignore[operator]
    share = (alike.count(done) + 1 / 3) / (len(alike) + 1)
    likeliest = max(SOLUTIONS, key=near.count)
    return (near.count(done) + share) / (len(near) + 1), likeliest == done, met


@pytest.mark.parametrize("stage", STAGES)
def test_predictions_are_those_of_a_plain_look_at_all_cases(stage: str, parts: Split) -> None:
    random = Random(stage)
    cases, held_out = parts.cases.bases[stage], parts.held_out.bases[stage]
    drawn = {name: random.uniform(1, 100) for name in schema(stage).names}
    for compare in (similarity(stage), similarity(stage, drawn)):
        targets = Targets.of(held_out, 12)
        found = predict(cases, targets, compare)
        expected = [naive(cases, held_out, row, compare) for row in targets.rows.tolist()]
        assert found.chances.tolist() == pytest.approx([each[0] for each in expected], abs=1e-12)
        assert found.right.tolist() == [each[1] for each in expected]
        assert found.met.tolist() == [each[2] for each in expected]
        assert found.log_loss == pytest.approx(
            -sum(log(each[0]) for each in expected) / len(expected), abs=1e-11
        )


def test_predictions_are_what_casper_finds_likeliest(parts: Split, tmp_path: Path) -> None:
    write_pack(parts.cases, tmp_path / "cases.parquet")
    agent = Casper(pack=str(tmp_path / "cases.parquet"))
    agent.begin_match(MatchStart(named_game("limit-2p"), "casper", ("casper", "other"), Stream.from_seed(1)))
    for stage in STAGES:
        held_out = parts.held_out.bases[stage]
        found = predict(parts.cases.bases[stage], Targets.of(held_out), HAND_PICKED[stage])
        for row, right in enumerate(found.right.tolist()):
            strategy = agent.solve(stage, held_out.target(row)).strategy
            assert strategy is not None
            assert right == (held_out.case(row).counts[strategy.best] == 1)


def test_baselines_are_those_of_a_classifier_that_looks_at_nothing(parts: Split) -> None:
    from sklearn.dummy import DummyClassifier  # type: ignore[import-untyped]  # takes half a second to import

    for stage, found in agreement(parts.cases, parts.held_out, HAND_PICKED).items():
        cases, held_out = parts.cases.bases[stage], parts.held_out.bases[stage]
        known, asked = cases.counts.argmax(axis=1), held_out.counts.argmax(axis=1)
        nothing = [np.zeros((len(base), 1)) for base in (cases, held_out)]
        dummy = DummyClassifier(strategy="most_frequent").fit(nothing[0], known)
        assert found.majority.right == pytest.approx(dummy.score(nothing[1], asked))
        bets = [base.values[:, base.schema.place(BET)] > 0 for base in (cases, held_out)]
        right = 0.0
        for side in (False, True):
            mine, theirs = bets[0] == side, bets[1] == side
            if theirs.any():
                dummy = DummyClassifier(strategy="most_frequent").fit(nothing[0][mine], known[mine])
                right += dummy.score(nothing[1][theirs], asked[theirs]) * theirs.sum()
        assert found.usual.right == pytest.approx(right / len(held_out))
        assert (found.cases, found.count) == (len(cases), len(held_out))


def test_agreement_by_hand() -> None:
    """Four cases and two decisions, all far enough apart that the votes can be counted on fingers."""
    cases, held_out = CaseBase(schema("flop")), CaseBase(schema("flop"))
    strong, weak = flop_description(hand_strength=0.95), flop_description(hand_strength=0.05)
    for description, done in ((strong, "raise"), (strong, "raise"), (strong, "call"), (weak, "call")):
        cases.add(description, done)
    held_out.add(strong, "raise")
    held_out.add(weak | {BET: 1.0}, "fold")
    found = agreement(
        Pack("casper", {"flop": cases}), Pack("casper", {"flop": held_out}), {"flop": similarity("flop")}
    )["flop"]
    # Without a bet to call: no fold, 2 calls, 2 raises, and a third of a case each. With one: nothing is known.
    share_of_raise = (2 + 1 / 3) / 5
    first = (2 + share_of_raise) / 4
    second = (0 + 1 / 3) / 5  # nothing is similar enough, so all four cases vote, and none folds
    assert found.log_loss == pytest.approx(-(log(first) + log(second)) / 2, abs=1e-11)
    assert (found.cases, found.count, found.right, found.missed) == (4, 2, 0.5, 0.5)
    assert found.usual.log_loss == pytest.approx(-(log(share_of_raise) + log(1 / 3)) / 2, abs=1e-11)
    assert found.majority.log_loss == pytest.approx(-(log(share_of_raise) + log((1 / 3) / 5)) / 2, abs=1e-11)
    assert found.majority.right == 0.0  # calls and raises are equally many, and calls stand first
    assert found.usual.right == 0.5  # with a bet nothing is known, and folds stand first


def test_cases_tell_more_than_what_is_usual(parts: Split) -> None:
    for held_out in (parts.tuning, parts.held_out):
        found = agreement(parts.cases, held_out, HAND_PICKED)
        preflop = found["preflop"]
        assert preflop.log_loss < preflop.usual.log_loss - 0.2
        assert preflop.right > preflop.usual.right + 0.05
        assert preflop.usual.log_loss < preflop.majority.log_loss
        for each in found.values():
            assert each.log_loss < min(each.usual.log_loss, each.majority.log_loss)


def test_a_stage_of_which_nothing_is_known_or_held_out() -> None:
    empty, one = CaseBase(schema("flop")), CaseBase(schema("flop"))
    one.add(flop_description(), "call")
    flop = {"flop": similarity("flop")}
    nothing, something = Pack("casper", {"flop": empty}), Pack("casper", {"flop": one})
    assert agreement(something, nothing, flop) == {}
    found = agreement(nothing, something, flop)["flop"]
    assert (found.cases, found.count, found.missed, found.right) == (0, 1, 1.0, 0.0)
    assert found.log_loss == pytest.approx(log(3), abs=1e-11)
    with pytest.raises(ImitationError, match="no base is called 'turn'"):
        agreement(something, something, {"turn": similarity("turn")})
