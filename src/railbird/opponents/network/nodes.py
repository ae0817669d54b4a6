"""The nodes of BayCaRP's network, their states and arcs (baycarp-2011 §5.3, appendix D).

    node               depends on                                  states
    VPIP               –                                           8 intervals (`features.playing_style`)
    PFR                –                                           8 intervals
    Position           –                                           Blinds, Early, Middle, Late
    Action             –                                           5 (`features.action_kinds`)
    HandGroup          VPIP, PFR, Position, Action                 HandGroup1 … HandGroup10
    ActionFlop         Action                                      9
    Board              –                                           12 (`hands.boards`)
    HandType           HandGroup, ActionFlop, Board                17 (`hands.types`)
    ActionTurn         ActionFlop                                  8
    BoardChangeTurn    –                                           9
    HandTypeTurn       HandType, ActionTurn, BoardChangeTurn       17
    ActionRiver        ActionTurn                                  8
    BoardChangeRiver   –                                           9
    HandTypeFinal      HandTypeTurn, ActionRiver, BoardChangeRiver 17

Names are those of figure 6.1. There are no arcs between `Board`, `BoardChangeTurn` and `BoardChangeRiver`: the cards of
a queried stage are always seen, and among observed nodes without hidden parents an arc changes no belief and only adds
parameters. A continuation bet is a bet on the flop, so the later action nodes lack that state.

Variants, in any combination:

- `split_call` (§8.1.1): `CallSmallBlind` (before the flop only), `Call` and `CallRaise` for `Call`.
- `pot_odds` (§9.1): `PotOdds`, `PotOddsFlop`, `PotOddsTurn`, `PotOddsRiver` (`Free` and 4 intervals), the pot odds
  when the action that counts was taken; parents of the stage's hand node.
- `aggression` (§9.1): `AggressionFlop`, `AggressionTurn`, `AggressionRiver` (4 intervals); parents of the hand types.
- `folds`: the action nodes have the state `Fold`, for learning from all players. Without it, the action of a player who
  folded is the previous one in that round, or unknown if there was none. At a showdown nobody has folded.
- `partial` (§5.3.3, figure 5.5), partial hands, designed but never built:

    node                  depends on                                                             states
    FlushBoardFlop        HandType                                                               3
    StraightBoardFlop     HandType                                                               3
    PartialHandFlop       ActionFlop, FlushBoardFlop, StraightBoardFlop                          4 (`hands.draws`)
    HandTypeTurn          as above, and PartialHandFlop                                          17
    FlushChangeTurn       FlushBoardFlop, HandTypeTurn, PartialHandFlop                          6
    StraightChangeTurn    StraightBoardFlop, HandTypeTurn, PartialHandFlop                       7
    PartialHandTurn       PartialHandFlop, ActionTurn, FlushChangeTurn, StraightChangeTurn       4
    HandTypeFinal         as above, and PartialHandTurn                                          17
    FlushChangeRiver      FlushChangeTurn, HandTypeFinal, PartialHandTurn                        7
    StraightChangeRiver   StraightChangeTurn, HandTypeFinal, PartialHandTurn                     8

  The text says that a partial hand depends on the action and the board of its stage and influences the next hand type.
  It does not say how the river's flush and straight affect the hand, and completed draws must be distinguished from
  missed ones. As parents they would give `HandTypeFinal` a table of almost five million numbers. Here they depend on
  the hand instead, given the previous board: a player who drew to a flush and now holds one has seen the third card of
  a suit. That takes a few thousand numbers.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cache
from itertools import product

from railbird.bayes.structure import Structure, Variable
from railbird.engine.rules import ROUND_NAMES
from railbird.features.action_kinds import POT_ODDS, POT_ODDS_TITLES, NamedAction
from railbird.features.playing_style import AGGRESSION, PFR, VPIP
from railbird.features.positions import Position
from railbird.hands.boards import Board, BoardChange, FlushBoard, FlushChange, StraightBoard, StraightChange
from railbird.hands.draws import SimpleDraw
from railbird.hands.groups import HAND_GROUPS, group_title
from railbird.hands.types import HAND_TYPE_TITLES, HandType

ACTIONS = ("Action", "ActionFlop", "ActionTurn", "ActionRiver")
HAND_GROUP = "HandGroup"
HAND_TYPES = ("HandType", "HandTypeTurn", "HandTypeFinal")
PARTIAL_HANDS = ("PartialHandFlop", "PartialHandTurn")
BOARDS = ("Board", "BoardChangeTurn", "BoardChangeRiver")
FLUSHES = ("FlushBoardFlop", "FlushChangeTurn", "FlushChangeRiver")
STRAIGHTS = ("StraightBoardFlop", "StraightChangeTurn", "StraightChangeRiver")
POT_ODDS_NODES = ("PotOdds", "PotOddsFlop", "PotOddsTurn", "PotOddsRiver")
AGGRESSIONS = ("AggressionFlop", "AggressionTurn", "AggressionRiver")

SPLIT_CALLS = (NamedAction.CALL_SMALL_BLIND, NamedAction.CALL_RAISE)
"""The calls that the published network does not distinguish from others."""

_BEFORE_FLOP = (
    NamedAction.CHECK,
    NamedAction.CALL,
    NamedAction.RAISE,
    NamedAction.THREE_BET,
    NamedAction.CAP,
)
_ON_FLOP = tuple(each for each in NamedAction if each not in (NamedAction.FOLD, *SPLIT_CALLS))
_AFTER_FLOP = tuple(action for action in _ON_FLOP if action is not NamedAction.CONTINUATION_BET)
_BUILT = (_BEFORE_FLOP, _ON_FLOP, _AFTER_FLOP, _AFTER_FLOP)


@dataclass(frozen=True, slots=True)
class Variant:
    """Which of the thesis's proposals a network includes; without any it is the published network."""

    partial: bool = False
    split_call: bool = False
    pot_odds: bool = False
    aggression: bool = False
    folds: bool = False


