"""BayCaRP's parts in each of the joins: what the network sees changes what is done; what is learnt while playing."""

import json
from dataclasses import replace
from functools import cache

import numpy as np
import pytest

from bayes_networks import random_network
from railbird.agent import Agent, Decision, HandResult, MatchStart, make_agent
from railbird.agents.baycarp.agent import BayCaRP2
from railbird.agents.baycarp.attributes import HAND_TYPES
from railbird.agents.baycarp.cases import SYSTEM, THRESHOLDS, schema, similarity
from railbird.agents.baycarp.joins.bn_cbr_1 import BnCbr1, group_name, shown_types, threat
from railbird.agents.baycarp.joins.cbr_bn_1 import CbrBn1Adapt, chances_to_work
from railbird.agents.baycarp.joins.cbr_bn_2 import ENOUGH, CbrBn2, RetrievedBeliefs
from railbird.agents.baycarp.joins.filling import CbrBn1Fill, FilledBeliefs
from railbird.agents.baycarp.joins.ways import JOINS
from railbird.agents.baycarp.parts import Parts, break_even
from railbird.agents.baycarp.view import View, Viewer
from railbird.agents.casper.attributes import STAGES
from railbird.arena.play.match import play_match
from railbird.arena.play.plan import MatchPlan, entrants_of
from railbird.bayes.inference import posterior
from railbird.bayes.network import Network
from railbird.bayes.structure import NetworkError
from railbird.cards import parse_cards
from railbird.cbr.case_base import CaseBase
from railbird.cbr.cycle.retrieve import AtLeastElseNearest, Retrieve
from railbird.cbr.cycle.reuse import BestOutcome, BestSumOfOutcomes, MaxFrequency, VotePolicy
from railbird.cbr.packs.files import Pack, PackError
from railbird.engine.actions import CALL, FOLD, raise_to
from railbird.engine.games import named_game
from railbird.engine.history import events_of
from railbird.engine.record import HandRecord
from railbird.engine.setup import Setup
from railbird.engine.state import State
from railbird.experiments.played_hands import PlayedHand, played_by
from railbird.explanation import Bars, explanation_from_json
from railbird.features.playing_style import StyleBook
from railbird.hands.types import HandType
from railbird.joins.cbr_bn_1 import filled_posterior
from railbird.observation import Observation, visible_to
from railbird.opponents.network.beliefs import THESIS, Beliefs
from railbird.opponents.network.groups import Centre, PlayerGroup
from railbird.opponents.network.nodes import HAND_GROUP, PUBLISHED, Variant, structure
from railbird.opponents.network.nodes import HAND_TYPES as NETWORK_TYPES
from railbird.rng import Stream
from railbird.spec import SpecError

AGENTS = ("baycarp1", "baycarp2", "baycarp3")
PLAYERS = ("first", "second")
WEAK, STRONG = ("Busted", "LowPair", "MidPair"), ("Flush", "FullHouse", "TwoPair")


@cache
def network() -> Network:
    return random_network(structure(PUBLISHED), np.random.default_rng(5))


def holding_group(group: int) -> Network:
    """A network that believes in one hand group whatever it sees."""
    table = np.full(structure(PUBLISHED).shape(HAND_GROUP), 0.001)
    table[..., group - 1] = 1.0 - 0.001 * 9
    return Network(structure(PUBLISHED), {**network().tables, HAND_GROUP: table})


def flop(actions: str = "ccr", cards: str = "9h8h 2c2d KcQd4s 5h Jc") -> Observation:
    """Heads-up, what the seat to act sees after these actions; after a bet on the flop the button holds deuces."""
    state = played(actions, cards)
    assert state.actor is not None
    return Observation.of(state, state.actor, PLAYERS)


def played(actions: str, cards: str) -> State:
    state = State(Setup.of(named_game("limit-2p")), parse_cards(cards.replace(" ", "")))
    for letter in actions:
        state.act({"c": CALL, "f": FOLD}.get(letter) or raise_to(state.legal_actions.raise_minimum))
    return state


