"""What a local best response wins: known values, its view of the agent's range, and fair estimates."""

from pathlib import Path

import numpy as np
import pytest
from numpy.typing import NDArray

from railbird.agent import Agent, Decision, MatchStart, NoStrategy, Strategies, UnsuitableGame, drawn
from railbird.agents.baselines import AlwaysCall, RandomAgent
from railbird.arena.results.rates import Rate
from railbird.engine.actions import FOLD, Action
from railbird.engine.events import DealHole, Event
from railbird.engine.games import named_game
from railbird.engine.state import State
from railbird.equities.matchups import RUN_OUTS, matchups
from railbird.hands.holdings import HOLDINGS, blocked_by, cards_of, holding
from railbird.kernels.rules import betting
from railbird.learning.local_best_response import LOT, LocalResponder, ResponseError, local_best_response
from railbird.observation import Observation
from railbird.rng import Stream
from railbird.strategies.files import StrategyFileError

LIMIT_2P = named_game("limit-2p")
ALWAYS_CALL_MBB = 1163
ALWAYS_RAISE_MBB = 3697
"""What the true best response wins in heads-up limit hold'em (published values)."""


class MadeUp(Agent):
    """Plays by made-up probabilities, which depend on its cards and on the number of actions."""

    def __init__(self) -> None:
        self.heard: list[Event] = []

    def begin_match(self, match: MatchStart) -> None:
        self.heard = []

    def hear(self, event: Event) -> None:
        self.heard.append(event)

    def act(self, observation: Observation) -> Decision:
        row = self.strategies(observation, [holding(observation.hole_cards)]).row(0)
        return Decision(drawn(row, 0.5), strategy=row)

    def _strategies(self, observation: Observation, holdings: NDArray[np.int64]) -> Strategies:
        assert self.heard == list(observation.events)
        turn = len(observation.actions)
        parts = {
            action: 1 + (holdings * (3 + 2 * place) + turn) % (7 if action != FOLD else 3)
            for place, action in enumerate(observation.choices)
        }
        weights = np.column_stack(list(parts.values())).astype(np.float64)
        return Strategies(tuple(parts), holdings, weights / weights.sum(axis=1, keepdims=True))


def chances_of(agent: Agent, state: State, seat: int, holdings: NDArray[np.int64]) -> NDArray[np.float64]:
    """The probability of an agent's actions in a finished hand with some holdings, asked one by one."""
    chances = np.zeros(HOLDINGS)
    players = ("first", "second")
    for number in holdings[~blocked_by(state.board)[holdings]].tolist():
        hole = cards_of(number)
        chances[number] = 1.0
        node = state.setup.tree.root
        for action in state.actions:
            if node.actor == seat:
                board = state.cards[state.setup.board_slices[node.view[betting.ROUND]]]
                observation = Observation(state.setup, seat, players, hole, board, node)
                agent.begin_match(MatchStart(state.rules, players[seat], players, Stream.from_seed(0)))
                for event in observation.events:
                    agent.hear(event)
                chances[number] *= dict(agent.act(observation).strategy)[action]
            node = state.setup.tree.after(node, action)
    return chances[holdings]


@pytest.mark.parametrize("game", ["limit-2p", "nolimit-2p"])
def test_who_always_folds_loses_exactly_the_blinds(game: str) -> None:
    # The big blind when the responder raises on the button, the small blind when the agent folds there.
    found = local_best_response("always-fold", game=game, hands=20)
    assert (found.rate.mean, found.rate.low, found.rate.high) == (750, 750, 750)


@pytest.mark.parametrize(("hands", "width"), [(1000, 220), pytest.param(40_000, 35, marks=pytest.mark.soak)])
def test_against_who_always_calls_it_is_the_best_response(hands: int, width: float) -> None:
    # A bet changes nothing that follows, so looking no further than the bet loses nothing.
    rate = local_best_response("always-call", hands=hands, seed=1).rate
    assert rate.low < ALWAYS_CALL_MBB < rate.high
    assert rate.high - rate.low < width


@pytest.mark.parametrize(
    ("hands", "least"), [(500, 2000), pytest.param(20_000, 3200, marks=pytest.mark.soak)]
)
def test_against_who_always_raises_it_is_not_more_than_the_best_response(hands: int, least: float) -> None:
    rate = local_best_response("always-raise", hands=hands, seed=1).rate
    assert rate.low > least
    assert rate.mean < ALWAYS_RAISE_MBB


