"""Every game as an environment of PettingZoo: its own tests pass, and nothing hidden is seen."""

import random
import warnings

import numpy as np
import pytest
from pettingzoo.test import api_test, seed_test

from railbird.adapters.pettingzoo import PokerEnv, env
from railbird.engine.actions import ActionError
from railbird.engine.games import GAME_NAMES


def test_every_game_passes_the_tests_of_pettingzoo(capsys: pytest.CaptureFixture[str]) -> None:
    for game in GAME_NAMES:
        with warnings.catch_warnings():
            # They recommend plain arrays, without masks of actions, and masks that always allow something.
            warnings.filterwarnings("ignore", "Observation|Action mask", UserWarning)
            api_test(env(game), num_cycles=20)
    seed_test(lambda: env("nolimit-3p"), num_cycles=10)
    assert capsys.readouterr().out.count("Passed API test") == len(GAME_NAMES)


def play(poker: PokerEnv, rng: random.Random) -> dict[str, float]:
    """A hand of random actions; the rewards at its end."""
    rewards = {}
    for agent in poker.agent_iter():
        observation, reward, termination, truncation, info = poker.last()
        assert observation is not None
        assert not truncation
        mask = observation["action_mask"]
        if termination:
            rewards[agent] = reward
            assert not mask.any()
            poker.step(None)
        else:
            assert reward == 0
            assert tuple(np.flatnonzero(mask)) == info["legal_actions"]
            poker.step(rng.choice(info["legal_actions"]))
    return rewards


@pytest.mark.parametrize(
    "game",
    ["leduc-2p", "limit-2p", "nolimit-4max:stack=300/900/2000/2000", "potlimit-3p", "nolimit-2p:stack=50"],
)
def test_rewards_are_what_the_engine_pays_and_a_seed_repeats_its_hands(game: str) -> None:
    poker, again = env(game), env(game)
    poker.reset(seed=3)
    again.reset(seed=3)
    for number in range(40):
        rewards = play(poker, random.Random(number))
        unit = poker.hand.rules.unit_chips
        assert list(rewards.values()) == [float(won / unit) for won in poker.hand.payoffs]
        assert play(again, random.Random(number)) == rewards
        assert again.hand == poker.hand
        poker.reset()
        again.reset()


def test_an_observation_has_the_documented_parts_and_only_own_cards() -> None:
    poker = env("limit-2p")
    poker.reset(seed=5)
    for action in (1, 1, 1, 2, 1):  # limp, check, flop: check, bet, call
        poker.step(action)
    hand = poker.hand
    for agent, seat in (("player_0", 0), ("player_1", 1)):
        seen = poker.observe(agent)["observation"]
        own, board, rest = seen[:52], seen[52:104], seen[104:].tolist()
        assert set(np.flatnonzero(own)) == set(hand.cards[2 * seat : 2 * seat + 2])
        assert set(np.flatnonzero(board)) == set(hand.cards[4:8])
        assert rest[:4] == [0, 0, 1, 0]
        assert rest[4:6] == [float(seat == 0), float(seat == 1)]
        assert rest[6:10] == [0, 1, 0, 0]
        assert rest[10:12] == [4, 0]
        assert rest[12:] == pytest.approx([1, 0, 2, 0.99] * 2)
    assert poker.observe("player_1")["action_mask"].tolist() == [0, 0, 0]
    assert poker.observe("player_0")["action_mask"].tolist() == [0, 1, 1]


def test_what_cannot_be_done_is_refused_with_a_sentence() -> None:
    poker = env("limit-2p", render_mode="ansi")
    poker.reset(seed=1)
    poker.step(1)
    with pytest.raises(ActionError, match="^player_0 may not do 0: the mask allows 1, 2$"):
        poker.step(0)
    for odd in (None, "raise", [2], 2.5):
        with pytest.raises(ActionError, match="^player_0 may not do .*: the mask allows 1, 2$"):
            poker.step(odd)  # type: ignore[arg-type]
    assert str(poker.render()) == "<State of limit-2p: preflop, pot 20, seat 0 to act>"
    poker.step(2)
    poker.step(0)
    with pytest.raises(ActionError, match="^the hand is over: player_0 can only take the action None$"):
        poker.step(1)


def test_bets_of_other_sizes_are_other_actions() -> None:
    poker = env("nolimit-2p", actions="fcqpda")
    poker.reset(seed=1)
    assert poker.action_space("player_0").n == 6
    poker.step(4)
    assert poker.last()[0]["observation"][104 + 4 + 2 + 4] == 6.0  # type: ignore[index]
