"""The routes below `/api/explore/`, all GET, all JSON; errors are answered with a sentence.

    packs                     [{id, title, comes_along, size}]
    packs/ID                  the same with {system, recipe, bases}
    packs/ID/BASE/cases       {count, first, cases, votes}      ?filters=JSON&solutions=JSON&first=0&count=25
    packs/ID/BASE/cases/7     {case, weights, found, met, votes, neighbours}              ?count=10&least=0.97
    networks                  [{id, title, comes_along, size}]
    networks/ID               the same with {recipe, probabilities, width, height, variables, arcs}
    networks/ID/posteriors    the probabilities of the states by variable                       ?evidence=JSON
    agents                    [{name, title, summary, papers, parameters, hands}]
    agents/NAME               the same with {knowledge, careers: [{player, hands, counted}]}

A base is `{name, cases, votes, attributes, riders, comparable}`, an attribute `{name, kind: "number", whole, low, high,
weight}` or `{name, kind: "symbol", values: [{value, cases}], weight}`. Filters are, by attribute, `[low, high]` with
null for no bound, or a list of symbols. A case is `{number, description, taken, riders}`; a neighbour also has its
`similarity` and the `similarities` by attribute. Votes are `[{solution, count, mean}]`. Evidence is a state by
variable.

The modules that read packs and networks are imported on the first request, so that the server starts sooner.
"""

from collections.abc import Callable
from functools import partial
from typing import Any, TypeAlias, TypeVar

from fastapi import APIRouter, Request, Response

from railbird.agent import agent_names
from railbird.interfaces.web.explore.agents import AgentCareers, about, knowledge
from railbird.interfaces.web.explore.knowledge import NETWORKS, PACKS, item, items
from railbird.interfaces.web.http.asked import document, not_found, share, whole_number, wrong
from railbird.interfaces.web.http.desk import Desk
from railbird.interfaces.web.http.replies import answer
from railbird.interfaces.web.web import Web

MOST_SHOWN = 100
"""Maximum number of cases or neighbours in a response."""
_MOST_CASES = 10**9
_LONGEST_NUMBER = 12
_USUAL_PAGE, _USUAL_NEIGHBOURS = 25, 10

Filters = dict[str, list[float | str | None]]
Handler: TypeAlias = Callable[[Request], Response]
Answered = TypeVar("Answered")


class _Routes:
    """Routes whose handlers are plain functions of a request."""

    def __init__(self, web: Web) -> None:
        self._web = web
        self.desk = Desk("exploring")
        self.router = APIRouter(prefix="/api/explore", lifespan=self.desk.lifespan)

    def get(self, path: str) -> Callable[[Handler], Handler]:
        """Answer GET requests for a path."""

        def register(handler: Handler) -> Handler:
            async def serve(request: Request) -> Response:
                return await self.desk.find(self._web.address(request), partial(handler, request))

            self.router.add_api_route(path, serve, methods=["GET"])
            return handler

        return register


def router(web: Web) -> APIRouter:
    """The routes."""
    routes = _Routes(web)
    _add_packs(routes)
    _add_networks(routes)
    _add_agents(routes, AgentCareers(web.store))
    return routes.router


def _add_packs(routes: _Routes) -> None:
    @routes.get("/packs")
    def packs(_: Request) -> Response:
        return answer(_listed(PACKS))

    @routes.get("/packs/{pack}")
    def pack_overview(request: Request) -> Response:
        from railbird.interfaces.web.explore.cases import explored, overview

        pack = request.path_params["pack"]
        found = _named(lambda: explored(pack))
        return answer(overview(item(PACKS, pack), found))

    @routes.get("/packs/{pack}/{base}/cases")
    def cases(request: Request) -> Response:
        from railbird.interfaces.web.explore.cases import explored, page

        pack, base = (request.path_params[name] for name in ("pack", "base"))
        filters = document(request, "filters", Filters, {})
        solutions = document(request, "solutions", list[str], [])
        first = whole_number(request, "first", 0, 0, _MOST_CASES)
        count = whole_number(request, "count", _USUAL_PAGE, 1, MOST_SHOWN)
        found = _named(lambda: explored(pack).base(base))
        return answer(_asked(lambda: page(found, filters, solutions, first, count)))

    @routes.get("/packs/{pack}/{base}/cases/{number}")
    def case(request: Request) -> Response:
        from railbird.interfaces.web.explore.cases import explored, neighbours

        pack, base, number = (request.path_params[name] for name in ("pack", "base", "number"))
        count = whole_number(request, "count", _USUAL_NEIGHBOURS, 1, MOST_SHOWN)
        least = share(request, "least")
        found = _named(lambda: explored(pack).base(base))
        known = number.isascii() and number.isdigit() and len(number) <= _LONGEST_NUMBER
        if not known or int(number) >= len(found.cases):
            raise not_found(
                f"{base} of {pack} has no case {number[:_LONGEST_NUMBER]}: cases are 0..{len(found.cases) - 1}"
            )
        return answer(_asked(lambda: neighbours(found, int(number), count, least)))


def _add_networks(routes: _Routes) -> None:
    @routes.get("/networks")
    def networks(_: Request) -> Response:
        return answer(_listed(NETWORKS))

    @routes.get("/networks/{network}")
    def network_picture(request: Request) -> Response:
        from railbird.interfaces.web.explore.networks import picture

        network = request.path_params["network"]
        return answer(_named(lambda: picture(network)))

    @routes.get("/networks/{network}/posteriors")
    def network_posteriors(request: Request) -> Response:
        from railbird.interfaces.web.explore.networks import posteriors

        network = request.path_params["network"]
        evidence = document(request, "evidence", dict[str, str], {})
        _named(lambda: item(NETWORKS, network))
        return answer(_asked(lambda: posteriors(network, evidence)))


def _add_agents(routes: _Routes, careers: AgentCareers) -> None:
    @routes.get("/agents")
    def agents(_: Request) -> Response:
        hands = careers.hands()
        return answer([{**about(name), "hands": hands.get(name, 0)} for name in agent_names()])

    @routes.get("/agents/{name}")
    def agent(request: Request) -> Response:
        name = request.path_params["name"]
        found = _named(lambda: about(name))
        return answer({**found, "knowledge": knowledge(name), "careers": careers.of(name)})


def _listed(kind: str) -> list[dict[str, Any]]:
    return [
        {"id": each.id, "title": each.title, "comes_along": each.comes_along, "size": each.size}
        for each in items(kind).values()
    ]


def _named(find: Callable[[], Answered]) -> Answered:
    """Look something up by name; errors become 404."""
    try:
        return find()
    except ValueError as error:
        raise not_found(error) from None


def _asked(find: Callable[[], Answered]) -> Answered:
    """Compute an answer; errors become 422."""
    try:
        return find()
    except ValueError as error:
        raise wrong(error) from None