def parts_of(
    cases: list[tuple[View, str, float, int]], reuse: VotePolicy, beliefs: Beliefs | None = None
) -> Parts:
    """The parts with cases of the flop: what was seen, what was done, what came of it, how often."""
    bases = {stage: CaseBase(schema(stage)) for stage in STAGES}
    for view, action, outcome, times in cases:
        for _ in range(times):
            bases["flop"].add(view.attributes, action, outcome)
    pack = Pack(SYSTEM, bases)
    retrieve = {
        stage: Retrieve(similarity(stage), AtLeastElseNearest(THRESHOLDS[stage], 20)) for stage in STAGES
    }
    return Parts(pack, pack, retrieve, 20, reuse, Viewer(beliefs or Beliefs(network(), PUBLISHED)))


def seen(observation: Observation, types: tuple[str, ...], **attributes: float) -> View:
    """A situation in which the network holds these hand types most probable."""
    view = Viewer(Beliefs(network(), PUBLISHED)).view(observation)
    named = {name.replace("_", " "): value for name, value in attributes.items()}
    return replace(
        view,
        attributes={**view.attributes, **dict(zip(HAND_TYPES, types, strict=True)), **named},
        hand_types=tuple(zip(types, (0.5, 0.2, 0.1), strict=True)),
    )


def best(join: str, parts: Parts, observation: Observation, view: View) -> str:
    solved = JOINS[join](parts).solve(observation, view)
    assert solved.episode.strategy is not None
    return solved.episode.strategy.best


# What the network sees changes what is done


def test_the_sentence_the_facts_and_the_bars_count_the_same_situations() -> None:
    """Situations in which the experts did what is impossible here are counted apart."""
    here = flop()
    weak = seen(here, WEAK)
    parts = parts_of(
        [(weak, "call", 1.0, 30), (weak, "fold", 0.0, 8), (weak, "check", 0.0, 1)], MaxFrequency()
    )
    why = parts.plainly(here, weak).reasons
    facts = {fact.name: fact.value for fact in why.facts}
    assert why.summary.startswith("The experts called in 30 of 38 similar situations.")
    assert facts["similar situations"] == 38
    assert facts["similar situations with an action that is impossible here"] == 1
    (done,) = (section for section in why.sections if section.title == "what the experts did")
    assert isinstance(done, Bars)
    assert [(bar.label, bar.value) for bar in done.bars] == [("folded", 8), ("called", 30)]


def test_bn_cbr_1_types_that_beat_a_call_switch_calls_off() -> None:
    here = flop()
    weak, strong = seen(here, WEAK), seen(here, STRONG)
    cases = [
        (weak, "call", 1.0, 30),
        (strong, "call", -1.0, 30),
        (weak, "fold", 0.0, 10),
        (strong, "fold", 0.0, 10),
    ]
    for reuse in (MaxFrequency(), BestSumOfOutcomes()):
        parts = parts_of([*cases, (weak, "call", 1.0, 5)], reuse)
        assert best("bn-cbr-1", parts, here, weak) == "call"
        assert best("bn-cbr-1", parts, here, strong) == "fold"
    solved = BnCbr1(parts_of(cases, MaxFrequency())).solve(here, strong)
    facts = {fact.name: fact.value for fact in solved.reasons.facts}
    assert facts["active cases"] == 20
    assert facts["inactive groups of cases"] == 1
    assert solved.reasons.summary.startswith(
        "With flush as the opponents' most probable hand, 20 of 80 cases are active."
    )
    [row] = solved.reasons.sections[0].rows  # type: ignore[attr-defined]
    assert row == (
        group_name("call", float(strong.attributes["relative hand strength"])),
        pytest.approx(1 / 32),
        break_even(here, "call"),
    )


def test_bn_cbr_2_cases_with_the_same_types_decide() -> None:
    here = flop()
    strength = float(seen(here, WEAK).attributes["relative hand strength"]) - 0.08
    weak, strong = (seen(here, types, relative_hand_strength=strength) for types in (WEAK, STRONG))
    parts = parts_of([(weak, "raise", 1.0, 2), (strong, "fold", 0.0, 3)], MaxFrequency())
    assert best("bn-cbr-2", parts, here, seen(here, WEAK)) == "raise"
    assert best("bn-cbr-2", parts, here, seen(here, STRONG)) == "fold"


