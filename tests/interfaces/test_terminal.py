"""Playing in the terminal: the keys, what is shown, and leaving."""

import io
import subprocess
import sys
from collections.abc import Iterable

import pytest
from rich.console import Console

from command import railbird
from railbird.agent import make_agent
from railbird.engine.actions import CALL, FOLD, ActionError, raise_to
from railbird.engine.events import Chips
from railbird.engine.games import named_game
from railbird.engine.setup import Setup
from railbird.engine.state import State
from railbird.engine.table import TableError
from railbird.interfaces.company import GOOD_MIX, SIMPLE, suits, usual_opponents
from railbird.interfaces.terminal import Left, play_session, read_action
from railbird.observation import Observation
from railbird.rng import Stream


def session(game: str, answers: Iterable[str], hands: int | None = None) -> tuple[list[Chips], str]:
    """Play with prepared answers; what was won, and everything that was shown."""
    rules = named_game(game)
    screen = io.StringIO()
    keys = iter(answers)

    def ask(prompt: str) -> str:
        screen.write(prompt)
        answer = next(keys, None)
        if answer is None:
            raise Left
        return answer

    opponents = [(f"bot {seat}", make_agent("always-call")) for seat in range(rules.players - 1)]
    console = Console(file=screen, width=100)
    won = play_session(rules, opponents, Stream.from_seed(7), console, hands=hands, ask=ask)
    return won, screen.getvalue()


def test_a_person_plays_a_hand_and_sees_cards_board_pot_and_result() -> None:
    won, screen = session("limit-2p", ["c"] * 20, hands=1)
    assert len(won) == 1
    for text in (
        "Your cards:",
        "Flop ",
        "River ",
        "preflop, pot",
        "river, pot",
        "bot 0 shows",
        "wins",
        "sb/h",
    ):
        assert text in screen


def test_every_hand_counts_and_the_sum_is_told() -> None:
    won, screen = session("limit-3p", ["c"] * 100, hands=3)
    assert len(won) == 3
    assert f"{abs(sum(won))} chips" in screen
    assert "3 hands" in screen


def test_leaving_in_the_middle_of_a_hand_does_not_count_it() -> None:
    won, screen = session("limit-2p", ["r", "q"])
    assert won == []
    assert "the hand in progress does not count" in screen
    assert "No hand was finished." in screen


def test_a_wrong_key_is_answered_and_asked_again() -> None:
    won, screen = session("limit-2p", ["x", "r 7"] + ["c"] * 20, hands=1)
    assert len(won) == 1
    assert "type f, c, r" in screen
    assert "the amount must be 20, not 7" in screen


def test_a_person_without_chips_must_leave() -> None:
    won, screen = session("nolimit-2p:stack=100,blinds=50/100,carry=yes", ["c"] * 50)
    assert won
    assert "You have no chips left." in screen or "The table closes" in screen


def test_the_number_of_opponents_must_fit() -> None:
    with pytest.raises(TableError, match="limit-3p needs 2 opponents, not 0"):
        play_session(named_game("limit-3p"), [], Stream.from_seed(1), Console(file=io.StringIO()))
    with pytest.raises(TableError, match="limit-2p needs 1 opponent, not 0"):
        play_session(named_game("limit-2p"), [], Stream.from_seed(1), Console(file=io.StringIO()))


@pytest.fixture
def facing_a_bet() -> Observation:
    state = State.deal(Setup.of(named_game("nolimit-2p")), Stream.from_seed(1))
    state.raise_to(300)
    return Observation.of(state, 0, ("Hero", "bot"))


def test_keys_and_words_mean_the_same(facing_a_bet: Observation) -> None:
    for answer in ("f", "F", " fold "):
        assert read_action(answer, facing_a_bet) == FOLD
    for answer in ("c", "call", "k"):
        assert read_action(answer, facing_a_bet) == CALL
    assert read_action("r 900", facing_a_bet) == raise_to(900)
    assert read_action("r min", facing_a_bet) == raise_to(500)
    assert read_action("r max", facing_a_bet) == raise_to(20000)
    # A pot-sized raise calls 200 and raises by the 600 then in the pot: to 100 + 200 + 600.
    assert read_action("r pot", facing_a_bet) == raise_to(900)
    with pytest.raises(Left):
        read_action("q", facing_a_bet)