def test_who_plays_at_random_loses_more_than_who_folds() -> None:
    assert local_best_response("random", hands=500, seed=1).rate.low > 750
    assert local_best_response("random", game="nolimit-2p", hands=300, seed=1).rate.low > 750


def test_who_is_ahead_goes_all_in_against_who_always_calls() -> None:
    rate = local_best_response("always-call", game="nolimit-2p", hands=600, seed=1).rate
    wins = matchups().astype(np.float64)
    balance = (wins.sum(axis=1) - wins.sum(axis=0)) / (RUN_OUTS * 1225)  # 2 · equity − 1 of every holding
    before_the_flop = 200_000 * np.maximum(balance, 0.0).mean()
    assert rate.low > before_the_flop


@pytest.mark.parametrize("step", [5, pytest.param(1, marks=pytest.mark.soak)])
def test_the_range_is_that_of_the_agents_actions(step: int) -> None:
    agent = MadeUp()
    responder = LocalResponder(agent, LIMIT_2P, seed=3)
    hands = [responder.hand(number, seat) for number in range(8) for seat in (0, 1)]
    for hand in hands:
        hand.play()
    shown = [hand for hand in hands if hand.state.is_showdown]
    assert len(shown) >= 2
    for hand in shown[:2]:
        state, seat = hand.state, hand.seat
        hole = state.hole_cards(seat)
        assert hole is not None
        asked = np.arange(0, HOLDINGS, step)
        expected = np.where(blocked_by(hole)[asked], 0.0, chances_of(agent, state, 1 - seat, asked))
        assert hand.known.weights[asked] == pytest.approx(expected, abs=1e-12)


@pytest.mark.parametrize("hands", [120, pytest.param(300, marks=pytest.mark.soak)])
def test_estimates_are_fair_and_vary_less_than_payoffs(hands: int) -> None:
    responder = LocalResponder(MadeUp(), LIMIT_2P, seed=2)
    adjusted, paid = [], []
    for number in range(hands):
        for seat in (0, 1):
            hand = responder.hand(number, seat)
            adjusted.append(hand.play())
            paid.append(float(hand.state.payoffs[seat]))
    luck = np.subtract(paid, adjusted)
    assert abs(luck.mean()) < 3 * luck.std() / np.sqrt(len(luck))
    assert np.std(adjusted) < 0.7 * np.std(paid)


@pytest.mark.parametrize("stack", [300, 1000, 20000])
def test_every_bet_size_is_legal(stack: int) -> None:
    rules = named_game(f"nolimit-2p:stack={stack}")
    for agent in (RandomAgent(), MadeUp()):
        responder = LocalResponder(agent, rules, seed=stack, actions="fcqhipdvta")
        taken: set[Action] = set()
        for number in range(15):
            for seat in (0, 1):
                hand = responder.hand(number, seat)
                hand.play()  # an illegal action raises an error
                assert hand.state.is_over
                taken.update(hand.state.actions)
        assert len(taken) > 3


def test_a_seed_determines_everything() -> None:
    first = local_best_response("random", hands=60, seed="a")
    assert local_best_response("random", hands=60, seed="a") == first
    assert local_best_response("random", hands=60, seed="b") != first
    assert first.actions == "fcr"


def test_lots_of_deals_are_reported_with_the_estimate_so_far() -> None:
    heard: list[tuple[int, int, Rate]] = []
    found = local_best_response(
        "random", hands=2 * LOT + 3, listener=lambda done, total, rate: heard.append((done, total, rate()))
    )
    total = 2 * LOT + 4
    assert [(done, all_hands) for done, all_hands, _ in heard] == [(2 * LOT, total), (total, total)]
    assert heard[0][2].mean != found.rate.mean
    assert heard[1][2] == found.rate
    assert found.rate.hands == total


