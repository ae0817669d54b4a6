"""CASPER's attributes (casper-2007, table 1): counted by hand, by a slow twin and by others' programs."""

import csv
from dataclasses import replace
from math import exp
from pathlib import Path
from random import Random

import pytest
from hypothesis import given, settings
from pokerkit import Automation, FixedLimitTexasHoldem

from folders import DOCS
from railbird.agents.casper import cases as casper_cases
from railbird.agents.casper.attributes import STAGES, describe
from railbird.agents.casper.cases import (
    SOLUTIONS,
    TABLE,
    schema,
    similarity,
)
from railbird.cards import format_cards, parse_cards
from railbird.cbr.schema import Number
from railbird.cbr.similarity import Decay, Linear
from railbird.engine.actions import CALL, FOLD, ActionKind, raise_to
from railbird.engine.games import named_game
from railbird.engine.rules import Betting
from railbird.engine.setup import Setup
from railbird.engine.state import State
from railbird.hands.starting import starting_hand_strength
from railbird.observation import Observation
from reference import casper as reference
from strategies import play, random_action, random_cards, random_rules, random_style, randoms

SIX = "AhAs KdKc 9h8h 7c2d JdTd QsQc 2h5h9c 6d 3s"


def after(letters: str, game: str = "limit-6max:cap=5", cards: str = SIX) -> Observation:
    """What the seat to act sees after actions written as letters."""
    state = State(Setup.of(named_game(game)), parse_cards(cards))
    for letter in letters.replace("/", ""):
        state.act({"f": FOLD, "c": CALL, "r": raise_to(state.legal_actions.raise_minimum)}[letter])
    return seen(state)


def seen(state: State) -> Observation:
    assert state.actor is not None
    return Observation.of(state, state.actor, tuple(f"player {seat}" for seat in range(state.rules.players)))


def of_state(random: Random, actions: int) -> Observation | None:
    """A decision in a random limit game with any blinds, antes, stacks and caps; none where the hand is over."""
    rules = replace(random_rules(random), betting=Betting.LIMIT)
    state = play(random, State(Setup.of(rules), random_cards(random, rules)), actions)
    return None if state.is_over else seen(state)


# Worked out by hand


def test_the_first_to_act_before_the_flop() -> None:
    """Six players, seat 2 with 9h8h under the gun: nobody has acted, both blinds are yet to act."""
    assert describe(after("")) == {
        "number of players": 6,
        "relative position": 0.0,
        "players in current hand": 0,
        "players yet to act": 5,
        "bets committed": 0.0,
        "bets to call": 1.0,
        "pot odds": 10 / 25,
        "hand strength": starting_hand_strength(parse_cards("9h8h")),
    }


def test_the_small_blind_faces_a_raise_and_a_call() -> None:
    found = describe(after("frcf"))
    assert found["relative position"] == 4 / 5
    assert found["players in current hand"] == 2
    assert found["players yet to act"] == 1
    assert found["bets committed"] == 0.5
    assert found["bets to call"] == 1.5
    assert found["pot odds"] == 15 / 70
    assert found["hand strength"] == 1.0


def test_a_player_who_was_raised_is_in_the_hand_and_yet_to_act() -> None:
    """Seat 2 calls, seat 3 raises, seat 4 is to act: the caller has acted, stayed, and must act again."""
    found = describe(after("cr"))
    assert found["players in current hand"] == 2
    assert found["players yet to act"] == 4


def test_a_flop_after_a_raised_pot() -> None:
    """Two raises before the flop; seats 0, 3 and 5 are left with 3 bets each, and the big blind's bet is dead."""
    observation = after("frfrcfc/rc")
    assert observation.seat == 5
    found = describe(observation)
    assert found["number of players"] == 3
    assert found["relative position"] == 1.0
    assert found["players in current hand"] == 2
    assert found["players yet to act"] == 0
    assert found["bets committed"] == 0.0
    assert found["bets to call"] == 1.0
    assert found["small bets in pot"] == 12.0
    assert found["pot odds"] == 1 / 13
    assert found["previous round bets"] == 2


def test_the_turn_counts_big_bets_but_the_pot_in_small_ones() -> None:
    found = describe(after("ffffcc/cc/r"))
    assert found["bets to call"] == 1.0
    assert found["bets committed"] == 0.0
    assert found["small bets in pot"] == 4.0
    assert found["pot odds"] == 20 / 60
    assert found["previous round bets"] == 0
    assert describe(after("ffffcc/cc/rr"))["bets committed"] == 1.0


