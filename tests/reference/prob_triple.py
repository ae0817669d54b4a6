"""ProbTriple in plain Python, from the sentences of its page: shares of holdings, soft borders, exceptions."""

from collections.abc import Mapping
from math import exp, log


def soft(above: float, width: float) -> float:
    """One half on the border, and towards 0 and 1 on its sides."""
    return 1 / (1 + exp(-above / width))


def bent(share: float, log_odds: float) -> float:
    """A share after its log-odds were moved."""
    share = min(0.98, max(0.004, share))
    return soft(log(share / (1 - share)) + log_odds, 1)


def staying_share(situation: Mapping[str, float]) -> float:
    """With how many holdings the generic player stays."""
    level, price = situation["LEVEL"], situation["BETS_TO_CALL"]
    if situation["STREET"] > 0:
        crowd = 0.035 * (situation["OPPONENTS"] - 1)
        raises = 0.18 * max(0, min(2, level - 1))
        late = 0.04 if situation["STREET"] == 3 else 0
        return 1 - (0.30 + 0.9 * situation["POT_ODDS"] + crowd + raises + late)
    if level <= 1:
        opening = 0.8 / max(1, situation["BEHIND"])
        along = 0.10 + 0.04 * situation["CALLERS"] + 0.10 * situation["POSITION"]
        share = max(opening, along) if situation["CALLERS"] else opening
        return share * (1 + 0.6 * (1 - min(1, price)))
    discount = level / max(0.5, price)
    share = (0.5 if level <= 2 else 0.28) * 1.6 / situation["PLAYERS"]
    share *= discount * (0.6 + 0.4 * discount)
    return share * (1 + 0.2 * situation["CALLERS"]) * (1.5 if situation["INVESTED"] else 1)


def raising_share(situation: Mapping[str, float]) -> float:
    """With how many holdings the generic player raises."""
    level, opponents = situation["LEVEL"], situation["OPPONENTS"]
    if situation["STREET"] == 0:
        if level > 1:
            return (0.22 if level <= 2 else 0.10) * 1.6 / situation["PLAYERS"]
        staying = staying_share(situation)
        return 0.04 + 0.12 * staying if situation["CALLERS"] else 0.62 * staying
    if level <= 0:
        return 1 / (1.6 + 0.7 * opponents + 0.1 * situation["BEHIND"])
    return 0.17 / ((2 * min(3, max(1, level)) - 1) * (0.8 + 0.2 * opponents))


def triple(
    situation: Mapping[str, float],
    strength: float,
    potential: float,
    looseness: float,
    aggression: float,
    bluffing: float,
) -> tuple[float, float, float]:
    """Fold, call, raise; the style is the one of the situation's context."""
    preflop = situation["STREET"] == 0
    staying = bent(staying_share(situation), looseness)
    raising = bent(raising_share(situation), aggression)
    width = 0.006 + 0.1 * staying if preflop else 0.06
    value = strength + (1 - strength) * potential
    stay = soft(value - (1 - staying), width)
    raise_ = 0.9 * soft(value - (1 - raising), min(width, 0.005 + 0.2 * raising))
    if not preflop:
        draws = soft(potential - max(0.13, 0.85 * situation["POT_ODDS"] + 0.02), 0.015)
        stay = 1 - (1 - stay) * (1 - draws)
        if situation["LEVEL"] <= 1:
            semi_bluff = 0.5 * soft(potential - 0.20, 0.02)
            bluff = 0.8 * raising * situation["BET_ODDS"] * soft(0.35 - value, 0.08)
            raise_ += (1 - raise_) * bluffing / situation["OPPONENTS"] * (semi_bluff + bluff)
    if not situation["CAN_FOLD"]:
        stay = 1.0
    raise_ = min(raise_, stay) if situation["CAN_RAISE"] else 0.0
    fold = max(0.004, 1 - stay) if situation["CAN_FOLD"] else 0.0
    raised = max(0.004, raise_) if situation["CAN_RAISE"] else 0.0
    call = max(0.004, stay - raise_)
    total = fold + call + raised
    return fold / total, call / total, raised / total
