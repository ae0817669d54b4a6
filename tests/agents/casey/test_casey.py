"""CASEY: situations and outcomes, strategies with a follow-up, the most successful one, learning from nothing."""

import json
from collections.abc import Sequence
from dataclasses import replace
from random import Random

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from railbird.agent import Agent, Decision, HandResult, MatchStart, UnsuitableGame, make_agent
from railbird.agents.casey import agent as casey_module
from railbird.agents.casey.agent import Casey
from railbird.agents.casey.attributes import Outcome, describe, outcome_of
from railbird.agents.casey.cases import (
    PLANS,
    SOLUTIONS,
    TABLE,
    CaseyError,
    MostSuccessful,
    NearestAbove,
    Plan,
    experiences,
    plans_for,
    schema,
    similarity,
)
from railbird.arena.play.hand import finish_hand, play_hand
from railbird.arena.play.match import play_match
from railbird.arena.play.plan import Duplicate, MatchPlan, entrants_of
from railbird.cards import parse_cards
from railbird.cbr.case_base import CaseBase
from railbird.cbr.cycle.episode import Episode, Strategy
from railbird.cbr.cycle.retrieve import Retrieve, Search
from railbird.cbr.cycle.reuse import ReuseError
from railbird.cbr.target import Target
from railbird.engine.actions import CALL, FOLD, ActionKind, LegalActions, raise_to
from railbird.engine.games import named_game
from railbird.engine.history import events_of
from railbird.engine.rules import Betting, GameRules
from railbird.engine.setup import Setup
from railbird.engine.state import State
from railbird.engine.table import Table
from railbird.equities.strength import hand_potential
from railbird.experiments.casey import learning_curve as experiment
from railbird.experiments.frame import Laboratory
from railbird.explanation import Bars, TableSection
from railbird.observation import Observation
from railbird.rng import Stream
from strategies import random_cards, random_rules, randoms

# Seats of limit-3p: small blind, big blind, button.
DEAL = "2c 7d Kh Kd As Ad Kc 8s 3h 4d 9c"
"""The big blind holds kings and flops a set; the button holds aces."""

FOLDING, CALLING, RAISING = ActionKind.FOLD, ActionKind.CALL, ActionKind.RAISE


def played(letters: str, cards: str = DEAL, game: str = "limit-3p") -> State:
    """A hand after these actions: f, c and r."""
    state = State(Setup.of(named_game(game)), parse_cards(cards))
    for letter in letters:
        state.act({"f": FOLD, "c": CALL, "r": raise_to(state.legal_actions.raise_minimum)}[letter])
    return state


def observe(letters: str, cards: str = DEAL, game: str = "limit-3p") -> Observation:
    """What the seat to act sees then."""
    state = played(letters, cards, game)
    assert state.actor is not None
    return Observation.of(state, state.actor, labels(state.rules))


def labels(rules: GameRules) -> tuple[str, ...]:
    return tuple(f"player {seat}" for seat in range(rules.players))


def start(rules: GameRules, seed: int = 1, experience: Sequence[str] = ()) -> MatchStart:
    return MatchStart(
        rules, labels(rules)[0], labels(rules), Stream.from_seed(seed), experience=tuple(experience)
    )


def begun(agent: Casey, game: str = "limit-3p", seed: int = 1, experience: Sequence[str] = ()) -> Casey:
    agent.begin_match(start(named_game(game), seed, experience))
    return agent


def told(letters: str, did: str, earned: float, base: str = "") -> str:
    """A case of the past in the situation after these actions."""
    situation = describe(observe(letters))
    name = base or ("postflop" if "stage" in situation else "preflop")
    line = {"base": name, "situation": situation, "did": did, "earned": earned, "stages": [0, 0, 0, earned]}
    return json.dumps({**line, "net": earned})


def finish(agent: Casey, state: State, hand_number: int = 0, seat: int = 1) -> None:
    """Tell an agent how a hand ended."""
    agent.end_hand(
        HandResult(seat, labels(state.rules), events_of(state), state.payoffs, hand_number=hand_number)
    )


def fact(decision: Decision, name: str) -> object:
    return {each.name: each.value for each in decision.explanation.facts}[name]


