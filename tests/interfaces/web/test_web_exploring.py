"""Looking at what agents learnt: the pages get exactly what cases, networks and hands say, and nothing else.

Filters are checked against looking at every case, neighbours against the plain retrieval of `reference.retrieval`,
posteriors against multiplying everything out.
"""

import asyncio
import json
from collections.abc import Iterator, Mapping
from concurrent.futures import ThreadPoolExecutor
from dataclasses import replace
from functools import cache
from inspect import Signature
from pathlib import Path
from threading import Event, Semaphore
from typing import Any, cast

import numpy as np
import pytest
from fastapi import FastAPI, Request, Response
from fastapi.testclient import TestClient
from hypothesis import given, settings
from hypothesis import strategies as st

from bayes_networks import World, worlds
from hand_records import plain_record
from railbird.agent import AgentInfo, Meaning, Parameter, agent_names, agent_of_label
from railbird.agents.baycarp.cases import similarity as baycarps_similarity
from railbird.agents.casper.agent import pack_path
from railbird.agents.casper.cases import similarity as caspers_similarity
from railbird.agents.provenance import provenance
from railbird.agents.shipped import shipped_paths
from railbird.arena.results.career import CareerCollector
from railbird.bayes.inference import posterior
from railbird.bayes.xdsl.files import read_xdsl, write_xdsl
from railbird.cbr.case_base import CaseBase
from railbird.cbr.cycle.retrieve import AtLeastElseNearest, Nearest
from railbird.cbr.packs.bounds import PackBounds
from railbird.cbr.packs.files import Pack, PackError, read_pack, write_pack
from railbird.cbr.schema import Number, Schema, Symbol, Value
from railbird.cbr.similarity import Similarity
from railbird.interfaces.web.explore import agents as exploring_agents
from railbird.interfaces.web.explore import cases as exploring_cases
from railbird.interfaces.web.explore import knowledge
from railbird.interfaces.web.explore import routes as exploring
from railbird.interfaces.web.explore.knowledge import Item, KnowledgeError, Shelf
from railbird.interfaces.web.http import desk
from railbird.interfaces.web.http.replies import answer
from railbird.interfaces.web.web import HttpRefusal, Web
from railbird.store.sources import Source
from railbird.store.store import Store, open_store
from reference import bayes as reference_bayes
from reference import retrieval as reference_retrieval

GARDEN = Schema(
    (
        Number("height", low=0),
        Number("leaves", whole=True),
        Symbol("colour", ("red", "green")),
        Symbol("smell"),
    ),
    ("water", "cut", "wait"),
)
SMELLS = ("none", "sweet", "of rain & / ? \u201cquotes\u201d")


def a_garden(cases: int = 120, *, merged: bool = True) -> CaseBase:
    """Cases of a system that nobody knows, some with several decisions, some without an outcome."""
    draw = np.random.default_rng(3)
    base = CaseBase(GARDEN)
    for _ in range(cases):
        description: dict[str, Value] = {
            "height": float(draw.integers(0, 5)) / 2,
            "leaves": int(draw.integers(0, 3)),
            "colour": ("red", "green")[draw.integers(2)],
            "smell": SMELLS[draw.integers(3)],
        }
        outcome = None if draw.random() < 0.3 else float(draw.integers(-3, 4))
        base.add(description, GARDEN.solutions[draw.integers(3)], outcome, merge=merged)
    return base


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The user's folder, with a pack, a damaged one, and a network."""
    found = tmp_path_factory.mktemp("data")
    (found / "packs").mkdir()
    (found / "networks").mkdir()
    recipe = {"made by": "hand", "sources": [{"name": "secret.log"}]}
    write_pack(Pack("garden", {"spring": a_garden()}, recipe=recipe), found / "packs" / "garden.parquet")
    whole = (found / "packs" / "garden.parquet").read_bytes()
    (found / "packs" / "broken.parquet").write_bytes(whole[:200] + b"x" + whole[201:])
    (found / "packs" / "notes.txt").write_text("no pack")
    write_pack(Pack("casper", {"summer": a_garden()}), found / "packs" / "other.parquet")
    return found


@pytest.fixture(scope="module")
def store(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Store]:
    with open_store(tmp_path_factory.mktemp("store") / "hands.db") as opened:
        yield opened


