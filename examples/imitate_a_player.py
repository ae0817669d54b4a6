"""Watch a player and imitate it: `python examples/imitate_a_player.py [FOLDER]`."""

import sys
from pathlib import Path

import railbird


def main(folder: Path) -> None:
    """Write a log, learn a pack of cases from one of its players, and let the imitator play."""
    folder.mkdir(parents=True, exist_ok=True)
    log, pack = folder / "hands.log", folder / "rulebot.parquet"
    railbird.match(["rulebot", "pokibot"], hands=300, seed=1, log=log)
    print("hands in the log:", sum(1 for _ in railbird.read_hands(log)))

    watched = railbird.watch(log, ["rulebot"], system="casper", output=pack, force=True)
    print("cases by stage and decision:")
    print(watched.to_frame().group_by("base", "solution", maintain_order=True).len())

    results = railbird.match([f"casper:pack={pack}", "always-call"], hands=100, duplicate=True, seed=2)
    print(results.to_frame().select("player", "hands", "rate", "low", "high", "unit"))


if __name__ == "__main__":
    main(Path(sys.argv[1] if len(sys.argv) > 1 else "imitation"))
