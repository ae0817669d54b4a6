"""BayCaRP's network (baycarp-2011 §5.3): its structure, the thesis's rows and story, and a plain twin of any hand."""

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import replace
from itertools import islice, product
from pathlib import Path
from random import Random

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from railbird.bayes.structure import UNKNOWN
from railbird.cards import Card, parse_cards
from railbird.engine.actions import CALL, FOLD, raise_to
from railbird.engine.events import DealBoard, DealHole
from railbird.engine.games import named_game
from railbird.engine.record import HandRecord
from railbird.engine.setup import Setup
from railbird.engine.state import State
from railbird.features.action_kinds import POT_ODDS, NamedAction, actions_so_far
from railbird.features.playing_style import AGGRESSION, PFR, VPIP, PlayingStyle, StyleBook
from railbird.features.positions import position
from railbird.hands.boards import (
    board_change,
    board_state,
    flush_board,
    flush_change,
    straight_board,
    straight_change,
)
from railbird.hands.draws import simple_draw
from railbird.hands.groups import hand_group
from railbird.hands.types import hand_type
from railbird.notation.files import find_hands
from railbird.observation import Observation
from railbird.opponents.network import nodes, rows
from railbird.opponents.network.nodes import PUBLISHED, Variant, action_states, hand_nodes, structure
from railbird.opponents.network.rows import Coder, RowError, Who, rows_of_hands
from reference import named_actions as reference
from strategies import finished_hands, hands_in_progress, random_action, random_cards, random_style, randoms

VARIANTS = [Variant(*options) for options in product((False, True), repeat=5)]
EVERYTHING = Variant(partial=True, split_call=True, pot_odds=True, aggression=True, folds=True)


class Known:
    """Styles that are simply known."""

    def __init__(self, styles: Mapping[str, PlayingStyle]) -> None:
        self.styles = styles

    def style(self, label: str) -> PlayingStyle:
        return self.styles[label]


def of_seats(**styles: tuple[str, str]) -> Known:
    """Styles by label, average players elsewhere."""
    average = dict.fromkeys((f"seat{seat}" for seat in range(10)), PlayingStyle.named("a20_30", "a5_10"))
    return Known(average | {label: PlayingStyle.named(*names) for label, names in styles.items()})


def labels(players: int) -> tuple[str, ...]:
    return tuple(f"seat{seat}" for seat in range(players))


def dealt(game: str, holes: Mapping[int, str], board: str) -> State:
    """A hand with these hole cards and this board; the others get what is left."""
    setup = Setup.of(named_game(game))
    known = {seat: parse_cards(text) for seat, text in holes.items()}
    open_board = parse_cards(board)
    rest = [
        card
        for card in range(52)
        if card not in open_board and not any(card in each for each in known.values())
    ]
    cards: list[Card] = []
    for seat in range(setup.rules.players):
        cards += known.get(seat) or (rest.pop(), rest.pop())
    return State(setup, [*cards, *open_board])


def act(state: State, letters: str) -> State:
    for letter in letters.replace("/", "").replace(" ", ""):
        state.act({"f": FOLD, "c": CALL, "r": raise_to(state.legal_actions.raise_minimum)}[letter])
    return state


def states_of(coder: Coder, codes: np.ndarray) -> dict[str, str]:
    """A row in words, what is not known left out."""
    return {
        variable.name: variable.states[code]
        for variable, code in zip(coder.structure.variables, codes.tolist(), strict=True)
        if code != UNKNOWN
    }


# The structure


