"""Similarities: the papers' printed numbers, and what must hold whatever the values."""

from math import exp

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from railbird.cbr.schema import Number, Schema, SchemaError, Symbol
from railbird.cbr.similarity import (
    AllOrNothing,
    ByProbability,
    Decay,
    Linear,
    Matrix,
    Similarity,
    SimilarityError,
    SymbolPairs,
)
from railbird.cbr.target import Target

numbers = st.floats(-1e6, 1e6)
rates = st.floats(0.01, 100)
numeric = st.one_of(st.builds(Linear, rates, rates), st.builds(Decay, rates, rates), st.just(AllOrNothing()))

BOARDS = tuple("ABCDEFGHI")
BOARD_TEXTURES = Matrix(
    BOARDS,
    (
        (1, 0, 0, 0, 0, 0, 0, 0, 0),
        (0, 1, 0.8, 0.7, 0, 0, 0, 0, 0),
        (0, 0.8, 1, 0.7, 0, 0, 0, 0, 0),
        (0, 0.7, 0.7, 1, 0, 0, 0, 0, 0),
        (0, 0, 0, 0, 1, 0.8, 0.7, 0, 0.6),
        (0, 0, 0, 0, 0.8, 1, 0.7, 0, 0.5),
        (0, 0, 0, 0, 0.7, 0.7, 1, 0.8, 0.8),
        (0, 0, 0, 0, 0, 0, 0.8, 1, 0.8),
        (0, 0, 0, 0, 0.6, 0.5, 0.8, 0.8, 1),
    ),
)


class TestPrintedNumbers:
    def test_hand_rank_1_against_18(self) -> None:
        """baycarp-2011 §5.4.3: a distance of about 0.1, "Euclidian" about 0.9, exponential decay with k = 4 0.67."""
        assert round(Linear(168)(1, 18), 1) == 0.9
        assert round(Decay(4.0, span=168)(1, 18), 2) == 0.67

    def test_the_bayesian_table(self) -> None:
        """baycarp-2011, table 5.4: full house 39 %, three of a kind 27 %, two pair 24 %."""
        similarity = ByProbability((("FullHouse", 0.39), ("ThreeOfAKind", 0.27), ("TwoPair", 0.24)))
        kinds = ("FullHouse", "ThreeOfAKind", "TwoPair")
        printed = [[1.00, 0.88, 0.85], [0.88, 1.00, 0.97], [0.85, 0.97, 1.00]]
        assert [[round(similarity(query, case), 2) for case in kinds] for query in kinds] == printed
        assert similarity("FullHouse", "Straight") == 0.0

    def test_busted_at_64_percent_makes_the_others_dissimilar(self) -> None:
        """baycarp-2011 §6.3: Busted 64 %, JackPair 7 %, AcePairStrong 5 %."""
        similarity = ByProbability((("Busted", 0.64), ("JackPair", 0.07), ("AcePairStrong", 0.05)))
        assert round(similarity("Busted", "JackPair"), 2) == 0.43
        assert round(similarity("JackPair", "AcePairStrong"), 2) == 0.98

    def test_sartres_hand_strength(self) -> None:
        """sartre-2012, equation 2: max(1 − k · |f₁ − f₂| / T, 0)."""
        assert Linear(50, rate=1)(10, 15) == pytest.approx(0.9)
        assert Linear(50, rate=5)(10, 15) == pytest.approx(0.5)
        assert Linear(50, rate=5)(10, 25) == 0.0

    def test_stack_commitment(self) -> None:
        """sartre-2012, equation 8: e^−|f₁ − f₂|."""
        assert Decay(1.0)(1, 4) == exp(-3)
        assert Decay(1.0)(2, 2) == 1.0

    def test_board_textures(self) -> None:
        """sartre-2012, figure 3: the matrix is symmetric and its diagonal is 1."""
        for first in BOARDS:
            assert BOARD_TEXTURES(first, first) == 1
            assert all(BOARD_TEXTURES(first, second) == BOARD_TEXTURES(second, first) for second in BOARDS)
        assert BOARD_TEXTURES("E", "I") == 0.6
        assert BOARD_TEXTURES("H", "G") == 0.8

    def test_stepped_betting_sequences(self) -> None:
        """sartre-2012 §5.3.2: the two examples are 0.9 and 0.8 similar, and sequences that share nothing 0."""
        steps = SymbolPairs((("crcc-crrrc-cr", "rrc-rrrrc-cr", 0.9), ("rrc-cc-cc-rrr", "cc-rc-rc-rrr", 0.8)))
        assert steps("rrc-rrrrc-cr", "crcc-crrrc-cr") == 0.9
        assert steps("rrc-cc-cc-rrr", "cc-rc-rc-rrr") == 0.8
        assert steps("rrc-cc-cc-rrr", "crcc-crrrc-cr") == 0.0
        assert steps("r", "r") == 1.0

    def test_caspers_weighted_combination(self) -> None:
        """casper-2007, equation 3, with weights of the text: 80 for the hand's strength, 5 for most others."""
        schema = Schema((Number("hand strength"), Number("players")), ("f", "c", "r"))
        similarity = Similarity(schema, {"hand strength": (Linear(1.0), 80), "players": (Linear(8), 5)})
        target, case = {"hand strength": 0.7, "players": 9}, {"hand strength": 0.6, "players": 5}
        assert similarity(target, case) == pytest.approx((80 * 0.9 + 5 * 0.5) / 85)

    def test_sartres_global_similarity_is_the_plain_mean(self) -> None:
        """sartre-2012, equation 1."""
        schema = Schema((Number("bucket"), Symbol("board", BOARDS)), ("f", "c", "r"))
        similarity = Similarity(schema, {"bucket": (Linear(50), 1), "board": (BOARD_TEXTURES, 1)})
        assert similarity({"bucket": 10, "board": "B"}, {"bucket": 15, "board": "C"}) == pytest.approx(0.85)


