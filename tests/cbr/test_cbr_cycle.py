"""The four phases: strategies from retrieved cases, outcomes that come later, new cases, and why."""

from dataclasses import FrozenInstanceError, fields, replace

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from railbird.cbr.case_base import CaseBase
from railbird.cbr.cycle.episode import Episode, Phase, Retrieved, Strategy
from railbird.cbr.cycle.pending import Pending
from railbird.cbr.cycle.reasoner import Cycle
from railbird.cbr.cycle.retain import RetainAlways, RetainMerged, RetainUnknown, RetentionError
from railbird.cbr.cycle.retrieve import AtLeast, AtLeastElseNearest, Nearest, Retrieve
from railbird.cbr.cycle.reuse import (
    Always,
    BestOutcome,
    BestSumOfOutcomes,
    MaxFrequency,
    Otherwise,
    Probabilistic,
    ReuseError,
)
from railbird.cbr.cycle.revise import AsObserved, Judged, Repaired, RevisionError
from railbird.cbr.explain import explain
from railbird.cbr.schema import Number, Schema, SchemaError, Symbol
from railbird.cbr.similarity import AllOrNothing, ByProbability, Linear, Similarity
from railbird.cbr.target import Target
from railbird.explanation import Bars, TableSection, explanation_from_json

SCHEMA = Schema((Number("x"),), ("fold", "call", "raise"))
SIMILARITY = Similarity(SCHEMA, {"x": (Linear(100.0), 1.0)})
TARGET = Target(SCHEMA, {"x": 0})
EVERYTHING = Retrieve(SIMILARITY, AtLeast(0.0))


def cases(*decisions: tuple[float, str, float | None]) -> CaseBase:
    base = CaseBase(SCHEMA)
    for x, solution, outcome in decisions:
        base.add({"x": x}, solution, outcome)
    return base


def strategy(base: CaseBase, reuse: Phase) -> Strategy | None:
    return reuse(base, EVERYTHING(base, Episode(TARGET))).strategy


class TestEpisode:
    def test_an_episode_is_a_value(self) -> None:
        episode = Episode(TARGET)
        assert episode == Episode(TARGET, None, None, None, None, None)
        assert replace(episode, outcome=2.0) == Episode(target=TARGET, outcome=2.0) != episode
        assert [getattr(episode, field.name) for field in fields(Episode)] == [TARGET, *[None] * 5]
        assert repr(episode).endswith(
            "retrieved=None, strategy=None, solution=None, outcome=None, case=None)"
        )
        for field in fields(Episode):
            with pytest.raises(FrozenInstanceError):
                setattr(episode, field.name, None)

    def test_what_was_retrieved_is_a_value(self) -> None:
        rows, similarities = np.array([3, 1]), np.array([1.0, 0.5])
        found = Retrieved(SIMILARITY, rows, similarities)
        assert (found.similarity, found.met, len(found)) == (SIMILARITY, True, 2)
        assert found.rows is rows
        assert found.similarities is similarities
        fewer = replace(found, rows=rows[:1], similarities=similarities[:1], met=False)
        assert (fewer.rows.tolist(), fewer.similarities.tolist(), fewer.met) == ([3], [1.0], False)
        for field in fields(Retrieved):
            with pytest.raises(FrozenInstanceError):
                setattr(found, field.name, None)