SIZES = {
    "VPIP": 8,
    "PFR": 8,
    "Position": 4,
    "Action": 5,
    "HandGroup": 10,
    "ActionFlop": 9,
    "Board": 12,
    "HandType": 17,
    "ActionTurn": 8,
    "BoardChangeTurn": 9,
    "HandTypeTurn": 17,
    "ActionRiver": 8,
    "BoardChangeRiver": 9,
    "HandTypeFinal": 17,
}
PARENTS = {
    "HandGroup": ("VPIP", "PFR", "Position", "Action"),
    "ActionFlop": ("Action",),
    "HandType": ("HandGroup", "ActionFlop", "Board"),
    "ActionTurn": ("ActionFlop",),
    "HandTypeTurn": ("HandType", "ActionTurn", "BoardChangeTurn"),
    "ActionRiver": ("ActionTurn",),
    "HandTypeFinal": ("HandTypeTurn", "ActionRiver", "BoardChangeRiver"),
}


def test_the_structure_is_the_published_one() -> None:
    """Figures 5.3, 5.4 and 6.1: the columns of the data, and what depends on what."""
    found = structure(PUBLISHED)
    assert {variable.name: len(variable) for variable in found.variables} == SIZES
    assert {name: parents for name, parents in found.parents.items() if parents} == PARENTS


def test_the_action_nodes_have_the_states_of_the_thesis() -> None:
    """Figure 7.2 for the preflop; "the preflop action node distinguishes itself […] with fewer possible states"."""
    assert structure().variable("Action").states == ("Check", "Call", "Raise", "ThreeBet", "Cap")
    flop = ["Check", "Call", "Bet", "ContinuationBet", "DonkBet", "Raise", "CheckRaise", "ThreeBet", "Cap"]
    assert list(structure().variable("ActionFlop").states) == flop
    later = [name for name in flop if name != "ContinuationBet"]
    assert list(structure().variable("ActionTurn").states) == later
    assert list(structure().variable("ActionRiver").states) == later


def test_every_node_of_the_documented_tables_is_there() -> None:
    """A line of the tables is a node, what it depends on, and how many states it has."""
    text = (nodes.__doc__ or "").partition("- `partial`")
    for part, variant in ((text[0], PUBLISHED), (text[2], Variant(partial=True))):
        found = structure(variant)
        lines = [line[4:] for line in part.splitlines() if line.startswith("    ")][1:]
        assert len(lines) >= 10
        for line in lines:
            name = line.split()[0]
            depends = [each.strip(",") for each in line.split()[1:] if each.strip(",") in found.places]
            parents = list(found.parents[name])
            assert parents == depends or ("as above" in line and parents[-1:] == depends), line
            counts = [int(word) for word in line.split() if word.isdigit()]
            assert not counts or counts[0] == len(found.variable(name)), line


@pytest.mark.parametrize("variant", VARIANTS, ids=str)
def test_every_variant_is_a_network_with_the_hand_nodes(variant: Variant) -> None:
    found = structure(variant)
    assert set(hand_nodes(variant)) <= set(found.places)
    assert found.order
    assert ("PartialHandTurn" in found.places) == variant.partial
    assert ("PotOddsRiver" in found.places) == variant.pot_odds
    assert ("AggressionFlop" in found.places) == variant.aggression
    assert ("CallRaise" in found.variable("ActionTurn").states) == variant.split_call
    assert ("CallSmallBlind" in found.variable("Action").states) == variant.split_call
    assert all(("Fold" in found.variable(name).states) == variant.folds for name in nodes.ACTIONS)
    for variable in found.variables:
        assert all(state.isidentifier() for state in variable.states)
    if variant.partial:
        assert len(found.variable("FlushChangeTurn")) == 6
        assert found.variable("FlushChangeRiver").states[-1] == "Flush"
        assert found.variable("StraightChangeRiver").states[-1] == "Straight"
        assert found.variable("FlushBoardFlop").states == ("None", "Draw", "Possible")


def test_states_of_actions_are_in_the_order_of_aggression() -> None:
    for variant, number in product(VARIANTS, range(4)):
        states = action_states(variant, number)
        assert list(states) == sorted(states)
        assert NamedAction.BET not in action_states(variant, 0)


# The thesis's data