@given(numeric, numbers, numbers, numbers)
def test_numbers_are_compared_by_their_difference(
    local: Linear | Decay | AllOrNothing, first: float, second: float, third: float
) -> None:
    assert local(first, first) == 1.0
    assert 0.0 <= local(first, second) <= 1.0
    assert local(first, second) == local(second, first)
    near, far = sorted((second, third), key=lambda value: abs(value - first))
    assert local(first, near) >= local(first, far)


@given(st.lists(st.tuples(st.sampled_from("abc"), st.sampled_from("abc"), st.floats(0, 1)), max_size=4))
def test_a_table_is_read_either_way_round(pairs: list[tuple[str, str, float]]) -> None:
    table = SymbolPairs(tuple(pairs[:1]), otherwise=0.25)
    assert all(table(first, second) == table(second, first) for first in "abcd" for second in "abcd")
    assert table("a", "d") == 0.25
    assert table("d", "d") == 1.0


weights_of_two = st.lists(st.just(0.0) | st.floats(1e-300, 100), min_size=2, max_size=2).filter(any)


@given(weights_of_two, numbers, numbers)
@example([0.0, 1e-300], 0.0, 1.0)
def test_the_whole_lies_between_its_parts(weights: list[float], first: float, second: float) -> None:
    schema = Schema((Number("x"), Number("y")), ("a",))
    similarity = Similarity(schema, {"x": (Linear(10), weights[0]), "y": (Decay(1.0, 10), weights[1])})
    target, case = {"x": first, "y": second}, {"x": second, "y": first}
    parts = similarity.locals_of(target, case).values()
    assert min(parts) - 1e-12 <= similarity(target, case) <= max(parts) + 1e-12
    assert similarity(target, target) == 1.0


def test_weights_can_be_changed() -> None:
    schema = Schema((Number("x"), Number("y")), ("a",))
    similarity = Similarity(schema, {"x": (Linear(10), 1), "y": (Linear(10), 1)})
    assert similarity.with_weights({"y": 3}).weights() == {"x": 1, "y": 3}
    assert similarity.with_weights({"y": 3})({"x": 0, "y": 0}, {"x": 10, "y": 0}) == 0.75
    with pytest.raises(SimilarityError, match="no attribute is called 'z'"):
        similarity.with_weights({"z": 1})


