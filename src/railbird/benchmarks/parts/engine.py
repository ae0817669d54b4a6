"""Speed of playing hands: in compiled batches, and step by step from Python.

All sides play at random: fold (when there is something to call), call or raise with equal probability, a raise
uniformly between its bounds. The peers play the same game in the tightest loop that their Python interfaces allow.
In the loops over steps of OpenSpiel and of our states, random numbers are drawn before the clock starts: drawing them
is no part of either engine, and would be a larger share of our time than of OpenSpiel's.
"""

import random
from collections.abc import Callable, Iterator
from itertools import cycle, islice

from railbird.benchmarks.measuring import Figure, Work, compare_rates, if_installed
from railbird.engine.batch import play_random
from railbird.engine.dealing import deal_in_turn
from railbird.engine.games import named_game
from railbird.engine.setup import Setup
from railbird.rng import Stream

HEADS_UP = (
    "universal_poker(betting=limit,numPlayers=2,numRounds=4,blind=10 5,firstPlayer=2 1 1 1,numSuits=4,numRanks=13,"
    "numHoleCards=2,numBoardCards=0 3 1 1,raiseSize=10 10 20 20,maxRaises=3 4 4 4)"
)
_UNEQUAL = (20000, 1500, 4000, 900, 12000, 300, 20000, 7000, 2500)


def figures() -> Iterator[Figure]:
    """Batch and stepped play against OpenSpiel and PokerKit."""
    heads_up = Setup.of(named_game("limit-2p"))
    nine = Setup.of(named_game(f"nolimit-9max:stack={'/'.join(map(str, _UNEQUAL))}"))
    open_spiel = _open_spiel(10_000)
    yield compare_rates(
        "batch, heads-up limit",
        _batch(heads_up, 500_000),
        "OpenSpiel",
        open_spiel,
        unit="hands/s",
        required=150,
    )
    yield compare_rates(
        "batch, nine-handed no-limit with side pots",
        _batch(nine, 100_000),
        "PokerKit",
        _pokerkit(20),
        unit="hands/s",
        required=1000,
    )
    yield compare_rates(
        "stepped from Python, heads-up limit",
        _stepped(heads_up, 100_000),
        "OpenSpiel",
        open_spiel,
        unit="hands/s",
        required=8,
    )


def drawn_before() -> Callable[[], int]:
    """Hands out random numbers below 2³⁰; their remainders are as good as uniform."""
    generator = random.Random(7)
    return cycle([generator.getrandbits(30) for _ in range(1 << 18)]).__next__


def _batch(setup: Setup, hands: int) -> Work:
    stream = Stream.from_seed("bench")

    def work() -> int:
        return play_random(setup, hands, stream).hands

    return work


def _stepped(setup: Setup, hands: int) -> Work:
    draw = drawn_before()
    deals = deal_in_turn(setup, Stream.from_seed("bench"))

    def work() -> int:
        for state in islice(deals, hands):
            while choices := state.node.choices:
                state.act(choices[draw() % len(choices)])
            assert state.payoffs
        return hands

    return work


@if_installed
def _open_spiel(hands: int) -> Work:
    import pyspiel

    draw = drawn_before()
    game = pyspiel.load_game(HEADS_UP)

    def work() -> int:
        for _ in range(hands):
            state = game.new_initial_state()
            while not state.is_terminal():
                # Cards are equally likely, so chance is drawn like any other choice.
                choices = state.legal_actions()
                state.apply_action(choices[draw() % len(choices)])
            assert state.returns()
        return hands

    return work


@if_installed
def _pokerkit(hands: int) -> Work:
    from pokerkit import Automation, NoLimitTexasHoldem

    generator = random.Random(7)
    game = NoLimitTexasHoldem(tuple(Automation), True, 0, (50, 100), 100)

    def work() -> int:
        for _ in range(hands):
            state = game(_UNEQUAL, len(_UNEQUAL))
            while state.status:
                least = state.min_completion_betting_or_raising_to_amount
                most = state.max_completion_betting_or_raising_to_amount
                kinds = "fcr" if state.can_fold() else "cr"
                match generator.choice(kinds if least is not None else kinds[:-1]):
                    case "f":
                        state.fold()
                    case "c":
                        state.check_or_call()
                    case _:
                        assert least is not None
                        assert most is not None
                        state.complete_bet_or_raise_to(generator.randint(least, most))
        return hands

    return work