def cases_of(agent: Casey, base: str) -> list[tuple[str, float]]:
    """What was done in the cases of a base, and what it earned."""
    found = []
    for case in agent.experiences_[base].cases:
        ((solution, _),) = ((name, count) for name, count in case.counts.items() if count)
        found.append((solution, case.sums[solution]))
    return found


class TestSituations:
    def test_before_the_flop(self) -> None:
        assert describe(observe("")) == {
            "hand strength": 1.0,
            "relative position": 0.0,
            "bets to call": 1.0,
            "opponents": 2,
        }
        small_blind = describe(observe("f"))
        assert small_blind["bets to call"] == 0.5
        assert small_blind["relative position"] == 0.5
        assert small_blind["opponents"] == 1
        assert tuple(small_blind) == TABLE.names("preflop")

    def test_after_the_flop_come_potential_and_stage(self) -> None:
        observation = observe("rfccr")
        assert observation.seat == 1
        measured = hand_potential(observation.hole_cards, observation.board)
        found = describe(observation)
        assert tuple(found) == TABLE.names("postflop")
        assert found["hand strength"] == pytest.approx(measured.hs, abs=1e-4)
        assert found["potential"] == pytest.approx(measured.ppot, abs=1e-4)
        assert (found["stage"], found["bets to call"], found["relative position"]) == ("flop", 1.0, 0.0)
        assert describe(observe("rfcccccc"))["potential"] == 0.0
        assert describe(observe("rfcccccc"))["stage"] == "river"

    def test_only_who_must_act_has_a_situation(self) -> None:
        state = played("")
        with pytest.raises(ValueError, match="seat 0 has nothing to decide: seat 2 is to act"):
            describe(Observation.of(state, 0, labels(state.rules)))


class TestOutcomes:
    def test_chips_win_or_lose_where_they_were_bet(self) -> None:
        """Before the flop two pay 20 and the small blind 5, on the flop they pay 10 each, on the turn 20 each."""
        state = played("rfccrcrccc")
        events, small_bet = events_of(state), state.rules.small_bet
        assert state.payoffs == (-5, 55, -50), "the set beats the overpair"
        won, lost, folded = (outcome_of(events, seat, state.payoffs[seat], small_bet) for seat in (1, 2, 0))
        assert won.stages == pytest.approx((2.5, 1.0, 2.0, 0.0))
        assert lost.stages == pytest.approx((-2.0, -1.0, -2.0, 0.0))
        assert folded.stages == pytest.approx((-0.5, 0.0, 0.0, 0.0))
        assert (won.net, lost.net, folded.net) == (5.5, -5.0, -0.5)

    def test_an_uncalled_bet_comes_back_to_its_stage(self) -> None:
        state = played("rfcrf")
        outcome = outcome_of(events_of(state), 1, state.payoffs[1], state.rules.small_bet)
        assert outcome.stages == pytest.approx((2.5, 0.0, 0.0, 0.0))

    def test_a_lone_blind_that_comes_back_wins_nothing(self) -> None:
        rules = replace(named_game("limit-3p"), blinds=(0, 10, 0))
        state = State(Setup.of(rules), parse_cards(DEAL))
        state.act(FOLD)
        state.act(FOLD)
        assert outcome_of(events_of(state), 1, state.payoffs[1], rules.small_bet) == Outcome((0.0,) * 4, 0.0)

    @settings(max_examples=60)
    @given(randoms)
    def test_stages_add_up_to_the_net_in_any_limit_game(self, random: Random) -> None:
        rules = replace(random_rules(random), betting=Betting.LIMIT)
        state = State(Setup.of(rules), random_cards(random, rules))
        while state.actor is not None:
            state.act(random.choice(state.node.choices))
        events = events_of(state)
        outcomes = [
            outcome_of(events, seat, payoff, rules.small_bet) for seat, payoff in enumerate(state.payoffs)
        ]
        for outcome, payoff in zip(outcomes, state.payoffs, strict=True):
            assert outcome.net == pytest.approx(float(payoff) / rules.small_bet)
            assert sum(outcome.stages) == pytest.approx(outcome.net)
        for stage in range(4):
            assert sum(outcome.stages[stage] for outcome in outcomes) == pytest.approx(0.0, abs=1e-9)


