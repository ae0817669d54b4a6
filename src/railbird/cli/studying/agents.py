"""`railbird agents`: all registered agents."""


def agents() -> None:
    """List every agent with its paper and parameters."""
    from rich.console import Console
    from rich.table import Table

    from railbird.agent import agent_info, agent_names

    table = Table("agent", "description", "paper", "parameters", box=None, padding=(0, 2, 0, 0))
    for name in agent_names():
        info = agent_info(name)
        parameters = ", ".join(f"{part.name}={part.default} ({part.kind})" for part in info.parameters)
        table.add_row(name, info.summary, info.paper, parameters)
    Console().print(table)
