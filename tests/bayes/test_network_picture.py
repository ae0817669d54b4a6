"""Networks drawn: boxes in columns that never cover each other, bars as long as probabilities, and the same as text."""

from collections.abc import Sequence
from itertools import combinations, pairwise
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from matplotlib.colors import to_hex
from matplotlib.figure import Figure
from matplotlib.patches import FancyArrowPatch, Rectangle

from named_networks import networks, opponent_network
from railbird.bayes.inference import posterior
from railbird.bayes.layout import Box, _spaced, arrange, columns_of
from railbird.bayes.network import Network
from railbird.bayes.picture import MOST_ROWS, PictureError, network_picture, save_picture
from railbird.bayes.structure import Structure, Variable
from railbird.bayes.text import network_text, percent
from railbird.places import OutputError

YES_NO = ("no", "yes")


def structure_of(*arcs: str) -> Structure:
    """A structure of variables with two states, such as `A->B->C`."""
    parents: dict[str, tuple[str, ...]] = {}
    for arc in arcs:
        chain = arc.split("->")
        for parent, child in pairwise(chain):
            parents[child] = (*parents.get(child, ()), parent)
        parents.setdefault(chain[0], ())
    return Structure(tuple(Variable(name, YES_NO) for name in parents), parents)


# layout


def test_columns_go_from_causes_to_effects_and_causes_stand_near_their_effects() -> None:
    structure = structure_of("A->B->C->D", "A->D", "Late->D", "Alone")
    assert columns_of(structure) == {"A": 0, "B": 1, "C": 2, "D": 3, "Late": 2, "Alone": 0}


@settings(max_examples=40)
@given(networks(10), st.integers(0, 2**32))
def test_boxes_keep_their_gaps_and_arcs_run_between_them(network: Network, seed: int) -> None:
    structure, random = network.structure, np.random.default_rng(seed)
    sizes = {name: (random.uniform(10, 90), random.uniform(10, 300)) for name in structure.places}
    layout = arrange(structure, sizes, gap=5, corridor=20)
    assert set(layout.boxes) == set(sizes)
    columns = columns_of(structure)
    for name, box in layout.boxes.items():
        assert (box.width, box.height) == sizes[name]
        assert box.left >= 0
        assert box.top >= -1e-9
        assert box.right <= layout.width + 1e-9
        assert box.bottom <= layout.height + 1e-9
    for first, second in combinations(sizes, 2):
        one, other = layout.boxes[first], layout.boxes[second]
        if columns[first] == columns[second]:
            assert one.bottom + 5 <= other.top + 1e-9 or other.bottom + 5 <= one.top + 1e-9
    assert {(arc.parent, arc.child) for arc in layout.arcs} == {
        (parent, child) for child, parents in structure.parents.items() for parent in parents
    }
    for arc in layout.arcs:
        stops = [layout.boxes[arc.parent], *arc.passes, layout.boxes[arc.child]]
        assert len(stops) == columns[arc.child] - columns[arc.parent] + 1
        assert all(before.right + 20 <= after.left + 1e-9 for before, after in pairwise(stops))
        assert not any(covers(box, place) for box in layout.boxes.values() for place in arc.passes)


def covers(box: Box, place: Box) -> bool:
    across = box.left < place.right and place.left < box.right
    return across and box.top < place.middle < box.bottom


def test_sweeping_undoes_crossings() -> None:
    """Two chains of which the effects stand in the wrong order are drawn without a crossing."""
    effects = {"X": "C", "Y": "B", "Z": "A"}
    structure = Structure(
        tuple(Variable(name, YES_NO) for name in "ABCXYZ"),
        {child: (parent,) for child, parent in effects.items()},
    )
    boxes = arrange(structure, dict.fromkeys(structure.places, (10.0, 10.0)), gap=5, corridor=20).boxes
    downwards = sorted(effects, key=lambda name: boxes[name].middle)
    assert sorted("ABC", key=lambda name: boxes[name].middle) == [effects[name] for name in downwards]


@given(st.lists(st.floats(-1e3, 1e3), min_size=1, max_size=8), st.data())
def test_spacing_is_the_nearest_that_there_is(wanted: list[float], data: st.DataObject) -> None:
    """It keeps the distances, and no shift of a block of touching places comes nearer to what is wanted."""
    distances = data.draw(
        st.lists(st.floats(0, 100), min_size=len(wanted) - 1, max_size=len(wanted) - 1), label="distances"
    )
    found = _spaced(wanted, distances)
    for (before, after), distance in zip(pairwise(found), distances, strict=True):
        assert after - before >= distance - 1e-6

    def loss(places: Sequence[float]) -> float:
        return sum((place - want) ** 2 for place, want in zip(places, wanted, strict=True))

    for start in range(len(found)):
        for end in range(start + 1, len(found) + 1):
            for shift in (-0.01, 0.01):
                moved = [place + shift * (start <= number < end) for number, place in enumerate(found)]
                legal = all(
                    after - before >= distance
                    for (before, after), distance in zip(pairwise(moved), distances, strict=True)
                )
                assert not legal or loss(moved) >= loss(found) - 1e-3


# picture


def drawn(network: Network, evidence: dict[str, str], nodes: Sequence[str] | None = None) -> Figure:
    return network_picture(network.structure, posterior(network, evidence), evidence, nodes)


def words(figure: Figure) -> list[str]:
    return [text.get_text() for text in figure.axes[0].texts]


