"""The nodes and states of BayCaRP's network in words."""

import re

import pytest

from railbird.agents.baycarp.cases import TABLE
from railbird.agents.sartre import cases as sartre_cases
from railbird.cbr.schema import Symbol
from railbird.hands.boards import TEXTURE_TITLES, Texture
from railbird.hands.groups import HAND_GROUPS, group_classes, group_title
from railbird.hands.types import HandType
from railbird.opponents.network.nodes import Variant, node_title, state_title, structure

IDENTIFIER = re.compile(r"[a-z][A-Z]|_|\b[a-z]\d|[A-Z][a-z]")
"""What people do not write: LowPair, a20_30, Draw_Possible."""
STARTING_HAND = re.compile(r"\b[AKQJT2-9]{2}[so]?\b")


@pytest.mark.parametrize("every", [False, True])
def test_every_node_and_state_has_a_title_of_its_own_in_words(every: bool) -> None:
    variables = structure(Variant(*[every] * 5)).variables
    nodes = [node_title(each.name) for each in variables]
    assert len(set(nodes)) == len(nodes)
    for variable in variables:
        titles = [state_title(variable.name, state) for state in variable.states]
        assert len(set(titles)) == len(titles)
        for title in (node_title(variable.name), *titles):
            assert not IDENTIFIER.search(STARTING_HAND.sub("", title)), title


@pytest.mark.parametrize(
    ("node", "state", "title"),
    [
        ("VPIP", "a20_30", "20 to 30 %"),
        ("PotOddsFlop", "Free", "nothing to call"),
        ("Action", "ThreeBet", "3-bet"),
        ("Board", "LowPair", "low pair"),
        ("Board", "KHigh", "king and another high card"),
        ("BoardChangeTurn", "FirstA", "first ace"),
        ("HandTypeFinal", "AcePairWeak", "pair of aces, weak kicker"),
        ("PartialHandTurn", "FlushD_StraightD", "flush and straight draw"),
        ("FlushChangeRiver", "None_Draw", "none before, now draw"),
        ("HandGroup", "HandGroup2", "group 2: AQs, AJs, AKo, KQs …"),
        ("Weather", "a20_30", "a20_30"),
    ],
)
def test_a_state_is_read_in_words(node: str, state: str, title: str) -> None:
    assert state_title(node, state) == title


def test_a_group_is_told_by_examples() -> None:
    for group in HAND_GROUPS:
        examples = group_title(group).removeprefix(f"group {group}: ").removesuffix(" …").split(", ")
        assert set(examples) <= set(group_classes(group))


def test_the_symbols_of_cases_have_titles_that_leave_schemas_equal() -> None:
    flop = TABLE.schema("flop")
    assert flop.told("opponent hand type 1", HandType.LOW_PAIR.label) == "low pair"
    assert flop.told("pot odds", 0.25) == 0.25
    plain = Symbol("opponent hand type 1")
    assert plain in flop.attributes
    assert hash(plain) == hash(flop.attributes[flop.place(plain.name)])
    assert Texture.FLUSH_POSSIBLE_STRAIGHT_HIGHLY_POSSIBLE.title == "flush possible, straight highly possible"
    textures = sartre_cases.BOARD_TEXTURES.symbols
    assert len({TEXTURE_TITLES[each] for each in textures}) == len(textures)
