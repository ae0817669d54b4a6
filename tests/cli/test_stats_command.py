"""`railbird import`, `railbird stats` and `railbird store`, and the careers behind them."""

import json
import lzma
import tarfile
from dataclasses import replace
from fractions import Fraction
from itertools import islice
from math import sqrt
from pathlib import Path
from random import Random
from statistics import mean, stdev
from typing import Any

import pytest
import scipy
from hypothesis import given
from hypothesis import strategies as st
from typer.testing import CliRunner, Result

from archives import SAFELY
from hand_records import plain_record, records, unfinished_record
from railbird.arena.results.career import CareerCollector
from railbird.arena.results.rates import rate_of
from railbird.arena.results.statistics import PlayStatistics, Share, StatisticsError
from railbird.arena.results.statistics_collector import StatisticsCollector
from railbird.cards import parse_cards
from railbird.cli import app
from railbird.engine.events import Award, DealHole
from railbird.engine.games import named_game
from railbird.engine.record import Details, HandRecord
from railbird.engine.setup import Setup
from railbird.engine.state import State
from railbird.notation.files import HandFileError, find_hands, hand_files
from railbird.notation.records import format_record
from railbird.store.names import UnknownPlayer
from railbird.store.store import open_store


def run(*arguments: str, code: int = 0) -> Result:
    result = CliRunner().invoke(app, list(arguments), catch_exceptions=False)
    assert result.exit_code == code, result.output
    return result


def write(path: Path, hands: list[HandRecord]) -> str:
    path.write_text("".join(map(format_record, hands)), encoding="utf-8")
    return str(path)


def evening(count: int = 60, first: int = 0) -> list[HandRecord]:
    return [plain_record(seed) for seed in range(first, first + count)]


def careers(hands: list[HandRecord], player: str | None = None) -> Any:
    collector = CareerCollector(player)
    for hand in hands:
        collector.add(hand)
    return collector.careers()


# Careers


def test_at_one_stake_a_career_has_the_rate_of_a_match() -> None:
    hands = evening(300)
    (rate,) = careers(hands)["Alice"].rates
    expected = rate_of(hands[0].rules, [hand.payoffs[0] for hand in hands])
    assert (rate.unit, rate.hands) == (expected.unit, expected.hands)
    assert (rate.mean, rate.low, rate.high) == pytest.approx((expected.mean, expected.low, expected.high))


def test_every_hand_counts_in_the_unit_of_its_own_stake() -> None:
    """Blinds of 50/100 and 1/2 in one session, against plain formulas and SciPy's t."""
    games = [named_game("nolimit-2p"), named_game("nolimit-2p:blinds=1/2,stack=400")]
    random = Random(8)
    hands = []
    for number in range(120):
        rules = games[number % 2]
        state = State.deal(Setup.of(rules), _stream(number))
        state.raise_to(random.choice([2, 3, 4]) * rules.big_blind)
        (state.fold if random.random() < 0.6 else state.call)()
        while not state.is_over:
            state.call()
        hands.append(HandRecord.of(state, ("a", "b"), str(number)))
    won = [float(Fraction(hand.payoffs[1]) / hand.rules.big_blind) for hand in hands]
    (rate,) = careers(hands)["b"].rates
    half = float(scipy.stats.t.ppf(0.975, len(won) - 1)) * stdev(won) / sqrt(len(won))
    assert rate.unit == "bb/h"
    assert (rate.mean, rate.low, rate.high) == pytest.approx((mean(won), mean(won) - half, mean(won) + half))


def _stream(number: int) -> Any:
    from railbird.rng import Stream

    return Stream.from_seed(number)


def test_limit_and_no_limit_are_not_added_up() -> None:
    hands = [*evening(5), *(plain_record(seed, "nolimit-2p") for seed in range(7))]
    assert [(rate.unit, rate.hands) for rate in careers(hands)["Bob"].rates] == [("sb/h", 5), ("bb/h", 7)]


def test_one_hand_has_a_mean_and_no_interval() -> None:
    (rate,) = careers(evening(1))["Alice"].rates
    assert (rate.low, rate.high) == (-float("inf"), float("inf"))