def test_the_picture_has_every_state_every_arc_and_bars_as_long_as_probabilities() -> None:
    network = opponent_network()
    evidence = {"Action": "Action2", "Board": "Board7"}
    figure, shares = drawn(network, evidence), posterior(network, evidence)
    axes = figure.axes[0]
    names = [name for each in network.structure.variables for name in (each.name, *each.states)]
    assert set(names) <= set(words(figure))
    arcs = [patch for patch in axes.patches if isinstance(patch, FancyArrowPatch)]
    assert len(arcs) == sum(map(len, network.structure.parents.values()))
    bars = [patch for patch in axes.patches if isinstance(patch, Rectangle)]
    lengths: dict[str, list[float]] = {}
    for bar in bars:
        lengths.setdefault(to_hex(bar.get_facecolor()), []).append(bar.get_width())
    (full,) = set(lengths["#eef2f5"])
    assert lengths["#e0912f"] == [full, full]
    expected = [
        share
        for name in network.structure.places
        for place, share in enumerate(shares[name])
        if network.structure.variable(name).states[place] != evidence.get(name)
    ]
    assert sorted(lengths["#6f9fc8"]) == pytest.approx(sorted(full * share for share in expected))


def test_what_is_known_is_in_bold_print_and_the_rest_of_its_box_has_no_numbers() -> None:
    network = opponent_network()
    texts = drawn(network, {"Action": "Action2"}, ["Action", "Position"]).axes[0].texts
    weights = {text.get_text(): text.get_fontweight() for text in texts}
    assert (weights["Action2"], weights["Action1"], weights["Position1"]) == ("bold", "normal", "normal")
    assert len([text for text in texts if text.get_text().endswith("%")]) == 1 + 4


def test_some_nodes_are_drawn_with_the_arcs_between_them() -> None:
    network = opponent_network()
    figure = drawn(network, {}, ["HandGroup", "Action", "Action", "HandTypeFlop"])
    headings = [text.get_text() for text in figure.axes[0].texts if float(text.get_fontsize()) > 8]
    assert sorted(headings) == ["Action", "HandGroup", "HandTypeFlop"]
    arcs = [patch for patch in figure.axes[0].patches if isinstance(patch, FancyArrowPatch)]
    assert len(arcs) == 2


def test_many_states_share_a_row() -> None:
    shares = np.arange(40.0)
    variable = Variable("Rank", tuple(f"r{number}" for number in range(40)))
    network = Network(Structure((variable,)), {"Rank": shares / shares.sum()})
    shown = [word for word in words(drawn(network, {})) if not word.endswith("%")]
    assert shown == ["Rank", *(f"r{number}" for number in range(17, 40)), "17 others"]
    assert len(shown) == MOST_ROWS + 1
    assert "r1" not in shown
    assert "r1" in words(drawn(network, {"Rank": "r1"}))


def test_long_names_are_cut_and_signs_of_mathematics_are_letters() -> None:
    variable = Variable("$x^2$", ("a" * 60, "b$"))
    network = Network(Structure((variable,)), {"$x^2$": np.array([0.5, 0.5])})
    assert words(drawn(network, {}))[:2] == ["$x^2$", "a" * 27 + "…"]


def test_letters_that_cannot_be_drawn_are_refused() -> None:
    network = Network(Structure((Variable("温度", YES_NO),)), {"温度": np.array([0.5, 0.5])})
    with pytest.raises(PictureError, match="^温度 cannot be drawn: the font of pictures has no '温'$"):
        drawn(network, {})


def test_pictures_are_png_or_svg_and_the_same_each_time(tmp_path: Path) -> None:
    network = opponent_network()
    for name in ("a.svg", "b.svg", "a.png"):
        save_picture(drawn(network, {}, ["Action", "HandGroup"]), tmp_path / name)
    assert (tmp_path / "a.png").read_bytes().startswith(b"\x89PNG")
    assert (tmp_path / "a.svg").read_bytes() == (tmp_path / "b.svg").read_bytes()
    assert "<svg" in (tmp_path / "a.svg").read_text()
    with pytest.raises(OutputError, match=r"a\.jpg must end in \.png or \.svg"):
        save_picture(drawn(network, {}, ["Action"]), tmp_path / "a.jpg")


# text


@settings(max_examples=40)
@given(networks(), st.integers(60, 120))
def test_the_text_fits_and_tells_every_state(network: Network, width: int) -> None:
    structure = network.structure
    text = network_text(structure, posterior(network, {}), {}, width=width)
    assert max(map(len, text.splitlines())) <= width
    parts = text.split("\n\n")
    for name, part in zip(structure.order, parts, strict=True):
        assert part.startswith(f"{name}: {len(structure.variable(name))} states, ")
        shown = part.split()
        shares = posterior(network, {})[name]
        for state, share in zip(structure.variable(name).states, shares, strict=True):
            assert (
                shown[shown.index(state, 2) + 1] == percent(float(share)) or state in structure.parents[name]
            )


def test_long_names_of_states_take_one_column_and_are_cut_at_the_width() -> None:
    variable = Variable("A", ("s" * 30, "t" * 100))
    lines = network_text(Structure((variable,)), {"A": [0.5, 0.5]}, {}).splitlines()
    assert lines == [
        "A: 2 states, 2 probabilities",
        f"  {'s' * 30:62}  50.0% ███",
        f"  {'t' * 61}…  50.0% ███",
    ]