FIGURE_6_1 = """
    a50_60 a0_5 Early Call HandGroup10 Check JLow TenPair    Check FirstK TenPair  Check MidPair ThreeOfAKind
    a20_30 a5_10 Late Raise HandGroup9 Check JLow Busted     Check FirstK Busted   Check MidPair TenPair
    a10_20 a5_10 Early Raise HandGroup3 Check JLow JackPair  Bet Low JackPair      Check HighPair ThreeOfAKind
    a30_40 a10_15 Middle Call HandGroup5 Check JLow Busted   Call Low Busted       Check HighPair JackPair
"""


def test_figure_6_1_row_by_row() -> None:
    """Two hands with ten players that give the four rows; cards that the figure does not show are chosen to fit."""
    first = act(
        dealt("limit-10max", {2: "Th 6s", 8: "Ah 8s"}, "Jh Td 4c Ks Tc"), "c fffff r fff c / cc / cc / cc"
    )
    second = act(
        dealt("limit-10max", {3: "Js Qs", 6: "Ah 9h"}, "Jh 8d 4c 2s Jc"), "f r ff c fffff / cc / rc / cc"
    )
    coder = Coder()
    found = []
    for state, styles in (
        (first, of_seats(seat2=("a50_60", "a0_5"), seat8=("a20_30", "a5_10"))),
        (second, of_seats(seat3=("a10_20", "a5_10"), seat6=("a30_40", "a10_15"))),
    ):
        made = coder.rows(HandRecord.of(state, labels(10)), styles)
        found += [states_of(coder, row) for row in made.codes]
    columns = (
        "VPIP PFR Position Action HandGroup ActionFlop Board HandType ActionTurn BoardChangeTurn HandTypeTurn"
    )
    names = [*columns.split(), "ActionRiver", "BoardChangeRiver", "HandTypeFinal"]
    printed = [dict(zip(names, line.split(), strict=True)) for line in FIGURE_6_1.strip().splitlines()]
    assert found == printed


def test_section_6_3_the_story_of_jake() -> None:
    """Jake raises early, calls BayCaRP's three-bet, check-calls flop and turn, and bets when a queen comes."""
    state = dealt("limit-10max", {2: "Ah Kc", 9: "Jc 9c"}, "Jd Ts 3c 5h Qd")
    coder, styles = Coder(), of_seats(seat2=("a20_30", "a5_10"))

    def evidence(letters: str) -> dict[str, str]:
        act(state, letters)
        found = coder.evidence(Observation.of(state, 9, labels(10)), styles)
        assert found.seats == (2,)
        return states_of(coder, found.codes[0])

    before = {"VPIP": "a20_30", "PFR": "a5_10", "Position": "Early", "Action": "Raise"}
    flop = before | {"Board": "JLow"}
    turn = flop | {"ActionFlop": "Call", "BoardChangeTurn": "Low"}
    river = turn | {"ActionTurn": "Call", "BoardChangeRiver": "FirstQ"}
    assert evidence("r ffffff r ff c") == flop
    assert evidence("c") == flop | {"ActionFlop": "Check"}
    assert evidence("r c c") == turn | {"ActionTurn": "Check"}
    assert evidence("r c r") == river | {"ActionRiver": "DonkBet"}
    assert actions_so_far(state.setup, state.node).action(0, 9) is NamedAction.THREE_BET
    act(state, "c")
    row = states_of(coder, coder.rows(HandRecord.of(state, labels(10)), styles).codes[0])
    assert row == river | {
        "ActionRiver": "DonkBet",
        "HandGroup": "HandGroup2",
        "HandType": "Busted",
        "HandTypeTurn": "Busted",
        "HandTypeFinal": "Straight",
    }


