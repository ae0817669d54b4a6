"""`railbird watch` and `railbird casebase`: packs of cases, made from hands and looked after."""

from pathlib import Path
from typing import Annotated

import typer

from railbird.cli.hand_files import Encoding, From, Game

casebase = typer.Typer(
    name="casebase",
    help="Packs of cases: show, merge, export and verify them.",
    no_args_is_help=True,
    add_completion=False,
    rich_markup_mode=None,
)

PackFile = Annotated[Path, typer.Argument(metavar="PACK", help="A pack of cases.")]
Force = Annotated[bool, typer.Option("--force", help="Write over a file that exists.")]


def watch(
    logs: Annotated[
        list[str],
        typer.Argument(metavar="LOG", help="Files or folders of hands, in any format that is read."),
    ],
    system: Annotated[
        str, typer.Option("--as", metavar="SYSTEM", help="Who learns from the cases: casper or baycarp.")
    ],
    output: Annotated[Path, typer.Option("-o", "--output", metavar="PACK", help="The pack to write.")],
    player: Annotated[
        list[str] | None,
        typer.Option(metavar="NAME", help="Whose decisions are watched; several may be named."),
    ] = None,
    all_players: Annotated[bool, typer.Option("--all-players", help="Watch everybody.")] = False,
    network: Annotated[
        str,
        typer.Option(metavar="FILE", help="BayCaRP: the network that reads opponents, an XDSL file."),
    ] = "",
    from_format: From = None,
    game: Game = None,
    encoding: Encoding = "utf-8",
    force: Force = False,
) -> None:
    """Learn by watching: turn every decision of a player whose hole cards are known into a case.

    The cases go into a new pack: a Parquet file with the hash of every source and the recipe inside, which any data
    tool opens. Hands that cannot be read, hands that stand in the logs twice, hands of games that the system does not
    play and hands whose cards are unknown are counted and left out.

    To watch more, write another pack and join them with railbird casebase merge.
    """
    from railbird.cli.tasks.pack_making import Order, run

    run(
        Order(
            tuple(logs),
            tuple(player or ()),
            all_players,
            system,
            network,
            output,
            from_format,
            game,
            encoding,
            force,
        )
    )


@casebase.command()
def show(
    pack: PackFile,
    json: Annotated[bool, typer.Option("--json", help="Print plain data instead of tables.")] = False,
) -> None:
    """Show where the cases of a pack come from, what was done in them, and the ranges of their attributes."""
    from rich.console import Console

    from railbird.cli.views.packs import as_json, show_pack
    from railbird.learning.recipes import read_watched

    found = read_watched(pack)
    if json:
        print(as_json(found))
    else:
        show_pack(found, str(pack), Console(highlight=False, soft_wrap=True))


@casebase.command()
def merge(
    packs: Annotated[
        list[Path], typer.Argument(metavar="PACK", help="The packs, in the order of their cases.")
    ],
    output: Annotated[Path, typer.Option("-o", "--output", metavar="PACK", help="The pack to write.")],
    keep_duplicates: Annotated[
        bool, typer.Option("--keep-duplicates", help="Also when a player was watched in the same file twice.")
    ] = False,
    force: Force = False,
) -> None:
    """Join packs of one system into a new one that keeps all their recipes."""
    from railbird.cli.tasks.pack_making import merge_packs

    merge_packs(tuple(packs), output, keep_duplicates=keep_duplicates, force=force)


@casebase.command()
def export(
    pack: PackFile,
    output: Annotated[
        str, typer.Argument(metavar="OUT", help="The .csv or .jsonl file to write; - is the standard output.")
    ],
    base: Annotated[
        str | None, typer.Option(help="Only this base, such as flop, with its columns.", show_default=False)
    ] = None,
    to_format: Annotated[
        str | None,
        typer.Option("--to", help="csv or jsonl; otherwise by OUT's name.", show_default=False),
    ] = None,
    force: Force = False,
) -> None:
    """Write the cases of a pack as comma-separated values or as JSON lines, compressed (.xz, .gz, .zst) or not."""
    from railbird.cli.tasks.pack_making import export_pack

    export_pack(pack, output, base=base, to_format=to_format, force=force)


@casebase.command()
def verify(
    pack: PackFile,
    sources: Annotated[
        list[Path] | None,
        typer.Argument(metavar="[LOG]...", help="Files that were watched, to compare with the recipe."),
    ] = None,
) -> None:
    """Check that a pack is whole, of its system's schema and as large as its recipe says, and that sources match."""
    from railbird.cli.tasks.pack_making import verify_pack

    verify_pack(pack, tuple(sources or ()))
