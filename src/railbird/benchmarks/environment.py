"""Speed of a random rollout through PettingZoo, with observations, masks and rewards.

Both sides play at random, as in `engine`: fold (when there is something to call), call or raise with equal probability.
Each side runs the loop that its framework documents: ours `agent_iter`, `last` and `step`, RLCard's `Env.run`. Both
show every player what it sees before each of its actions, and once more after the hand.
"""

import random
from collections.abc import Iterator, Mapping
from typing import Any

from railbird.benchmarks.measuring import Figure, Work, compare_rates, if_installed
from railbird.extras import require_extra

HANDS = 5_000
_RLCARD_FOLD, _RLCARD_CHECK = 2, 3


def figures() -> Iterator[Figure]:
    """Heads-up limit against RLCard."""
    require_extra("rl", "pettingzoo", "a rollout through PettingZoo")
    name, ours = "random rollout through PettingZoo, heads-up limit", _rollout("limit-2p", HANDS)
    yield compare_rates(name, ours, "RLCard", _rlcard(HANDS // 5), unit="hands/s", required=5, turns=9)


def _rollout(game: str, hands: int) -> Work:
    from railbird.adapters.pettingzoo import env

    draw = random.Random(7).random
    poker = env(game)
    poker.reset(seed=7)

    def work() -> int:
        for _ in range(hands):
            poker.reset()
            for _ in poker.agent_iter():
                _, _, termination, truncation, info = poker.last()
                if termination or truncation:
                    poker.step(None)
                else:
                    legal = info["legal_actions"]
                    poker.step(legal[int(draw() * len(legal))])
        return hands

    return work


class _RandomPlayer:
    """A player of RLCard that draws as quickly as ours."""

    use_raw = False

    def __init__(self) -> None:
        self._draw = random.Random(7).random

    def eval_step(self, state: Mapping[str, Any]) -> tuple[int, dict[str, Any]]:
        """A legal action, but no fold where checking is free."""
        legal = list(state["legal_actions"])
        if _RLCARD_CHECK in legal:
            legal.remove(_RLCARD_FOLD)
        return legal[int(self._draw() * len(legal))], {}


@if_installed
def _rlcard(hands: int) -> Work:
    import rlcard

    game = rlcard.make("limit-holdem", config={"seed": 7})
    game.set_agents([_RandomPlayer(), _RandomPlayer()])

    def work() -> int:
        for _ in range(hands):
            game.run(is_training=False)
        return hands

    return work
