"""Contests: `match` and `tournament`, from their options to their results.

With a file for its results, a contest keeps a journal next to it: the same call resumes an interrupted contest, and a
call for more matches or agents plays only what is missing. Results of another experiment are never overwritten. Without
such a file, the journal of an unfinished contest may be kept in the user's data folder (`resume`).
"""

from collections.abc import Sequence
from pathlib import Path
from time import perf_counter

from railbird.agent import AgentLike, GivenAgent, make_agent, named
from railbird.arena.play.experience import NO_EXPERIENCE, Experience, ExperienceBook
from railbird.arena.play.match import MatchResult, rules_of
from railbird.arena.play.plan import Bust, FaultPolicy, Limits, MatchPlan, PlanError, entrants_of
from railbird.arena.results.outcomes import MatchResults, TournamentResults
from railbird.arena.results.report import match_report, rate_to_json, tournament_report
from railbird.arena.run.experiment import ProgressListener, run_matches
from railbird.arena.run.journal import Journal, journal_beside, plan_digest
from railbird.arena.run.kept_journals import kept_journal
from railbird.arena.run.sequential import SequentialTest
from railbird.arena.run.stopping import UntilDecided
from railbird.arena.run.terms import NO_LIMITS, Terms
from railbird.notation.game_names import find_game
from railbird.places import require_output, without_passwords
from railbird.spec import split_specs


