"""XDSL: networks as GeNIe and SMILE keep them, read and written to the last bit, and everything else refused."""

import itertools
import os
import warnings
from importlib import import_module
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from bayes_networks import random_network
from named_networks import networks, opponent_network
from railbird.bayes.inference import posterior
from railbird.bayes.network import Network
from railbird.bayes.structure import Structure, Variable
from railbird.bayes.xdsl import files as xdsl
from railbird.bayes.xdsl import safe_xml
from railbird.bayes.xdsl.files import XdslError, read_recipe, read_xdsl, write_xdsl

# In the form in which GeNIe 5 writes files: its comment, its attributes for diagnosis, its extensions. The numbers are
# those of Lauritzen and Spiegelhalter (1988), and so are the names.
ASIA = """<?xml version="1.0" encoding="UTF-8"?>
<!-- This network was created in GeNIe Academic -->
<smile version="1.0" id="Asia" numsamples="10000" discsamples="10000">
	<properties>
		<property id="DIAG_alphaValue">0.00000000</property>
	</properties>
	<nodes>
		<cpt id="asia" diagtype="observation" ranked="true">
			<state id="no" />
			<state id="yes" />
			<probabilities>0.99 0.01</probabilities>
		</cpt>
		<cpt id="tub" target="true" diagtype="target">
			<state id="no" label="F5" />
			<state id="yes" label="F6" fault="true" />
			<parents>asia</parents>
			<probabilities>0.99 0.01 0.95 0.05</probabilities>
			<property id="source">a textbook</property>
		</cpt>
		<cpt id="smoke">
			<state id="no" />
			<state id="yes" />
			<probabilities>0.5 0.5</probabilities>
		</cpt>
		<cpt id="lung">
			<state id="no" />
			<state id="yes" />
			<parents>smoke</parents>
			<probabilities>0.99 0.01 0.9 0.1</probabilities>
		</cpt>
		<deterministic id="either">
			<state id="Nothing" />
			<state id="CancerORTuberculosis" />
			<parents>tub lung</parents>
			<resultingstates>Nothing CancerORTuberculosis CancerORTuberculosis CancerORTuberculosis</resultingstates>
		</deterministic>
		<cpt id="xray">
			<state id="Normal" />
			<state id="Abnormal" />
			<parents>either</parents>
			<probabilities>0.95 0.05 0.02 0.98</probabilities>
		</cpt>
		<cpt id="bronc">
			<state id="Absent" />
			<state id="Present" />
			<parents>smoke</parents>
			<probabilities>0.7 0.3 0.4 0.6</probabilities>
		</cpt>
		<cpt id="dysp">
			<state id="Absent" />
			<state id="Present" />
			<parents>either bronc</parents>
			<probabilities>0.9 0.1 0.2 0.8 0.3 0.7 0.1 0.9</probabilities>
		</cpt>
	</nodes>
	<cases><case name="patient"><evidence node="smoke" state="yes" /></case></cases>
	<extensions>
		<genie version="1.0" app="GeNIe 5.0.4830.2 ACADEMIC" name="Chest clinic">
			<comment>First line.\\nSecond line, with &lt;signs&gt; &amp; more.</comment>
			<submodel id="Diseases">
				<name>Diseases</name>
				<position>42 28 146 64</position>
				<node id="tub">
					<name>Tuberculosis?</name>
					<interior color="e5f6f7" />
					<outline color="0000bb" />
					<font color="333399" name="Arial" size="12" />
					<position>44 120 145 154</position>
					<barchart active="true" width="128" height="64" />
				</node>
			</submodel>
			<textbox>
				<caption>An example</caption>
				<position>482 20 800 286</position>
			</textbox>
		</genie>
	</extensions>
</smile>
"""


def read(text: str | bytes, folder: Path) -> Network:
    path = folder / "n.xdsl"
    path.write_bytes(text if isinstance(text, bytes) else text.encode())
    return read_xdsl(path)


def refusal(text: str | bytes, folder: Path) -> str:
    """The sentence after the name of the file."""
    with pytest.raises(XdslError) as caught:
        read(text, folder)
    sentence = str(caught.value)
    assert "\n" not in sentence
    assert sentence.startswith(str(folder / "n.xdsl"))
    return sentence.removeprefix(str(folder / "n.xdsl"))


