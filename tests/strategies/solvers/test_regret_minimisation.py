"""Regret minimisation comes to the known values of Kuhn and Leduc poker, at the expected rate."""

import numpy as np
import pytest

from railbird.engine.games import named_game
from railbird.strategies.small_games import SmallGame
from railbird.strategies.solvers.regret_minimisation import RegretMinimiser, Weighting

KUHN = SmallGame(named_game("kuhn-2p"))
LEDUC = SmallGame(named_game("leduc-2p"))


@pytest.mark.parametrize(
    ("game", "value", "precision"), [(KUHN, -1 / 18, 2e-5), (LEDUC, -0.0856, 1e-4)], ids=["kuhn", "leduc"]
)
def test_the_first_seat_loses_what_the_literature_says(
    game: SmallGame, value: float, precision: float
) -> None:
    minimiser = RegretMinimiser(game, Weighting.PLUS)
    minimiser.run(600)
    profile = minimiser.average()
    assert game.values(profile)[0] == pytest.approx(value, abs=precision)
    assert game.exploitability(profile) < 1e-3


@pytest.mark.parametrize("game", [KUHN, LEDUC], ids=["kuhn", "leduc"])
@pytest.mark.parametrize("weighting", Weighting)
@pytest.mark.parametrize("few", [30, pytest.param(60, marks=pytest.mark.soak)])
def test_exploitability_falls_at_least_with_the_root_of_the_iterations(
    game: SmallGame, weighting: Weighting, few: int
) -> None:
    minimiser = RegretMinimiser(game, weighting)
    minimiser.run(few)
    before = game.exploitability(minimiser.average())
    minimiser.run(9 * few)
    after = game.exploitability(minimiser.average())
    # √10 = 3.2; the first iterations are too few for exactly that.
    assert 0 < after < before / 2.5


def test_probabilities_are_probabilities_and_only_for_what_is_possible() -> None:
    minimiser = RegretMinimiser(LEDUC)
    for iterations in (0, 3):
        minimiser.run(iterations)
        for profile in (minimiser.current(), minimiser.average()):
            assert profile.sum(axis=1) == pytest.approx(np.ones(len(profile)))
            assert (profile >= 0).all()
            assert not profile[~LEDUC.legal].any()


@pytest.mark.parametrize("iterations", [1_000, pytest.param(3_000, marks=pytest.mark.soak)])
def test_kuhn_has_the_known_equilibria(iterations: int) -> None:
    minimiser = RegretMinimiser(KUHN, Weighting.PLUS)
    minimiser.run(iterations)
    profile = minimiser.average()
    jack, queen, king = KUHN.rules.deck
    row = {
        (KUHN.tree.words[each.node], each.hole[0]): profile[place]
        for place, each in enumerate(KUHN.information_sets)
    }
    bluff = row["", jack][2]
    assert 0 <= bluff <= 1 / 3 + 1e-2
    assert row["", queen][2] == pytest.approx(0, abs=1e-2)
    assert row["", king][2] == pytest.approx(3 * bluff, abs=1e-2)
    assert row["cr", queen][1] == pytest.approx(bluff + 1 / 3, abs=1e-2)
    assert row["c", jack][2] == pytest.approx(1 / 3, abs=1e-2)
    assert row["r", queen][1] == pytest.approx(1 / 3, abs=1e-2)
    assert row["r", king][1] == pytest.approx(1, abs=1e-2)
    assert row["r", jack][0] == pytest.approx(1, abs=1e-2)
