"""Speed of a random rollout through PettingZoo, with observations, masks and rewards.

Both sides play at random, as in `engine`: fold (when there is something to call), call or raise with equal probability.
Ours is the loop that PettingZoo documents, `agent_iter`, `last` and `step`, which shows every player what it sees
before each of its actions and once more after the hand. The peer is RLCard's bare loop of `reset` and `step`, which
shows it before each action only, and is faster than the `Env.run` that RLCard documents. Processor time is measured.
"""

import random
from collections.abc import Iterator

from railbird.benchmarks.measuring import Figure, Work, compare_rates, if_installed
from railbird.extras import require_extra

HANDS = 5_000
_RLCARD_FOLD, _RLCARD_CHECK = 2, 3


def figures() -> Iterator[Figure]:
    """Heads-up limit against RLCard."""
    require_extra("rl", "pettingzoo", "a rollout through PettingZoo")
    name, ours = "random rollout through PettingZoo, heads-up limit", _rollout("limit-2p", HANDS)
    yield compare_rates(
        name,
        ours,
        "RLCard",
        _rlcard(HANDS // 5),
        unit="hands/s",
        required=5,
        turns=9,
    )


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


@if_installed
def _rlcard(hands: int) -> Work:
    import rlcard

    draw = random.Random(7).random
    game = rlcard.make("limit-holdem", config={"seed": 7})

    def work() -> int:
        for _ in range(hands):
            state, _ = game.reset()
            while not game.is_over():
                legal = list(state["legal_actions"])
                if _RLCARD_CHECK in legal:
                    legal.remove(_RLCARD_FOLD)
                state, _ = game.step(legal[int(draw() * len(legal))])
            game.get_payoffs()
        return hands

    return work
