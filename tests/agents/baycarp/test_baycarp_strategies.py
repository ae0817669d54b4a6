"""BayCaRP with strategies as solutions: found in packs of single decisions, chosen backwards, followed at the table."""

from collections import Counter
from collections.abc import Sequence
from functools import cache
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from bayes_networks import random_network
from railbird.agent import Agent, Decision, HandResult, MatchStart, make_agent
from railbird.agents.baycarp.cases import (
    FOLLOW_UPS,
    SOLUTIONS,
    STRATEGIES,
    STRATEGY_TABLE,
    SYSTEM,
    TABLE,
    THRESHOLDS,
    similarity,
)
from railbird.agents.baycarp.outcomes import G_BUCKS
from railbird.agents.baycarp.parts import Parts, Solved
from railbird.agents.baycarp.strategies.cases import WHOSE_ROUND, strategy_pack
from railbird.agents.baycarp.strategies.rounds import ByStrategies
from railbird.agents.baycarp.view import Viewer
from railbird.agents.baycarp.watching import baycarp_system
from railbird.agents.casper.attributes import STAGES
from railbird.cards import parse_cards
from railbird.cbr.case_base import CaseBase
from railbird.cbr.cycle.episode import Episode, Strategy
from railbird.cbr.cycle.joining import joined_packs
from railbird.cbr.cycle.plans import Planned, TwoSteps, plan_solutions, steps_of
from railbird.cbr.cycle.retrieve import AtLeastElseNearest, Nearest, Retrieve
from railbird.cbr.cycle.reuse import (
    BestOutcome,
    BestSumOfOutcomes,
    MaxFrequency,
    Probabilistic,
    ReuseError,
    VotePolicy,
)
from railbird.cbr.packs.files import Pack, PackError, write_pack
from railbird.cbr.packs.merging import merged
from railbird.cbr.schema import Number, Schema
from railbird.cbr.similarity import Linear, Similarity
from railbird.cbr.target import Target
from railbird.engine.actions import CALL, FOLD, Action, ActionKind, raise_to
from railbird.engine.games import named_game
from railbird.engine.record import HandRecord
from railbird.engine.setup import Setup
from railbird.engine.state import State
from railbird.experiments.played_hands import played_by
from railbird.features.betting import actions_in_round
from railbird.learning.watching import Watcher
from railbird.notation.acpc.state import format_state_line
from railbird.observation import Observation
from railbird.opponents.network.beliefs import Beliefs
from railbird.opponents.network.nodes import PUBLISHED, structure
from railbird.rng import Stream
from railbird.spec import SpecError
from watched_hands import decisions_in

PLAYERS = ("hunter", "prey")
KINGS = "KhKd 2c2d Kc9d4s 5h Jc"
"""The hunter acts first after the flop, and has flopped a set."""
AGENTS = ("baycarp1", "baycarp2", "baycarp3")


def played(letters: str, game: str = "limit-2p") -> State:
    """A hand after these actions: f, c and r."""
    state = State(Setup.of(named_game(game)), parse_cards(KINGS.replace(" ", "")))
    for letter in letters:
        state.act({"f": FOLD, "c": CALL}.get(letter) or raise_to(state.legal_actions.raise_minimum))
    return state


def observed(letters: str, game: str = "limit-2p") -> Observation:
    state = played(letters, game)
    assert state.actor is not None
    return Observation.of(state, state.actor, PLAYERS)


def watched(*hands: str) -> Pack:
    """The hunter's decisions in hands of the shipped network's world."""
    watcher = Watcher(baycarp_system(), [PLAYERS[0]])
    for number, letters in enumerate(hands):
        watcher.add(HandRecord.of(played(letters), PLAYERS, str(number)), "hands.log")
    return watcher.pack({})


# Plans


def test_strategies_are_an_action_and_what_follows_it() -> None:
    assert len(STRATEGIES) == 1 + 4 * (1 + 3)
    assert STRATEGIES[:6] == (
        "fold",
        "check",
        "check then fold",
        "check then call",
        "check then raise",
        "call",
    )
    assert [steps_of(each) for each in STRATEGIES[:3]] == [("fold", None), ("check", None), ("check", "fold")]
    assert plan_solutions(("a",), ("b",)) == ("a", "a then b")