def nodes(*elements: str) -> str:
    """A file with a node a line, from the fourth line on."""
    lines = (
        '<?xml version="1.0"?>',
        '<smile version="1.0" id="n">',
        "<nodes>",
        *elements,
        "</nodes>",
        "</smile>",
    )
    return "\n".join(lines)


def node(
    name: str, table: str = "0.5 0.5", parents: str = "", kind: str = "cpt", states: str = "no yes"
) -> str:
    inside = "".join(f'<state id="{state}" />' for state in states.split())
    if parents:
        inside += f"<parents>{parents}</parents>"
    tag = {"cpt": "probabilities", "deterministic": "resultingstates", "noisymax": "parameters"}.get(
        kind, "x"
    )
    return f'<{kind} id="{name}">{inside}<{tag}>{table}</{tag}></{kind}>'


# reading


def test_a_file_as_genie_writes_it_gives_the_published_probabilities(tmp_path: Path) -> None:
    network = read(ASIA, tmp_path)
    assert network.structure.parents["dysp"] == ("either", "bronc")
    assert network.probability("dysp", "Present", either="Nothing", bronc="Present") == 0.8
    assert network.probability("dysp", "Present", either="CancerORTuberculosis", bronc="Absent") == 0.7
    found = {name: round(float(numbers[1]), 4) for name, numbers in posterior(network, {}).items()}
    assert found == {
        "asia": 0.01,
        "tub": 0.0104,
        "smoke": 0.5,
        "lung": 0.055,
        "either": 0.0648,
        "xray": 0.1103,
        "bronc": 0.45,
        "dysp": 0.436,
    }
    assert read_recipe(tmp_path / "n.xdsl") == {}


def test_the_first_parent_changes_slowest_as_in_genie(tmp_path: Path) -> None:
    """The ventilator tube of the ALARM network: disconnected, it carries nothing whatever the machine does."""
    rows = ["0.97 0.01 0.02"] * 3 + ["0.97 0.01 0.02", "0.01 0.97 0.02", "0.01 0.02 0.97"]
    network = read(
        nodes(
            node("Disconnect", states="True False"),
            node("VentMach", "0.2 0.3 0.5", states="Zero Low High"),
            node("VentTube", " ".join(rows), "Disconnect VentMach", states="Zero Low High"),
        ),
        tmp_path,
    )
    assert network.probability("VentTube", "Zero", Disconnect="True", VentMach="High") == 0.97
    assert network.probability("VentTube", "High", Disconnect="False", VentMach="High") == 0.97


@pytest.mark.parametrize("encoding", ["utf-8", "utf-16", "iso-8859-1", "cp1252"])
def test_names_may_have_letters_of_any_script_in_the_encoding_that_the_file_names(
    tmp_path: Path, encoding: str
) -> None:
    text = nodes(node("Wärme", states="früh spät")).replace('"1.0"?', f'"1.0" encoding="{encoding}"?')
    assert read(text.encode(encoding), tmp_path).structure.variables == (Variable("Wärme", ("früh", "spät")),)


def test_states_that_begin_with_a_digit_are_read_as_smile_writes_them_and_not_written(tmp_path: Path) -> None:
    """SMILE numbers states that nobody named; GeNIe lets nobody type such names."""
    network = read(nodes(node("Success", "0.2 0.8", states="1 2")), tmp_path)
    assert network.probability("Success", "2") == 0.8
    with pytest.raises(XdslError, match="^Success: '1' is not a valid name in GeNIe"):
        write_xdsl(tmp_path / "again.xdsl", network)
    assert not (tmp_path / "again.xdsl").exists()


def test_rounded_probabilities_are_scaled_and_others_are_left_alone(tmp_path: Path) -> None:
    network = read(
        nodes(node("A", "0.333333 0.333333 0.333333", states="a b c"), node("B", "0.9399999999999999 0.06")),
        tmp_path,
    )
    assert network.tables["A"].tolist() == [1 / 3] * 3
    assert network.tables["B"].tolist() == [0.9399999999999999, 0.06]


