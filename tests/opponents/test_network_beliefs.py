"""What BayCaRP's network believes, the ranges that come of it, and the run of baycarp-2011 §6.3."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from numpy.typing import NDArray

from railbird.agents.baycarp.network import network_path, read_opponents_network
from railbird.agents.baycarp.view import Viewer
from railbird.bayes.structure import NetworkError
from railbird.cards import parse_cards
from railbird.engine.actions import CALL, FOLD, raise_to
from railbird.engine.games import named_game
from railbird.engine.setup import Setup
from railbird.engine.state import State
from railbird.equities.strength import hand_potential, hand_strength
from railbird.features.playing_style import PlayingStyle
from railbird.hands.groups import GROUP_OF_HOLDING, holdings_of_group
from railbird.hands.holdings import blocked_by, cards_of
from railbird.hands.starting import ranked_classes, starting_hand_rank
from railbird.hands.types import HandType, hand_types
from railbird.observation import Observation
from railbird.opponents.network.beliefs import (
    Beliefs,
    Believed,
    Reading,
    measure,
    most_probable_types,
)
from railbird.opponents.network.nodes import PUBLISHED, Variant, structure

NETWORK, VARIANT = read_opponents_network(network_path("baycarp"))
FLOP = parse_cards("Jc7d2s")
HOLE = parse_cards("AhKd")
NO_TYPES = np.empty(0)


class Styles:
    """Everybody plays as the story's Jake does."""

    def style(self, label: str) -> PlayingStyle:
        return PlayingStyle.named("a20_30", "a5_10")


def observed(letters: str, cards: str, players: int = 2) -> Observation:
    """What the seat to act sees after these folds, calls and raises."""
    state = State(
        Setup.of(named_game(f"limit-{players}p" if players < 4 else f"limit-{players}max")),
        parse_cards(cards),
    )
    for letter in letters:
        state.act({"f": FOLD, "c": CALL}.get(letter) or raise_to(state.legal_actions.raise_minimum))
    assert state.actor is not None
    return Observation.of(state, state.actor, tuple(f"player {seat}" for seat in range(players)))


def chances(draw: list[float]) -> NDArray[np.float64]:
    array: NDArray[np.float64] = np.array(draw) + 1e-9
    array /= array.sum()
    return array


def beliefs(**reading: float) -> Beliefs:
    return Beliefs(NETWORK, VARIANT, Reading(**reading))  # type: ignore[arg-type]


def named(number: int) -> str:
    """The starting hand of a holding, such as AKo."""
    return ranked_classes()[starting_hand_rank(cards_of(number)) - 1]


# Ranges


@given(st.lists(st.floats(0, 1), min_size=10, max_size=10), st.integers(1, 9))
def test_a_range_is_the_most_probable_groups_less_the_cards_seen(draw: list[float], count: int) -> None:
    groups = chances(draw)
    found = beliefs(groups=count).range(groups, NO_TYPES, (*HOLE, *FLOP), FLOP)
    order = sorted(range(10), key=lambda place: (-groups[place], place))[:count]
    expected = np.isin(GROUP_OF_HOLDING, [place + 1 for place in order]) & ~blocked_by((*HOLE, *FLOP))
    assert np.array_equal(found > 0, expected)
    assert set(np.unique(found)) <= {0.0, 1.0}


def test_section_6_2_1_groups_become_holdings_without_the_cards_that_were_seen() -> None:
    """Six combinations of aces and four of AKs; a card that was seen leaves fewer."""
    surely = chances([1.0, *[0.0] * 9])
    assert beliefs(groups=1).range(surely, NO_TYPES, (), ()).sum() == 4 * 6 + 4
    seen = parse_cards("As Kd")
    left = beliefs(groups=1).range(surely, NO_TYPES, seen, ())
    assert not left[blocked_by(seen)].any()
    # Of AA and KK three each, QQ and JJ whole, and AhKh and AcKc.
    assert left.sum() == 3 + 3 + 6 + 6 + 2
    assert beliefs(groups=10).range(surely, NO_TYPES, (), ()).all()