def test_a_capped_round_fills_the_ranges_of_the_table() -> None:
    """Five bets are the most: the first raiser has paid 4 of 5, the next round remembers the raises."""
    assert describe(after("ffffrrr"))["bets committed"] == 3.0
    capped = describe(after("ffffrrrr"))
    assert (capped["bets committed"], capped["bets to call"]) == (4.0, 1.0)
    assert describe(after("ffffrrrrc/"))["previous round bets"] == 4
    assert describe(after("ffffrrrrc/rrrrrc/"))["previous round bets"] == 5


def test_potentials_are_measured_on_flop_and_turn_only() -> None:
    flop, turn, river = (describe(after(f"ffffcc/{rest}")) for rest in ("", "cc/", "cc/cc/"))
    assert tuple(flop) == tuple(turn) == TABLE.names("flop") == TABLE.names("turn")
    assert tuple(river) == TABLE.names("river")
    assert tuple(describe(after(""))) == TABLE.names("preflop")
    assert len(flop) == 12
    assert len(river) == 10
    assert len(TABLE.names("preflop")) == 8


def test_hand_strength_is_against_a_single_opponent_however_many_there_are() -> None:
    """Alberta's example: AdQc on 3h4cJh is ahead of 58.5 % of all hands; the two-card potentials are 0.208, 0.274."""
    look_ahead = 2
    cards = "AdQc KdKc 9h8h 7c2d 3h4cJh Td 3s"
    for players, actions in ((2, "ffcc"), (4, "cccc")):
        found = describe(after(actions, "limit-4max", cards), look_ahead)
        assert found["number of players"] == players
        assert found["hand strength"] == pytest.approx(0.585, abs=5e-4)
        assert found["positive potential"] == pytest.approx(0.208, abs=5e-4)
        assert found["negative potential"] == pytest.approx(0.274, abs=5e-4)


def test_starting_hands_go_evenly_from_aces_to_seven_deuce() -> None:
    ranks = [starting_hand_strength(parse_cards(text)) for text in ("AhAs", "JdTd", "7h2c")]
    assert ranks == [1.0, 1 - 17 / 168, 0.0]


def test_who_is_not_to_act_has_nothing_to_describe() -> None:
    state = State(Setup.of(named_game("limit-6max")), parse_cards(SIX))
    with pytest.raises(ValueError, match="seat 4 has nothing to decide: seat 2 is to act"):
        describe(Observation.of(state, 4, tuple("abcdef")))


# Slow twins and referees


@settings(max_examples=80)
@given(randoms)
def test_attributes_are_those_of_the_slow_twin(random: Random) -> None:
    observation = of_state(random, random.choice([0, 1, 2, 4, 8, 12]))
    if observation is not None and observation.round != 1:  # the twin takes a second for a flop
        assert describe(observation) == pytest.approx(reference.describe(observation), rel=1e-12)


def test_attributes_of_flops_are_those_of_the_slow_twin() -> None:
    random = Random(5)
    compared = 0
    while compared < 3:
        observation = of_state(random, random.choice([4, 8, 12]))
        if observation is not None and observation.round == 1:
            look_ahead = 2 if compared == 2 else 1
            twin = reference.describe(observation, look_ahead)
            assert describe(observation, look_ahead) == pytest.approx(twin, rel=1e-12)
            compared += 1


@settings(max_examples=80)
@given(randoms)
def test_every_description_fits_the_schema_of_its_stage(random: Random) -> None:
    observation = of_state(random, random.choice([0, 3, 6, 12, 20]))
    if observation is not None:
        schema(STAGES[observation.round]).require(describe(observation))


def test_pokerkit_counts_the_same_players_bets_and_pots() -> None:
    random = Random(11)
    decisions = 0
    for _ in range(60):
        rules = named_game(random.choice(["limit-3p", "limit-4max", "limit-6max", "limit-9max"]))
        decisions += compare_with_pokerkit(State(Setup.of(rules), random_cards(random, rules)), random)
    assert decisions > 600


