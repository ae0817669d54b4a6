"""The reasons for SartreNL's actions: as at limit, how bets were read, and what the letters are in chips."""

from collections.abc import Mapping
from dataclasses import dataclass, replace

from railbird.agents.sartre.explanation import explain, limit_words
from railbird.agents.sartre.nolimit.sequences import SequenceReader
from railbird.cbr.case_base import CaseBase
from railbird.cbr.cycle.episode import Episode
from railbird.engine.actions import Action, ActionKind
from railbird.explanation import Cell, Explanation, Fact, Section, TableSection
from railbird.observation import Observation
from railbird.strategies.actions import Choice, raise_share
from railbird.strategies.following import readings_table

_SIZES = {
    "q": "a quarter of the pot",
    "h": "half the pot",
    "i": "three quarters of the pot",
    "p": "the pot",
    "d": "twice the pot",
    "v": "five times the pot",
    "t": "ten times the pot",
}


@dataclass(frozen=True, slots=True)
class Considered:
    """What was looked up for a decision."""

    base: CaseBase
    episode: Episode
    observation: Observation
    reader: SequenceReader
    offered: Mapping[str, Action]
    """The real action of every legal letter."""
    action: Action
    """What was decided."""


def explain_bet(seen: Considered) -> Explanation:
    """The reasons for a decision."""
    letters = seen.reader.actions.letters
    did = [_done(letter, seen.observation) for letter in letters]
    why = explain(seen.base, seen.episode, seen.observation, did, lambda: _sections(seen))
    if seen.action.kind is not ActionKind.RAISE:
        return why
    exact = next(choice for choice in _choices(seen) if seen.offered[choice.letter] == seen.action)
    return replace(
        why, summary=f"{why.summary} {_amount(exact, seen)}", facts=(*why.facts, Fact("bet", exact.letter))
    )


def _done(letter: str, observation: Observation) -> str:
    """What an action is called in a situation, in the past tense."""
    folded, called, raised = limit_words(observation)
    if letter in "fc":
        return folded if letter == "f" else called
    if letter == "a":
        return "went all-in"
    return f"{raised} {'by ' if observation.to_match else ''}{_SIZES[letter]}"


def _amount(exact: Choice, seen: Considered) -> str:
    """Why a bet has its amount."""
    observation, to = seen.observation, seen.action.to
    if to == observation.legal_actions.raise_maximum:
        return f"All-in is a raise to {to}."
    size = _SIZES[exact.letter]
    if seen.action == exact.action:
        return f"{size.capitalize()} is exactly a raise to {to}."
    bet, usual = to - observation.to_match, exact.action.to - observation.to_match
    change = f"{100 * abs(bet / usual - 1):.0f} % {'more' if bet > usual else 'less'}"
    return f"{size.capitalize()} is a raise to {exact.action.to}; to be less predictable, it raises {change}, to {to}."


def _choices(seen: Considered) -> list[Choice]:
    return [choice for choice in seen.reader.actions.choices(seen.observation.node.view) if choice.share]


def _sections(seen: Considered) -> tuple[Section, ...]:
    observation = seen.observation
    readings = seen.reader.readings(observation.node, observation.hand_number, observation.seat)
    return (
        *_bets(seen),
        *readings_table("bets that are not exactly a letter", readings, observation.players),
    )


def _bets(seen: Considered) -> tuple[TableSection, ...]:
    """What the legal bets are in chips, exactly and as they would be bet."""
    view = seen.observation.node.view
    rows: list[tuple[Cell, ...]] = [
        (
            choice.letter,
            _SIZES.get(choice.letter, "all-in"),
            choice.action.to,
            seen.offered[choice.letter].to,
            float(raise_share(view, seen.offered[choice.letter].to)),
        )
        for choice in _choices(seen)
    ]
    columns = ("letter", "means", "raises exactly to", "would raise to", "share of the pot")
    return (TableSection("bets in chips", columns, tuple(rows)),) if rows else ()
