"""`railbird brain`: agents as a server for clients of other tables."""

from typing import Annotated

import typer

from railbird.cli.completing import complete_agents


def brain(
    agents: Annotated[
        list[str] | None,
        typer.Argument(
            metavar="AGENT",
            help="The agents that clients may request; by default every registered one.",
            autocompletion=complete_agents,
            show_default=False,
        ),
    ] = None,
    host: Annotated[
        str, typer.Option(help="The address to listen on; by default only this machine can connect.")
    ] = "127.0.0.1",
    port: Annotated[int, typer.Option(min=0, max=65535, help="The port; 0 for any free port.")] = 0,
    sessions: Annotated[int, typer.Option(min=1, help="Maximum number of simultaneous sessions.")] = 64,
    idle: Annotated[
        float, typer.Option(min=1, help="Seconds after which an unused session is closed.")
    ] = 1800,
) -> None:
    """Make decisions for bodies: programs that observe a table elsewhere and act there.

    The address is printed first. Bodies use JSON over HTTP (docs/brain.md); the agent brain:url=ADDRESS,agent=NAME is
    one. There is no authentication: everyone who can reach the address can use it. Ctrl-C or SIGTERM stops it.
    """
    import signal
    import sys
    from threading import Event

    from railbird.agent import make_agent
    from railbird.interfaces.brain.server import BrainServer
    from railbird.interfaces.brain.sessions import Sessions
    from railbird.interfaces.offer import Offer

    for agent in agents or ():
        make_agent(agent)
    leaving = Event()
    for number in (signal.SIGINT, signal.SIGTERM):
        signal.signal(number, lambda *_: leaving.set())
    with BrainServer(Sessions(Offer(tuple(agents or ())), sessions, idle), host, port) as server:
        print(server.address, flush=True)
        if not server.welcome:
            print(
                "railbird: warning: other machines can use this brain, and it has no authentication",
                file=sys.stderr,
            )
        while not leaving.wait(1.0):
            pass
