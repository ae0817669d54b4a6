"""Players of RLCard see here what they see there, and play."""

import random
from typing import Any

import numpy as np
import pytest
import rlcard

from railbird.adapters.rlcard import RLCardAgent
from railbird.agent import UnsuitableGame, make_agent
from railbird.arena.play.guard import GuardedAgent
from railbird.arena.play.hand import play_hand
from railbird.cards import parse_card
from railbird.engine.actions import CALL, raise_to
from railbird.engine.games import named_game
from railbird.engine.setup import Setup
from railbird.engine.state import State
from railbird.observation import Observation
from railbird.rng import Stream

RULES = named_game("limit-2p:raises=4")


def test_a_player_sees_what_rlcard_shows() -> None:
    """Before the flop, where both games play alike."""
    game, agent, rng = rlcard.make("limit-holdem", config={"seed": 5}), RLCardAgent(None), random.Random(5)
    setup, seen = Setup.of(RULES), 0
    for _ in range(20):
        state, player = game.reset()
        hands = [[parse_card(card[1] + card[0].lower()) for card in hand] for hand in _hands(game)]
        # RLCard's player to act has the small blind; here that is seat 1.
        button = player
        rest = [card for card in range(52) if card not in (*hands[0], *hands[1])][:5]
        hand = State(setup, [*hands[1 - button], *hands[button], *rest])
        while not game.is_over() and game.game.round_counter == 0:
            ours = agent.seen(Observation.of(hand, hand.node.actor or 0, ("a", "b")))
            assert np.array_equal(ours["obs"][:52], state["obs"][:52])
            assert ours["legal_actions"].keys() == state["legal_actions"].keys()
            assert ours["raw_obs"]["my_chips"] == state["raw_obs"]["my_chips"]
            assert sorted(ours["raw_obs"]["all_chips"]) == sorted(state["raw_obs"]["all_chips"])
            if hand.node.reached_by is not None:  # RLCard begins a hand with the counts of the one before
                assert np.array_equal(ours["obs"][52:], state["obs"][52:])
            word = rng.choice([word for word in state["raw_legal_actions"] if word != "fold"])
            state, player = game.step(word, raw_action=True)
            hand.act(raise_to(hand.legal_actions.raise_minimum) if word == "raise" else CALL)
            seen += 1
    assert seen > 50


def _hands(game: "rlcard.envs.Env") -> list[list[str]]:
    return [[card.get_index() for card in player.hand] for player in game.game.players]


def test_players_of_rlcard_play_here() -> None:
    from rlcard.agents import RandomAgent  # takes a second to import
    from rlcard.models import load

    setup = Setup.of(named_game("limit-2p"))
    for player in (load("limit-holdem-rule-v1").agents[0], RandomAgent(num_actions=4)):
        agents = [RLCardAgent(player), make_agent("random")]
        for number in range(10):
            state = State.deal(setup, Stream.from_seed(number))
            assert sum(play_hand(state, agents, ("model", "random"), hand_number=number).payoffs) == 0
    with pytest.raises(
        UnsuitableGame, match="^RLCard's limit-holdem is heads-up limit hold'em, not nolimit-2p$"
    ):
        agents[0].verify_game(named_game("nolimit-2p"))


class Answers:
    """A player that answers with whatever it is told to."""

    def __init__(self, answer: Any) -> None:
        self.answer = answer

    def eval_step(self, state: dict[str, Any]) -> Any:
        return self.answer


@pytest.mark.parametrize("answer", [None, (9, {}), (-1, {}), ("bet", {}), 1])
def test_a_player_that_answers_wrongly_is_a_named_fault(answer: Any) -> None:
    guarded = GuardedAgent("model", RLCardAgent(Answers(answer)))
    state = State.deal(Setup.of(named_game("limit-2p")), Stream.from_seed(1))
    play_hand(state, [make_agent("always-call"), guarded], ("call", "model"))
    found = f"it answered with {answer!r}, which names none of call, raise, fold, check"
    assert str(guarded.records[0]) == f"model, in hand 0: not a decision: {found}"
