"""Write a bot and play it against another agent: `python examples/write_a_bot.py`."""

import railbird
from railbird.engine import CALL, FOLD, raise_to
from railbird.observation import Observation


class Patient(railbird.Agent):
    """Raises with a pocket pair, calls while it is cheap, and folds otherwise."""

    def act(self, observation: Observation) -> railbird.Decision:
        """Decide from what this seat may know."""
        first, second = railbird.format_cards(observation.hole_cards, " ").split()
        legal = observation.legal_actions
        if first[0] == second[0] and legal.can_raise:
            return railbird.Decision(raise_to(legal.raise_minimum))
        cheap = observation.to_call <= observation.rules.small_bet
        return railbird.Decision(CALL if cheap or not legal.fold else FOLD)


def main() -> None:
    """Play the bot of this file against an included agent."""
    results = railbird.match([f"{__file__}:Patient", "rulebot"], hands=200, duplicate=True, seed=1)
    print(results.to_frame().select("player", "hands", "rate", "low", "high", "unit"))


if __name__ == "__main__":
    main()
