"""How `railbird reproduce` shows experiments and their findings."""

from collections.abc import Iterable

from rich.console import Console
from rich.text import Text

from railbird.agents.provenance import without_folders
from railbird.experiments.frame import Experiment, Finding
from railbird.experiments.running import Reproduction
from railbird.interfaces.fitting import FittedTable


def show_heading(experiment: Experiment, console: Console) -> None:
    """The claim to be tested."""
    console.print(Text(experiment.name, style="bold"))
    console.print(Text(f"{experiment.paper}: {experiment.claim}"))
    console.print(Text(experiment.setup))


def show_findings(found: Reproduction, console: Console) -> None:
    """The findings, next to the published results and the acceptance criteria."""
    table = FittedTable("", "measured", "published", "criterion", "")
    for finding in found.findings:
        cells = (finding.what, finding.measured, finding.published, finding.asked, _verdict(finding))
        table.add_row(*map(Text, cells))
    console.print(table)
    taught: dict[str, list[str]] = {}
    for agent, learnt in found.provenance.items():
        taught.setdefault(learnt, []).append(without_folders(agent))
    for learnt, agents in taught.items():
        console.print(Text(f"{' and '.join(agents)} learnt from: {learnt}."))
    console.print(Text(f"reproduce: {found.command}\n"), soft_wrap=True)


def _verdict(finding: Finding) -> str:
    """Whether the condition holds, and whether the published result is confirmed."""
    words = {"met": finding.holds, "agrees": finding.agrees}
    opposites = {"met": "not met", "agrees": "differs"}
    return ", ".join(word if true else opposites[word] for word, true in words.items() if true is not None)


def show_experiments(experiments: Iterable[Experiment], console: Console) -> None:
    """Every experiment and its claim."""
    table = FittedTable("experiment", "paper", "claim")
    for experiment in experiments:
        table.add_row(experiment.name, experiment.paper, experiment.claim)
    console.print(table)