def test_noisy_max_of_two_states_is_the_noisy_or_with_a_leak(tmp_path: Path) -> None:
    network = read(
        nodes(
            node("Flu", states="true false"),
            node("Cold", states="true false"),
            node("Fever", "0.8 0.2 0 1 0.4 0.6 0 1 0.1 0.9", "Flu Cold", "noisymax", "true false"),
        ),
        tmp_path,
    )
    for flu, cold in itertools.product((True, False), repeat=2):
        expected = 1 - (0.2 if flu else 1.0) * (0.6 if cold else 1.0) * 0.9
        states = {"Flu": str(flu).lower(), "Cold": str(cold).lower()}
        assert network.probability("Fever", "true", **states) == pytest.approx(expected, abs=1e-15)


def test_noisy_max_takes_the_strongest_of_independent_effects(tmp_path: Path) -> None:
    """Its table is that of drawing every parent's effect and the leak, and showing the strongest of them."""
    first = {"high": (0.5, 0.3, 0.2), "low": (0.1, 0.2, 0.7), "none": (0.0, 0.0, 1.0)}
    second = {"on": (0.2, 0.2, 0.6), "off": (0.0, 0.0, 1.0)}
    leak = (0.05, 0.1, 0.85)
    # The columns of the first parent go from high to none, though its states stand otherwise.
    numbers = [*first["high"], *first["low"], *first["none"], *second["on"], *second["off"], *leak]
    element = node("Y", " ".join(map(str, numbers)), "X Z", "noisymax", "severe mild absent")
    element = element.replace("<parameters>", "<strengths>1 2 0 0 1</strengths><parameters>")
    network = read(
        nodes(node("X", "0.2 0.3 0.5", states="none high low"), node("Z", states="on off"), element), tmp_path
    )
    for x, z in itertools.product(first, second):
        expected = [0.0, 0.0, 0.0]
        for effects in itertools.product(range(3), repeat=3):
            expected[min(effects)] += first[x][effects[0]] * second[z][effects[1]] * leak[effects[2]]
        found = [network.probability("Y", state, X=x, Z=z) for state in ("severe", "mild", "absent")]
        assert found == pytest.approx(expected, abs=1e-15)


# refusing


