"""Complete hands between agents, one after the other, for measures that matches do not record."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from railbird.agent import Agent, MatchStart, make_agent
from railbird.arena.play.hand import finish_hand
from railbird.engine.games import named_game
from railbird.engine.record import HandRecord
from railbird.engine.setup import Setup
from railbird.engine.state import State
from railbird.engine.table import Table
from railbird.experiments.frame import Laboratory
from railbird.notation.acpc.state import format_state_line, parse_state_line
from railbird.rng import Stream


@dataclass(frozen=True, slots=True)
class PlayedHand:
    """A finished hand: its number, its state, and the players by position."""

    number: int
    state: State
    labels: tuple[str, ...]

    def seat_of(self, label: str) -> int:
        """The position of a player."""
        return self.labels.index(label)


def seated(game: str, agents: Sequence[str], seed: int | str) -> list[Agent]:
    """Agents at the start of a match; their labels are their places 0, 1, … with their names."""
    rules, root = named_game(game), Stream.from_seed(seed)
    labels = labels_of(agents)
    made = [make_agent(agent) for agent in agents]
    for place, agent in enumerate(made):
        agent.begin_match(MatchStart(rules, labels[place], labels, root.child("agent", place)))
    return made


def labels_of(agents: Sequence[str]) -> tuple[str, ...]:
    """A label for each place."""
    return tuple(f"{place} {agent}" for place, agent in enumerate(agents))


def hands(game: str, agents: Sequence[str], count: int, seed: int | str) -> Iterator[PlayedHand]:
    """Hands of a match, one after the other."""
    root = Stream.from_seed(seed)
    return played_by(game, seated(game, agents, seed), labels_of(agents), count, root)


def played_by(
    game: str, players: Sequence[Agent], labels: Sequence[str], count: int, root: Stream
) -> Iterator[PlayedHand]:
    """Hands between agents whose match has begun."""
    table = Table(named_game(game))
    for number in range(count):
        seating = table.next_hand()
        state = State.deal(seating.setup, root.child("deal", number))
        names = tuple(labels[seat] for seat in seating.seats)
        finish_hand(state, [players[seat] for seat in seating.seats], names, number)
        table.settle(seating, state.payoffs)
        yield PlayedHand(number, state, names)


def noted_records(
    laboratory: Laboratory, note: str, game: str, agents: Sequence[str], count: int, seed: str
) -> list[HandRecord]:
    """The records of `hands`, from the laboratory's journal if they were played before under this note."""
    setup = Setup.of(named_game(game))
    lines = laboratory.noted(
        note,
        lambda: [
            format_state_line(HandRecord.of(hand.state, hand.labels, str(hand.number)))
            for hand in hands(game, agents, count, seed)
        ],
    )
    return [parse_state_line(line, setup) for line in lines]