@pytest.mark.parametrize("reuse", [MaxFrequency(), BestSumOfOutcomes(), BestOutcome()])
def test_cbr_bn_1_the_types_are_symptoms(reuse: VotePolicy) -> None:
    here = flop()
    weak, strong = seen(here, WEAK), seen(here, STRONG)
    parts = parts_of([(weak, "raise", 1.0, 12), (strong, "call", 1.0, 13)], reuse)
    assert best("cbr-bn-1", parts, here, weak) == "raise"
    assert best("cbr-bn-1", parts, here, strong) == "call"
    solved = JOINS["cbr-bn-1"](parts).solve(here, weak)
    facts = {fact.name: float(fact.value) for fact in solved.reasons.facts}
    assert facts["probability of raise"] > 0.8
    assert facts["probability of raise"] + facts["probability of call"] == pytest.approx(1.0)


@pytest.mark.parametrize("reuse", [MaxFrequency(), BestSumOfOutcomes(), BestOutcome()])
def test_cbr_bn_1_adapt_what_wins_under_these_types_works(reuse: VotePolicy) -> None:
    here = flop()
    weak, strong = seen(here, WEAK), seen(here, STRONG)
    cases = [
        (weak, "call", 1.0, 30),
        (strong, "call", -1.0, 30),
        (weak, "fold", 0.0, 30),
        (strong, "fold", 0.0, 29),
    ]
    parts = parts_of(cases, reuse)
    assert best("cbr-bn-1-adapt", parts, here, weak) == "call"
    assert best("cbr-bn-1-adapt", parts, here, strong) == "fold"
    facts = {fact.name: float(fact.value) for fact in CbrBn1Adapt(parts).solve(here, strong).reasons.facts}
    assert facts["chance to win"] < 0.2
    assert facts["folding is right"] == pytest.approx(1.0 - facts["calling is right"])


def test_cbr_bn_2_the_style_of_the_opponent_says_which_network_decides() -> None:
    """Deuces on K-Q-4 against a bet: who believes in weak hands calls, and who believes in aces and kings folds."""
    here = flop()
    groups = [
        PlayerGroup(Centre(10.0, 5.0, 40.0), holding_group(1), rows=500),
        PlayerGroup(Centre(80.0, 40.0, 40.0), holding_group(10), rows=500),
    ]
    done = {}
    for style, centre in (("tight", Centre(10.0, 5.0, 40.0)), ("loose", Centre(75.0, 40.0, 40.0))):
        beliefs = RetrievedBeliefs(network(), PUBLISHED, groups=groups)
        beliefs._centres["first"] = centre
        parts = parts_of([], MaxFrequency(), beliefs)
        solved = CbrBn2(parts).solve(here, parts.viewer.view(here))
        assert solved.episode.strategy is not None
        done[style] = solved.episode.strategy.best
        facts = {fact.name: fact.value for fact in solved.reasons.facts}
        assert facts["network that reads first"] == ("style 1" if style == "tight" else "style 2")
        table = next(
            each for each in solved.reasons.sections if each.title == "networks that read each opponent"
        )
        assert table.rows[0][-3:] == (500, pytest.approx(1.0, abs=0.05), 1.0)  # type: ignore[attr-defined]
    assert done == {"tight": "fold", "loose": "call"}


