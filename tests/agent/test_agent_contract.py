"""The contract of every registered agent: legal actions only, same seed same play, input untouched, explained."""

import json
import re
from collections.abc import Iterator
from functools import cache

import pytest

from railbird.agent import (
    Agent,
    Decision,
    Explanation,
    HandResult,
    MatchStart,
    UnsuitableGame,
    agent_names,
    make_agent,
)
from railbird.arena.play.hand import play_hand
from railbird.engine.actions import Action
from railbird.engine.events import Event
from railbird.engine.games import named_game
from railbird.engine.record import HandRecord
from railbird.engine.setup import Setup
from railbird.engine.state import State
from railbird.observation import Observation
from railbird.rng import Stream

# A brain is another process; test_brain_client.py shows that who asks it plays as the agent there does.
AGENTS = [name for name in agent_names() if name != "brain"] + ["baycarp2:solutions=strategies"]
GAMES = ("limit-2p", "limit-3p", "limit-9max:cap=5", "nolimit-2p", "potlimit-6max", "kuhn-3p", "leduc-2p",
         "nolimit-10max:stack=300/20000/150/4000/100/900/20000/50/60/700")  # fmt: skip
HANDS, SEED = 15, 1


class Watched(Agent):
    """Passes everything on to another agent, and checks what it answers."""

    def __init__(self, agent: Agent) -> None:
        self.agent = agent
        self.decisions: list[Decision] = []

    def begin_match(self, match: MatchStart) -> None:
        self.agent.begin_match(match)

    def hear(self, event: Event) -> None:
        self.agent.hear(event)

    def act(self, observation: Observation) -> Decision:
        before = json.dumps(observation.to_json())
        decision = self.agent.act(observation)
        assert json.dumps(observation.to_json()) == before, "the observation was changed"
        assert observation.legal_actions.allows(decision.action)
        assert isinstance(decision.explanation, Explanation)
        assert decision.explanation.summary.endswith(".")
        json.dumps(decision.explanation.to_json())
        if decision.strategy:
            assert sum(chance for _, chance in decision.strategy) == pytest.approx(1)
            kinds = {action.kind for action, chance in decision.strategy if chance > 0}
            assert decision.action.kind in kinds, "the action was not drawn from the strategy"
        self.decisions.append(decision)
        return decision

    def end_hand(self, result: HandResult) -> None:
        self.agent.end_hand(result)


def play(name: str, game: str, seed: int) -> Iterator[tuple[HandRecord, list[Action]]]:
    """Hands of an agent in every seat in turn against the random baseline."""
    setup = Setup.of(named_game(game))
    players = tuple(f"player {seat}" for seat in range(setup.rules.players))
    root = Stream.from_seed(seed)
    agent = Watched(make_agent(name))
    others = [make_agent("random") for _ in players[1:]]
    for seat, player in enumerate([agent, *others]):
        player.begin_match(MatchStart(setup.rules, players[seat], players, root.child("agent", seat)))
    for hand in range(HANDS):
        place = hand % len(players)
        seated = [*others[:place], agent, *others[place:]]
        state = State.deal(setup, root.child("hand", hand))
        yield play_hand(state, seated, players, hand_number=hand), [one.action for one in agent.decisions]


@cache
def played(name: str, game: str) -> list[tuple[HandRecord, list[Action]]]:
    """These hands, played once for all tests: what is looked at in one of them is played again in another."""
    return list(play(name, game, SEED))


def refusal(name: str, game: str) -> str | None:
    """The sentence with which an agent refuses a game; None where it plays."""
    try:
        make_agent(name).verify_game(named_game(game))
    except UnsuitableGame as error:
        return str(error)
    return None


@pytest.mark.parametrize(
    "name", [name for name in AGENTS if name != "equilibrium" and not name.startswith("sartre")]
)
def test_every_agent_not_made_for_certain_games_plays_limit_holdem_with_any_number_of_players(
    name: str,
) -> None:
    for game in ("limit-2p", "limit-3p", "limit-10max", "limit-9max:cap=5"):
        assert refusal(name, game) is None


@pytest.mark.parametrize("name", AGENTS)
@pytest.mark.parametrize("game", GAMES)
def test_every_agent_acts_legally_and_explains_itself_or_refuses_the_game(name: str, game: str) -> None:
    sentence = refusal(name, game)
    if sentence is not None:
        assert named_game(game).name in sentence
        with pytest.raises(UnsuitableGame, match=re.escape(sentence)):
            next(play(name, game, SEED))
        return
    for record, _ in played(name, game):
        assert sum(record.payoffs) == 0
        assert record.state().payoffs == record.payoffs


@pytest.mark.parametrize("name", AGENTS)
@pytest.mark.parametrize("game", ["limit-3p", "limit-9max:cap=5", "nolimit-2p"])
def test_the_same_seed_gives_the_same_play(name: str, game: str) -> None:
    if refusal(name, game) is None:
        assert list(play(name, game, SEED)) == played(name, game)


def test_another_seed_gives_other_play_to_an_agent_that_draws() -> None:
    assert list(play("random", "limit-3p", seed=5))[-1][1] != list(play("random", "limit-3p", seed=6))[-1][1]
