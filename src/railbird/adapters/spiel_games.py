"""Games of OpenSpiel and the same games here: their rules, and situations translated both ways.

`kuhn_poker`, `leduc_poker` and `universal_poker` are known; the last one is limit or no-limit as the ACPC's server
plays it. Players and positions are the same on both sides. In no-limit, a bet that the betting abstraction of a game in
OpenSpiel does not have becomes the nearest one that it has.
"""

import re
from typing import TypeAlias

import pyspiel

from railbird.engine.actions import CALL, FOLD, Action, ActionKind, raise_to
from railbird.engine.betting_tree import BettingNode
from railbird.engine.games import named_game
from railbird.engine.rules import UNLIMITED_STACK, Betting, GameRules
from railbird.engine.setup import Setup
from railbird.engine.state import UNKNOWN, State
from railbird.notation.acpc.betting import follow, paid_before_round
from railbird.notation.acpc.game import GameFileError, format_game, parse_game
from railbird.notation.game_names import find_game
from railbird.observation import Observation

SpielState: TypeAlias = pyspiel.State

_FOLD, _CALL, _RAISE = 0, 1, 2
"""OpenSpiel's numbers of actions; in Kuhn poker 0 passes and 1 bets."""
_ACPC_LINE = re.compile(r"^ACPC State: STATE:\d+:([^:]*):", re.MULTILINE)
_AMOUNT = re.compile(r"r(\d+)$")
_FIELDS = (
    "numPlayers", "numRounds", "stack", "blind", "raiseSize", "firstPlayer", "maxRaises", "numSuits", "numRanks",
    "numHoleCards", "numBoardCards",
)  # fmt: skip
"""Parameters of `universal_poker`, which are fields of a `.game` file."""


class SpielGameError(ValueError):
    """A game that one side has and the other one has not."""


def open_spiel_game(game: str | GameRules) -> pyspiel.Game:
    """OpenSpiel's form of a game, by its name or its rules; every bet of a no-limit game is possible there."""
    rules = find_game(game) if isinstance(game, str) else game
    family, _, parameters = rules.name.partition(":")
    if family.startswith("kuhn-") and not parameters:
        return pyspiel.load_game("kuhn_poker", {"players": rules.players})
    if family.startswith("leduc-") and not parameters:
        return pyspiel.load_game("leduc_poker")
    try:
        lines = format_game(rules).splitlines()
    except GameFileError as error:
        raise SpielGameError(f"OpenSpiel does not have this game: {error}") from None
    fields = {
        key.strip(): value.strip() for key, _, value in (line.partition("=") for line in lines) if value
    }
    if min(rules.stacks) == UNLIMITED_STACK:
        fields.pop("stack", None)
    limit = rules.betting is Betting.LIMIT
    text = ",".join(f"{key}={value}" for key, value in fields.items())
    return pyspiel.load_game(
        f"universal_poker(betting={'limit' if limit else 'nolimit,bettingAbstraction=fullgame'},{text})"
    )


def rules_of(game: pyspiel.Game) -> GameRules:
    """The rules of a game of OpenSpiel."""
    name, parameters = game.get_type().short_name, game.get_parameters()
    match name:
        case "kuhn_poker":
            return named_game(f"kuhn-{game.num_players()}p")
        case "leduc_poker" if game.num_players() == 2:
            return named_game("leduc-2p")
        case "universal_poker":
            given = str(game)
            lines = [str(parameters["betting"])]
            lines += [
                f"{field} = {parameters[field]}"
                for field in _FIELDS
                if parameters.get(field) not in (None, "") and (field != "stack" or "stack=" in given)
            ]
            return parse_game("\n".join(lines), name="universal_poker", source="universal_poker")
    raise SpielGameError(f"{game} is none of kuhn_poker, leduc_poker for two players and universal_poker")