def test_cbr_bn_2_a_style_may_have_a_network_with_other_nodes() -> None:
    """§4.1: evidence and classification are common, "but other nodes, causal links" may differ."""
    here, of = flop(), structure(Variant(partial=True))
    other = random_network(of, np.random.default_rng(7))
    beliefs = RetrievedBeliefs(
        network(), PUBLISHED, groups=[PlayerGroup(Centre(10.0, 5.0, 40.0), other, rows=500)]
    )
    beliefs._centres["first"] = Centre(10.0, 5.0, 40.0)
    (codes,) = beliefs.coder.evidence(here, StyleBook()).codes
    known = {
        variable.name: variable.states[code]
        for variable, code in zip(structure(PUBLISHED).variables, codes.tolist(), strict=True)
        if code >= 0
    }
    expected = posterior(other, known, [HAND_GROUP])[HAND_GROUP]
    (found,) = beliefs.of(here, StyleBook())
    assert found.groups == pytest.approx(expected)
    split = random_network(structure(Variant(split_call=True)), np.random.default_rng(7))
    with pytest.raises(NetworkError, match="must have the variable Action with the states"):
        RetrievedBeliefs(network(), PUBLISHED, groups=[PlayerGroup(Centre(10.0, 5.0, 40.0), split, rows=500)])


def limped(group_ranks: list[int]) -> Pack:
    """Hands that limped on the button heads-up, by their ranks among the starting hands."""
    bases = {stage: CaseBase(schema(stage)) for stage in STAGES}
    before = Viewer(Beliefs(network(), PUBLISHED)).view(flop(""))
    for rank in group_ranks:
        bases["preflop"].add({**before.attributes, "hand rank": rank}, "call", 1.0)
        bases["preflop"].add({**before.attributes, "hand rank": 170 - rank}, "raise", 1.0)
    return Pack(SYSTEM, bases)


def test_cbr_bn_1_fill_similar_decisions_tell_the_hand_group() -> None:
    """The button limped: players who did so held the worst hands, and those who raised the best."""
    here = flop("cc")
    assert here.seat == 0
    ranks = list(range(160, 170)) * 200
    beliefs = FilledBeliefs(network(), PUBLISHED, THESIS, limped(ranks))
    (found,) = beliefs.of(here, StyleBook())
    assert found.top_groups(1)[0][0] == 10
    assert found.groups[9] > 0.95
    (raised,) = beliefs.of(flop("rc"), StyleBook())
    assert raised.top_groups(1)[0][0] == 1
    (codes,) = beliefs.coder.evidence(here, StyleBook()).codes
    known = {
        variable.name: variable.states[code]
        for variable, code in zip(structure(PUBLISHED).variables, codes.tolist(), strict=True)
        if code >= 0
    }
    shares = {f"HandGroup{group}": float(share) for group, share in enumerate(found.groups, 1)}
    expected = filled_posterior(network(), known, HAND_GROUP, shares, NETWORK_TYPES[0])
    assert found.types == pytest.approx(list(expected.values()))
    parts = parts_of([], MaxFrequency(), beliefs)
    facts = {
        fact.name: fact.value for fact in CbrBn1Fill(parts).solve(here, parts.viewer.view(here)).reasons.facts
    }
    assert facts["decisions like second's"] == len(ranks)


def test_cbr_bn_1_fill_without_such_decisions_the_network_believes_as_before() -> None:
    here = flop("cc")
    filled = FilledBeliefs(network(), PUBLISHED, THESIS, limped([]))
    (found,), (plain,) = filled.of(here, StyleBook()), Beliefs(network(), PUBLISHED).of(here, StyleBook())
    assert np.array_equal(found.groups, plain.groups)
    assert np.array_equal(found.types, plain.types)


@pytest.mark.parametrize("join", ["bn-cbr-1", "bn-cbr-2", "cbr-bn-1", "cbr-bn-1-adapt", "cases"])
def test_where_nothing_was_watched_it_checks_or_calls(join: str) -> None:
    for actions, action in (("cc", "check"), ("ccr", "call")):
        here = flop(actions)
        assert best(join, parts_of([], MaxFrequency()), here, seen(here, WEAK)) == action


# Prices


def test_an_action_breaks_even_at_its_price() -> None:
    here = flop()
    assert (here.pot, here.to_call) == (30, 10)
    assert break_even(here, "call") == pytest.approx(10 / 40)
    assert break_even(here, "raise") == pytest.approx(20 / 60)
    assert break_even(here, "raise", "call") == pytest.approx(1 / 2)
    first = flop("cc")
    assert break_even(first, "bet", "check") == pytest.approx(1 / 2)


