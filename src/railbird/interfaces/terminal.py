"""A table in the terminal: a person plays against agents with the keys f, c, r, and leaves with q.

The person is an `Agent` like the others: it receives the same public events, printed line by line, and the same
`Observation`, drawn when it is to act.
"""

from collections.abc import Callable, Sequence
from itertools import count

from rich.console import Console
from rich.markup import escape
from rich.table import Table as Grid

from railbird.agent import Agent, Decision, Explanation, MatchStart
from railbird.arena.play.hand import play_hand
from railbird.arena.results.rates import rate_of
from railbird.cards import Card, format_card, suit_of
from railbird.engine.actions import CALL, FOLD, Action, ActionError, raise_to
from railbird.engine.events import Award, Chips, DealBoard, DealHole, Event, Return, Reveal
from railbird.engine.history import Narrator, describe
from railbird.engine.rules import GameRules
from railbird.engine.state import State
from railbird.engine.table import Table, TableError
from railbird.hands.categories import describe as describe_hand
from railbird.observation import Observation
from railbird.rng import Stream

_SUIT_STYLES = ("green", "blue", "red", "bold")
FULL_HAND = 5
_OWN_CHOICE = Explanation("A person decided.")


class Left(Exception):
    """The person has left the table."""


class Person(Agent):
    """A person at the keyboard."""

    def __init__(self, console: Console, ask: Callable[[str], str]) -> None:
        self.console = console
        self.ask = ask

    def begin_match(self, match: MatchStart) -> None:
        """Remember the names and the game."""
        self.players_ = match.players
        self.label_ = match.label
        self._narrator = Narrator()

    def seat_names(self, players: tuple[str, ...]) -> None:
        """Set the labels of the next hand, by position."""
        self.players_ = players
        self._narrator = Narrator()

    def hear(self, event: Event) -> None:
        """Print an event as a line."""
        opens = self._narrator.opens(event)
        match event:
            case DealHole(_, cards) if cards is not None:
                self.console.print(f"  your cards: {styled(cards)}")
            case DealBoard(_, cards):
                self.console.print(f"  board: {styled(cards)}", style="bold")
            case Reveal(seat, cards) if cards is not None:
                self.console.print(f"  {self._name(seat)} shows {styled(cards)}")
            case Award() | Return():
                self.console.print(f"  {escape(describe(event, self.players_))}", style="bold")
            case _:
                self.console.print(f"  {escape(describe(event, self.players_, opens))}")

    def _name(self, seat: int) -> str:
        return escape(self.players_[seat])

    def act(self, observation: Observation) -> Decision:
        """Draw the table and ask until the answer is a legal action."""
        self.console.print(table_view(observation))
        self.console.print(hand_view(observation))
        while True:
            answer = self.ask(_prompt(observation))
            try:
                action = read_action(answer, observation)
            except ActionError as error:
                self.console.print(f"  {escape(str(error))}", style="yellow")
                continue
            return Decision(action, _OWN_CHOICE, ((action, 1.0),))


def styled(cards: Sequence[Card]) -> str:
    """Cards in the four colours of their suits."""
    return " ".join(f"[{_SUIT_STYLES[suit_of(card)]}]{format_card(card)}[/]" for card in cards)


def table_view(observation: Observation) -> Grid:
    """The table as the person sees it: all players' chips, the pot, and the button."""
    rules = observation.rules
    grid = Grid(title_justify="left", title_style="bold", box=None, padding=(0, 2, 0, 2))
    grid.title = f"{rules.round_name(observation.round)}, pot {observation.pot}"
    for heading in ("", "player", "chips", "bet"):
        grid.add_column(heading, justify="right" if heading in ("chips", "bet") else "left")
    button = rules.players - 1
    for seat, player in enumerate(observation.players):
        me = seat == observation.seat
        out = observation.folded[seat]
        grid.add_row(
            "●" if seat == button else " ",
            escape(player) + (" (folded)" if out else ""),
            str(observation.stacks[seat]),
            str(observation.bets[seat]) if observation.bets[seat] else "",
            style="dim" if out else "bold" if me else None,
        )
    return grid


def hand_view(observation: Observation) -> str:
    """The person's cards with the board, and the hand they make."""
    text = f"  {styled(observation.hole_cards)}"
    if observation.board:
        text += f"  on  {styled(observation.board)}"
    if len(observation.hole_cards) + len(observation.board) >= FULL_HAND:
        text += f"  ({describe_hand((*observation.hole_cards, *observation.board))})"
    return text