PLAIN = Schema((Number("x"),), STRATEGIES)
X = Similarity(PLAIN, {"x": (Linear(1.0), 1.0)})
ALL = frozenset(SOLUTIONS)


def plan(
    policy: VotePolicy, cases: Sequence[tuple[str, float | None]], possible: frozenset[str] = ALL
) -> TwoSteps | None:
    """What a policy makes of cases that are all equally similar."""
    base = CaseBase(PLAIN)
    for solution, outcome in cases:
        base.add({"x": 0.0}, solution, outcome)
    found = Retrieve(X, Nearest(max(1, len(cases))))(base, Episode(Target(PLAIN, {"x": 0.0})))
    return Planned(policy, SOLUTIONS, FOLLOW_UPS, possible)(base, found)


def test_a_majority_is_one_of_first_actions_however_many_strategies_they_divide_into() -> None:
    cases = [("bet", 1.0)] * 4 + [("check then fold", 0.0), ("check then call", 0.0)] * 2
    cases += [("check then raise", 0.0)] * 3
    found = plan(MaxFrequency(), cases)
    assert found is not None
    assert (found.first.best, found.first.votes) == ("check", (0, 7, 0, 4, 0))
    assert {first: each.best for first, each in found.second.items()} == {"check": "raise"}


def test_the_check_raise_earns_what_the_check_alone_never_shows() -> None:
    cases: list[tuple[str, float | None]] = [("bet", 1.0), ("bet", 1.0), ("check", 0.0)]
    cases += [("check then call", -2.0), ("check then raise", 2.0), ("check then raise", 2.0)]
    found = plan(BestSumOfOutcomes(), cases)
    assert found is not None
    assert (found.first.best, found.second["check"].best) == ("check", "raise")
    assert found.first.outcomes == (None, 4.0, None, 2.0, None)
    assert "bet" not in found.second, "no case came to a second action after a bet"
    means = plan(BestOutcome(), cases)
    assert means is not None
    assert means.first.outcomes[SOLUTIONS.index("check")] == pytest.approx(4 / 3)


def test_chances_of_follow_ups_are_shares_of_the_rounds_that_came_back() -> None:
    cases: list[tuple[str, float | None]] = [("check", None)] * 4
    cases += [("check then fold", None)] * 3 + [("check then raise", None), ("bet", None), ("bet", None)]
    found = plan(Probabilistic(), cases)
    assert found is not None
    assert found.first.as_mapping()["check"] == pytest.approx(0.8)
    assert found.second["check"].probabilities == (0.75, 0.0, 0.25)


def test_only_what_can_be_begun_has_a_vote() -> None:
    cases = [("call then raise", 5.0)] * 5 + [("check then call", -1.0)]
    found = plan(BestSumOfOutcomes(), cases, frozenset({"check", "bet"}))
    assert found is not None
    assert found.first.best == "check"
    assert found.second.keys() == {"check"}
    assert plan(BestSumOfOutcomes(), cases, frozenset({"fold"})) is None
    assert plan(MaxFrequency(), []) is None
    base = CaseBase(PLAIN)
    with pytest.raises(ReuseError, match="call retrieve first"):
        Planned(MaxFrequency(), SOLUTIONS, FOLLOW_UPS, ALL)(base, Episode(Target(PLAIN, {"x": 0.0})))


@given(st.lists(st.tuples(st.sampled_from(STRATEGIES), st.integers(-9, 9)), min_size=1, max_size=40))
def test_the_best_sum_is_that_of_the_best_strategy_that_was_tried(cases: list[tuple[str, int]]) -> None:
    """What began so and needed no more, and what went on like that: of all strategies, the most."""
    sums: Counter[str] = Counter()
    for solution, outcome in cases:
        sums[solution] += outcome
    worth: dict[str, int] = {}
    for first in SOLUTIONS:
        tried = [name for name in STRATEGIES if name in sums and steps_of(name)[0] == first]
        later = [sums[name] for name in tried if name != first]
        if tried:
            worth[first] = sums[first] + max(later, default=0)
    found = plan(BestSumOfOutcomes(), [(name, float(outcome)) for name, outcome in cases])
    assert found is not None
    assert {
        name: value for name, value in zip(SOLUTIONS, found.first.outcomes, strict=True) if value is not None
    } == (worth)
    assert worth[found.first.best] == max(worth.values())


