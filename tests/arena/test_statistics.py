"""A player's statistics: each definition on hands written out, all of them against their plain twin, and as sums."""

import json
from dataclasses import replace
from fractions import Fraction
from functools import reduce
from itertools import pairwise
from random import Random

import pytest
from hypothesis import given
from hypothesis import strategies as st

from railbird.arena.results.statistics import (
    ActionCounts,
    PlayerStatistics,
    Share,
    StatisticsError,
    Winnings,
    together,
)
from railbird.arena.results.statistics_collector import StatisticsCollector
from railbird.cards import parse_cards
from railbird.engine.actions import CALL, FOLD, raise_to
from railbird.engine.events import DealHole
from railbird.engine.games import named_game
from railbird.engine.record import HandRecord
from railbird.engine.rules import GameRules
from railbird.engine.setup import Setup
from railbird.engine.state import State
from railbird.hands.types import HandType
from reference import player_statistics as reference
from strategies import finished_hands, random_action, random_cards, random_setup, random_style

LABELS = tuple("abcdefghij")
BOARD = "Kd 8h 7c 2s 2d"
HOLES = ("As Ks", "Qh Qd", "9c 3h", "6s 5s")
"""On that board a pair of kings, of queens and so on: the earlier the seat, the better the hand."""


def hand(actions: str, game: str | GameRules = "limit-4max", holes: tuple[str, ...] = HOLES) -> HandRecord:
    """A hand from its actions, f, c and r (by the least), or r with an amount, separated by spaces."""
    rules = named_game(game) if isinstance(game, str) else game
    cards = parse_cards(" ".join([*holes[: rules.players], BOARD]))
    state = State(Setup.of(rules), cards)
    for word in actions.split():
        if word[0] == "r":
            state.act(raise_to(int(word[1:] or state.legal_actions.raise_minimum)))
        else:
            state.act({"f": FOLD, "c": CALL}[word])
    assert state.is_over, f"{actions} leaves seat {state.actor} to act"
    return HandRecord.of(state, LABELS[: rules.players], hand_id=actions)


def collected(*records: HandRecord, hand_types: bool = True) -> dict[str, PlayerStatistics]:
    collector = StatisticsCollector(hand_types=hand_types)
    for record in records:
        collector.add(record)
    return collector.statistics()


def random_record(random: Random) -> HandRecord:
    setup = random_setup(random)
    state = State(setup, random_cards(random, setup.rules))
    style = random_style(random)
    while not state.is_over:
        state.act(random_action(random, state.legal_actions, style))
    labels = random.sample(LABELS, setup.rules.players)
    return HandRecord.of(state, tuple(labels))


# In limit-4max seats a and b post 5 and 10; c acts first, d has the button.

EVERYONE_FOLDS = "f f f"
CHECKED_DOWN = "c c c c  c c c c  c c c c  c c c c"
BET_TAKES_IT = "c f f c  c r f"
"""c limps, b checks its blind; on the flop b checks, c bets, b folds."""
BLUFF_FROM_THE_BLIND = "c f f c  r f"
"""b checks its blind and bets the flop."""


def test_a_walk_is_a_win_without_a_decision() -> None:
    b = collected(hand(EVERYONE_FOLDS))["b"]
    assert (b.hands, b.net) == (1, 5)
    assert b.won == b.uncontested_wins == Share(1, 1)
    assert b.played == Share(0, 1)
    assert b.vpip == b.pfr == Share(0, 0), "there was nothing to choose"
    assert b.flops_seen == Share(0, 1)


def test_a_blind_that_comes_back_uncalled_is_an_uncontested_win_of_nothing() -> None:
    rules = named_game("limit-3p")
    state = State(
        Setup(rules, rules.stacks, (0, 10, 0), rules.antes, first=2), parse_cards(f"2c3c4c5c6c9s{BOARD}")
    )
    state.act(FOLD)
    state.act(FOLD)
    b = collected(HandRecord.of(state, LABELS[:3]))["b"]
    assert (b.net, b.won, b.uncontested_wins) == (0, Share(1, 1), Share(1, 1))


def test_calling_the_small_blind_is_voluntary_and_checking_the_big_blind_is_not() -> None:
    everyone = collected(hand(CHECKED_DOWN))
    assert [everyone[label].vpip for label in "abcd"] == [Share(1, 1), Share(0, 1), Share(1, 1), Share(1, 1)]
    assert [everyone[label].played for label in "abcd"] == [
        Share(1, 1),
        Share(0, 1),
        Share(1, 1),
        Share(1, 1),
    ]