@given(st.lists(st.floats(0, 1), min_size=10, max_size=10), st.floats(0.05, 1))
def test_as_many_groups_as_reach_the_mass(draw: list[float], mass: float) -> None:
    groups = chances(draw)
    found = beliefs(mass=mass).range(groups, NO_TYPES, (), ())
    taken = sorted(set(GROUP_OF_HOLDING[found > 0].tolist()), key=lambda group: -groups[group - 1])
    reached = [groups[group - 1] for group in taken]
    assert sum(reached) >= mass - 1e-9 or len(taken) == 10
    assert sum(reached) - min(reached) < mass + 1e-9, "without the least probable of them it would not reach"


def test_a_sure_belief_is_one_group() -> None:
    groups = chances([0.9, *[0.01] * 9])
    assert np.array_equal(
        np.flatnonzero(beliefs(mass=0.8).range(groups, NO_TYPES, (), ())), holdings_of_group(1)
    )


def test_weights_are_those_of_the_groups() -> None:
    groups = chances([0.5, 0.3, *[0.025] * 8])
    found = beliefs(groups=2, weighted=True).range(groups, NO_TYPES, (), ())
    for group, share in ((1, 0.5), (2, 0.3)):
        assert found[holdings_of_group(group)].sum() == pytest.approx(share, abs=1e-6)


def test_hand_types_refine_a_range() -> None:
    """§8.1.3: group 2 on A J K and a belief in two pair leaves AJs and AK."""
    board = parse_cards("AcJdKh")
    types = np.zeros(len(HandType))
    types[HandType.TWO_PAIR] = 1.0
    groups = chances([0.0, 1.0, *[0.0] * 8])
    found = beliefs(groups=1, refined=True).range(groups, types, board, board)
    on_board = hand_types(board)
    believed = found > 0.5
    assert believed.any()
    assert (on_board[believed] == HandType.TWO_PAIR).all()
    plain = beliefs(groups=1).range(groups, types, board, board)
    assert believed.sum() < (plain > 0).sum()


def test_section_8_1_3_holdings_that_do_not_make_the_type_are_removed() -> None:
    """Group 2 on A J K and a belief in two pair: "we could remove … TT, AQs and KQs"."""
    board = parse_cards("AcJdKh")
    types = np.zeros(len(HandType))
    types[HandType.TWO_PAIR] = 1.0
    groups = chances([0.0, 1.0, *[0.0] * 8])
    found = beliefs(groups=1, types=1).range(groups, types, board, board)
    assert {named(number) for number in np.flatnonzero(found).tolist()} == {"AJs", "AKo"}
    assert set(np.unique(found)) == {0.0, 1.0}


def test_removal_leaves_a_range_and_takes_nothing_before_the_flop() -> None:
    """Group 1 makes no pair of fours; the next most probable type that it makes counts."""
    types = np.zeros(len(HandType))
    types[HandType.FLUSH], types[HandType.BUSTED], types[HandType.JACK_PAIR] = 0.6, 0.3, 0.1
    groups = chances([1.0, *[0.0] * 9])
    found = beliefs(groups=1, types=1).range(groups, types, FLOP, FLOP)
    assert found.any()
    assert (hand_types(FLOP)[found > 0] == HandType.BUSTED).all()
    assert np.array_equal(
        beliefs(groups=1, types=1).range(groups, NO_TYPES, (), ()),
        beliefs(groups=1).range(groups, NO_TYPES, (), ()),
    )


def test_readings_that_are_none_are_refused() -> None:
    with pytest.raises(ValueError, match="at most 17 hand types, not 18"):
        Reading(types=18)
    with pytest.raises(ValueError, match="1 to 10 hand groups, not 11"):
        Reading(groups=11)
    with pytest.raises(ValueError, match="is a probability, not 2"):
        Reading(mass=2.0)
    with pytest.raises(NetworkError, match="not a network of opponents"):
        Beliefs(NETWORK, PUBLISHED if VARIANT != PUBLISHED else Variant(folds=True))


# Measures


def believed_of(*groups: int) -> Believed:
    weights = np.zeros(1326)
    for group in groups:
        weights[holdings_of_group(group)] = 1.0
    weights[blocked_by((*HOLE, *FLOP))] = 0.0
    return Believed(1, np.full(10, 0.1), np.full(17, 1 / 17), weights)