# In packs of single decisions


def random_hands(count: int) -> list[HandRecord]:
    setup, root = Setup.of(named_game("limit-4max")), Stream.from_seed("strategies")
    records, draw = [], root.child("draw").generator()
    for number in range(count):
        state = State.deal(setup, root.child("deal", number))
        while state.actor is not None:
            kind = (ActionKind.FOLD, ActionKind.CALL, ActionKind.RAISE)[
                int(draw.choice(3, p=(0.1, 0.5, 0.4)))
            ]
            legal = state.legal_actions
            if kind is ActionKind.RAISE and legal.can_raise:
                state.act(raise_to(legal.raise_minimum))
            else:
                state.act(FOLD if kind is ActionKind.FOLD and legal.fold else CALL)
        records.append(HandRecord.of(state, ("ann", "bob", "cat", "dan"), str(number)))
    return records


@cache
def random_pack() -> Pack:
    watcher = Watcher(baycarp_system(), ())
    for record in random_hands(60):
        watcher.add(record, "random.log")
    return watcher.pack({})


def strategies_in(pack: Pack) -> Counter[tuple[str, str, str, str]]:
    """By stage, hand and player what was done, check and call one word as in a log."""
    found: Counter[tuple[str, str, str, str]] = Counter()
    for stage, base in pack.bases.items():
        for case in base:
            rider = pack.rider(stage, case.number)
            (solution,) = (name for name, count in case.counts.items() if count)
            kinds = solution.replace("check", "call").replace("bet", "raise")
            found[stage, rider["hand"], rider["player"], kinds] += 1
    return found


def test_rounds_are_those_of_the_log() -> None:
    """The log is read by another reader, which knows no pack."""
    rounds: dict[tuple[str, str, str], list[str]] = {}
    for each in decisions_in("\n".join(map(format_state_line, random_hands(60)))):
        rounds.setdefault((each.stage, each.hand, each.player), []).append(each.action)
    expected = Counter((*key, " then ".join(actions[:2])) for key, actions in rounds.items())
    assert strategies_in(strategy_pack(random_pack(), "pack")) == expected
    assert sum(len(actions) > 1 for actions in rounds.values()) > 100


def test_a_round_that_stands_twice_is_two_rounds() -> None:
    once = strategies_in(strategy_pack(random_pack(), "pack"))
    twice = joined_packs({"first": random_pack(), "second": random_pack()}, {})
    assert strategies_in(strategy_pack(twice, "pack")) == Counter(
        {key: 2 * each for key, each in once.items()}
    )


def test_a_strategy_costs_what_its_actions_cost() -> None:
    """A check-raise on the flop: given up on the turn, and the same when the opponent folds."""
    lost, won = (strategy_pack(watched(letters), "pack") for letters in ("cccrrc" + "crf", "cccrrf"))
    assert flop_of(lost, "turn") == ("check then fold", 0.0)
    assert flop_of(lost) == ("check then raise", -2.0)
    assert flop_of(won) == ("check then raise", 2.0)


def flop_of(pack: Pack, stage: str = "flop") -> tuple[str, float]:
    (case,) = pack.bases[stage]
    (solution,) = (name for name, count in case.counts.items() if count)
    return solution, case.sums[solution]


def test_a_strategy_is_worth_what_its_last_action_is_less_what_it_cost_before() -> None:
    single = watched("ccrrrf")
    worth = [float(each) for each in single.riders["flop"][G_BUCKS]]
    strategy, found = flop_of(strategy_pack(single, "pack", G_BUCKS))
    assert strategy == "bet then raise"
    assert found == pytest.approx(worth[1] - 1.0)
    alone = watched("cccc")
    (first,) = alone.riders["flop"][G_BUCKS]
    strategy, found = flop_of(strategy_pack(alone, "pack", G_BUCKS))
    assert strategy == "check"
    assert found == pytest.approx(float(first))


def test_of_a_hand_that_was_not_played_to_its_end_the_cost_is_unknown() -> None:
    unfinished = strategy_pack(watched("cccrr"), "pack")
    (case,) = unfinished.bases["flop"]
    assert case.counts["check then raise"] == 1
    assert case.known["check then raise"] == 0


