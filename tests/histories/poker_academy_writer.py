"""Writes hands as Poker Academy Pro does, to test the reader: any number of players, limit and no-limit."""

from random import Random

from railbird.cards import Card, format_card
from railbird.engine.actions import ActionKind
from railbird.engine.events import Act, Award, DealBoard, Reveal
from railbird.engine.record import HandRecord
from railbird.engine.rules import Betting

STREETS = {1: "FLOP", 2: "TURN", 3: "RIVER"}


def write_hand(record: HandRecord, random: Random) -> str:
    """The text of a finished hand with two blinds."""
    rules, setup, players = record.rules, record.setup, record.players

    def cards(of: tuple[Card, ...]) -> str:
        return " ".join(map(format_card, of))

    def last_chips(seat: int) -> str:
        return "(all-in)" if left[seat] == 0 else ""

    small, big = sorted(blind for blind in rules.blinds if blind)
    limit = rules.betting is Betting.LIMIT
    number = int(record.hand_id.removeprefix("PokerAcademy-"))
    game = (
        f"Limit Texas Holdem (${big}/${rules.bet_sizes[2]})"
        if limit
        else f"No Limit Texas Holdem (${small}/${big} NL)"
    )
    lines = [
        f"Poker Academy Pro #{number:,}",
        game,
        "Table Written",
        "November 01, 2010 - 22:05:20 (CET)",
        "",
    ]
    rows = sorted(zip(record.seats, range(len(players)), strict=True))
    width = max(map(len, players))
    hole = record.cards
    for number, seat in rows:
        star = "*" if seat == len(players) - 1 else " "
        own = hole[2 * seat : 2 * seat + 2]
        shown = f"  {cards(own)}" if -1 not in own else ""
        lines.append(f"{number:2}) {players[seat]:{width}} {star}  ${setup.stacks[seat]:,}{shown}")
    lines.append("")
    left = list(setup.stacks)
    for blind, kind in ((small, "small"), (big, "big")):
        seat = setup.blinds.index(blind)
        chips = min(blind, left[seat])
        left[seat] -= chips
        lines.append(f"{players[seat]} posts {kind} blind ${chips} {last_chips(seat)}".rstrip())
    board: tuple[Card, ...] = ()
    high = big
    for event in record.events:
        match event:
            case DealBoard(street, new):
                board += new
                high = 0
                lines += ["", f"{STREETS[street]}:  {cards(board)}"]
            case Act(seat, done, paid, to):
                left[seat] -= paid
                who = players[seat]
                match done:
                    case ActionKind.FOLD:
                        lines.append(f"{who} folds")
                    case ActionKind.CALL:
                        lines.append(f"{who} calls ${paid:,} {last_chips(seat)}" if paid else f"{who} checks")
                    case ActionKind.RAISE:
                        verb = "bets" if to - paid == high else "raises"
                        lines.append(f"{who} {verb} ${to - high:,} {last_chips(seat)}".rstrip())
                        high = to
            case Reveal(seat, shown_cards):
                lines.append(
                    f"{players[seat]} shows {cards(shown_cards)}" if shown_cards else f"{players[seat]} mucks"
                )
            case Award(seat, _, amount):
                ending = "with a hand" if record.state().is_showdown else "uncontested"
                lines += ["", f"{players[seat]} wins ${amount:,} {ending}"]
            case _:
                pass
    separator = random.choice(["*" * 30, ""])
    return "\n".join([*lines, "", separator]) + "\n"
