"""Stands in for the process that plays a tournament: what it does is written in the seed of the plan.

- `good`: tells some progress, writes results and ends
- `slow`: tells some progress and waits for its end
- `error`: says what is wrong
- `crash`: ends without a word; `crash-once`: only the first time
- `babble`: says something else than JSON; `babble-once`: only the first time
- `rant`: says a line that never ends
"""

import json
import sys
import time
from pathlib import Path

PROGRESS = {"matches": 1, "all_matches": 2, "hands": 10, "all_hands": 20}
STANDINGS = {
    "players": [{"label": "random", "agent": "random", "hands": 0, "net": 0, "rate": None}],
    "standings": {"total_bankroll": ["random"], "instant_runoff": None},
    "crosstable": {"random": {}},
    "void": [],
}


def main() -> int:
    folder, tournament = Path(sys.argv[1]), sys.argv[2]
    plan = json.loads(sys.stdin.readline())
    seed = plan["seed"].split(".")[0]
    runs = folder / f"{tournament}.runs"
    with runs.open("a") as file:
        file.write("x")
    if seed == "error":
        print(json.dumps({"error": "there is no such luck"}), flush=True)
        return 2
    print(json.dumps({"progress": PROGRESS, "standings": STANDINGS}), flush=True)
    if seed == "crash" or (seed == "crash-once" and len(runs.read_text()) == 1):
        return 1
    if seed == "babble" or (seed == "babble-once" and len(runs.read_text()) == 1):
        print("not JSON at all", flush=True)
        return 0
    if seed == "rant":
        while True:
            print("[" * 65_536, end="", flush=True)
    if seed == "slow":
        while sys.stdin.read(1):
            time.sleep(0.01)
        return 3
    (folder / f"{tournament}.results.json").write_text(json.dumps({**STANDINGS, "digest": "abc"}))
    (folder / f"{tournament}.results.json.journal").write_text("{}")
    return 0


if __name__ == "__main__":
    sys.exit(main())