@pytest.mark.parametrize("chance", [0.0, 0.1, 0.25, 0.5, 0.9, 1.0])
def test_an_action_works_with_one_half_where_it_breaks_even(chance: float) -> None:
    facing, free = chances_to_work(flop(), chance), chances_to_work(flop("cc"), chance)
    assert facing["call"] + facing["fold"] == pytest.approx(1.0)
    assert free["check"] + free["bet"] == pytest.approx(1.0)
    assert (facing["call"] >= 0.5) == (chance >= 0.25)
    assert facing["raise"] == free["bet"] == pytest.approx(chance)
    assert facing["check"] == facing["bet"] == free["fold"] == free["call"] == free["raise"] == 0.0


# What is learnt while playing


def finished(state: State, seat: int) -> HandResult:
    assert state.is_over
    return HandResult(seat, PLAYERS, visible_to(seat, events_of(state)), state.payoffs)


def test_a_lost_showdown_teaches_bn_cbr_1_a_threat() -> None:
    cards = "KhQh 2c2d KcQd4s 5h Jc"
    here = flop(cards=cards)
    view = seen(here, STRONG)
    join = BnCbr1(parts_of([(view, "call", 1.0, 5)], MaxFrequency()))
    activation = join.activations_["flop"]
    group = group_name("call", float(view.attributes["relative hand strength"]))
    before = activation.chances({HAND_TYPES[0]: "Flush"})[group]
    assert join.solve(here, view).episode.strategy.best == "call"  # type: ignore[union-attr]
    state = played("ccrc" + "cc" + "cc", cards)
    result = finished(state, here.seat)
    assert shown_types(result) == ([HandType.TWO_PAIR], True)
    join.end_hand(result)
    assert activation.features == (threat("TwoPair"),)
    assert activation.features_of(group) == ("an opponent holds TwoPair",)
    here_now, elsewhere = (
        activation.chances({HAND_TYPES[0]: "Flush", "place of TwoPair": place})[group]
        for place in ("third", "none of these")
    )
    assert here_now < elsewhere < before
    join.end_hand(result)
    assert activation.chances({HAND_TYPES[0]: "Flush", "place of TwoPair": "third"})[group] == here_now


def test_bn_cbr_1_counts_wins_and_folds_without_reasons() -> None:
    here = flop()
    view = seen(here, WEAK)
    join = BnCbr1(parts_of([(view, "raise", 1.0, 5)], MaxFrequency()))
    activation = join.activations_["flop"]
    group = group_name("raise", float(view.attributes["relative hand strength"]))
    told = {HAND_TYPES[0]: "Busted"}
    for after, expected in (("rf", 7 / 8), ("rrf", 7 / 9)):
        join.solve(here, view)
        state = played("ccr" + after, "9h8h 2c2d KcQd4s 5h Jc")
        assert shown_types(finished(state, here.seat)) == ([], False)
        join.end_hand(finished(state, here.seat))
        assert activation.chances(told)[group] == pytest.approx(expected)
    assert activation.features == ()
    assert BnCbr1(join.parts).activations_["flop"].chances(told)[group] == pytest.approx(6 / 7), (
        "others start anew"
    )


def test_cbr_bn_2_makes_a_network_of_hands_that_were_shown() -> None:
    cards = "KhQh 2c2d KcQd4s 5h Jc"
    beliefs = RetrievedBeliefs(network(), PUBLISHED)
    viewer = Viewer(beliefs)
    record = HandRecord.of(played("ccrc" + "cc" + "cc", cards), PLAYERS)
    folded = HandRecord.of(played("ccrf", cards), PLAYERS)
    for _ in range(ENOUGH - 1):
        viewer.follow(record)
        viewer.follow(folded)
    assert len(beliefs.cases_) == 1
    viewer.follow(record)
    assert len(beliefs.cases_) == 3
    assert [each.number for each in beliefs.chosen("stranger")] == [0]
    [choice, *_] = beliefs.chosen("first")
    assert choice.number in (1, 2)
    assert choice.rows == ENOUGH
    before = beliefs.of(flop(cards=cards), viewer.styles)
    viewer.reset()
    assert len(beliefs.cases_) == 1
    assert beliefs.of(flop(cards=cards), viewer.styles)[0].groups.tolist() != before[0].groups.tolist()


