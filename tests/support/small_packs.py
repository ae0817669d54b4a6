"""A small pack of cases, made as a user would make it."""

from pathlib import Path

from command import railbird

TABLE = ",".join(["rulebot"] * 3 + ["probtriple"] * 3)


def watched_pack(folder: Path) -> Path:
    """The decisions of two hundred hands at a table of six."""
    log, pack = folder / "h.log", folder / "p.parquet"
    played = ("selfplay", "--game", "limit-6max", "--seats", TABLE, "--hands", 200, "--seed", 3, "-o", log)
    for arguments in (played, ("watch", log, "--as", "casper", "--all-players", "-o", pack)):
        done = railbird(*arguments)
        assert done.code == 0, done.error
    return pack
