"""baycarp-2011: how well the network reads opponents (§7.2), and what BayCaRP wins (§7.3)."""

from collections.abc import Iterator, Mapping

from railbird.arena.results.rates import Rate
from railbird.bayes.inference import posterior
from railbird.bayes.network import Network
from railbird.engine.record import HandRecord
from railbird.experiments.frame import Experiment, Finding, Laboratory
from railbird.experiments.played_hands import noted_records
from railbird.experiments.published import PublishedRate, difference_finding
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
GAME = "limit-8max"
TABLE = ("pokibot", *PROFILES, *["simbot:trials=100"] * 2)
"""Five Pokibots of different profiles and two Simbots."""
DEALS, BATCH = 100, 10
"""Deals per match, and matches between checks of the interval's width."""
HALF_WIDTHS = {"baycarp1": 0.03, "baycarp2": 0.017, "baycarp3": 0.03, "casper02": 0.02}
"""Required half-widths of the intervals, in sb/h; baycarp2 and casper02 are close to each other."""
MOST_HANDS = 200_000
STAGES = ("hand group", "hand type on the flop", "hand type on the turn", "hand type on the river")
THESIS = ("32/50/65/77 %", "50/67/78 %", "44/61/72 %", "42/59/72 %")
PLAYED = {"baycarp1": PublishedRate(-0.026, 4_501), "baycarp2": PublishedRate(0.056, 4_506)}

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
        found[name] = [
            predictions(network, later[Who.SHOWDOWN if stage == 3 else Who.FLOP], stage) for stage in range(4)
        ]
        for stage, each in enumerate(found[name]):
            tops = "/".join(f"{100 * each.top(count):.0f}" for count in range(1, 5 if stage == 0 else 4))
            yield Finding(
                f"{STAGES[stage]}: {name}",
                f"{tops} % of {len(each):,}; log-loss {each.log_loss:.3f}, "
                f"calibration error {each.calibration_error:.3f}",
                THESIS[stage],
            )
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
    yield from _faults(published[0], learn_and_split(records, learnt, LEARNT[PUBLISHED])[0])


def played_records(laboratory: Laboratory, count: int) -> list[HandRecord]:
    """Hands of the teachers, from the journal if they were played before."""
    note = f"{count} hands of {' '.join(TEACHERS)}"
    return noted_records(laboratory, note, NINE_HANDED, TEACHERS, count, f"{laboratory.seed} teachers")


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


def _faults(groups: NodePredictions, network: Network) -> Iterator[Finding]:
    """Misses: hand groups that were not among the four most probable (figures 7.1 and 7.2, table 7.2)."""
    structure = network.structure
    by_position = groups.faults(structure, "Position", 4)
    by_action = groups.faults(structure, "Action", 4)
    yield Finding(
        "misses by position (fig. 7.1)", _shares(by_position), "Blinds 44 %, more the later the position"
    )
    yield Finding("misses by action (fig. 7.2)", _shares(by_action), "Call 67 %, Raise 24 %, Check 6 %")
    both = groups.faults_by(structure, "Action", "Position", 4)
    for action, published in (("Call", "32/6/12/16 %"), ("Raise", "4/5/6/8 %")):
        shares = [both[action, position] for position in structure.variable("Position").states]
        yield Finding(
            f"misses after {action} in the blinds, early, middle and late (table 7.2)",
            "/".join(f"{100 * share:.0f}" for share in shares) + " %",
            published,
        )


def _shares(shares: Mapping[str, float]) -> str:
    return ", ".join(f"{name} {share:.0%}" for name, share in shares.items())


def _play(laboratory: Laboratory) -> Iterator[Finding]:
    rates: dict[str, Rate] = {}
    matches: dict[str, int] = {}
    for agent in HALF_WIDTHS:
        rates[agent], matches[agent] = _until_narrow(laboratory, agent)
        wins = agent == "baycarp2"
        what, published = f"{agent} at the table of Pokibots and Simbots", PLAYED.get(agent)
        asked = "an interval above zero" if wins else ""
        holds = rates[agent].low > 0 if wins else None
        if published is None:
            yield Finding(what, str(rates[agent]), asked=asked, holds=holds)
        else:
            deviation = laboratory.deviation("baycarp", GAME, [agent, *TABLE])
            yield published.finding(what, rates[agent], deviation, asked=asked, holds=holds)
    yield difference_finding(
        "baycarp2 over baycarp1, in the thesis itself", PLAYED["baycarp2"], PLAYED["baycarp1"], deviation
    )
    for agent, instead in (("baycarp2", "baycarp1"), ("baycarp3", "baycarp1"), ("baycarp2", "casper02")):
        common = min(matches[agent], matches[instead])
        difference = laboratory.difference(
            "baycarp", GAME, [agent, *TABLE], instead, deals=common * _deals(laboratory), matches=common
        )
        yield Finding(
            f"{agent} over {instead} on the same deals",
            str(difference),
            "",
            "an interval above zero",
            difference.low > 0,
        )


def _deals(laboratory: Laboratory) -> int:
    return laboratory.sized(DEALS, 2)


def _until_narrow(laboratory: Laboratory, agent: str) -> tuple[Rate, int]:
    """The rate of an agent once its interval is narrow enough or enough hands are played, and the number of matches."""
    batch, deals = laboratory.sized(BATCH, 2), _deals(laboratory)
    matches = batch
    while True:
        rate = laboratory.rate("baycarp", GAME, [agent, *TABLE], deals=matches * deals, matches=matches)
        narrow = (rate.high - rate.low) / 2 <= HALF_WIDTHS[agent]
        if laboratory.quick or narrow or rate.hands >= MOST_HANDS:
            return rate, matches
        matches += batch


EXPERIMENTS = (
    Experiment(
        name="baycarp-prediction",
        paper="baycarp-2011 §7.2, tables 7.1 to 7.3, figs. 7.1 and 7.2",
        claim="The network predicts what opponents hold; split calls, partial hands and all hands improve it.",
        setup="Nine-handed limit, Pokibots of five profiles and Simbots: 5,000 hands to learn from, 1,000 to test on.",
        run=_prediction,
    ),
    Experiment(
        name="baycarp-play",
        paper="baycarp-2011 §7.3",
        claim="BayCaRP2 wins at a table of Pokibots and Simbots, BayCaRP1 loses a little, CASPER does worse.",
        setup="Eight-handed limit, five Pokibots of different profiles and two Simbots, duplicate deals in all "
        "rotations, until an interval is ± 0.03 sb/h (casper02: ± 0.02, baycarp2: ± 0.017) or 200,000 hands are "
        "played; bb/h of the thesis are sb/h here.",
        run=_play,
    ),
)
