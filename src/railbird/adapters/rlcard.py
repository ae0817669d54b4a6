"""Players of RLCard's limit hold'em as our agents (`pip install rlcard`).

RLCard's game is heads-up limit hold'em with four raises in every round; where ours has the cap of another game, its
players see that they may not raise.
"""

from numbers import Integral
from typing import Any

from railbird.agent import Agent, Decision
from railbird.agent.contract import UnsuitableGame
from railbird.agent.faults import AgentFault, Fault
from railbird.cards import Card, format_card
from railbird.engine.actions import CALL, FOLD, ActionKind, raise_to
from railbird.engine.rules import Betting, GameRules
from railbird.extras import require_extra
from railbird.kernels.rules import betting
from railbird.observation import Observation

GAME = "limit-holdem"
_CHIPS_OF_BIG_BLIND = 2
_MOST_RAISES = 4


class RLCardAgent(Agent):
    """A player of RLCard: an object with `eval_step`, as in `rlcard.models.load("limit-holdem-rule-v1").agents`."""

    title = "RLCard"

    def __init__(self, player: Any) -> None:
        require_extra("bench", "rlcard", "a player of RLCard")
        import rlcard

        self._player = player
        self._environment = rlcard.make(GAME)

    def verify_game(self, rules: GameRules) -> None:
        """Only heads-up limit hold'em is played."""
        if not (rules.players == 2 and rules.betting is Betting.LIMIT and rules.is_holdem):
            raise UnsuitableGame(f"RLCard's {GAME} is heads-up limit hold'em, not {rules.name}")

    def act(self, observation: Observation) -> Decision:
        """Show the player what it would see in RLCard; an action that is not legal here becomes a check or call."""
        word = self._word(self._player.eval_step(self.seen(observation)))
        legal = observation.legal_actions
        if word == "raise" and legal.can_raise:
            return Decision(raise_to(legal.raise_minimum))
        return Decision(FOLD if word == "fold" and legal.fold else CALL)

    def _word(self, answer: Any) -> str:
        """RLCard's word for the action of an answer: a word or a number, with what else the player tells."""
        actions = self._environment.actions
        if isinstance(answer, tuple) and answer:
            chosen = answer[0]
            if isinstance(chosen, str) and chosen in actions:
                return chosen
            if isinstance(chosen, Integral) and 0 <= int(chosen) < len(actions):
                return str(actions[int(chosen)])
        raise AgentFault(
            Fault.NOT_A_DECISION, f"it answered with {answer!r:.60}, which names none of {', '.join(actions)}"
        )

    def seen(self, observation: Observation) -> dict[str, Any]:
        """What RLCard's environment would show in the situation."""
        legal, unit = observation.legal_actions, observation.rules.big_blind / _CHIPS_OF_BIG_BLIND
        chips = [int(paid / unit) for paid in observation.paid]
        # RLCard lets a player fold whenever it is to act.
        words = ["call"] if legal.call else []
        words += (["raise"] if legal.can_raise else []) + ["fold"] + ([] if legal.call else ["check"])
        state: dict[str, Any] = self._environment._extract_state(
            {
                "hand": [_name(card) for card in observation.hole_cards],
                "public_cards": [_name(card) for card in observation.board],
                "all_chips": chips,
                "my_chips": chips[observation.seat],
                "legal_actions": words,
                "raise_nums": _raises(observation),
            }
        )
        return state


def _raises(observation: Observation) -> list[int]:
    """Bets and raises by round."""
    found = [0] * observation.rules.rounds
    for node in observation.node.path:
        assert node.reached_by is not None
        before, action = node.reached_by
        found[before.view[betting.ROUND]] += action.kind is ActionKind.RAISE
    return [min(count, _MOST_RAISES) for count in found]


def _name(card: Card) -> str:
    """A card as RLCard writes it: the suit, then the rank."""
    text = format_card(card)
    return text[1].upper() + text[0]
