"""How `railbird equity` shows equities and a description of the hand."""

from rich.console import Console

from railbird.cards import format_cards, parse_cards
from railbird.equities.asking import Equities
from railbird.equities.reading import HandReading
from railbird.explanation.formats import format_percent, format_signed
from railbird.hands.types import HAND_TYPE_TITLES
from railbird.interfaces.fitting import FittedTable


def show_equities(found: Equities, console: Console) -> None:
    """Print the equities and a description of the first hand."""
    result = found.result
    table = FittedTable("hand")
    for heading in ("equity", "win", "tie", "lose"):
        table.add_column(heading, justify="right")
    for text, player in zip(found.hands, result.players, strict=True):
        error = "" if result.exact else f" ± {format_percent(1.96 * player.standard_error, 2)}"
        table.add_row(
            text,
            f"{format_percent(player.equity, 2)}{error}",
            format_percent(player.win, 2),
            format_percent(player.tie, 2),
            format_percent(player.lose, 2),
        )
    console.print(table)
    how = "exact, over" if result.exact else "95 % interval from"
    console.print(f"{how} {result.deals:,} deals\n")
    reading = found.reading()
    if reading is not None:
        console.print(_reading_table(reading))


def _reading_table(reading: HandReading) -> FittedTable:
    table = FittedTable(show_header=False)
    hole = format_cards(parse_cards(reading.hole), " ")
    table.add_row(
        "hand", f"{hole} on {format_cards(parse_cards(reading.board), ' ')}" if reading.board else hole
    )
    table.add_row("starting hand", f"rank {reading.starting_rank} of 169, hand group {reading.hand_group}")
    rates = ", ".join(
        f"{format_signed(rate, 3)} with {size} players" for size, rate in reading.income_rates.items()
    )
    table.add_row("income rate", rates)
    if reading.strength is None:
        return table
    measured = reading.strength
    table.add_row("makes", reading.hand or "")
    table.add_row("hand type", HAND_TYPE_TITLES.get(reading.hand_type or "", ""))
    table.add_row("draw", reading.draw or "")
    table.add_row("expert category", reading.expert_category or "")
    table.add_row("texture", reading.texture or "")
    for name, state in (reading.board_states or {}).items():
        table.add_row(name, state)
    table.add_row("HS", f"{measured.hs:.4f}")
    table.add_row("PPot, NPot", f"{measured.ppot:.4f}, {measured.npot:.4f} over {measured.look_ahead} cards")
    table.add_row("EHS", f"{measured.ehs_optimistic:.4f} = HS + (1 − HS)·PPot")
    table.add_row("", f"{measured.ehs_showdown:.4f} = HS·(1 − NPot) + (1 − HS)·PPot")
    table.add_row("E[HS], E[HS²]", f"{measured.expected_hs:.4f}, {measured.expected_hs_squared:.4f}")
    return table
