"""A network for each player (baycarp-2011 §9.1): the average one, and beside it what was seen of this player alone."""

from dataclasses import replace

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from bayes_networks import World, random_rows, variable, worlds
from followed_tables import average_network, from_the_rail, played
from railbird.agent import HandResult, MatchStart, make_agent
from railbird.agents.baycarp.agent import BayCaRP2
from railbird.agents.baycarp.players import record_of
from railbird.arena.play.hand import play_hand
from railbird.bayes.forward import Forward
from railbird.bayes.learning.adapting import Adapter
from railbird.bayes.learning.counts import Average, Counts
from railbird.bayes.learning.likelihood import log_likelihoods
from railbird.bayes.network import Network
from railbird.bayes.structure import UNKNOWN, NetworkError, Structure
from railbird.engine.actions import ActionError
from railbird.engine.events import DealHole, Post, Reveal
from railbird.engine.games import named_game
from railbird.engine.record import HandRecord
from railbird.engine.setup import Setup
from railbird.engine.state import State
from railbird.experiments.baycarp.players import followed_hands, losses
from railbird.features.playing_style import StyleBook
from railbird.observation import Observation, visible_to
from railbird.opponents.network.adapting import AdaptingBeliefs, Unshown
from railbird.opponents.network.beliefs import MOST_GROUPS, Beliefs
from railbird.opponents.network.nodes import HAND_TYPES, PUBLISHED, Variant
from railbird.opponents.network.quality import known_at, predictions
from railbird.opponents.network.rows import Coder, Codes, Who, rows_of_hands
from railbird.rng import Stream
from reference import bayes as reference

PARTIAL = Variant(partial=True, split_call=True)


def assert_equal(found: Network, wanted: Network, tolerance: float = 0.0) -> None:
    """Tables, number by number."""
    for name, table in wanted.tables.items():
        np.testing.assert_allclose(found.tables[name], table, rtol=tolerance, atol=tolerance, err_msg=name)


# Tables that follow rows


@given(worlds(), st.floats(0.1, 100.0))
def test_own_tables_are_those_of_counting_everything_anew(world: World, strength: float) -> None:
    average = Average(world.network, strength)
    own, counts = Adapter(average).start(), Counts(world.network.structure, average)
    for row in random_rows(world.network.structure, 8, world.draw):
        own.learn(row)
        counts.add(row)
    assert_equal(own.network(), counts.network(), 1e-12)


@given(worlds(5))
@settings(max_examples=25)
def test_estimates_are_expected_under_the_tables_as_they_are(world: World) -> None:
    """Every row multiplied out over all states of what is unknown, with the tables that the rows before it left."""
    structure = world.network.structure
    average = Average(world.network, 3.0)
    own, counts = Adapter(average, estimates=True).start(), Counts(structure, average)
    for row in random_rows(structure, 4, world.draw):
        before = own.network()
        if not np.isfinite(log_likelihoods(before, row[np.newaxis]))[0]:
            continue
        expected, _ = reference.expected_counts(before, [row.tolist()], [1.0])
        for name, table in expected.items():
            counts.tables[name][...] += table
        own.learn(row)
        assert_equal(own.network(), counts.network(), 1e-9)


def test_what_cannot_be_is_counted_and_not_estimated() -> None:
    """Nothing makes the sign that was seen, so it says nothing of causes; seen with its cause it is counted."""
    cause, sign = variable("Cause", 2), variable("Sign", 2)
    network = Network(
        Structure((cause, sign), {"Sign": ("Cause",)}),
        {"Cause": np.array([0.5, 0.5]), "Sign": np.array([[1.0, 0.0], [1.0, 0.0]])},
    )
    own = Adapter(Average(network, 1.0), estimates=True).start()
    own.learn(np.array([UNKNOWN, 1], dtype=np.int16))
    assert own.network() == network
    own.learn(np.array([1, 1], dtype=np.int16))
    assert own.network().tables["Sign"].tolist() == [[1.0, 0.0], [0.5, 0.5]]
    own.learn(np.array([UNKNOWN, 1], dtype=np.int16))
    assert own.network().tables["Cause"].tolist() == pytest.approx([0.5 / 3, 2.5 / 3])


@given(worlds())
def test_a_question_that_takes_on_own_tables_leaves_the_average_ones(world: World) -> None:
    network, structure = world.network, world.network.structure
    own = Adapter(Average(network, 2.0)).start()
    for row in random_rows(structure, 5, world.draw):
        own.learn(row)
    forward = Forward(network, [structure.variables[0].name])
    before = forward.exchange(own.places, own.numbers)
    assert forward.network() == own.network()
    forward.exchange(own.places, before)
    assert forward.network() == network


def test_rows_that_are_none_are_refused() -> None:
    network = average_network(PUBLISHED)
    own = Adapter(Average(network, 2.0)).start()
    row = np.full(len(network.structure.variables), UNKNOWN, dtype=np.int16)
    row[2] = 4
    with pytest.raises(NetworkError, match="4 is not a state of Position: states are 0 to 3, unknown is -1"):
        own.learn(row)
    assert own.network() == network
    with pytest.raises(NetworkError, match="a strength must be a number above 0, not 0"):
        AdaptingBeliefs(network, PUBLISHED, strength=0.0)


