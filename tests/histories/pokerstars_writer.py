"""Writes hands as PokerStars does, to test the reader: random tables with every way to post, odd names and noise."""

from dataclasses import dataclass
from random import Random

from railbird.cards import Card, format_card
from railbird.engine.actions import ActionKind
from railbird.engine.events import Act, Award, DealBoard, Return, Reveal
from railbird.engine.record import HandRecord
from railbird.engine.rules import Antes, Betting, GameRules, blinds_for
from railbird.engine.setup import Setup

NAMES = (
    "Ann",
    "Ann: folds",
    "a: b",
    "raises $1 to $2",
    "Bob (button)",
    "[Ah Kd]",
    "名前",
    "$$Top_Boy$$ OG",
    "Seat 3: z",
    "Kuca :P",
    "collected $5",
    "/\\ntiHer[]",
    'x said, "y"',
    "posts big blind $1",
    "***",
)
NOISE = (
    'Watcher said, "Ann: folds"',
    "Watcher joins the table at seat #9",
    "Watcher leaves the table",
    "Watcher has timed out",
    "Watcher is disconnected",
    "Watcher has returned",
    "Watcher: sits out",
)
STREETS = {1: "FLOP", 2: "TURN", 3: "RIVER"}
FOLDED = ("before Flop", "on the Flop", "on the Turn", "on the River")


@dataclass(frozen=True)
class Table:
    """Who sits where and posts what."""

    setup: Setup
    players: tuple[str, ...]
    seats: tuple[int, ...]
    button: int
    posts: tuple[tuple[int, str, int], ...]
    """Position, kind and amount, in the order of the text."""
    stakes: tuple[int, int]
    sign: str


