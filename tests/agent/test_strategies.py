"""The strategy of many holdings: what `act` would state with each, without a trace in the agent's play."""

from collections.abc import Iterator

import numpy as np
import pytest
from numpy.typing import NDArray

from railbird.agent import (
    Agent,
    Decision,
    HandResult,
    MatchStart,
    NoStrategy,
    UnsuitableGame,
    agent_info,
    agent_names,
    drawn,
    make_agent,
    range_sections,
)
from railbird.arena.play.hand import play_hand
from railbird.cards import parse_cards
from railbird.engine.actions import CALL, FOLD, ActionKind
from railbird.engine.games import named_game
from railbird.engine.record import HandRecord
from railbird.engine.setup import Setup
from railbird.engine.state import State
from railbird.engine.wording import Wording
from railbird.hands.holdings import CLASS_OF_HOLDING, HOLDINGS, HoldingError, blocked_by, cards_of, holding
from railbird.observation import Observation
from railbird.rng import Stream

SILENT = {"simbot", "casey", "baycarp2:solutions=strategies"}
"""Agents whose play depends on what they drew with their own cards."""
JOINS = [f"baycarp2:join={join}" for join in ("bn-cbr-1", "cbr-bn-1", "cbr-bn-1-adapt", "cbr-bn-2")]
SPEAKING = [name for name in agent_names() if name not in {"brain", *SILENT}] + [
    *JOINS,
    "baycarp1:players=adapting,reuse=probabilistic",
    "pokibot:profile=loose-aggressive",
    "pokibot:preflop=hard",
    "casper-online:pack=none",
]
SLOW = "baycarp2:join=cbr-bn-2"
"""Its sums over two models take seconds."""
SEED, HANDS = 11, 3


class Asking(Agent):
    """Passes everything on to another agent, and asks it for its strategies before every decision."""

    learns = True

    def __init__(self, agent: Agent) -> None:
        self.agent = agent

    def act(self, observation: Observation) -> Decision:
        self.agent.strategies(observation, free(observation)[::41])
        return self.agent.act(observation)

    def end_hand(self, result: HandResult) -> None:
        self.agent.end_hand(result)


def games(name: str) -> list[str]:
    """Some games that an agent plays."""

    def plays(game: str) -> bool:
        try:
            make_agent(name).verify_game(named_game(game))
        except UnsuitableGame:
            return False
        return True

    return [game for game in ("limit-2p", "limit-4max", "limit-3p", "nolimit-2p") if plays(game)]


def free(observation: Observation) -> NDArray[np.int64]:
    """The holdings that the board leaves."""
    return np.flatnonzero(~blocked_by(observation.board))


def begun(name: str, game: str) -> tuple[Agent, Setup, tuple[str, ...]]:
    """An agent in a match."""
    setup = Setup.of(named_game(game))
    players = tuple(f"player {seat}" for seat in range(setup.rules.players))
    agent = make_agent(name)
    agent.begin_match(MatchStart(setup.rules, players[0], players, Stream.from_seed(SEED)))
    return agent, setup, players


def situations(agent: Agent, setup: Setup, players: tuple[str, ...]) -> Iterator[Observation]:
    """Decisions of an agent in hands against random players, each before it is made."""
    root = Stream.from_seed(SEED)
    other = make_agent("random")
    other.begin_match(MatchStart(setup.rules, players[1], players, root.child("other")))
    for hand in range(HANDS):
        state = State.deal(setup, root.child("hand", hand))
        while state.actor is not None:
            own = state.actor == hand % len(players)
            observation = Observation.of(state, state.actor, players, hand)
            if own:
                yield observation
            state.act((agent if own else other).act(observation).action)


@pytest.mark.parametrize("name", SPEAKING)
def test_the_row_of_a_holding_is_the_strategy_of_act(name: str) -> None:
    for game in games(name)[: 1 if name == SLOW else 2]:
        agent, setup, players = begun(name, game)
        generator = np.random.default_rng(SEED)
        for observation in situations(agent, setup, players):
            numbers = np.append(generator.choice(free(observation), 5), holding(observation.hole_cards))
            found = agent.strategies(observation, numbers)
            assert found.probabilities.sum(axis=1) == pytest.approx(1.0, abs=1e-9)
            decision = agent.act(observation)
            stated, row = dict(decision.strategy), dict(found.row(len(numbers) - 1))
            assert tuple(stated) == tuple(action for action in found.actions if action in stated)
            assert row == pytest.approx({action: stated.get(action, 0.0) for action in row}, abs=1e-12)


@pytest.mark.parametrize("name", ["probtriple", "pokibot", "casper02", "baycarp2", "rulebot"])
def test_the_own_cards_do_not_matter(name: str) -> None:
    agent, setup, players = begun(name, "limit-2p")
    for observation in situations(agent, setup, players):
        numbers = free(observation)[::97]
        other = observation.holding(cards_of(int(numbers[1])))
        first, second = (agent.strategies(each, numbers).probabilities for each in (observation, other))
        assert np.array_equal(first, second)


