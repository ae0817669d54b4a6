"""Positions and playing styles (baycarp-2011 §5.3.2): the thesis's states, the arena's counts, strangers."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from railbird.agent import HandResult
from railbird.arena.results.statistics_collector import StatisticsCollector
from railbird.engine.actions import CALL, FOLD, raise_to
from railbird.engine.games import named_game
from railbird.engine.record import HandRecord
from railbird.engine.setup import Setup
from railbird.engine.state import State
from railbird.features import positions as positions_module
from railbird.features.intervals import Intervals
from railbird.features.playing_style import (
    AGGRESSION,
    AVERAGE_PLAYER,
    PFR,
    VPIP,
    PlayingStyle,
    StyleBook,
    StyleCounts,
)
from railbird.features.positions import Position, position, positions
from strategies import finished_hands

LABELS = tuple("abcdefghij")


def hand(letters: str, game: str = "limit-4max") -> HandRecord:
    """A finished hand from its actions, f, c and r (by the least)."""
    setup = Setup.of(named_game(game))
    state = State(setup, tuple(range(setup.cards_dealt)))
    for letter in letters.replace("/", ""):
        state.act({"f": FOLD, "c": CALL, "r": raise_to(state.legal_actions.raise_minimum)}[letter])
    assert state.is_over
    return HandRecord.of(state, LABELS[: setup.rules.players])


# Positions


def seats_of_docstring() -> dict[str, dict[int, int]]:
    """The table of the module: how many seats of each position there are at a table of so many players."""
    lines = [
        line.split() for line in (positions_module.__doc__ or "").splitlines() if line.startswith("    ")
    ]
    rows = {name: [0 if cell == "–" else int(cell) for cell in cells] for name, *cells in lines}
    players = rows.pop("players")
    return {name: dict(zip(players, cells, strict=True)) for name, cells in rows.items()}


@pytest.mark.parametrize("players", range(2, 11))
def test_positions_are_those_of_the_table(players: int) -> None:
    names = {2: "limit-2p", 3: "limit-3p"}
    setup = Setup.of(named_game(names.get(players, f"limit-{players}max")))
    found = [position(setup, seat) for seat in range(players)]
    assert found == sorted(found), "blinds, then early, middle and late"
    table = seats_of_docstring()
    assert list(table) == [each.label for each in Position] == ["Blinds", "Early", "Middle", "Late"]
    for each in Position:
        assert found.count(each) == table[each.label][players]


def test_the_button_is_late_at_every_table_and_the_big_blind_is_a_blind() -> None:
    for players in range(3, 11):
        found = positions(players, 2)
        assert len(found) == players
        assert found[-1] is Position.LATE
        assert found[:2] == (Position.BLINDS, Position.BLINDS)
    assert positions(2, 1) == (Position.BLINDS, Position.LATE), "heads-up the button posts the small blind"


@given(st.integers(2, 10), st.data())
def test_blinds_are_who_acts_after_the_button(players: int, data: st.DataObject) -> None:
    first = data.draw(st.integers(0, players - 1))
    found = positions(players, first)
    assert len(found) == players
    assert [seat for seat, each in enumerate(found) if each is Position.BLINDS] == list(range(first))
    assert found[-1] is Position.LATE


# Intervals


def test_the_printed_states_are_there() -> None:
    """Figure 6.1, §5.3.2 and §6.3."""
    assert {"a10_20", "a20_30", "a30_40", "a50_60"} <= set(VPIP.states)
    assert {"a0_5", "a5_10", "a10_15"} <= set(PFR.states)
    assert (len(VPIP.states), len(PFR.states), len(AGGRESSION.states)) == (8, 8, 4)


@given(st.sampled_from([VPIP, PFR, AGGRESSION]), st.integers(0, 1000), st.integers(1, 1000))
def test_a_share_lies_in_its_interval(intervals: Intervals, count: int, of: int) -> None:
    count = min(count, of)
    state = intervals.states[intervals.code(100 * count / of)]
    low, high = map(int, state[1:].split("_"))
    assert low * of <= 100 * count
    assert 100 * count < high * of or count == of


@pytest.mark.parametrize("edges", [(), (0,), (0, 50), (10, 100), (0, 50, 50, 100), (0, 60, 40, 100)])
def test_edges_rise_from_0_to_100(edges: tuple[int, ...]) -> None:
    with pytest.raises(ValueError, match="the edges of intervals must rise from 0 to 100"):
        Intervals(edges)


# Styles


def test_a_stranger_is_an_average_player_like_jake() -> None:
    """§6.3: Jake, a Pokibot, is in the categories 20_30 % and 5_10 %."""
    assert StyleBook().style("Jake") == PlayingStyle.named("a20_30", "a5_10", ("a25_50",) * 3)
    assert PlayingStyle.of(AVERAGE_PLAYER).codes.tolist() == [2, 1, 1, 1, 1]


def test_what_is_counted_in_a_hand() -> None:
    """Seats a and b post; c raises, d three-bets, c calls; on the flop c bets, is raised and calls; then they check."""
    book = StyleBook()
    book.observe(hand("rrffc/rrc/cc/cc"))
    assert book.counts("a") == book.counts("b") == StyleCounts(decided=1)
    assert book.counts("c") == StyleCounts(1, 1, 1, (1, 0, 0), (1, 0, 0))
    assert book.counts("d") == StyleCounts(1, 1, 1, (1, 0, 0), (0, 0, 0))
    book.observe(hand("fff"))
    assert book.counts("b").decided == 1, "a walk leaves no decision"
    assert book.counts("a").decided == 2
    assert book.counts("nobody") == StyleCounts()


def test_a_blind_that_checks_has_not_paid() -> None:
    book = StyleBook()
    book.observe(hand("cffc/crf"))
    assert book.counts("b") == StyleCounts(decided=1)
    assert book.counts("c") == StyleCounts(1, 1, 0, (1, 0, 0), (0, 0, 0))


def test_styles_move_from_the_average_to_what_is_seen() -> None:
    """Twenty hands of an average player weigh 5 paid and 1.5 raised; somebody who always raises adds one to each."""
    book = StyleBook()
    seen = []
    for _ in range(200):
        seen.append(book.style("d"))
        book.observe(hand("frff"))
    expected = [
        (VPIP.code(100 * (5 + hands) / (20 + hands)), PFR.code(100 * (1.5 + hands) / (20 + hands)))
        for hands in range(200)
    ]
    assert [(style.vpip, style.pfr) for style in seen] == expected
    assert book.style("d") == PlayingStyle.named("a80_100", "a60_100")
    assert book.style("c") == PlayingStyle.named("a0_10", "a0_5")


def test_at_the_start_of_a_match_everybody_is_a_stranger_again() -> None:
    book = StyleBook()
    for _ in range(50):
        book.observe(hand("frff"))
    assert book.style("d") != StyleBook().style("d")
    book.reset()
    assert book.style("d") == StyleBook().style("d")
    assert book.counts("d") == StyleCounts()


def test_another_average_player_may_be_assumed() -> None:
    loose = StyleCounts(decided=10, paid=9, raised=7, aggressive=(8, 1, 5), calls=(2, 9, 5))
    assert StyleBook(loose).style("x") == PlayingStyle.named(
        "a80_100", "a60_100", ("a75_100", "a0_25", "a50_75")
    )


@given(st.lists(finished_hands(), max_size=5))
def test_vpip_and_pfr_are_those_of_the_arena(states: list[State]) -> None:
    book, collector = StyleBook(), StatisticsCollector(hand_types=False)
    for state in states:
        record = HandRecord.of(state, LABELS[: state.rules.players])
        book.observe(record)
        collector.add(record)
    for label, statistics in collector.statistics().items():
        counts = book.counts(label)
        assert (counts.paid, counts.decided) == (statistics.vpip.count, statistics.vpip.of)
        assert (counts.raised, counts.decided) == (statistics.pfr.count, statistics.pfr.of)
        later = statistics.rounds[1:]
        assert counts.aggressive == tuple(actions.bet + actions.raise_ for actions in later)
        assert counts.calls == tuple(actions.call for actions in later)


def test_an_agent_counts_what_a_watcher_counts() -> None:
    record = hand("rrffc/rrc/cc/cc")
    watcher, agent = StyleBook(), StyleBook()
    watcher.observe(record)
    agent.observe(HandResult(2, record.players, record.events, record.payoffs))
    assert [watcher.counts(label) for label in LABELS] == [agent.counts(label) for label in LABELS]


@pytest.mark.parametrize(
    ("counts", "sentence"),
    [
        ({"decided": 1, "paid": 2}, "raised may not exceed paid, nor paid exceed decided"),
        ({"decided": 2, "paid": 1, "raised": 2}, "raised may not exceed paid"),
        ({"calls": (1, -1, 1)}, "raised may not exceed paid"),
        ({"calls": (1, 1)}, "for each of flop, turn and river"),
    ],
)
def test_counts_that_cannot_be_are_refused(counts: dict[str, float], sentence: str) -> None:
    with pytest.raises(ValueError, match=sentence):
        StyleCounts(**counts)  # type: ignore[arg-type]


def test_an_average_of_nothing_is_refused() -> None:
    with pytest.raises(
        ValueError,
        match="the average player must have decisions before the flop and actions in every later round",
    ):
        StyleBook(StyleCounts(decided=5, paid=1))
