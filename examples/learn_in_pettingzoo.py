"""Learn Leduc hold'em in PettingZoo: which opening pays, tried at random (needs the extra `rl`)."""

import random
from collections import defaultdict

from railbird.adapters.pettingzoo import env

HANDS = 3000
RANKS = "QKA"

poker = env("leduc-2p")
poker.reset(seed=1)
rng = random.Random(1)
won: dict[tuple[str, str], list[float]] = defaultdict(list)
for _ in range(HANDS):
    poker.reset()
    opening = None
    for agent in poker.agent_iter():
        observation, reward, termination, truncation, info = poker.last()
        if termination or truncation:
            if agent == "player_0" and opening is not None:
                won[opening].append(reward)
            poker.step(None)
            continue
        action = rng.choice(info["legal_actions"])
        if opening is None:
            assert observation is not None
            own = observation["observation"][:6].argmax()
            opening = RANKS[own // 2], "bets" if action == 2 else "checks"
        poker.step(action)

print(f"{HANDS:,} hands of Leduc hold'em; what player_0 wins on average, in small bets:")
for (rank, action), rewards in sorted(won.items(), key=lambda each: RANKS.index(each[0][0])):
    print(f"  {rank}: {action:6} {sum(rewards) / len(rewards):+.2f}")
