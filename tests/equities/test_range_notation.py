"""Ranges as text: what every token means, what is printed, and what is refused."""

import random
from fractions import Fraction

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from numpy.typing import NDArray

from railbird.equities.range_notation import RangeError, format_weights, parse_weights, top_weights
from railbird.hands.holdings import (
    CLASS_NAMES,
    CLASS_OF_HOLDING,
    HOLDINGS,
    format_holding,
    parse_holding,
)
from railbird.hands.starting import ranked_classes
from reference import range_notation as reference

WEIGHTS = st.one_of(st.sampled_from([0.0, 0.25, 0.5, 1.0]), st.floats(0.0, 10.0))


@st.composite
def range_weights(draw: st.DrawFn) -> NDArray[np.float64]:
    """Weights as ranges have them: mostly whole classes, a few single holdings."""
    few = st.dictionaries(st.integers(0, 168), WEIGHTS, max_size=40)
    weights = np.full(HOLDINGS, draw(st.sampled_from([0.0, 0.0, 1.0, 0.5])))
    for index, weight in draw(few).items():
        weights[index == CLASS_OF_HOLDING] = weight
    for holding, weight in draw(st.dictionaries(st.integers(0, HOLDINGS - 1), WEIGHTS, max_size=8)).items():
        weights[holding] = weight
    return weights


def classes_in(text: str) -> dict[str, float]:
    """The classes of a range and their weights; every class must have one weight throughout."""
    weights = parse_weights(text)
    found = {}
    for index, name in enumerate(CLASS_NAMES):
        of_class = set(weights[index == CLASS_OF_HOLDING].tolist())
        assert len(of_class) == 1, name
        if (weight := of_class.pop()) > 0:
            found[name] = weight
    return found


@pytest.mark.parametrize(
    ("text", "names"),
    [
        ("QQ", "QQ"),
        ("22+", "22 33 44 55 66 77 88 99 TT JJ QQ KK AA"),
        ("KK+", "KK AA"),
        ("JJ-88", "JJ TT 99 88"),
        ("88-JJ", "JJ TT 99 88"),
        ("AKs", "AKs"),
        ("KQo", "KQo"),
        ("AK", "AKs AKo"),
        ("ATs+", "ATs AJs AQs AKs"),
        ("T9s+", "T9s"),
        ("J8o+", "J8o J9o JTo"),
        ("QT+", "QTs QTo QJs QJo"),
        ("A5s-A2s", "A5s A4s A3s A2s"),
        ("A2s-A5s", "A5s A4s A3s A2s"),
        ("K9-K8", "K9s K9o K8s K8o"),
        ("A5s - A4s", "A5s A4s"),
        ("random", " ".join(CLASS_NAMES)),
        ("none", ""),
        ("22,33  44 ,, 55\n66", "22 33 44 55 66"),
    ],
)
def test_a_token_names_these_classes(text: str, names: str) -> None:
    assert classes_in(text) == dict.fromkeys(names.split(), 1.0)


def test_a_holding_names_itself_in_either_order() -> None:
    for text in ("AhKh", "KhAh"):
        assert np.flatnonzero(parse_weights(text)).tolist() == [parse_holding("AhKh")]


def test_a_weight_follows_a_colon() -> None:
    assert classes_in("76s:0.5, QQ+:.25 AK:2 55:1e-3") == {
        "76s": 0.5, "QQ": 0.25, "KK": 0.25, "AA": 0.25, "AKs": 2.0, "AKo": 2.0, "55": 0.001,
    }  # fmt: skip


def test_where_tokens_overlap_the_later_one_decides() -> None:
    assert classes_in("QQ+, KK:0.5, KK:0.25") == {"QQ": 1.0, "KK": 0.25, "AA": 1.0}
    assert sorted(classes_in("random, AA:0")) == sorted(set(CLASS_NAMES) - {"AA"})


@given(st.fractions(0, 1))
def test_the_top_takes_exactly_its_share_from_the_best_down(share: Fraction) -> None:
    weights = top_weights(share)
    assert weights.sum() == pytest.approx(float(share * HOLDINGS))
    in_order = [weights[CLASS_NAMES.index(name) == CLASS_OF_HOLDING] for name in ranked_classes()]
    assert all(len(set(of_class.tolist())) == 1 for of_class in in_order)
    by_rank = [of_class[0] for of_class in in_order]
    assert by_rank == sorted(by_rank, reverse=True)
    assert sum(0 < weight < 1 for weight in by_rank) <= 1


def test_the_top_by_name() -> None:
    """The best holdings are six each of AA, KK, QQ and JJ and four of AKs, and 2 % of all are 26.52."""
    assert classes_in("top 2%") == {
        "AA": 1.0,
        "KK": 1.0,
        "QQ": 1.0,
        "JJ": 1.0,
        "AKs": pytest.approx(2.52 / 4),
    }
    assert classes_in("top 100%") == classes_in("random")
    assert classes_in("top 0.2%:0.5")["AA"] == pytest.approx(0.5 * 2.652 / 6)


@given(range_weights())
def test_what_is_printed_reads_back_exactly(weights: NDArray[np.float64]) -> None:
    text = format_weights(weights)
    np.testing.assert_array_equal(parse_weights(text), weights)
    assert format_weights(parse_weights(text)) == text


@given(range_weights())
def test_what_is_printed_names_every_holding_once_at_most_with_one_weight(
    weights: NDArray[np.float64],
) -> None:
    tokens = format_weights(weights).split(",")
    claims = np.array([parse_weights(token) for token in tokens])
    np.testing.assert_array_equal(claims.max(axis=0), weights)
    assert all(len(set(column[column > 0].tolist())) <= 1 for column in claims.T)