class TestStrategies:
    def test_an_action_and_its_follow_up(self) -> None:
        assert [plan.solution for plan in PLANS] == [
            "fold",
            "call then fold",
            "call then call",
            "call then raise",
            "raise then fold",
            "raise then call",
            "raise then raise",
        ]
        assert set(SOLUTIONS) == {plan.solution for plan in PLANS} | {"call", "raise"}

    def test_only_what_is_legal_can_be_begun(self) -> None:
        free, capped = LegalActions(False, 0, 10, 10), LegalActions(True, 10, 0, 0)
        assert {plan.first for plan in plans_for(free)} == {CALLING, RAISING}
        assert {plan.first for plan in plans_for(capped)} == {FOLDING, CALLING}
        assert plans_for(LegalActions(True, 10, 20, 20)) == PLANS

    def test_a_check_raise_is_one_strategy(self) -> None:
        """Past check-raises with this set won; CASEY checks, and raises when somebody bets."""
        past = [told("rfc", "call then raise", 6.0), told("rfc", "raise", 2.0), told("rfc", "call", 0.5)]
        past += [told("rfc", "call then call", 2.0)]
        casey = begun(Casey(adequate=1), experience=past)
        checks = casey.act(observe("rfc"))
        assert checks.action == CALL
        assert checks.explanation.summary == (
            "In 4 similar situations, the best strategy earned +6.5 small bets in total: check, then raise."
        )
        raises = casey.act(observe("rfccr"))
        assert raises.action == raise_to(20)
        assert "It follows its plan for the flop" in raises.explanation.summary
        state = played("rfccrrf")
        finish(casey, state)
        assert cases_of(casey, "postflop")[-1] == ("call then raise", 5.5), "the pot of 45 and the bet of 10"

    def test_a_follow_up_that_was_not_needed_is_no_part_of_the_case(self) -> None:
        casey = begun(Casey(adequate=1), experience=[told("rfc", "call then raise", 6.0)])
        assert casey.act(observe("rfc")).action == CALL
        finish(casey, played("rfccccccc"))
        assert cases_of(casey, "postflop")[-1] == ("call", 4.5)

    def test_a_follow_up_holds_for_every_further_decision(self) -> None:
        casey = begun(Casey(adequate=1), experience=[told("rfc", "raise then call", 6.0)])
        assert casey.act(observe("rfc")).action == raise_to(10)
        assert casey.act(observe("rfcrr")).action == CALL

    def test_the_next_stage_has_a_strategy_of_its_own(self) -> None:
        past = [told("rfc", "call then raise", 6.0), told("rfccc", "raise then fold", 1.0)]
        casey = begun(Casey(adequate=1), experience=past)
        assert casey.act(observe("rfc")).action == CALL
        assert casey.act(observe("rfccc")).action == raise_to(20)


