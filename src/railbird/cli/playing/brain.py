"""`railbird brain`: agents as a server, for bodies at other tables."""

from typing import Annotated

import typer


def brain(
    agents: Annotated[
        list[str] | None,
        typer.Argument(
            metavar="AGENT",
            help="The agents that bodies may ask for; without any, every registered one.",
            show_default=False,
        ),
    ] = None,
    host: Annotated[
        str, typer.Option(help="The address to listen at: by itself, only this machine.")
    ] = "127.0.0.1",
    port: Annotated[int, typer.Option(min=0, max=65535, help="The port; 0 lets the system choose.")] = 0,
    sessions: Annotated[int, typer.Option(min=1, help="How many sessions there may be at once.")] = 64,
    idle: Annotated[
        float, typer.Option(min=1, help="Seconds after which a session that nobody uses is closed.")
    ] = 1800,
) -> None:
    """Decide for bodies: programs that see a table elsewhere and do there what the brain tells them.

    The address is printed first. Bodies speak JSON over HTTP (docs/brain.md); one of ours is the agent
    brain:url=ADDRESS,agent=NAME. It has no passwords: whoever reaches the address may ask. Ctrl-C or SIGTERM ends it.
    """
    import signal
    import sys
    from threading import Event

    from railbird.agent import make_agent
    from railbird.cli.progress import tell_of_compiling
    from railbird.interfaces.brain.server import BrainServer
    from railbird.interfaces.brain.sessions import Sessions
    from railbird.interfaces.offer import Offer

    for agent in agents or ():
        make_agent(agent)
    tell_of_compiling()
    leaving = Event()
    for number in (signal.SIGINT, signal.SIGTERM):
        signal.signal(number, lambda *_: leaving.set())
    with BrainServer(Sessions(Offer(tuple(agents or ())), sessions, idle), host, port) as server:
        print(server.address, flush=True)
        if not server.welcome:
            print("railbird: other machines may ask this brain, and it has no passwords", file=sys.stderr)
        while not leaving.wait(1.0):
            pass
