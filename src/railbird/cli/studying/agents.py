"""`railbird agents`: all registered agents."""


def agents() -> None:
    """List every agent with its papers and parameters."""
    from rich.console import Console
    from rich.table import Table

    from railbird.agent import agent_info, agent_names
    from railbird.papers import named_in

    table = Table("agent", "description", "papers", "parameters", box=None, padding=(0, 2, 0, 0))
    citations: list[str] = []
    for name in agent_names():
        info = agent_info(name)
        parameters = ", ".join(f"{part.name}={part.default} ({part.kind})" for part in info.parameters)
        table.add_row(name, info.summary, ", ".join(info.papers), parameters)
        citations += info.papers
    console = Console(highlight=False)
    console.print(table)
    console.print("\nPapers")
    for paper in named_in(citations):
        console.print(f"  {paper.key}: {paper}. {paper.venue}.", markup=False)
