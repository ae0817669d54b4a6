"""The compiled betting rules and their slow twin agree after every action of random games of every kind."""

from random import Random

import pytest

from railbird.engine.actions import ActionKind
from railbird.engine.state import State
from railbird.hands.evaluator import evaluate
from reference.betting import Table
from strategies import random_action, random_cards, random_setup, random_style

GAMES_A_SEED = 500


def situation(state: State) -> dict[str, object]:
    """Everything that the compiled rules say."""
    legal = state.node.legal
    return {
        "turn": state.actor,
        "round": state.round,
        "stacks": list(state.stacks),
        "bets": list(state.bets),
        "paid": list(state.paid),
        "pot": state.pot,
        "folded": list(state.folded),
        "to match": state.to_match,
        "raises": state.raises,
        "pots": [(pot.amount, list(pot.seats)) for pot in state.pots],
        "legal": (legal.fold, legal.call, legal.raise_minimum, legal.raise_maximum),
    }


def expected(table: Table) -> dict[str, object]:
    """The same from the twin."""
    seat = table.turn
    nothing = (False, 0, 0, 0)
    return {
        "turn": seat,
        "round": table.round,
        "stacks": table.stacks,
        "bets": table.bets,
        "paid": table.paid(),
        "pot": table.pot(),
        "folded": table.folded,
        "to match": table.bet_to_match(),
        "raises": len(table.raises()),
        "pots": table.pots(),
        "legal": nothing
        if seat is None
        else (table.may_fold(seat), table.to_call(seat), *table.raise_bounds(seat)),
    }


@pytest.mark.parametrize(
    "seed", [0, 1, 2, *(pytest.param(seed, marks=pytest.mark.soak) for seed in range(3, 8))]
)
def test_the_compiled_rules_agree_with_the_twin_after_every_action(seed: int) -> None:
    random = Random(f"betting twin {seed}")
    for number in range(GAMES_A_SEED):
        setup = random_setup(random)
        state = State(setup, random_cards(random, setup.rules))
        table = Table(setup.rules, setup.stacks, setup.blinds, setup.antes, setup.first)
        style = random_style(random)
        while True:
            assert situation(state) == expected(table), (number, setup, state.actions)
            if state.is_over:
                break
            action = random_action(random, state.legal_actions, style)
            state.act(action)
            match action.kind:
                case ActionKind.FOLD:
                    table.fold()
                case ActionKind.CALL:
                    table.call()
                case ActionKind.RAISE:
                    table.raise_to(action.to)
        values = [evaluate((*(state.hole_cards(seat) or ()), *state.cards[-5:])) for seat in table.seats]
        assert list(state.payoffs) == table.payoffs(values), (number, setup, state.actions)