class TestMostSuccessful:
    def solve(self, cases: Sequence[tuple[str, float]], plans: tuple[Plan, ...] = PLANS) -> Strategy | None:
        base = CaseBase(schema("preflop"))
        situation = describe(observe(""))
        for solution, outcome in cases:
            base.add(situation, solution, outcome)
        retrieve = Retrieve(similarity("preflop"), NearestAbove(100, 0.9))
        episode = retrieve(base, Episode(Target(base.schema, situation)))
        return MostSuccessful(plans)(base, episode).strategy

    def test_outcomes_are_added_and_the_greatest_sum_is_reused(self) -> None:
        found = self.solve([("call", 4.0), ("raise", 3.0), ("raise", 2.0), ("raise then fold", -2.0)])
        assert found is not None
        assert dict(zip(SOLUTIONS, found.outcomes, strict=True)) == {
            "fold": 0.0, "call": None, "call then fold": 4.0, "call then call": 4.0, "call then raise": 4.0,
            "raise": None, "raise then fold": 3.0, "raise then call": 5.0, "raise then raise": 5.0,
        }  # fmt: skip
        chances = found.as_mapping()
        assert chances["raise then call"] == chances["raise then raise"] == 0.5

    def test_folding_is_better_than_losing_tried_or_not(self) -> None:
        found = self.solve([("call", -1.0), ("raise then call", -3.0)])
        assert found is not None
        assert found.best == "fold"

    def test_who_cannot_fold_loses_least(self) -> None:
        found = self.solve([("call", -1.0), ("raise", -3.0)], plans_for(LegalActions(False, 0, 10, 10)))
        assert found is not None
        assert found.best.startswith("call then")

    def test_what_nobody_tried_is_out(self) -> None:
        found = self.solve([("call", 1.0)])
        assert found is not None
        assert found.outcomes[SOLUTIONS.index("raise then call")] is None
        assert self.solve([("raise", 1.0)], (Plan(CALLING, FOLDING),)) is None

    def test_no_case_gives_no_strategy(self) -> None:
        assert self.solve([]) is None
        base = CaseBase(schema("preflop"))
        with pytest.raises(ReuseError, match="call retrieve first"):
            MostSuccessful(PLANS)(base, Episode(Target(base.schema, describe(observe("")))))

    @given(st.lists(st.tuples(st.sampled_from(SOLUTIONS), st.integers(-9, 9)), min_size=1, max_size=40))
    def test_it_is_what_adding_up_by_hand_gives(self, cases: list[tuple[str, int]]) -> None:
        cases = [(solution, 0 if solution == "fold" else outcome) for solution, outcome in cases]
        found = self.solve([(solution, float(outcome)) for solution, outcome in cases])
        sums = {"fold": 0}
        for plan in PLANS[1:]:
            if any(solution.startswith(plan.begun) for solution, _ in cases):
                of_plan = (plan.begun, plan.solution)
                sums[plan.solution] = sum(outcome for solution, outcome in cases if solution in of_plan)
        best = {solution for solution, value in sums.items() if value == max(sums.values())}
        assert found is not None
        assert {name for name, chance in found.as_mapping().items() if chance > 0} == best
        assert sum(found.probabilities) == pytest.approx(1)


class TestRetrieval:
    @settings(max_examples=30)
    @given(st.integers(0, 10**6), st.integers(1, 60), st.sampled_from([0.0, 0.8, 0.9, 0.97, 1.0]))
    def test_up_to_so_many_above_the_threshold(self, seed: int, most: int, threshold: float) -> None:
        random = Random(seed)
        base = CaseBase(schema("postflop"))

        def situation() -> dict[str, float | str]:
            return {
                "hand strength": round(random.random(), 2),
                "relative position": random.choice((0.0, 0.5, 1.0)),
                "bets to call": float(random.randint(0, 2)),
                "opponents": random.randint(1, 3),
                "potential": round(random.random() / 3, 2),
                "stage": random.choice(("flop", "turn", "river")),
            }

        for _ in range(200):
            base.add(situation(), "call", 1.0)
        target = Target(base.schema, situation())
        measure = similarity("postflop")
        found = NearestAbove(most, threshold)(Search(base, measure, target))
        everything = [
            (-measure(target.description, base.description(case)), case) for case in range(len(base))
        ]
        expected = [pair for pair in sorted(everything) if -pair[0] >= threshold][:most]
        assert found.rows.tolist() == [case for _, case in expected]
        assert found.similarities.tolist() == [-negative for negative, _ in expected]

    def test_another_stage_or_bet_is_never_similar(self) -> None:
        flop, turn = describe(observe("rfcr")), describe(observe("rfcccr"))
        turn["hand strength"], turn["potential"] = flop["hand strength"], flop["potential"]
        assert similarity("postflop")(flop, turn) < 0.9
        assert similarity("postflop")(flop, {**flop, "bets to call": 2.0}) < 0.9
        before = describe(observe(""))
        assert similarity("preflop")(before, {**before, "bets to call": 2.0}) < 0.9
        assert similarity("preflop")(before, {**before, "hand strength": 0.9}) > 0.9


