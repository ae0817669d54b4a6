"""Random play in compiled code is the play of `State`; the numbers behind it are unbiased, named and repeatable."""

from collections import Counter
from collections.abc import Sequence
from fractions import Fraction
from itertools import permutations, product
from random import Random

import numpy as np
import pytest
import scipy

from railbird.cards import format_cards
from railbird.engine import batch
from railbird.engine.batch import RandomPlay, play_random
from railbird.engine.games import named_game
from railbird.engine.setup import Setup
from railbird.engine.state import State
from railbird.kernels.random import below, next_word, shuffle_first, unit_interval
from railbird.rng import Stream
from reference.randomness import Generator
from strategies import random_setup

UNLIKELY = 1e-4
"""Seeds are fixed, so a test of chance passes always or never; a fair one fails for one seed in ten thousand."""


# Batch play


def stepped_play(setup: Setup, hands: int, stream: Stream) -> RandomPlay:
    """The same hands, one action after another, with the twin's random numbers."""
    generator = Generator(stream.words().tolist())
    deck = list(setup.rules.deck)
    winnings = [Fraction(0)] * setup.rules.players
    actions = showdowns = 0
    for _ in range(hands):
        generator.draw_cards(deck, setup.rules.cards_dealt)
        state = State(setup, deck[: setup.rules.cards_dealt])
        while not state.is_over:
            state.act(generator.random_action(state.legal_actions))
            actions += 1
        showdowns += state.is_showdown
        winnings = [total + payoff for total, payoff in zip(winnings, state.payoffs, strict=True)]
    return RandomPlay(hands, actions, showdowns, tuple(winnings))


@pytest.mark.parametrize(
    "game",
    [
        "limit-2p",
        "limit-10max",
        "nolimit-2p",
        "nolimit-9max",
        "potlimit-6max",
        "kuhn-2p",
        "kuhn-3p",
        "leduc-2p",
    ],
)
def test_batch_play_is_stepping_through_the_same_hands(game: str) -> None:
    setup = Setup.of(named_game(game))
    stream = Stream.from_seed(7).child("batch", game)
    assert play_random(setup, 100, stream) == stepped_play(setup, 100, stream)


def test_batch_play_is_stepping_under_every_option() -> None:
    random = Random("batch play")
    for number in range(100):
        setup = random_setup(random)
        stream = Stream.from_seed(7).child("batch", number)
        assert play_random(setup, 10, stream) == stepped_play(setup, 10, stream), setup