def match(
    seats: Sequence[AgentLike] | str,
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
    resume: bool = False,
    log: Path | str | None = None,
    progress: ProgressListener | None = None,
    command: Sequence[str] | None = None,
) -> MatchResults:
    """Play one or more matches between agents.

    >>> results = match(["always-raise", "always-fold"], game="limit-2p", hands=10, duplicate=True, seed=1)
    >>> results.to_frame().select("player", "hands", "rate").rows()
    [('always-raise', 20, 0.75), ('always-fold', 20, -0.75)]

    Args:
        seats: The agents, seat by seat: names such as `simbot:trials=500`, classes in files (`bot.py:Cautious`), or
            objects and classes of `railbird.Agent`: every seating plays a copy of an object, and constructs a class
            without arguments. One text may name them all, separated by commas.
        game: A game by name, or an ACPC `.game` file.
        hands: Number of deals in each match.
        seed: Seed of the experiment; the same seed gives the same results.
        duplicate: Whether each deal is played in several seatings; `"rotations"` or `"permutations"` chooses them.
        matches: Number of matches, each with its own deals.
        shuffle: Whether the order of the seats is drawn for each match.
        until_decided: Stop after the match that decides whether the first player wins or loses. The value is the
            error rate of this sequential test.
        reduce_luck: Also report rates without the luck of starting hands and of the board.
        faults: With `"native"`, an agent that fails checks or folds, and forfeits at its third fault; with `"strict"`,
            the match is void.
        bust: Players without chips `"leave"`, or `"rebuy"`, which is counted.
        limits: Time and memory for an agent; with limits, agents run in their own processes.
        workers: Number of processes, `"ray"`, or `"ray://host:port"`.
        experience: Experience book of learning agents: matches start from it and are added to it.
        snapshot: Number of matches in the book to start from; by default all.
        results: File for the report; an interrupted contest resumes from the journal next to it.
        resume: Without such a file, keep a journal in the user's data folder until the contest is finished.
        log: File for every hand.
        progress: Receives the progress of the contest.
        command: The command line to report as the one that repeats the contest; by default it is derived from these
            options, for objects and classes as a call in Python.

    """
    players = _players(seats, game)
    terms = Terms(game, hands, str(seed), duplicate, faults, bust, limits, shuffle, snapshot)
    report_file, log_file = _path(results), _path(log)
    terms.require_ours(report_file, "match")
    if log_file is not None:
        require_output(log_file, force=True)
    terms, book = terms.with_book(_path(experience), report_file)
    lived = _lived(terms, book)
    entrants = entrants_of(players, trusted=True)
    plans = [terms.plan(entrants, ("match", number), lived) for number in range(matches)]
    rules = rules_of(plans[0])
    stop = None if until_decided is None else UntilDecided(rules, until_decided)
    if stop is not None:
        # Refuse a game that the test does not support before playing anything.
        SequentialTest.for_game(rules, stop.error_rate)
    if command is not None:
        repeat = terms.repeatable(command)
    elif _are_given(players):
        options = {"until_decided": until_decided, "reduce_luck": reduce_luck, "experience": experience}
        repeat = terms.call("match", players, {"matches": matches, **options})
    else:
        more = {
            "--matches": matches,
            "--until-decided": stop is not None,
            "--error-rate": until_decided,
            "--reduce-luck": reduce_luck,
            "--experience": experience,
        }
        repeat = terms.command("match", {"--seats": players}, more)
    started = perf_counter()
    played = _run(
        terms,
        plans,
        lived,
        str(workers),
        report_file,
        progress,
        resume=resume,
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
        from railbird.arena.luck.rates import adjusted_rates

        for player, rate in zip(report["players"], adjusted_rates(rules, played), strict=True):
            player["without_luck"] = rate_to_json(rate)
    found = MatchResults(rules, tuple(played), report)
    if log_file is not None:
        found.write_log(log_file)
    if report_file is not None:
        found.write(report_file)
    return found


def tournament(
    agents: Sequence[AgentLike] | str,
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
    resume: bool = False,
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
        raise PlanError(f"{game} needs at least {rules.players} agents, not {len(players)}")
    terms = Terms(game, hands, str(seed), duplicate, faults, bust, limits, shuffle, snapshot)
    report_file = _path(results)
    terms.require_ours(report_file, "tournament")
    terms, book = terms.with_book(_path(experience), report_file)
    lived = _lived(terms, book)
    entrants = entrants_of(players, trusted=True)
    plans = terms.round_robin(entrants, rules.players, matches, lived)
    if command is not None:
        repeat = terms.repeatable(command)
    elif _are_given(players):
        repeat = terms.call("tournament", players, {"matches": matches, "experience": experience})
    else:
        more = {"--matches": matches, "--experience": experience}
        repeat = terms.command("tournament", {"--agents": players}, more)
    started = perf_counter()
    played = _run(terms, plans, lived, str(workers), report_file, progress, journal=journal, resume=resume)
    if book is not None:
        _commit(book, played)
    named = [(entrant.label, without_passwords(entrant.agent)) for entrant in entrants]
    report = tournament_report(rules, named, played, reproduce=repeat, elapsed_s=perf_counter() - started)
    found = TournamentResults(rules, tuple(played), report, entrants)
    if report_file is not None:
        found.write(report_file)
    return found


def _path(path: Path | str | None) -> Path | None:
    return None if path is None else Path(path)


def _players(agents: Sequence[AgentLike] | str, game: str) -> list[str]:
    """The agents one by one; raises an error for invalid names or parameters, or an agent that cannot play the game."""
    rules = find_game(game)
    found = split_specs(agents) if isinstance(agents, str) else [named(agent) for agent in agents]
    for agent in found:
        make_agent(agent).verify_game(rules)
    return found


def _are_given(players: Sequence[str]) -> bool:
    """Whether players were given as objects or classes, which no command can name."""
    return any(isinstance(player, GivenAgent) for player in players)


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
    resume: bool = False,
    keep_log: bool = False,
    stop: UntilDecided | None = None,
) -> list[MatchResult]:
    """Play the matches missing in the journal."""

    def run(journal: Journal | None) -> list[MatchResult]:
        return run_matches(plans, workers, journal, progress, keep_log=keep_log, experience=lived, stop=stop)

    if results is not None and journal is None:
        with Journal(journal_beside(results), terms.to_json()) as beside:
            return run(beside)
    if resume and journal is None:
        with kept_journal("contest", terms.to_json()) as kept:
            return run(kept)
    return run(journal)


def _commit(book: ExperienceBook, results: Sequence[MatchResult]) -> None:
    """Add the experience to the book, in the order of the matches; void ones do not count."""
    book.commit(
        (
            plan_digest(result.plan),
            [
                (without_passwords(entrant.agent), texts)
                for entrant, texts in zip(result.plan.entrants, result.experience, strict=True)
            ],
        )
        for result in results
        if result.experience and result.void is None
    )