def test_packs_that_do_not_tell_whose_round_it_was_are_refused() -> None:
    pack = random_pack()
    nameless = {stage: {name: each for name, each in columns.items() if name != "player"}
                for stage, columns in pack.riders.items()}  # fmt: skip
    with pytest.raises(
        PackError, match="old.parquet: cannot find strategies .* preflop do not have the rider player"
    ):
        strategy_pack(Pack(pack.system, pack.bases, nameless), "old.parquet")
    bases = {stage: merged(base) for stage, base in pack.bases.items()}
    riders = {stage: dict.fromkeys(WHOSE_ROUND, [""] * len(base)) for stage, base in bases.items()}
    with pytest.raises(PackError, match="preflop hold several decisions each"):
        strategy_pack(Pack(pack.system, bases, riders), "old.parquet")


# At the table


def fact(decision: Decision, name: str) -> object:
    return {each.name: each.value for each in decision.explanation.facts}.get(name)


@pytest.mark.parametrize("name", AGENTS)
def test_a_check_raise_is_played_from_cases_that_say_so(name: str, tmp_path: Path) -> None:
    """The hunter won with check-raises, and gave up after bets that were raised."""
    path = tmp_path / "hunter.parquet"
    write_pack(watched(*["cccrrf"] * 6, *["ccrrf"] * 3), path)
    agent = make_agent(f"{name}:pack={path},solutions=strategies")
    agent.begin_match(MatchStart(named_game("limit-2p"), PLAYERS[0], PLAYERS, Stream.from_seed(1)))
    first = agent.act(observed("cc"))
    assert first.action == CALL
    assert fact(first, "strategy") == "check, then raise"
    assert "it will raise; the experts raised in 6 of 6 such rounds." in first.explanation.summary
    second = agent.act(observed("cccr"))
    assert second.action.kind is ActionKind.RAISE
    assert second.explanation.summary.startswith("It follows its plan on the flop: check, then raise;")
    assert fact(second, "strategy") == "check, then raise"
    titles = [section.title for section in second.explanation.sections]
    assert titles[0] == "what the experts did when they had to act again after a check"
    cases = next(each for each in first.explanation.sections if each.title == "the most similar situations")
    assert {row[2] for row in cases.rows} == {"checked, then raised", "bet, then folded"}  # type: ignore[attr-defined]


def parts(singles: list[tuple[str, str]], rounds: list[tuple[str, str]], reuse: VotePolicy) -> ByStrategies:
    """A join whose cases were seen after these actions, with what was done there."""
    beliefs = Beliefs(random_network(structure(PUBLISHED), np.random.default_rng(5)), PUBLISHED)
    viewer = Viewer(beliefs)
    made = []
    for table, cases in ((TABLE, singles), (STRATEGY_TABLE, rounds)):
        bases = {stage: CaseBase(schema) for stage, schema in table.schemas.items()}
        for letters, solution in cases:
            view = viewer.view(observed(letters))
            bases[view.stage].add(view.attributes, solution, 1.0)
        made.append(Pack(SYSTEM, bases))
    retrieve = {
        stage: Retrieve(similarity(stage), AtLeastElseNearest(THRESHOLDS[stage], 20)) for stage in STAGES
    }
    return ByStrategies(Parts(made[0], made[0], retrieve, 20, reuse, viewer), made[1])


def solve(join: ByStrategies, letters: str, game: str = "limit-2p") -> tuple[Strategy, str]:
    observation = observed(letters, game)
    found: Solved = join.solve(observation, join.parts.viewer.view(observation))
    assert found.episode.strategy is not None
    return found.episode.strategy, found.reasons.summary


def test_the_strategy_is_followed_where_single_decisions_would_call() -> None:
    join = parts([("cccr", "call")] * 3, [("cc", "check then raise")], MaxFrequency())
    assert solve(join, "cccr")[0].best == "call", "nothing was begun"
    assert solve(join, "cc")[0].best == "check"
    assert solve(join, "cccr")[0].best == "raise"
    assert solve(join, "cccr")[0].best == "raise", "who is asked again answers the same"


