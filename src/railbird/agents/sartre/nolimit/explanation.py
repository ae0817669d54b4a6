"""The reasons for SartreNL's actions: as at limit, how bets were read, and what the letters are in chips."""

from collections.abc import Mapping
from dataclasses import dataclass
from functools import cache

from railbird.agents.sartre.explanation import explain
from railbird.agents.sartre.nolimit.sequences import SequenceReader
from railbird.cbr.case_base import CaseBase
from railbird.cbr.cycle.episode import Episode
from railbird.engine.actions import Action, ActionKind
from railbird.engine.wording import Wording
from railbird.explanation import COUNT, SHARE, Cell, Explanation, Fact, Section, TableSection
from railbird.explanation.formats import format_share
from railbird.observation import Observation
from railbird.strategies.actions import LETTER_NAMES, POT_SHARES, raise_share
from railbird.strategies.following import readings_table

_ARTICLES = {"q": "a ", "p": "the "}
_SIZES = {letter: _ARTICLES.get(letter, "") + LETTER_NAMES[letter] for letter in POT_SHARES}


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
    observation, letters = seen.observation, seen.reader.actions.letters
    did = _words(letters, Wording.at(observation.node).did, observation.to_match > 0)
    return explain(seen.base, seen.episode, observation, did, lambda: _sections(seen), _conclusion(seen))


def _conclusion(seen: Considered) -> tuple[str, Fact] | None:
    """The letter of a bet, and why it has its amount."""
    if seen.action.kind is not ActionKind.RAISE:
        return None
    letter = next(letter for letter, action in seen.offered.items() if action == seen.action)
    return _amount(letter, seen), Fact("bet size", LETTER_NAMES[letter])


@cache
def _words(letters: str, limit: tuple[str, str, str], is_raise: bool) -> tuple[str, ...]:
    """What the actions are called in the past tense, given the words for folding, calling and raising."""
    folded, called, raised = limit
    words = {"f": folded, "c": called, "a": "went all-in"}
    words |= {letter: f"{raised} {'by ' if is_raise else ''}{size}" for letter, size in _SIZES.items()}
    return tuple(words[letter] for letter in letters)


def _amount(letter: str, seen: Considered) -> str:
    """Why a bet has its amount."""
    observation, to = seen.observation, seen.action.to
    if to == observation.legal_actions.raise_maximum:
        return f"It goes all-in for {to:,}."
    exact, size = seen.reader.actions.bets(observation.node.view)[letter], _SIZES[letter].capitalize()
    noun, does = ("a raise to", "raises") if observation.to_match else ("a bet of", "bets")
    if to == exact:
        return f"{size} is exactly {noun} {to:,}."
    bet, usual = to - observation.to_match, exact - observation.to_match
    change = f"{format_share(abs(bet / usual - 1))} {'more' if bet > usual else 'less'}"
    return f"{size} would be {noun} {exact:,}; to be less predictable, it {does} {change}: {to:,}."


def _sections(seen: Considered) -> tuple[Section, ...]:
    observation = seen.observation
    readings = seen.reader.readings(observation.node, observation.hand_number, observation.seat)
    return (
        *_bets(seen),
        *readings_table("bets of other sizes, and how it read them", readings, observation.players),
    )


def _bets(seen: Considered) -> tuple[TableSection, ...]:
    """What the legal bets are in chips, exactly and as they would be bet."""
    view = seen.observation.node.view
    rows: list[tuple[Cell, ...]] = []
    for letter, exact in seen.reader.actions.bets(view).items():
        to = seen.offered[letter].to
        rows.append((letter, LETTER_NAMES[letter], exact, to, float(raise_share(view, to))))
    columns = ("letter", "size", "exact amount", "amount it would choose", "share of the pot")
    units = ("", "", COUNT, COUNT, SHARE)
    return (TableSection("bet sizes in chips", columns, tuple(rows), units),) if rows else ()