@pytest.mark.parametrize(
    ("text", "sentence"),
    [
        (nodes(node("A"), node("A")), ", line 5: node A is repeated, first defined in line 4"),
        (nodes(node("A", parents="B")), ", line 4: node A has the parent 'B', which is not a node"),
        (nodes(node("A"), node("B", parents="A A")), ", line 5: node B has the parent A twice"),
        (nodes(node("A", parents="A")), ", line 4: node A depends on itself: A → A"),
        (
            nodes(
                node("D", parents="C"), node("A", parents="C"), node("B", parents="A"), node("C", parents="B")
            ),
            ", line 5: node A depends on itself: A → B → C → A",
        ),
        (nodes(node("A", "1 0 0")), ", line 4: node A has 3 probabilities, but its 2 states make 2"),
        (
            nodes(node("A"), node("B", "1 0", "A")),
            ", line 5: node B has 2 probabilities, but its 2 states for the states of A (2) make 4",
        ),
        (nodes(node("A", "0.5 0.4")), ", line 4: node A: probabilities sum to 0.9 instead of 1"),
        (
            nodes(node("A"), node("B"), node("C", "1 0 0.5 0.5 0.7 0.4 1 0", "A B")),
            ", line 6: node C: probabilities sum to 1.1 instead of 1 for A yes, B no",
        ),
        (nodes(node("A", "nan 1")), ", line 4: node A: nan is not a probability"),
        (nodes(node("A", "inf 0")), ", line 4: node A: inf is not a probability"),
        (nodes(node("A", "1.1 -0.1")), ", line 4: node A: 1.1 is not a probability"),
        (nodes(node("A", "-0.1 1")), ", line 4: node A: -0.1 is not a probability"),
        (nodes(node("A", "0,5 0,5")), ", line 4: node A: '0,5' is not a probability"),
        (nodes(node("A", "0_1 0")), ", line 4: node A: '0_1' is not a probability"),
        (nodes(node("A", "٠ 1")), ", line 4: node A: '٠' is not a probability"),
        (nodes(node("A", "", states="")), ", line 4: node A: a variable needs at least two states, not 0"),
        (nodes(node("A", "1", states="a")), ", line 4: node A: a variable needs at least two states, not 1"),
        (nodes(node("A", states="a a")), ", line 4: node A: a state is repeated in a, a"),
        (nodes('<cpt id="A"><state /><state id="a"/></cpt>'), ", line 4: node A: a state has no id"),
        (
            nodes('<cpt id="A"><state id="a b"/></cpt>'),
            ", line 4: node A: a state has a blank in its id 'a b'",
        ),
        (nodes("<cpt></cpt>"), ", line 4: a <cpt> has no id"),
        (
            nodes('<cpt id="A"><state id="a"/><state id="b"/></cpt>'),
            ", line 4: node A has no <probabilities>",
        ),
        (
            nodes(node("A"), node("B", "yes", "A", "deterministic")),
            ", line 5: node B has 1 resulting states, but its parents have 2 combinations of states",
        ),
        (
            nodes(node("A"), node("B", "yes maybe", "A", "deterministic")),
            ", line 5: node B results in 'maybe', but its states are no, yes",
        ),
        (
            nodes(node("A"), node("B", "1 0 0 1", "A", "noisymax")),
            ", line 5: node B has 4 parameters, but 3 columns of 2 states make 6",
        ),
        (
            nodes(node("A"), node("B", "1 0 0 1 1 1", "A", "noisymax")),
            ", line 5: node B: probabilities sum to 2 instead of 1 in column 3",
        ),
        (
            nodes(
                node("A"),
                node("B", "1 0 0 1 1 0", "A", "noisymax").replace(
                    "<param", "<strengths>0 0</strengths><param"
                ),
            ),
            ", line 5: node B: its strengths are not a permutation of the states of A",
        ),
        (
            nodes(
                node("A"),
                node("B", "1 0 0 1 1 0", "A", "noisymax").replace(
                    "<param", "<strengths>0 1 2</strengths><param"
                ),
            ),
            ", line 5: node B has 1 strengths too many",
        ),
        *(
            (
                nodes(node("A"), f'<{kind} id="B"><parents>A</parents></{kind}>'),
                f", line 5: node B is of the unsupported kind '{kind}'; only cpt, deterministic, noisymax "
                "are read",
            )
            for kind in ("decision", "utility", "mau", "equation", "noisyadder", "anything")
        ),
        (
            nodes(node("A")).replace("<nodes>", "<dynamic /><nodes>"),
            ", line 3: dynamic networks are not supported",
        ),
        (nodes(), ", line 2: there are no nodes"),
        ("<smile/>", ", line 1: there are no nodes"),
        ("<bif><network/></bif>", ", line 1: the root element is <bif>, but XDSL begins with <smile>"),
        ("", ": the file is empty"),
        (" \n ", ": the file is empty"),
        ("node A { }", ", line 1: not well-formed XML: syntax error"),
        (b"\x89PNG\r\n", ", line 1: not well-formed XML: not well-formed (invalid token)"),
        (b"<smile>\n\xff</smile>", ", line 2: not well-formed XML: not well-formed (invalid token)"),
        (nodes("<cpt>", "</cpu>"), ", line 5: not well-formed XML: mismatched tag"),
        (
            b'<?xml version="1.0" encoding="klingon"?><smile/>',
            ", line 1: unknown encoding: unknown encoding: klingon",
        ),
    ],
)
def test_what_is_no_network_is_refused_with_file_line_and_node(
    tmp_path: Path, text: str | bytes, sentence: str
) -> None:
    assert refusal(text, tmp_path) == sentence


def test_files_that_are_not_there_are_refused(tmp_path: Path) -> None:
    for path in (tmp_path / "no.xdsl", tmp_path):
        with pytest.raises(XdslError, match=f"^{path}: cannot be read: "):
            read_xdsl(path)


@pytest.mark.parametrize(
    "start",
    [
        '<!DOCTYPE smile [<!ENTITY a "ha"><!ENTITY b "&a;&a;&a;&a;">]>',
        '<!DOCTYPE smile [<!ENTITY file SYSTEM "file:///etc/passwd">]>',
        '<!DOCTYPE smile SYSTEM "http://localhost/smile.dtd">',
        '<!DOCTYPE smile [<!ENTITY % remote SYSTEM "http://localhost/x"> %remote;]>',
        "<!DOCTYPE smile>",
    ],
)
def test_document_types_are_refused_before_anything_in_them_is_used(tmp_path: Path, start: str) -> None:
    assert refusal(f"{start}\n<smile>&b;</smile>", tmp_path) == (
        ", line 1: document types (DOCTYPE), which could define entities, are not allowed"
    )