@pytest.mark.parametrize(
    ("make", "message"),
    [
        (lambda: Linear(0), "the span of a linear similarity must be a number above 0, not 0"),
        (lambda: Linear(1, rate=-1), "the rate of a linear similarity"),
        (lambda: Decay(float("nan")), "the rate of an exponential decay must be a number above 0, not nan"),
        (lambda: Decay(1, span=0), "the span of an exponential decay"),
        (lambda: Matrix(("a", "b"), ((1, 0),)), "a matrix of 2 symbols must have 2 rows of 2 similarities"),
        (lambda: Matrix(("a", "a"), ((1, 0), (0, 1))), "a symbol occurs twice"),
        (
            lambda: Matrix(("ann", "bob"), ((1, 0), (0, 1)))("ann", "bop"),
            "no symbol of the matrix is called 'bop'",
        ),
    ],
)
def test_what_is_no_similarity_is_refused(make: object, message: str) -> None:
    assert callable(make)
    with pytest.raises(SimilarityError, match=message):
        make()


@pytest.mark.parametrize(
    ("parts", "message"),
    [
        ({"x": (Linear(1), 1)}, "the attribute 'name' has no similarity"),
        (
            {"x": (Linear(1), 1), "nam": (AllOrNothing(), 1)},
            "no attribute is called 'nam': did you mean 'name'",
        ),
        ({"x": (BOARD_TEXTURES, 1), "name": (AllOrNothing(), 1)}, "x: Matrix does not compare numbers"),
        ({"x": (Linear(1), 1), "name": (Decay(1), 1)}, "name: Decay does not compare symbols"),
        ({"x": (Linear(1), -1), "name": (AllOrNothing(), 1)}, "x: a weight must be 0 or more, not -1"),
        (
            {"x": (Linear(1), 5e-324), "name": (AllOrNothing(), 1)},
            "x: a weight must be 0 or at least 1e-300, not 5e-324",
        ),
        (
            {"x": (Linear(1), 0), "name": (AllOrNothing(), 0)},
            "at least one attribute must have a weight above 0",
        ),
    ],
)
def test_a_similarity_fits_its_schema(parts: dict[str, tuple[Linear, float]], message: str) -> None:
    schema = Schema((Number("x"), Symbol("name")), ("a",))
    with pytest.raises(SimilarityError, match=message):
        Similarity(schema, dict(parts))


@pytest.mark.parametrize(
    ("description", "message"),
    [
        ({"x": 1}, "the description has no 'name'"),
        ({"x": 1, "name": "a", "y": 2}, "no attribute is called 'y'"),
        ({"x": "a", "name": "a"}, "x must be a number, not 'a'"),
        ({"x": float("inf"), "name": "a"}, "x must be a number, not inf"),
        ({"x": 1.5, "name": "a"}, "x must be a whole number, not 1.5"),
        ({"x": 11, "name": "a"}, "x must be between 0 and 10, not 11"),
        ({"x": 1, "name": 3}, "name must be a name, not 3"),
        ({"x": 1, "name": "c"}, "no value of name is called 'c'"),
    ],
)
def test_a_description_fits_its_schema(description: dict[str, float | str], message: str) -> None:
    schema = Schema((Number("x", whole=True, low=0, high=10), Symbol("name", ("a", "b"))), ("a",))
    with pytest.raises(SchemaError, match=message):
        Target(schema, description)


@pytest.mark.parametrize(
    ("make", "message"),
    [
        (lambda: Schema((), ("a",)), "at least one attribute and one solution"),
        (lambda: Schema((Number("x"), Symbol("x")), ("a",)), "the attribute 'x' has no name or occurs twice"),
        (lambda: Schema((Number("x"),), ("a", "a")), "the solution 'a' has no name or occurs twice"),
        (lambda: Schema((Number("outcome"),), ("a",)), "an attribute cannot be called 'outcome'"),
        (lambda: Schema((Number("count of a"),), ("a",)), "an attribute cannot be called 'count of a'"),
        (lambda: Number("x", low=2, high=1), "x: the lowest value 2 is above the highest, 1"),
        (lambda: Symbol("x", ("a", "a")), "x: a value occurs twice in a, a"),
    ],
)
def test_what_is_no_schema_is_refused(make: object, message: str) -> None:
    assert callable(make)
    with pytest.raises(SchemaError, match=message):
        make()


def test_a_target_brings_similarities_for_symbols_only() -> None:
    schema = Schema((Number("x"), Symbol("name")), ("a",))
    with pytest.raises(
        SimilarityError, match="x is a number: a target can have its own similarities for symbols only"
    ):
        Target(schema, {"x": 1, "name": "a"}, {"x": Linear(1)})
    with pytest.raises(SimilarityError, match="no attribute is called 'y'"):
        Target(schema, {"x": 1, "name": "a"}, {"y": AllOrNothing()})
