"""MATCHSTATE lines: what one player may know, read and written, and the cards that the official server deals."""

from pathlib import Path
from random import Random

import pytest
from hypothesis import given

from acpc_readers import digest_of_acpc_readers
from fuzzing import broken, terminating
from hand_records import GAMES
from railbird.cards import format_cards, parse_cards
from railbird.engine.actions import CALL, FOLD, raise_to
from railbird.engine.games import named_game
from railbird.engine.setup import Setup
from railbird.engine.state import State
from railbird.notation.acpc.dealing import AcpcDeck
from railbird.notation.acpc.game import GameFileError, read_game
from railbird.notation.acpc.match import (
    MatchStateError,
    MatchStateLines,
    MatchStateReader,
    acpc_rules,
    format_match_state,
    format_reply,
    parse_match_state,
)
from railbird.notation.game_names import find_game
from resuming import digest_of_rules, hands_to_go
from strategies import hands_in_progress, random_action, random_cards

HEADS_UP = Setup.of(named_game("limit-2p"))
NO_LIMIT = Setup.of(named_game("nolimit-2p"))
FUZZED_LINES = 20_000
SOAK_CHUNKS, SOAK_LINES = 10, 100_000


def dealt(setup: Setup, text: str) -> State:
    return State(setup, parse_cards(text))


def test_a_player_sees_its_own_cards_and_the_open_board() -> None:
    state = dealt(HEADS_UP, "TdAs 8hTc 2c8c3h 9c Kh")
    assert format_match_state(state, 0, 30) == "MATCHSTATE:0:30::TdAs|"
    assert format_match_state(state, 1, 30) == "MATCHSTATE:1:30::|8hTc"
    for action in (raise_to(20), raise_to(30), CALL):
        state.act(action)
    assert format_match_state(state, 0, 30) == "MATCHSTATE:0:30:rrc/:TdAs|/2c8c3h"
    for action in (CALL, CALL, CALL, raise_to(20), CALL, CALL, CALL):
        state.act(action)
    assert format_match_state(state, 1, 30) == "MATCHSTATE:1:30:rrc/cc/crc/cc:TdAs|8hTc/2c8c3h/9c/Kh"


def test_who_folded_sees_the_showdown_and_shows_nothing() -> None:
    state = dealt(Setup.of(named_game("limit-3p")), "2c3c 4d5d 6h7h TsJsQs Ks As")
    state.act(FOLD)
    while not state.is_over:
        state.act(CALL)
    shown = "4d5d", "/TsJsQs/Ks/As"
    assert format_match_state(state, 2, 0) == f"MATCHSTATE:2:0:fcc/cc/cc/cc:2c3c|{shown[0]}|6h7h{shown[1]}"
    assert format_match_state(state, 0, 0) == f"MATCHSTATE:0:0:fcc/cc/cc/cc:2c3c|{shown[0]}|{shown[1]}"


def test_nobody_shows_when_everyone_else_folded() -> None:
    state = dealt(NO_LIMIT, "2c3c 4d5d TsJsQs Ks As")
    state.act(raise_to(300))
    state.act(FOLD)
    assert format_match_state(state, 0, 7) == "MATCHSTATE:0:7:r300f:2c3c|"


def test_an_all_in_lays_open_the_board_with_all_its_slashes() -> None:
    state = dealt(NO_LIMIT, "2c3c 4d5d TsJsQs Ks As")
    state.act(raise_to(20000))
    state.act(CALL)
    assert format_match_state(state, 1, 7) == "MATCHSTATE:1:7:r20000c///:2c3c|4d5d/TsJsQs/Ks/As"


def test_no_limit_raises_count_the_chips_of_the_whole_hand() -> None:
    state = dealt(NO_LIMIT, "2c3c 4d5d TsJsQs Ks As")
    for action in (raise_to(300), CALL, raise_to(200)):
        state.act(action)
    line = format_match_state(state, 1, 7)
    assert line == "MATCHSTATE:1:7:r300c/r500:|4d5d/TsJsQs"
    assert parse_match_state(line, NO_LIMIT).node.actions == state.actions
    assert format_reply(line + "\r\n", state.node, raise_to(600), NO_LIMIT) == f"{line}:r900"
    assert format_reply(line, state.node, FOLD, NO_LIMIT) == f"{line}:f"