@pytest.fixture(scope="module")
def client(folder: Path, store: Store) -> Iterator[TestClient]:
    """The routes alone, with the server's way to refuse."""
    app = FastAPI()

    class Shared:
        def __init__(self) -> None:
            self.store = store

        def address(self, _: Request) -> str:
            return "here"

    app.include_router(exploring.router(cast(Web, Shared())))

    @app.exception_handler(HttpRefusal)
    async def refused(_: Request, error: Exception) -> Response:
        assert isinstance(error, HttpRefusal)
        return answer({"error": str(error)}, error.status)

    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(knowledge, "data_folder", lambda: folder)
        with TestClient(app) as opened:
            yield opened


def asked(client: TestClient, path: str, **query: object) -> Any:
    """The answer to a question that is right."""
    texts = {name: each if isinstance(each, str) else json.dumps(each) for name, each in query.items()}
    found = client.get(f"/api/explore/{path}", params=texts)
    assert found.status_code == 200, found.text
    return found.json()


# Packs


def test_packs_that_come_along_stand_beside_those_of_the_user(client: TestClient) -> None:
    found = {each["id"]: each["comes_along"] for each in asked(client, "packs")}
    shipped = {path.stem: True for path in shipped_paths(".parquet")}
    assert {"baycarp", "casper01", "casper02", "sartre", "sartre-3p"} <= set(shipped)
    assert found == shipped | {"own-broken": False, "own-garden": False, "own-other": False}


def test_an_overview_counts_what_the_pack_holds(client: TestClient) -> None:
    pack = read_pack(pack_path("casper01"))
    found = asked(client, "packs/casper01")
    assert found["system"] == pack.system == "casper:look-ahead=1"
    assert [base["name"] for base in found["bases"]] == list(pack.bases)
    for told in found["bases"]:
        base = pack.bases[told["name"]]
        assert told["cases"] == len(base)
        assert {vote["solution"]: vote["count"] for vote in told["votes"]} == dict(
            zip(base.schema.solutions, base.counts.sum(axis=0).tolist(), strict=True)
        )
        assert told["comparable"]
        assert {each["name"]: each["weight"] for each in told["attributes"]} == caspers_similarity(
            told["name"]
        ).weights()
        lows = [each["low"] for each in told["attributes"]]
        assert lows == base.values.min(axis=0).tolist()


def test_symbols_are_told_by_how_often_they_are_there(client: TestClient) -> None:
    (base,) = asked(client, "packs/own-garden")["bases"]
    told = {each["name"]: each for each in base["attributes"]}
    cases = list(a_garden())
    for name in ("colour", "smell"):
        counted = [(-each["cases"], each["value"]) for each in told[name]["values"]]
        assert counted == sorted(counted)
        for minus, value in counted:
            assert -minus == sum(case.description[name] == value for case in cases)


def test_the_names_of_watched_files_are_not_told(client: TestClient) -> None:
    assert "secret" not in client.get("/api/explore/packs/own-garden").text
    assert asked(client, "packs/own-garden")["recipe"] == {"made by": "hand"}
    assert "source" not in asked(client, "packs/casper01/flop/cases/0")["case"]["riders"]


bounds = st.one_of(st.none(), st.sampled_from([-1.0, 0.0, 0.5, 1.0, 1.25, 2.0, 9.0]))


@settings(max_examples=60)
@given(
    height=st.one_of(st.none(), st.tuples(bounds, bounds)),
    leaves=st.one_of(st.none(), st.tuples(bounds, bounds)),
    colour=st.one_of(st.none(), st.lists(st.sampled_from(["red", "green"]), unique=True)),
    smell=st.one_of(st.none(), st.lists(st.sampled_from(SMELLS), unique=True)),
    solutions=st.lists(st.sampled_from(GARDEN.solutions), unique=True),
    first=st.integers(0, 60),
    count=st.integers(1, 100),
)
def test_filters_find_what_looking_at_every_case_finds(
    client: TestClient, solutions: list[str], first: int, count: int, **wanted: Any
) -> None:
    filters = {name: each for name, each in wanted.items() if each is not None}

    def passes(description: Mapping[str, Any], counts: Mapping[str, int]) -> bool:
        for name, each in filters.items():
            value = description[name]
            if name in ("colour", "smell"):
                if value not in each:
                    return False
            elif (each[0] is not None and value < each[0]) or (each[1] is not None and value > each[1]):
                return False
        return not solutions or any(counts[solution] for solution in solutions)

    expected = [case for case in a_garden() if passes(case.description, case.counts)]
    found = asked(
        client,
        "packs/own-garden/spring/cases",
        filters=filters,
        solutions=solutions,
        first=first,
        count=count,
    )
    assert found["count"] == len(expected)
    shown = expected[first : first + count]
    assert [each["number"] for each in found["cases"]] == [case.number for case in shown]
    assert [each["description"] for each in found["cases"]] == [dict(case.description) for case in shown]
    for vote in found["votes"]:
        solution = vote["solution"]
        known = sum(case.known[solution] for case in expected)
        assert vote["count"] == sum(case.counts[solution] for case in expected)
        if known:
            assert vote["mean"] == pytest.approx(sum(case.sums[solution] for case in expected) / known)
        else:
            assert vote["mean"] is None


