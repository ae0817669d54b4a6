"""What holds for every hand of every game, and what is refused."""

import os
import subprocess
import sys
from dataclasses import replace
from itertools import pairwise
from random import Random

import pytest
from hypothesis import given, settings

from folders import SUPPORT
from railbird.cards import parse_cards
from railbird.engine import betting_tree
from railbird.engine.actions import CALL, FOLD, Action, ActionError, LegalActions, raise_to
from railbird.engine.events import Act
from railbird.engine.games import named_game
from railbird.engine.json_form import record_from_json, record_to_json
from railbird.engine.record import HandRecord
from railbird.engine.rules import RulesError
from railbird.engine.setup import Setup
from railbird.engine.state import UNKNOWN, State
from railbird.rng import Stream
from strategies import finished_hands, hands_in_progress, play, random_cards, randoms


def names(state: State) -> tuple[str, ...]:
    return tuple(f"player {seat}" for seat in range(state.rules.players))


def steps(state: State) -> list[State]:
    """The hand at every one of its steps, the opening and the present included."""
    replay = State(state.setup, state.cards)
    seen = [replay.clone()]
    for action in state.actions:
        replay.act(action)
        seen.append(replay.clone())
    return seen


# What holds for every hand


@settings(max_examples=120)
@given(hands_in_progress())
def test_chips_are_conserved_after_every_action(state: State) -> None:
    for step in steps(state):
        assert sum(step.stacks) + step.pot == sum(state.setup.stacks)
        assert sum(step.paid) == step.pot == sum(pot.amount for pot in step.pots)
        assert min(step.stacks) >= 0


@given(hands_in_progress())
def test_every_pot_has_chips_and_claimants_who_have_not_folded(state: State) -> None:
    for step in steps(state):
        for pot in step.pots:
            assert pot.amount > 0
            assert pot.seats
            assert set(pot.seats) <= set(step.live_seats)
        claimants = [pot.seats for pot in step.pots]
        assert len(set(claimants)) == len(claimants), "pots with the same claimants are one"


@given(finished_hands())
def test_what_some_win_others_lose_and_nobody_loses_more_than_they_paid(state: State) -> None:
    assert sum(state.payoffs) == 0
    for payoff, paid in zip(state.payoffs, state.paid, strict=True):
        assert payoff >= -paid


@given(finished_hands())
def test_whoever_folded_loses_everything_they_paid(state: State) -> None:
    for seat, folded in enumerate(state.folded):
        if folded:
            assert state.payoffs[seat] == -state.paid[seat]


@given(hands_in_progress())
def test_who_is_to_act_has_chips_and_can_still_gain_or_lose_something(state: State) -> None:
    if state.actor is not None:
        assert state.stacks[state.actor] > 0
        assert not state.folded[state.actor]
        assert len(state.live_seats) > 1


@settings(max_examples=120)
@given(hands_in_progress())
def test_what_is_offered_is_accepted_and_what_is_not_is_refused(state: State) -> None:
    for step in steps(state):
        if not step.is_over:
            check_offers(step, step.legal_actions)


def check_offers(state: State, legal: LegalActions) -> None:
    """Try every kind of action, and amounts at the bounds and just outside."""
    before = state.clone()
    amounts = {legal.raise_minimum, legal.raise_maximum, state.to_match + 1}
    for amount in sorted(amounts | {amount + offset for amount in amounts for offset in (-1, 1)}):
        inside = legal.can_raise and legal.raise_minimum <= amount <= legal.raise_maximum
        assert state.can_raise_to(amount) == inside
        assert accepts(state, raise_to(amount)) == inside
    assert state.can_fold() == accepts(state, FOLD) == legal.fold
    assert state.can_call()
    assert accepts(state, CALL)
    assert legal.fold == (legal.call > 0)
    assert all(legal.allows(action) for action in state.choices)
    assert state == before


def accepts(state: State, action: Action) -> bool:
    """Whether an action is done; a refusal must change nothing."""
    trial = state.clone()
    try:
        trial.act(action)
    except ActionError:
        assert trial == state
        return False
    return True


@pytest.mark.parametrize(
    ("game", "decisions"),
    [
        ("kuhn-2p", 4),
        ("kuhn-3p", 12),
        # With at most c raises a heads-up round has 2c + 2 decisions and 2c + 1 ways to go on to the next round.
        ("leduc-2p", 6 + 5 * 6),
        ("limit-2p", 8 + 7 * (10 + 9 * (10 + 9 * 10))),
    ],
)
def test_every_offer_in_every_situation_of_a_limit_game(game: str, decisions: int) -> None:
    rules = named_game(game)
    waiting = [State(Setup.of(rules), rules.deck[: rules.cards_dealt])]
    met = 0
    while waiting:
        state = waiting.pop()
        if state.is_over:
            assert sum(state.payoffs) == 0
            continue
        met += 1
        check_offers(state, state.legal_actions)
        for action in state.choices:
            following = state.clone()
            following.act(action)
            waiting.append(following)
    assert met == decisions