def test_winnings_are_added_up_by_currency_and_by_stake_at_what_a_chip_is_worth() -> None:
    cents, euros, tenths = (
        Details(currency="USD", chip=Fraction(1, 100)),
        Details(currency="EUR"),
        Details(chip=Fraction(1, 10)),
    )
    hands = evening(30)
    paid = [replace(hand, details=[cents, euros, tenths][number % 3]) for number, hand in enumerate(hands)]
    won = [hand.payoffs[0] for hand in hands]
    career = careers([*paid, *evening(5, first=90)])["Alice"]
    chips = sum(hand.payoffs[0] for hand in evening(5, first=90))
    expected = {
        "": chips + Fraction(sum(won[2::3]), 10),
        "EUR": sum(won[1::3]),
        "USD": Fraction(sum(won[::3]), 100),
    }
    assert career.net == expected
    assert [(stake.currency, stake.size, stake.rate.hands) for stake in career.stakes] == [
        ("", 1, 10),
        ("", 10, 5),
        ("EUR", 10, 10),
        ("USD", Fraction(1, 10), 10),
    ]
    assert sum(stake.net for stake in career.stakes) == sum(expected.values())
    by_type: dict[str, Fraction] = {}
    for part in career.flop_types:
        for currency, amount in part.net.items():
            by_type[currency] = by_type.get(currency, Fraction(0)) + amount
    seen = [hand for hand in paid if careers([hand])["Alice"].statistics.flops_seen.count]
    assert by_type["USD"] == sum(
        hand.payoffs[0] * hand.details.chip for hand in seen if hand.details == cents
    )


def test_sums_are_told_by_currency(tmp_path: Path) -> None:
    hands = [replace(hand, details=Details(currency="USD", chip=Fraction(1, 100))) for hand in evening(4)]
    tenths = [replace(hand, details=Details(chip=Fraction(1, 10))) for hand in evening(4, first=4)]
    file = write(tmp_path / "mixed.jsonl", [*hands, *tenths, *evening(4, first=8)])
    text = run("stats", file, "--player", "Bob").output
    career = careers([*hands, *tenths, *evening(4, first=8)])["Bob"]
    assert career.net == {"": -84, "USD": Fraction(-1, 5)}
    assert "net −84 chips\nnet −0.20 USD\n" in text
    assert [line[:23].strip() for line in text.splitlines() if line.startswith("small bet")] == [
        "small bet 1 chips",
        "small bet 10 chips",
        "small bet 0.10 USD",
    ]


def test_one_players_career_is_told_by_position() -> None:
    hands = [plain_record(seed) for seed in range(40)]
    turned = [replace(hand, players=hand.players[::-1]) for hand in hands[:15]]
    seats = careers([*turned, *hands[15:]], hands[0].players[0])[hands[0].players[0]].positions
    expected = {
        "BB": rate_of(hands[0].rules, [hand.payoffs[0] for hand in hands[15:]]),
        "BTN/SB": rate_of(hands[0].rules, [hand.payoffs[1] for hand in hands[:15]]),
    }
    assert list(seats) == list(expected)
    for name, (rate,) in seats.items():
        assert (rate.hands, rate.mean, rate.low) == pytest.approx(
            (expected[name].hands, expected[name].mean, expected[name].low)
        )
    assert careers(hands)["Alice"].positions == {}


@given(st.lists(records, max_size=8))
def test_a_career_counts_what_the_arena_counts(hands: list[HandRecord]) -> None:
    collector = StatisticsCollector()
    for hand in hands:
        collector.add(hand)
    expected = collector.statistics()
    counted = careers(hands)
    assert set(counted) == set(expected)
    for label, statistics in expected.items():
        career = counted[label]
        assert career.statistics.to_json() == PlayStatistics.to_json(statistics)
        assert [part.hands for part in career.flop_types] == [part.hands for part in statistics.flop_types]
        assert sum(career.net.values()) == sum(
            payoff * hand.details.chip
            for hand in hands
            for player, payoff in zip(hand.players, hand.payoffs, strict=True)
            if player == label
        )
        (one,) = careers(hands, label).values()
        assert replace(one, positions={}) == counted[label]
        assert sum(rate.hands for rates in one.positions.values() for rate in rates) == one.hands


