"""Speed of whole matches, including agents, observations, referee, statistics and log, against peers' bare loops."""

from collections.abc import Iterator
from time import perf_counter

from railbird.arena.play.match import play_seating
from railbird.arena.play.plan import Duplicate, MatchPlan, entrants_of
from railbird.arena.run.experiment import run_matches
from railbird.benchmarks.measuring import Figure, Work, compare_rates, if_installed
from railbird.benchmarks.parts.engine import HEADS_UP, drawn_before


def figures() -> Iterator[Figure]:
    """Matches between always-call agents against OpenSpiel and PokerKit, and two workers against one."""
    yield compare_rates(
        "match, heads-up limit, statistics and log",
        _match("limit-2p", 2, 1000),
        "OpenSpiel, bare loop",
        _open_spiel_calls(2000),
        unit="hands/s",
        required=1.0,
    )
    yield compare_rates(
        "match, nine-handed limit, statistics and log",
        _match("limit-9max", 9, 500),
        "PokerKit, bare loop",
        _pokerkit_calls(10),
        unit="hands/s",
        required=20,
    )
    yield compare_rates(
        "two workers, forked from a running server",
        _duplicate("2", 100_000),
        "one worker",
        _duplicate("1", 100_000),
        unit="hands/s",
        required=1.9,
        turns=1,
        clock=perf_counter,
    )


def _match(game: str, players: int, hands: int) -> Work:
    plan = MatchPlan(game, entrants_of(["always-call"] * players), hands, "bench")

    def work() -> int:
        return len(play_seating(plan, 0, keep_log=True).payoffs)

    return work


def _duplicate(workers: str, hands: int) -> Work:
    plans = [
        MatchPlan(
            "limit-2p",
            entrants_of(["always-call"] * 2),
            hands,
            "bench",
            ("match", number),
            Duplicate.PERMUTATIONS,
        )
        for number in range(2)
    ]

    def work() -> int:
        return sum(result.tally.hands for result in run_matches(plans, workers))

    return work


@if_installed
def _open_spiel_calls(hands: int) -> Work:
    import pyspiel

    draw = drawn_before()
    game = pyspiel.load_game(HEADS_UP)
    call = 1

    def work() -> int:
        for _ in range(hands):
            state = game.new_initial_state()
            while not state.is_terminal():
                if state.is_chance_node():
                    cards = state.legal_actions()
                    state.apply_action(cards[draw() % len(cards)])
                else:
                    state.apply_action(call)
            assert state.returns()
        return hands

    return work


@if_installed
def _pokerkit_calls(hands: int) -> Work:
    from pokerkit import Automation, FixedLimitTexasHoldem

    game = FixedLimitTexasHoldem(tuple(Automation), True, 0, (5, 10), 10, 20)

    def work() -> int:
        for _ in range(hands):
            state = game(2000, 9)
            while state.status:
                state.check_or_call()
        return hands

    return work