def test_a_hand_is_played_also_when_the_first_chips_are_paid_after_a_free_flop() -> None:
    b = collected(hand(BLUFF_FROM_THE_BLIND))["b"]
    assert (b.played, b.vpip) == (Share(1, 1), Share(0, 1))
    assert (b.uncontested_wins, b.showdowns_seen, b.showdowns_won) == (Share(1, 1), Share(0, 1), Share(0, 0))


def test_a_showdown_is_seen_by_all_who_are_left_and_won_by_the_best_hand() -> None:
    everyone = collected(hand(CHECKED_DOWN))
    assert [everyone[label].showdowns_seen for label in "abcd"] == [Share(1, 1)] * 4
    assert [everyone[label].showdowns_won for label in "abcd"] == [Share(1, 1)] + [Share(0, 1)] * 3
    assert [everyone[label].won for label in "abcd"] == [Share(1, 1)] + [Share(0, 1)] * 3
    assert everyone["a"].wsd == everyone["a"].showdowns_won


def test_a_split_pot_is_won_by_everyone_who_takes_a_part() -> None:
    split = hand("c f f c  c c  c c  c c", holes=("2c 3c", "Ah Qc", "Ad Qs", "5c 6c"))
    everyone = collected(split)
    assert [everyone[label].won for label in "abcd"] == [Share(0, 1), Share(1, 1), Share(1, 1), Share(0, 1)]
    assert [everyone[label].net for label in "abcd"] == [-5, 3, 2, 0], (
        "the odd chip goes to the left of the button"
    )


def test_a_side_pot_alone_is_a_won_showdown() -> None:
    everyone = collected(hand("r1000 c c", "nolimit-3p:stack=400/1000/1000"))
    assert [everyone[label].showdowns_won for label in "abc"] == [Share(1, 1), Share(1, 1), Share(0, 1)]
    assert [everyone[label].net for label in "abc"] == [800, 200, -1000]


def test_only_those_still_in_see_the_flop_and_wtsd_counts_their_showdowns() -> None:
    everyone = collected(hand(BET_TAKES_IT), hand(CHECKED_DOWN), hand(EVERYONE_FOLDS))
    assert [everyone[label].flops_seen for label in "abcd"] == [
        Share(1, 3),
        Share(2, 3),
        Share(2, 3),
        Share(1, 3),
    ]
    assert [everyone[label].wtsd for label in "abcd"] == [Share(1, 1), Share(1, 2), Share(1, 2), Share(1, 1)]


def test_an_all_in_before_the_flop_sees_the_flop_and_the_showdown() -> None:
    everyone = collected(hand("r20000 c", "nolimit-2p"))
    assert everyone["a"].flops_seen == everyone["a"].wtsd == Share(1, 1)


def test_raising_preflop_counts_once_and_out_of_the_hands_with_a_decision() -> None:
    everyone = collected(hand("r r f f r f"), hand(EVERYONE_FOLDS))
    assert [everyone[label].pfr for label in "abcd"] == [Share(0, 2), Share(0, 1), Share(1, 2), Share(1, 2)]
    assert everyone["c"].rounds[0] == ActionCounts(fold=1, raise_=2)


@pytest.mark.parametrize(
    ("actions", "expected"),
    [
        # c raises, d makes it three bets, a and b face three bets; c has no second chance
        ("r r f f f", {"d": Share(1, 1), "c": Share(0, 0), "a": Share(0, 0), "b": Share(0, 0)}),
        # c raises, everyone else could have
        ("r f f f", {"d": Share(0, 1), "a": Share(0, 1), "b": Share(0, 1)}),
        # c limps, d raises, the limper comes back over it
        ("c r f f r f", {"c": Share(1, 1), "a": Share(0, 1), "b": Share(0, 1), "d": Share(0, 0)}),
        # nobody raised: no chance for anyone
        ("f f c c  r f", {"a": Share(0, 0), "b": Share(0, 0)}),
    ],
)
def test_a_three_bet_is_the_raise_of_a_raise(actions: str, expected: dict[str, Share]) -> None:
    everyone = collected(hand(actions))
    assert {label: everyone[label].three_bet for label in expected} == expected


def test_with_antes_only_the_first_bet_is_a_bet_and_its_re_raise_the_three_bet() -> None:
    rules = replace(named_game("limit-3p:ante=2"), blinds=(0, 0, 0), first_seats=(0, 0, 0, 0))
    everyone = collected(hand("r r r f f", rules))
    assert everyone["a"].rounds[0] == ActionCounts(fold=1, bet=1)
    assert everyone["b"].rounds[0] == ActionCounts(fold=1, raise_=1)
    assert everyone["c"].three_bet == Share(1, 1)
    assert (everyone["a"].three_bet, everyone["b"].three_bet) == (Share(0, 0), Share(0, 0))