class TestReuse:
    def test_caspers_triple_for_pocket_aces(self) -> None:
        """casper-2007 §6: one call and nine raises are (0.0, 0.1, 0.9)."""
        base = cases((0, "call", None), *[(1.0, "raise", None)] * 9)
        found = strategy(base, Probabilistic())
        assert found is not None
        assert found.probabilities == (0.0, 0.1, 0.9)
        assert found.votes == (0, 1, 9)

    def test_sartres_example_of_an_action_and_an_outcome_triple(self) -> None:
        """sartre-2012, table 4: actions (0.0, 0.5, 0.5), outcomes (unknown, 4.3, 15.6)."""
        base = cases((0, "call", 4.3), (0, "raise", 15.6))
        probable, best = strategy(base, Probabilistic()), strategy(base, BestOutcome())
        assert probable is not None
        assert best is not None
        assert probable.probabilities == (0.0, 0.5, 0.5)
        assert best.outcomes == (None, 4.3, 15.6)
        assert best.probabilities == (0.0, 0.0, 1.0)

    def test_the_best_mean_and_the_best_sum_can_differ(self) -> None:
        base = cases(
            (0, "call", 2.0), (0, "call", 3.0), (0, "call", None), (0, "raise", 4.0), (0, "fold", -1.0)
        )
        mean, total = strategy(base, BestOutcome()), strategy(base, BestSumOfOutcomes())
        assert mean is not None
        assert total is not None
        assert (mean.best, mean.outcomes) == ("raise", (-1.0, 2.5, 4.0))
        assert (total.best, total.outcomes) == ("call", (-1.0, 5.0, 4.0))

    def test_losing_least_is_best(self) -> None:
        base = cases((0, "call", -2.0), (0, "raise", -1.0))
        for reuse in (BestOutcome(), BestSumOfOutcomes()):
            found = strategy(base, reuse)
            assert found is not None
            assert found.best == "raise"

    def test_similar_cases_may_count_more(self) -> None:
        base = cases((0, "raise", 0.0), (75, "call", 10.0), (75, "call", 10.0))
        plain, weighted = strategy(base, MaxFrequency()), strategy(base, MaxFrequency(weighted=True))
        shares = strategy(base, Probabilistic(weighted=True))
        mean = strategy(base, BestOutcome(weighted=True))
        assert plain is not None
        assert weighted is not None
        assert shares is not None
        assert mean is not None
        assert (plain.best, weighted.best) == ("call", "raise")
        assert weighted.votes == (0.0, 0.5, 1.0)
        assert shares.probabilities == pytest.approx((0, 1 / 3, 2 / 3))
        assert mean.outcomes == (None, 10.0, 0.0)

    def test_ties_go_to_the_first_solution(self) -> None:
        base = cases((0, "raise", 1.0), (0, "call", 1.0))
        for reuse in (MaxFrequency(), BestOutcome(), BestSumOfOutcomes()):
            found = strategy(base, reuse)
            assert found is not None
            assert found.best == "call"

    def test_no_cases_or_no_outcomes_give_no_strategy_but_a_default_may(self) -> None:
        """sartre-2012 §5.2.2: where nothing similar is found, always call."""
        empty, unknown = cases(), cases((0, "raise", None))
        for reuse in (Probabilistic(), MaxFrequency(), BestOutcome(), BestSumOfOutcomes()):
            assert strategy(empty, reuse) is None
            found = strategy(empty, Otherwise(reuse, Always("call")))
            assert found is not None
            assert found.probabilities == (0.0, 1.0, 0.0)
        assert strategy(unknown, BestOutcome()) is None
        assert strategy(unknown, BestSumOfOutcomes()) is None
        kept = strategy(unknown, Otherwise(MaxFrequency(), Always("call")))
        assert kept is not None
        assert kept.best == "raise"

    def test_reuse_wants_retrieved_cases(self) -> None:
        with pytest.raises(ReuseError, match="call retrieve first"):
            Probabilistic()(cases(), Episode(TARGET))

    @given(st.lists(st.sampled_from(SCHEMA.solutions), min_size=1))
    def test_probabilities_are_shares(self, solutions: list[str]) -> None:
        found = strategy(cases(*[(0, solution, None) for solution in solutions]), Probabilistic())
        assert found is not None
        assert found.as_mapping() == {
            name: solutions.count(name) / len(solutions) for name in SCHEMA.solutions
        }
        assert found.draw(np.random.default_rng(1)) in solutions