PUBLISHED = Variant()
"""The published network."""


@cache
def action_states(variant: Variant, number: int) -> tuple[NamedAction, ...]:
    """The states of the action node of a round, least aggressive first."""
    states = set(_BUILT[number])
    if variant.split_call:
        states.update(SPLIT_CALLS[1:] if number else SPLIT_CALLS)
    if variant.folds:
        states.add(NamedAction.FOLD)
    return tuple(sorted(states))


@cache
def hand_nodes(variant: Variant) -> tuple[str, ...]:
    """The query nodes: the hand group, the hand types, the partial hands."""
    return (HAND_GROUP, *HAND_TYPES, *(PARTIAL_HANDS if variant.partial else ()))


@cache
def structure(variant: Variant = PUBLISHED) -> Structure:
    """The variables and arcs of a variant. What is known about the player from other hands comes first."""
    variables = [Variable("VPIP", VPIP.states), Variable("PFR", PFR.states)]
    if variant.aggression:
        variables += [Variable(name, AGGRESSION.states) for name in AGGRESSIONS]
    variables.append(Variable("Position", tuple(each.label for each in Position)))
    parents: dict[str, tuple[str, ...]] = {}
    for number in range(len(ROUND_NAMES)):
        variables += _stage_variables(variant, number)
        parents |= _stage_parents(variant, number)
    return Structure(tuple(variables), parents)


def _stage_variables(variant: Variant, number: int) -> list[Variable]:
    found = [Variable(ACTIONS[number], tuple(each.label for each in action_states(variant, number)))]
    if variant.pot_odds:
        found.append(Variable(POT_ODDS_NODES[number], POT_ODDS))
    if not number:
        return [*found, Variable(HAND_GROUP, tuple(f"HandGroup{group}" for group in HAND_GROUPS))]
    found += [
        Variable(BOARDS[number - 1], _labels(Board if number == 1 else BoardChange)),
        Variable(HAND_TYPES[number - 1], _labels(HandType)),
    ]
    if variant.partial:
        flushes, straights = _flush_and_straight_states(number)
        found += [Variable(FLUSHES[number - 1], flushes), Variable(STRAIGHTS[number - 1], straights)]
        if number <= len(PARTIAL_HANDS):
            found.append(Variable(PARTIAL_HANDS[number - 1], _labels(SimpleDraw)))
    return found


_ROUND_WORDS = ("before the flop", "on the flop", "on the turn", "on the river")
_TITLED_NODES = (
    (ACTIONS, "action"),
    (POT_ODDS_NODES, "pot odds"),
    ((None, *HAND_TYPES), "hand"),
    ((None, *PARTIAL_HANDS), "draw"),
    ((None, *AGGRESSIONS), "aggression"),
    ((None, *FLUSHES), "flush"),
    ((None, *STRAIGHTS), "straight"),
)
_NODE_TITLES = {
    "Position": "position",
    HAND_GROUP: "starting-hand group",
    **dict(zip(BOARDS, ("flop", "turn card", "river card"), strict=True)),
    **{
        node: f"{what} {_ROUND_WORDS[number]}"
        for nodes, what in _TITLED_NODES
        for number, node in enumerate(nodes)
        if node is not None
    },
}