def test_actions_are_counted_by_round_and_a_bet_is_the_first_raise_after_the_flop() -> None:
    c = collected(hand("r f f c  c r r c  c c  c r c", holes=HOLES))["c"]
    assert c.rounds == (
        ActionCounts(raise_=1),
        ActionCounts(bet=1, call=1),
        ActionCounts(check=1),
        ActionCounts(bet=1),
    )
    b = collected(hand("r f f c  c r r c  c c  c r c", holes=HOLES))["b"]
    assert b.rounds == (
        ActionCounts(call=1),
        ActionCounts(check=1, raise_=1),
        ActionCounts(check=1),
        ActionCounts(check=1, call=1),
    )
    assert b.rounds[1].frequencies == {
        "fold": Share(0, 2),
        "check": Share(1, 2),
        "call": Share(0, 2),
        "bet": Share(0, 2),
        "raise": Share(1, 2),
    }


def test_aggression_weighs_bets_and_raises_against_calls_and_leaves_checks_out() -> None:
    b = collected(hand("r f f c  c r r c  c c  c r c"))["b"]
    assert b.aggression_factor == 1 / 2
    assert b.aggression_frequency == Share(1, 3)
    assert b.rounds[1].aggression_factor is None, "nothing was called on the flop"


def test_winnings_are_sorted_by_the_hand_type_at_the_flop() -> None:
    everyone = collected(hand(CHECKED_DOWN), hand(BET_TAKES_IT))
    assert everyone["a"].flop_types[HandType.KING_PAIR_STRONG] == Winnings(1, 30)
    assert everyone["b"].flop_types[HandType.QUEEN_PAIR] == Winnings(2, -20)
    assert everyone["c"].flop_types[HandType.BUSTED] == Winnings(2, 5)
    assert sum(part.hands for part in everyone["d"].flop_types) == 1, "it folded the second before the flop"


def test_cards_that_are_not_known_have_no_type() -> None:
    record = hand(CHECKED_DOWN)
    hidden = tuple(DealHole(e.seat, None) if isinstance(e, DealHole) and e.seat else e for e in record.events)
    everyone = collected(replace(record, events=hidden))
    assert [sum(part.hands for part in everyone[label].flop_types) for label in "abcd"] == [1, 0, 0, 0]
    assert everyone["b"] == replace(collected(record)["b"], flop_types=PlayerStatistics().flop_types)


def test_hand_types_are_left_out_when_nobody_asks() -> None:
    records = [hand(CHECKED_DOWN), hand(BET_TAKES_IT)]
    without = collected(*records, hand_types=False)
    nothing = PlayerStatistics().flop_types
    assert without == {k: replace(v, flop_types=nothing) for k, v in collected(*records).items()}


@pytest.mark.parametrize("game", ["kuhn-3p", "leduc-2p"])
def test_small_games_are_counted_too(game: str) -> None:
    random = Random(game)
    setup = Setup.of(named_game(game))
    records = []
    for _ in range(200):
        state = State(setup, random_cards(random, setup.rules))
        while not state.is_over:
            state.act(random_action(random, state.legal_actions))
        records.append(HandRecord.of(state, LABELS[: setup.rules.players]))
    assert collected(*records) == reference.statistics(records)


def test_rounds_without_board_cards_are_told_apart() -> None:
    rules = replace(named_game("limit-2p"), board_cards=(0, 0, 3, 2), name="late flop")
    record = hand("c c  r c  c r c  c c", rules)
    assert collected(record) == reference.statistics([record])
    assert collected(record)["a"].rounds[1] == ActionCounts(bet=1)


def test_a_hand_that_is_not_over_is_refused_and_changes_nothing() -> None:
    state = State(Setup.of(named_game("limit-2p")), parse_cards(f"AsKs QhQd {BOARD}"))
    collector = StatisticsCollector()
    for _ in range(3):
        with pytest.raises(StatisticsError, match="hand 7 is not over"):
            collector.add(HandRecord.of(state, ("a", "b"), hand_id="7"))
        state.call()
    assert collector.statistics() == {}


# All of them at once


