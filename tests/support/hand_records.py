"""Random hand records of every kind: any game, odd names and ids, seats, details, unknown cards, unfinished hands."""

from fractions import Fraction
from random import Random

from hypothesis import strategies as st

from railbird.cards import Card
from railbird.engine.games import named_game
from railbird.engine.record import NO_DETAILS, Details, HandRecord
from railbird.engine.setup import Setup
from railbird.engine.state import UNKNOWN, State
from strategies import play, random_action, random_cards, random_setup, random_style, randoms

NAMES = (
    "Alice",
    "Bob",
    "a b",
    "Zoë",
    "名前",
    "x:y",
    "p|q",
    "{}",
    '"quoted"',
    "it's",
    "#hash",
    "\\back",
    "-",
    "=",
    "é~",
)
GAMES = (
    "limit-2p",
    "limit-3p",
    "limit-6max",
    "nolimit-2p",
    "nolimit-3p",
    "nolimit-6max",
    "leduc-2p",
    "kuhn-2p",
)
TIMES = ("", "2009-07-01T00:00:33", "2010-11-01", "15:11:21")


def random_record(random: Random) -> HandRecord:
    """A hand that is over, usually of a game that many formats know, with what a source may tell."""
    setup = Setup.of(named_game(random.choice(GAMES))) if random.random() < 0.5 else random_setup(random)
    state = State(setup, random_cards(random, setup.rules))
    style = random_style(random)
    while not state.is_over:
        state.act(random_action(random, state.legal_actions, style))
    record = HandRecord.of(
        state if state.is_showdown else _with_hidden_cards(random, state),
        tuple(_distinct_names(random, setup.rules.players)),
        random.choice(["", "0", "574,644", "PokerStars-1", "id with spaces", str(random.randrange(10**12))]),
        random.choice([(), tuple(random.sample(range(1, 11), setup.rules.players))]),
    )
    return HandRecord(
        record.hand_id, record.setup, record.players, record.events, record.seats, random_details(random)
    )


def _with_hidden_cards(random: Random, state: State) -> State:
    """The same hand, in which nobody saw some of the hole cards."""
    size = state.rules.hole_cards
    cards: list[Card] = list(state.cards)
    for seat in range(state.rules.players):
        if random.random() < 0.5:
            cards[seat * size : (seat + 1) * size] = [UNKNOWN] * size
    opened = state.rules.players * size + len(state.board)
    hidden = State(state.setup, [*cards[:opened], *[UNKNOWN] * (len(cards) - opened)])
    for action in state.actions:
        hidden.act(action)
    return hidden


def _distinct_names(random: Random, count: int) -> list[str]:
    return [f"{random.choice(NAMES)}{seat}" for seat in range(count)]


def random_details(random: Random) -> Details:
    """What a source may tell, and often nothing."""
    if random.random() < 0.4:
        return NO_DETAILS
    return Details(
        venue=random.choice(["", "PokerStars", "a 'venue' \"here\""]),
        table=random.choice(["", "Bot Warz", "7"]),
        time=random.choice(TIMES),
        currency=random.choice(["", "USD", "EUR"]),
        chip=random.choice([Fraction(1), Fraction(1, 100), Fraction(1, 1000)]),
        notes=random.choice([(), (("author", "somebody"),), (("_mine", "1"), ("_mine", "2"))]),
    )


def unfinished_record(random: Random) -> HandRecord:
    """A hand as it stands somewhere in the middle."""
    setup = random_setup(random)
    state = play(random, State(setup, random_cards(random, setup.rules)), random.choice([0, 1, 3, 8]))
    return HandRecord.of(state, tuple(_distinct_names(random, setup.rules.players)))


records = st.builds(random_record, randoms)
unfinished_records = st.builds(unfinished_record, randoms)


def plain_record(seed: int, game: str = "limit-2p") -> HandRecord:
    """A hand that every format can carry, with a number for its id."""
    random = Random(seed)
    setup = Setup.of(named_game(game))
    state = State(setup, random_cards(random, setup.rules))
    while not state.is_over:
        state.act(random_action(random, state.legal_actions))
    return HandRecord.of(
        state, tuple(["Alice", "Bob", "Carol", "Dan", "Erin", "Frank"][: setup.rules.players]), str(seed)
    )
