"""BayCaRP's full cycle: its own decisions wait for the outcome, are revised, and become cases."""

from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest

from railbird.agent import Decision, MatchStart, make_agent
from railbird.agents.baycarp.agent import BayCaRP1, BayCaRP2, BayCaRP3
from railbird.agents.baycarp.outcomes import G_BUCKS
from railbird.cbr.packs.files import Pack
from railbird.engine.games import named_game
from railbird.engine.record import HandRecord
from railbird.experiments.played_hands import PlayedHand, played_by
from railbird.learning.systems import system_named
from railbird.learning.watching import Watcher
from railbird.observation import Observation
from railbird.rng import Stream
from railbird.store.lived import LivedError, LivedHand

GAME = "limit-4max"
LABELS = ("baycarp", "ann", "bob", "cid")
LEARNER = LABELS[0]


def play(
    agent: BayCaRP2, count: int, seed: int | str = 1, experience: Sequence[str] = ()
) -> list[PlayedHand]:
    """A match of one agent against others."""
    agents = [agent, *map(make_agent, ("jagbot", "jagbot", "always-call"))]
    root = Stream.from_seed(seed)
    for label, player in zip(LABELS, agents, strict=True):
        earlier = tuple(experience) if player is agent else ()
        begin = MatchStart(named_game(GAME), label, LABELS, root.child("agent", label), experience=earlier)
        player.begin_match(begin)
    return list(played_by(GAME, agents, LABELS, count, root))


def learnt_from(played: Sequence[PlayedHand]) -> Pack:
    """What `railbird watch` makes of the learner's hands."""
    watcher = Watcher(system_named("baycarp"), (LEARNER,))
    for number, hand in enumerate(played):
        watcher.add(HandRecord.of(hand.state, hand.labels, str(number)))
    return watcher.pack({})


@pytest.mark.parametrize("kind", [BayCaRP1, BayCaRP3])
def test_it_retains_what_watching_it_would_have_learnt(kind: type[BayCaRP2]) -> None:
    """Costs, positive if the hand was won and otherwise negative; with G-bucks, the value of the decision."""
    agent = kind(retain=True, name=LEARNER)
    expected = learnt_from(play(agent, 40))
    assert len(expected) > 40
    memory = agent.memories_[-1]
    assert memory.cases == len(expected)
    outcomes = np.concatenate([base.sums.ravel() for base in expected.bases.values()])
    assert outcomes.min() < 0 < outcomes.max()
    for stage, base in expected.bases.items():
        for case in base:
            place = memory.watched[stage] + case.number
            own, riders = memory.pack.bases[stage].case(place), expected.rider(stage, case.number)
            if kind is BayCaRP3:
                (solution,) = (name for name, count in case.counts.items() if count)
                case = replace(case, sums={**case.sums, solution: float(riders[G_BUCKS])})
            assert replace(own, number=case.number) == case
            assert memory.pack.rider(stage, place) == {**riders, "source": ""}
    assert agent.memories_[0].cases == memory.cases


def test_the_shipped_pack_does_not_grow() -> None:
    cases = len(_begun(BayCaRP1()).pack_)
    agent = BayCaRP1(retain=True)
    play(agent, 3)
    assert len(agent.pack_) > cases
    assert len(_begun(BayCaRP1()).pack_) == cases


def _begun(agent: BayCaRP2) -> BayCaRP2:
    agent.begin_match(MatchStart(named_game(GAME), LEARNER, LABELS, Stream.from_seed(1)))
    return agent


def test_it_continues_from_a_store_and_from_earlier_matches(tmp_path: Path) -> None:
    store = str(tmp_path / "lived.db")
    stored, free = (BayCaRP3(retain=True, store=each) for each in (store, ""))
    carried: list[str] = []
    for seed in range(2):
        ways = [play(agent, 8, seed, earlier) for agent, earlier in ((stored, ()), (free, carried))]
        assert ways[0][-1].state.node.actions == ways[1][-1].state.node.actions
        assert stored.lived() == []
        carried += free.lived()
    assert stored.memories_[0].hands == free.memories_[0].hands == len(carried) == 16
    again = _begun_with(BayCaRP3(retain=True, store=store))
    assert again.memories_[1].cases == stored.memories_[1].cases > 0


def _begun_with(agent: BayCaRP2) -> BayCaRP2:
    agent.verify_game(named_game(GAME))
    return _begun(agent)


class Outspoken(BayCaRP2):
    """One that remembers what it said."""

    def choose(self, observation: Observation) -> Decision:
        decision = super().choose(observation)
        self.said = [*getattr(self, "said", ()), decision.explanation.summary]
        return decision


def test_its_reasons_tell_whose_cases_decided() -> None:
    agent = Outspoken(retain=True)
    play(agent, 1)
    case = next(case for hand in agent.retainer_.hands for case in hand.cases)
    assert "experts" in agent.said.pop(0)
    play(agent, 1, experience=[LivedHand(0.0, (case,) * 2_000).to_text()])
    assert agent.said[0].startswith("It ")
    assert f"of {2_000:,} similar situations" in agent.said[0]


@pytest.mark.parametrize(
    ("parameters", "sentence"),
    [
        ({"retain": True, "join": "cbr-bn-1"}, "retain=yes needs join=bn-cbr-2 and solutions=actions"),
        ({"retain": True, "solutions": "strategies"}, "retain=yes needs join=bn-cbr-2"),
        ({"store": "lived.db"}, "store is for decisions that are retained: it needs retain=yes"),
    ],
)
def test_parameters_that_contradict_each_other_are_refused(
    parameters: dict[str, object], sentence: str
) -> None:
    with pytest.raises(ValueError, match=sentence):
        BayCaRP2(**parameters)  # type: ignore[arg-type]


def test_experience_without_its_worth_is_refused_where_worth_counts() -> None:
    agent = BayCaRP3(retain=True)
    play(agent, 2)
    hand = next(hand for hand in agent.retainer_.hands if hand.cases)
    bare = replace(hand, cases=tuple(replace(case, riders={}) for case in hand.cases))
    with pytest.raises(LivedError, match=r"does not state its worth \(G-bucks\)"):
        play(BayCaRP3(retain=True), 1, experience=(bare.to_text(),))
