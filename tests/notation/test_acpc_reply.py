"""What the dealer makes of replies: every quirk of the official server has its test."""

from random import Random

import pytest

from fuzzing import broken, terminating
from railbird.cards import parse_cards
from railbird.engine.actions import CALL, FOLD, Action, raise_to
from railbird.engine.games import named_game
from railbird.engine.setup import Setup
from railbird.engine.state import State
from railbird.notation.acpc.match import MatchStateLines, acpc_rules
from railbird.notation.acpc.reply import Ruling, rule

LIMIT = Setup.of(acpc_rules(named_game("limit-2p")))
NO_LIMIT = Setup.of(acpc_rules(named_game("nolimit-2p")))
FUZZED_LINES = 20_000
CARDS = "TdAs 8hTc 2c8c3h 9c Kh"


class Hand:
    """A hand in which one position is to answer."""

    def __init__(self, setup: Setup, *actions: Action) -> None:
        self.state = State(setup, parse_cards(CARDS))
        self.lines = MatchStateLines(self.state, 30)
        for action in actions:
            self.state.act(action)
            self.lines.advance()
        assert self.state.actor is not None
        self.position = self.state.actor
        self.line = self.lines.line(self.position)

    def reply(self, text: str) -> Ruling:
        return rule(text, self.lines, self.position)

    def answer(self, action: str, end: str = "\r\n") -> Ruling:
        return self.reply(f"{self.line}:{action}{end}")


def taken(ruling: Ruling) -> Action | None:
    """The action of a ruling that nothing is said about."""
    assert ruling.warning == ""
    return ruling.action


def test_a_reply_is_the_line_and_an_action() -> None:
    hand = Hand(LIMIT)
    assert hand.line == "MATCHSTATE:1:30::|8hTc"
    assert taken(hand.answer("c")) == CALL
    assert taken(hand.answer("f")) == FOLD
    assert taken(hand.answer("r")) == raise_to(20)
    assert taken(Hand(NO_LIMIT).answer("r300")) == raise_to(300)


def test_a_no_limit_raise_counts_the_chips_of_the_whole_hand() -> None:
    assert taken(Hand(NO_LIMIT, raise_to(300), CALL).answer("r900")) == raise_to(600)


@pytest.mark.parametrize(("letter", "action"), [("F", FOLD), ("C", CALL), ("k", CALL), ("K", CALL)])
def test_k_is_a_call_and_letters_may_be_large(letter: str, action: Action) -> None:
    assert taken(Hand(LIMIT).answer(letter)) == action


@pytest.mark.parametrize("letter", ["r", "R", "b", "B"])
def test_b_is_a_raise(letter: str) -> None:
    assert taken(Hand(LIMIT).answer(letter)) == raise_to(20)
    assert taken(Hand(NO_LIMIT).answer(f"{letter}250")) == raise_to(250)


@pytest.mark.parametrize("end", ["\r\n", "\n", "", " \r\n", "xyz\r\n", ":c\r\n"])
def test_what_stands_behind_the_action_is_not_looked_at(end: str) -> None:
    assert taken(Hand(LIMIT).answer("f", end)) == FOLD


def test_spaces_and_a_sign_may_stand_before_an_amount() -> None:
    assert taken(Hand(NO_LIMIT).answer("r  +250")) == raise_to(250)


# Raises of the wrong size


@pytest.mark.parametrize("amount", ["199", "0", "-7", "1", "-99999999999999999999"])
def test_a_raise_that_is_too_small_becomes_the_least_raise(amount: str) -> None:
    ruling = Hand(NO_LIMIT).answer(f"r{amount}")
    assert ruling.action == raise_to(200)
    assert "to 200, the nearest legal amount" in ruling.warning


@pytest.mark.parametrize("amount", ["20001", "2147483647", "99999999999999999999"])
def test_a_raise_that_is_too_large_becomes_an_all_in(amount: str) -> None:
    ruling = Hand(NO_LIMIT).answer(f"r{amount}")
    assert ruling.action == raise_to(20000)
    assert "to 20000, the nearest legal amount" in ruling.warning


def test_a_wrong_size_after_the_flop_is_moved_in_chips_of_the_whole_hand() -> None:
    ruling = Hand(NO_LIMIT, raise_to(300), CALL).answer("r350")
    assert ruling.action == raise_to(100)
    assert "moved a raise to 350 to 400" in ruling.warning


# Other invalid actions become calls


def test_folding_when_there_is_nothing_to_call_becomes_a_call() -> None:
    ruling = Hand(LIMIT, CALL).answer("f")
    assert (ruling.action, "with nothing to call" in ruling.warning) == (CALL, True)


def test_a_raise_beyond_the_cap_becomes_a_call() -> None:
    ruling = Hand(LIMIT, raise_to(20), raise_to(30), raise_to(40)).answer("r")
    assert (ruling.action, "illegal" in ruling.warning) == (CALL, True)


def test_a_raise_when_the_opponent_is_all_in_becomes_a_call() -> None:
    assert Hand(NO_LIMIT, raise_to(20000)).answer("r20000").action == CALL


@pytest.mark.parametrize("action", ["x", "", "\r", "1", "é"])
def test_an_unknown_action_becomes_a_call(action: str) -> None:
    ruling = Hand(LIMIT).answer(action)
    assert (ruling.action, "unknown" in ruling.warning) == (CALL, True)


def test_a_no_limit_raise_without_an_amount_becomes_a_call() -> None:
    ruling = Hand(NO_LIMIT).answer("r")
    assert (ruling.action, "without a readable action" in ruling.warning) == (CALL, True)


