"""The ten hand groups of baycarp-2011, appendix B."""

import numpy as np
import pytest

from railbird.cards import parse_cards
from railbird.hands.groups import (
    GROUP_OF_HOLDING,
    HAND_GROUPS,
    HandGroupError,
    group_classes,
    hand_group,
    holdings_of_group,
)
from railbird.hands.holdings import CLASS_NAMES, CLASS_OF_HOLDING, HOLDINGS

# The groups as Sklansky and Malmuth list them ("Hold'em Poker for Advanced Players"), and the thesis's ninth.
SKLANSKY_AND_MALMUTH = {
    1: "AA KK QQ JJ AKs",
    2: "TT AQs AJs KQs AKo",
    3: "99 JTs QJs KJs ATs AQo",
    4: "T9s KQo 88 QTs 98s J9s AJo KTs",
    5: "77 87s Q9s T8s KJo QJo JTo 76s 97s A9s A8s A7s A6s A5s A4s A3s A2s 65s",
    6: "66 ATo 55 86s KTo QTo 54s K9s J8s 75s",
    7: "44 J9o 64s T9o 53s 33 98o 43s 22 K8s K7s K6s K5s K4s K3s K2s T7s Q8s",
    8: "87o A9o Q9o 76o 42s 32s 96s 85s J8o J7s 65o 54o 74s K9o T8o",
    9: "A8o A7o A6o A5o A4o A3o A2o",
}
PRINTED_OTHERWISE = {"K9s": 7, "66": 5, "65s": 6}


def test_the_figure_is_sklansky_and_malmuth_but_for_three_cells() -> None:
    expected = {name: group for group, names in SKLANSKY_AND_MALMUTH.items() for name in names.split()}
    expected |= PRINTED_OTHERWISE
    printed = {name: group for group in HAND_GROUPS for name in group_classes(group)}
    assert printed == {name: expected.get(name, 10) for name in CLASS_NAMES}


def test_every_class_is_in_exactly_one_group() -> None:
    listed = [name for group in HAND_GROUPS for name in group_classes(group)]
    assert sorted(listed) == sorted(CLASS_NAMES)


def test_every_holding_is_in_exactly_one_group() -> None:
    members = np.concatenate([holdings_of_group(group) for group in HAND_GROUPS])
    assert sorted(members.tolist()) == list(range(HOLDINGS))
    for group in HAND_GROUPS:
        names = {CLASS_NAMES[CLASS_OF_HOLDING[holding]] for holding in holdings_of_group(group)}
        assert names == set(group_classes(group))
        assert (GROUP_OF_HOLDING[holdings_of_group(group)] == group).all()


def test_examples_from_the_thesis() -> None:
    assert set(group_classes(2)) == {"TT", "AQs", "AJs", "KQs", "AKo"}  # §8.1.3
    assert hand_group(parse_cards("Ah Kd")) == 2  # §6.3, Jake's hand
    assert hand_group(parse_cards("Ah As")) == 1  # §5.4.3
    assert hand_group(parse_cards("Ts Js")) == 3  # §5.4.3


def test_there_is_no_eleventh_group() -> None:
    with pytest.raises(HandGroupError, match=r"11 is not a hand group: hand groups are 1\.\.10"):
        holdings_of_group(11)
    with pytest.raises(HandGroupError, match="0 is not a hand group"):
        group_classes(0)