@pytest.mark.parametrize("game", ["limit-2p", "limit-3p", "leduc-2p"])
def test_batch_play_is_the_same_when_no_more_situations_can_be_kept(
    game: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    setup, stream = Setup.of(named_game(game)), Stream.from_seed(7).child("room", game)
    known = play_random(setup, 300, stream)
    for room in (1, 2, 40):
        monkeypatch.setattr(batch, "MOST_SITUATIONS", room)
        batch._known.cache_clear()
        assert play_random(setup, 300, stream) == known
        assert batch._known(setup).filled[0] == room
    batch._known.cache_clear()


def test_batch_play_has_no_end_before_its_hands_and_no_winner_in_sum() -> None:
    result = play_random(Setup.of(named_game("nolimit-9max:odd=fractional")), 3000, Stream.from_seed(1))
    assert result.hands == 3000
    assert 0 < result.showdowns < 3000
    assert sum(result.winnings) == 0


def test_no_hands_come_to_nothing_and_fewer_are_refused() -> None:
    setup = Setup.of(named_game("limit-2p"))
    assert play_random(setup, 0, Stream.from_seed(1)) == RandomPlay(0, 0, 0, (Fraction(0), Fraction(0)))
    with pytest.raises(ValueError, match=r"^the number of hands must be at least one, not -1$"):
        play_random(setup, -1, Stream.from_seed(1))


def test_streams_are_not_used_up_by_play() -> None:
    setup = Setup.of(named_game("limit-3p"))
    stream = Stream.from_seed(3)
    assert play_random(setup, 50, stream) == play_random(setup, 50, stream)


# Random numbers


def test_the_generator_gives_the_published_numbers() -> None:
    # The first ten outputs from the state 1, 2, 3, 4, as the tests of the rand_xoshiro crate list them.
    published = [
        11520,
        0,
        1509978240,
        1215971899390074240,
        1216172134540287360,
        607988272756665600,
        16172922978634559625,
        8476171486693032832,
        10595114339597558777,
        2904607092377533576,
    ]
    words = np.array([1, 2, 3, 4], dtype=np.uint64)
    generator = Generator([1, 2, 3, 4])
    assert [int(next_word(words)) for _ in published] == published
    assert [generator.next_word() for _ in published] == published


@pytest.mark.parametrize("bound", [1, 2, 3, 10, 52, 1000, 2**31 - 1, 3 << 30, 2**32 - 1, 2**32])
def test_ranges_are_those_of_the_twin(bound: int) -> None:
    stream = Stream.from_seed(5).child("below", bound)
    words, generator = stream.words(), Generator(stream.words().tolist())
    drawn = [int(below(words, bound)) for _ in range(200)]
    assert drawn == [generator.below(bound) for _ in range(200)]
    assert 0 <= min(drawn) <= max(drawn) < bound


def test_a_range_that_does_not_divide_the_words_is_unbiased() -> None:
    # Without drawing again, numbers divisible by three would come up twice as often as the others.
    words = Stream.from_seed(5).child("bias").words()
    drawn = Counter(int(below(words, 3 << 30)) % 3 for _ in range(30_000))
    assert chance(list(drawn.values()), cells=3) > UNLIKELY


def test_the_unit_interval_is_even() -> None:
    words = Stream.from_seed(5).child("interval").words()
    drawn = [float(unit_interval(words)) for _ in range(20_000)]
    assert 0 <= min(drawn) < max(drawn) < 1
    assert chance(list(Counter(int(20 * number) for number in drawn).values()), cells=20) > UNLIKELY


def test_every_order_of_a_small_deck_is_as_likely() -> None:
    words = Stream.from_seed(5).child("orders").words()
    orders: Counter[tuple[int, ...]] = Counter()
    for _ in range(24_000):
        deck = np.arange(4)
        shuffle_first(words, deck, 4)
        orders[tuple(deck.tolist())] += 1
    assert set(orders) == set(permutations(range(4)))
    assert chance(list(orders.values()), cells=24) > UNLIKELY


def test_every_card_is_as_likely_in_every_place_that_is_dealt() -> None:
    words = Stream.from_seed(5).child("places").words()
    dealt = 9
    seen = np.zeros((dealt, 52), dtype=np.int64)
    for _ in range(20_000):
        deck = np.arange(52)
        shuffle_first(words, deck, dealt)
        seen[np.arange(dealt), deck[:dealt]] += 1
    for place in range(dealt):
        assert chance(seen[place].tolist(), cells=52) > UNLIKELY


def test_a_shuffle_moves_cards_and_loses_none() -> None:
    words = Stream.from_seed(5).child("whole").words()
    deck = np.arange(52)
    shuffle_first(words, deck, 52)
    assert sorted(deck.tolist()) == list(range(52))


def chance(counts: Sequence[int], cells: int) -> float:
    """How often chance alone would be at least as uneven."""
    assert len(counts) == cells
    return float(scipy.stats.chisquare(counts).pvalue)


# Named streams


def test_a_name_leads_to_its_own_stream() -> None:
    root = Stream.from_seed(7)
    paths: list[tuple[str | int, ...]] = [
        (), ("hand",), ("hand", 1), ("hand", "1"), (1,), ("1",), (1, "hand"), ("hand1",), ("ha", "nd"), (-1,), ("",),
    ]  # fmt: skip
    assert len({root.child(*path) for path in paths}) == len(paths)
    assert len({Stream.from_seed(seed) for seed in range(100)}) == 100


def test_descending_by_steps_or_at_once_is_the_same() -> None:
    root = Stream.from_seed(7)
    assert root.child("match", 3, "hand", 17) == root.child("match", 3).child("hand").child(17)


def test_a_stream_does_not_depend_on_what_was_drawn_elsewhere() -> None:
    root = Stream.from_seed(7)
    words = root.words()
    below(words, 10)
    assert root.words().tolist() != words.tolist()
    assert root.child("hand", 2) == Stream.from_seed(7).child("hand", 2)


def test_neighbouring_streams_have_nothing_in_common() -> None:
    root = Stream.from_seed(7)
    deal: Counter[int] = Counter()
    together: Counter[tuple[int, int]] = Counter()
    previous = 0
    for hand in range(10_000):
        words = root.child("hand", hand).words()
        deal[int(below(words, 52))] += 1
        bit = int(next_word(words)) >> 63
        together[previous, bit] += 1
        previous = bit
    assert chance(list(deal.values()), cells=52) > UNLIKELY
    assert set(together) == set(product((0, 1), repeat=2))
    assert chance(list(together.values()), cells=4) > UNLIKELY


def test_live_streams_never_repeat() -> None:
    assert Stream.live() != Stream.live()


def test_numpy_draws_from_the_same_stream() -> None:
    stream = Stream.from_seed(7).child("agent", 2)
    assert stream.generator().integers(1 << 62) == stream.generator().integers(1 << 62)
    assert stream.generator().integers(1 << 62) != stream.child("x").generator().integers(1 << 62)


KNOWN_STREAMS = """
seed 7: 9e66255053bcd97287f592ee75a31fecfbcefc99e78a2e4dc97326541d04ad21
seed 7, match 3, hand 17, deck: 141940e94cde6ed2bfe91f5b94b4e93ef594ae68e1deb7434bd31159a64c0db4
its words: d26ede4ce9401914 3ee9b4945b1fe9bf 43b7dee168ae94f5 b40d4ca65911d34b
its cards: 9c Qc 3s 4s 9d 5s 7c Js Th 2d 5h 9h Kh 5c Jc 2s Qs
a thousand random hands: 10353 actions, 748 showdowns
their winners: 1519674 1136156 -1213738 -811252 -140951 -489889
numpy: 7294345954248029253
"""


def test_known_answers_never_change() -> None:
    # An experiment names its results by a seed: these may change only with a new version of every recorded result.
    root = Stream.from_seed(7)
    deck = root.child("match", 3, "hand", 17, "deck")
    setup = Setup.of(named_game("nolimit-6max"))
    dealt = State.deal(setup, deck)
    random_play = play_random(setup, 1000, deck)
    found = [
        f"seed 7: {root.key.hex()}",
        f"seed 7, match 3, hand 17, deck: {deck.key.hex()}",
        f"its words: {' '.join(f'{word:016x}' for word in deck.words().tolist())}",
        f"its cards: {format_cards(dealt.cards, ' ')}",
        f"a thousand random hands: {random_play.actions} actions, {random_play.showdowns} showdowns",
        f"their winners: {' '.join(map(str, random_play.winnings))}",
        f"numpy: {root.generator().bit_generator.random_raw()}",
    ]
    assert "\n".join(found) == KNOWN_STREAMS.strip()