def test_the_variants_say_more() -> None:
    """Seat 0 completes and folds the flop after a check; seat 2 limps and bets its two hearts on a board of hearts."""
    state = dealt("limit-3p", {0: "Kc Kd", 1: "7c 2d", 2: "9h 8h"}, "Ah 7h 6c 2h Td")
    act(state, "c c c / c c r f f")
    coder = Coder(EVERYTHING)
    made = coder.rows(HandRecord.of(state, labels(3)), of_seats(), Who.FLOP)
    completed, checked, limped = (states_of(coder, row) for row in made.codes)
    assert made.seats == (0, 1, 2)
    assert (completed["Action"], completed["PotOdds"]) == ("CallSmallBlind", "a10_20")
    assert (completed["ActionFlop"], completed["PotOddsFlop"]) == ("Fold", "a20_30")
    assert (checked["Action"], checked["PotOdds"], checked["ActionFlop"]) == ("Check", "Free", "Fold")
    assert (limped["Action"], limped["ActionFlop"], limped["PotOddsFlop"]) == ("Call", "Bet", "Free")
    assert (limped["FlushBoardFlop"], limped["StraightBoardFlop"]) == ("Draw", "Draw")
    assert (limped["PartialHandFlop"], completed["PartialHandFlop"]) == ("FlushD_StraightD", "None")
    assert limped["AggressionFlop"] == limped["AggressionRiver"] == "a25_50"
    assert "BoardChangeTurn" not in limped, "the hand ended on the flop"
    plain = Coder()
    without = [
        states_of(plain, row)
        for row in plain.rows(HandRecord.of(state, labels(3)), of_seats(), Who.FLOP).codes
    ]
    assert [row["Action"] for row in without] == ["Call", "Check", "Call"]
    assert [row["ActionFlop"] for row in without] == ["Check", "Check", "Bet"], "what was done before a fold"


def test_whose_rows_a_hand_gives() -> None:
    """Seat 3 folds before the flop, seat 2 on the turn; seats 0 and 1 show down."""
    state = act(dealt("limit-4max", {}, "Ah 7h 6c 2h Td"), "c f c c / c c c / r c f / c c")
    record = HandRecord.of(state, labels(4))
    coder = Coder()
    made = {who: coder.rows(record, of_seats(), who) for who in Who}
    assert {who.value: each.seats for who, each in made.items()} == {
        "showdown": (0, 1),
        "flop": (0, 1, 2),
        "everybody": (0, 1, 2, 3),
    }
    assert "HandTypeTurn" in states_of(coder, made[Who.FLOP].codes[2])
    assert "HandTypeFinal" not in states_of(coder, made[Who.FLOP].codes[2])
    assert "BoardChangeRiver" not in states_of(coder, made[Who.FLOP].codes[2])
    folded = states_of(coder, made[Who.EVERYBODY].codes[3])
    assert set(folded) == {"VPIP", "PFR", "Position", "HandGroup"}


def test_a_hand_without_a_showdown_gives_no_rows_of_one() -> None:
    state = act(dealt("limit-2p", {}, "Ah 7h 6c 2h Td"), "r f")
    found = Coder().rows(HandRecord.of(state, labels(2)), of_seats())
    assert found.seats == ()
    assert found.codes.shape == (0, 14)


def test_cards_that_the_source_does_not_show_are_unknown() -> None:
    state = act(dealt("limit-2p", {}, "Ah 7h 6c 2h Td"), "c c / c c / c c / c c")
    record = HandRecord.of(state, labels(2))
    hidden = replace(
        record,
        events=tuple(DealHole(0, None) if event == record.events[2] else event for event in record.events),
    )
    assert record.events[2] == DealHole(0, state.hole_cards(0))
    coder = Coder(EVERYTHING)
    assert coder.rows(record, of_seats()).seats == (0, 1)
    assert coder.rows(hidden, of_seats()).seats == (1,), "a showdown without cards teaches nothing"
    unknown, known = (states_of(coder, row) for row in coder.rows(hidden, of_seats(), Who.FLOP).codes)
    assert not set(hand_nodes(EVERYTHING)) & set(unknown)
    assert set(hand_nodes(EVERYTHING)) <= set(known)
    assert unknown["ActionRiver"] == "Check"


