"""Ask agents what they would do in a situation, and why: `python examples/explain_a_decision.py`."""

import railbird

STATE = "MATCHSTATE:1:0:rc/c:|AhKs/QhJh2c"
"""Heads-up on the flop: the button raised with A♥ K♠ and was called; now the other player has checked."""


def main() -> None:
    """Print the decisions of some agents, the reasons of one of them, and the equity of the hand."""
    for agent in ("pokibot", "rulebot", "casper02"):
        print(f"{agent}: {railbird.explain(agent, STATE)}")
    answer = railbird.explain("pokibot", STATE)
    print(answer.to_frame())
    for fact in answer.decision.explanation.facts:
        print(f"  {fact.name}: {fact.value}")
    print(railbird.equity("AhKs", vs="TT+, AQs+", board="QhJh2c").to_frame().select("hand", "equity"))


if __name__ == "__main__":
    main()
