"""Findings as a table and as JSON."""

from collections.abc import Sequence
from dataclasses import asdict
from typing import Any

from rich.console import Console
from rich.table import Table
from rich.text import Text

from railbird import __version__
from railbird.experiments.frame import Experiment, Finding

SCHEMA = "railbird.reproduction/1"


def to_json(
    experiment: Experiment,
    findings: Sequence[Finding],
    *,
    seed: str,
    quick: bool,
    command: str,
    elapsed_s: float,
) -> dict[str, Any]:
    """An experiment and its findings."""
    return {
        "schema": SCHEMA,
        "name": experiment.name,
        "paper": experiment.paper,
        "claim": experiment.claim,
        "setup": experiment.setup,
        "seed": seed,
        "quick": quick,
        "findings": [asdict(finding) for finding in findings],
        "reproduce": command,
        "elapsed_s": elapsed_s,
        "version": __version__,
    }


def show_heading(experiment: Experiment, console: Console) -> None:
    """Print the claim to be tested."""
    console.print(Text(experiment.name, style="bold"))
    console.print(Text(f"{experiment.paper}: {experiment.claim}"))
    console.print(Text(experiment.setup))


def show_findings(findings: Sequence[Finding], command: str, console: Console) -> None:
    """Print the findings with the published results and the required conditions."""
    table = Table("", "measured", "published", "asked", "", box=None, padding=(0, 2, 0, 0))
    for finding in findings:
        verdict = "" if finding.holds is None else "holds" if finding.holds else "missed"
        cells = (finding.what, finding.measured, finding.published, finding.asked, verdict)
        table.add_row(*map(Text, cells))
    console.print(table)
    console.print(Text(f"reproduce with: {command}\n"), soft_wrap=True)
