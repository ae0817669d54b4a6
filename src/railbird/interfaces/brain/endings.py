"""The result of a hand from its last view, the hands that were shown and the payoffs.

Where every hand is shown, the outcome follows from the cards. Where a hand was mucked it does not, so the body says
what everyone won or lost; the agent then hears of a single award to each winner, whichever pots it came from.
"""

from collections.abc import Iterator

from railbird.agent import HandResult
from railbird.agent.plain_form import require_payoffs
from railbird.engine.events import Award, Chips, Event, Return, Reveal
from railbird.engine.history import events_of, play, reckoning_of
from railbird.engine.state import State
from railbird.fields import FieldError
from railbird.interfaces.brain.refusals import Code, Refusal
from railbird.interfaces.brain.views import Seen
from railbird.observation import visible_to


def result_of(seen: Seen, payoffs: tuple[Chips, ...] | None) -> HandResult:
    """The result of a hand that is over; the payoffs are needed only if a hand was mucked, otherwise checked."""
    view = seen.observation
    if view.node.actor is not None:
        raise Refusal(Code.NOT_NOW, f"hand {view.hand_number} is not over: seat {view.node.actor} is to act")
    state = seen.state()
    mucked = [seat for seat in state.live_seats if state.is_showdown and state.hole_cards(seat) is None]
    if not mucked:
        require_payoffs(payoffs, state.payoffs)
        events, payoffs = events_of(state), state.payoffs
    elif payoffs is None:
        raise FieldError(
            f"seat {mucked[0]} did not fold, but its cards are not shown: if its hand was mucked, give the payoffs"
        )
    else:
        events = (*play(state), *_ending(state, payoffs))
    return HandResult(view.seat, view.players, visible_to(view.seat, events), payoffs, view.hand_number)


def _ending(state: State, payoffs: tuple[Chips, ...]) -> Iterator[Event]:
    """How a hand ends in which not all hands are shown."""
    reckoning = reckoning_of(state)
    if reckoning.uncalled:
        yield Return(reckoning.uncalled_seat, reckoning.uncalled)
    for seat in reckoning.order:
        yield Reveal(seat, state.hole_cards(seat))
    if sum(payoffs):
        raise FieldError(f"the payoffs add up to {sum(payoffs)}, not to 0")
    for seat, (paid, payoff) in enumerate(zip(state.paid, payoffs, strict=True)):
        won = payoff + paid - (reckoning.uncalled if seat == reckoning.uncalled_seat else 0)
        if won < 0 or (won and seat not in state.live_seats):
            raise FieldError(
                f"the payoff of seat {seat} is {payoff}, but it paid {paid} and cannot win {won}"
            )
        if won:
            yield Award(seat, 0, won)