class TestLearning:
    def test_a_case_waits_for_its_outcome(self) -> None:
        base = cases((50, "fold", 0.0))
        pending = Pending(AsObserved(), RetainAlways())
        for x, solution in ((1, "call"), (2, "raise")):
            episode = EVERYTHING(base, Episode(Target(SCHEMA, {"x": x})))
            pending.wait("hand 7", episode.solved_by(solution))
        pending.wait("hand 8", Episode(TARGET).solved_by("fold"))
        assert len(base) == 1
        assert len(pending.waiting("hand 7")) == 2
        settled = pending.settle(base, "hand 7", -4.0)
        assert [episode.case for episode in settled] == [1, 2]
        assert base.case(1).sums["call"] == base.case(2).sums["raise"] == -4.0
        assert len(pending) == 1
        assert pending.settle(base, "hand 7", 1.0) == ()
        assert pending.forget("hand 8") == 1
        assert (len(base), len(pending)) == (3, 0)

    def test_every_episode_may_have_an_outcome_of_its_own(self) -> None:
        base = cases()
        pending = Pending(AsObserved(), RetainAlways())
        pending.wait(1, Episode(TARGET).solved_by("call"))
        pending.wait(1, Episode(TARGET).solved_by("raise"))
        pending.settle(base, 1, lambda episode: 2.0 if episode.solution == "call" else 3.0)
        assert base.sums.tolist() == [[0, 2, 0], [0, 0, 3]]

    def test_what_fails_leaves_everything_waiting(self) -> None:
        base = cases()
        pending = Pending(Judged(lambda _: float("nan")), RetainAlways())
        pending.wait(1, Episode(TARGET).solved_by("call"))
        with pytest.raises(RevisionError, match="an outcome must be a finite number or unknown, not nan"):
            pending.settle(base, 1, 5.0)
        assert (len(base), len(pending)) == (0, 1)

    def test_a_judge_sees_the_episode(self) -> None:
        """baycarp-2011 §6.2.1: whoever loses has lost with every decision on the way."""
        cost = {"fold": 0.0, "call": 2.0, "raise": 4.0}
        judge = Judged(
            lambda episode: -cost[episode.solution or "fold"] if (episode.outcome or 0) < 0 else None
        )
        lost = Episode(TARGET).solved_by("raise").ended(-10.0)
        assert judge(cases(), lost).outcome == -4.0
        assert judge(cases(), replace(lost, outcome=3.0)).outcome is None

    def test_an_expert_repairs_a_solution(self) -> None:
        repaired = Repaired(lambda _: "fold")(cases(), Episode(TARGET).solved_by("raise").ended(5.0))
        assert (repaired.solution, repaired.outcome) == ("fold", None)
        right = Episode(TARGET).solved_by("fold").ended(5.0)
        assert Repaired(lambda _: "fold")(cases(), right) is right
        with pytest.raises(SchemaError, match="no solution is called 'flee'"):
            Repaired(lambda _: "flee")(cases(), right)

    def test_retained_cases_are_found_at_once(self) -> None:
        base = cases((50, "fold", 0.0))
        cycle = Cycle(Retrieve(SIMILARITY, Nearest(1)), MaxFrequency(), AsObserved(), RetainAlways())
        assert cycle.solve(base, TARGET).strategy == Strategy(SCHEMA.solutions, (1.0, 0.0, 0.0), (1, 0, 0))
        learnt = cycle.learn(base, Episode(TARGET).solved_by("raise").ended(3.0))
        assert learnt.case == 1
        solved = cycle.solve(base, TARGET)
        assert solved.retrieved is not None
        assert solved.retrieved.rows.tolist() == [1]
        assert solved.strategy is not None
        assert solved.strategy.best == "raise"

    def test_an_episode_joins_the_case_with_its_description(self) -> None:
        base = cases((0, "call", 1.0), (5, "call", 1.0))
        joined = RetainMerged()(base, Episode(TARGET).solved_by("raise").ended(2.0))
        fresh = RetainMerged()(base, Episode(Target(SCHEMA, {"x": 7})).solved_by("raise"))
        assert (joined.case, fresh.case, len(base)) == (0, 2, 3)
        assert base.counts.tolist() == [[0, 1, 1], [0, 1, 0], [0, 0, 1]]
        assert base.sums.tolist() == [[0, 1, 2], [0, 1, 0], [0, 0, 0]]

    def test_only_what_is_not_known_is_retained(self) -> None:
        base = cases((0, "call", 1.0))
        retain = RetainUnknown(SIMILARITY, 0.95)
        assert retain(base, Episode(TARGET).solved_by("call")).case is None
        assert retain(base, Episode(TARGET).solved_by("raise")).case == 1
        assert retain(base, Episode(Target(SCHEMA, {"x": 30})).solved_by("call")).case == 2

    def test_phases_out_of_order_are_refused(self) -> None:
        base = cases()
        with pytest.raises(RetentionError, match="an episode without a solution cannot become a case"):
            RetainAlways()(base, Episode(TARGET))
        with pytest.raises(RetentionError, match="no outcome to wait for"):
            Pending(AsObserved(), RetainAlways()).wait(1, Episode(TARGET))
        with pytest.raises(SchemaError, match="an episode without a solution has no outcome"):
            Episode(TARGET).ended(1.0)
        with pytest.raises(SchemaError, match="no solution is called 'rise'"):
            Episode(TARGET).solved_by("rise")
        once = RetainAlways()(base, Episode(TARGET).solved_by("call"))
        with pytest.raises(RetentionError, match="already been retained as case 0"):
            RetainAlways()(base, once)