# Players


def follow(beliefs: Beliefs, records: list[HandRecord]) -> StyleBook:
    book = StyleBook()
    for record in records:
        beliefs.follow(record, book)
        book.observe(record)
    return book


def rows_by_label(records: list[HandRecord], variant: Variant, who: Who) -> dict[str, list[Codes]]:
    coder, book = Coder(variant), StyleBook()
    found: dict[str, list[Codes]] = {}
    for record in records:
        rows = coder.rows(record, book, who)
        for seat, codes in zip(rows.seats, rows.codes, strict=True):
            found.setdefault(record.players[seat], []).append(codes)
        book.observe(record)
    return found


RAIL = [from_the_rail(record) for record in played()]


@pytest.mark.parametrize("unshown", [Unshown.LEFT_OUT, Unshown.COUNTED])
@pytest.mark.parametrize("variant", [PUBLISHED, PARTIAL])
def test_every_player_has_the_network_of_its_own_rows(variant: Variant, unshown: Unshown) -> None:
    average = Average(average_network(variant), 7.0)
    beliefs = AdaptingBeliefs(average.network, variant, strength=7.0, unshown=unshown)
    follow(beliefs, RAIL)
    who = Who.SHOWDOWN if unshown is Unshown.LEFT_OUT else Who.FLOP
    rows = rows_by_label(RAIL, variant, who)
    assert len(rows) == 4
    for label, own in rows.items():
        counts = Counts(average.network.structure, average)
        counts.add_rows(np.array(own))
        assert_equal(beliefs.network(label), counts.network(), 1e-12)


def test_what_is_believed_is_what_the_own_network_says() -> None:
    average = average_network(PARTIAL)
    beliefs = AdaptingBeliefs(average, PARTIAL, strength=5.0)
    book = follow(beliefs, RAIL[:60])
    coder = Coder(PARTIAL)
    asked = 0
    for record in played()[60:75]:
        rows = coder.rows(record, book, Who.FLOP)
        for seat, codes in zip(rows.seats, rows.codes, strict=True):
            label = record.players[seat]
            known = known_at(average.structure, codes[np.newaxis], 1)[0]
            found = beliefs.chances(label, 1, known)
            of_types = Forward(beliefs.network(label), [HAND_TYPES[0]])(known)
            assert found[MOST_GROUPS:] == pytest.approx(of_types, abs=1e-12)
            assert not np.array_equal(found, Beliefs(average, PARTIAL).chances(label, 1, known))
            asked += 1
    assert asked > 20


def test_an_observation_is_read_by_the_networks_of_its_players() -> None:
    average = average_network(PUBLISHED)
    beliefs = AdaptingBeliefs(average, PUBLISHED, strength=5.0)
    book = follow(beliefs, RAIL)
    state, act = next(each for each in played()[0].states() if each[0].round == 1)
    observation = Observation.of(state, act.seat, played()[0].players)
    found = beliefs.of(observation, book)
    assert found
    for each in found:
        other = Beliefs(beliefs.network(observation.players[each.seat]), PUBLISHED).of(observation, book)
        [same] = [one for one in other if one.seat == each.seat]
        assert each.groups == pytest.approx(same.groups, abs=1e-12)
        assert each.types == pytest.approx(same.types, abs=1e-12)


def test_strangers_are_average_players_and_a_reset_makes_everybody_one() -> None:
    average = average_network(PUBLISHED)
    beliefs = AdaptingBeliefs(average, PUBLISHED)
    follow(beliefs, RAIL)
    label = RAIL[0].players[0]
    assert beliefs.network(label) != average
    assert beliefs.network("somebody else") == average
    beliefs.reset()
    assert beliefs.network(label) == average
    fresh = AdaptingBeliefs(average, PUBLISHED)
    for each in (beliefs, fresh):
        follow(each, RAIL[:40])
    for label in RAIL[0].players:
        assert beliefs.network(label) == fresh.network(label)


def test_hidden_cards_teach_nothing() -> None:
    """What the dealer knows beyond the showdowns changes nothing."""
    average = average_network(PUBLISHED)
    one, two = AdaptingBeliefs(average, PUBLISHED), AdaptingBeliefs(average, PUBLISHED)
    follow(one, RAIL)
    follow(two, list(played()))
    for label in RAIL[0].players:
        assert one.network(label) == two.network(label)


def test_without_partial_hands_unshown_hands_cannot_be_estimated_better_than_counted() -> None:
    average = average_network(PUBLISHED)
    both = [
        AdaptingBeliefs(average, PUBLISHED, unshown=each) for each in (Unshown.COUNTED, Unshown.ESTIMATED)
    ]
    for each in both:
        follow(each, RAIL)
    assert_equal(both[1].network("1 always-call"), both[0].network("1 always-call"), 1e-12)
    with_partial = [
        AdaptingBeliefs(average_network(PARTIAL), PARTIAL, unshown=each)
        for each in (Unshown.COUNTED, Unshown.ESTIMATED)
    ]
    for each in with_partial:
        follow(each, RAIL[:30])
    assert with_partial[1].network("0 rulebot") != with_partial[0].network("0 rulebot")