class TestLearning:
    def test_it_starts_empty_and_plays_at_random(self) -> None:
        actions = set()
        for seed in range(40):
            decision = begun(Casey(), seed=seed).act(observe(""))
            actions.add(decision.action)
            chances = {action.kind: chance for action, chance in decision.strategy}
            assert chances == pytest.approx({FOLDING: 1 / 7, CALLING: 3 / 7, RAISING: 3 / 7})
            assert decision.explanation.summary.startswith(
                "It is still learning (0 of 1,000 preflop cases), "
            )
        assert actions == {FOLD, CALL, raise_to(20)}

    def test_an_adequate_number_of_cases_ends_random_play(self) -> None:
        past = [told("", "raise then raise", 3.0)] * 9
        few, enough = (begun(Casey(adequate=number), experience=past) for number in (10, 9))
        assert "so it chose at random" in few.act(observe("")).explanation.summary
        assert enough.act(observe("")).action == raise_to(20)

    def test_where_nothing_similar_is_known_it_draws(self) -> None:
        casey = begun(Casey(adequate=1), experience=[told("", "raise then raise", 3.0)])
        weak = observe("", "2c 7d Kh Kd 7s 2d Kc 8s 3h 4d 9c")
        summary = casey.act(weak).explanation.summary
        assert summary.startswith("It knows no similar situation, so it chose at random: ")

    def test_a_case_waits_until_the_hand_is_over(self) -> None:
        casey = begun(Casey())
        casey.act(observe("rf"))
        casey.act(observe("rfc"))
        assert [len(each.cases) for each in casey.experiences_.values()] == [0, 0]
        assert [len(waiting) for waiting in casey.waiting_.values()] == [1, 1]
        finish(casey, played("rfccccccc"))
        assert [len(each.cases) for each in casey.experiences_.values()] == [1, 1]
        assert [len(waiting) for waiting in casey.waiting_.values()] == [0, 0]

    def test_what_it_earned_counts_from_the_decision_on(self) -> None:
        """The big blind's 10 chips are gone before it decides, and 20 before it sees the flop; the pot was 65."""
        casey = begun(Casey())
        casey.act(observe("rf"))
        casey.act(observe("rfc"))
        state = played("rfcrccccc")
        assert state.payoffs == (-5, 35, -30)
        finish(casey, state)
        (before,), (after,) = (cases_of(casey, name) for name in ("preflop", "postflop"))
        assert (before[1], after[1]) == (4.5, 5.5)
        for known in casey.experiences_.values():
            assert known.outcomes[0].net == 3.5
            assert known.outcomes[0].stages == pytest.approx((2.5, 1.0, 0.0, 0.0))

    def test_folding_earns_nothing(self) -> None:
        for seed in range(30):
            casey = begun(Casey(), seed=seed)
            if casey.act(observe("rf")).action == FOLD:
                finish(casey, played("rff"))
                assert cases_of(casey, "preflop") == [("fold", 0.0)]
                return
        raise AssertionError("thirty random players never folded")

    def test_a_hand_whose_end_nobody_told_is_forgotten(self) -> None:
        casey = begun(Casey())
        casey.act(observe("rf"))
        casey.act(observe("rfc"))
        casey.act(observe("rf"))
        assert [len(waiting) for waiting in casey.waiting_.values()] == [1, 0]
        finish(casey, played("rfccccccc"), hand_number=7)
        assert [len(each.cases) for each in casey.experiences_.values()] == [0, 0]

    def test_what_it_lived_through_brings_everything_back(self) -> None:
        casey = Casey(adequate=30)
        play([casey, *rulebots(3)], "limit-4max", 120)
        lived = casey.lived()
        assert len(lived) == sum(len(each.cases) for each in casey.experiences_.values()) > 150
        assert all("\n" not in text for text in lived)
        again = begun(Casey(adequate=30), "limit-4max", experience=lived)
        assert not again.lived(), "only what this match brought is lived through anew"
        for name, known in casey.experiences_.items():
            other = again.experiences_[name]
            assert other.outcomes == known.outcomes
            assert list(other.cases) == list(known.cases)

    def test_it_may_keep_everything_to_itself(self) -> None:
        casey = Casey(keeps=False)
        play([casey, *rulebots(3)], "limit-4max", 5)
        assert not casey.lived()
        assert len(casey.experiences_["preflop"].cases) == 5
        assert not Casey().lived()

    def test_a_new_match_begins_with_nothing(self) -> None:
        casey = Casey()
        play([casey, *rulebots(3)], "limit-4max", 5)
        begun(casey)
        assert [len(each.cases) for each in casey.experiences_.values()] == [0, 0]

    @pytest.mark.parametrize(
        ("text", "why"),
        [
            ("{", "experience 2 is not a CASEY case"),
            ("[]", "experience 2 is not a CASEY case"),
            ('{"base": "turn"}', "experience 2 is not a CASEY case: 'turn'"),
            (told("", "flee", 1.0), "no solution is called 'flee'"),
            (told("", "call", 1.0, base="postflop"), "the description has no 'potential'"),
            (told("", "call", 1.0).replace("[0, 0, 0, 1.0]", "[1]"), "an outcome has 4 stages, not 1"),
            (told("", "call", float("nan")),
             "an outcome must be a finite number"),
        ],
    )  # fmt: skip
    def test_experience_of_somebody_else_is_refused(self, text: str, why: str) -> None:
        with pytest.raises(CaseyError, match=why):
            experiences([told("", "call", 1.0), text])

    def test_it_learns_to_beat_its_own_random_play(self) -> None:
        won = play([Casey(adequate=400), *rulebots(3)], "limit-4max", 1500)
        first, last = won[:400], won[-1000:]
        assert sum(first) / len(first) < -0.5
        assert sum(last) / len(last) > sum(first) / len(first) + 0.5