@pytest.mark.parametrize(
    ("text", "printed"),
    [
        ("22+, ATs+, KQo, A5s-A2s, AhKh, 76s:0.5", "22+,ATs+,A5s-A2s,KQo,76s:0.5"),
        ("AKs,AKo", "AK"),
        ("AKs,AKo,AQs,AJs,ATs", "AK,ATs+"),
        ("AJ+,ATs", "AJ+,ATs"),
        ("JJ,TT,99,88", "JJ-88"),
        ("KsAs,AhKh,AdKd,AcKc", "AKs"),
        ("AhKh,AsKs", "AsKs,AhKh"),
        ("random:0.5", "random:0.5"),
        ("A2+ K2+ 22+:0.1", "A2+,K2+,22+:0.1"),
        ("AA:1.5 KK:0.5 QQ", "AA:1.5,QQ,KK:0.5"),
        ("76s:0.1, 76s:0", "none"),
        ("none", "none"),
    ],
)
def test_printing_is_canonical(text: str, printed: str) -> None:
    assert format_weights(parse_weights(text)) == printed


def test_a_row_of_unpaired_classes_is_printed_as_short_as_can_be() -> None:
    """Some of the 1,024 sets of classes whose first card is a seven."""
    row = sorted({name for _, names in reference.row_tokens("7") for name in names})
    chooser = random.Random(1)
    for _ in range(100):
        wanted = frozenset(name for name in row if chooser.random() < 0.7)
        for weight in (1.0, 0.5):
            text = format_weights(
                sum((parse_weights(f"{name}:{weight}") for name in wanted), np.zeros(HOLDINGS))
            )
            suffix = 0 if weight == 1 else len(":0.5")
            if wanted:
                assert len(text) == reference.shortest_length(reference.row_tokens("7"), wanted, suffix), text


def test_pairs_are_printed_as_short_as_can_be() -> None:
    chooser = random.Random(2)
    for _ in range(30):
        wanted = frozenset(2 * rank for rank in "23456789TJQKA" if chooser.random() < 0.6)
        text = format_weights(sum((parse_weights(name) for name in wanted), np.zeros(HOLDINGS)))
        assert len(text) == reference.shortest_length(reference.pair_tokens(), wanted, 0), text


def test_all_holdings_with_different_weights_read_back() -> None:
    weights = np.random.default_rng(3).permutation(HOLDINGS) / 7
    text = format_weights(weights)
    np.testing.assert_array_equal(parse_weights(text), weights)
    assert text.split(",")[0].startswith(format_holding(int(np.argmax(weights))))


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("", "an empty text is not a range: write tokens such as 22+"),
        (" , ", "an empty text is not a range"),
        ("22+, ATx+", "'ATx+' at column 6 is not a token of a range: write one such as 22+"),
        ("22+,\n aks", "'aks' at column 7 is not a token of a range: did you mean AKs?"),
        ("ahkh", "'ahkh' at column 1 is not a token of a range: did you mean AhKh?"),
        ("10h9h", "did you mean Th9h?"),
        ("A♥K♠", "did you mean AhKs?"),
        ("A5s–A2s", "did you mean A5s-A2s?"),
        ("RANDOM", "did you mean random?"),
        ("AhKhQh", "'AhKhQh' at column 1 is not a token of a range"),
        ("KAs", "'KAs' at column 1 has its ranks the wrong way round: write AKs"),
        ("AAs", "'AAs' at column 1 names a pair that is suited or offsuit: write AA"),
        ("A5s-K2s", "'A5s-K2s' at column 1 changes its first rank: write two ends that share it"),
        ("A5s-A2", "'A5s-A2' at column 1 mixes kinds"),
        ("AA-A2", "'AA-A2' at column 1 mixes kinds"),
        ("AK AhAh", "'AhAh' at column 4 is not a holding: Ah appears twice"),
        ("top 0%", "'top 0%' at column 1 is not a share of the starting hands"),
        ("AA, top 101%", "'top 101%' at column 5 is not a share of the starting hands"),
        ("top 20", "'top 20' at column 1 is not a share of the starting hands"),
        ("22+,AKs:x", "'AKs:x' at column 5 has no valid weight: after the colon write a number"),
        ("AKs:", "'AKs:' at column 1 has no valid weight"),
        ("AKs:-0.5", "'AKs:-0.5' at column 1 has no valid weight"),
        ("AKs:nan", "has no valid weight"),
        ("AKs:inf", "has no valid weight"),
        ("22-", "'-' at column 3 does not begin a token"),
        ("QQ :0.5 :0.5", "':' at column 9 does not begin a token"),
    ],
)
def test_what_is_no_range_is_refused_with_its_place(text: str, message: str) -> None:
    with pytest.raises(RangeError) as refusal:
        parse_weights(text)
    assert message in str(refusal.value)
    assert "\n" not in str(refusal.value)


@given(st.text(alphabet="AKQJT92shdco+-:., %topradnm0135", max_size=12))
def test_any_text_is_either_a_range_or_refused_with_one_line(text: str) -> None:
    try:
        weights = parse_weights(text)
    except RangeError as error:
        refusal = str(error)
    else:
        refusal = "none"
        assert weights.shape == (HOLDINGS,)
        assert ((weights >= 0) & np.isfinite(weights)).all()
    assert len(refusal.splitlines()) == 1
