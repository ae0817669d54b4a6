"""Groups of players (baycarp-2011 §9.1): who is alike, their networks, their files, and who is read with which."""

from pathlib import Path
from random import Random

import numpy as np
import pytest
from hypothesis import assume, given, settings
from hypothesis import strategies as st

from command import railbird
from followed_tables import TABLE, average_network, from_the_rail, played
from railbird.agent import MatchStart, make_agent
from railbird.agents.baycarp.agent import BayCaRP2
from railbird.bayes.learning.counts import Average, count
from railbird.bayes.xdsl.files import read_recipe, write_xdsl
from railbird.engine.games import named_game
from railbird.features.playing_style import AVERAGE_PLAYER, StyleBook, StyleCounts
from railbird.opponents.network.beliefs import Beliefs
from railbird.opponents.network.group_files import group_paths, read_groups, write_groups
from railbird.opponents.network.groups import (
    Centre,
    GroupedBeliefs,
    GroupError,
    PlayerGroup,
    grouped,
    is_stranger,
    nearest,
    train_groups,
)
from railbird.opponents.network.nodes import HAND_GROUP, PUBLISHED, Variant, structure
from railbird.opponents.network.rows import Coder, Codes, Who
from railbird.rng import Stream


@st.composite
def counts(draw: st.DrawFn) -> StyleCounts:
    """What was seen of any player, strangers among them."""
    decided = draw(st.integers(0, 400))
    paid = draw(st.integers(0, decided))
    raised = draw(st.integers(0, paid))
    later = st.tuples(*[st.integers(0, 60)] * 3)
    return StyleCounts(decided, paid, raised, draw(later), draw(later))


def tables(*, most: int = 12) -> st.SearchStrategy[dict[str, StyleCounts]]:
    return st.dictionaries(st.text("abcdef", min_size=1, max_size=3), counts(), min_size=1, max_size=most)


def player(vpip: int, pfr: int, aggression: int, hands: int = 2000) -> StyleCounts:
    """A player with these figures, before the average player is added."""
    return StyleCounts(
        hands,
        hands * vpip / 100,
        hands * pfr / 100,
        (hands * aggression / 100,) * 3,
        (hands * (100 - aggression) / 100,) * 3,
    )


# Who is alike


@given(tables(), st.integers(1, 4))
@settings(max_examples=50)
def test_every_centre_is_the_mean_of_those_to_whom_it_is_nearest(
    players: dict[str, StyleCounts], groups: int
) -> None:
    known = {label: each for label, each in players.items() if not is_stranger(each)}
    different = {Centre.of(each).figures for each in known.values()}
    if len(different) < groups:
        with pytest.raises(
            GroupError, match=f"^{groups} groups need as many players .* there are {len(different)}$"
        ):
            grouped(players, groups)
        return
    centres = grouped(players, groups)
    assert len(centres) == groups
    assert [each.figures for each in centres] == sorted(each.figures for each in centres)
    for number, centre in enumerate(centres):
        members = [each for each in known.values() if nearest(centres, each) == number]
        if members:
            weights = [each.decided for each in members]
            mean = np.average([Centre.of(each).figures for each in members], axis=0, weights=weights)
            assert centre.figures == pytest.approx(mean.tolist(), abs=1e-6)


@given(tables(), st.randoms(use_true_random=False))
@settings(max_examples=50)
def test_groups_do_not_depend_on_the_order_of_players(
    players: dict[str, StyleCounts], random: Random
) -> None:
    assume(len({Centre.of(each).figures for each in players.values() if not is_stranger(each)}) >= 2)
    labels = list(players)
    random.shuffle(labels)
    assert grouped({label: players[label] for label in labels}, 2) == grouped(players, 2)


def test_tight_and_loose_passive_and_aggressive_players_are_told_apart() -> None:
    kinds = {"rock": (12, 2, 30), "shark": (18, 14, 65), "station": (55, 4, 25), "maniac": (60, 40, 75)}
    players = {
        f"{name} {number}": player(vpip + number, pfr, aggression, 500 * (number + 1))
        for name, (vpip, pfr, aggression) in kinds.items()
        for number in range(3)
    }
    centres = grouped(players, 4)
    groups = {name: {nearest(centres, players[f"{name} {number}"]) for number in range(3)} for name in kinds}
    assert [groups[name] for name in ("rock", "shark", "station", "maniac")] == [{0}, {1}, {2}, {3}]
    assert centres[0].vpip == pytest.approx(13.3, abs=0.5)


