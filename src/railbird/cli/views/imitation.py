"""How `railbird imitate` shows its results."""

from collections.abc import Callable

from rich.console import Console

from railbird.cli.output import hands, plain_table
from railbird.explanation.formats import format_fixed, format_percent, format_signed
from railbird.learning.fidelity import ALL, Fidelity, Imitated, PredictionScore
from railbird.learning.imitation import MeanByHand


def show_imitated(imitated: Imitated, console: Console) -> None:
    """Agreement and log-loss by stage, next to the baselines."""
    who = " and ".join(imitated.players)
    console.print(
        f"{imitated.system} imitates {who}: {imitated.learnt:,} decisions learnt from {hands(imitated.hands)}, "
        f"1 hand in {imitated.parts} held out\n",
        markup=False,
    )
    console.print("Agreement in percent: how often the most probable action was the actual one")
    _show(imitated, "agreement", console)
    console.print("\nLog-loss in nats: −ln of the probability of the actual action")
    _show(imitated, "log_loss", console)
    found = imitated.stages[ALL]
    console.print(
        "\nCompared with the most frequent action with or without a bet to call (baseline by bet): agreement "
        f"{_points(found.over_usual.agreement, format_signed)} percentage points (higher is better), log-loss "
        f"{_nats(found.over_usual.log_loss, format_signed)} nats (lower is better)"
    )
    if found.missed:
        console.print(f"No case was similar enough for {format_percent(found.missed)} of the decisions.")
    console.print("± is half a 95 % interval, whose independent units are hands.")
    for warning in imitated.warnings:
        console.print(f"Warning: {warning}.", markup=False)


def _show(imitated: Imitated, measure: str, console: Console) -> None:
    table = plain_table(
        "", "decisions", "imitator", "baseline by bet", "difference", "baseline", "difference"
    )
    shown = _points if measure == "agreement" else _nats
    formats = (format_fixed, format_fixed, format_signed, format_fixed, format_signed)
    for stage, found in imitated.stages.items():
        figures = [
            shown(getattr(score, measure), form) for score, form in zip(_scores(found), formats, strict=True)
        ]
        table.add_row(stage, f"{found.decisions:,}", *figures)
    console.print(table)


def _scores(found: Fidelity) -> tuple[PredictionScore, ...]:
    return found.imitator, found.usual, found.over_usual, found.majority, found.over_majority


def _points(value: MeanByHand, form: Callable[[float, int], str]) -> str:
    return _with_error(form(100 * value.mean, 1), value.within and f"{100 * value.within:.1f}")


def _nats(value: MeanByHand, form: Callable[[float, int], str]) -> str:
    return _with_error(form(value.mean, 3), value.within and f"{value.within:.3f}")


def _with_error(mean: str, within: str | float | None) -> str:
    return mean if within is None else f"{mean} ± {within}"
