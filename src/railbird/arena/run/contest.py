"""Contests: `match` and `tournament`, from their options to their results.

With a file for its results, a contest keeps a journal next to it: the same call resumes an interrupted contest, and a
call for more matches or agents plays only what is missing. Results of another experiment are never overwritten.
"""

from collections.abc import Sequence
from pathlib import Path
from time import perf_counter

from railbird.agent import make_agent
from railbird.arena.play.experience import NO_EXPERIENCE, Experience, ExperienceBook
from railbird.arena.play.match import MatchResult, rules_of
from railbird.arena.play.plan import Bust, FaultPolicy, Limits, MatchPlan, PlanError, entrants_of
from railbird.arena.results.adjustment import adjusted_rates
from railbird.arena.results.outcomes import MatchResults, TournamentResults
from railbird.arena.results.report import match_report, rate_to_json, tournament_report
from railbird.arena.run.experiment import ProgressListener, run_matches
from railbird.arena.run.journal import Journal, journal_beside, plan_digest
from railbird.arena.run.sequential import SequentialTest
from railbird.arena.run.stopping import UntilDecided
from railbird.arena.run.terms import NO_LIMITS, Terms, require_writable
from railbird.notation.game_names import find_game
from railbird.spec import split_specs


def match(
    seats: Sequence[str] | str,
    *,
    game: str = "limit-2p",
    hands: int = 1000,
    seed: int | str = 0,
    duplicate: bool | str = False,
    matches: int = 1,
    shuffle: bool = False,
    until_decided: float | None = None,
    reduce_luck: bool = False,
    faults: str = FaultPolicy.NATIVE.value,
    bust: str = Bust.LEAVE.value,
    limits: Limits = NO_LIMITS,
    workers: int | str = 1,
    experience: Path | str | None = None,
    snapshot: int | None = None,
    results: Path | str | None = None,
    log: Path | str | None = None,
    progress: ProgressListener | None = None,
    command: Sequence[str] | None = None,
) -> MatchResults:
    """Play one or more matches between agents.

    >>> results = match(["always-raise", "always-fold"], game="limit-2p", hands=10, duplicate=True, seed=1)
    >>> results.to_frame().select("player", "hands", "rate").rows()
    [('always-raise', 20, 0.75), ('always-fold', 20, -0.75)]

    Args:
        seats: The agents, seat by seat: names such as `simbot:trials=500`, or classes in files: `bot.py:Cautious`. One
            text may name them all, separated by commas.
        game: A game by name, or an ACPC `.game` file.
        hands: Number of deals in each match.
        seed: Seed of the experiment; the same seed gives the same results.
        duplicate: Whether each deal is played in several seatings; `"rotations"` or `"permutations"` chooses them.
        matches: Number of matches, each with its own deals.
        shuffle: Whether the order of the seats is drawn for each match.
        until_decided: Stop after the match that decides whether the first player wins or loses. The value is the
            error rate of this sequential test.
        reduce_luck: Also report rates without the luck of all-ins and starting hands.
        faults: With `"native"`, an agent that fails checks or folds, and forfeits at its third fault; with `"strict"`,
            the match is void.
        bust: Players without chips `"leave"`, or `"rebuy"`, which is counted.
        limits: Time and memory for an agent; with limits, agents run in their own processes.
        workers: Number of processes, `"ray"`, or `"ray://host:port"`.
        experience: Experience book of learning agents: matches start from it and are added to it.
        snapshot: Number of matches in the book to start from; by default all.
        results: File for the report; an interrupted contest resumes.
        log: File for every hand.
        progress: Receives the progress of the contest.
        command: The command line to report as the one that repeats the contest; by default it is derived from these
            options.

    """
    players = _players(seats, game)
    terms = Terms(game, hands, str(seed), duplicate, faults, bust, limits, shuffle, snapshot)
    report_file, log_file = _path(results), _path(log)
    terms.require_ours(report_file, "match")
    require_writable(log_file)
    terms, book = terms.with_book(_path(experience), report_file)
    lived = _lived(terms, book)
    entrants = entrants_of(players, trusted=True)
    plans = [terms.plan(entrants, ("match", number), lived) for number in range(matches)]
    rules = rules_of(plans[0])
    stop = None if until_decided is None else UntilDecided(rules, until_decided)
    if stop is not None:
        # Refuse a game that the test does not support before playing anything.
        SequentialTest.for_game(rules, stop.error_rate)
    if command is None:
        more = {
            "--matches": matches,
            "--until-decided": stop is not None,
            "--error-rate": until_decided,
            "--reduce-luck": reduce_luck,
            "--experience": experience,
        }
        repeat = terms.command("match", {"--seats": players}, more)
    else:
        repeat = terms.repeatable(command)
    started = perf_counter()
    played = _run(
        terms,
        plans,
        lived,
        str(workers),
        report_file,
        progress,
        keep_log=log_file is not None or reduce_luck,
        stop=stop,
    )
    if book is not None:
        _commit(book, played)
    report = match_report(rules, played, reproduce=repeat, elapsed_s=perf_counter() - started)
    if stop is not None:
        report["sequential"] = {
            "error_rate": until_decided,
            "decided": stop(played),
            "rate": rate_to_json(stop.rate(played)),
        }
    if reduce_luck:
        for player, rate in zip(report["players"], adjusted_rates(rules, played), strict=True):
            player["without_luck"] = rate_to_json(rate)
    found = MatchResults(rules, tuple(played), report)
    if log_file is not None:
        found.write_log(log_file)
    if report_file is not None:
        found.write(report_file)
    return found