def test_an_all_in_reaches_later_rounds_without_actions() -> None:
    """Both are all-in on the flop; a source that tells no more board leaves turn and river unknown."""
    rules = named_game("limit-2p")
    setup = Setup(rules, (20, 20), rules.blinds, rules.antes, rules.first_seats[0])
    state = act(State(setup, parse_cards("As Ad Ks Kd Ah 7h 6c 2h Td")), "c c / r c")
    assert state.is_showdown
    record = HandRecord.of(state, labels(2))
    coder = Coder()
    row = states_of(coder, coder.rows(record, of_seats()).codes[0])
    assert row["ActionFlop"] == "Bet"
    assert (row["HandTypeFinal"], row["BoardChangeRiver"]) == ("ThreeOfAKind", "Low")
    assert not {"ActionTurn", "ActionRiver"} & set(row)
    cut = replace(
        record,
        events=tuple(each for each in record.events if not (isinstance(each, DealBoard) and each.round > 1)),
    )
    row = states_of(coder, coder.rows(cut, of_seats()).codes[0])
    assert row["HandType"] == "ThreeOfAKind"
    assert not {"BoardChangeTurn", "HandTypeTurn", "BoardChangeRiver", "HandTypeFinal"} & set(row)


# Any hand, against a plain twin


def expected(
    state: State, seat: int, variant: Variant, style: PlayingStyle, hole: tuple[Card, ...] | None
) -> dict[str, str]:
    """What is known of a seat, in words; prices are left to the tests of actions."""
    events = HandRecord.of(state, labels(state.rules.players)).events
    told = {
        "VPIP": VPIP.states[style.vpip],
        "PFR": PFR.states[style.pfr],
        "Position": position(state.setup, seat).label,
    }
    if variant.aggression:
        for name, code in zip(("Flop", "Turn", "River"), style.aggression, strict=True):
            told[f"Aggression{name}"] = AGGRESSION.states[code]
    if hole is not None:
        told["HandGroup"] = f"HandGroup{hand_group(hole)}"
    board = state.board
    for number, suffix in enumerate(("", "Flop", "Turn", "River")):
        if number and len(board) < number + 2:
            break
        done, folded = reference.most_aggressive(state.rules, state.setup.stacks, events, number, seat)
        named = folded if folded and variant.folds else done
        if not variant.split_call and named.startswith("Call"):
            named = "Call"
        if named:
            told[f"Action{suffix}"] = named
        if number:
            told |= told_by_board(board[: number + 2], number, variant)
            if hole is not None:
                told |= told_by_hand(hole, board[: number + 2], number, variant)
        if folded:
            break
    return told


def told_by_board(board: tuple[Card, ...], number: int, variant: Variant) -> dict[str, str]:
    if number == 1:
        told = {"Board": board_state(board).label}
        flushes, straights = flush_board(board).label, straight_board(board).label
        return told | ({"FlushBoardFlop": flushes, "StraightBoardFlop": straights} if variant.partial else {})
    stage = "Turn" if number == 2 else "River"
    *before, card = board
    told = {f"BoardChange{stage}": board_change(before, card).label}
    if variant.partial:
        told[f"FlushChange{stage}"] = flush_change(before, card).label
        told[f"StraightChange{stage}"] = straight_change(before, card).label
    return told


def told_by_hand(
    hole: tuple[Card, ...], board: tuple[Card, ...], number: int, variant: Variant
) -> dict[str, str]:
    told = {("HandType", "HandTypeTurn", "HandTypeFinal")[number - 1]: hand_type(hole, board).label}
    if variant.partial and number < 3:
        told[("PartialHandFlop", "PartialHandTurn")[number - 1]] = simple_draw(hole, board).label
    return told


def random_styles(random: Random, players: int) -> Known:
    return Known(
        {
            label: PlayingStyle(
                random.randrange(8), random.randrange(8), tuple(random.choices(range(4), k=3))
            )
            for label in labels(players)
        }
    )