def test_a_hand_that_began_otherwise_than_recorded_teaches_nothing() -> None:
    """More raises than the rules of the record allow."""
    average = average_network(PUBLISHED)
    beliefs = AdaptingBeliefs(average, PUBLISHED)
    shown = next(each for each in RAIL if any(isinstance(event, Reveal) for event in each.events))
    seat = next(event.seat for event in shown.events if isinstance(event, Reveal))
    other = replace(shown, setup=Setup.of(named_game("limit-4max:cap=1")))
    with pytest.raises(ActionError):
        other.state()
    follow(beliefs, [other])
    assert beliefs.network(shown.players[seat]) == average
    follow(beliefs, [shown])
    assert beliefs.network(shown.players[seat]) != average


def test_losses_of_the_network_of_all_are_those_of_its_predictions() -> None:
    records = list(played()[60:])
    network = average_network(PUBLISHED)
    found = losses(Beliefs(network, PUBLISHED), followed_hands(records, PUBLISHED))
    for stage in range(4):
        rows = rows_of_hands(records, PUBLISHED, Who.SHOWDOWN if stage == 3 else Who.FLOP)
        wanted = predictions(network, rows, stage)
        assert len(found[stage]) == len(wanted)
        assert found[stage].mean == pytest.approx(wanted.log_loss)


def test_players_unlike_the_average_are_read_better_by_their_own_networks() -> None:
    """Learnt from a rule-based player alone; who raises always is another kind."""
    rows = rows_by_label(list(played()), PUBLISHED, Who.FLOP)["0 rulebot"]
    counts = Counts(average_network(PUBLISHED).structure)
    counts.add_rows(np.array(rows))
    network = counts.network()
    followed = followed_hands(list(played()), PUBLISHED)
    plain = losses(Beliefs(network, PUBLISHED), followed)[0].of("3 always-raise")
    own = losses(AdaptingBeliefs(network, PUBLISHED), followed)[0].of("3 always-raise")
    mean, width = plain.change(own)
    assert mean == pytest.approx(own.mean - plain.mean)
    assert mean + width < 0.0


# The agent


def result_of(record: HandRecord, seat: int) -> HandResult:
    return HandResult(
        seat, record.players, visible_to(seat, record.events), record.payoffs, int(record.hand_id)
    )


def test_a_result_becomes_a_record_if_it_began_as_the_setup_says() -> None:
    record = played()[0]
    found = record_of(result_of(record, 1), record.setup)
    assert found is not None
    assert found.state().node.view == record.state().node.view
    assert [event for event in found.events if isinstance(event, DealHole) and event.cards] != []
    other = Setup.of(named_game("limit-4max:blinds=10/20"))
    assert [each for each in other.posts if isinstance(each, Post)] != list(record.setup.posts)
    assert record_of(result_of(record, 1), other) is None
    assert record_of(result_of(record, 1), Setup.of(named_game("limit-3p"))) is None


def play(agent: BayCaRP2, hands: int) -> list[str]:
    """Actions of hands against three others, everybody's seat moving."""
    rules, root = named_game("limit-3p"), Stream.from_seed(2)
    labels = ("baycarp", "caller", "raiser")
    players = [agent, make_agent("always-call"), make_agent("always-raise")]
    for place, player in enumerate(players):
        player.begin_match(MatchStart(rules, labels[place], labels, root.child("agent", place)))
    done = []
    for hand in range(hands):
        order = [(hand + place) % 3 for place in range(3)]
        state = State.deal(Setup.of(rules), root.child("deal", hand))
        record = play_hand(
            state, [players[each] for each in order], tuple(labels[each] for each in order), hand_number=hand
        )
        done.append(" ".join(map(str, record.actions())))
    return done


def test_an_agent_learns_its_opponents_and_forgets_them_with_the_match() -> None:
    agent = make_agent("baycarp2:players=adapting")
    assert isinstance(agent, BayCaRP2)
    actions = play(agent, 8)
    beliefs = agent.viewer_.beliefs
    assert isinstance(beliefs, AdaptingBeliefs)
    average = beliefs.network("nobody")
    assert beliefs.network("caller") != average
    assert beliefs.network("raiser") != average
    again = make_agent("baycarp2:players=adapting")
    assert isinstance(again, BayCaRP2)
    assert play(again, 8) == actions
    agent.begin_match(MatchStart(named_game("limit-3p"), "baycarp", ("baycarp",), Stream.from_seed(1)))
    assert beliefs.network("caller") == average


def test_there_is_no_other_way_to_tell_players_apart() -> None:
    with pytest.raises(
        ValueError, match="no choice for players is called 'adapted': did you mean 'adapting'?"
    ):
        make_agent("baycarp2:players=adapted")