def compare_with_pokerkit(state: State, random: Random) -> int:
    rules = state.rules
    theirs = FixedLimitTexasHoldem.create_state(
        (
            Automation.ANTE_POSTING,
            Automation.BET_COLLECTION,
            Automation.BLIND_OR_STRADDLE_POSTING,
            Automation.HOLE_CARDS_SHOWING_OR_MUCKING,
            Automation.HAND_KILLING,
            Automation.CHIPS_PUSHING,
            Automation.CHIPS_PULLING,
        ),
        True, 0, rules.blinds, 10, 20, rules.stacks, rules.players,
    )  # fmt: skip
    for seat in range(rules.players):
        theirs.deal_hole(format_cards(state.hole_cards(seat) or ()))
    style = random_style(random)
    acted: set[int] = set()
    players, decisions = rules.players, 0
    while not state.is_over:
        if theirs.can_burn_card():
            theirs.burn_card("??")
            theirs.deal_board(format_cards(state.board[sum(1 for _ in theirs.get_board_cards(0)) :]))
            acted, players = set(), sum(theirs.statuses)
        observation = seen(state)
        assert theirs.actor_index is not None
        seat = theirs.actor_index
        bet = rules.bet_sizes[observation.round]
        to_call = theirs.checking_or_calling_amount or 0
        described = describe(observation)
        assert described["number of players"] == players
        assert described["players yet to act"] == len(theirs.actor_indices) - 1
        assert described["players in current hand"] == sum(
            bool(theirs.statuses[other]) for other in acted - {seat}
        )
        assert described["bets committed"] == theirs.bets[seat] / bet
        assert described["bets to call"] == to_call / bet
        assert described["pot odds"] == to_call / (theirs.total_pot_amount + to_call)
        if observation.round:
            assert described["small bets in pot"] == theirs.total_pot_amount / 10
        action = random_action(random, state.legal_actions, style)
        state.act(action)
        match action.kind:
            case ActionKind.FOLD:
                theirs.fold()
            case ActionKind.CALL:
                theirs.check_or_call()
            case ActionKind.RAISE:
                theirs.complete_bet_or_raise_to(action.to)
        acted.add(seat)
        decisions += 1
    return decisions


def test_strength_and_potentials_are_those_of_the_university_of_alberta(shared_data: Path) -> None:
    with (shared_data / "alberta_hs_ppot_npot.2500.csv").open() as file:
        flops = [row for row in csv.DictReader(file) if len(row["board"]) == 6][:300]
    assert len(flops) == 300
    for row in flops:
        known = parse_cards(row["hole"] + row["board"])
        others = [card for card in range(52) if card not in known]
        cards = f"{row['hole']}{format_cards(others[:2])}{row['board']}{format_cards(others[2:4])}"
        observation = after("cc", "limit-2p", cards)
        for look_ahead in (1, 2):
            found = describe(observation, look_ahead)
            measured = [found[name] for name in ("hand strength", "positive potential", "negative potential")]
            printed = [float(row[name]) for name in ("hs", f"ppot{look_ahead}", f"npot{look_ahead}")]
            assert measured == pytest.approx(printed, abs=1e-9), row


# The table of metrics, ranges and weights


def rows_of_docstring() -> list[list[str]]:
    lines = (casper_cases.__doc__ or "").splitlines()
    return [
        [part.strip() for part in line.split("  ") if part.strip()]
        for line in lines
        if line.startswith("    ")
    ]


def rows_of_page() -> list[list[str]]:
    page = (DOCS / "casper.md").read_text(encoding="utf-8")
    table = page.partition("| attribute |")[2].partition("\n\n")[0]
    return [[part.strip() for part in line.strip("|").split("|")] for line in table.splitlines()][1:]


@pytest.mark.parametrize("rows", [rows_of_docstring()[1:], rows_of_page()[1:]], ids=["docstring", "page"])
def test_every_metric_range_k_and_weight_is_the_documented_one(rows: list[list[str]]) -> None:
    assert [row[0] for row in rows] == [row.attribute.name for row in TABLE.rows]
    for name, span, metric, *weights in rows:
        row = TABLE[name]
        low, high = (float(bound) for bound in span.split(" … "))
        match row.metric:
            case Linear(of_range, rate):
                assert metric == f"linear, span {of_range:g}"
                assert of_range == pytest.approx(high - low)
                assert rate == 1.0
            case Decay(k, unit):
                assert metric == f"decay, k = {k:g}"
                assert unit == 1.0
        assert weights == ["–" if weight is None else f"{weight:g}" for weight in row.weights]


def test_every_stage_uses_the_attributes_with_a_weight() -> None:
    for place, stage in enumerate(STAGES):
        used = tuple(row.attribute.name for row in TABLE.rows if row.weights[place])
        assert sorted(used) == sorted(TABLE.names(stage)) == sorted(schema(stage).names)
        assert similarity(stage).weights() == {
            name: TABLE[name].weights[place] for name in TABLE.names(stage)
        }
        assert schema(stage).solutions == SOLUTIONS == ("fold", "call", "raise")


