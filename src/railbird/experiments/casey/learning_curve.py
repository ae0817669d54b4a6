"""CASEY's learning curve (baycarp-2011 §4.3.2, casper-2007 §2): from an empty case base, in blocks of hands.

Every seating of a match has its own CASEY that starts with an empty case base, so a block measures play after a given
number of hands. Hands of one learner are not independent of each other: the unit of an interval is a match.
"""

from collections.abc import Iterator, Sequence
from itertools import pairwise
from math import sqrt
from statistics import fmean, stdev

from railbird.arena.play.match import MatchResult
from railbird.arena.results.rates import Estimate, Rate
from railbird.experiments.frame import Experiment, Finding, Laboratory
from railbird.kernels.rules.pots import PARTS
from railbird.notation.game_names import find_game

CASEY = "casey:keeps=no"
"""Every match starts with an empty case base, so nothing has to be stored."""
BLOCKS = 5
_BLOCK = 1000
_QUICK_BLOCK = 10
TABLES = {"three": ("limit-4max", 8, "on par"), "seven": ("limit-8max", 4, "loses to more than three")}
"""By number of rulebots: the game, the number of matches, and the published result."""


def learning_curve(results: Sequence[MatchResult], blocks: int = BLOCKS) -> list[Rate]:
    """The win rate of the first player in each of the equal blocks of deals."""
    rules = find_game(results[0].plan.game)
    seatings = len(results[0].plan.seatings())
    deals = results[0].plan.hands // blocks
    by_match = [_blocks(result, deals, blocks) for result in results]
    rates = []
    for winnings in zip(*by_match, strict=True):
        means = [chips / (deals * seatings) for chips in winnings]
        error = stdev(means) / sqrt(len(means))
        hands = len(means) * deals * seatings
        rates.append(Rate.of(rules, Estimate(fmean(means), error, len(means), len(means) - 1, hands)))
    return rates


def _blocks(result: MatchResult, deals: int, blocks: int) -> list[float]:
    """The chips that the first player won in each block, from the points of the bankroll curve."""
    won = {point[0]: point[1] / PARTS for point in result.curve}
    totals = [0.0, *(won[deals * block] for block in range(1, blocks + 1))]
    return [after - before for before, after in pairwise(totals)]


def _curves(laboratory: Laboratory) -> Iterator[Finding]:
    block = laboratory.sized(_BLOCK, _QUICK_BLOCK)
    for opponents, (game, matches, published) in TABLES.items():
        agents = [CASEY, *["rulebot"] * (find_game(game).players - 1)]
        many = laboratory.sized(matches, 2)
        results = laboratory.matches(
            f"casey {opponents}", game, agents, deals=many * BLOCKS * block, matches=many
        )
        rates = learning_curve(results)
        for number, rate in enumerate(rates):
            what = f"hands {number * block + 1:,} to {(number + 1) * block:,} against {opponents} rulebots"
            if number < BLOCKS - 1:
                yield Finding(what, str(rate))
            elif opponents == "three":
                yield Finding(what, str(rate), published, "an interval that reaches zero", rate.high >= 0)
            else:
                yield Finding(what, str(rate), published)


EXPERIMENTS = (
    Experiment(
        name="casey-learning",
        paper="baycarp-2011 §4.3.2, casper-2007 §2",
        claim="CASEY starts with an empty case base and random play; after it has acquired its cases it plays on par "
        "with three RuleBots, and it loses to more of them.",
        setup="Limit with four and with eight players, duplicate deals in all rotations: in every seating, a CASEY "
        "that starts with an empty case base, among RuleBots; an interval is over matches.",
        run=_curves,
    ),
)