def test_figures_are_counted_beside_the_average_player() -> None:
    assert Centre.of(StyleCounts()) == Centre(25.0, 7.5, 40.0)
    assert Centre.of(StyleCounts(20, 20, 10)).vpip == pytest.approx(100 * 25 / 40)
    assert is_stranger(StyleCounts(AVERAGE_PLAYER.decided - 1))
    assert not is_stranger(StyleCounts(AVERAGE_PLAYER.decided))


def test_groups_that_are_none_are_refused() -> None:
    with pytest.raises(GroupError, match="there must be at least one group, not 0"):
        grouped({"a": player(20, 10, 50)}, 0)
    with pytest.raises(GroupError, match=r"the pfr of a group must be a percentage, not 101\.0"):
        Centre(20.0, 101.0, 50.0)
    with pytest.raises(GroupError, match="there are no groups of players"):
        GroupedBeliefs(average_network(PUBLISHED), (), PUBLISHED)


# Their networks


def labelled_rows() -> tuple[list[tuple[str, Codes]], dict[str, StyleCounts]]:
    coder, book = Coder(PUBLISHED), StyleBook()
    found: list[tuple[str, Codes]] = []
    for record in played():
        rows = coder.rows(record, book, Who.FLOP)
        found += [(record.players[seat], codes) for seat, codes in zip(rows.seats, rows.codes, strict=True)]
        book.observe(record)
    return found, {label: book.counts(label) for label in played()[0].players}


def test_a_group_is_counted_from_its_members_beside_the_network_of_all() -> None:
    average = average_network(PUBLISHED)
    rows, players = labelled_rows()
    rows = [*rows, ("a stranger", rows[0][1])]
    groups = train_groups(average, rows, {**players, "a stranger": StyleCounts(3, 1, 0)}, 3, 8.0)
    centres = [group.centre for group in groups]
    assert sum(group.players for group in groups) == 4
    assert sum(group.rows for group in groups) == len(rows) - 1
    for number, group in enumerate(groups):
        own = [
            codes for label, codes in rows if label in players and nearest(centres, players[label]) == number
        ]
        wanted = count(average.structure, np.array(own), prior=Average(average, 8.0))
        for name, table in wanted.tables.items():
            kept = average.tables[name] if name == HAND_GROUP else table
            np.testing.assert_array_equal(group.network.tables[name], kept, err_msg=name)


def groups_of_two() -> tuple[PlayerGroup, ...]:
    rows, players = labelled_rows()
    return train_groups(average_network(PUBLISHED), rows, players, 2)


def test_everybody_is_read_with_the_network_of_its_group_and_strangers_with_that_of_all() -> None:
    average, groups = average_network(PUBLISHED), groups_of_two()
    beliefs = GroupedBeliefs(average, groups, PUBLISHED)
    rows, _ = labelled_rows()
    seen: set[int | None] = set()
    book = StyleBook()
    for record in played():
        for label, codes in rows[:4]:
            group = beliefs.group(label)
            network = average if group is None else groups[group].network
            found = beliefs.chances(label, 3, codes)
            np.testing.assert_array_equal(found, Beliefs(network, PUBLISHED).chances(label, 3, codes))
            seen.add(group)
            if is_stranger(book.counts(label)):
                assert group is None
        beliefs.follow(from_the_rail(record), book)
        for label in record.players:
            known = book.counts(label)
            assert beliefs.group(label) == (None if is_stranger(known) else nearest(beliefs.centres, known))
        book.observe(record)
        if len(seen) == 3:
            break
    assert seen == {None, 0, 1}
    beliefs.reset()
    assert all(beliefs.group(label) is None for label in played()[0].players)


# Their files


def written(folder: Path, recipe: dict[str, object]) -> tuple[Path, tuple[PlayerGroup, ...]]:
    """A network of all with two groups beside it."""
    groups, path = groups_of_two(), folder / "o.xdsl"
    write_xdsl(path, average_network(PUBLISHED), recipe)
    write_groups(path, groups, recipe)
    return path, groups


def test_groups_are_read_as_they_were_written(tmp_path: Path) -> None:
    path, groups = written(tmp_path, {"made by": "a test"})
    assert group_paths(path) == (tmp_path / "o-1.xdsl", tmp_path / "o-2.xdsl")
    found = read_groups(path, structure(PUBLISHED))
    for one, other in zip(found, groups, strict=True):
        assert (one.centre, one.players, one.rows) == (other.centre, other.players, other.rows)
        assert one.network == other.network
    recipe = read_recipe(tmp_path / "o-2.xdsl")
    assert recipe["made by"] == "a test"
    assert (recipe["group"]["number"], recipe["group"]["of"]) == (2, 2)