@pytest.mark.parametrize("name", ["probtriple", "pokibot", "casper02", "baycarp2", "rulebot"])
def test_another_holding_has_the_row_that_act_states_with_it(name: str) -> None:
    agent, setup, players = begun(name, "limit-2p")
    twin, *_ = begun(name, "limit-2p")
    for observation in situations(agent, setup, players):
        number = int(free(observation)[observation.hand_number * 90 + 7])
        stated = twin.act(observation.holding(cards_of(number))).strategy
        row = dict(agent.strategies(observation, [number]).row(0))
        if name != "pokibot" or not observation.round:  # its twin may be bluffing where it is not
            assert row == pytest.approx({action: dict(stated).get(action, 0.0) for action in row}, abs=1e-12)


@pytest.mark.parametrize("hands", [6, pytest.param(12, marks=pytest.mark.soak)])
@pytest.mark.parametrize("name", SPEAKING)
def test_asking_leaves_later_play_as_it_was(name: str, hands: int) -> None:
    game = "limit-3p" if "limit-3p" in games(name) else games(name)[0]

    def played(asked: bool) -> list[HandRecord]:
        agent, setup, players = begun(name, game)
        others = [make_agent("random"), make_agent("pokibot")][: len(players) - 1]
        root = Stream.from_seed(SEED)
        for seat, each in enumerate(others, 1):
            each.begin_match(MatchStart(setup.rules, players[seat], players, root.child("agent", seat)))
        seated = [Asking(agent) if asked else agent, *others]
        return [
            play_hand(State.deal(setup, root.child("hand", hand)), seated, players, hand_number=hand)
            for hand in range(hands)
        ]

    assert played(asked=True) == played(asked=False)


@pytest.mark.parametrize("name", sorted(SILENT))
def test_an_agent_that_cannot_state_a_strategy_says_why(name: str) -> None:
    agent, setup, players = begun(name, "limit-2p")
    observation = next(situations(agent, setup, players))
    with pytest.raises(NoStrategy, match="cannot state a strategy for other cards"):
        agent.strategies(observation, free(observation))


def test_holdings_that_cannot_be_held_are_refused() -> None:
    agent, setup, players = begun("always-call", "limit-2p")
    observation = next(each for each in situations(agent, setup, players) if each.board)
    blocked = int(np.flatnonzero(blocked_by(observation.board))[0])
    for numbers, sentence in [
        ([blocked], "cannot be held: one of its cards is on the board"),
        ([HOLDINGS], "1326 is not a holding"),
        ([-1], "-1 is not a holding"),
        ([], "at least one holding"),
    ]:
        with pytest.raises(HoldingError, match=sentence):
            agent.strategies(observation, numbers)


def test_the_random_agent_states_all_raises_as_the_smallest_one() -> None:
    agent, setup, players = begun("random", "nolimit-2p")
    found = agent.strategies(next(situations(agent, setup, players)), [holding(parse_cards("AsAh"))])
    assert [action.kind for action in found.actions] == [*ActionKind]
    assert found.probabilities == pytest.approx(1 / 3)


@pytest.mark.parametrize(
    "name", ["pokibot", "casper02", "casper-online", "baycarp2", "casey", "simbot", "random"]
)
def test_an_agent_that_was_told_of_no_match_begins_one(name: str) -> None:
    _, setup, players = begun("always-call", "limit-2p")
    state = State.deal(setup, Stream.from_seed(SEED))
    agent = make_agent(name)
    assert agent.lived() == [] or agent.lived() == ()
    assert state.actor is not None
    assert agent.act(Observation.of(state, state.actor, players)).explanation.summary


def test_a_range_is_a_grid_for_each_action() -> None:
    agent, setup, players = begun("probtriple", "limit-2p")
    observation = next(each for each in situations(agent, setup, players) if each.board)
    grids = range_sections(agent, observation)
    found = agent.strategies(observation, free(observation))
    assert len(grids) == len(found.actions)
    of_class = CLASS_OF_HOLDING[free(observation)]
    for grid, action, chances in zip(grids, found.actions, found.probabilities.T, strict=True):
        assert grid.title.startswith(f"{Wording.at(observation.node).name(action)}: ")
        for number in np.unique(of_class).tolist():
            assert grid.weights[number] == pytest.approx(chances[of_class == number].mean())
            assert grid.combos[number] == (of_class == number).sum()
    assert range_sections(agent, observation.holding(cards_of(int(free(observation)[0])))) == grids


@pytest.mark.parametrize(
    ("number", "option"), [(0.0, FOLD), (0.24, FOLD), (0.25, CALL), (0.99, CALL), (1.0, CALL)]
)
def test_a_number_falls_on_an_option(number: float, option: object) -> None:
    assert drawn([(FOLD, 0.25), (CALL, 0.75)], number) is option


@pytest.mark.parametrize(
    ("name", "changed"),
    [
        ("casper01", {"pack": "casper01"}),
        ("casper-general", {"weights": "casper-general"}),
        ("casper-general-play", {"weights": "casper-general-play"}),
        ("baycarp1", {"reuse": "sum"}),
        ("baycarp3", {"reuse": "best", "outcomes": "g-bucks"}),
    ],
)
def test_a_preset_has_the_parameters_of_its_base_with_other_defaults(
    name: str, changed: dict[str, str]
) -> None:
    base = agent_info("casper" if name.startswith("casper") else "baycarp2").parameters
    found = agent_info(name).parameters
    assert [(each.name, each.kind) for each in found] == [(each.name, each.kind) for each in base]
    assert {each.name: each.default for each in found} == {
        each.name: changed.get(each.name, each.default) for each in base
    }
    assert getattr(make_agent(f"{name}:k=7"), next(iter(changed))) == next(iter(changed.values()))