def test_hidden_cards_make_only_the_samples_that_need_them_smaller() -> None:
    """What was bet, who won and how much does not depend on whose cards the source shows."""
    hands = [plain_record(seed, "limit-6max") for seed in range(300)]
    hidden = [
        replace(
            hand,
            events=tuple(
                DealHole(event.seat, None) if isinstance(event, DealHole) else event for event in hand.events
            ),
        )
        for hand in hands
    ]
    for label, career in careers(hands).items():
        seen = careers(hidden)[label]
        assert replace(seen, flop_types=career.flop_types) == career
        assert not any(part.hands for part in seen.flop_types)
        assert career.statistics.flops_seen.count == sum(part.hands for part in career.flop_types)


def test_rake_is_taken_from_what_was_won() -> None:
    state = State(Setup.of(named_game("limit-2p")), parse_cards("AsAh KsKh 2c7d9hJsQd"))
    while not state.is_over:
        state.call()
    record = HandRecord.of(state, ("ann", "bob"), "1")
    raked = replace(
        record,
        events=tuple(
            replace(event, amount=event.amount - 1) if isinstance(event, Award) else event
            for event in record.events
        ),
    )
    ann, bob = careers([raked])["ann"], careers([raked])["bob"]
    assert (ann.net, bob.net) == ({"": 9}, {"": -10})
    assert ann.rates[0].mean == 0.9
    assert (ann.statistics.won, ann.statistics.showdowns_won) == (Share(1, 1), Share(1, 1))


def test_a_hand_that_is_not_over_is_refused_and_counts_nowhere() -> None:
    collector = CareerCollector()
    with pytest.raises(StatisticsError, match="is not over"):
        collector.add(_unfinished())
    assert collector.careers() == {}


def _unfinished() -> HandRecord:
    state = State.deal(Setup.of(named_game("limit-2p")), _stream(1))
    state.call()
    return HandRecord.of(state, ("Alice", "Zoe"), "half")


# import


def test_hands_go_into_the_store_once(tmp_path: Path, address: str) -> None:
    file = write(tmp_path / "evening.jsonl", evening())
    assert run("import", file, "--store", address).output.startswith("60 hands added to ")
    assert "0 hands added" in run("import", file, "--store", address).output
    longer = write(tmp_path / "longer.jsonl", evening(80))
    assert "20 hands added" in (said := run("import", longer, "--store", address).output)
    assert "60 already present" in said
    with open_store(address) as store:
        assert list(store.hands()) == evening(80)


def test_a_folder_is_imported_file_by_file_and_bad_hands_are_told(tmp_path: Path) -> None:
    folder = tmp_path / "hands"
    folder.mkdir()
    write(folder / "a.jsonl", evening(3))
    write(folder / "b.jsonl", evening(5))
    with (folder / "b.jsonl").open("a") as file:
        file.write('{"schema": 7}\n')
    (folder / "c.txt").write_text("Dear diary,\n")
    address, kept = str(tmp_path / "store.db"), tmp_path / "store.db.bad"
    result = run("import", str(folder), "--store", address, code=1)
    assert "5 hands added" in result.stdout
    assert result.stderr.splitlines()[:3] == [
        f"railbird: 1 hand could not be imported (kept in {kept}):",
        f"  1 × schema of the hand is a whole number, but text is expected; first: {folder / 'b.jsonl'}, line 6",
        "railbird: 1 file skipped:",
    ]
    assert f"{folder / 'c.txt'}: the first lines do not identify the format" in result.stderr
    assert json.loads(kept.read_text())["text"] == '{"schema": 7}'
    with open_store(address) as store:
        assert [(Path(source.name).name, source.hands) for source in store.sources()] == [
            ("a.jsonl", 3),
            ("b.jsonl", 5),
        ]
    files = [str(folder / name) for name in ("a.jsonl", "b.jsonl")]
    assert run("import", *files, "--store", address).output.splitlines() == [
        f"0 hands added to {address}, 8 already present",
        "2 unchanged files skipped",
    ]
    assert "1 hand could not" in run("import", *files, "--store", address, "--again", code=1).stderr


