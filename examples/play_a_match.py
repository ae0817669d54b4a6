"""Play a match between three agents and draw what they win: `python examples/play_a_match.py [FOLDER]`."""

import sys
from pathlib import Path

import railbird


def main(folder: Path) -> None:
    """Play the same deals in every seating, print the rates, and draw the bankroll curve and more into a folder."""
    results = railbird.match(
        ["pokibot", "rulebot", "always-call"], game="limit-3p", hands=50, duplicate=True, seed=1
    )
    print(results.to_frame().select("player", "hands", "rate", "low", "high", "unit"))
    print("digest (equal digests mean equal results):", results.digest[:16])
    print("again:", results.to_json()["reproduce"])
    results.draw(folder)
    print("figures in", folder)


if __name__ == "__main__":
    main(Path(sys.argv[1] if len(sys.argv) > 1 else "figures"))
