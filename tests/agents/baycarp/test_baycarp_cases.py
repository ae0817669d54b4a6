"""BayCaRP's table of attributes, metrics and weights, and what its actions cost and are worth."""

from math import exp

import pytest

from railbird.agents.baycarp.attributes import HAND_TYPES, describe
from railbird.agents.baycarp.cases import SOLUTIONS, TABLE, THRESHOLDS, schema, similarity, target
from railbird.agents.casper.attributes import STAGES
from railbird.cards import parse_cards
from railbird.cbr.case_base import CaseBase
from railbird.cbr.cycle.episode import Episode
from railbird.cbr.cycle.retrieve import AtLeastElseNearest, Retrieve
from railbird.cbr.cycle.reuse import Among, BestSumOfOutcomes, MaxFrequency
from railbird.engine.actions import CALL, FOLD, ActionKind, raise_to
from railbird.engine.games import named_game
from railbird.engine.setup import Setup
from railbird.engine.state import State
from railbird.features.outcomes import cost, g_bucks, name_of, paid_outcome, possible
from railbird.features.relative import Relative
from railbird.observation import Observation

# baycarp-2011, figure 5.8: weights before the flop, on the flop, turn and river
FIGURE_5_8 = {
    "number of players": (5, 5, 5, 5),
    "players in hand": (10, 5, 5, 5),
    "players yet to act": (5, 5, 5, 5),
    "relative position": (10, 5, 10, 5),
    "bets committed": (5, 20, 10, 10),
    "bets to call": (10, 20, 10, 10),
    "bets total": (0, 5, 5, 15),
    "pot odds": (5, 5, 5, 40),
    "opponent hand type 1": (0, 5, 5, 5),
    "opponent hand type 2": (0, 5, 5, 5),
    "opponent hand type 3": (0, 5, 5, 5),
    "positive potential": (0, 80, 80, 0),
    "negative potential": (0, 80, 80, 0),
}
RELATIVE = Relative(0.565, 0.087, 0.158, ("Busted", "JackPair", "AcePairStrong"))
STORY = (("Busted", 0.64), ("JackPair", 0.07), ("AcePairStrong", 0.05))


def after(actions: str, players: int = 2) -> Observation:
    """What the seat to act sees after these actions, each one of f, c and r; with two players it holds aces."""
    cards = "AhAdAcAsKhKdKcKsThTd9h9d8h8d6h6d"[: 4 * players] + "Jc7d2s5hQc"
    state = State(
        Setup.of(named_game(f"limit-{players}{'p' if players == 2 else 'max'}")), parse_cards(cards)
    )
    for letter in actions:
        raising = letter == "r"
        state.act(raise_to(state.legal_actions.raise_minimum) if raising else CALL if letter == "c" else FOLD)
    assert state.actor is not None
    return Observation.of(state, state.actor, tuple("ABCDEFGH"[:players]))


THREE_BET = "rfrfffffc"
"""Eight-handed: the first player raises, the third makes it three bets, everybody else folds, the first calls."""


# The table


@pytest.mark.parametrize("stage", STAGES)
def test_weights_are_those_of_the_figure(stage: str) -> None:
    place = STAGES.index(stage)
    expected = {name: weights[place] for name, weights in FIGURE_5_8.items() if weights[place]}
    expected["hand rank" if stage == "preflop" else "relative hand strength"] = (
        50 if stage == "preflop" else 80
    )
    assert similarity(stage).weights() == {name: expected[name] for name in TABLE.names(stage)}
    assert set(expected) == set(TABLE.names(stage))


def test_the_docstring_has_the_table() -> None:
    import railbird.agents.baycarp.cases as module

    assert module.__doc__ is not None
    lines = {line.strip()[:24].strip(): line.split()[-4:] for line in module.__doc__.splitlines()}
    for row in TABLE.rows:
        weights = ["–" if weight is None else f"{weight:g}" for weight in row.weights]
        assert lines[row.attribute.name] == weights
    assert lines["similar at least"][-1] == "%"
    assert list(THRESHOLDS.values()) == [0.95, 0.93, 0.91, 0.90]