def _prompt(observation: Observation) -> str:
    legal = observation.legal_actions
    keys = []
    if legal.fold:
        keys.append("[f]old")
    keys.append(f"[c]all {legal.call}" if legal.call else "[c]heck")
    if legal.can_raise:
        verb = "[r]aise" if observation.raises or observation.round == 0 else "[r] bet"
        amounts = str(legal.raise_minimum)
        if legal.raise_maximum > legal.raise_minimum:
            amounts += f" … {legal.raise_maximum}"
        keys.append(f"{verb} to {amounts}")
    keys.append("[q]uit")
    return "  ".join(keys) + " > "


def read_action(answer: str, observation: Observation) -> Action:
    """The action of an answer: f, c, r, or r with an amount, `min`, `pot` or `max`; q leaves."""
    legal = observation.legal_actions
    words = answer.strip().lower().split()
    match words:
        case ["q" | "quit"]:
            raise Left
        case ["f" | "fold"]:
            if not legal.fold:
                raise ActionError("there is nothing to call: check instead of folding")
            return FOLD
        case ["c" | "call" | "k" | "check"]:
            return CALL
        case ["r" | "raise" | "b" | "bet", *amount]:
            if not legal.can_raise:
                raise ActionError("no raise is possible now")
            action = raise_to(_amount(amount, observation))
            if not legal.allows(action):
                raise ActionError(
                    f"a raise must be to {legal.raise_minimum} … {legal.raise_maximum}, not to {action.to}"
                )
            return action
    raise ActionError("answer with f, c, r (or r and an amount), or q")


def _amount(words: list[str], observation: Observation) -> int:
    legal = observation.legal_actions
    match words:
        case []:
            if legal.raise_minimum == legal.raise_maximum:
                return legal.raise_minimum
            raise ActionError(
                f"give an amount: r {legal.raise_minimum} … {legal.raise_maximum}, r min, r pot or r max"
            )
        case ["min"]:
            return legal.raise_minimum
        case ["max"]:
            return legal.raise_maximum
        case ["pot"]:
            bet = observation.bets[observation.seat]
            pot_sized = bet + 2 * legal.call + observation.pot
            return max(legal.raise_minimum, min(legal.raise_maximum, pot_sized))
        case [number] if number.isascii() and number.isdigit():
            return int(number)
    raise ActionError(f"{' '.join(words)!r} is not an amount")


def play_session(
    rules: GameRules,
    opponents: Sequence[tuple[str, Agent]],
    stream: Stream,
    console: Console,
    *,
    name: str = "Hero",
    hands: int | None = None,
    ask: Callable[[str], str] | None = None,
) -> list[Chips]:
    """Play hands until the person leaves or all are played; returns the person's results, hand by hand."""
    if len(opponents) != rules.players - 1:
        raise TableError(f"{rules.name} needs {rules.players - 1} opponents, not {len(opponents)}")
    person = Person(console, ask or ask_on(console))
    labels = [name, *(label for label, _ in opponents)]
    agents: list[Agent] = [person, *(agent for _, agent in opponents)]
    for label, agent in zip(labels, agents, strict=True):
        agent.begin_match(MatchStart(rules, label, tuple(labels), stream.child("agent", label)))
    table = Table(rules)
    won: list[Chips] = []
    for number in count(1) if hands is None else range(1, hands + 1):
        try:
            seating = table.next_hand()
        except TableError as error:
            console.print(f"The table closes: {escape(str(error))}.")
            break
        if 0 not in seating.seats:
            console.print("You have no chips left.")
            break
        console.rule(f"hand {number}", align="left")
        players = tuple(labels[seat] for seat in seating.seats)
        person.seat_names(players)
        state = State.deal(seating.setup, stream.child("hand", number))
        try:
            record = play_hand(
                state,
                [agents[seat] for seat in seating.seats],
                players,
                hand_number=number,
                seats=seating.seats,
            )
        except Left:
            console.print("  You leave the table; the hand in progress does not count.")
            break
        table.settle(seating, record.payoffs)
        won.append(record.payoffs[seating.seats.index(0)])
        console.print(f"  you {'win' if won[-1] >= 0 else 'lose'} {abs(won[-1])}", style="bold")
    _summarise(rules, won, console)
    return won


def ask_on(console: Console) -> Callable[[str], str]:
    """A function that prompts at the keyboard; the end of input and Ctrl-C leave the table."""

    def ask(prompt: str) -> str:
        try:
            return console.input(escape(prompt))
        except (EOFError, KeyboardInterrupt):
            console.print()
            raise Left from None

    return ask


def _summarise(rules: GameRules, won: Sequence[Chips], console: Console) -> None:
    if not won:
        console.print("No hand was finished.")
        return
    total = sum(won)
    console.print(f"\nYou {'won' if total >= 0 else 'lost'} {abs(total)} chips: {rate_of(rules, won)}.")
