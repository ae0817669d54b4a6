"""baycarp-2011 §6.3: the printed run of BayCaRP1, with its cases and beliefs.

The thesis prints the betting, what the network believes, and two cases; the cards of BayCaRP and of the board are in
pictures only. Those used here fit the text: Jake holds ace and king out of suit, the flop is JLow and the turn Low, a
queen on the river makes his straight, so a ten lies on the board, and on the turn BayCaRP wins 84.1 %, because seven
cards beat it: ace and ten fit, since an ace helps both. Numbers that depend on the cards need not agree with the
printed ones.
"""

from collections.abc import Iterator, Sequence

from railbird.agent import MatchStart, make_agent
from railbird.agents.baycarp.agent import BayCaRP2
from railbird.agents.baycarp.view import View
from railbird.cards import parse_cards
from railbird.engine.actions import CALL, FOLD, raise_to
from railbird.engine.games import named_game
from railbird.engine.setup import Setup
from railbird.engine.state import State
from railbird.experiments.frame import Experiment, Finding, Laboratory
from railbird.explanation.formats import format_percent
from railbird.features.outcomes import name_of
from railbird.features.playing_style import PlayingStyle, StyleBook
from railbird.observation import Observation

AGENT = "baycarp1:version=published"
GAME = "limit-8max"
JAKE, BAYCARP = 2, 5
HANDS = {JAKE: "AdKs", BAYCARP: "AcTc"}
OTHERS = ("8c3d", "9s6h", "5c2c", "6c3s", "8s5d", "9d4h")
BOARD = "Jh Td 4s 2h Qc"
BEFORE_FLOP = "r" + "ff" + "r" + "ffff" + "c"
"""Jake raises from an early position, BayCaRP makes it three bets, everybody else folds, Jake calls."""
FLOP, TURN, RIVER = "c", "crcc", "crccrcr"
"""Jake checks, and BayCaRP bets, flop and turn; Jake bets the river."""
SMALL_BLINDS = 2
"""Small blinds in a small bet, in which the thesis counts bets."""


class _Styles(StyleBook):
    """Jake's style at the time: VPIP 20 to 30 %, PFR 5 to 10 %."""

    def style(self, label: str) -> PlayingStyle:  # noqa: ARG002
        """The same for everybody."""
        return PlayingStyle.named("a20_30", "a5_10")


def situation(after_flop: str) -> Observation:
    """What BayCaRP sees after this betting."""
    others = iter(OTHERS)
    cards = "".join(HANDS.get(seat) or next(others) for seat in range(8)) + BOARD
    state = State(Setup.of(named_game(GAME)), parse_cards(cards.replace(" ", "")))
    for letter in BEFORE_FLOP + after_flop:
        state.act({"f": FOLD, "c": CALL}.get(letter) or raise_to(state.legal_actions.raise_minimum))
    assert state.actor == BAYCARP
    return Observation.of(state, BAYCARP, _names())


def _names() -> tuple[str, ...]:
    return tuple({JAKE: "Jake", BAYCARP: "BayCaRP"}.get(seat, f"player {seat}") for seat in range(8))


def _example(laboratory: Laboratory) -> Iterator[Finding]:
    laboratory.note_provenance([AGENT])
    agent = make_agent(AGENT)
    assert isinstance(agent, BayCaRP2)
    agent.begin_match(MatchStart(named_game(GAME), "BayCaRP", _names(), laboratory.stream("example")))
    agent.viewer_.styles = _Styles()
    for stage, betting, groups, types, printed, action in (
        (
            "flop",
            FLOP,
            "HandGroup2 31 % first",
            "Busted 64 %, JackPair 7 %, AcePairStrong 5 %",
            ("2/1/0", "1.000", "0.0/0.0/6.0", "0.118", "0.565", "0.087 and 0.158"),
            "bet",
        ),
        ("turn", TURN, "", "Busted first", (), "bet"),
        (
            "river",
            RIVER,
            "",
            "Straight 31 %, QueenPair 15 %, TwoPair 14 %",
            ("2/1/0", "1.000", "0.0/4.0/12.0", "0.114", "0.123"),
            "fold",
        ),
    ):
        observation = situation(betting)
        decision, view, _ = agent.decide(observation)
        held = [(f"HandGroup{group}", chance) for group, chance in view.believed[0].top_groups()]
        yield Finding(f"{stage}: Jake's most probable hand groups", _shares(held), groups)
        yield Finding(f"{stage}: Jake's most probable hand types", _shares(view.hand_types), types)
        for (what, measured), said in zip(attributes(view, observation), _padded(printed), strict=False):
            yield Finding(f"{stage}: {what}", measured, said)
        yield Finding(f"{stage}: the action", name_of(observation, decision.action.kind), action)


def attributes(view: View, observation: Observation) -> list[tuple[str, str]]:
    """The attributes of a case as figures 6.7 and 6.12 print them, bets in small blinds."""
    found = {name: value for name, value in view.attributes.items() if not isinstance(value, str)}
    round_bet = SMALL_BLINDS * observation.rules.bet_sizes[observation.round] / observation.rules.small_bet
    bets = (
        found["bets committed"] * round_bet,
        found["bets to call"] * round_bet,
        found["bets total"] * SMALL_BLINDS,
    )
    players = ("number of players", "players in hand", "players yet to act")
    told = [
        ("players, in hand, yet to act", "/".join(f"{found[name]:g}" for name in players)),
        ("relative position", f"{found['relative position']:.3f}"),
        ("bets committed, to call, total, in small blinds", "/".join(f"{each:.1f}" for each in bets)),
        ("pot odds", f"{found['pot odds']:.3f}"),
        ("relative hand strength", f"{found['relative hand strength']:.3f}"),
    ]
    if "positive potential" in found:
        potentials = (found["positive potential"], found["negative potential"])
        told.append(("positive and negative potential", " and ".join(f"{each:.3f}" for each in potentials)))
    return told


def _padded(printed: Sequence[str]) -> list[str]:
    """What is printed of each attribute, nothing of some."""
    return [*printed, *[""] * 6][:6]


def _shares(shares: Sequence[tuple[str, float]]) -> str:
    return ", ".join(f"{name} {format_percent(chance, 0)}" for name, chance in shares)


EXPERIMENTS = (
    Experiment(
        name="baycarp-example",
        paper="baycarp-2011 §6.3, figs. 6.5 to 6.12",
        claim="BayCaRP1 bets while it has the best hand and folds when a queen on the river makes Jake's straight.",
        setup="Eight-handed limit, the published BayCaRP1 in the printed betting against a player like Jake; A♣T♣ "
        "on J♥T♦4♠ 2♥ Q♣ against A♦K♠, which fit the text: the thesis's own cards are in pictures only.",
        run=_example,
    ),
)