def test_rounds_without_a_board_have_their_slash_and_a_first_board_has_none() -> None:
    rules = named_game("leduc-2p")
    for boards, cards, text in [((0, 1), "Ks Qs Kh", "Ks|Qs/Kh"), ((1, 0), "Ks Qs Kh", "Ks|QsKh/")]:
        setup = Setup.of(
            type(rules)(**{name: getattr(rules, name) for name in rules.__slots__} | {"board_cards": boards})
        )
        state = dealt(setup, cards)
        state.act(CALL)
        state.act(CALL)
        state.act(CALL)
        state.act(CALL)
        line = format_match_state(state, 0, 1)
        assert line == f"MATCHSTATE:0:1:cc/cc:{text}"
        assert parse_match_state(line, setup).state() == state


@given(hands_in_progress())
def test_what_is_written_is_read_back_and_hides_what_must_be_hidden(state: State) -> None:
    for position in range(state.rules.players):
        line = format_match_state(state, position, 12)
        seen = parse_match_state(line + "\r\n", state.setup)
        assert (seen.position, seen.hand_number, seen.hole_cards) == (
            position,
            12,
            state.hole_cards(position),
        )
        assert seen.node.actions == state.actions
        assert seen.board == state.board
        assert seen.is_my_turn == (state.actor == position)
        shown = state.live_seats if state.is_showdown else ()
        for seat in range(state.rules.players):
            hidden = seat != position and seat not in shown
            assert seen.state().hole_cards(seat) == (None if hidden else state.hole_cards(seat))
        assert format_match_state(seen.state(), position, 12) == line
        if state.is_over:
            assert seen.state().payoffs == state.payoffs


@given(hands_in_progress())
def test_lines_that_grow_with_the_hand_are_those_written_anew(state: State) -> None:
    again = State(state.setup, state.cards)
    lines = MatchStateLines(again, 3)
    readers = [MatchStateReader(state.setup) for _ in range(state.rules.players)]
    for action in (*state.actions, None):
        for position, reader in enumerate(readers):
            line = lines.line(position)
            assert line == format_match_state(again, position, 3)
            assert reader.read(line).node.actions == again.actions
        if action is not None:
            again.act(action)
            lines.advance()


@pytest.mark.parametrize(
    ("line", "sentence"),
    [
        ("STATE:0:0::TdAs|", "is not MATCHSTATE:position:hand:betting:cards"),
        ("MATCHSTATE:0:0:TdAs|", "is not MATCHSTATE:position:hand:betting:cards"),
        ("MATCHSTATE:0:0::TdAs|:c", "is not MATCHSTATE:position:hand:betting:cards"),
        ("MATCHSTATE:2:0::TdAs|", "the position is 2, but the game has 2 players"),
        ("MATCHSTATE:x:0::TdAs|", "the position is 'x', but a whole number is expected"),
        ("MATCHSTATE:0:-1::TdAs|", "the hand is '-1', but a whole number"),
        ("MATCHSTATE:0:" + "9" * 5000 + "::TdAs|", "the hand is '999"),
        ("MATCHSTATE:0:5::|TdAs", "hand 5: the cards of position 0 are missing"),
        ("MATCHSTATE:0:5::TdTd|", "hand 5: Td is dealt twice"),
        ("MATCHSTATE:0:5::TdA|", "hand 5: 'TdA' is not a list of cards"),
        ("MATCHSTATE:0:5:cc/:TdAs|", "hand 5: the board is missing"),
        ("MATCHSTATE:0:5:cc:TdAs|", "hand 5: a / is missing"),
        ("MATCHSTATE:0:5:r300:TdAs|", "hand 5: there is '3' after 'r', which takes no amount"),
        ("MATCHSTATE:0:5:cc/cc/cc/cc:TdAs|/2c8c3h/9c/Kh", "hand 5: the cards of position 1 are missing"),
        ("MATCHSTATE:0:5::TdAs|2c3c", "hand 5: the cards of position 1 are shown, but must be hidden"),
        ("MATCHSTATE:0:5:rf:TdAs|2c3c", "hand 5: the cards of position 1 are shown, but must be hidden"),
        ("MATCHSTATE:0:5::TdAs||", "hand 5: 3 hands for 2 players"),
        ("MATCHSTATE:0:5\0", "the line contains a NUL byte"),
        ("M" * 70_000, "the line has more than 65536 characters"),
        ("", "is not MATCHSTATE"),
    ],
)
def test_a_broken_line_is_refused_in_a_sentence(line: str, sentence: str) -> None:
    with pytest.raises(MatchStateError, match=sentence) as error:
        parse_match_state(line, HEADS_UP)
    assert len(str(error.value)) < 300


