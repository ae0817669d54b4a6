"""BayCaRP's experiments: what they count, and that they compare what they say."""

from pathlib import Path

import numpy as np
import pytest

from railbird.agent import make_agent
from railbird.agents.baycarp.agent import BayCaRP2
from railbird.agents.baycarp.cases import SOLUTIONS
from railbird.agents.baycarp.joins.ways import JOINS
from railbird.agents.baycarp.network import network_path, read_opponents_network
from railbird.agents.baycarp.view import Viewer
from railbird.bayes.structure import Structure, Variable
from railbird.cards import parse_cards
from railbird.experiments import experiment_named
from railbird.experiments.baycarp.ablation import CASES, JOINED, NETWORK, Knowledge
from railbird.experiments.baycarp.example import (
    BAYCARP,
    BOARD,
    FLOP,
    HANDS,
    JAKE,
    RIVER,
    attributes,
    situation,
)
from railbird.experiments.baycarp.play import COMPARED, HALF_WIDTHS, PRINTED
from railbird.experiments.frame import Laboratory
from railbird.hands.boards import board_change, board_state
from railbird.hands.evaluator import evaluate
from railbird.hands.types import HandType, hand_type
from railbird.opponents.network.beliefs import READINGS, Beliefs
from railbird.opponents.network.quality import NodePredictions


def test_misses_with_a_state_in_front() -> None:
    """Three misses of the two most probable states; in two of them the first state was the most probable."""
    structure = Structure((Variable("Hand", ("Busted", "Pair", "Flush")),))
    chances = np.array([[0.6, 0.3, 0.1], [0.5, 0.3, 0.2], [0.2, 0.7, 0.1], [0.6, 0.3, 0.1]])
    truth = np.array([2, 2, 2, 0])
    found = NodePredictions("Hand", np.empty((4, 1), dtype=np.int16), chances, truth)
    assert found.missed_with(structure, "Busted", 2) == pytest.approx(2 / 3)
    assert found.missed_with(structure, "Pair", 2) == pytest.approx(1 / 3)
    assert found.missed_with(structure, "Busted", 3) == 0.0


def test_the_ablation_changes_one_thing_at_a_time() -> None:
    knowledge = Knowledge(Path("own.xdsl"), {ranges: Path(f"{ranges}.parquet") for ranges in READINGS})
    agents = {}
    for name, spec in knowledge.agents().items():
        agent = make_agent(spec)
        assert isinstance(agent, BayCaRP2)
        settings = ("join", "players", "solutions", "ranges", "retain", "reuse", "outcomes", "k", "pack")
        agents[name] = {setting: getattr(agent, setting) for setting in settings}
    assert {each["join"] for each in agents.values()} == set(JOINS)
    assert {each["pack"] for each in agents.values()} == {f"{ranges}.parquet" for ranges in READINGS}
    for name, settings_of in agents.items():
        changed = {key for key, value in settings_of.items() if value != agents[JOINED][key]}
        two = name == CASES or settings_of["join"] == "cbr-bn-2"
        assert len(changed) == (2 if two else name != JOINED), name
    assert agents[NETWORK]["join"] == "network"


def test_both_versions_play_at_the_same_table() -> None:
    for agent in HALF_WIDTHS:
        made = make_agent(agent)
        if isinstance(made, BayCaRP2):
            assert made.retain
            assert made.pack == made.network == ("baycarp-published" if "published" in agent else "baycarp")
    assert {agent for pair in COMPARED for agent in pair} == set(HALF_WIDTHS)
    assert set(PRINTED) < set(HALF_WIDTHS)


def test_the_cards_of_the_example_fit_the_text() -> None:
    """JLow, Low and FirstQ; on the turn 37 of 44 river cards leave BayCaRP ahead: 84.1 %."""
    board = parse_cards(BOARD.replace(" ", ""))
    assert board_state(board[:3]).label == "JLow"
    assert board_change(board[:3], board[3]).label == "Low"
    assert board_change(board[:4], board[4]).label == "FirstQ"
    baycarp, jake = (parse_cards(HANDS[seat]) for seat in (BAYCARP, JAKE))
    left = [card for card in range(52) if card not in (*baycarp, *jake, *board[:4])]
    ahead = sum(evaluate((*baycarp, *board[:4], card)) > evaluate((*jake, *board[:4], card)) for card in left)
    assert (ahead, len(left)) == (37, 44)
    assert hand_type(jake, board[:4]) == HandType.BUSTED
    assert hand_type(jake, board) == HandType.STRAIGHT


def test_the_example_has_the_printed_betting() -> None:
    """Figures 6.7 and 6.12."""
    for betting, bets, odds in ((FLOP, "0.0/0.0/6.0", "0.118"), (RIVER, "0.0/4.0/12.0", "0.114")):
        here = situation(betting)
        view = Viewer(Beliefs(*read_opponents_network(network_path("baycarp-published")))).view(here)
        told = dict(attributes(view, here))
        assert told["players, in hand, yet to act"] == "2/1/0"
        assert told["bets committed, to call, total, in small blinds"] == bets
        assert told["pot odds"] == odds


def test_the_example_prints_every_stage_beside_the_thesis() -> None:
    """What is believed and done depends on the shipped files; what follows from the betting does not."""
    found = {finding.what: finding for finding in experiment_named("baycarp-example").run(Laboratory())}
    for stage, action in (("flop", "bet"), ("turn", "bet"), ("river", "fold")):
        assert found[f"{stage}: the action"].published == action
        assert found[f"{stage}: the action"].measured in SOLUTIONS
    for stage in ("flop", "river"):
        for what in ("pot odds", "bets committed, to call, total, in small blinds"):
            assert found[f"{stage}: {what}"].measured == found[f"{stage}: {what}"].published
