"""`railbird papers`: the publications behind the agents and experiments."""


def papers() -> None:
    """List the publications behind the agents, and the agents that each describes."""
    from railbird.agent import agent_info, agent_names
    from railbird.cli.output import result_console
    from railbird.cli.views.agents import show_papers

    show_papers([agent_info(each) for each in agent_names()], result_console())