def test_files_that_are_no_groups_are_refused(tmp_path: Path) -> None:
    path, groups = written(tmp_path, {"hands": 120})
    first, second = group_paths(path)
    with pytest.raises(GroupError, match=r"o-1\.xdsl: its nodes, states or arcs are not those of o\.xdsl"):
        read_groups(path, structure(Variant(split_call=True)))
    second.unlink()
    with pytest.raises(GroupError, match=r"o-2\.xdsl: no such file; it should contain group 2 of o\.xdsl"):
        read_groups(path, structure(PUBLISHED))
    write_xdsl(path, average_network(PUBLISHED), {"hands": 121})
    with pytest.raises(GroupError, match=r"o-1\.xdsl: the file was not made together with o\.xdsl"):
        read_groups(path, structure(PUBLISHED))
    own: dict[str, object] = {"number": 1, "of": 1, "vpip": 20, "pfr": 10, "aggression": 1}
    for group in (1, {}, own, {**own, "players": 1, "rows": "1"}):
        write_xdsl(first, groups[0].network, {"hands": 121, "group": group})
        with pytest.raises(GroupError, match=r"o-1\.xdsl: the recipe does not give the number of the group"):
            read_groups(path, structure(PUBLISHED))
    own |= {"players": 1, "rows": 5, "vpip": 120}
    write_xdsl(first, groups[0].network, {"hands": 121, "group": own})
    with pytest.raises(GroupError, match=r"o-1\.xdsl: the vpip of a group must be a percentage, not 120"):
        read_groups(path, structure(PUBLISHED))


# The command and the agent


@pytest.fixture(scope="module")
def log(tmp_path_factory: pytest.TempPathFactory) -> Path:
    path = tmp_path_factory.mktemp("groups") / "h.log"
    done = railbird(
        "selfplay", "--game", "limit-4max", "--seats", ",".join(TABLE), "--hands", 80, "--seed", 3, "-o", path
    )
    assert done.code == 0, done.error
    return path


def test_the_command_writes_groups_that_an_agent_reads_opponents_with(log: Path, tmp_path: Path) -> None:
    path = tmp_path / "o.xdsl"
    arguments = ("train-network", log, "--from-players", "flop", "--groups", 2, "-o", path)
    done = railbird(*arguments)
    assert done.code == 0, done.error
    said = done.out.decode().splitlines()
    assert len(said) == 4
    assert said[2].startswith(f"{tmp_path / 'o-1.xdsl'}: ")
    assert " players with VPIP " in said[2]
    agent = make_agent(f"baycarp2:players=groups,network={path}")
    assert isinstance(agent, BayCaRP2)
    assert [each.name for each in agent.files()][1:] == ["o.xdsl", "o-1.xdsl", "o-2.xdsl"]
    agent.begin_match(MatchStart(named_game("limit-4max"), "a", tuple("abcd"), Stream.from_seed(1)))
    beliefs = agent.viewer_.beliefs
    assert isinstance(beliefs, GroupedBeliefs)
    assert [each.vpip for each in beliefs.centres] == [
        read_recipe(each)["group"]["vpip"] for each in group_paths(path)
    ]
    again = railbird(*arguments)
    assert (again.code, again.error) == (
        2,
        f"railbird: {path} exists already: use --force to overwrite it\n",
    )
    path.unlink()
    again = railbird(*arguments)
    assert again.error == f"railbird: {tmp_path / 'o-1.xdsl'} exists already: use --force to overwrite it\n"
    assert not path.exists()


def test_too_many_groups_end_in_one_sentence_and_write_nothing(log: Path, tmp_path: Path) -> None:
    done = railbird("train-network", log, "--groups", 5, "-o", tmp_path / "o.xdsl")
    assert (done.code, done.out) == (2, b"")
    assert done.error == (
        "railbird: 5 groups need as many players of different styles with decisions in at least 20 hands, "
        "but there are 4\n"
    )
    assert not list(tmp_path.iterdir())


def test_an_agent_without_groups_says_where_they_should_be(tmp_path: Path) -> None:
    path = tmp_path / "o.xdsl"
    write_xdsl(path, average_network(PUBLISHED))
    agent = make_agent(f"baycarp2:players=groups,network={path}")
    with pytest.raises(GroupError, match=r"o-1\.xdsl: no such file"):
        agent.verify_game(named_game("limit-4max"))
