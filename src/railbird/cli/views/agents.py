"""How `railbird agents` and `railbird papers` show agents, their parameters and their publications."""

from collections.abc import Sequence

from rich.console import Console
from rich.text import Text

from railbird.agent import AgentInfo, Parameter
from railbird.agents.provenance import provenance
from railbird.cli.output import print_indented
from railbird.interfaces.fitting import FittedTable
from railbird.interfaces.ratings import MEANINGS, shipped_ratings
from railbird.papers import PAPERS, cited, named_in

_KINDS = {"str": "text", "int": "whole number", "float": "number", "bool": "yes or no"}
_STAR = "★"
_EXAMPLES = 2


def show_agents(infos: Sequence[AgentInfo], console: Console) -> None:
    """Every agent with its stars by game and what it does."""
    ratings = shipped_ratings()
    table = FittedTable("agent", *ratings)
    for info in infos:
        rated = [game.ratings.get(info.name) for game in ratings.values()]
        table.add_row(info.name, *("" if each is None else _STAR * each.stars for each in rated))
    console.print(table)
    console.print()
    described = FittedTable("agent", "description")
    for info in infos:
        described.add_row(info.name, info.summary)
    console.print(described)
    meanings = "; ".join(f"{stars}: {meaning}" for stars, meaning in MEANINGS.items())
    console.print(f"\nStars by tournaments (railbird rate): {meanings}.")
    console.print(
        "railbird agents AGENT explains an agent's parameters; railbird papers lists the publications."
    )


def show_agent(agent: str, info: AgentInfo, console: Console) -> None:
    """What an agent does, what it knows with the parameters given, all parameters, its ratings and its publications."""
    knowledge = provenance(agent)
    console.print(Text(f"{agent} ({info.title})", style="bold"))
    console.print(info.summary)
    console.print(Text(f"Knowledge: {knowledge}."))
    console.print("\nParameters" if info.parameters else "\nIt has no parameters.")
    for parameter in info.parameters:
        _show_parameter(parameter, console)
    if info.parameters:
        console.print(f"\nUse them as in {info.name}:{_example(info)}", soft_wrap=True)
    rated = [game for game in shipped_ratings().values() if info.name in game.ratings]
    if rated:
        console.print("\nRatings")
    for game in rated:
        stars = game.ratings[info.name].stars
        console.print(f"  {game.game}: {_STAR * stars} {MEANINGS[stars]}")
    if info.papers:
        console.print("\nPapers")
        for citation in info.papers:
            print_indented(cited(citation), console, 2)


def _show_parameter(parameter: Parameter, console: Console) -> None:
    meaning = parameter.meaning
    print_indented(f"{parameter.name} ({_kind(parameter)}; default: {_default(parameter)})", console, 2)
    print_indented(f"{meaning.text}{f' ({meaning.source})' if meaning.source else ''}", console, 6)


def _kind(parameter: Parameter) -> str:
    """The type of a parameter in words, or its choices."""
    return _KINDS.get(parameter.kind, parameter.kind.replace(" | ", ", "))


def _default(parameter: Parameter) -> str:
    if isinstance(parameter.default, bool):
        return "yes" if parameter.default else "no"
    return str(parameter.default) or "none"


def _example(info: AgentInfo) -> str:
    """A few parameters as they are written after an agent's name."""
    stated = [f"{each.name}={_default(each)}" for each in info.parameters if each.default != ""]
    return ",".join(stated[:_EXAMPLES])


def show_papers(infos: Sequence[AgentInfo], console: Console) -> None:
    """Every publication with the agents that cite it, the oldest first."""
    for number, paper in enumerate(PAPERS.values()):
        if number:
            console.print()
        console.print(Text(paper.key, style="bold"))
        print_indented(paper.reference, console, 4)
        citing = [info.name for info in infos if paper in named_in(info.papers)]
        if citing:
            print_indented(f"Agents: {', '.join(citing)}", console, 4)