class TestReasons:
    def test_what_every_strategy_earned_and_which_cases_say_so(self) -> None:
        past = [told("rfc", "call then raise", 6.0), told("rfc", "raise", 2.0), told("rfc", "call", -0.5)]
        decision = begun(Casey(adequate=1), experience=past).act(observe("rfc"))
        assert fact(decision, "similar cases") == 3
        assert fact(decision, "strategy") == "check, then raise"
        assert fact(decision, "stage") == "flop"
        earned, done, cases, parts = decision.explanation.sections
        assert isinstance(earned, Bars)
        assert [(bar.label, bar.value) for bar in earned.bars] == [
            ("check, then fold", -0.5), ("check, then call", -0.5), ("check, then raise", 5.5),
            ("bet, then fold", 2.0), ("bet, then call", 2.0), ("bet, then raise", 2.0),
        ]  # fmt: skip
        assert isinstance(done, TableSection)
        assert done.columns == (
            "action", "cases", "earned from here", "per case", "preflop", "flop", "turn", "river", "net"
        )  # fmt: skip
        assert done.rows[1] == ("check, then raise", 1, 6.0, 6.0, 0.0, 0.0, 0.0, 6.0, 6.0)
        assert isinstance(cases, TableSection)
        assert isinstance(parts, TableSection)
        assert len(cases.rows) == 1 + 3
        json.dumps(decision.explanation.to_json())

    def test_a_fold_says_that_nothing_earned_more(self) -> None:
        decision = begun(Casey(adequate=1), experience=[told("rfcr", "call", -2.0)]).act(observe("rfcr"))
        assert decision.action == FOLD
        assert (
            decision.explanation.summary == "In one similar situation, no other strategy made a profit: fold."
        )
        assert decision.strategy == ((FOLD, 1.0),)

    def test_it_may_be_asked_without_a_match_and_in_the_middle_of_a_stage(self) -> None:
        observation = observe("rfcr")
        decision = Casey().act(observation)
        assert observation.legal_actions.allows(decision.action)
        assert "It is still learning" in decision.explanation.summary
        Casey().end_hand(HandResult(0, ("a", "b", "c"), (), (0, 0, 0)))


