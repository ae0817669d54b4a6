"""How `railbird explain` shows an agent's answer."""

from rich.console import Console
from rich.text import Text

from railbird.arena.play.asking import Answer
from railbird.cards import format_cards
from railbird.engine.wording import Wording
from railbird.interfaces.explaining import decision_view, section_view
from railbird.interfaces.terminal import hand_view, table_view


def show_answer(answer: Answer) -> None:
    """The table as the agent sees it, and its answer."""
    console = Console(highlight=False)
    observation = answer.observation
    console.print(table_view(observation))
    console.print(hand_view(observation))
    console.print()
    to_call = f", {observation.to_call:,} to call" if observation.to_call else ""
    cards = format_cards(observation.hole_cards)
    console.print(Text(f"{answer.agent} with {cards}, pot {observation.pot:,}{to_call}:"))
    console.print(decision_view(answer.decision, Wording.at(observation.node)))
    for grid in answer.range:
        console.print()
        console.print(section_view(grid))