# Copies, records, replays


@given(hands_in_progress(), randoms)
def test_a_clone_is_equal_and_independent(state: State, random: Random) -> None:
    clone = state.clone()
    assert clone == state
    actions = state.actions
    if not state.is_over:
        play(random, clone, 1)
        assert clone != state
    assert state.actions == actions


@settings(max_examples=120)
@given(hands_in_progress())
def test_a_record_replays_to_the_same_state_at_every_step(state: State) -> None:
    for step in steps(state):
        record = HandRecord.of(step, names(step))
        assert record.state() == step
        assert HandRecord.of(record.state(), names(step)) == record
    replayed = [before for before, _ in HandRecord.of(state, names(state)).states()]
    assert replayed == [step for step in steps(state) if len(step.actions) < len(state.actions)]


@settings(max_examples=120)
@given(hands_in_progress())
def test_a_sequence_in_one_call_ends_where_its_actions_lead_one_by_one(state: State) -> None:
    seen = steps(state)
    for before, after in pairwise(seen):
        end = state.setup.tree.after_all(after.actions)
        assert end is not None
        at_once = State(state.setup, state.cards, end)
        assert HandRecord.of(at_once, names(state)) == HandRecord.of(after, names(state))
        assert end.act == after.node.act
        assert end.to_match[-1] == before.to_match
        assert end.left[-1] == after.stacks[end.act.seat]
        assert [node.act for node in end.path] == [node.act for node in after.node.path]
        assert at_once == after


@settings(max_examples=120)
@given(hands_in_progress(), randoms)
def test_a_sequence_that_is_not_offered_has_no_end(state: State, random: Random) -> None:
    legal = state.legal_actions if not state.is_over else LegalActions(False, 0, 0, 0)
    wrong = [raise_to(0), raise_to(legal.raise_maximum + 1)]
    wrong += [] if legal.fold else [FOLD]
    wrong += [CALL] if state.is_over else []
    for action in wrong:
        more = [random.choice([FOLD, CALL])] * random.randrange(2)
        assert state.setup.tree.after_all([*state.actions, action, *more]) is None


@settings(max_examples=120)
@given(finished_hands())
def test_the_events_of_a_hand_add_up_to_its_payoffs(state: State) -> None:
    assert HandRecord.of(state, names(state)).payoffs == state.payoffs


@given(hands_in_progress())
def test_a_record_survives_its_json_form(state: State) -> None:
    record = HandRecord.of(state, names(state), "17", tuple(range(state.rules.players)))
    assert record_from_json(record_to_json(record)) == record


def test_a_setup_that_forgets_its_situations_plays_on_as_before(monkeypatch: pytest.MonkeyPatch) -> None:
    rules = named_game("nolimit-6max")
    lasting, forgetful = Setup.of(rules), Setup.of(rules)
    expected = [record_of_random_hand(lasting, number) for number in range(60)]
    monkeypatch.setattr(betting_tree, "MOST_NODES", 7)
    assert [record_of_random_hand(forgetful, number) for number in range(60)] == expected


def record_of_random_hand(setup: Setup, number: int) -> HandRecord:
    random = Random(number)
    state = play(random, State(setup, random_cards(random, setup.rules)), 100)
    return HandRecord.of(state, names(state))


HAND_OF_A_SEED = """
from random import Random
from railbird.engine.games import named_game
from railbird.engine.setup import Setup
from railbird.engine.state import State
from railbird.rng import Stream
from strategies import play
stream = Stream.from_seed("a hand").child("match", 3, "hand", 17, "deck")
state = State.deal(Setup.of(named_game("nolimit-6max")), stream)
print(state.cards, play(Random(5), state, 100).actions, state.payoffs)
"""


def test_the_same_seed_gives_the_same_hand_in_every_process() -> None:
    # Strings have other hashes there than here.
    elsewhere = subprocess.run(
        [sys.executable, "-c", HAND_OF_A_SEED],
        env=os.environ | {"PYTHONPATH": str(SUPPORT), "PYTHONHASHSEED": "1"},
        check=True,
        capture_output=True,
        text=True,
    ).stdout
    stream = Stream.from_seed("a hand").child("match", 3, "hand", 17, "deck")
    state = State.deal(Setup.of(named_game("nolimit-6max")), stream)
    cards = state.cards
    play(Random(5), state, 100)
    assert elsewhere == f"{cards} {state.actions} {state.payoffs}\n"


# Bad input: one sentence, nothing changed

HEADS_UP = Setup.of(named_game("limit-2p"))
CARDS = parse_cards("AhAd KhKd 2c3d7h8sJc")


@pytest.mark.parametrize(
    ("cards", "message"),
    [
        (parse_cards("AhAd Kh") + parse_cards("Ah 2c3d7h8sJc"), r"^Ah is dealt twice$"),
        (CARDS[:-1], r"^8 cards for a hand of limit-2p, which needs 9$"),
        ((*CARDS[:-1], 52), r"^52 is not in the deck of limit-2p$"),
    ],
)
def test_cards_that_cannot_be_dealt_are_refused(cards: tuple[int, ...], message: str) -> None:
    with pytest.raises(ActionError, match=message):
        State(HEADS_UP, cards)