def test_entities_are_refused(tmp_path: Path) -> None:
    assert refusal("<smile>&file;</smile>", tmp_path) == ", line 1: not well-formed XML: undefined entity"


def test_files_are_bounded_in_size_depth_elements_and_tables(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    deep = "<smile>" + "<a>" * 60 + "</a>" * 60 + "</smile>"
    assert refusal(deep, tmp_path) == ", line 1: elements are nested more than 50 levels deep"
    states = " ".join(f"s{number}" for number in range(60))
    causes = [node(f"P{number}", f"1 {'0 ' * 59}", states=states) for number in range(5)]
    many = " ".join(["1 0"] * 301)
    large = nodes(*causes, node("E", many, " ".join(f"P{number}" for number in range(5)), "noisymax"))
    assert refusal(large, tmp_path) == (
        ", line 3: the tables have 1,555,200,300 probabilities, more than 10,000,000"
    )
    monkeypatch.setattr(safe_xml, "MOST_ELEMENTS", 10)
    assert (
        refusal(nodes(*("<a/>" for _ in range(9))), tmp_path) == ", line 12: there are more than 10 elements"
    )
    for module in (safe_xml, xdsl):
        monkeypatch.setattr(module, "MOST_BYTES", 100)
    assert refusal(ASIA, tmp_path) == ", line 1: the file has more than 100 bytes"


def test_a_file_that_was_cut_off_anywhere_is_refused(tmp_path: Path) -> None:
    content = ASIA.encode().rstrip()
    for end in range(1, len(content), 37):
        sentence = refusal(content[:end], tmp_path)
        assert "ends before its last element is closed" in sentence or "not well-formed XML" in sentence


@settings(max_examples=100)
@given(st.data())
def test_damage_gives_a_network_or_a_sentence(
    tmp_path_factory: pytest.TempPathFactory, data: st.DataObject
) -> None:
    path = tmp_path_factory.getbasetemp() / "damaged.xdsl"
    content = bytearray(ASIA.encode())
    for _ in range(data.draw(st.integers(1, 4))):
        place = data.draw(st.integers(0, len(content) - 1))
        content[place : place + data.draw(st.integers(0, 9))] = data.draw(st.binary(max_size=3))
    path.write_bytes(content)
    try:
        network = read_xdsl(path)
    except XdslError as error:
        assert str(error).startswith(str(path))  # noqa: PT017
    else:
        assert isinstance(network, Network)


# writing


JSON = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats(allow_nan=False, allow_infinity=False) | st.text(),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(), inner, max_size=3),
    max_leaves=6,
)


@settings(max_examples=40)
@given(networks(), st.dictionaries(st.text(), JSON, max_size=3))
def test_what_is_written_is_read_again_to_the_last_bit(
    tmp_path_factory: pytest.TempPathFactory, network: Network, recipe: dict[str, Any]
) -> None:
    path = tmp_path_factory.getbasetemp() / "again.xdsl"
    write_xdsl(path, network, recipe)
    again = read_xdsl(path)
    assert again == network
    assert again.structure.variables == network.structure.variables
    for name, table in network.tables.items():
        assert again.tables[name].tobytes() == table.tobytes()
    assert read_recipe(path) == recipe
    write_xdsl(path.with_name("twice.xdsl"), again, recipe)
    first, second = path.read_text(), path.with_name("twice.xdsl").read_text()
    assert second.replace("twice", "again") == first


@settings(max_examples=40)
@given(st.lists(st.floats(0, 1), min_size=2, max_size=5).filter(lambda numbers: sum(numbers) > 0))
def test_every_number_is_kept(tmp_path_factory: pytest.TempPathFactory, numbers: list[float]) -> None:
    total = sum(numbers)
    table = np.array(numbers) / total
    variable = Variable("A", tuple(f"s{place}" for place in range(len(numbers))))
    path = tmp_path_factory.getbasetemp() / "numbers.xdsl"
    write_xdsl(path, Network(Structure((variable,)), {"A": table}))
    assert read_xdsl(path).tables["A"].tobytes() == table.tobytes()


@pytest.mark.parametrize("name", ["5_10", "a b", "", "A&B", "_a", "a-b", "x<y", "A\x00", "²", 'a"b'])
def test_names_that_genie_does_not_take_are_refused(tmp_path: Path, name: str) -> None:
    variable = Variable("Range", ("low", name))
    network = Network(Structure((variable,)), {"Range": np.array([0.5, 0.5])})
    path = tmp_path / "n.xdsl"
    with pytest.raises(XdslError) as caught:
        write_xdsl(path, network)
    assert (
        str(caught.value)
        == f"Range: {name!r} is not a valid name in GeNIe: a letter, then letters, digits and _"
    )
    assert not path.exists()


