"""Statistics on plates: counted from what a viewer saw, and shown after enough hands."""

from railbird.engine.actions import CALL, FOLD, raise_to
from railbird.engine.games import named_game
from railbird.engine.setup import Setup
from railbird.engine.state import State
from railbird.interfaces.web.study.recent_play import ENOUGH, RECENT, RecentPlay
from railbird.interfaces.web.table.dealt_hand import DealtHand
from railbird.interfaces.web.table.messages import PlateStatistics
from railbird.rng import Stream


def a_hand(number: int, players: tuple[str, ...], raises: bool) -> DealtHand:
    """The button raises or folds; the small blind calls a raise, and folds on the flop; nobody else plays."""
    state = State.deal(Setup.of(named_game("limit-3p")), Stream.from_seed(number))
    hand = DealtHand(number, state, players, (0, 1, 2), 2)
    for action in (raise_to(20), CALL, FOLD, CALL, raise_to(10), FOLD) if raises else (FOLD, FOLD):
        state.act(action)
    assert state.is_over
    return hand


def test_statistics_count_the_hands_of_the_viewer_only() -> None:
    recent = RecentPlay()
    for number in range(ENOUGH - 1):
        recent.add(a_hand(number, ("Ann", "Bob", "Cem"), raises=number % 2 == 0))
    assert recent.seen_by("Ann") == {}
    recent.add(a_hand(ENOUGH, ("Ann", "Bob", "Cem"), raises=False))
    for number in range(50):
        recent.add(a_hand(number, ("Dan", "Bob", "Cem"), raises=False))
    assert recent.seen_by("Ann") == {
        "Bob": PlateStatistics(20, 0, 0, None),
        "Cem": PlateStatistics(20, 50, 50, None),
    }
    assert recent.seen_by("Bob")["Ann"] == PlateStatistics(20, 50, 0, 0.0)
    assert recent.seen_by(None)["Cem"] == PlateStatistics(70, 14, 14, None)
    assert recent.seen_by("Eve") == {}


def test_only_recent_hands_count() -> None:
    recent = RecentPlay()
    for number in range(ENOUGH):
        recent.add(a_hand(number, ("Ann", "Bob", "Cem"), raises=True))
    for number in range(RECENT):
        recent.add(a_hand(number, ("Ann", "Bob", "Cem"), raises=False))
    assert recent.seen_by("Ann")["Cem"] == PlateStatistics(RECENT, 0, 0, None)