def random_table(random: Random, betting: Betting, plain: bool = False) -> Table:
    """A cash table; plain ones have two blinds and nothing else."""
    limit = betting is Betting.LIMIT
    count = random.randint(2, 9)
    if limit:
        small, big, high = random.choice([(1, 2, 4), (25, 50, 100), (50, 100, 200), (1000, 1500, 3000)])
    else:
        small, big = random.choice([(1, 2), (5, 10), (25, 50), (100, 200)])
        high = big
    stacks = [random.randint(1, big * random.choice([2, 10, 100])) for _ in range(count)]
    usual, first_seats = blinds_for(count, small, big)
    places = [usual.index(small), usual.index(big)]
    kinds = [(places[0], "small blind"), (places[1], "big blind")]
    big_blind, first = places[1], first_seats[0]
    others = [seat for seat in range(count) if seat not in places]
    if not plain:
        if count > 2 and random.random() < 0.15:
            kinds = [(0, "big blind")]
            big_blind, first, others = 0, 1, list(range(1, count))
        if others and random.random() < 0.1 and not limit:
            stacks[first] += 3 * big  # of a short straddle the text does not tell the full one
            kinds.append((first, "straddle"))
            others.remove(first)
            first = (first + 1) % count
        for seat in others:
            if random.random() < 0.15:
                kinds.append((seat, random.choice(["big blind", "small & big blinds", "small blind"])))
        if random.random() < 0.2:
            kinds += [(seat, "the ante") for seat in range(count)]
    due = {"small blind": small, "big blind": big, "straddle": 2 * big, "small & big blinds": small + big}
    due["the ante"] = max(1, big // 5)
    left, antes, blinds = list(stacks), [0] * count, [0] * count
    amounts: dict[tuple[int, str], int] = {}
    dead = False
    # Antes are taken before blinds, wherever the text prints them.
    for place, (seat, kind) in sorted(enumerate(kinds), key=lambda post: post[1][1] != "the ante"):
        chips = min(left[seat], due[kind])
        if not chips:
            kinds[place] = (seat, "")
            continue
        left[seat] -= chips
        amounts[seat, kind] = chips
        match kind:
            case "the ante":
                antes[seat] += chips
            case "small blind" if place:
                antes[seat] += chips
                dead = True
            case "small & big blinds":
                antes[seat] += max(0, chips - big)
                blinds[seat] = big
                dead = True
            case _:
                blinds[seat] = due[kind]
    if (big_blind, "big blind") not in amounts:
        return random_table(random, betting, plain)
    rules = GameRules(
        name="written",
        betting=betting,
        blinds=usual,
        stacks=(100 * big,) * count,
        bet_sizes=(big, big, high, high),
        raise_caps=(3, 4, 4, 4) if limit else (None,) * 4,
        first_seats=first_seats,
        raise_needs_caller=False,
        ante_rule=Antes.DEAD if dead else Antes.MATCHED,
    )
    seats = sorted(random.sample(range(1, 11), count))
    turn = random.randrange(count)
    order = seats[turn:] + seats[:turn]
    button = order[-1]
    if not plain and count > 2 and random.random() < 0.15:
        empty = [seat for seat in range(1, 11) if seat not in seats and _between(button, seat, order[0])]
        button = random.choice(empty) if empty else button
    return Table(
        setup=Setup(rules, tuple(stacks), tuple(blinds), tuple(antes), first),
        players=tuple(random.sample(NAMES, count)),
        seats=tuple(order),
        button=button,
        posts=tuple((seat, kind, amounts[seat, kind]) for seat, kind in kinds if kind),
        stakes=(big, high) if limit else (small, big),
        sign=random.choice("$€£"),
    )


def _between(last: int, seat: int, first: int) -> bool:
    return last < seat < first if last < first else seat > last or seat < first


def write_hand(
    record: HandRecord, table: Table, random: Random, rake: int = 0, hero: int | None = None
) -> str:
    """The text of a finished hand; the rake is taken from the one who won most."""
    rules, players, setup = record.rules, record.players, record.setup
    currency = {"$": "USD", "€": "EUR", "£": "GBP"}[table.sign]
    limit = "Limit" if rules.betting is Betting.LIMIT else "No Limit"

    def money(chips: int) -> str:
        whole, cents = divmod(chips, 100)
        return f"{table.sign}{whole}.{cents:02}" if cents else f"{table.sign}{whole}"

    def cards(of: tuple[Card, ...]) -> str:
        return f"[{' '.join(map(format_card, of))}]"

    def last_chips(is_all: bool) -> str:
        return " and is all-in" if is_all else ""

    low, high = table.stakes
    lines = [
        f"PokerStars Hand #{record.hand_id.removeprefix('PokerStars-')}:  Hold'em {limit} "
        f"({money(low)}/{money(high)} {currency}) - 2009/07/01 0:00:33 ET",
        f"Table 'Written' 10-max Seat #{table.button} is the button",
    ]
    lines += [
        f"Seat {seat}: {player} ({money(stack)} in chips) "
        for seat, player, stack in sorted(zip(table.seats, players, setup.stacks, strict=True))
    ]
    left = list(setup.stacks)
    for seat, kind, chips in table.posts:
        if kind == "the ante":
            left[seat] -= chips
    for seat, kind, chips in table.posts:
        left[seat] -= chips if kind != "the ante" else 0
        lines.append(f"{players[seat]}: posts {kind} {money(chips)}{last_chips(left[seat] == 0)}")
    lines.append("*** HOLE CARDS ***")
    hole = record.cards
    if hero is not None:
        lines.append(f"Dealt to {players[hero]} {cards(hole[2 * hero : 2 * hero + 2])}")
    board: tuple[Card, ...] = ()
    high_bet = max(setup.blinds)
    folded: dict[int, str] = {}
    awards = [event for event in record.events if isinstance(event, Award)]
    won = {award: int(award.amount) for award in awards}
    if rake:
        won[max(awards, key=lambda award: award.amount)] -= rake
    pots = 1 + max((award.pot for award in awards), default=0)
    showdown = False
    for event in record.events:
        match event:
            case DealBoard(street, new):
                before = f" {cards(board)}" if board else ""
                lines.append(f"*** {STREETS[street]} ***{before} {cards(new)}")
                board += new
                high_bet = 0
            case Act(seat, done, paid, to):
                left[seat] -= paid
                who = players[seat]
                match done:
                    case ActionKind.FOLD:
                        lines.append(f"{who}: folds ")
                        folded[seat] = FOLDED[max(0, len(board) - 2)]
                    case ActionKind.CALL if not paid:
                        lines.append(f"{who}: checks ")
                    case ActionKind.CALL:
                        lines.append(f"{who}: calls {money(paid)}{last_chips(left[seat] == 0)}")
                    case ActionKind.RAISE:
                        by = f"raises {money(to - high_bet)} to" if high_bet else "bets"
                        lines.append(f"{who}: {by} {money(to)}{last_chips(left[seat] == 0)}")
                        high_bet = to
            case Return(seat, amount):
                lines.append(f"Uncalled bet ({money(amount)}) returned to {players[seat]}")
            case Reveal(seat, shown):
                if not showdown:
                    lines.append("*** SHOW DOWN ***")
                    showdown = True
                lines.append(
                    f"{players[seat]}: shows {cards(shown)} (a hand)"
                    if shown
                    else f"{players[seat]}: mucks hand "
                )
            case Award(seat, pot):
                side = "side pot" if pots == 2 else f"side pot-{pot}"
                name = "pot" if pots == 1 else "main pot" if pot == 0 else side
                if won[event]:
                    lines.append(f"{players[seat]} collected {money(won[event])} from {name}")
            case _:
                pass
    for place in sorted(
        random.choices(range(2 + len(players), len(lines)), k=random.randint(0, 3)), reverse=True
    ):
        lines.insert(place, random.choice(NOISE))
    total = sum(won.values()) + rake
    parts = ""
    if pots > 1:
        sums = [sum(chips for award, chips in won.items() if award.pot == pot) for pot in range(pots)]
        sides = ["Side pot" if pots == 2 else f"Side pot-{pot}" for pot in range(1, pots)]
        parts = "".join(
            f" {name} {money(pot)}." for name, pot in zip(["Main pot", *sides], sums, strict=True)
        )
    lines += ["*** SUMMARY ***", f"Total pot {money(total)}{parts} | Rake {money(rake)} "]
    if board:
        lines.append(f"Board {cards(board)}")
    revealed = {event.seat: event.cards for event in record.events if isinstance(event, Reveal)}
    for seat in sorted(range(len(players)), key=lambda each: table.seats[each]):
        got = sum(chips for award, chips in won.items() if award.seat == seat)
        own = cards(hole[2 * seat : 2 * seat + 2])
        button = " (button)" if table.seats[seat] == table.button else ""
        if seat in folded:
            end = f"folded {folded[seat]}"
        elif not showdown:
            end = f"collected ({money(got)})"
        elif revealed[seat] is None:
            end = f"mucked {own}"
        elif got:
            end = f"showed {own} and won ({money(got)}) with a hand"
        else:
            end = f"showed {own} and lost with a hand"
        lines.append(f"Seat {table.seats[seat]}: {players[seat]}{button} {end}")
    return "\n".join(lines) + "\n"
