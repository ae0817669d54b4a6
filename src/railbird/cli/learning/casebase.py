"""`railbird casebase`: manages packs of cases."""

from pathlib import Path
from typing import Annotated

import typer

from railbird.cli.completing import complete_packs
from railbird.cli.options import Force, JsonFile, refuse_idle_force
from railbird.cli.output import cases, require_json, result_console, write_json
from railbird.cli.registering import register
from railbird.extras import require_extra

casebase = typer.Typer(
    name="casebase",
    help="Packs of cases: show, merge, thin, export and verify them.",
    no_args_is_help=True,
    add_completion=False,
    rich_markup_mode=None,
)

PackFile = Annotated[
    Path, typer.Argument(metavar="PACK", help="A pack of cases.", autocompletion=complete_packs)
]


@register(casebase, "casebase show")
def show(
    context: typer.Context,
    pack: PackFile,
    json: JsonFile = None,
    force: Force = False,
) -> None:
    """Show the sources of a pack, its decisions, and the ranges of its attributes."""
    from railbird.cli.views.packs import show_pack
    from railbird.learning.packs import pack_to_json
    from railbird.learning.recipes import read_watched

    refuse_idle_force(context, json)
    require_json(json, force=force)
    found = read_watched(pack)
    if not write_json(json, lambda: pack_to_json(found)):
        show_pack(found, str(pack), result_console())


@register(casebase, "casebase merge")
def merge(
    packs: Annotated[
        list[Path],
        typer.Argument(
            metavar="PACK",
            help="The packs to merge; their cases stay in this order.",
            autocompletion=complete_packs,
        ),
    ],
    output: Annotated[Path, typer.Option("-o", "--output", metavar="PACK", help="The pack to write.")],
    keep_duplicates: Annotated[
        bool, typer.Option("--keep-duplicates", help="Allow packs that watched a player in the same file.")
    ] = False,
    force: Force = False,
) -> None:
    """Merge packs of one system into a new one that keeps all their recipes."""
    from railbird.cli.views.packs import show_merged
    from railbird.learning.packs import merge_packs

    require_extra("learn", "polars", "railbird casebase merge")
    joined = merge_packs(packs, output, keep_duplicates=keep_duplicates, force=force)
    show_merged(joined, len({str(path) for path in packs}), output, result_console())


@register(casebase, "casebase thin")
def thin(
    pack: PackFile,
    most: Annotated[
        str,
        typer.Option(
            metavar="NUMBERS", help="Maximum number of cases by base, such as preflop=30000,flop=30000."
        ),
    ],
    output: Annotated[Path, typer.Option("-o", "--output", metavar="PACK", help="The pack to write.")],
    seed: Annotated[str, typer.Option(help="Seed of the selection.")] = "1",
    force: Force = False,
) -> None:
    """Write a smaller pack: a random selection of the cases of some bases.

    What a player did in a hand stays together, so a base may have a few cases fewer than asked.
    """
    from railbird.cli.views.packs import show_thinned
    from railbird.learning.packs import parse_numbers, thin_pack

    require_extra("learn", "polars", "railbird casebase thin")
    thinned = thin_pack(pack, output, parse_numbers(most), seed=seed, force=force)
    show_thinned(thinned, output, result_console())


@register(casebase, "casebase export")
def export(
    context: typer.Context,
    pack: PackFile,
    output: Annotated[
        str, typer.Argument(metavar="OUT", help="The .csv or .jsonl file to write; - for standard output.")
    ],
    base: Annotated[
        str | None, typer.Option(help="Only this base, such as flop, with its columns.", show_default=False)
    ] = None,
    to_format: Annotated[
        str | None,
        typer.Option("--to", help="csv or jsonl. By default, from the name of OUT.", show_default=False),
    ] = None,
    force: Force = False,
) -> None:
    """Write the cases of a pack as comma-separated values or as JSON lines, compressed (.xz, .gz, .zst) or not."""
    from railbird.learning.packs import export_pack

    refuse_idle_force(context, Path(output))
    require_extra("learn", "polars", "railbird casebase export")
    count = export_pack(pack, output, to_format=to_format or _format_of(output), base=base, force=force)
    if output != "-":
        print(f"{cases(count)} written to {output}")


def _format_of(output: str) -> str:
    """The format given by a file's name, compressed or not."""
    from railbird.cbr.packs.files import PackError
    from railbird.learning.packs import EXPORTS
    from railbird.notation.formats import COMPRESSIONS

    name = Path(output)
    found = Path(name.stem).suffix if name.suffix in COMPRESSIONS else name.suffix
    named = found.removeprefix(".").lower()
    if named not in EXPORTS:
        raise PackError(f"{output}: the file name does not indicate the format: use --to csv or --to jsonl")
    return named


@register(casebase, "casebase verify")
def verify(
    pack: PackFile,
    sources: Annotated[
        list[Path] | None,
        typer.Argument(metavar="[LOG]...", help="Watched files, to compare with the recipe."),
    ] = None,
) -> None:
    """Check that a pack is intact, matches its system's schema and its recipe, and that its sources are unchanged."""
    from railbird.learning.packs import verify_pack
    from railbird.learning.recipes import sources_of
    from railbird.learning.systems import is_system

    files = sources or []
    found = verify_pack(pack, files)
    print(f"{pack}: intact, {cases(len(found))} of {found.system} as in the recipe")
    if not is_system(found.system):
        print(f"there is no system {found.system}, so the schema was not compared")
    known = len(sources_of(found.recipe))
    named = f"{known:,} source{'' if known == 1 else 's'}"
    if files:
        print(f"{len(files):,} of {named} compared: unchanged")
    elif known:
        print(f"{named} not compared: name the files to compare them")