@cache
def ranked_plainly(pack: str, base: str, number: int) -> reference_retrieval.Ranked:
    """All other cases of a base, the most similar ones to one of them first."""
    cases = read_pack(pack_path(pack)).bases[base]
    others = [each for each in cases if each.number != number]
    return reference_retrieval.rank(others, similarity_of(pack, base), cases.target(number))


def similarity_of(pack: str, base: str) -> Similarity:
    return (baycarps_similarity if pack == "baycarp" else caspers_similarity)(base)


@pytest.mark.parametrize(("pack", "base"), [("casper01", "river"), ("baycarp", "river")])
@pytest.mark.parametrize("least", [None, 0.97, 0.999999])
def test_neighbours_are_those_of_the_plain_retrieval(
    client: TestClient, pack: str, base: str, least: float | None
) -> None:
    cases = read_pack(pack_path(pack)).bases[base]
    similarity = similarity_of(pack, base)
    every = list(cases)
    for number in (0, 777):
        target = cases.target(number)
        ranked = ranked_plainly(pack, base, number)
        policy = Nearest(7) if least is None else AtLeastElseNearest(least, 7)
        expected = reference_retrieval.retrieve(ranked, policy)
        query: dict[str, object] = {"count": 7} | ({} if least is None else {"least": least})
        found = asked(client, f"packs/{pack}/{base}/cases/{number}", **query)
        assert found["case"]["number"] == number
        assert found["found"] == len(expected)
        assert found["met"] == (least is None or expected[0][0] >= least)
        assert [each["number"] for each in found["neighbours"]] == [row for _, row in expected[:7]]
        assert {vote["solution"]: vote["count"] for vote in found["votes"]} == {
            solution: sum(every[row].counts[solution] for _, row in expected)
            for solution in cases.schema.solutions
        }
        weights = found["weights"]
        for each, (how_similar, row) in zip(found["neighbours"], expected[:7], strict=True):
            assert each["similarity"] == how_similar
            assert each["similarities"] == similarity.locals_of(
                target.description, cases.description(row), target.own
            )
            mean = sum(weights[name] * part for name, part in each["similarities"].items())
            assert mean / sum(weights.values()) == pytest.approx(how_similar)


def test_cases_of_unknown_systems_can_be_looked_at_but_not_compared(client: TestClient) -> None:
    for pack, base in (("own-garden", "spring"), ("own-other", "summer")):
        assert not asked(client, f"packs/{pack}")["bases"][0]["comparable"]
        assert asked(client, f"packs/{pack}/{base}/cases")["cases"]
        refused = client.get(f"/api/explore/packs/{pack}/{base}/cases/3")
        assert refused.status_code == 422
        assert "is not known" in refused.json()["error"]


# Networks


@settings(max_examples=25)
@given(world=worlds())
def test_posteriors_are_those_of_the_multiplied_out_joint(
    client: TestClient, folder: Path, world: World
) -> None:
    network = world.network
    write_xdsl(folder / "networks" / "world.xdsl", network)
    structure = network.structure
    codes = [int(world.draw.integers(-1, len(each))) for each in structure.variables]
    evidence = {
        each.name: each.states[code]
        for each, code in zip(structure.variables, codes, strict=True)
        if code >= 0
    }
    question = {"evidence": json.dumps(evidence)}
    found = client.get("/api/explore/networks/own-world/posteriors", params=question)
    if reference_bayes.probability(network, codes) == 0.0:
        assert found.status_code == 422
        assert "impossible" in found.json()["error"]
        return
    assert found.status_code == 200
    for each in structure.variables:
        expected = reference_bayes.posterior(network, codes, each.name)
        assert found.json()[each.name] == pytest.approx(expected, abs=1e-12)