def without_prices(told: dict[str, str]) -> dict[str, str]:
    return {name: state for name, state in told.items() if not name.startswith("PotOdds")}


@given(finished_hands(), st.sampled_from(VARIANTS), randoms)
def test_rows_are_those_of_the_plain_twin(state: State, variant: Variant, random: Random) -> None:
    players = state.rules.players
    styles, coder = random_styles(random, players), Coder(variant)
    made = coder.rows(HandRecord.of(state, labels(players)), styles, Who.EVERYBODY)
    assert made.seats == tuple(range(players))
    assert made.codes.dtype == np.int16
    for seat, row in enumerate(made.codes):
        told = states_of(coder, row)
        style = styles.style(f"seat{seat}")
        assert without_prices(told) == expected(state, seat, variant, style, state.hole_cards(seat))
        prices = {name for name in told if name.startswith("PotOdds")}
        acted = {name.replace("Action", "PotOdds") for name in told if name.startswith("Action")}
        assert prices == (acted if variant.pot_odds else set())
        assert {told[name] for name in prices} <= set(POT_ODDS)


@given(hands_in_progress(), st.sampled_from(VARIANTS), randoms)
def test_evidence_is_that_of_the_plain_twin(state: State, variant: Variant, random: Random) -> None:
    players = state.rules.players
    observer = random.randrange(players)
    styles, coder = random_styles(random, players), Coder(variant)
    observation = Observation.of(state, observer, labels(players))
    found = coder.evidence(observation, styles)
    assert found.seats == tuple(seat for seat in state.live_seats if seat != observer)
    again = coder.evidence(observation, styles)
    assert np.array_equal(found.codes, again.codes)
    for seat, row in zip(found.seats, found.codes, strict=True):
        told = without_prices(states_of(coder, row))
        assert told == expected(state, seat, variant, styles.style(f"seat{seat}"), None)


@given(hands_in_progress())
def test_what_is_kept_cannot_be_changed_through_an_answer(state: State) -> None:
    coder, book = Coder(EVERYTHING), StyleBook()
    observation = Observation.of(state, 0, labels(state.rules.players))
    before = coder.evidence(observation, book).codes.copy()
    coder.evidence(observation, book).codes[:] = 7
    assert np.array_equal(coder.evidence(observation, book).codes, before)