def test_strength_is_the_product_over_opponents() -> None:
    one, two = believed_of(1, 2), believed_of(8, 9, 10)
    found = measure(HOLE, FLOP, [one, two])
    assert found.strength == pytest.approx(hand_strength(HOLE, FLOP, [one.range, two.range]))
    single = [hand_potential(HOLE, FLOP, each.range) for each in (one, two)]
    assert found.positive_potential == pytest.approx(single[0].ppot * single[1].ppot)
    assert found.negative_potential == pytest.approx(1 - (1 - single[0].npot) * (1 - single[1].npot))
    assert found.equity == pytest.approx(single[0].ehs_showdown * single[1].ehs_showdown)


def test_against_good_groups_a_hand_is_weaker_than_against_random_cards() -> None:
    assert measure(HOLE, FLOP, [believed_of(1)]).strength < hand_strength(HOLE, FLOP)
    assert measure(HOLE, FLOP, [believed_of(10)]).strength > measure(HOLE, FLOP, [believed_of(1)]).strength


def test_the_most_probable_types_of_all_opponents_together() -> None:
    def with_types(**types: float) -> Believed:
        array = np.zeros(17)
        for name, chance in types.items():
            array[HandType[name]] = chance
        return Believed(1, np.full(10, 0.1), array, np.ones(1326))

    found = most_probable_types(
        [with_types(TWO_PAIR=0.6, FLUSH=0.4), with_types(BUSTED=0.5, TWO_PAIR=0.3, STRAIGHT=0.2)]
    )
    assert found == [("TwoPair", 0.6), ("Busted", 0.5), ("Flush", 0.4)]


# The run of §6.3


JAKE, BAYCARP = 2, 7
BEFORE_FLOP = "r" + "ffff" + "r" + "fff" + "c"
"""Jake raises from an early position, BayCaRP three-bets, everybody else folds, Jake calls."""


def story(after_flop: str) -> Observation:
    """What BayCaRP sees with a pair of tens on J-7-4, 2, Q; Jake holds ace and king out of suit."""
    others = iter(("8c3d", "9s6h", "5c2c", "6c3s", "8s5d", "9d4h", "Kc3c"))
    hands = {JAKE: "AdKs", BAYCARP: "TsTd"}
    cards = "".join(hands.get(seat) or next(others) for seat in range(9))
    found = observed(BEFORE_FLOP + after_flop, cards + "Jh7d4s2hQc", 9)
    assert found.seat == BAYCARP
    return found


def test_the_queen_on_the_river_and_the_donk_bet_change_what_is_believed() -> None:
    """The story, not its printed numbers, whose cards are in pictures only: a queen comes, and Jake bets first."""
    viewer = Viewer(Beliefs(NETWORK, VARIANT))
    viewer.styles = Styles()  # type: ignore[assignment]
    flop, turn, river = (viewer.view(story(betting)) for betting in ("c", "crcc", "crccrcr"))
    assert [view.stage for view in (flop, turn, river)] == ["flop", "turn", "river"]
    assert [each.seat for each in river.believed] == [JAKE]
    assert flop.hand_types[0][0] == "Busted"
    strengths = [float(view.attributes["relative hand strength"]) for view in (flop, turn, river)]
    assert strengths[2] < strengths[1], "with a queen on the table more of Jake's holdings beat the tens"
    busted, pairs = (
        [dict(view.believed[0].top_types(17))[kind] for view in (turn, river)]
        for kind in (HandType.BUSTED, HandType.QUEEN_PAIR)
    )
    assert busted[1] < busted[0], "who bets into the aggressor on the river is not busted"
    assert pairs[1] > pairs[0]
    codes = viewer.beliefs.coder.evidence(story("crccrcr"), viewer.styles).codes[0]
    of = structure(VARIANT)
    known = {
        name: of.variable(name).states[codes[of.place(name)]]
        for name in ("Action", "ActionFlop", "ActionTurn")
    }
    assert known == {"Action": "Raise", "ActionFlop": "Call", "ActionTurn": "Call"}
    assert of.variable("ActionRiver").states[codes[of.place("ActionRiver")]] == "DonkBet"
    assert of.variable("BoardChangeRiver").states[codes[of.place("BoardChangeRiver")]] == "FirstQ"