def test_posteriors_of_baycarps_network_are_those_of_inference(client: TestClient) -> None:
    network = read_xdsl(knowledge.item(knowledge.NETWORKS, "baycarp").path)
    for evidence in ({}, {"Action": "Raise", "Board": "JLow", "ActionFlop": "Check"}):
        found = asked(client, "networks/baycarp/posteriors", evidence=evidence)
        expected = posterior(network, evidence)
        assert found == {name: numbers.tolist() for name, numbers in expected.items()}


def test_boxes_do_not_touch_and_arcs_run_from_parents_to_children(client: TestClient) -> None:
    found = asked(client, "networks/baycarp")
    structure = read_xdsl(knowledge.item(knowledge.NETWORKS, "baycarp").path).structure
    boxes = {each["name"]: each for each in found["variables"]}
    assert {name: tuple(box["parents"]) for name, box in boxes.items()} == dict(structure.parents)
    assert {name: tuple(state["name"] for state in box["states"]) for name, box in boxes.items()} == {
        each.name: each.states for each in structure.variables
    }
    assert boxes["Board"]["title"] == "flop"
    assert {"name": "LowPair", "title": "low pair"} in boxes["Board"]["states"]
    every = list(boxes.values())
    for place, one in enumerate(every):
        assert one["left"] >= 0
        assert one["left"] + one["width"] <= found["width"] + 1e-9
        assert one["top"] + one["height"] <= found["height"] + 1e-9
        for other in every[place + 1 :]:
            beside = (
                one["left"] + one["width"] <= other["left"] or other["left"] + other["width"] <= one["left"]
            )
            apart = one["top"] + one["height"] <= other["top"] or other["top"] + other["height"] <= one["top"]
            assert beside or apart, (one["name"], other["name"])
    arcs = {(arc["parent"], arc["child"]): arc["points"] for arc in found["arcs"]}
    assert set(arcs) == {
        (parent, child) for child, parents in structure.parents.items() for parent in parents
    }
    for (parent, child), points in arcs.items():
        assert len(points) % 2 == 0
        start, end = boxes[parent], boxes[child]
        assert points[0][0] == start["left"] + start["width"]
        assert start["top"] < points[0][1] < start["top"] + start["height"]
        assert points[-1][0] == end["left"]
        assert end["top"] < points[-1][1] < end["top"] + end["height"]


# Agents


def test_every_agent_is_told_with_its_parameters(client: TestClient) -> None:
    agents = {each["name"]: each for each in asked(client, "agents")}
    assert set(agents) == set(agent_names())
    assert {each["name"]: each["default"] for each in agents["casper02"]["parameters"]}["threshold"] == "0.97"
    assert all(each["summary"] for each in agents.values())


def test_a_parameter_without_a_usual_value_must_be_given(monkeypatch: pytest.MonkeyPatch) -> None:
    parameters = (
        Parameter("url", "str", Signature.empty),
        Parameter("patience", "float", 2.5, Meaning("Seconds to wait.", "loki-1999")),
        Parameter("models", "bool", True),
    )
    told = AgentInfo("random", "Random", "Asks somebody else.", (), parameters)
    monkeypatch.setattr(exploring_agents, "agent_info", lambda _: told)
    assert exploring_agents.about("random")["parameters"] == [
        {"name": "url", "kind": "text", "needed": True, "default": "", "meaning": "", "source": ""},
        {
            "name": "patience",
            "kind": "number",
            "needed": False,
            "default": "2.5",
            "meaning": "Seconds to wait.",
            "source": "loki-1999",
        },
        {
            "name": "models",
            "kind": "yes or no",
            "needed": False,
            "default": "yes",
            "meaning": "",
            "source": "",
        },
    ]


def test_an_agents_career_is_counted_from_the_hands_of_the_store(client: TestClient, store: Store) -> None:
    renamed = [replace(plain_record(seed), players=("random 1", "random 2")) for seed in range(40)]
    assert asked(client, "agents/random")["careers"] == []
    assert asked(client, "agents/random")["knowledge"] == []
    assert "; ".join(asked(client, "agents/casper-online")["knowledge"]) == provenance("casper-online")
    store.add_hands(renamed, Source("a test", "0" * 64))
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr("railbird.interfaces.web.explore.agents._FRESH_S", -1.0)
        careers = {each["player"]: each for each in asked(client, "agents/random")["careers"]}
        assert {each["name"]: each["hands"] for each in asked(client, "agents")}["random"] == 80
    assert set(careers) == {"random 1", "random 2"}
    for player, told in careers.items():
        collector = CareerCollector(player)
        for record in renamed:
            collector.add(record)
        assert told["hands"] == 40
        expected = json.loads(json.dumps(collector.careers()[player].to_json()))
        assert [rate.pop("unit") for rate in expected["rates"]] == ["sb/h"]
        assert [rate.pop("unit") for rate in told["counted"]["rates"]] == ["small bets per hand"]
        assert told["counted"] == expected


