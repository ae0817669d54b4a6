"""baycarp-2011 §7.2: how well the network reads opponents."""

from collections.abc import Iterator, Mapping, Sequence

from railbird.bayes.inference import posterior
from railbird.bayes.network import Network
from railbird.engine.record import HandRecord
from railbird.experiments.frame import Experiment, Finding, Laboratory
from railbird.experiments.opponent_tables import THESIS_TABLE
from railbird.experiments.played_hands import noted_records
from railbird.experiments.published import Portion
from railbird.explanation.formats import format_percent
from railbird.features.playing_style import StyleBook
from railbird.learning.networks import BACKING, Training, train
from railbird.opponents.network.nodes import HAND_TYPES, Variant
from railbird.opponents.network.quality import NodePredictions, predictions
from railbird.opponents.network.rows import Codes, Who, rows_of_hands

NINE_HANDED = "limit-9max"
PROFILES = tuple(
    f"pokibot:profile={name}"
    for name in ("tight-passive", "tight-aggressive", "loose-passive", "loose-aggressive")
)
TEACHERS = ("pokibot", *PROFILES, "pokibot", *["simbot:trials=100"] * 3)
"""The players whose hands the networks of the experiment are learnt from and tested on."""
CALIBRATED = (*THESIS_TABLE, "pokibot:preflop=hard")
"""Players who choose their hands as often as those of the thesis."""
CALIBRATED_LEARNT, CALIBRATED_TESTED = 20_000, 4_000
"""Hands learnt from and tested on at their table: few of them reach the showdowns that the published network needs."""
TOP_GROUPS, TOP_TYPES = 4, 3
"""The number of most probable states that BayCaRP uses."""
LEAST_RIGHT = 0.75
"""How often the hand group must be among the four most probable at the calibrated table; 77 % in table 7.1."""
STAGES = ("hand group", "hand type on the flop", "hand type on the turn", "hand type on the river")
THESIS = (
    ((0.32, 0.50, 0.65, 0.77), 2_069),
    ((0.50, 0.67, 0.78), 1_453),
    ((0.44, 0.61, 0.72), 1_115),
    ((0.42, 0.59, 0.72), 943),
)
"""How often the truth was among the most probable states, and the number of predictions (tables 7.1 and 7.3)."""
THESIS_BUSTED = Portion(0.40, 320)
"""Of the misses on the flop, 22 % of the predictions, those with a busted hand as the most probable (§7.2.2)."""

SPLIT, PARTIAL = Variant(split_call=True), Variant(partial=True, split_call=True)
LEARNT: Mapping[str, Training] = {
    "as published, from showdowns": Training(Variant(), Who.SHOWDOWN),
    "as published, from everybody on the flop": Training(Variant(), Who.FLOP),
    "split calls, from everybody": Training(SPLIT, Who.FLOP),
    "split calls and pot odds, from everybody": Training(Variant(split_call=True, pot_odds=True), Who.FLOP),
    "split calls and partial hands, from showdowns": Training(PARTIAL, Who.SHOWDOWN),
    "split calls and partial hands, from everybody": Training(PARTIAL, Who.FLOP),
    "the same, backed by tables without the action": Training(PARTIAL, Who.FLOP, backing=BACKING),
}
PUBLISHED, *_, IMPROVED = LEARNT


def _prediction(laboratory: Laboratory) -> Iterator[Finding]:
    learnt, tested = laboratory.sized(5000, 60), laboratory.sized(1000, 30)
    records = played_records(laboratory, learnt + tested)
    found: dict[str, list[NodePredictions]] = {}
    for name, training in LEARNT.items():
        network, later = learn_and_split(records, learnt, training)
        found[name] = _predicted(network, later)
        for stage, each in enumerate(found[name]):
            yield _beside_thesis(f"{STAGES[stage]}: {name}", each, stage, is_published=name == PUBLISHED)
        yield from _busted(name, network)
    published, best = found[PUBLISHED], found[IMPROVED]
    for stage in range(4):
        yield Finding(
            f"{STAGES[stage]}: log-loss of the published network and of the improved one",
            f"{published[stage].log_loss:.3f} and {best[stage].log_loss:.3f}",
            "",
            "the improved one lower",
            best[stage].log_loss < published[stage].log_loss,
        )
    yield from _faults("", published, learn_and_split(records, learnt, LEARNT[PUBLISHED])[0])
    yield from _calibrated(laboratory)


def _calibrated(laboratory: Laboratory) -> Iterator[Finding]:
    """The published and the improved network at a table whose players choose their hands like the thesis's."""
    where = "calibrated table, "
    learnt, tested = laboratory.sized(CALIBRATED_LEARNT, 60), laboratory.sized(CALIBRATED_TESTED, 30)
    records = played_records(laboratory, learnt + tested, CALIBRATED)
    for name in (PUBLISHED, IMPROVED):
        network, later = learn_and_split(records, learnt, LEARNT[name])
        found = _predicted(network, later)
        asks = name == PUBLISHED
        for stage, each in enumerate(found):
            must = asks and not stage
            yield _beside_thesis(
                f"{where}{STAGES[stage]}: {name}",
                each,
                stage,
                is_published=asks,
                asked=f"at least {format_percent(LEAST_RIGHT, 0)} among four" if must else "",
                holds=each.top(TOP_GROUPS) >= LEAST_RIGHT if must else None,
            )
        if asks:
            yield from _faults(where, found, network)


