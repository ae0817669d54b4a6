"""Where the knowledge of an agent comes from: one line for every agent, read from its files."""

import re
from pathlib import Path

import pytest

from railbird import match, train_network, watch
from railbird.agent import agent_names
from railbird.agents.provenance import provenance
from railbird.agents.shipped import shipped_paths


@pytest.mark.parametrize("name", agent_names())
def test_every_agent_has_a_line(name: str) -> None:
    found = provenance(name)
    assert found
    assert "/" not in found.replace("500/300/250", "").replace("200/90/75", "").replace("200/200/190", "")
    assert "\n" not in found


def test_packs_and_networks_tell_teachers_game_and_table(tmp_path: Path) -> None:
    log, network, pack = (tmp_path / name for name in ("hands.log", "own.xdsl", "own.parquet"))
    match(["rulebot", "rulebot", "jagbot"], game="limit-3p", hands=12, seed=1, log=log)
    train_network(log, output=network, digits=6)
    watched = watch(log, ["rulebot 2"], system="baycarp", output=pack, network=str(network))
    table = "12 hands of limit-3p between 2 rulebot, jagbot"
    assert provenance(f"baycarp2:pack={pack},network={network}") == (
        f"{len(watched.pack)} cases (own) of rulebot in {table}; "
        f"a network (own) as published, from showdowns in {table}"
    )


@pytest.mark.parametrize(
    ("agent", "grows"),
    [
        ("baycarp2", False),
        ("baycarp2:retain=yes", True),
        ("baycarp2:join=bn-cbr-1", True),
        ("baycarp2:join=cbr-bn-2", True),
        ("baycarp2:players=adapting", True),
        ("casper02", False),
        ("casper-online", True),
        ("casey:keeps=no", True),
        ("pokibot", True),
        ("simbot:models=no", False),
    ],
)
def test_own_experience_counts_where_parameters_allow_it(agent: str, grows: bool) -> None:
    assert provenance(agent).endswith("what it experiences itself") is grows


def test_who_learns_nothing_says_so() -> None:
    assert provenance("rulebot") == "nothing learnt"
    assert provenance("casey") == "what it experiences itself"
    assert provenance("equilibrium").startswith("a strategy (limit-2p) solved for limit-2p with ")


def test_shipped_files_are_small_and_name_no_folder() -> None:
    shipped = [
        path for suffix in (".parquet", ".xdsl", ".toml", ".strategy") for path in shipped_paths(suffix)
    ]
    assert len({path.suffix for path in shipped}) == 4
    assert sum(path.stat().st_size for path in shipped) < 25_000_000
    # Recipes are plain text in all of them.
    folder = re.compile(rb"""["'= ]/(tmp|home|root|work|Users|var)/""")
    assert [path.name for path in shipped if folder.search(path.read_bytes())] == []