@pytest.mark.parametrize(
    ("player", "agent"),
    [
        ("random", "random"),
        ("random 2", "random"),
        ("pokibot:profile=loose-passive 12", "pokibot"),
        ("simbot:trials=5", "simbot"),
        ("Random 2", "random"),
        ("Loose-passive Pokibot 12", "pokibot"),
        ("Tight-passive Simbot (5 trials)", "simbot"),
        ("Sartre 2009", "sartre-2009"),
        ("Sartre 2009 3", "sartre-2009"),
        ("Alice", None),
        ("Good Simbot", None),
    ],
)
def test_a_players_name_says_which_agent_it_is(player: str, agent: str | None) -> None:
    assert agent_of_label(player) == agent


# Whatever is wrong


WRONG = [
    ("packs/nobody", {}, 404, "no pack is called 'nobody'"),
    ("packs/..%2f..%2fetc%2fpasswd", {}, 404, ""),
    ("packs/..", {}, 404, ""),
    ("packs/%2fetc%2fpasswd", {}, 404, ""),
    ("packs/own-..%2fgarden", {}, 404, ""),
    ("packs/garden", {}, 404, "did you mean 'own-garden'"),
    ("packs/own-broken", {}, 404, "broken: is"),
    ("packs/casper01/attic", {}, 404, ""),
    ("packs/casper01/attic/cases", {}, 404, "no base is called 'attic'"),
    ("packs/casper01/flop/cases", {"count": "101"}, 422, "count must be a whole number from 1 to 100"),
    ("packs/casper01/flop/cases", {"count": "0"}, 422, "count must be"),
    ("packs/casper01/flop/cases", {"first": "-1"}, 422, "first must be"),
    ("packs/casper01/flop/cases", {"first": "1e3"}, 422, "first must be"),
    ("packs/casper01/flop/cases", {"first": "٣"}, 422, "first must be"),
    ("packs/casper01/flop/cases", {"first": "9" * 500}, 422, "first must be"),
    ("packs/casper01/flop/cases", {"filters": "{"}, 422, "filters is not valid"),
    ("packs/casper01/flop/cases", {"filters": "[1]"}, 422, "filters is not valid"),
    ("packs/casper01/flop/cases", {"filters": '{"luck": [0, 1]}'}, 422, "no attribute is called 'luck'"),
    ("packs/casper01/flop/cases", {"filters": '{"pot odds": [0]}'}, 422, "the lowest and the highest"),
    ("packs/casper01/flop/cases", {"filters": '{"pot odds": ["a", 1]}'}, 422, "the lowest and the highest"),
    ("packs/casper01/flop/cases", {"filters": '{"pot odds": [NaN, 1]}'}, 422, "filters is not valid"),
    ("packs/own-garden/spring/cases", {"filters": '{"colour": ["blue"]}'}, 422, "value of colour"),
    ("packs/own-garden/spring/cases", {"filters": '{"colour": [1]}'}, 422, "value of colour"),
    ("packs/casper01/flop/cases", {"solutions": '["pray"]'}, 422, "no solution is called 'pray'"),
    ("packs/casper01/flop/cases", {"solutions": json.dumps(["fold"] * 1100)}, 422, "may have at most 8,192 bytes"),
    ("packs/casper01/flop/cases", {"filters": "[" * 4000}, 422, "filters is not valid"),
    ("packs/casper01/flop/cases/99999999", {}, 404, "has no case 99999999"),
    ("packs/casper01/flop/cases/-1", {}, 404, "has no case -1"),
    ("packs/casper01/flop/cases/x", {}, 404, "has no case x"),
    ("packs/casper01/flop/cases/1" + "0" * 300, {}, 404, "has no case"),
    ("packs/casper01/flop/cases/0", {"least": "1.1"}, 422, "least must be a number between 0 and 1"),
    ("packs/casper01/flop/cases/0", {"least": "nan"}, 422, "least must be a number between 0 and 1"),
    ("packs/casper01/flop/cases/0", {"count": "1000"}, 422, "count must be"),
    ("networks/nobody", {}, 404, "no network is called 'nobody'"),
    ("networks/..%2fbaycarp", {}, 404, ""),
    ("networks/nobody/posteriors", {}, 404, "no network is called 'nobody'"),
    ("networks/baycarp/posteriors", {"evidence": '{"Moon": "full"}'}, 422, "no variable is called 'Moon'"),
    ("networks/baycarp/posteriors", {"evidence": '{"Action": "Pray"}'}, 422, "Action: no state is called"),
    ("networks/baycarp/posteriors", {"evidence": '{"Action": 3}'}, 422, "evidence is not valid"),
    ("networks/baycarp/posteriors", {"evidence": '["Action"]'}, 422, "evidence is not valid"),
    ("agents/nobody", {}, 404, "no agent is called 'nobody'"),
    ("agents/bot.py:Bot", {}, 404, "no agent is called"),
]  # fmt: skip


