"""PHH against others: PokerKit replays our texts and we replay its own, and the published hands are read.

Where a pot with decimals is split, PokerKit divides it into fractions of a cent, so there a chip may be missing.
"""

import warnings
from collections import Counter, deque
from collections.abc import Iterator
from decimal import Decimal
from hashlib import blake2b
from importlib.metadata import version
from pathlib import Path
from random import Random

import pokerkit
import pytest
from pokerkit import Automation, FixedLimitTexasHoldem, HandHistory, Mode, NoLimitTexasHoldem

import pokerkit_referee as referee
from archives import members
from railbird import notation
from railbird.engine.events import DealHole, Reveal
from railbird.engine.record import HandRecord
from railbird.engine.rules import Betting
from railbird.engine.setup import Setup
from railbird.engine.state import State
from railbird.notation.phh.reader import read_phh
from railbird.notation.phh.writing import format_phh, phh_losses
from railbird.notation.reading import BadHand, Reading
from resuming import digest_of_rules, hands_to_go
from strategies import random_action, random_cards, random_style

CHUNKS = 10
HANDS_A_CHUNK = 2_000
SAMPLE_HANDS = 107_502
SOURCES = [*sorted(Path(notation.__file__).parent.rglob("*.py")), Path(__file__)]
VERSION = digest_of_rules(version("pokerkit"), *(blake2b(path.read_bytes()).hexdigest() for path in SOURCES))
AUTOMATIONS = (
    Automation.ANTE_POSTING,
    Automation.BET_COLLECTION,
    Automation.BLIND_OR_STRADDLE_POSTING,
    Automation.HOLE_CARDS_SHOWING_OR_MUCKING,
    Automation.HAND_KILLING,
    Automation.CHIPS_PUSHING,
    Automation.CHIPS_PULLING,
    Automation.RUNOUT_COUNT_SELECTION,
)


def read_one(text: str) -> HandRecord:
    (reading,) = read_phh(text.splitlines())
    assert isinstance(reading, HandRecord), (reading.reason, text)
    return reading


def replayed(text: str) -> pokerkit.State:
    """The state in which PokerKit leaves a hand."""
    (last,) = deque(HandHistory.loads(text), maxlen=1)
    return last


def our_hand(random: Random) -> HandRecord:
    """A hand of any game that PHH knows, played by PokerKit's rules."""
    rules = referee.random_rules(random)
    while rules.betting is Betting.POT_LIMIT:
        rules = referee.random_rules(random)
    state = State(Setup.of(rules), random_cards(random, rules))
    style = random_style(random)
    while not state.is_over:
        state.act(random_action(random, state.legal_actions, style))
    return HandRecord.of(state, tuple("abcdefghij"[: rules.players]), "1")


def compare_ours(random: Random) -> None:
    """What we write, PokerKit replays to the same payoffs and the same cards; we read it back as it was."""
    record = our_hand(random)
    text = format_phh(record)
    theirs = replayed(text)
    assert not theirs.status, text
    assert tuple(theirs.payoffs) == record.payoffs, text
    assert read_one(text) == record, text


def their_hand(random: Random) -> tuple[pokerkit.State, str]:
    """A hand that PokerKit dealt, played and wrote."""
    players = random.randint(2, 9)
    antes = random.choice([0, 0, 0, 1])
    blinds = random.choice([(1, 2), (3, 7), (1, 2, 4)][: 2 if players < 4 else 3])
    stacks = [random.randint(1, random.choice([10, 200])) for _ in range(players)]
    trimmed = random.random() < 0.5
    mode = random.choice([Mode.CASH_GAME, Mode.TOURNAMENT])
    if random.random() < 0.5:
        game: NoLimitTexasHoldem | FixedLimitTexasHoldem = NoLimitTexasHoldem(
            AUTOMATIONS, trimmed, antes, blinds, blinds[1], mode=mode
        )
    else:
        game = FixedLimitTexasHoldem(AUTOMATIONS, trimmed, antes, blinds, blinds[1], 2 * blinds[1], mode=mode)
    state = game(stacks, players)
    deck = [rank + suit for rank in "23456789TJQKA" for suit in "cdhs"]
    random.shuffle(deck)
    while state.status:
        if state.can_burn_card():
            state.burn_card("??")
        elif state.can_deal_hole():
            state.deal_hole(deck.pop() + deck.pop())
        elif state.can_deal_board():
            state.deal_board("".join(deck.pop() for _ in range(3 if not any(state.board_cards) else 1)))
        elif state.can_complete_bet_or_raise_to() and random.random() < 0.3:
            least = state.min_completion_betting_or_raising_to_amount
            most = state.max_completion_betting_or_raising_to_amount
            assert least is not None
            assert most is not None
            state.complete_bet_or_raise_to(random.choice([least, most, random.randint(least, most)]))
        elif state.can_fold() and random.random() < 0.2:
            state.fold()
        else:
            state.check_or_call()
    history = HandHistory.from_game_state(game, state, antes=list(state.antes))
    history.blinds_or_straddles = list(state.blinds_or_straddles)
    history.ante_trimming_status = trimmed
    return state, history.dumps()


def compare_theirs(random: Random) -> None:
    """What PokerKit writes, we read: the same payoffs, who acted and who showed."""
    state, text = their_hand(random)
    record = read_one(text)
    assert record.payoffs == tuple(state.payoffs), text
    again = replayed(format_phh(record))
    assert again.payoffs == state.payoffs, text


