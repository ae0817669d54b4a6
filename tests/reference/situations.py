"""A situation as a player would read it from the table, entry by entry."""

from railbird.engine.betting_tree import BettingNode
from railbird.engine.state import State
from railbird.kernels.rules.betting import ROUND


def situation(state: State) -> dict[str, float]:
    """What the seat to act depends on, by the names of `kernels.play.situations`."""
    rules = state.rules
    seat = state.actor
    assert seat is not None
    street = state.round
    bet = rules.bet_sizes[street]
    legal = state.node.legal
    acts = [node.act for node in state.node.path if round_of_action(node) == street]
    spoke = {act.seat for act in acts}
    raisers = [act.seat for act in acts if act.kind.name == "RAISE"]
    others = [other for other in state.live_seats if other != seat]
    with_chips = [other for other in others if state.stacks[other]]
    behind = [other for other in others if is_to_act(state, other)]
    callers = [
        other
        for other in others
        if other in spoke and (not raisers or other != raisers[-1]) and (street > 0 or state.bets[other] > 0)
    ]
    bets_to_call = legal.call / bet
    invested = seat in spoke and state.bets[seat] > 0
    to_call = 0 if not legal.call else 3 if invested else 1 if bets_to_call <= 1 else 2
    expected = 1 + len(others) - len(behind) + 0.6 * len(behind) if street == 0 else 1 + len(others)
    cap = rules.raise_caps[street]
    return {
        "STREET": street,
        "CONTEXT": 4 * street + to_call,
        "BETS_TO_CALL": bets_to_call,
        "LEVEL": state.to_match / bet,
        "CAN_FOLD": float(legal.fold),
        "CAN_RAISE": float(legal.can_raise),
        "RAISES_LEFT": 4 if cap is None else min(4, cap - state.raises),
        "INVESTED": float(invested),
        "POSTED": state.bets[seat] / bet,
        "OPPONENTS": len(others),
        "BEHIND": len(behind),
        "CALLERS": len(callers),
        "POSITION": sum(other < seat for other in with_chips) / len(with_chips) if with_chips else 1.0,
        "POT_ODDS": legal.call / (state.pot + legal.call) if legal.call else 0.0,
        "BET_ODDS": bet / (state.pot + legal.call + 2 * bet),
        "POT_BETS": state.pot / bet,
        "PLAYERS": rules.players,
        "GROUP": 0 if expected < 2.5 else 1 if expected < 4.5 else 2,
    }


def is_to_act(state: State, other: int) -> bool:
    """Whether a seat still has a decision in this round when everyone from now on calls or checks."""
    later = state.clone()
    street = state.round
    if later.actor is not None:
        later.call()
    while later.actor is not None and later.round == street:
        if later.actor == other:
            return True
        later.call()
    return False


def round_of_action(node: BettingNode) -> int:
    """The round in which the action that led to a situation was taken."""
    assert node.reached_by is not None
    return node.reached_by[0].view[ROUND]