@pytest.mark.parametrize(("path", "query", "status", "words"), WRONG)
def test_what_is_wrong_is_answered_with_one_sentence(
    client: TestClient, folder: Path, path: str, query: dict[str, str], status: int, words: str
) -> None:
    found = client.get(f"/api/explore/{path}", params=query)
    assert found.status_code == status, found.text
    if words:
        assert set(found.json()) == {"error"}
        sentence = found.json()["error"]
        assert words in sentence
        assert "\n" not in sentence
    assert str(folder) not in found.text
    assert str(pack_path("casper01").parent) not in found.text


# How much is done at once


def test_who_asks_when_too_many_wait_is_sent_away(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(desk, "MOST_WAITING", 3)
    going_on = Event()
    begun: list[int] = []
    busy = Semaphore(desk.THREADS)

    def slowly() -> Response:
        assert busy.acquire(blocking=False), "more than two at a time"
        begun.append(1)
        going_on.wait(20)
        busy.release()
        return answer({})

    async def ask_many() -> list[Response | BaseException]:
        asked = desk.Desk("test")
        asking = [asyncio.create_task(asked.find(f"address {place}", slowly)) for place in range(7)]
        async with asyncio.timeout(20):
            while len(begun) < desk.THREADS:
                await asyncio.sleep(0.005)
        going_on.set()
        done = await asyncio.gather(*asking, return_exceptions=True)
        async with asked.lifespan(None):
            assert isinstance(await asked.find("here", slowly), Response)
        with pytest.raises(RuntimeError, match="shutdown"):
            await asked.find("here", slowly)
        return done

    done = asyncio.run(ask_many())
    refused = [each for each in done if isinstance(each, HttpRefusal)]
    assert [each.status for each in refused] == [503, 503]
    assert sum(isinstance(each, Response) for each in done) == 5


# What is kept


def test_a_file_is_read_once_however_many_ask_and_again_when_it_changed(tmp_path: Path) -> None:
    read: list[Path] = []

    def reading(path: Path) -> str:
        read.append(path)
        return path.read_text()

    def item_of(name: str) -> Item:
        return Item(name, name, False, tmp_path / name, 1)

    shelf = Shelf(reading, 2)
    for name in "abc":
        (tmp_path / name).write_text(name)
    with ThreadPoolExecutor(8) as pool:
        assert list(pool.map(lambda _: shelf.get(item_of("a")), range(40))) == ["a"] * 40
    assert len(read) == 1
    shelf.get(item_of("b"))
    shelf.get(item_of("a"))
    shelf.get(item_of("c"))
    assert [path.name for path in read] == ["a", "b", "c"]
    shelf.get(item_of("a"))
    assert len(read) == 3, "what was asked for last is kept"
    shelf.get(item_of("b"))
    assert len(read) == 4, "no more than two are kept"
    (tmp_path / "b").write_text("something else")
    assert shelf.get(item_of("b")) == "something else"


def test_explored_packs_keep_to_the_bounds_of_small_files(
    folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(exploring_cases, "LEAST", PackBounds(cells=5, unpacked=1000))
    with pytest.raises(PackError, match="more than 5 values in all"):
        exploring_cases.ExploredPack(folder / "packs" / "garden.parquet")


def test_a_large_file_is_refused(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(knowledge, "data_folder", lambda: folder)
    monkeypatch.setattr(knowledge, "_MOST_BYTES", 100)
    with pytest.raises(KnowledgeError, match="too much to explore"):
        knowledge.item(knowledge.PACKS, "own-garden")
