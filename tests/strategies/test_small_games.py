"""Kuhn and Leduc poker exactly: values and exploitabilities are those that OpenSpiel finds for the same strategies."""

import numpy as np
import pyspiel
import pytest
from numpy.typing import NDArray
from open_spiel.python.algorithms import expected_game_score, exploitability
from open_spiel.python.policy import TabularPolicy

from railbird.engine.games import named_game
from railbird.strategies.small_games import SmallGame, TooManyDeals

THEIRS = {"kuhn-2p": "kuhn_poker", "kuhn-3p": "kuhn_poker(players=3)", "leduc-2p": "leduc_poker"}


def random_profile(game: SmallGame, seed: int) -> NDArray[np.float64]:
    weights = np.random.default_rng(seed).random(game.legal.shape) ** 3 * game.legal
    profile: NDArray[np.float64] = weights / weights.sum(axis=1, keepdims=True)
    return profile


def letter_of(name: str, words: str, action: int) -> str:
    """Our letter for their action: in Kuhn poker they pass and bet, and after a bet these are fold and call."""
    if name == "leduc-2p":
        return "fcr"[action]
    return "fc"[action] if "r" in words else "cr"[action]


def policy_of(name: str, game: SmallGame, profile: NDArray[np.float64]) -> TabularPolicy:
    """Our profile as theirs."""
    theirs = pyspiel.load_game(THEIRS[name])
    policy = TabularPolicy(theirs)
    places = {
        (game.tree.words[each.node], each.hole + each.board): place
        for place, each in enumerate(game.information_sets)
    }
    deck = game.rules.deck
    for state in policy.states:
        history = [(each.player, each.action) for each in state.full_history()]
        dealt = [deck[action] for player, action in history if player < 0]
        words = ""
        for player, action in history:
            if player >= 0:
                words += letter_of(name, words, action)
        seen = (dealt[state.current_player()], *dealt[game.rules.players :])
        row = profile[places[words, seen]]
        probabilities = policy.action_probability_array[policy.state_index(state)]
        probabilities[:] = 0
        for action in state.legal_actions():
            letter = letter_of(name, words, action)
            probabilities[action] = row["fcr".index(letter)]
    return policy


@pytest.mark.parametrize("name", THEIRS)
def test_openspiel_finds_the_same_values_and_exploitability(name: str) -> None:
    game = SmallGame(named_game(name))
    for profile in (game.uniform(), random_profile(game, 1), random_profile(game, 2)):
        policy = policy_of(name, game, profile)
        values = expected_game_score.policy_value(
            policy.game.new_initial_state(), [policy] * game.rules.players
        )
        assert game.values(profile) == pytest.approx(values, abs=1e-9)
        theirs = exploitability.nash_conv(policy.game, policy) / game.rules.players
        assert game.exploitability(profile) == pytest.approx(theirs, abs=1e-9)


def test_leduc_has_936_information_sets_and_120_deals() -> None:
    game = SmallGame(named_game("leduc-2p"))
    assert len(game.information_sets) == 936
    assert len(game.deals) == 120
    assert (game.payoffs.sum(axis=0) == 0).all()


def test_a_best_response_wins_what_it_says_and_nothing_wins_more() -> None:
    game = SmallGame(named_game("leduc-2p"))
    profile = random_profile(game, 3)
    for seat in (0, 1):
        value, answer = game.best_response(profile, seat)
        assert game.values(answer)[seat] == pytest.approx(value)
        others = np.array([each.seat != seat for each in game.information_sets])
        assert np.array_equal(answer[others], profile[others])
        for seed in range(5):
            tried = np.where(others[:, None], profile, random_profile(game, 10 + seed))
            assert game.values(tried)[seat] <= value + 1e-12


def test_who_always_folds_loses_the_ante_to_a_best_response() -> None:
    game = SmallGame(named_game("kuhn-2p"))
    folding = np.where(game.legal[:, [0]], [1.0, 0.0, 0.0], [0.0, 1.0, 0.0])
    assert [game.best_response(folding, seat)[0] for seat in (0, 1)] == [1.0, 1.0]


def test_holdem_has_too_many_deals() -> None:
    with pytest.raises(TooManyDeals, match="limit-2p has more than 200,000 deals"):
        SmallGame(named_game("limit-2p"))
