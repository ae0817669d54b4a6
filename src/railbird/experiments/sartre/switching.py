"""Table 15 of sartre-2012: SARTRE with three players, with and without strategy switching.

Both agents meet the same two opponents on the same deals, each in all six seatings. The opponents keep no models, so
every hand is a match of its own: both agents and their opponents begin it with the same random numbers, and the results
differ only where switching made a difference. The unit of every interval is a deal: what was won in its twelve hands.
Steps of ten thousand deals are played until the interval of the difference is narrow enough; its width decides, not the
difference, so the interval remains valid.
"""

from collections.abc import Callable, Iterator, Mapping
from dataclasses import asdict, dataclass
from functools import partial
from itertools import count, permutations
from typing import Any

from railbird.agent import MatchStart, fingerprint, make_agent
from railbird.arena.play.hand import finish_hand
from railbird.arena.play.match import Partial
from railbird.arena.results.rates import Rate
from railbird.arena.results.tally import Tally
from railbird.arena.run.workers import kept_workers, run_jobs
from railbird.engine.setup import Setup
from railbird.engine.state import State
from railbird.experiments.frame import Experiment, Finding, Laboratory
from railbird.kernels.rules.pots import PARTS
from railbird.notation.game_names import find_game
from railbird.rng import Stream

GAME = "limit-3p"
AGENTS = {"without switching": "sartre-3p:switching=no", "with switching": "sartre-3p"}
OPPONENTS = {"akuma": "pokibot:models=no", "dpp": "pokibot:profile=loose-passive,models=no"}
"""The stand-ins for the paper's opponents: a sound player, and one that calls too much."""
MATCHES, DEALS = 10, 1000
"""Number of matches in a step, and of deals in a match."""
BLOCK = 100
"""Number of deals that a worker plays at a time."""
HALF_WIDTH = 0.01
"""Steps end when the interval of the difference is so narrow, in sb/h on either side."""
PUBLISHED = {
    "without switching": ("+0.2101 ± 0.004", "+0.0898 ± 0.003", "-0.2995 ± 0.004"),
    "with switching": ("+0.2218 ± 0.004", "+0.0875 ± 0.004", "-0.3093 ± 0.004"),
}
"""Table 15: what CaseBased3P, akuma and dpp won, in sb/h."""
_TABLE = 1 + len(OPPONENTS)
"""Number of players at a table."""
_SEATINGS = 6
"""Number of orders in which they can sit."""


def _switching(laboratory: Laboratory) -> Iterator[Finding]:
    step, deals = laboratory.sized(MATCHES, 2), laboratory.sized(DEALS, 4)
    tally = Tally.empty(_TABLE * len(AGENTS))
    with kept_workers():
        for number in count(1):
            tally += _match(laboratory, number, deals)
            if laboratory.progress is not None:
                laboratory.progress(number, -(-number // step) * step)
            if number % step == 0 and (laboratory.quick or _half_width(_gain(tally)) <= HALF_WIDTH):
                break
    players = ("sartre-3p", *(f"{agent} (for {name})" for name, agent in OPPONENTS.items()))
    for table, kind in enumerate(AGENTS):
        for place, player in enumerate(players):
            rate = _rate(tally, {table * _TABLE + place: 1})
            yield Finding(f"{kind}: {player}", str(rate), f"{PUBLISHED[kind][place]} sb/h")
    gain = _gain(tally)
    yield Finding(
        f"gain from switching, on the same {tally.units:,} deals",
        str(gain),
        "+0.0117 sb/h",
        f"half-width at most {HALF_WIDTH} sb/h",
        _half_width(gain) <= HALF_WIDTH,
    )


def _match(laboratory: Laboratory, number: int, deals: int) -> Tally:
    """What all players won in a match with each of the agents; a unit is a deal."""
    agents = (*AGENTS.values(), *OPPONENTS.values())
    files = " ".join(fingerprint(agent, trusted=True) for agent in agents)
    note = f"match {number} of {', '.join(agents)} {files}"
    found = laboratory.noted(note, partial(_played, laboratory, number, deals))
    return Tally(found["units"], found["hands"], tuple(found["totals"]), tuple(map(tuple, found["products"])))


def _played(laboratory: Laboratory, number: int, deals: int) -> dict[str, Any]:
    stream = laboratory.stream("sartre switching", number)
    blocks = [_Block(stream, range(first, min(first + BLOCK, deals))) for first in range(0, deals, BLOCK)]
    won: list[tuple[tuple[int, ...], ...]] = [()] * len(blocks)
    for which, outcome in run_jobs(blocks, laboratory.workers):
        won[which] = outcome
    return asdict(Tally.of([deal for block in won for deal in block], _SEATINGS))


@dataclass(frozen=True, slots=True)
class _Block:
    """Some deals of a match, as work for a worker."""

    stream: Stream
    deals: range

    def play(self, tell: Callable[[Partial], None] | None = None) -> tuple[tuple[int, ...], ...]:  # noqa: ARG002
        """For each deal what every player won in all seatings: at the table of the first agent, then of the second."""
        rules = find_game(GAME)
        setup = Setup.of(rules)
        tables = [[make_agent(text) for text in (agent, *OPPONENTS.values())] for agent in AGENTS.values()]
        labels = ("sartre-3p", *OPPONENTS)
        won = []
        for deal in self.deals:
            stream = self.stream.child(deal)
            payoffs = [0] * (_TABLE * len(tables))
            for table, agents in enumerate(tables):
                for seating, places in enumerate(permutations(range(_TABLE))):
                    for agent, label in zip(agents, labels, strict=True):
                        agent.begin_match(MatchStart(rules, label, labels, stream.child(label, seating)))
                    state = State.deal(setup, stream.child("deal"))
                    finish_hand(
                        state, [agents[place] for place in places], tuple(labels[place] for place in places)
                    )
                    for place, chips in zip(places, state.payoffs, strict=True):
                        payoffs[table * _TABLE + place] += int(chips * PARTS)
            won.append(tuple(payoffs))
        return tuple(won)


def _rate(tally: Tally, weights: Mapping[int, int]) -> Rate:
    return Rate.from_tally(
        find_game(GAME), tally, [weights.get(each, 0) for each in range(len(tally.totals))]
    )


def _gain(tally: Tally) -> Rate:
    """What the agent with switching won more than the one without."""
    return _rate(tally, {0: -1, _TABLE: 1})


def _half_width(rate: Rate) -> float:
    return (rate.high - rate.low) / 2


EXPERIMENTS = (
    Experiment(
        name="sartre-switching",
        paper="sartre-2012, table 15",
        claim="Heads-up cases decide better than three-player cases once a player has folded.",
        setup=f"sartre-3p with and without switching against {' and '.join(OPPONENTS.values())}, the stand-ins for "
        f"{' and '.join(OPPONENTS)}: {MATCHES} matches of {DEALS:,} deals in six seatings, the same for both, and "
        f"{MATCHES} more at a time until the difference is known to ± {HALF_WIDTH} sb/h.",
        run=_switching,
    ),
)