def test_a_reader_goes_on_after_a_refusal_and_takes_a_hand_that_starts_over() -> None:
    reader = MatchStateReader(HEADS_UP)
    assert reader.read("MATCHSTATE:0:5:r:TdAs|").node.actions == (raise_to(20),)
    with pytest.raises(MatchStateError):
        reader.read("MATCHSTATE:0:5:rx:TdAs|")
    with pytest.raises(MatchStateError):
        reader.read("MATCHSTATE:9:6::TdAs|")
    assert len(reader.read("MATCHSTATE:0:5:rr:TdAs|").node.actions) == 2
    assert reader.read("MATCHSTATE:0:5:rr:TdAs|").position == 0
    assert reader.read("MATCHSTATE:0:5:c:2c3c|").hole_cards == parse_cards("2c3c")


# The official games and deals


def test_a_game_is_played_by_the_official_rules_or_refused() -> None:
    rules = acpc_rules(named_game("nolimit-6max"))
    assert (rules.odd_chips.value, rules.minimum_raise.value, rules.reopening.value) == (
        "fractional", "kept", "any-raise",
    )  # fmt: skip
    for name in ("potlimit-2p", "nolimit-2p:ante=5", "limit-2p:carry=yes"):
        with pytest.raises(GameFileError):
            acpc_rules(find_game(name))


@pytest.mark.parametrize("name", ["hul_q", "hun_q", "l3_q", "l6_q", "l9_q", "nl3_q", "nl3u_q"])
def test_the_same_seed_deals_the_cards_of_the_official_server(official: Path, name: str) -> None:
    header, *lines = (official / f"{name}.log").read_text().splitlines()
    game, hands, seed = header.split()[-3:]
    deck = AcpcDeck(read_game(official / game), int(seed))
    shown = [
        line.split(":")[3].replace("|", "").replace("/", "") for line in lines if line.startswith("STATE")
    ]
    assert len(shown) == int(hands)
    for cards in shown:
        assert format_cards(deck.deal()).startswith(cards)


def test_every_game_is_dealt_from_its_own_deck_without_repetition() -> None:
    for game in (*GAMES, "limit-10max"):
        rules = named_game(game)
        deck = AcpcDeck(rules, 5)
        for _ in range(50):
            cards = deck.deal()
            assert len(set(cards)) == len(cards) == rules.cards_dealt
            assert set(cards) <= set(rules.deck)


@pytest.mark.parametrize("seed", [-1, 2**32])
def test_a_seed_that_the_official_server_does_not_take_is_refused(seed: int) -> None:
    with pytest.raises(ValueError, match="takes 0 … 4294967295"):
        AcpcDeck(named_game("limit-2p"), seed)


# Fuzzing


def valid_lines(setup: Setup) -> list[bytes]:
    random = Random(3)
    lines = []
    for hand in range(40):
        state = State(setup, random_cards(random, setup.rules))
        while not state.is_over:
            state.act(random_action(random, state.legal_actions))
            lines.append(format_match_state(state, random.randrange(setup.rules.players), hand).encode())
    return lines


def read_and_write(reader: MatchStateReader, line: str) -> None:
    with terminating():
        try:
            found = reader.read(line)
        except MatchStateError as error:
            if len(str(error)) >= 300 or not str(error).isprintable():
                raise
        else:
            again = format_match_state(found.state(), found.position, found.hand_number)
            assert again.split(":")[3:] == line.rstrip("\r\n").split(":")[3:]


def feed(random: Random, setup: Setup, lines: list[bytes]) -> int:
    reader = MatchStateReader(setup)
    data = broken(random, random.sample(lines, 20)).decode(errors="replace").split("\n")
    for line in data:
        read_and_write(reader, line)
    return len(data)


def test_broken_lines_are_refused_and_nothing_else() -> None:
    random, fed = Random(1), 0
    inputs = [(setup, valid_lines(setup)) for setup in (HEADS_UP, Setup.of(named_game("nolimit-3p")))]
    while fed < FUZZED_LINES:
        fed += feed(random, *random.choice(inputs))


@pytest.mark.soak
@pytest.mark.parametrize("chunk", range(SOAK_CHUNKS))
def test_a_million_broken_lines_are_refused(chunk: int) -> None:
    inputs = [(setup, valid_lines(setup)) for setup in (HEADS_UP, Setup.of(named_game("nolimit-3p")))]
    version = digest_of_rules(digest_of_acpc_readers(Path(__file__)))
    for batch in hands_to_go("acpc-matchstates", version, chunk, SOAK_LINES // 20):
        random = Random(f"{chunk} {batch}")
        feed(random, *random.choice(inputs))