def test_pocket_aces_and_jack_ten_suited_are_two_thirds_similar() -> None:
    hand_rank = similarity("preflop").parts["hand rank"][0]
    assert hand_rank(1, 18) == pytest.approx(0.67, abs=0.005)  # type: ignore[arg-type]


@pytest.mark.parametrize(
    ("name", "k"),
    [
        ("relative hand strength", 3),
        ("positive potential", 2),
        ("negative potential", 2),
        ("bets to call", 2),
        ("bets committed", 4),
    ],
)
def test_the_rates_of_decay_are_printed(name: str, k: int) -> None:
    local = similarity("flop").parts[name][0]
    span = 5 if name.startswith("bets") else 1
    assert local(0, span / 2) == pytest.approx(exp(-k / 2))  # type: ignore[arg-type]


def test_hand_types_are_compared_by_how_probable_they_are() -> None:
    """Table 5.4: full house 39 %, three of a kind 27 %, two pair 24 %."""
    types = (("FullHouse", 0.39), ("ThreeOfAKind", 0.27), ("TwoPair", 0.24))
    printed = ((1.00, 0.88, 0.85), (0.88, 1.00, 0.97), (0.85, 0.97, 1.00))
    description = describe(after("cc"), Relative(0.5, 0.1, 0.1, tuple(name for name, _ in types)))  # type: ignore[arg-type]
    local = target("flop", description, types).own[HAND_TYPES[0]]
    for (query, _), row in zip(types, printed, strict=True):
        for (case, _), value in zip(types, row, strict=True):
            assert local(query, case) == pytest.approx(value)  # type: ignore[arg-type]
        assert local(query, "Flush") == 0.0  # type: ignore[arg-type]


def test_a_case_whose_types_stand_in_another_order_is_less_similar() -> None:
    base = CaseBase(schema("flop"))
    seen = describe(after("cc"), RELATIVE)
    turned = seen | dict(zip(HAND_TYPES, ("JackPair", "Busted", "AcePairStrong"), strict=True))
    base.add(seen, "bet", 1.0)
    base.add(turned, "check", 1.0)
    problem = target("flop", seen, STORY)
    found = Retrieve(similarity("flop"), AtLeastElseNearest(0.5, 20))(base, Episode(problem)).retrieved
    assert found is not None
    total = sum(similarity("flop").weights().values())
    assert found.similarities.tolist() == pytest.approx([1.0, 1.0 - 2 * 5 * 0.57 / total])


# The case of §6.3


def test_the_flop_case_of_the_story() -> None:
    """Alone with the raiser after a three-bet, checked to: figure 6.7, whose bets total are in small blinds."""
    found = describe(after(THREE_BET + "c", players=8), RELATIVE)
    assert found == {
        "number of players": 2,
        "players in hand": 1,
        "players yet to act": 0,
        "relative position": 1.0,
        "bets committed": 0.0,
        "bets to call": 0.0,
        "pot odds": pytest.approx(0.118, abs=0.0005),
        "bets total": 3.0,
        "relative hand strength": 0.565,
        "opponent hand type 1": "Busted",
        "opponent hand type 2": "JackPair",
        "opponent hand type 3": "AcePairStrong",
        "positive potential": 0.087,
        "negative potential": 0.158,
    }


def test_the_river_case_of_the_story() -> None:
    """Bets on flop and turn were called, and the opponent bets the river: figure 6.12, in small blinds."""
    found = describe(after(THREE_BET + "crccrcr", players=8), RELATIVE)
    assert found["pot odds"] == pytest.approx(0.114, abs=0.0005)
    assert (found["bets total"], found["bets to call"], found["bets committed"]) == (6.0, 1.0, 0.0)
    assert (found["number of players"], found["players in hand"], found["players yet to act"]) == (2, 1, 0)


