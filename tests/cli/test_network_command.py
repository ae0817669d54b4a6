"""`railbird network show`: what a network says, as text, as a picture and as plain data."""

import json
from pathlib import Path

import numpy as np
import pytest

from command import railbird
from named_networks import opponent_network
from railbird import __version__
from railbird.bayes.inference import posterior
from railbird.bayes.network import Network
from railbird.bayes.structure import Structure, Variable
from railbird.bayes.xdsl.files import write_xdsl

RECIPE = {
    "made by": "railbird train-network",
    "hands": {"read": 12345, "bad": 2},
    "sources": [{"name": "a.log", "sha256": "ab" * 32}, {"name": "[bold]b.log", "sha256": "cd" * 32}],
}


@pytest.fixture
def garden(tmp_path: Path) -> Path:
    """A lawn that is wet from rain or from a hose."""
    rain, hose, wet = (Variable(name, ("no", "yes")) for name in ("Rain", "Hose", "Wet"))
    tables = {
        "Rain": np.array([0.8, 0.2]),
        "Hose": np.array([0.9, 0.1]),
        "Wet": np.array([[[1.0, 0.0], [0.1, 0.9]], [[0.2, 0.8], [0.0, 1.0]]]),
    }
    path = tmp_path / "garden.xdsl"
    write_xdsl(path, Network(Structure((rain, hose, wet), {"Wet": ("Rain", "Hose")}), tables), RECIPE)
    return path


def show(*arguments: object) -> str:
    done = railbird("network", "show", *arguments)
    assert done.code == 0, done.error
    assert not done.error
    return done.out.decode()


def refusal(*arguments: object) -> str:
    done = railbird("network", "show", *arguments)
    assert (done.code, done.out) == (2, b"")
    assert done.error.startswith("railbird: ")
    assert done.error.count("\n") == 1
    return done.error.removeprefix("railbird: ").rstrip()


def test_show_tells_nodes_parents_sizes_and_probabilities(garden: Path) -> None:
    assert show(garden) == (
        f"{garden}: 3 nodes, 2 arcs, 12 probabilities\n"
        "\n"
        "made by: railbird train-network\n"
        "hands: read 12,345, bad 2\n"
        "sources:\n"
        "  name a.log, sha256\n"
        f"    {'ab' * 32}\n"
        "  name [bold]b.log, sha256\n"
        f"    {'cd' * 32}\n"
        "\n"
        "Rain: 2 states, 2 probabilities\n"
        "  no   80.0% ████████████████        yes  20.0% ████\n"
        "\n"
        "Hose: 2 states, 2 probabilities\n"
        "  no   90.0% ██████████████████      yes  10.0% ██\n"
        "\n"
        "Wet: 2 states, 8 probabilities, given Rain, Hose\n"
        "  no   76.4% ███████████████▎        yes  23.6% ████▊\n"
    )


def test_evidence_changes_what_is_probable(garden: Path) -> None:
    out = show(garden, "--evidence", "Wet=yes", "--evidence", "Hose = no", "--node", "Rain", "--node", "Wet")
    assert out.partition("\n\nRain")[2] == (
        ": 2 states, 2 probabilities\n"
        "  no    0.0%                         yes   100% ████████████████████\n"
        "\n"
        "Wet: 2 states, 8 probabilities, given Rain, Hose\n"
        "  known: yes (of no, yes)\n"
    )


def test_the_default_view_of_a_large_network_fits_80_columns(tmp_path: Path) -> None:
    network, path = opponent_network(), tmp_path / "n.xdsl"
    write_xdsl(path, network)
    head, *rest = show(path).splitlines()
    assert head == f"{path}: 14 nodes, 16 arcs, 91,307 probabilities"
    assert max(map(len, rest)) <= 80
    assert "HandTypeTurn: 17 states, 28,900 probabilities, given HandTypeFlop, ActionTurn," in rest


def test_plain_data_has_the_posteriors_in_full(tmp_path: Path) -> None:
    network, path, data = opponent_network(), tmp_path / "n.xdsl", tmp_path / "n.json"
    write_xdsl(path, network, RECIPE)
    out = show(path, "--evidence", "Action=Action3", "--json", data)
    assert out.endswith(f"\n\nwritten to {data}\n")
    found = json.loads(data.read_text())
    nodes = {each.pop("name"): each for each in found.pop("nodes")}
    assert found == {
        "schema": "railbird.network/1",
        "recipe": RECIPE,
        "evidence": {"Action": "Action3"},
        "version": __version__,
    }
    assert list(nodes) == list(network.structure.order)
    for name, numbers in posterior(network, {"Action": "Action3"}).items():
        states = network.structure.variable(name).states
        assert nodes[name] == {
            "parents": list(network.structure.parents[name]),
            "probabilities": network.tables[name].size,
            "posterior": dict(zip(states, numbers.tolist(), strict=True)),
        }


@pytest.mark.parametrize(("name", "start"), [("n.png", b"\x89PNG"), ("n.svg", b"<?xml")])
def test_a_picture_is_drawn(garden: Path, tmp_path: Path, name: str, start: bytes) -> None:
    out = show(garden, "--evidence", "Wet=yes", "-o", tmp_path / name)
    assert (tmp_path / name).read_bytes().startswith(start)
    assert out.endswith(f"written to {tmp_path / name}\n")


@pytest.mark.parametrize(
    ("arguments", "sentence"),
    [
        (("--evidence", "Wett=yes"), "no variable is called 'Wett': did you mean 'Wet'?"),
        (("--evidence", "Sun=yes"), "no variable is called 'Sun': there are Hose, Rain, Wet"),
        (("--evidence", "Wet=damp"), "Wet: no state is called 'damp': there are no, yes"),
        (("--evidence", "Wet"), "--evidence 'Wet' is not NODE=STATE"),
        (
            ("--evidence", "Wet=no", "--evidence", "Wet=yes"),
            "--evidence gives Wet two states, no and yes",
        ),
        (("--node", "Lawn"), "no variable is called 'Lawn': there are Hose, Rain, Wet"),
        (
            ("--evidence", "Wet=no", "--evidence", "Rain=yes", "--evidence", "Hose=yes"),
            "the evidence is impossible in this network: Rain yes, Hose yes, Wet no",
        ),
        (("-o", "garden.gif"), "garden.gif must end in .png or .svg"),
    ],
)
def test_bad_questions_end_in_one_sentence(garden: Path, arguments: tuple[str, ...], sentence: str) -> None:
    assert refusal(garden, *arguments) == sentence


def test_bad_files_end_in_one_sentence(garden: Path, tmp_path: Path) -> None:
    assert (
        refusal(tmp_path / "no.xdsl") == f"{tmp_path / 'no.xdsl'}: cannot be read: No such file or directory"
    )
    garden.write_bytes(garden.read_bytes()[:700])
    assert refusal(garden).startswith(f"{garden}, line ")
    assert refusal(garden).endswith(": the file ends before its last element is closed")


def test_what_cannot_be_written_ends_in_one_sentence(garden: Path, tmp_path: Path) -> None:
    (tmp_path / "file").touch()
    for option, name in (("-o", "a.png"), ("--json", "a.json")):
        place = tmp_path / "file" / name
        assert refusal(garden, option, place).startswith(f"{place} cannot be written: ")
