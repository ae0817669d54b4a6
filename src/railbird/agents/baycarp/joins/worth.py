"""Deciding by the network's beliefs alone: the action worth most against them (G-bucks, baycarp-2011 §5.4.5)."""

from collections.abc import Mapping, Sequence

from railbird.agents.baycarp.cases import SOLUTIONS
from railbird.agents.baycarp.explanation import belief_sections
from railbird.agents.baycarp.parts import Join, Parts, Solved, certain
from railbird.agents.baycarp.view import View
from railbird.agents.casper.explanation import DOING
from railbird.cbr.cycle.episode import Episode
from railbird.explanation import SHARE, SMALL_BETS, Bar, Bars, Deferred, Explanation, Fact, Section
from railbird.explanation.formats import format_share, format_signed
from railbird.features.outcomes import g_bucks, possible
from railbird.observation import Observation
from railbird.opponents.network.beliefs import Believed


class ByWorth(Join):
    """Takes the action worth most against what the opponents are believed to hold."""

    def __init__(self, parts: Parts) -> None:
        self.parts = parts

    def episode(self, observation: Observation, view: View) -> Episode:
        """The action worth most."""
        worth = self._worth(observation, self.parts.viewer.equity(observation, view))
        return Episode(view.target, strategy=certain(_best(worth)))

    def _worth(self, observation: Observation, equity: float) -> dict[str, float]:
        """The worth of each possible action, given the chance to win."""
        allowed = possible(observation)
        return {name: g_bucks(observation, name, equity) for name in SOLUTIONS if name in allowed}

    def solve(self, observation: Observation, view: View) -> Solved:
        """The action worth most, and why."""
        viewer = self.parts.viewer
        believed = view.believed or viewer.believed(observation)
        equity = viewer.equity(observation, view)
        worth = self._worth(observation, equity)
        best = _best(worth)
        names = {each.seat: observation.players[each.seat] for each in believed}
        facts, sections = self.about(observation, believed, names)
        return Solved(
            Episode(view.target, strategy=certain(best)),
            Explanation(
                f"The hand wins {format_share(equity)} of the time against what the opponents may hold, and "
                f"{DOING[best]} is worth the most ({format_signed(worth[best], 2)} small bets).",
                (Fact("chance to win", equity, SHARE), *facts),
                Deferred(
                    lambda: (
                        Bars("worth of each action", tuple(map(Bar, worth, worth.values())), SMALL_BETS),
                        *sections,
                        *belief_sections(believed, list(names.values())),
                    )
                ),
            ),
        )

    def about(
        self,
        observation: Observation,  # noqa: ARG002
        believed: Sequence[Believed],  # noqa: ARG002
        names: Mapping[int, str],  # noqa: ARG002
    ) -> tuple[Sequence[Fact], Sequence[Section]]:
        """What a join adds to the reasons: where its beliefs about the opponents, named by seat, come from."""
        return (), ()


def _best(worth: Mapping[str, float]) -> str:
    return max(worth, key=lambda name: worth[name])