@pytest.mark.parametrize("seed", range(8))
def test_random_hands_count_as_the_definitions_say(seed: int) -> None:
    random = Random(seed)
    records = [random_record(random) for _ in range(60)]
    assert collected(*records) == reference.statistics(records)


@pytest.mark.soak
def test_many_random_hands_count_as_the_definitions_say() -> None:
    random = Random("soak")
    for _ in range(100):
        records = [random_record(random) for _ in range(200)]
        assert collected(*records) == reference.statistics(records)


@given(finished_hands())
def test_every_hand_counts_as_the_definitions_say(state: State) -> None:
    record = HandRecord.of(state, LABELS[: state.rules.players])
    assert collected(record) == reference.statistics([record])


def test_more_flops_than_are_evaluated_at_once_are_all_counted(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("railbird.features.flop_types._AT_ONCE", 3)
    random = Random(3)
    records = [random_record(random) for _ in range(20)]
    collector = StatisticsCollector()
    for record in records:
        collector.add(record)
        collector.statistics()
    assert collector.statistics() == reference.statistics(records)


# Sums


def test_statistics_add_in_any_order_and_grouping() -> None:
    random = Random(11)
    records = [random_record(random) for _ in range(120)]
    whole = collected(*records)
    cuts = sorted(random.sample(range(1, 120), 6))
    parts = [collected(*records[a:b]) for a, b in pairwise([0, *cuts, 120])]
    assert together(parts) == together(reversed(parts)) == whole
    halves = [together(parts[:3]), together(parts[3:])]
    assert together(halves) == whole
    assert list(whole) == sorted(whole)


def test_nothing_is_the_neutral_element() -> None:
    a = collected(hand(CHECKED_DOWN))["a"]
    assert a + PlayerStatistics() == PlayerStatistics() + a == a
    assert together([]) == {}


def test_fractions_of_chips_add_up_to_whole_ones() -> None:
    thirds = [PlayerStatistics(hands=1, net=Fraction(1, 3))] * 3
    total = reduce(PlayerStatistics.__add__, thirds)
    assert (total.net, type(total.net)) == (1, int)


def test_the_winnings_of_a_table_add_up_to_nothing() -> None:
    random = Random(5)
    everyone = collected(*(random_record(random) for _ in range(200)))
    assert sum(statistics.net for statistics in everyone.values()) == 0


@given(st.lists(st.tuples(st.integers(0, 9), st.integers(0, 9))))
def test_shares_add_as_counts(pairs: list[tuple[int, int]]) -> None:
    total = sum((Share(min(pair), max(pair)) for pair in pairs), Share())
    assert total == Share(sum(map(min, pairs)), sum(map(max, pairs)))
    assert total.fraction == (total.count / total.of if total.of else None)


# As a document


def test_statistics_survive_json_exactly() -> None:
    random = Random(2)
    everyone = collected(*(random_record(random) for _ in range(150)))
    assert any(isinstance(statistics.net, Fraction) for statistics in everyone.values()), "worth the test"
    for statistics in everyone.values():
        document = json.loads(json.dumps(statistics.to_json()))
        assert PlayerStatistics.from_json(document) == statistics


def test_the_document_has_stable_keys_and_every_share_its_sample_size() -> None:
    document = collected(hand("r f f c  c r r c  c c  c r c"))["b"].to_json()
    assert list(document) == [
        "hands", "net", "played", "won", "uncontested_wins", "showdowns_seen", "showdowns_won", "flops_seen",
        "vpip", "pfr", "three_bet", "wtsd", "wsd", "aggression_factor", "aggression_frequency", "actions", "flop_types",
    ]  # fmt: skip
    assert document["vpip"] == {"count": 1, "of": 1, "fraction": 1.0}
    assert document["aggression_frequency"] == {"count": 1, "of": 3, "fraction": 1 / 3}
    assert document["actions"]["flop"]["raise"] == {"count": 1, "of": 2, "fraction": 0.5}
    assert list(document["actions"]) == ["preflop", "flop", "turn", "river"]
    assert list(document["flop_types"]) == [kind.label for kind in HandType]
    assert document["flop_types"]["QueenPair"] == {"hands": 1, "net": document["net"]}


def test_a_document_that_lacks_a_field_is_refused_by_its_name() -> None:
    document = PlayerStatistics().to_json()
    del document["vpip"]
    with pytest.raises(StatisticsError, match="the field 'vpip' is missing"):
        PlayerStatistics.from_json(document)
    with pytest.raises(StatisticsError, match="not a valid count or amount of chips"):
        PlayerStatistics.from_json(PlayerStatistics().to_json() | {"net": "much"})