@pytest.mark.parametrize(
    ("agent", "game", "hands"),
    [
        ("random", "nolimit-2p", 2 * LOT + 7),
        pytest.param("casper02", "limit-2p", 20 * LOT, marks=pytest.mark.soak),
        pytest.param("pokibot", "limit-2p", 8 * LOT, marks=pytest.mark.soak),
    ],
)
def test_workers_and_stops_change_nothing(
    agent: str, game: str, hands: int, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    alone = local_best_response(agent, game=game, hands=hands, seed=3)

    def stop(*_: object) -> None:
        raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        local_best_response(agent, game=game, hands=hands, seed=3, folder=tmp_path, listener=stop)
    (lots,) = tmp_path.iterdir()
    assert [lot.name for lot in lots.iterdir()] == [f"0-{LOT}.lot"]
    again = local_best_response(agent, game=game, hands=hands, seed=3, folder=tmp_path, workers="2")
    assert again == alone
    other = local_best_response(agent, game=game, hands=4, seed=4, folder=tmp_path)
    assert other.rate.mean != alone.rate.mean
    assert len(list(tmp_path.iterdir())) == 2
    monkeypatch.setattr(LocalResponder, "play", None)
    assert local_best_response(agent, game=game, hands=hands, seed=3, folder=tmp_path) == alone


def test_lots_of_another_measurement_are_refused(tmp_path: Path) -> None:
    local_best_response("random", hands=4, seed=1, folder=tmp_path)
    (first,) = tmp_path.iterdir()
    local_best_response("random", hands=4, seed=2, folder=tmp_path)
    (second,) = set(tmp_path.iterdir()) - {first}
    (first / "0-2.lot").rename(second / "0-2.lot")
    with pytest.raises(StrategyFileError, match="0-2.lot belongs to another measurement"):
        local_best_response("random", hands=4, seed=2, folder=tmp_path)


def test_an_agent_whose_files_changed_is_measured_anew(tmp_path: Path) -> None:
    program = tmp_path / "bot.py"
    source = "from railbird.agents.baselines import AlwaysCall, AlwaysFold\n\nclass Bot({}):\n    pass\n"
    program.write_text(source.format("AlwaysFold"))
    folds = local_best_response(f"{program}:Bot", hands=10, folder=tmp_path / "lots")
    # Python takes two versions of one size for the same if they are written in the same second.
    program.write_text(f"{source.format('AlwaysCall')}\n")
    calls = local_best_response(f"{program}:Bot", hands=10, folder=tmp_path / "lots")
    assert folds.rate.mean == 750
    assert calls == local_best_response("always-call", hands=10)


def test_deals_do_not_depend_on_each_other() -> None:
    in_order, backwards = LocalResponder(MadeUp(), LIMIT_2P), LocalResponder(MadeUp(), LIMIT_2P)
    expected = [in_order.play(number) for number in range(10)]
    assert [backwards.play(number) for number in reversed(range(10))] == expected[::-1]


def test_an_agent_plays_afterwards_as_if_never_asked() -> None:
    asked, fresh = RandomAgent(), RandomAgent()
    responder = LocalResponder(asked, LIMIT_2P)
    responder.play(0)
    played = []
    for agent in (asked, fresh):
        agent.begin_match(MatchStart(LIMIT_2P, "a", ("a", "b"), Stream.from_seed(1)))
        state = State.deal(responder.hand(0, 0).state.setup, Stream.from_seed(2))
        while not state.is_over:
            assert state.actor is not None
            state.act(agent.act(Observation.of(state, state.actor, ("a", "b"))).action)
        played.append(state.actions)
    assert played[0] == played[1]


def test_the_agent_hears_its_own_cards_only() -> None:
    agent = MadeUp()
    hand = LocalResponder(agent, LIMIT_2P).hand(0, 0)
    hand.play()
    dealt = [event for event in agent.heard if isinstance(event, DealHole)]
    assert [(event.seat, event.cards) for event in dealt] == [(1, hand.state.hole_cards(1))]


def test_what_cannot_be_measured_is_refused() -> None:
    with pytest.raises(ResponseError, match="at least 4 hands, not 3"):
        local_best_response("random", hands=3)
    for game in ("limit-3p", "leduc-2p"):
        with pytest.raises(ResponseError, match=f"heads-up hold'em, not for {game}"):
            local_best_response("random", game=game)
    with pytest.raises(NoStrategy, match="Simbot"):
        local_best_response("simbot", hands=4)
    with pytest.raises(UnsuitableGame, match="plays limit hold'em only"):
        local_best_response("probtriple", game="nolimit-2p")
    assert LocalResponder(AlwaysCall(), LIMIT_2P).actions.letters == "fcr"
