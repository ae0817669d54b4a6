"""How `railbird reproduce` shows experiments and their findings."""

from collections.abc import Iterable

from rich.console import Console
from rich.table import Table
from rich.text import Text

from railbird.experiments.frame import Experiment
from railbird.experiments.running import Reproduction


def show_heading(experiment: Experiment, console: Console) -> None:
    """The claim to be tested."""
    console.print(Text(experiment.name, style="bold"))
    console.print(Text(f"{experiment.paper}: {experiment.claim}"))
    console.print(Text(experiment.setup))


def show_findings(found: Reproduction, console: Console) -> None:
    """The findings, next to the published results and the acceptance criteria."""
    table = Table("", "measured", "published", "asked", "", box=None, padding=(0, 2, 0, 0))
    for finding in found.findings:
        verdict = "" if finding.holds is None else "holds" if finding.holds else "missed"
        cells = (finding.what, finding.measured, finding.published, finding.asked, verdict)
        table.add_row(*map(Text, cells))
    console.print(table)
    console.print(Text(f"reproduce: {found.command}\n"), soft_wrap=True)


def show_experiments(experiments: Iterable[Experiment], console: Console) -> None:
    """Every experiment and its claim."""
    table = Table("experiment", "paper", "claim", box=None, padding=(0, 2, 0, 0))
    for experiment in experiments:
        table.add_row(experiment.name, experiment.paper, experiment.claim)
    console.print(table)