@pytest.mark.parametrize("chunk", range(4))
def test_our_texts_replay_in_pokerkit(chunk: int) -> None:
    for hand in range(25):
        compare_ours(Random(f"phh ours {chunk} {hand}"))


@pytest.mark.parametrize("chunk", range(4))
def test_pokerkits_texts_are_read(chunk: int) -> None:
    for hand in range(25):
        compare_theirs(Random(f"phh theirs {chunk} {hand}"))


@pytest.mark.soak
@pytest.mark.parametrize("chunk", range(CHUNKS))
def test_twenty_thousand_texts_go_both_ways(chunk: int) -> None:
    for hand in hands_to_go("phh", VERSION, chunk, HANDS_A_CHUNK):
        compare_ours(Random(f"phh ours soak {chunk} {hand}"))
        compare_theirs(Random(f"phh theirs soak {chunk} {hand}"))


def test_of_the_published_single_hands_every_hold_em_hand_is_read(shared_data: Path) -> None:
    """Each replays to the stacks that are printed, and the others are refused by the name of their game."""
    read: Counter[str] = Counter()
    for name, lines in members(shared_data / "wsop_misc_phh_88.tar.xz", ".phh"):
        (reading,) = read_phh(lines)
        history = HandHistory.loads("\n".join(lines))
        read[history.variant] += 1
        if history.variant not in ("NT", "FT"):
            assert isinstance(reading, BadHand), name
            assert f"({history.variant}), but only Texas hold'em is supported" in reading.reason
            continue
        assert isinstance(reading, HandRecord), name
        if history.finishing_stacks is not None:
            ends = [stack + won for stack, won in zip(reading.setup.stacks, reading.payoffs, strict=True)]
            assert ends == history.finishing_stacks
        assert reading.rake == 0
        assert tuple(replayed("\n".join(lines)).payoffs) == reading.payoffs
        assert read_one(format_phh(reading)) == reading
    assert (read["NT"], read["FT"], read.total()) == (12, 7, 88)


def published_hands(shared_data: Path, hands_a_file: int | None) -> Iterator[tuple[list[str], Reading]]:
    """The hands of the sample of public cash games, with their lines."""
    for _, lines in members(shared_data / "handhq_sample_phhs.tar.xz", ".phhs"):
        headings = [number for number, line in enumerate(lines) if line.startswith("[")]
        end = headings[hands_a_file] if hands_a_file is not None else len(lines)
        for start, reading in zip(headings, read_phh(lines[:end]), strict=False):
            yield lines[start + 1 : next((place for place in headings if place > start), len(lines))], reading


def test_published_cash_games_are_read(shared_data: Path) -> None:
    """A few hands of every file: they come back from our text, and PokerKit replays both texts to our payoffs."""
    counts: Counter[str] = Counter()
    for lines, reading in published_hands(shared_data, hands_a_file=3):
        counts["hands"] += 1
        assert isinstance(reading, HandRecord), reading
        text = format_phh(reading)
        assert read_one(text) == reading
        assert phh_losses(reading) == ()
        if reading.rake or not shows_winners(reading):
            continue
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")  # PokerKit warns of fields that it does not know
            ours, theirs = replayed(text), replayed("\n".join(lines))
        counts["replayed"] += 1
        assert is_near(ours, reading), text
        if not theirs.status:
            counts["theirs"] += 1
            assert is_near(theirs, reading), "\n".join(lines)
    assert counts["hands"] > 300
    assert counts["theirs"] > 0.95 * counts["replayed"] > 0.6 * counts["hands"]


def shows_winners(record: HandRecord) -> bool:
    """Whether PokerKit can know who won: everybody else folded, or a hand is open."""
    reveals = [event for event in record.events if isinstance(event, Reveal)]
    hidden = {event.seat for event in record.events if isinstance(event, DealHole) and event.cards is None}
    return (
        all(event.cards is not None for event in reveals) and not {event.seat for event in reveals} & hidden
    )


def is_near(state: pokerkit.State, record: HandRecord) -> bool:
    """Whether PokerKit's payoffs, in the currency, are ours to the odd unit of a split pot."""
    unit = Decimal(1) if all(isinstance(chips, int) for chips in state.payoffs) else Decimal("0.01")
    chip = Decimal(record.details.chip.numerator) / record.details.chip.denominator
    return all(
        abs(Decimal(theirs) - chip * ours) < unit
        for theirs, ours in zip(state.payoffs, map(int, record.payoffs), strict=True)
    )


@pytest.mark.soak
def test_of_a_hundred_thousand_published_hands_all_but_a_few_are_read(shared_data: Path) -> None:
    """Everything but hands that stop in the middle or contradict themselves, and it comes back from our text."""
    reasons: Counter[str] = Counter()
    hands = 0
    for _, lines in members(shared_data / "handhq_sample_phhs.tar.xz", ".phhs"):
        for reading in read_phh(lines):
            hands += 1
            if isinstance(reading, BadHand):
                kind = next((kind for kind in REASONS if kind in reading.reason), None)
                assert kind is not None, reading
                reasons[kind] += 1
            else:
                assert read_one(format_phh(reading)) == reading
    assert hands == SAMPLE_HANDS
    assert reasons.total() <= 0.001 * hands, reasons


REASONS = ("the hand stops while", "is out of turn", "winnings cannot be")