# At the table


class Watched(Agent):
    """Checks every decision of another agent."""

    def __init__(self, agent: Agent) -> None:
        self.agent = agent
        self.decisions: list[Decision] = []

    def begin_match(self, match: MatchStart) -> None:
        self.agent.begin_match(match)

    def act(self, observation: Observation) -> Decision:
        decision = self.agent.act(observation)
        assert observation.legal_actions.allows(decision.action)
        assert decision.explanation.summary.endswith(".")
        assert explanation_from_json(json.loads(json.dumps(decision.explanation.to_json()))).facts
        assert sum(chance for _, chance in decision.strategy) == pytest.approx(1.0)
        self.decisions.append(decision)
        return decision

    def end_hand(self, result: HandResult) -> None:
        self.agent.end_hand(result)


def match(agent: Agent, game: str, count: int) -> list[PlayedHand]:
    rules, root = named_game(game), Stream.from_seed(3)
    labels = tuple(f"player {seat}" for seat in range(rules.players))
    agents = [agent, *(make_agent("probtriple") for _ in labels[1:])]
    for label, player in zip(labels, agents, strict=True):
        player.begin_match(MatchStart(rules, label, labels, root.child(label)))
    return list(played_by(game, agents, labels, count, root))


def spec(name: str, join: str) -> str:
    """An agent with a join; the cases alone take their targets as if they had been watched without a network."""
    return f"{name}:join={join}{',ranges=all' if join == 'cases' else ''}"


@pytest.mark.parametrize("join", JOINS)
@pytest.mark.parametrize("name", AGENTS)
def test_every_join_plays_explains_itself_and_forgets_between_matches(name: str, join: str) -> None:
    agent = Watched(make_agent(spec(name, join)))
    first = match(agent, "limit-3p", 12)
    decisions = agent.decisions
    agent.decisions = []
    second = match(agent, "limit-3p", 12)
    assert [hand.state.payoffs for hand in first] == [hand.state.payoffs for hand in second]
    assert [each.action for each in decisions] == [each.action for each in agent.decisions]
    assert [each.strategy for each in decisions] == [each.strategy for each in agent.decisions]


def test_joins_play_differently() -> None:
    found = {}
    for join in JOINS:
        agent = Watched(make_agent(spec("baycarp2", join)))
        match(agent, "limit-4max", 40)
        found[join] = tuple(each.action for each in agent.decisions)
    # Until somebody has shown enough hands, cbr-bn-2 has the network of the average player only.
    assert found["cbr-bn-2"] == found.pop("network")
    assert len(set(found.values())) == len(found)


def test_an_unknown_join_is_refused_with_those_that_there_are() -> None:
    with pytest.raises(
        SpecError,
        match="bn-cbr-1, bn-cbr-2, cases, cbr-bn-1, cbr-bn-1-adapt, cbr-bn-1-fill, cbr-bn-2, network",
    ):
        make_agent("baycarp2:join=parallel")
    with pytest.raises(ValueError, match="join=cbr-bn-2 .* players=adapting"):
        BayCaRP2(join="cbr-bn-2", players="adapting")
    with pytest.raises(ValueError, match="join=cbr-bn-1-fill .* players=adapting"):
        BayCaRP2(join="cbr-bn-1-fill", players="adapting")


def test_cases_alone_need_cases_without_beliefs() -> None:
    with pytest.raises(PackError, match="join=cases needs cases without a network's beliefs"):
        BayCaRP2(join="cases").verify_game(named_game("limit-2p"))


@pytest.mark.soak
@pytest.mark.parametrize("join", JOINS)
def test_every_join_plays_twenty_thousand_hands_without_a_fault(join: str) -> None:
    plan = MatchPlan("limit-8max", entrants_of([spec("baycarp2", join), *["pokibot"] * 7]), 20_000, "joins")
    result = play_match(plan)
    assert result.faults == ()