def node_title(node: str) -> str:
    """A node in words; the name itself of a node of another network.

    >>> node_title("HandTypeTurn"), node_title("VPIP")
    ('hand on the turn', 'VPIP')
    """
    return _NODE_TITLES.get(node, node)


def state_title(node: str, state: str) -> str:
    """A state of a node in words; the state itself for a node of another network.

    >>> state_title("VPIP", "a20_30"), state_title("Board", "LowPair"), state_title("HandGroup", "HandGroup1")
    ('20 to 30 %', 'low pair', 'group 1: AA, AKs, KK, QQ …')
    """
    return _state_titles().get(node, {}).get(state, state)


@cache
def _state_titles() -> Mapping[str, Mapping[str, str]]:
    titles: tuple[tuple[Sequence[str], Mapping[str, str]], ...] = (
        (("VPIP",), dict(zip(VPIP.states, VPIP.titles, strict=True))),
        (("PFR",), dict(zip(PFR.states, PFR.titles, strict=True))),
        (("Position",), {each.label: each.title for each in Position}),
        (ACTIONS, {each.label: each.title for each in NamedAction}),
        (POT_ODDS_NODES, dict(zip(POT_ODDS, POT_ODDS_TITLES, strict=True))),
        (AGGRESSIONS, dict(zip(AGGRESSION.states, AGGRESSION.titles, strict=True))),
        ((HAND_GROUP,), {f"HandGroup{group}": group_title(group) for group in HAND_GROUPS}),
        (HAND_TYPES, HAND_TYPE_TITLES),
        (PARTIAL_HANDS, {each.label: each.title for each in SimpleDraw}),
        (BOARDS[:1], {each.label: each.title for each in Board}),
        (BOARDS[1:], {each.label: each.title for each in BoardChange}),
        (FLUSHES, {each.label: each.title for each in FlushChange}),
        (STRAIGHTS, {each.label: each.title for each in StraightChange}),
    )
    return {node: words for nodes, words in titles for node in nodes}


def _flush_and_straight_states(number: int) -> tuple[tuple[str, ...], tuple[str, ...]]:
    if number == 1:
        return _labels(FlushBoard), _labels(StraightBoard)
    flushes, straights = _labels(FlushChange), _labels(StraightChange)
    # A flush or straight of five board cards is possible on the river only; these are the last states.
    return (flushes, straights) if number == len(ROUND_NAMES) - 1 else (flushes[:-1], straights[:-1])


def _labels(
    states: type[Board]
    | type[BoardChange]
    | type[HandType]
    | type[SimpleDraw]
    | type[FlushBoard]
    | type[FlushChange]
    | type[StraightBoard]
    | type[StraightChange],
) -> tuple[str, ...]:
    return tuple(state.label for state in states)


def _stage_parents(variant: Variant, number: int) -> dict[str, tuple[str, ...]]:
    odds = (POT_ODDS_NODES[number],) if variant.pot_odds else ()
    if not number:
        return {HAND_GROUP: ("VPIP", "PFR", "Position", ACTIONS[0], *odds)}
    stage = number - 1
    hand = HAND_TYPES[stage]
    before = HAND_TYPES[stage - 1] if stage else HAND_GROUP
    partial_before = (PARTIAL_HANDS[stage - 1],) if variant.partial and stage else ()
    aggression = (AGGRESSIONS[stage],) if variant.aggression else ()
    found: dict[str, tuple[str, ...]] = {
        ACTIONS[number]: (ACTIONS[number - 1],),
        hand: (before, ACTIONS[number], BOARDS[stage], *partial_before, *odds, *aggression),
    }
    if variant.partial:
        for nodes in (FLUSHES, STRAIGHTS):
            board_before = (nodes[stage - 1],) if stage else ()
            found[nodes[stage]] = (*board_before, hand, *partial_before)
        if stage < len(PARTIAL_HANDS):
            found[PARTIAL_HANDS[stage]] = (*partial_before, ACTIONS[number], FLUSHES[stage], STRAIGHTS[stage])
    return found


def variant_of(of: Structure) -> Variant | None:
    """The variant with a structure; None if there is none."""
    variants = (Variant(*options) for options in product((False, True), repeat=len(Variant.__slots__)))
    return next((variant for variant in variants if structure(variant) == of), None)