def test_with_nothing_to_call_the_price_is_one_bet_of_the_round() -> None:
    assert describe(after("c"), None)["pot odds"] == 1 / 3  # the big blind's option: one small bet into two
    assert describe(after("cccc"), RELATIVE)["pot odds"] == 2 / 4  # the turn: one big bet, two small bets
    assert describe(after(""), None)["pot odds"] == 5 / 20  # the small blind has half a bet to call


def test_the_river_has_no_potentials_and_preflop_nothing_relative() -> None:
    river = describe(after("rrccrccrcr"), RELATIVE)
    assert "positive potential" not in river
    assert river["bets total"] == 6.0
    assert river["bets to call"] == 1.0
    before = describe(after(""), None)
    assert before["hand rank"] == 1
    assert not set(HAND_TYPES) & before.keys()
    with pytest.raises(ValueError, match="measured against what opponents are believed to hold"):
        describe(after("cc"), None)


# Possible actions


def test_only_what_is_possible_has_a_vote() -> None:
    base = CaseBase(schema("flop"))
    seen = describe(after("cc"), RELATIVE)
    for solution, times in (("fold", 5), ("check", 2), ("call", 4), ("bet", 3), ("raise", 4)):
        for _ in range(times):
            base.add(seen, solution, 1.0)
    problem = Episode(target("flop", seen, STORY))
    retrieve = Retrieve(similarity("flop"), AtLeastElseNearest(0.93, 20))
    for allowed, best in (
        ({"check", "bet"}, "bet"),
        ({"fold", "call", "raise"}, "fold"),
        ({"call", "raise"}, "call"),
    ):
        strategy = Among(MaxFrequency(), frozenset(allowed))(base, retrieve(base, problem)).strategy
        assert strategy is not None
        assert strategy.best == best
        assert sum(strategy.votes) == sum(
            votes for name, votes in zip(SOLUTIONS, (5, 2, 4, 3, 4), strict=True) if name in allowed
        )
    assert Among(BestSumOfOutcomes(), frozenset({"nothing"}))(base, retrieve(base, problem)).strategy is None


def test_the_five_actions_in_their_places() -> None:
    first = after("")
    assert possible(first) == {"fold", "call", "raise"}
    checked = after("cc")
    assert possible(checked) == {"check", "bet"}
    assert [name_of(checked, kind) for kind in (ActionKind.CALL, ActionKind.RAISE)] == ["check", "bet"]
    capped = after("rrr")
    assert possible(capped) == {"fold", "call"}


# Outcomes


def test_costs_are_those_of_the_action() -> None:
    first = after("")
    assert [cost(first, action) for action in ("fold", "call", "raise")] == [0.0, 0.5, 1.5]
    turn = after("cccc")
    assert [cost(turn, action) for action in ("check", "bet")] == [0.0, 2.0]
    assert paid_outcome(1.5, won=True) == 1.5
    assert paid_outcome(1.5, won=False) == -1.5


def test_a_bet_is_worth_more_than_a_check_from_one_half_on() -> None:
    checked = after("cc")
    for equity in (0.3, 0.5, 0.7):
        check, bet = g_bucks(checked, "check", equity), g_bucks(checked, "bet", equity)
        assert check == pytest.approx(equity * 2)
        assert bet == pytest.approx(equity * 4 - 1)
        assert (bet > check) == (equity > 0.5)


def test_a_call_is_worth_its_pot_odds_and_a_fold_nothing() -> None:
    facing = after("ccr")
    assert g_bucks(facing, "fold", 0.9) == 0.0
    assert g_bucks(facing, "call", 0.25) == pytest.approx(0.0)
    assert g_bucks(facing, "raise", 0.5) == pytest.approx(0.5 * 6 - 2)