def test_shared_weights_are_those_of_baycarp() -> None:
    """baycarp-2011, figure 5.8, row by row for the attributes that CASPER has too."""
    figure = {
        "number of players": (5, 5, 5, 5),
        "players in current hand": (10, 5, 5, 5),
        "players yet to act": (5, 5, 5, 5),
        "relative position": (10, 5, 10, 5),
        "bets committed": (5, 20, 10, 10),
        "bets to call": (10, 20, 10, 10),
        "pot odds": (5, 5, 5, 40),
        "hand strength": (50, 80, 80, 80),
        "positive potential": (None, 80, 80, None),
        "negative potential": (None, 80, 80, None),
    }
    assert {name: TABLE[name].weights for name in figure} == figure
    assert {row.attribute.name for row in TABLE.rows} - figure.keys() == {
        "small bets in pot",
        "previous round bets",
    }


def metric_of(name: str) -> Linear | Decay:
    metric = TABLE[name].metric
    assert isinstance(metric, Linear | Decay)
    return metric


def test_equations_1_and_2_by_hand() -> None:
    players, to_call = metric_of("number of players"), metric_of("bets to call")
    assert players(9, 5) == 0.5
    assert players(2, 10) == 0.0
    assert to_call(1.0, 1.0) == 1.0
    assert to_call(0.0, 1.0) == exp(-2) == pytest.approx(0.135, abs=5e-4)
    assert to_call(0.5, 1.0) == exp(-1)


def test_hand_ranks_1_and_18_as_baycarp_compares_them() -> None:
    """baycarp-2011 §5.4.3: about 0.9 by distance, 0.67 by decay with k = 4; CASPER's linear metric gives the former."""
    aces, jack_ten = (starting_hand_strength(parse_cards(text)) for text in ("AhAs", "JdTd"))
    assert round(metric_of("hand strength")(aces, jack_ten), 1) == 0.9
    assert round(Decay(4.0)(aces, jack_ten), 2) == 0.67


def test_equation_3_by_hand() -> None:
    """Before the flop the weights sum to 100, so a loss of local similarity counts its weight in percent."""
    target = describe(after(""))
    assert similarity("preflop").total == 100.0
    assert similarity("preflop")(target, target) == 1.0
    for name, change, loss in (
        ("hand strength", -0.1, 5.0),
        ("relative position", 0.2, 2.0),
        ("players in current hand", 9, 10.0),
        ("bets to call", 1.0, 10.0 * (1 - exp(-2))),
        ("bets committed", 0.5, 5.0 * (1 - exp(-2))),
    ):
        case = {**target, name: float(target[name]) + change}
        assert similarity("preflop")(target, case) == pytest.approx(1 - loss / 100)


def test_a_free_card_and_a_bet_are_never_similar_enough_on_flop_and_river() -> None:
    """One bet to call instead of none costs more than the 3 % that the threshold allows, whatever else is equal."""
    for stage in ("preflop", "flop", "river"):
        parts = similarity(stage)
        loss = parts.weights()["bets to call"] * (1 - exp(-2)) / parts.total
        assert loss > 0.03


@given(randoms)
def test_similarity_is_that_of_the_slow_twin(random: Random) -> None:
    stage = random.choice(STAGES)
    target, case = (random_description(random, stage) for _ in range(2))
    weights = {name: random.choice([0.0, 5.0, 80.0, random.uniform(1, 100)]) for name in TABLE.names(stage)}
    weights["hand strength"] = 50.0
    assert similarity(stage, weights)(target, case) == pytest.approx(
        reference.global_similarity(target, case, weights)
    )
    assert similarity(stage)(target, target) == 1.0
    assert similarity(stage)(target, case) == similarity(stage)(case, target)


def random_description(random: Random, stage: str) -> dict[str, float]:
    """Values within the bounds of the schema, now and then beyond the range of the table."""
    most = {"bets committed": 7.0, "bets to call": 6.0, "small bets in pot": 400.0, "previous round bets": 7}
    found = {}
    for name in TABLE.names(stage):
        attribute = TABLE[name].attribute
        assert isinstance(attribute, Number)
        low, high = attribute.low or 0, most.get(name) or attribute.high or 1
        found[name] = random.randint(int(low), int(high)) if attribute.whole else random.uniform(low, high)
    return found