def tournament(
    agents: Sequence[str] | str,
    *,
    game: str = "limit-2p",
    hands: int = 1000,
    seed: int | str = 0,
    duplicate: bool | str = True,
    matches: int = 1,
    shuffle: bool = False,
    faults: str = FaultPolicy.NATIVE.value,
    bust: str = Bust.LEAVE.value,
    limits: Limits = NO_LIMITS,
    workers: int | str = 1,
    experience: Path | str | None = None,
    snapshot: int | None = None,
    results: Path | str | None = None,
    journal: Journal | None = None,
    progress: ProgressListener | None = None,
    command: Sequence[str] | None = None,
) -> TournamentResults:
    """Play a round robin: every table of agents meets equally often.

    >>> results = tournament(["always-raise", "always-call", "always-fold"], hands=10, seed=1)
    >>> results.to_json()["standings"]["total_bankroll"]
    ['always-raise', 'always-call', 'always-fold']
    >>> results.pairs_to_frame().select("first", "second", "rate").row(1)
    ('always-raise', 'always-fold', 0.75)

    `matches` is the number of matches at each table. Finished matches are found and kept in `journal`, if an open one
    is given, otherwise in the journal next to `results`. The other options are those of `match`.
    """
    players = _players(agents, game)
    rules = find_game(game)
    if len(players) < rules.players:
        raise PlanError(f"{game} needs {rules.players} agents at a table, but {len(players)} were given")
    terms = Terms(game, hands, str(seed), duplicate, faults, bust, limits, shuffle, snapshot)
    report_file = _path(results)
    terms.require_ours(report_file, "tournament")
    terms, book = terms.with_book(_path(experience), report_file)
    lived = _lived(terms, book)
    entrants = entrants_of(players, trusted=True)
    plans = terms.round_robin(entrants, rules.players, matches, lived)
    if command is None:
        more = {"--matches": matches, "--experience": experience}
        repeat = terms.command("tournament", {"--agents": players}, more)
    else:
        repeat = terms.repeatable(command)
    started = perf_counter()
    played = _run(terms, plans, lived, str(workers), report_file, progress, journal=journal)
    if book is not None:
        _commit(book, played)
    named = [(entrant.label, entrant.agent) for entrant in entrants]
    report = tournament_report(rules, named, played, reproduce=repeat, elapsed_s=perf_counter() - started)
    found = TournamentResults(rules, tuple(played), report, entrants)
    if report_file is not None:
        found.write(report_file)
    return found


def _path(path: Path | str | None) -> Path | None:
    return None if path is None else Path(path)


def _players(agents: Sequence[str] | str, game: str) -> list[str]:
    """The agents one by one; raises an error for invalid names or parameters, or an agent that cannot play the game."""
    rules = find_game(game)
    found = split_specs(agents) if isinstance(agents, str) else list(agents)
    for agent in found:
        make_agent(agent).verify_game(rules)
    return found


def _lived(terms: Terms, book: ExperienceBook | None) -> Experience:
    return NO_EXPERIENCE if book is None else book.snapshot(terms.snapshot)


def _run(
    terms: Terms,
    plans: Sequence[MatchPlan],
    lived: Experience,
    workers: str,
    results: Path | None,
    progress: ProgressListener | None,
    *,
    journal: Journal | None = None,
    keep_log: bool = False,
    stop: UntilDecided | None = None,
) -> list[MatchResult]:
    """Play the matches missing in the journal."""

    def run(journal: Journal | None) -> list[MatchResult]:
        return run_matches(plans, workers, journal, progress, keep_log=keep_log, experience=lived, stop=stop)

    if journal is not None or results is None:
        return run(journal)
    with Journal(journal_beside(results), terms.to_json()) as beside:
        return run(beside)


def _commit(book: ExperienceBook, results: Sequence[MatchResult]) -> None:
    """Add the experience to the book, in the order of the matches; void ones do not count."""
    book.commit(
        (
            plan_digest(result.plan),
            [
                (entrant.agent, texts)
                for entrant, texts in zip(result.plan.entrants, result.experience, strict=True)
            ],
        )
        for result in results
        if result.experience and result.void is None
    )