def test_a_card_that_a_small_deck_lacks_is_refused() -> None:
    with pytest.raises(ActionError, match=r"^2c is not in the deck of kuhn-2p$"):
        State(Setup.of(named_game("kuhn-2p")), parse_cards("As 2c"))


@pytest.mark.parametrize(
    ("game", "script", "action", "message"),
    [
        ("limit-2p", [], raise_to(25), r"^seat 1 can raise only to 20, not to 25$"),
        ("nolimit-2p", [], raise_to(199), r"^seat 1 can raise to between 200 and 20000, not to 199$"),
        ("nolimit-2p", [], raise_to(20001), r"^seat 1 can raise to between 200 and 20000, not to 20001$"),
        ("potlimit-2p", [], raise_to(301), r"^seat 1 can raise to between 200 and 300, not to 301$"),
        ("limit-2p", [CALL], FOLD, r"^seat 0 cannot fold: checking is free$"),
        ("limit-2p", [FOLD], CALL, r"^the hand is over: nobody can call$"),
        ("limit-2p", [FOLD], FOLD, r"^the hand is over: nobody can fold$"),
        ("limit-2p", [FOLD], raise_to(20), r"^the hand is over: nobody can raise$"),
        (
            "limit-2p:raises=1",
            [raise_to(20)],
            raise_to(30),
            r"^seat 0 cannot raise: the cap of 1 raise in this round",
        ),
        (
            "nolimit-2p",
            [raise_to(20000)],
            raise_to(20001),
            r"^seat 0 cannot raise: its 19900 chips are only enough to call",
        ),
        (
            "nolimit-2p:stack=500/400",
            [raise_to(400)],
            raise_to(500),
            r"^seat 0 cannot raise: every opponent is",
        ),
        ("limit-2p", [], Action(CALL.kind, 10), r"^a call has no amount, but 10 was given$"),
    ],
)
def test_an_action_that_is_not_allowed_is_refused_and_changes_nothing(
    game: str, script: list[Action], action: Action, message: str
) -> None:
    setup = Setup.of(named_game(game))
    state = State(setup, CARDS)
    for done in script:
        state.act(done)
    before = state.clone()
    with pytest.raises(ActionError, match=message):
        state.act(action)
    with pytest.raises(ActionError, match=message):
        state.verify(action)
    assert state == before
    assert state.actions == tuple(script)


def test_a_record_in_which_somebody_acts_out_of_turn_is_refused() -> None:
    state = State(HEADS_UP, CARDS)
    state.raise_to(20)
    state.call()
    record = HandRecord.of(state, ("a", "b"), "17")
    swapped = replace(
        record,
        events=tuple(
            replace(event, seat=1 - event.seat) if isinstance(event, Act) else event
            for event in record.events
        ),
    )
    with pytest.raises(ActionError, match=r"^hand 17: seat 0 acts out of turn, it is seat 1's turn$"):
        swapped.state()
    with pytest.raises(ActionError, match=r"^hand 17: seat 0 acts out of turn, it is seat 1's turn$"):
        list(swapped.states())


def test_a_record_in_which_somebody_acts_after_the_end_is_refused() -> None:
    state = State(HEADS_UP, CARDS)
    state.fold()
    record = HandRecord.of(state, ("a", "b"), "17")
    longer = replace(record, events=(*record.events, Act(0, CALL.kind, 0, 10)))
    with pytest.raises(ActionError, match=r"^hand 17: seat 0 acts after the hand is over$"):
        longer.state()


def test_payoffs_of_a_hand_that_is_not_over_are_refused() -> None:
    with pytest.raises(ActionError, match=r"^the hand is not over: seat 1 is to act$"):
        _ = State(HEADS_UP, CARDS).payoffs


def test_a_showdown_with_unknown_cards_has_no_winner() -> None:
    state = State(HEADS_UP, (UNKNOWN, UNKNOWN, *CARDS[2:]))
    for _ in range(8):
        state.call()
    assert state.is_showdown
    with pytest.raises(
        ActionError, match=r"^the hole cards of seat 0 are not known, so the showdown has no winner$"
    ):
        _ = state.payoffs


@pytest.mark.parametrize(
    ("stacks", "message"),
    [
        ((100,), r"^1 stacks for the 2 players of limit-2p$"),
        ((100, 0), r"^seat 1 has no chips and cannot be dealt in$"),
        ((100, -5), r"^stacks may not be negative: \(100, -5\)$"),
        ((100, 2**31), r"^a stack is at most 2147483647, not 2147483648$"),
    ],
)
def test_a_setup_that_cannot_be_dealt_is_refused(stacks: tuple[int, ...], message: str) -> None:
    with pytest.raises(RulesError, match=message):
        Setup.of(named_game("limit-2p"), stacks)
