"""What BayCaRP has learnt: how beliefs were turned into ranges, and what an agent makes of its pack."""

from pathlib import Path
from typing import Any

import pytest

from railbird.agent import MatchStart
from railbird.agents.baycarp.agent import BayCaRP2, Ranges
from railbird.agents.baycarp.attributes import HAND_TYPES
from railbird.agents.baycarp.cases import similarity
from railbird.agents.baycarp.knowledge import similarities_of
from railbird.agents.baycarp.network import read_opponents_network
from railbird.agents.casper.attributes import STAGES
from railbird.agents.provenance import provenance
from railbird.bayes.xdsl.files import read_recipe
from railbird.cbr.packs.files import Pack, read_pack, write_pack
from railbird.engine.games import named_game
from railbird.engine.record import HandRecord
from railbird.experiments.played_hands import hands
from railbird.learning.recipes import recipe_of
from railbird.learning.systems import system_named
from railbird.learning.watching import Watcher
from railbird.opponents.network.beliefs import READINGS
from railbird.opponents.network.nodes import PUBLISHED
from railbird.rng import Stream

PLAYED = [
    HandRecord.of(hand.state, hand.labels, str(hand.number))
    for hand in hands("limit-3p", ["rulebot", "jagbot", "always-call"], 12, "ranges")
]


def watched(ranges: str) -> Pack:
    """The cases of all players, with one way to read ranges."""
    watcher = Watcher(system_named(f"baycarp:ranges={ranges}"))
    for record in PLAYED:
        watcher.add(record)
    return watcher.pack(recipe_of(watcher, [], {}))


@pytest.mark.parametrize("ranges", READINGS)
def test_an_agent_reads_ranges_as_its_pack_or_as_told(ranges: Ranges, tmp_path: Path) -> None:
    path = tmp_path / "some.parquet"
    write_pack(watched(ranges), path)
    for told, expected in (("pack", ranges), ("groups", "groups"), ("types", "types")):
        agent = BayCaRP2(pack=str(path), ranges=told)  # type: ignore[arg-type]
        agent.begin_match(MatchStart(named_game("limit-3p"), "me", ("me", "ann", "bob"), Stream.from_seed(1)))
        assert agent.viewer_.beliefs.reading == READINGS[expected]


def test_readings_describe_the_same_decisions_differently() -> None:
    strengths = {}
    for ranges in READINGS:
        base = watched(ranges).bases["flop"]
        strengths[ranges] = base.values[:, base.schema.place("relative hand strength")].tolist()
    assert len({len(each) for each in strengths.values()}) == 1
    assert len({tuple(each) for each in strengths.values()}) == len(READINGS)


def test_an_unknown_reading_is_refused() -> None:
    with pytest.raises(ValueError, match="no way to read ranges is called 'mas': did you mean 'mass'"):
        system_named("baycarp:ranges=mas")


def test_the_published_version_is_as_in_the_thesis() -> None:
    """§6.1.1: the drawn network, from showdowns; §5.4.2, table 5.3: cases of all players, no more than these."""
    agent = BayCaRP2(version="published")
    pack_path, network = agent.files()
    assert read_opponents_network(network)[1] == PUBLISHED
    assert read_recipe(network)["learnt from"] == "showdown"
    pack = read_pack(pack_path)
    assert set(pack.recipe["players"]) == set(pack.recipe["table"]["players"])
    assert len(pack.recipe["players"]) == 9
    for stage, most in zip(STAGES, (34_350, 30_297, 19_305, 14_816), strict=True):
        assert 0.85 * most <= len(pack.bases[stage]) <= most
    assert pack.recipe["reading"]["groups"] == 4
    assert "version=published" not in provenance("baycarp2")
    assert "as published, from showdowns" in provenance("baycarp2:version=published")


def test_given_files_take_the_place_of_a_version() -> None:
    agent = BayCaRP2(pack="own.parquet", version="published")
    assert (agent.pack, agent.network) == ("own.parquet", "baycarp-published")


def test_the_weights_are_those_of_figure_5_8_unless_others_are_given() -> None:
    for agent in (BayCaRP2(), BayCaRP2(version="published")):
        assert agent.weights == "hand-picked"
        assert all(path.suffix != ".toml" for path in agent.files())
    assert similarities_of("hand-picked") == {stage: similarity(stage) for stage in STAGES}


@pytest.mark.parametrize("parameters", [{}, {"join": "bn-cbr-1"}, {"solutions": "strategies"}])
def test_an_agent_compares_situations_with_its_weights(parameters: Any, tmp_path: Path) -> None:
    path = tmp_path / "own.toml"
    path.write_text('[flop]\n"pot odds" = 71.5\n')
    agent = BayCaRP2(weights=str(path), **parameters)
    assert path in agent.files()
    agent.begin_match(MatchStart(named_game("limit-3p"), "me", ("me", "ann", "bob"), Stream.from_seed(1)))
    join: Any = agent.join_
    used = {
        "strategies": lambda: join.retrieve["flop"].similarity,
        "bn-cbr-1": lambda: join.similarities_["flop"],
        "": lambda: join.parts.retrieve["flop"].similarity,
    }[next(iter(parameters.values()), "")]()
    expected = similarity("flop").weights() | {"pot odds": 71.5}
    if parameters.get("join") == "bn-cbr-1":
        expected |= dict.fromkeys(HAND_TYPES, 0.0)
    assert used.weights() == expected


def test_weights_that_cannot_be_read_are_refused(tmp_path: Path) -> None:
    path = tmp_path / "own.toml"
    path.write_text('[flop]\n"hand strength" = 5\n')
    with pytest.raises(ValueError, match="no attribute is called 'hand strength'"):
        BayCaRP2(weights=str(path)).verify_game(named_game("limit-3p"))
