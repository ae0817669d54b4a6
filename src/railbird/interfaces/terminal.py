"""A table in the terminal: a person plays against agents with the keys f, c, r, and leaves with q.

The person is an `Agent` like the others: it receives the same public events, printed line by line, and the same
`Observation`, drawn when it is to act.
"""

from collections.abc import Callable, Sequence
from fractions import Fraction
from itertools import count

from rich.console import Console
from rich.markup import escape
from rich.table import Table as Grid

from railbird.agent import Agent, Decision, Explanation, MatchStart
from railbird.arena.play.hand import play_hand
from railbird.arena.results.rates import rate_of
from railbird.cards import Card, format_card, format_cards, suit_of
from railbird.engine.actions import CALL, FOLD, Action, ActionError, raise_to
from railbird.engine.events import Award, Chips, DealBoard, DealHole, Event, Return, Reveal
from railbird.engine.history import Narrator
from railbird.engine.rules import GameRules
from railbird.engine.setup import Setup
from railbird.engine.state import State
from railbird.engine.table import Table, TableError
from railbird.engine.wording import Wording, format_chips
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
        self._narrator = Narrator(Setup.of(match.rules), match.players)

    def begin_hand(self, setup: Setup, players: tuple[str, ...]) -> None:
        """Begin the next hand, with its players by position."""
        self._narrator = Narrator(setup, players)

    def hear(self, event: Event) -> None:
        """Print an event as a line."""
        sentence = self._narrator.tell(event)
        match event:
            case DealHole(_, cards) if cards is not None:
                sentence, cards_shown = "Your cards:", cards
            case DealBoard(_, cards) | Reveal(_, cards) if cards is not None:
                sentence, cards_shown = sentence.removesuffix(format_cards(cards, " ")).rstrip(), cards
            case _:
                cards_shown = ()
        style = "bold" if isinstance(event, DealBoard | Award | Return) else None
        self.console.print(f"  {escape(sentence)} {styled(cards_shown)}".rstrip(), style=style)

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
    grid.title = f"{rules.round_name(observation.round)}, pot {observation.pot:,}"
    for heading in ("", "player", "chips", "bet"):
        grid.add_column(heading, justify="right" if heading in ("chips", "bet") else "left")
    button = rules.players - 1
    for seat, player in enumerate(observation.players):
        me = seat == observation.seat
        out = observation.folded[seat]
        grid.add_row(
            "●" if seat == button else " ",
            escape(player) + (" (folded)" if out else ""),
            f"{observation.stacks[seat]:,}",
            f"{observation.bets[seat]:,}" if observation.bets[seat] else "",
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
    wording = Wording.at(observation.node)
    keys.append(wording.name(CALL).replace("c", "[c]", 1))
    if legal.can_raise:
        least, most = raise_to(legal.raise_minimum), legal.raise_maximum
        up_to = f" … {most:,}" if most > least.to else ""
        keys.append(f"[r] {wording.name(least)}{up_to}")
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
                raise ActionError("you cannot bet or raise now")
            action = raise_to(_amount(amount, observation))
            if not legal.allows(action):
                bounds = (
                    f"from {legal.raise_minimum:,} to {legal.raise_maximum:,}"
                    if legal.raise_minimum < legal.raise_maximum
                    else f"{legal.raise_minimum:,}"
                )
                raise ActionError(f"the amount must be {bounds}, not {action.to:,}")
            return action
    raise ActionError("type f, c, r (r and an amount at no-limit) or q")


def _amount(words: list[str], observation: Observation) -> int:
    legal = observation.legal_actions
    match words:
        case []:
            if legal.raise_minimum == legal.raise_maximum:
                return legal.raise_minimum
            raise ActionError(
                f"add an amount from {legal.raise_minimum:,} to {legal.raise_maximum:,}, such as r "
                f"{legal.raise_minimum}, or type r min, r pot or r max"
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


def require_opponents(rules: GameRules, count: int) -> None:
    """Refuse a number of opponents with which the game cannot be played."""
    needed = rules.players - 1
    if count != needed:
        raise TableError(f"{rules.name} needs {needed} opponent{'' if needed == 1 else 's'}, not {count}")


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
    require_opponents(rules, len(opponents))
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
        console.rule(f"Hand {number}", align="left")
        players = tuple(labels[seat] for seat in seating.seats)
        person.begin_hand(seating.setup, players)
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
        payoff = record.payoffs[seating.seats.index(0)]
        won.append(payoff)
        console.print(
            f"  You {outcome_in_words(payoff, 'win', 'lose')}.",
            style="bold",
        )
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


def outcome_in_words(chips: Chips, won: str, lost: str) -> str:
    """What was won or lost, with the verbs for both.

    >>> [outcome_in_words(chips, "win", "lose") for chips in (10, -1, 0, Fraction(-1, 2))]
    ['win 10 chips', 'lose 1 chip', 'break even', 'lose ½ chips']
    """
    if not chips:
        return "break even" if won == "win" else "broke even"
    amount = format_chips(chips if chips > 0 else -chips)
    return f"{won if chips > 0 else lost} {amount} chip{'' if amount == '1' else 's'}"


def _summarise(rules: GameRules, won: Sequence[Chips], console: Console) -> None:
    if not won:
        console.print("No hand was finished.")
        return
    total = sum(map(Fraction, won), Fraction(0))
    console.print(f"\nYou {outcome_in_words(total, 'won', 'lost')}: {rate_of(rules, won)}.")
