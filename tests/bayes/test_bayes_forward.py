"""`Forward` follows changed tables, answers as many rows at once as one by one, and refuses what is no question."""

from time import perf_counter

import numpy as np
import pytest
from hypothesis import given

from bayes_networks import (
    HAND_TYPE,
    SIZES,
    World,
    opponent_structure,
    random_network,
    random_rows,
    street_rows,
    worlds,
)
from railbird.bayes.forward import Forward
from railbird.bayes.inference import posterior
from railbird.bayes.network import Network
from railbird.bayes.rows import by_pattern
from railbird.bayes.structure import UNKNOWN, NetworkError


@pytest.fixture(scope="module")
def opponents() -> Network:
    return random_network(opponent_structure(), np.random.default_rng(8))


@given(worlds())
def test_changed_rows_of_tables_change_the_answers_and_no_others(world: World) -> None:
    before, structure = world.network, world.network.structure
    after = random_network(structure, world.draw)
    names = tuple(structure.places)
    forward = Forward(before, names)
    copy = forward.copy()
    name = names[world.draw.integers(len(names))]
    table = after.tables[name]
    place = tuple(int(world.draw.integers(size)) for size in table.shape[:-1])
    copy.update(name, place, table[place])
    changed = before.tables[name].copy()
    changed[place] = table[place]
    expected = Network(structure, {**before.tables, name: changed})
    assert copy.network() == expected
    assert forward.network() == before
    unknown = np.full(len(names), UNKNOWN, dtype=np.int16)
    for each, network in ((forward, before), (copy, expected)):
        found = each(unknown)
        for target, numbers in posterior(network, {}).items():
            np.testing.assert_allclose(found[each.parts[target]], numbers, rtol=0.0, atol=1e-12)


def test_parts_stand_in_the_order_of_the_targets(opponents: Network) -> None:
    forward = Forward(opponents, ["HandTypeFlop", "HandGroup"])
    [codes] = street_rows("flop", 1, np.random.default_rng(1))
    found = forward(codes)
    assert forward.parts == {"HandTypeFlop": slice(0, 17), "HandGroup": slice(17, 27)}
    place = tuple(codes[[0, 1, 2, 3]].tolist())
    np.testing.assert_allclose(found[17:], opponents.tables["HandGroup"][place], rtol=1e-12)


def test_a_known_target_is_certain(opponents: Network) -> None:
    codes = opponents.structure.codes({"HandTypeFlop": "HandTypeFlop3"})
    assert Forward(opponents, ["HandTypeFlop"])(codes).tolist() == [float(code == 3) for code in range(17)]


def test_rows_are_grouped_by_what_they_know() -> None:
    rows = random_rows(opponent_structure(), 300, np.random.default_rng(4))
    rows = np.concatenate([rows, rows[::-1]])
    seen = np.concatenate([numbers for _, numbers in by_pattern(rows)])
    assert sorted(seen.tolist()) == list(range(600))
    for pattern, numbers in by_pattern(rows):
        assert all((rows[number] != UNKNOWN).tobytes() == pattern for number in numbers)
    assert len(by_pattern(rows)) == len({(row != UNKNOWN).tobytes() for row in rows})


def test_codes_need_not_lie_side_by_side(opponents: Network) -> None:
    forward = Forward(opponents, ["HandTypeTurn"])
    rows = street_rows("turn", 2, np.random.default_rng(5))
    apart = np.asfortranarray(rows)
    assert not apart[0].flags.c_contiguous
    assert np.array_equal(forward(apart[0]), forward(rows[0]))
    assert np.array_equal(forward.rows(apart.astype(np.int64)), forward.rows(rows))
    assert forward.rows(rows[:0]).shape == (0, 17)


def test_an_opponent_costs_microseconds(opponents: Network) -> None:
    """A bound far above what is measured (`railbird bench inference`), for machines that do much else."""
    for street, target in HAND_TYPE.items():
        forward = Forward(opponents, [target, "HandGroup"])
        rows = street_rows(street, 200, np.random.default_rng(6))
        forward(rows[0])
        durations = []
        for codes in rows:
            start = perf_counter()
            forward(codes)
            durations.append(perf_counter() - start)
        assert np.median(durations) < 100e-6


def test_what_is_no_question_is_refused_with_a_sentence(opponents: Network) -> None:
    with pytest.raises(NetworkError, match="one or more distinct targets expected, found"):
        Forward(opponents, [])
    with pytest.raises(NetworkError, match="one or more distinct targets expected, found .'Board', 'Board'"):
        Forward(opponents, ["Board", "Board"])
    with pytest.raises(NetworkError, match="no variable is called 'Bord'"):
        Forward(opponents, ["Bord"])
    forward = Forward(opponents, ["Board"])
    with pytest.raises(NetworkError, match="20 codes of type int16 expected, found int64 of shape .20,"):
        forward(np.zeros(20, dtype=np.int64))
    with pytest.raises(NetworkError, match="20 codes of type int16 expected, found int16 of shape .19,"):
        forward(np.zeros(19, dtype=np.int16))
    codes = np.full(len(SIZES), UNKNOWN, dtype=np.int16)
    for wrong in (4, -2):
        codes[2] = wrong
        with pytest.raises(NetworkError, match=f"^{wrong} is not a state of Position: states are 0 to 3"):
            forward(codes)
    with pytest.raises(NetworkError, match="row 0: -2 is not a state of Position"):
        forward.rows(codes[np.newaxis])


@pytest.mark.parametrize(
    ("name", "place", "row", "sentence"),
    [
        ("Action", (), [0.2] * 4, "Action: 5 probabilities expected, found"),
        ("Action", (), [0.2, 0.2, 0.2, 0.5, -0.1], "Action: 5 probabilities expected, found"),
        ("Action", (), [0.2, 0.2, 0.2, 0.5, float("nan")], "Action: 5 probabilities expected, found"),
        ("Action", (), [0.2, 0.2, 0.2, 0.5, float("inf")], "Action: probabilities sum to inf instead of 1"),
        ("Action", (), [0.2] * 4 + [0.3], "Action: probabilities sum to 1.1 instead of 1"),
        ("Action", (1,), [0.2] * 5, "Action: a code for each of 0 parents expected, found"),
        ("ActionFlop", (5,), [0.1] * 10, "ActionFlop: a code for each of 1 parents expected, found"),
        ("ActionFlop", (-1,), [0.1] * 10, "ActionFlop: a code for each of 1 parents expected, found"),
        ("Actionflop", (1,), [0.1] * 10, "no variable is called 'Actionflop': did you mean 'ActionFlop'"),
    ],
)
def test_rows_that_fit_no_table_are_refused(
    opponents: Network, name: str, place: tuple[int, ...], row: list[float], sentence: str
) -> None:
    forward = Forward(opponents, ["Board"])
    with pytest.raises(NetworkError, match=sentence):
        forward.update(name, place, row)
    assert forward.network() == opponents