@pytest.mark.parametrize(
    ("answer", "sentence"),
    [
        ("r", "add an amount from 500 to 20,000, such as r 500, or type r min, r pot or r max"),
        ("r 499", "the amount must be from 500 to 20,000, not 499"),
        ("r many", "'many' is not an amount"),
        ("r -5", "'-5' is not an amount"),
        ("", "type f, c, r"),
        ("f c", "type f, c, r"),
    ],
)
def test_an_answer_that_is_no_action_is_told_why(
    facing_a_bet: Observation, answer: str, sentence: str
) -> None:
    with pytest.raises(ActionError, match=sentence):
        read_action(answer, facing_a_bet)


def test_nobody_folds_for_free_or_raises_over_the_cap() -> None:
    state = State.deal(Setup.of(named_game("limit-2p")), Stream.from_seed(1))
    state.call()
    with pytest.raises(ActionError, match="check instead of folding"):
        read_action("f", Observation.of(state, 0, ("Hero", "bot")))
    for amount in (20, 30, 40):
        state.raise_to(amount)
    with pytest.raises(ActionError, match="you cannot bet or raise now"):
        read_action("r", Observation.of(state, 1, ("Hero", "bot")))


def in_a_process(*arguments: str, keys: str = "") -> subprocess.CompletedProcess[str]:
    command = [sys.executable, "-m", "railbird", *arguments]
    return subprocess.run(command, input=keys, capture_output=True, text=True, timeout=120, check=False)


def test_the_command_plays_and_q_leaves_cleanly() -> None:
    result = in_a_process(
        "play", "--terminal", "--game", "limit-2p", "--against", "always-call", "--seed", "7", keys="c\nq\n"
    )
    assert result.returncode == 0, result.stderr
    assert "limit-2p against always-call" in result.stdout
    assert "You leave the table" in result.stdout


def test_the_end_of_input_leaves_cleanly_too() -> None:
    result = railbird("play", "--terminal", "--against", "always-call")
    assert (result.code, result.error) == (0, "")


def test_without_names_a_good_mix_sits_down_and_simple_players_at_other_games() -> None:
    assert usual_opponents(named_game("limit-6max")) == list(GOOD_MIX)
    for game in ("limit-2p", "limit-3p", "limit-10max", "nolimit-2p"):
        assert all(suits(name, named_game(game)) for name in usual_opponents(named_game(game)))
    assert usual_opponents(named_game("nolimit-6max")) == [*SIMPLE, *SIMPLE][:5]


def test_the_same_seed_shows_the_same_session() -> None:
    arguments = ("play", "--terminal", "--against", "random", "--seed", "3", "--hands", "2")
    first = in_a_process(*arguments, keys="c\n" * 40).stdout
    assert first.encode() == railbird(*arguments, keys=b"c\n" * 40).out
    assert "Hand 2" in first


@pytest.mark.parametrize(
    ("arguments", "sentence"),
    [
        (
            ("play", "--terminal", "--game", "limit-2q"),
            "railbird: no game is called 'limit-2q': did you mean 'limit-2p'?",
        ),
        (
            ("play", "--terminal", "--against", "randon"),
            "railbird: no agent is called 'randon': did you mean 'random'?",
        ),
        (
            ("play", "--terminal", "--game", "limit-3p", "--against", "random,random,random"),
            "needs 2 opponents, not 3",
        ),
        (
            ("play", "--terminal", "--game", "limit-2p", "--against", "random", "--name", "random"),
            "choose another --name",
        ),
        (("play", "--terminal", "--game", "missing.game"), "railbird: missing.game: cannot be read"),
        (("bench", "everything"), "railbird: no benchmark is called 'everything'"),
        (("bench", "engine", "--json", "no/such/folder.json"), "is not a folder"),
    ],
)
def test_bad_input_ends_in_one_line_and_exit_code_2(arguments: tuple[str, ...], sentence: str) -> None:
    result = railbird(*arguments)
    assert result.code == 2
    assert sentence in result.error
    assert result.error.count("\n") == 1


def test_a_process_ends_with_the_same_line_and_exit_code() -> None:
    result = in_a_process("bench", "everything")
    assert result.returncode == 2
    assert result.stderr == railbird("bench", "everything").error


def test_agents_and_games_are_listed() -> None:
    agents = railbird("agents")
    assert agents.code == 0
    assert b"always-raise" in agents.out
    games = railbird("games")
    assert games.code == 0
    assert b"limit-10max" in games.out
    assert b"short-blind" in games.out


def test_help_and_version_answer_without_the_compiler() -> None:
    code = "import sys, railbird.cli; assert 'numba' not in sys.modules and 'numpy' not in sys.modules"
    subprocess.run([sys.executable, "-c", code], check=True, timeout=60)
    assert "play" in in_a_process("--help").stdout
    assert in_a_process("--version").stdout.startswith("railbird 0.")