class TestContract:
    @settings(max_examples=25)
    @given(randoms, st.sampled_from([0, 5, 1000]))
    def test_any_limit_game_is_played_legally(self, random: Random, adequate: int) -> None:
        rules = replace(random_rules(random), betting=Betting.LIMIT)
        agents = [Casey(adequate=adequate) for _ in range(rules.players)]
        for agent in agents:
            agent.begin_match(start(rules, random.randint(0, 99)))
        for number in range(6):
            state = State(Setup.of(rules), random_cards(random, rules))
            record = play_hand(state, agents, labels(rules), hand_number=number)
            assert sum(record.payoffs) == 0

    def test_the_same_stream_gives_the_same_play(self) -> None:
        first, second, other = (
            play([Casey(adequate=50), *rulebots(3)], "limit-4max", 200, seed) for seed in (5, 5, 6)
        )
        assert first == second
        assert first != other

    @pytest.mark.parametrize(
        ("game", "why"), [("nolimit-2p", "is no-limit"), ("leduc-2p", "with a full deck")]
    )
    def test_other_games_are_refused_with_a_sentence(self, game: str, why: str) -> None:
        with pytest.raises(UnsuitableGame, match=f"Casey plays limit hold'em.*{why}"):
            begun(Casey(), game)

    @pytest.mark.parametrize(
        ("parameters", "why"),
        [
            ({"adequate": -1}, "adequate=-1 is not a valid number of cases"),
            ({"most": 0}, "most=0 is not a valid number of cases to retrieve"),
            ({"threshold": 1.5}, "threshold=1.5 is not a valid similarity"),
            ({"threshold": float("nan")}, "threshold=nan is not a valid similarity"),
        ],
    )
    def test_parameters_that_make_no_sense_are_refused(self, parameters: dict[str, float], why: str) -> None:
        with pytest.raises(CaseyError, match=why):
            Casey(**parameters)  # type: ignore[arg-type]


class TestLearningCurve:
    def test_blocks_are_parts_of_the_bankroll(self) -> None:
        plan = MatchPlan(
            "limit-3p", entrants_of(["rulebot", "random", "random"]), 50, "7", duplicate=Duplicate.ROTATIONS
        )
        results = [play_match(replace(plan, name=("match", number))) for number in range(3)]
        rates = experiment.learning_curve(results)
        assert len(rates) == experiment.BLOCKS
        assert [rate.hands for rate in rates] == [3 * 10 * 3] * experiment.BLOCKS
        whole = sum(result.tally.mean((1, 0, 0)) for result in results) / 3 / 10
        assert sum(rate.mean for rate in rates) / experiment.BLOCKS == pytest.approx(whole)
        assert all(rate.low < rate.mean < rate.high for rate in rates)

    def test_the_experiment_runs_at_both_tables(self, monkeypatch: pytest.MonkeyPatch) -> None:
        monkeypatch.setattr(experiment, "CASEY", f"{casey_module.__file__}:Casey:keeps=no")
        (described,) = experiment.EXPERIMENTS
        findings = list(described.run(Laboratory(seed="3", quick=True)))
        assert len(findings) == 2 * experiment.BLOCKS
        assert findings[4].asked == "an interval that reaches zero"
        assert findings[4].holds is not None
        assert all(finding.measured.endswith("hands)") for finding in findings)

    @pytest.mark.soak
    def test_three_rulebots_are_no_longer_ahead_of_it(self) -> None:
        """baycarp-2011 §4.3.2: after the initial acquisition of cases it plays on par."""
        won = play([Casey(keeps=False), *rulebots(3)], "limit-4max", 20_000)
        mean, deviation = mean_and_error(won[:1000])
        assert mean + 2 * deviation < 0, "it begins as a random player"
        mean, deviation = mean_and_error(won[-10_000:])
        assert mean + 2 * deviation > 0


def rulebots(count: int) -> list[Agent]:
    return [make_agent("rulebot") for _ in range(count)]


def play(agents: Sequence[Agent], game: str, hands: int, seed: int = 1) -> list[float]:
    """What the first agent won in each hand of a match, in small bets."""
    rules, root = named_game(game), Stream.from_seed(seed)
    names = labels(rules)
    for place, agent in enumerate(agents):
        agent.begin_match(MatchStart(rules, names[place], names, root.child("agent", place)))
    table, won = Table(rules), []
    for number in range(hands):
        seating = table.next_hand()
        state = State.deal(seating.setup, root.child("deal", number))
        seats = seating.seats
        finish_hand(state, [agents[seat] for seat in seats], tuple(names[seat] for seat in seats), number)
        won.append(float(state.payoffs[seats.index(0)]) / rules.small_bet)
        table.settle(seating, state.payoffs)
    return won


def mean_and_error(values: Sequence[float]) -> tuple[float, float]:
    mean = sum(values) / len(values)
    return mean, (sum((value - mean) ** 2 for value in values) / len(values)) ** 0.5 / len(values) ** 0.5