def _predicted(network: Network, later: Mapping[Who, Codes]) -> list[NodePredictions]:
    """The predictions of the hand group, and of the hand types of every stage; those of the river of showdowns."""
    return [
        predictions(network, later[Who.SHOWDOWN if stage == 3 else Who.FLOP], stage) for stage in range(4)
    ]


def _beside_thesis(
    what: str,
    found: NodePredictions,
    stage: int,
    *,
    is_published: bool,
    asked: str = "",
    holds: bool | None = None,
) -> Finding:
    """Predictions next to the thesis's; only those of the published network may agree with it."""
    printed, number = THESIS[stage]
    tops = [found.top(count) for count in range(1, len(printed) + 1)]
    errors = f"log-loss {found.log_loss:.3f}, calibration error {found.calibration_error:.3f}"
    agrees = Portion(tops[-1], len(found)).agrees(Portion(printed[-1], number)) if is_published else None
    measured = f"{_tops(tops, len(found))}; {errors}"
    return Finding(what, measured, _tops(printed, number), asked, holds, agrees)


def _tops(shares: Sequence[float], number: int) -> str:
    told = "/".join(f"{100 * share:.0f}" for share in shares)
    return f"{told} % of {number:,} (the last ± {100 * Portion(shares[-1], number).half_width:.1f})"


def played_records(laboratory: Laboratory, count: int, agents: Sequence[str] = TEACHERS) -> list[HandRecord]:
    """Hands of the teachers, from the journal if they were played before."""
    note = f"{count} hands of {' '.join(agents)}"
    return noted_records(laboratory, note, NINE_HANDED, agents, count, f"{laboratory.seed} teachers")


def learn_and_split(
    records: list[HandRecord], learnt: int, training: Training
) -> tuple[Network, dict[Who, Codes]]:
    """A network learnt from the first hands, and the rows of the later ones."""
    rows = rows_of_hands(records[:learnt], training.variant, training.who)
    return train(rows, training), rows_to_test(records, learnt, training.variant)


def rows_to_test(records: list[HandRecord], learnt: int, variant: Variant) -> dict[Who, Codes]:
    """The rows of later hands, with the styles known by then."""
    later = {}
    for who in (Who.FLOP, Who.SHOWDOWN):
        book = StyleBook()
        for record in records[:learnt]:
            book.observe(record)
        later[who] = rows_of_hands(records[learnt:], variant, who, book)
    return later


def _busted(name: str, network: Network) -> Iterator[Finding]:
    """The probability of a busted hand given only an aggressive action (§7.2.2)."""
    busted = network.structure.code(HAND_TYPES[0], "Busted")
    chances = [
        float(posterior(network, {"ActionFlop": action}, [HAND_TYPES[0]])[HAND_TYPES[0]][busted])
        for action in ("Bet", "Raise")
    ]
    said = "P(busted | bet) and P(busted | raise) on the flop"
    yield Finding(
        f"{said}: {name}", " and ".join(format_percent(chance, 0) for chance in chances), "18 % and 13 %"
    )


def _faults(where: str, found: Sequence[NodePredictions], network: Network) -> Iterator[Finding]:
    """Misses: hand groups that were not among the four most probable (figures 7.1 and 7.2, table 7.2), and types."""
    structure, groups = network.structure, found[0]
    by_position = groups.faults(structure, "Position", TOP_GROUPS)
    by_action = groups.faults(structure, "Action", TOP_GROUPS)
    yield Finding(
        f"{where}misses by position (fig. 7.1)",
        _shares(by_position),
        "Blinds 44 %, more the later the position",
    )
    yield Finding(
        f"{where}misses by action (fig. 7.2)", _shares(by_action), "Call 67 %, Raise 24 %, Check 6 %"
    )
    both = groups.faults_by(structure, "Action", "Position", TOP_GROUPS)
    for action, published in (("Call", "32/6/12/16 %"), ("Raise", "4/5/6/8 %")):
        shares = [both[action, position] for position in structure.variable("Position").states]
        yield Finding(
            f"{where}misses after {action} in the blinds, early, middle and late (table 7.2)",
            "/".join(f"{100 * share:.0f}" for share in shares) + " %",
            published,
        )
    for stage, published in ((1, _share(THESIS_BUSTED)), (2, "the same effect"), (3, "")):
        types = found[stage]
        missed = max(1, round((1.0 - types.top(TOP_TYPES)) * len(types)))
        busted = Portion(types.missed_with(structure, "Busted", TOP_TYPES), missed)
        yield Finding(
            f"{where}{STAGES[stage]}: misses with a busted hand as the most probable (§7.2.2)",
            _share(busted),
            published,
            agrees=busted.agrees(THESIS_BUSTED) if stage == 1 else None,
        )


def _share(portion: Portion) -> str:
    return f"{format_percent(portion.share, 0)} of {portion.of:,} (± {100 * portion.half_width:.1f})"


def _shares(shares: Mapping[str, float]) -> str:
    return ", ".join(f"{name} {format_percent(share, 0)}" for name, share in shares.items())


EXPERIMENTS = (
    Experiment(
        name="baycarp-prediction",
        paper="baycarp-2011 §7.2, tables 7.1 to 7.3, figs. 7.1 and 7.2",
        claim="The network predicts what opponents hold; split calls, partial hands and all hands improve it.",
        setup="Nine-handed limit, Pokibots of five profiles and Simbots: 5,000 hands to learn from, 1,000 to test on; "
        "the published and the improved network also at a table whose players choose their hands as often as those of "
        "figure 7.4, with 20,000 and 4,000.",
        run=_prediction,
    ),
)