def test_after_its_second_action_and_in_another_round_it_decides_anew() -> None:
    join = parts(
        [("cccrrr", "fold"), ("cccccr", "fold")],
        [("cc", "check then raise"), ("cccc", "bet")],
        MaxFrequency(),
    )
    assert solve(join, "cc")[0].best == "check"
    assert solve(join, "cccrrr")[0].best == "fold"
    assert solve(join, "cccccr")[0].best == "fold", "the turn has no strategy under way"
    assert solve(join, "cccc")[0].best == "bet"


def test_a_raise_that_the_rules_do_not_allow_is_decided_anew() -> None:
    join = parts([("cccr", "call")], [("cc", "check then raise")], MaxFrequency())
    one_bet = "limit-2p:cap=1"
    assert solve(join, "cc", one_bet)[0].best == "check"
    strategy, said = solve(join, "cccr", one_bet)
    assert strategy.best == "call"
    assert said.startswith(
        "Raising, as planned after the check, is not possible. The experts called in one similar situation."
    )


def test_unplanned_follow_ups_are_decided_anew() -> None:
    join = parts([("ccrr", "call")], [("cc", "bet")], MaxFrequency())
    assert solve(join, "cc")[0].best == "bet"
    assert solve(join, "ccrr")[0].best == "call"


def test_follow_ups_are_as_probable_as_they_were() -> None:
    rounds = [("cc", "check then raise")] * 3 + [("cc", "check then fold")]
    join = parts([], rounds, Probabilistic())
    assert solve(join, "cc")[0].as_mapping()["check"] == 1.0
    strategy, said = solve(join, "cccr")
    assert (strategy.as_mapping()["raise"], strategy.as_mapping()["fold"]) == (0.75, 0.25)
    assert said.startswith("It follows its plan on the flop: check, then raise (75 %) or fold (25 %); ")
    assert said.endswith("the experts raised in 3 of 4 such rounds.")


def test_a_hand_that_is_over_is_forgotten() -> None:
    join = parts([("cccr", "call")], [("cc", "check then raise")], MaxFrequency())
    solve(join, "cc")
    join.end_hand(None)  # type: ignore[arg-type]
    assert solve(join, "cccr")[0].best == "call"


def test_what_a_seat_did_in_a_round() -> None:
    assert actions_in_round(played("rrc").node, 0) == ()
    node = played("rrc" + "crr").node
    assert [action.kind.name for action in actions_in_round(node, 0)] == ["CALL", "RAISE"]
    assert [action.kind.name for action in actions_in_round(node, 1)] == ["RAISE"]


@pytest.mark.parametrize("name", AGENTS)
def test_strategies_are_played_at_a_table_and_the_same_again(name: str) -> None:
    """Whole hands against others; a decision that follows a strategy is explained by it."""
    agent = make_agent(f"{name}:solutions=strategies")
    followed, seen = 0, []
    for _ in range(2):
        labels = ("planner", "first", "second", "third")
        others = [make_agent("probtriple") for _ in labels[1:]]
        root = Stream.from_seed(4)
        for label, player in zip(labels, (agent, *others), strict=True):
            player.begin_match(MatchStart(named_game("limit-4max"), label, labels, root.child(label)))
        noted = Noting(agent)
        hands = played_by("limit-4max", [noted, *others], labels, 25, root)
        seen.append(([hand.state.payoffs for hand in hands], noted.decisions))
        followed += sum(each.startswith("It follows its plan ") for _, each in noted.decisions)
    assert seen[0] == seen[1]
    assert followed


class Noting(Agent):
    """Passes everything on to another agent, and notes what it did and why."""

    def __init__(self, agent: Agent) -> None:
        self.agent = agent
        self.decisions: list[tuple[Action, str]] = []

    def act(self, observation: Observation) -> Decision:
        decision = self.agent.act(observation)
        assert observation.legal_actions.allows(decision.action)
        assert decision.explanation.to_json()["sections"]
        self.decisions.append((decision.action, decision.explanation.summary))
        return decision

    def end_hand(self, result: HandResult) -> None:
        self.agent.end_hand(result)


def test_what_does_not_go_together_is_refused() -> None:
    with pytest.raises(
        SpecError, match="no choice for solutions is called 'tricks': there are actions, strategies"
    ):
        make_agent("baycarp1:solutions=tricks")
    with pytest.raises(ValueError, match="join=cbr-bn-1 decides single actions"):
        make_agent("baycarp2:solutions=strategies,join=cbr-bn-1")