def test_what_cannot_be_imported_is_refused_before_a_store_is_made(tmp_path: Path) -> None:
    for file, reason in (("nowhere.log", "no such file"), ("-", "standard input cannot be imported")):
        with pytest.raises(HandFileError, match=reason):
            run("import", file, "--store", str(tmp_path / "store.db"))
    assert list(tmp_path.iterdir()) == []


# stats


def test_statistics_are_the_same_from_a_file_and_from_a_store(tmp_path: Path, address: str) -> None:
    hands = [*evening(), *(plain_record(seed, "nolimit-6max") for seed in range(40))]
    file = write(tmp_path / "evening.jsonl", hands)
    run("import", file, "--store", address)
    for more in ((), ("--player", "Carol"), ("--player", "Alice")):
        from_file = json.loads(run("stats", file, "--json", "-", *more).output)
        from_store = json.loads(run("stats", address, "--json", "-", *more).output)
        assert from_file["players"] == from_store["players"]
        assert from_file["hands"] == from_store["hands"] == (40 if "Carol" in more else 100)
    expected = careers(hands, "Alice")["Alice"].to_json()
    assert from_file["players"] == [{"label": "Alice", **expected}]
    only = json.loads(run("stats", address, "--json", "-", "--game", "limit-2p").output)
    assert (only["hands"], [player["label"] for player in only["players"]]) == (60, ["Alice", "Bob"])


def test_passwords_are_not_printed(new_postgresql_database: Any, tmp_path: Path) -> None:
    address = new_postgresql_database()
    run("import", write(tmp_path / "evening.jsonl", evening(3)), "--store", address)
    password = address.split(":")[2].split("@")[0]
    for arguments in (("stats", address), ("stats", address, "--json", "-"), ("store", address)):
        said = run(*arguments).output
        assert password not in said
        assert "railbird:***@" in said


def test_a_players_page_names_every_sample_size(tmp_path: Path) -> None:
    hands = evening(200)
    text = run("stats", write(tmp_path / "evening.jsonl", hands), "--player", "Bob").output
    career = careers(hands)["Bob"]
    assert f"Bob in 200 hands of {tmp_path / 'evening.jsonl'}" in text
    assert f"won {career.rates[0]}" in text
    for line, share in (("VPIP", career.statistics.vpip), ("W$SD", career.statistics.wsd)):
        (found,) = [each for each in text.splitlines() if each.startswith(line)]
        assert found.split()[-2:] == ["of", str(share.of)]
        assert f"{100 * share.count / share.of:.1f} %" in found
    (river,) = [each.split() for each in text.splitlines() if each.startswith("river")]
    assert river[-2] == str(career.statistics.rounds[3].decisions)


def test_without_a_name_there_is_a_table_of_those_with_the_most_hands(tmp_path: Path) -> None:
    hands = [*evening(30), *(plain_record(seed, "nolimit-6max") for seed in range(10))]
    text = run("stats", write(tmp_path / "evening.jsonl", hands), "--top", "3").output
    assert [line.split()[:2] for line in text.splitlines()[1:] if line.startswith(tuple("ABCDEF"))] == [
        ["Alice", "40"],
        ["Bob", "40"],
        ["Carol", "10"],
    ]
    assert "6 players in 40 hands of" in text
    assert "3 shown (--top 6 shows all)" in text


def test_a_name_that_nobody_has_is_answered_with_the_nearest(tmp_path: Path, address: str) -> None:
    file = write(tmp_path / "evening.jsonl", evening(4))
    run("import", file, "--store", address)
    for place in (file, address):
        with pytest.raises(UnknownPlayer, match="no player is called 'alise'; the nearest names are Alice"):
            run("stats", place, "--player", "alise")


def test_hands_that_are_not_over_are_told_and_do_not_count(tmp_path: Path) -> None:
    file = write(tmp_path / "evening.jsonl", [*evening(4), _unfinished()])
    result = run("stats", file)
    assert "2 players in 4 hands" in result.stdout
    assert result.stderr == (
        "railbird: 1 hand left out: the hand is not over, and only finished hands count\n"
    )
    with pytest.raises(StatisticsError, match="no hand of Zoe was played to its end with a known winner"):
        run("stats", file, "--player", "Zoe")
    with pytest.raises(StatisticsError, match="there are no hands to count"):
        run("stats", write(tmp_path / "none.jsonl", [unfinished_record(Random(1))]))


