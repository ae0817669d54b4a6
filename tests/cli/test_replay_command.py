"""`railbird replay`: a hand in the terminal, step by step or all at once."""

import io
from collections.abc import Iterable
from dataclasses import replace
from fractions import Fraction
from pathlib import Path

import pytest
from hypothesis import given
from rich.console import Console

from command import railbird
from hand_records import plain_record, records
from railbird.cards import parse_cards
from railbird.engine.events import Award
from railbird.engine.games import named_game
from railbird.engine.record import Details, HandRecord
from railbird.engine.setup import Setup
from railbird.engine.state import State
from railbird.interfaces.replayer import frames_of, show_hand, step_through
from railbird.interfaces.terminal import Left
from railbird.notation.records import format_record

CARDS = "8c7h AsAh KdKc 2h5h9h Tc Jd"


def played(*actions: str, stacks: tuple[int, ...] = (1000, 300, 1000)) -> HandRecord:
    """A hand of three with known cards: c calls, f folds, a number raises to it."""
    state = State(Setup.of(named_game("nolimit-3p"), stacks), parse_cards(CARDS))
    for action in actions:
        match action:
            case "c":
                state.call()
            case "f":
                state.fold()
            case amount:
                state.raise_to(int(amount))
    return HandRecord.of(state, ("Alice", "Bob [tilt]", "Carol"), "7")


ALL_IN = played("1000", "c", "c")


def shown(record: HandRecord, player: str | None = None) -> str:
    screen = io.StringIO()
    show_hand(record, Console(file=screen, width=100), player=player)
    return screen.getvalue()


def stepped(record: HandRecord, keys: Iterable[str], following: Iterable[HandRecord] = ()) -> str:
    screen = io.StringIO()
    answers = iter(keys)

    def ask(prompt: str) -> str:
        screen.write(prompt)
        answer = next(answers, None)
        if answer is None:
            raise Left
        return answer

    step_through(record, iter(following), Console(file=screen, width=100), ask=ask)
    return screen.getvalue()


def test_a_whole_hand_tells_table_actions_pots_cards_and_result() -> None:
    text = shown(ALL_IN)
    for line in (
        "hand id 7, nolimit-3p",
        "  Alice posts small blind 50",
        "  Carol goes all-in for 1,000",
        "  Bob [tilt] calls 200 all-in",
        "flop, pot 2,300 (900 + 1,400)  2h 5h 9h",
        "river, pot 2,300 (900 + 1,400)  2h 5h 9h Tc Jd",
        "  Alice shows 8c 7h (straight, jack high)",
        "  Alice wins 900 from the pot",
        "  Alice wins 1,400 from side pot 1",
    ):
        assert line in text, line
    assert [line.split() for line in text.splitlines()[-3:]] == [
        ["Alice", "+1,300"],
        ["Bob", "[tilt]", "−300"],
        ["Carol", "−1,000"],
    ]


def test_bets_that_nobody_called_and_rake_are_told() -> None:
    text = shown(played("500", "f", "f"))
    assert "Uncalled bet of 400 returned to Carol" in text
    hand = played("c", "c", "c", "100", "f", "f")
    cheap = replace(
        hand,
        events=(*hand.events[:-1], Award(0, 0, 290)),
        details=Details("PokerStars", "Etna", "2009-07-01", "USD", Fraction(1, 100)),
    )
    text = shown(cheap)
    assert "hand id 7, nolimit-3p, PokerStars, table Etna, 2009-07-01, a chip is 1/100 USD" in text
    assert text.splitlines()[-1].split() == ["the", "house", "+10"]


def test_one_players_view_hides_what_the_others_did_not_show() -> None:
    seen = shown(played("c", "c", "c", "100", "f", "f"), player="Alice")
    assert "8c 7h" in seen
    assert "As Ah" not in seen
    frames = frames_of(ALL_IN, "Alice")
    bob = [frame.cards[1] for frame in frames]
    assert bob[0] is None
    assert bob[-1] == parse_cards("AsAh")
    assert next(frame.sentence for frame in frames if frame.cards[1]).startswith("Bob [tilt] shows As Ah")


def test_keys_go_on_back_and_to_a_step() -> None:
    text = stepped(ALL_IN, ["", "n", "b", "5", "x", "999", "q"])
    last = len(frames_of(ALL_IN)) - 1
    steps = [line.split()[0] for line in text.splitlines() if f" of {last}: " in line]
    assert steps == ["0", "1", "2", "1", "5", str(last)]
    assert "'x' is not a key" in text
    assert text.count("result") == 1


def test_after_the_last_step_comes_the_next_hand() -> None:
    other = plain_record(3)
    text = stepped(ALL_IN, ["999", "", "999", ""], [other])
    assert f"hand id {other.hand_id}, limit-2p" in text
    assert text.endswith("That was the last hand.\n")


@given(records)
def test_the_chips_on_the_table_add_up_at_every_step(record: HandRecord) -> None:
    frames = frames_of(record)
    for frame in frames:
        assert sum(frame.stacks) + frame.pot == sum(record.setup.stacks)
        assert min(frame.stacks) >= 0
        assert not frame.pots or sum(pot.amount for pot in frame.pots) == frame.pot
    ends = [stack + payoff for stack, payoff in zip(record.setup.stacks, record.payoffs, strict=True)]
    assert list(frames[-1].stacks) == ends
    assert frames[-1].pot == record.rake
    assert shown(record)


@pytest.fixture
def file(tmp_path: Path) -> Path:
    """Three hands, the second of them broken."""
    path = tmp_path / "hands.jsonl"
    path.write_text(format_record(ALL_IN) + "{broken\n" + format_record(plain_record(3)), encoding="utf-8")
    return path


def test_the_command_prints_the_hand_that_was_asked_for(file: Path) -> None:
    first = railbird("replay", file)
    assert (first.code, first.error) == (0, "")
    assert first.out.startswith(b"hand id 7, nolimit-3p\n")
    third = railbird("replay", file, "--hand", "3")
    assert third.out.startswith(b"hand id 3, limit-2p\n")
    assert railbird("replay", file, "--hand", "id:3").out == third.out
    assert railbird("replay", "-", keys=file.read_bytes()).out == first.out


@pytest.mark.parametrize(
    ("arguments", "sentence"),
    [
        (("--hand", "2"), "hands.jsonl, line 2: the line is not valid JSON"),
        (("--hand", "9"), "hands.jsonl: there is no hand 9: the file has 3 hands"),
        (("--hand", "0"), "there is no hand 0"),
        (("--hand", "xyz"), "there is no hand with the id 'xyz'"),
        (("--player", "Zed"), "'Zed' does not play this hand: the players are Alice, Bob [tilt], Carol"),
        (("--from", "xyz"), "no format is called 'xyz'"),
    ],
)
def test_bad_use_of_replay_ends_in_one_line(file: Path, arguments: tuple[str, ...], sentence: str) -> None:
    result = railbird("replay", file, *arguments)
    assert result.code == 2
    assert sentence in result.error
    assert result.error.count("\n") == 1