@pytest.mark.parametrize("end", ["\r\n", "", "c\r\n", ";c\r\n"])
def test_the_line_without_an_action_is_a_call(end: str) -> None:
    hand = Hand(LIMIT)
    ruling = hand.reply(hand.line + end)
    assert (ruling.action, "without a readable action" in ruling.warning) == (CALL, True)


def test_a_round_has_room_for_64_actions_and_then_raises_become_calls() -> None:
    raises = [raise_to(200 + 100 * number) for number in range(63)]
    assert Hand(NO_LIMIT, *raises[:62]).answer("r6400").action == raise_to(6400)
    ruling = Hand(NO_LIMIT, *raises).answer("r6500")
    assert (ruling.action, "at most 64 actions" in ruling.warning) == (CALL, True)
    assert Hand(NO_LIMIT, *raises, CALL).answer("r6600").action == raise_to(200), "a new round, a new count"


# Other spellings of the same state


def test_slashes_may_stand_anywhere_in_the_betting_or_be_missing() -> None:
    hand = Hand(LIMIT, CALL, CALL)
    assert hand.line == "MATCHSTATE:0:30:cc/:TdAs|/2c8c3h"
    for betting in ("cc", "/c/c//", "c/c"):
        assert taken(hand.reply(f"MATCHSTATE:0:30:{betting}:TdAs|/2c8c3h:r\r\n")) == raise_to(10)


@pytest.mark.parametrize("cards", ["tdas|/2C8C3H", "TDAS/2c8c3h", "TdAs|2c8c3h"])
def test_cards_may_be_in_any_case_and_dividers_that_say_nothing_may_be_missing(cards: str) -> None:
    hand = Hand(LIMIT, CALL, CALL)
    reply = hand.reply(f"MATCHSTATE:0:30:cc/:{cards}:r\r\n")
    if cards.endswith("|2c8c3h"):
        assert reply.action is None, "the flop stands where the other player's hand would"
    else:
        assert taken(reply) == raise_to(10)


def test_numbers_may_have_spaces_a_sign_and_zeros() -> None:
    hand = Hand(LIMIT)
    assert taken(hand.reply("MATCHSTATE: +1: 030::|8hTc:f\r\n")) == FOLD
    assert taken(hand.reply("MATCHSTATE:257:4294967326::|8hTc:f\r\n")) == FOLD, "numbers have 8 and 32 bits"


# Replies that are ignored


@pytest.mark.parametrize(
    "reply",
    [
        "MATCHSTATE:0:30::TdAs|:c",
        "MATCHSTATE:1:29::|8hTc:c",
        "MATCHSTATE:1:30:c:|8hTc:c",
        "MATCHSTATE:1:30::|8hTd:c",
        "MATCHSTATE:1:30:::c",
        "MATCHSTATE:1:30:cc/cc/cc/cc:TdAs|8hTc/2c8c3h/9c/Kh:c",
    ],
)
def test_a_stale_reply_is_ignored(reply: str) -> None:
    ruling = Hand(LIMIT).reply(reply + "\r\n")
    assert ruling == Ruling(None, "ignored a reply to another state")


def test_a_reply_to_a_smaller_raise_is_a_reply_to_another_state() -> None:
    hand = Hand(NO_LIMIT, raise_to(300))
    assert hand.reply(hand.line.replace("r300", "r299") + ":c").action is None
    assert hand.reply(hand.line + ":c").action == CALL


@pytest.mark.parametrize(
    "reply",
    [
        "", "\r\n", "c\r\n", "garbage", "MATCHSTATE", "MATCHSTATE:1", "MATCHSTATE:1:30", "MATCHSTATE:2:30::|8hTc:c",
        "matchstate:1:30::|8hTc:c", " MATCHSTATE:1:30::|8hTc:c", "MATCHSTATE:1:30:x:|8hTc:c",
        "MATCHSTATE:1:30:ff:|8hTc:c", "MATCHSTATE:1:30:cf:|8hTc:c", "MATCHSTATE:1:30::|8h:c",
        "MATCHSTATE:1:30:cc:|8hTc:c", "MATCHSTATE:1:30:rrrr:|8hTc:c", "MATCHSTATE:1\0:30::|8hTc:c",
        "MATCHSTATE:1:30:" + "c" * 60_000, "MATCHSTATE:" + "9" * 60_000 + ":0::|8hTc:c", "\xff\xfe\x80",
    ],
)  # fmt: skip
def test_what_is_no_state_is_ignored(reply: str) -> None:
    assert Hand(LIMIT).reply(reply) == Ruling(None, "ignored a reply that is not a state of this game")


def test_a_nul_byte_ends_a_reply() -> None:
    hand = Hand(LIMIT)
    assert hand.reply(f"{hand.line}\0:f\r\n").action == CALL


def test_broken_replies_are_ruled_on_and_nothing_else() -> None:
    random, fed = Random(1), 0
    hands = [Hand(LIMIT), Hand(LIMIT, CALL, CALL, raise_to(10)), Hand(NO_LIMIT, raise_to(300), CALL)]
    while fed < FUZZED_LINES:
        hand = random.choice(hands)
        replies = [f"{hand.line}:{action}".encode() for action in ("f", "c", "r", "r900", "r20000")]
        for line in broken(random, replies).decode("latin-1").split("\n"):
            with terminating():
                ruling = hand.reply(line)
            assert ruling.action is None or hand.state.node.legal.allows(ruling.action)
            fed += 1
