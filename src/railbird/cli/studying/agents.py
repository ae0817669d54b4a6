"""`railbird agents`: all registered agents, or everything about one, also with parameters."""

from typing import Annotated

import typer

from railbird.cli.completing import complete_agents


def agents(
    name: Annotated[
        str | None,
        typer.Argument(
            metavar="AGENT",
            help="Show where this agent's knowledge comes from, its parameters, papers and ratings.",
            autocompletion=complete_agents,
            show_default=False,
        ),
    ] = None,
) -> None:
    """List every agent with its stars by game, or explain one and its parameters."""
    from railbird.agent import agent_info, agent_names, parse_agent
    from railbird.cli.output import result_console
    from railbird.cli.views.agents import show_agent, show_agents

    if name is None:
        show_agents([agent_info(each) for each in agent_names()], result_console())
    else:
        show_agent(name, agent_info(parse_agent(name).name), result_console())