def test_a_coder_forgets_what_it_cannot_keep(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(rows, "MOST_SITUATIONS", 2)
    random, coder = Random(3), Coder()
    setup = Setup.of(named_game("limit-3p"))
    for _ in range(20):
        state = State(setup, random_cards(random, setup.rules))
        while not state.is_over:
            for observer in range(3):
                observation = Observation.of(state, observer, labels(3))
                found = coder.evidence(observation, of_seats()).codes
                assert np.array_equal(found, Coder().evidence(observation, of_seats()).codes)
            state.act(random_action(random, state.legal_actions))
    assert len(coder._situations) <= 2


# Many hands


def played(seed: int, hands: int, game: str = "limit-4max") -> list[HandRecord]:
    random = Random(seed)
    setup = Setup.of(named_game(game))
    records = []
    for number in range(hands):
        state = State(setup, random_cards(random, setup.rules))
        style = random_style(random)
        while not state.is_over:
            state.act(random_action(random, state.legal_actions, style))
        records.append(HandRecord.of(state, tuple(random.sample(labels(4), 4)), str(number)))
    return records


def test_styles_are_those_known_before_the_hand() -> None:
    records = played(1, 60)
    found = rows_of_hands(records, who=Who.EVERYBODY)
    assert found.shape == (240, 14)
    assert found[:4, :2].tolist() == [[2, 1]] * 4, "in the first hand everybody is a stranger"
    book, place = StyleBook(), 0
    for record in records:
        for label in record.players:
            style = book.style(label)
            assert found[place, :2].tolist() == [style.vpip, style.pfr]
            place += 1
        book.observe(record)


def test_a_book_goes_on_from_what_it_knows() -> None:
    records = played(2, 80)
    book = StyleBook()
    parts = [rows_of_hands(part, EVERYTHING, Who.FLOP, book) for part in (records[:30], records[30:])]
    assert np.array_equal(np.concatenate(parts), rows_of_hands(records, EVERYTHING, Who.FLOP))
    assert rows_of_hands([]).shape == (0, 14)


def compare_with_the_twin(records: Iterable[HandRecord]) -> int:
    """Every row of these hands against the plain twin; returns how many there were."""
    coder, book, count = Coder(EVERYTHING), StyleBook(), 0
    for record in records:
        state = record.state()
        made = coder.rows(record, book, Who.EVERYBODY)
        for seat, row in zip(made.seats, made.codes, strict=True):
            style = book.style(record.players[seat])
            told = without_prices(states_of(coder, row))
            assert told == expected(state, seat, EVERYTHING, style, state.hole_cards(seat)), record.hand_id
            count += 1
        book.observe(record)
    return count


def poker_academy(shared_data: Path, hands: int) -> Iterator[HandRecord]:
    """Heads-up limit hands that were played in Poker Academy, the program of the thesis."""
    found = find_hands(shared_data / "poker_academy_hu_limit_46454.txt.xz")
    return (each.reading for each in islice(found, hands) if isinstance(each.reading, HandRecord))


def test_hands_of_poker_academy(shared_data: Path) -> None:
    assert compare_with_the_twin(poker_academy(shared_data, 150)) == 300


@pytest.mark.soak
def test_many_hands_of_poker_academy(shared_data: Path) -> None:
    assert compare_with_the_twin(poker_academy(shared_data, 46454)) > 90_000


def test_a_draw_that_came_in_is_told_from_one_that_missed() -> None:
    """The extension for partial hands: counted from hands, flushes are likely where the third card of a suit fell."""
    found = rows_of_hands(played(4, 1000), Variant(partial=True), Who.EVERYBODY)
    of = structure(Variant(partial=True))

    def table(name: str) -> np.ndarray:
        axes = [of.place(parent) for parent in (*of.parents[name], name)]
        known = found[(found[:, axes] != UNKNOWN).all(axis=1)]
        counts = np.full(of.shape(name), 1e-3)
        np.add.at(counts, tuple(known[:, axis] for axis in axes), 1.0)
        counts /= counts.sum(axis=-1, keepdims=True)
        return counts

    flush, drew = of.code("HandTypeTurn", "Flush"), of.code("PartialHandFlop", "FlushDraw")
    likelihood = table("FlushChangeTurn")[of.code("FlushBoardFlop", "Draw"), :, drew]
    came, missed = (likelihood[:, of.code("FlushChangeTurn", state)] for state in ("Draw_Possible", "Draw"))
    others = np.arange(17) != flush
    assert came[flush] > 0.99 > missed[flush]
    assert missed[flush] < 0.01
    assert (came[others] < 0.6).all()


# What is refused


def test_only_finished_hands_make_rows() -> None:
    state = act(dealt("limit-2p", {}, "Ah 7h 6c 2h Td"), "r")
    record = HandRecord.of(state, labels(2), "17")
    with pytest.raises(RowError, match="hand 17 is not over, but only finished hands have rows"):
        Coder().rows(record, of_seats())


def test_only_holdem_makes_rows() -> None:
    setup = Setup.of(named_game("leduc-2p"))
    state = State(setup, setup.rules.deck[:3])
    sentence = "leduc-2p, but the network is for hold'em with a full deck"
    with pytest.raises(RowError, match=f"the game is {sentence}"):
        Coder().evidence(Observation.of(state, 0, labels(2)), of_seats())
    while not state.is_over:
        state.act(CALL)
    with pytest.raises(RowError, match=f"hand 3 is {sentence}"):
        Coder().rows(HandRecord.of(state, labels(2), "3"), of_seats())