class TestExplaining:
    def test_an_explanation_tells_cases_similarities_votes_and_outcomes(self) -> None:
        schema = Schema((Number("x", whole=True), Symbol("name")), ("fold", "call", "raise"))
        similarity = Similarity(schema, {"x": (Linear(100), 1.0), "name": (AllOrNothing(), 3.0)})
        base = CaseBase(schema)
        base.add({"x": 10, "name": "a"}, "call", 4.0)
        base.add({"x": 20, "name": "b"}, "raise", 6.0)
        target = Target(schema, {"x": 0, "name": "a"}, {"name": ByProbability((("a", 0.5), ("b", 0.25)))})
        cycle = Cycle(Retrieve(similarity, AtLeast(0.5)), BestOutcome(), AsObserved(), RetainAlways())
        episode = cycle.solve(base, target)
        why = explain(base, episode)
        base.add({"x": 10, "name": "a"}, "fold", 1.0, merge=True)
        assert why.summary == "2 similar cases, up to 97.5 %: 1 call, 1 raise."
        probabilities, votes, outcomes, found, local = why.sections
        assert isinstance(probabilities, Bars)
        assert isinstance(votes, Bars)
        assert isinstance(outcomes, Bars)
        assert isinstance(found, TableSection)
        assert isinstance(local, TableSection)
        assert [bar.value for bar in probabilities.bars] == [0, 0, 1]
        assert [bar.value for bar in votes.bars] == [0, 1, 1]
        assert [(bar.label, bar.value) for bar in outcomes.bars] == [("call", 4.0), ("raise", 6.0)]
        assert found.columns == ("case", "similarity", "x", "name", "decisions", "sums of outcomes")
        assert found.rows[0] == ("this situation", 1.0, 0, "a", "", "")
        assert found.rows[1][1] == pytest.approx(0.975)
        assert found.rows[1][:1] + found.rows[1][2:] == (0, 10, "a", "1 call", "4 call")
        assert local.rows == (("weight", "1", "3"), (0, 0.9, 1.0), (1, 0.8, 0.75))
        assert explanation_from_json(why.to_json()) == why

    def test_the_similarities_of_the_attributes_make_the_whole(self) -> None:
        base = cases(*[(x, "call", None) for x in range(40)])
        why = explain(base, EVERYTHING(base, Episode(TARGET)), shown=7)
        found, local = why.sections
        assert isinstance(found, TableSection)
        assert isinstance(local, TableSection)
        assert len(found.rows) == len(local.rows) == 8
        assert [row[1] for row in found.rows[1:]] == [row[1] for row in local.rows[1:]]

    def test_what_was_not_similar_enough_is_said(self) -> None:
        base = cases((50, "fold", None), (60, "call", None))
        retrieve = Retrieve(SIMILARITY, AtLeastElseNearest(0.97, 2))
        episode = Probabilistic()(base, retrieve(base, Episode(TARGET)))
        assert explain(base, episode).summary == (
            "No case was similar enough; the 2 most similar, up to 50 %: 1 fold, 1 call."
        )
        nothing = explain(cases(), EVERYTHING(cases(), Episode(TARGET)))
        assert nothing.summary == "No similar case was found."
        one = MaxFrequency()(base, Retrieve(SIMILARITY, Nearest(1))(base, Episode(TARGET)))
        assert explain(base, one).summary == "One similar case, up to 50 %: 1 fold."