class SpielGame:
    """A game of OpenSpiel with its rules here."""

    def __init__(self, game: pyspiel.Game) -> None:
        self.game = game
        self.rules = rules_of(game)
        self.setup = Setup.of(self.rules)
        self._deck = sorted(self.rules.deck)
        self._kuhn = game.get_type().short_name == "kuhn_poker"
        self._limit = self.rules.betting is Betting.LIMIT
        self._amounts = game.get_parameters().get("bettingAbstraction") == "fullgame" and not self._limit
        """Whether the number of a raise is what it pays in the whole hand."""

    # From OpenSpiel

    def hand(self, state: SpielState) -> State:
        """The hand of a state with all cards dealt so far."""
        cards = self._cards(state)
        hand = State(self.setup, cards + [UNKNOWN] * (self.setup.cards_dealt - len(cards)))
        hand.node = self.node(state)
        return hand

    def observation(self, state: SpielState, players: tuple[str, ...], hand_number: int = 0) -> Observation:
        """What the player to act in a state may know."""
        seat, size, cards = state.current_player(), self.rules.hole_cards, self._cards(state)
        own = tuple(cards[seat * size : (seat + 1) * size])
        board = tuple(cards[len(players) * size :])
        return Observation(self.setup, seat, players, own, board, self.node(state), hand_number)

    def node(self, state: SpielState) -> BettingNode:
        """The betting situation of a state."""
        node = self.setup.tree.root
        if not self._limit:
            return follow(self.setup, node, _betting(state))
        for done in state.full_history():
            if done.player >= 0:
                node = self._after(node, self._limit_action(node, done.action))
        return node

    def action(self, state: SpielState, node: BettingNode, number: int) -> Action:
        """A legal action here for the number of an action in a state; the node is the real situation."""
        if self._limit:
            action = self._limit_action(node, number)
        elif number in (_FOLD, _CALL):
            action = FOLD if number == _FOLD else CALL
        else:
            action = raise_to(self._paid(state, number) - paid_before_round(node))
        legal = node.legal
        if action.kind is ActionKind.RAISE and legal.can_raise:
            return raise_to(min(max(action.to, legal.raise_minimum), legal.raise_maximum))
        return action if legal.allows(action) else CALL

    def _limit_action(self, node: BettingNode, number: int) -> Action:
        if self._kuhn and not node.legal.call:
            number += 1  # to pass is to check, and to bet is to raise
        if number == _RAISE:
            return raise_to(node.legal.raise_minimum)
        return FOLD if number == _FOLD else CALL

    # To OpenSpiel

    def state(self, observation: Observation) -> SpielState:
        """The state of an observation, in which the others hold the lowest cards that are not seen."""
        size, seats = self.rules.hole_cards, self.rules.players
        seen = {*observation.hole_cards, *observation.board}
        rest = iter([card for card in self._deck if card not in seen])
        hole = [
            card
            for seat in range(seats)
            for card in (
                observation.hole_cards if seat == observation.seat else [next(rest) for _ in range(size)]
            )
        ]
        cards, actions = iter([*hole, *observation.board]), iter(observation.actions)
        state, node = self.game.new_initial_state(), self.setup.tree.root
        while True:
            if state.is_chance_node():
                state.apply_action(self._deck.index(next(cards)))
            elif (action := next(actions, None)) is None:
                return state
            else:
                state.apply_action(self.number(state, node, action))
                node = self._after(node, action)

    def number(self, state: SpielState, node: BettingNode, action: Action) -> int:
        """The number of an action in a state, the nearest bet if it is not possible there."""
        if self._kuhn:
            return int(
                action.kind is ActionKind.RAISE or (action.kind is ActionKind.CALL and node.legal.call > 0)
            )
        legal: list[int] = state.legal_actions()
        raises: list[int] = [number for number in legal if number >= _RAISE]
        if action.kind is not ActionKind.RAISE or not raises:
            number = _FOLD if action.kind is ActionKind.FOLD else _CALL
            return number if number in legal else _CALL
        if self._limit:
            return raises[0]
        paid = action.to + paid_before_round(node)
        if self._amounts:
            return min(max(paid, raises[0]), raises[-1])
        return min(raises, key=lambda number: abs(self._paid(state, number) - paid))

    # Both

    def _after(self, node: BettingNode, action: Action) -> BettingNode:
        return node.following.get(action) or self.setup.tree.after(node, action)

    def _cards(self, state: SpielState) -> list[int]:
        return [self._deck[done.action] for done in state.full_history() if done.player < 0]

    def _paid(self, state: SpielState, number: int) -> int:
        """What a raise pays in the whole hand."""
        if self._amounts:
            return number
        found = _AMOUNT.search(_betting(state.child(number)).rstrip("/"))
        assert found is not None
        return int(found[1])


def _betting(state: SpielState) -> str:
    found = _ACPC_LINE.search(str(state))
    assert found is not None
    return found[1]