# store


def test_a_store_tells_what_is_in_it_and_forgets_a_source(tmp_path: Path, address: str) -> None:
    file = write(tmp_path / "evening.jsonl", evening(4))
    other = write(tmp_path / "morning.jsonl", evening(6, first=2))
    run("import", file, other, "--store", address)
    text = run("store", address).output
    assert "8 hands, 2 players" in text
    assert [line.split()[:2] for line in text.splitlines() if ".jsonl" in line] == [[file, "4"], [other, "6"]]
    assert run("store", address, "--remove", file).output == f"2 hands removed with {file}\n"
    assert "6 hands, 2 players" in run("store", address).output


# Hands that others wrote


def deepstack_lines(shared_data: Path, count: int) -> list[str]:
    with lzma.open(shared_data / "deepstack_vs_pros_hunl.30000.log.xz", "rt") as file:
        return list(islice(file, count))


@pytest.mark.parametrize("count", [500, pytest.param(30_000, marks=pytest.mark.soak)])
def test_a_log_made_by_others_is_stored_and_counted(shared_data: Path, tmp_path: Path, count: int) -> None:
    """What was won is the sum of the payoffs that the log itself prints."""
    lines = deepstack_lines(shared_data, count)
    printed = []
    for line in lines:
        _, _, _, _, payoffs, names = line.split(" #")[0].strip().split(":")
        printed.append(float(dict(zip(names.split("|"), payoffs.split("|"), strict=True))["DeepStack"]))
    log, address = tmp_path / "hands.log", str(tmp_path / "store.db")
    log.write_text("".join(lines))
    assert (
        f"{count:,} hands added" in run("import", str(log), "--game", "nolimit-2p", "--store", address).output
    )
    found = json.loads(run("stats", address, "--player", "DeepStack", "--json", "-").output)
    (player,) = found["players"]
    assert (found["hands"], player["net"]) == (count, {"chips": sum(printed)})
    half = float(scipy.stats.t.ppf(0.975, count - 1)) * stdev(printed) / sqrt(count)
    rate = player["rates"][0]
    assert (100 * rate["mean"], 100 * rate["low"]) == pytest.approx((mean(printed), mean(printed) - half))


@pytest.mark.parametrize("files", [1, pytest.param(None, marks=pytest.mark.soak)])
def test_hands_of_card_rooms_with_hidden_cards_are_stored_exactly_and_counted(
    shared_data: Path, tmp_path: Path, files: int | None
) -> None:
    """Cash games of several stakes: cards are known only where they were shown, and so are hand types."""
    with tarfile.open(shared_data / "handhq_sample_phhs.tar.xz") as archive:
        members = sorted((each for each in archive if each.isfile()), key=lambda each: each.name)
        for member in members[:files]:
            archive.extract(member, tmp_path / "rooms", **SAFELY)
    address = str(tmp_path / "store.db")
    read = [found.reading for file in hand_files(tmp_path / "rooms") for found in find_hands(file)]
    hands = [reading for reading in read if isinstance(reading, HandRecord)]
    refused = len(read) - len(hands)
    said = run("import", str(tmp_path / "rooms"), "--store", address, code=1 if refused else 0)
    assert len(hands) > 100
    assert not refused or f"{refused} hands could not be imported" in said.output
    assert f"{len(hands):,} hands added" in said.output
    with open_store(address) as store:
        assert list(store.hands()) == hands
        assert len(store.players()) > 10
    exact = [hand for hand in hands if hand.has_certain_winner]
    label = next(iter(careers(exact)))
    career = careers(exact, label)[label]
    shown = json.loads(run("stats", address, "--player", label, "--json", "-").stdout)
    assert shown["players"] == [{"label": label, **career.to_json()}]
    everyone = json.loads(run("stats", address, "--json", "-").stdout)
    assert everyone["players"] == [
        {"label": each, **other.to_json()} for each, other in careers(exact).items()
    ]
    assert (everyone["hands"], everyone["left_out"]) == (len(exact), {"uncertain": len(hands) - len(exact)})
    known = sum(part.hands for part in career.flop_types)
    assert known < career.statistics.flops_seen.count
