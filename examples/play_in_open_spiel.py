"""Let an agent meet an equilibrium of OpenSpiel, in OpenSpiel and here (needs the extra `rl`)."""

import numpy as np
import pyspiel
from open_spiel.python.algorithms.evaluate_bots import evaluate_bots

from railbird.adapters.openspiel import OpenSpielAgent, RailbirdBot, open_spiel_game
from railbird.agent import Agent, MatchStart, make_agent
from railbird.arena.play.hand import play_hand
from railbird.engine import Setup, State, named_game
from railbird.rng import Stream

HANDS = 500

game = open_spiel_game("kuhn-2p")
solver = pyspiel.CFRPlusSolver(game)
for _ in range(200):
    solver.evaluate_and_update_policy()
policy = solver.average_policy()

rng = np.random.RandomState(1)
bots = [pyspiel.make_policy_bot(game, 0, 1, policy), RailbirdBot("always-raise", game, 1)]
total = sum(evaluate_bots(game.new_initial_state(), bots, rng)[0] for _ in range(HANDS))
print(f"In OpenSpiel, in {HANDS} hands of Kuhn poker,")
print(f"the equilibrium wins {total:+.0f} chips from always-raise.")

rules, labels = named_game("kuhn-2p"), ("equilibrium", "always-raise")
players: list[Agent] = [OpenSpielAgent(policy, game), make_agent("always-raise")]
for label, player in zip(labels, players, strict=True):
    player.begin_match(MatchStart(rules, label, labels, Stream.from_seed(1)))
setup, words = Setup.of(rules), Stream.from_seed(2).words()
won = sum(play_hand(State.deal(setup, words), players, labels).payoffs[0] for _ in range(HANDS))
print("In Railbird, with other cards,")
print(f"it wins {won:+} chips.")