def asia(folder: Path) -> Network:
    return read(ASIA, folder)


def test_nothing_is_half_written(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    network, path = asia(tmp_path), tmp_path / "kept.xdsl"
    path.write_text("old")

    def full(_: int) -> None:
        raise OSError(28, "No space left on device")

    monkeypatch.setattr(os, "fsync", full)
    with pytest.raises(XdslError, match=f"^{path}: cannot be written: No space left on device$"):
        write_xdsl(path, network)
    assert path.read_text() == "old"
    assert {each.name for each in tmp_path.iterdir()} == {"kept.xdsl", "n.xdsl"}


@pytest.mark.parametrize("recipe", [{"rate": float("nan")}, {"path": Path()}, {("a", "b"): 1}])
def test_a_recipe_is_plain_data(tmp_path: Path, recipe: dict[str, Any]) -> None:
    with pytest.raises(XdslError, match="^a recipe must be data that JSON can represent: "):
        write_xdsl(tmp_path / "a.xdsl", asia(tmp_path), recipe)


@pytest.mark.parametrize("text", ["", "[1]", "{", "[" * 100_000])
def test_a_recipe_that_is_none_is_refused_and_the_network_is_read_all_the_same(
    tmp_path: Path, text: str
) -> None:
    path = tmp_path / "n.xdsl"
    write_xdsl(path, asia(tmp_path), {"a": 1})
    path.write_text(path.read_text().replace('{"a": 1}', text))
    with pytest.raises(
        XdslError, match=f"^{path}, line 4: the property railbird_recipe is not a JSON object$"
    ):
        read_recipe(path)
    assert len(read_xdsl(path).structure.variables) == 8


def test_variables_keep_their_order_though_parents_are_written_first(tmp_path: Path) -> None:
    wet, rain = Variable("Wet", ("no", "yes")), Variable("Rain", ("no", "yes"))
    tables = {"Rain": np.array([0.8, 0.2]), "Wet": np.array([[0.9, 0.1], [0.2, 0.8]])}
    path = tmp_path / "n.xdsl"
    write_xdsl(path, Network(Structure((wet, rain), {"Wet": ("Rain",)}), tables))
    text = path.read_text()
    assert text.index('<cpt id="Rain">') < text.index('<cpt id="Wet">')
    assert read_xdsl(path).structure.variables == (wet, rain)
    # GeNIe keeps the property when nodes are renamed or added.
    renamed = read(
        text.replace('id="Wet"', 'id="Damp"').replace("</nodes>", f"{node('New')}</nodes>"), tmp_path
    )
    assert [each.name for each in renamed.structure.variables] == ["Rain", "Damp", "New"]


def test_a_network_too_large_to_be_read_again_is_not_written(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    network, path = asia(tmp_path), tmp_path / "a.xdsl"
    monkeypatch.setattr(xdsl, "MOST_BYTES", 1000)
    with pytest.raises(
        XdslError, match=f"^{path}: the file would have .* bytes, more than the limit of 1,000$"
    ):
        write_xdsl(path, network)
    assert not path.exists()


def test_the_positions_are_a_picture_in_which_nothing_covers_anything(tmp_path: Path) -> None:
    network, path = opponent_network(), tmp_path / "opponents 2.xdsl"
    write_xdsl(path, network)
    root = safe_xml.parse(path.read_bytes())
    assert root.attributes["id"] == "opponents_2"
    extensions = root.child("extensions")
    assert extensions is not None
    genie = extensions.child("genie")
    assert genie is not None
    places: dict[str, list[int]] = {}
    for each in genie.children:
        position = each.child("position")
        assert position is not None
        places[each.attributes["id"]] = list(map(int, position.text.split()))
    assert set(places) == set(network.structure.places)
    for name, (left, top, right, bottom) in places.items():
        assert left >= 0
        assert top >= 0
        for other, (left2, top2, right2, bottom2) in places.items():
            apart = right <= left2 or right2 <= left or bottom <= top2 or bottom2 <= top
            assert name == other or apart, f"{name} covers {other}"
        for parent in network.structure.parents[name]:
            assert places[parent][2] < left


# other programs


@pytest.fixture(scope="module")
def pyagrum() -> Any:
    with warnings.catch_warnings():
        # Its first import warns of types without a module, and crashes where that is an error.
        warnings.simplefilter("ignore", DeprecationWarning)
        return import_module("pyagrum")


def agrum_table(cpt: Any, name: str, parents: tuple[str, ...]) -> np.ndarray[Any, Any]:
    """A table of pyAgrum with our axes."""
    # pyAgrum's arrays have its variables in reverse order.
    axes = list(reversed(cpt.names))
    return np.asarray(cpt.toarray()).transpose([axes.index(each) for each in (*parents, name)])


@pytest.mark.parametrize("seed", range(5))
def test_what_pyagrum_writes_is_read_with_its_tables(tmp_path: Path, pyagrum: Any, seed: int) -> None:
    pyagrum.initRandom(seed + 1)
    theirs = pyagrum.fastBN("A{x|y|z}->C{a|b|c|d}<-B{u|v};C->D{k|l}<-A;B->D")
    path = tmp_path / "a.xdsl"
    pyagrum.saveBN(theirs, str(path))
    ours = read_xdsl(path)
    assert ours.structure.places.keys() == theirs.names()
    for name, table in ours.tables.items():
        assert ours.structure.variable(name).states == theirs.variable(name).labels()
        wanted = agrum_table(theirs.cpt(name), name, ours.structure.parents[name])
        np.testing.assert_allclose(table, wanted, atol=2e-6)


def test_pyagrum_reads_our_numbers_in_its_own_order(tmp_path: Path, pyagrum: Any) -> None:
    """pyAgrum takes the first parent as the one that changes fastest, against GeNIe; the numbers arrive whole."""
    sizes = {"A": 3, "B": 2, "C": 4}
    variables = tuple(
        Variable(name, tuple(f"s{each}" for each in range(size))) for name, size in sizes.items()
    )
    structure = Structure(variables, {"C": ("A", "B"), "B": ("A",)})
    network = random_network(structure, np.random.default_rng(5))
    path = tmp_path / "ours.xdsl"
    write_xdsl(path, network, {"made by": "a test"})
    theirs = pyagrum.loadBN(str(path))
    for name, table in network.tables.items():
        assert theirs.variable(name).labels() == network.structure.variable(name).states
        cpt, parents = theirs.cpt(name), network.structure.parents[name]
        assert tuple(cpt.names) == (name, *parents)
        theirs_flat = np.asarray(cpt.toarray()).ravel()
        np.testing.assert_allclose(theirs_flat, table.ravel(), rtol=1e-6)


def test_pgmpy_reads_what_we_write(tmp_path: Path) -> None:
    network, path = opponent_network(), tmp_path / "ours.xdsl"
    write_xdsl(path, network)
    reader = import_module("pgmpy.readwrite").XDSLReader(str(path))
    for name, table in network.tables.items():
        assert tuple(reader.variable_states[name]) == network.structure.variable(name).states
        assert tuple(reader.variable_parents[name]) == network.structure.parents[name]
        theirs = np.array(reader.variable_CPD[name]).T.reshape(table.shape)
        assert np.array_equal(theirs, table)


def test_posteriors_are_the_same_before_and_after(tmp_path: Path) -> None:
    network, path = opponent_network(), tmp_path / "n.xdsl"
    write_xdsl(path, network)
    evidence = {"Action": "Action2", "Board": "Board7", "HandTypeFinal": "HandTypeFinal3"}
    before, after = posterior(network, evidence), posterior(read_xdsl(path), evidence)
    assert after["HandGroup"].tolist() == before["HandGroup"].tolist()


def test_fewer_digits_make_a_smaller_file_of_almost_the_same_network(tmp_path: Path) -> None:
    network, path = opponent_network(), tmp_path / "rounded.xdsl"
    write_xdsl(path, network, digits=5)
    found = read_xdsl(path)
    assert found.structure == network.structure
    for name, table in network.tables.items():
        assert found.tables[name] == pytest.approx(table, rel=1e-4)
    write_xdsl(tmp_path / "whole.xdsl", network)
    assert path.stat().st_size < 0.6 * (tmp_path / "whole.xdsl").stat().st_size
