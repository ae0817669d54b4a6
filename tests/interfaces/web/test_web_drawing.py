"""Reasons, session pages and replays as a browser draws them; the pages ask a store, but no server runs."""

import json
import re
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any
from urllib.parse import urlsplit

import pytest
from fastapi.testclient import TestClient
from playwright.sync_api import Browser, Locator, Page, Route, expect

from browsing import PHONE, WIDE, grave_faults, visit
from railbird.engine.record import HandRecord
from railbird.interfaces.web.app import STATIC
from railbird.interfaces.web.http.safety import HEADERS
from railbird.interfaces.web.study import review_routes
from railbird.interfaces.web.study.session_results import finished_hands, summary
from railbird.interfaces.web.table.ending import stages_before_result
from railbird.notation.rooms.pokerstars import read_pokerstars
from railbird.store.sessions import StoredSessions
from railbird.store.store import open_store
from served_sessions import FakeThinkers, served
from web_evenings import TIME, Evening, play_evening
from written_numbers import WRITTEN

ADDRESS = "http://127.0.0.1"
ELSEWHERE = "#/replay/evening/2"
KINDS = {".js": "text/javascript", ".css": "text/css", ".svg": "image/svg+xml", ".html": "text/html"}
POLICY = {name.decode(): value.decode() for name, value in HEADERS}
LOOKS = [pytest.param(WIDE, "light", id="wide"), pytest.param(PHONE, "dark", id="phone")]
WEIGHTS = [(13 * row + column) / 168 for row in range(13) for column in range(13)]

REASONS: dict[str, Any] = {
    "name": "somebody new",
    "action": "raises to 20",
    "chance": 0.75,
    "cards": ["Ah", "Td"],
    "board": ["2c", "3d", "4h"],
    "strategy": [{"action": "call 10", "chance": 0.25}, {"action": "raise to 20", "chance": 0.75}],
    "explanation": {
        "summary": "<b>Raising</b> wins & wins.",
        "facts": {
            "pot odds": 0.123456,
            "simulated hands": 5000,
            "stopped because": "time is up",
            "holds": "AhTd",
        },
        "units": {"pot odds": "share", "simulated hands": "count"},
        "sections": [
            {
                "kind": "bars",
                "title": "expected value",
                "unit": "chips",
                "bars": [
                    {"label": "fold", "value": 0, "error": None},
                    {"label": "call", "value": -2, "error": 1},
                    {"label": "raise", "value": 3, "error": 2},
                ],
            },
            {
                "kind": "table",
                "title": "cases",
                "columns": ["case", "similarity", "players", "weight", "the expert"],
                "rows": [[12, 1, 1, 5, "raised"], [7, 0.5, 0, 80, "called"]],
                "units": ["", "share", "", "", ""],
            },
            {
                "kind": "table",
                "title": "a wide table",
                "columns": [f"raise to {amount}" for amount in range(1000, 13000, 1000)],
                "rows": [[0.1] * 12],
                "units": ["share"] * 12,
            },
            {
                "kind": "range",
                "title": "what it would raise",
                "weights": WEIGHTS,
                "combos": [3, *[4] * 168],
                "measure": "how often it raises",
            },
            {
                "kind": "belief",
                "label": "Ann",
                "grid": {"kind": "range", "title": "her range", "weights": [0.0] * 168 + [0.5]},
                "bars": [
                    {
                        "kind": "bars",
                        "title": "hand groups",
                        "unit": "share",
                        "bars": [{"label": "group 1", "value": 0.5, "error": None}],
                    }
                ],
                "summary": "Ann most likely holds a hand of group 1.",
            },
        ],
    },
}


@pytest.fixture(scope="module")
def stored(tmp_path_factory: pytest.TempPathFactory) -> Iterator[StoredSessions]:
    with open_store(tmp_path_factory.mktemp("drawing") / "sessions.db") as store:
        yield StoredSessions(store)


@pytest.fixture(scope="module")
def evening(stored: StoredSessions) -> Evening:
    return play_evening(stored, "evening", hands=60)


@pytest.fixture(scope="module")
def client(stored: StoredSessions, evening: Evening) -> Iterator[TestClient]:
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(review_routes, "strongest_agent", lambda _: "equilibrium")
        with TestClient(served(stored, FakeThinkers()), headers={"player": "ann"}) as opened:
            yield opened


class Pages:
    """Pages under the server's own policy, one for each size: tests go from place to place on it.

    Tests that change more than what is drawn, such as the clock, take a page of their own.
    """

    def __init__(self, browser: Browser, client: TestClient) -> None:
        self._browser, self._client = browser, client
        self._open: dict[tuple[int, int], tuple[Page, list[str]]] = {}

    @contextmanager
    def drawn(self, place: str, size: tuple[int, int] = WIDE, *, own: bool = False) -> Iterator[Page]:
        """A place as it is drawn; at the end nothing may have been written to the console."""
        if own or size not in self._open:
            page, told = self._load(place, size)
        else:
            page, told = self._open.pop(size)
            page.evaluate("document.documentElement.dataset.theme = 'light'")
            if page.evaluate("location.hash") == place:
                visit(page, ELSEWHERE)
            visit(page, place)
        yield page
        assert told == []
        if own:
            page.context.close()
        else:
            self._open[size] = page, told

    def _load(self, place: str, size: tuple[int, int]) -> tuple[Page, list[str]]:
        context = self._browser.new_context(
            viewport={"width": size[0], "height": size[1]}, reduced_motion="reduce"
        )
        page = context.new_page()
        told: list[str] = []
        page.on("console", lambda message: told.append(f"{message.type}: {message.text}"))
        page.on("pageerror", lambda error: told.append(f"exception: {error}"))
        page.route("**/*", lambda route: _answer(route, self._client))
        page.goto(f"{ADDRESS}/{place}")
        expect(page.locator("h1").first).to_be_visible()
        return page, told


@pytest.fixture(scope="module")
def pages(browser: Browser, client: TestClient) -> Pages:
    return Pages(browser, client)


def _answer(route: Route, client: TestClient) -> None:
    asked = urlsplit(route.request.url)
    canned = {
        "/api/agents": AGENTS,
        "/api/preparation": {"percent": None},
        "/api/sessions/evening": SESSION,
    }
    if asked.path in canned:
        route.fulfill(body=json.dumps(canned[asked.path]), content_type="application/json", headers=POLICY)
    elif asked.path.startswith("/api/"):
        path = f"{asked.path}?{asked.query}"
        body = route.request.post_data_json if route.request.method == "POST" else None
        reply = client.request(route.request.method, path, json=body)
        route.fulfill(
            status=reply.status_code, body=reply.content, content_type="application/json", headers=POLICY
        )
    else:
        file = STATIC / (asked.path.removeprefix("/static/").strip("/") or "index.html")
        route.fulfill(body=file.read_bytes(), content_type=KINDS[file.suffix], headers=POLICY)


AGENTS = {
    "agents": [
        {"name": name, "title": name, "summary": "", "papers": [], "parameters": [], "plays": plays}
        for name, plays in {
            "always-call": ["limit-2p", "limit-3p", "limit-6max", "nolimit-2p"],
            "heads-upper": ["limit-2p"],
            "jagbot": ["limit-3p"],
            "equilibrium": ["limit-3p"],
            "patience": ["limit-3p"],
        }.items()
    ],
    "ratings": {"rated": {}, "games": {}, "meanings": {}},
}
SMALL_BETS = {"name": "small bet", "chips": 10, "big_blind": 10, "money": True}
SESSION = {
    "id": "evening",
    "title": "limit-3p, against always-call, random",
    "game": "limit-3p",
    "opponents": ["always-call", "random"],
    "started": TIME,
    "hands": 60,
    "net": 0,
    "unit": SMALL_BETS,
    "training": False,
    "watching": False,
    "finished": True,
}


# Names

NAMES = {
    "You": "",
    "Tight-aggressive Pokibot 1": "pokibot:profile=tight-aggressive",
    "Tight-aggressive Pokibot 2": "pokibot:profile=tight-aggressive",
    "Loose-passive Pokibot": "pokibot:profile=loose-passive",
    "CASPER General": "casper-general",
    "Simbot (50 trials)": "simbot:trials=50",
    "SartreNL 2010": "sartre-nl-2010",
    "Bartholomäus von Kesten": "",
    "Equilibrium": "equilibrium",
    "Loose-passive Pokibot (no models, mix 0.5)": "pokibot:profile=loose-passive,models=no,mix=0.5",
}


def ten_players() -> dict[str, Any]:
    """A table at a showdown, as `drawTable` takes it."""
    chairs = [
        {
            "chair": chair,
            "name": name,
            "agent": agent,
            "you": chair == 0,
            "state": "playing",
            "cards": ["Ah", "Kd"],
            "best": [],
            "bet": 0,
            "stack": 19_980,
            "position": "UTG+2",
            "last": "",
            "made": "a full house, queens full of tens",
            "won": 40 if chair else -360,
        }
        for chair, (name, agent) in enumerate(NAMES.items())
    ]
    return {"phase": "over", "hand": 1, "round": "river", "step": 9, "board": [], "pot": 0, "pots": []} | {
        "chairs": chairs,
        "button": 0,
        "to_act": None,
    }


COVERED = """() => {
    const boxes = (chosen) =>
        [...document.querySelectorAll(chosen)].map((each) => [each, each.getBoundingClientRect()]);
    return boxes(".made").flatMap(([made, tab]) => boxes(".plate .front")
        .filter(([name, box]) => !made.closest(".plate").contains(name) && tab.bottom > box.top + 1 &&
            tab.top < box.bottom && tab.right > box.left && tab.left < box.right)
        .map(([name]) => name.textContent));
}"""


@pytest.mark.parametrize("size", [PHONE, (1024, 768)], ids=str)
def test_names_of_ten_players_are_readable(pages: Pages, size: tuple[int, int]) -> None:
    """The longest one is cut; it and words that were shortened are told in full to whoever asks."""
    with pages.drawn("#/replay/evening/1", size) as page:
        cut = page.evaluate(
            """async (view) => {
                const { drawTable } = await import("/static/table/table.js");
                document.querySelector(".table").replaceWith(drawTable(view));
                const short = ({ scrollHeight, clientHeight, scrollWidth, clientWidth }) =>
                    scrollHeight > clientHeight + 1 || scrollWidth > clientWidth;
                return [...document.querySelectorAll(".plate :is(.front, .chips-behind, .result)")]
                    .filter(short).map((line) => line.textContent);
            }""",
            ten_players(),
        )
        assert cut == ["Loose-passive Pokibot (no models, mix 0.5)"]
        assert page.evaluate(COVERED) == []
        for name in ("Tight-aggressive Pokibot 2", "Loose-passive Pokibot (no models, mix 0.5)"):
            page.locator(".plate .named", has_text=name).focus()
            expect(page.locator(".tip")).to_have_text(f"{name} ({NAMES[name]})")
        page.locator(".plate .named", has_text="SartreNL 2010").focus()
        expect(page.locator(".tip")).to_have_text("sartre-nl-2010")


def test_lists_of_bots_tell_the_spec_of_the_choice(pages: Pages) -> None:
    with pages.drawn("#/session/evening") as page:
        choice, tip = page.locator("#reviewer"), page.locator(".tip")
        expect(choice).to_have_value("equilibrium")
        expect(choice).to_have_attribute("title", "equilibrium")
        expect(tip).to_be_hidden()
        choice.focus()
        expect(tip).to_have_text("equilibrium")
        choice.select_option("jagbot")
        expect(tip).to_have_text("jagbot")
        expect(choice).to_have_attribute("title", "jagbot")
        page.locator("#duplicate-agent").focus()
        expect(tip).not_to_have_text("jagbot")


# Reasons


@contextmanager
def reasons_drawn(pages: Pages, size: tuple[int, int] = WIDE) -> Iterator[tuple[Page, Locator]]:
    with pages.drawn("#/replay/evening/1", size) as page:
        page.evaluate(
            """async (reasons) => {
                const { drawReasons } = await import("/static/reasons/why.js");
                document.querySelector(".replay-why > div").replaceChildren(drawReasons(reasons));
            }""",
            REASONS,
        )
        yield page, page.locator(".why")


def section(why: Locator, title: str) -> Locator:
    heading = why.page.get_by_role("heading", name=title)
    return why.locator(".why-section").filter(has=heading)


def edges(locator: Locator) -> tuple[float, float]:
    """From where to where something reaches."""
    box = locator.bounding_box()
    assert box is not None
    return box["x"], box["x"] + box["width"]


def test_what_agents_say_is_text_never_markup(pages: Pages) -> None:
    with reasons_drawn(pages) as (_page, why):
        assert why.locator(".why-title").inner_text() == "somebody new raises to 20"
        assert why.locator(".why-summary").inner_text() == "<b>Raising</b> wins & wins."
        assert why.locator(".why-facts").first.inner_text().split("\n") == [
            "pot odds",
            "12 %",
            "simulated hands",
            "5,000",
            "stopped because",
            "time is up",
            "holds",
            "A",
            "10",
        ]
        hand = why.locator(".why-hand").get_by_role("img")
        names = [card.get_attribute("aria-label") for card in hand.all()]
        assert names == [
            "ace of hearts",
            "ten of diamonds",
            "two of clubs",
            "three of diamonds",
            "four of hearts",
        ]


def test_the_browser_writes_numbers_as_the_terminal_does_and_messages_as_sentences(pages: Pages) -> None:
    with pages.drawn("#/session/evening") as page:
        written = page.evaluate(
            """async (values) => {
                const { formatValue } = await import("/static/words/numbers.js");
                return values.map(([value, unit]) => formatValue(value, unit));
            }""",
            [[value, unit] for value, unit, _ in WRITTEN],
        )
        said = page.evaluate(
            """async (messages) => {
                const { sentence, unbroken } = await import("/static/words/sentences.js");
                return [...messages.map(sentence), unbroken("It wins 62 % of the time.")];
            }""",
            ["it is not your turn", "Stopped.", "trials=0 is not a number", "limit-2p needs 1 bot", ""],
        )
    assert written == [text for _, _, text in WRITTEN]
    assert said == [
        "It is not your turn.",
        "Stopped.",
        "trials=0 is not a number.",
        "limit-2p needs 1 bot.",
        "",
        "It wins 62\N{NO-BREAK SPACE}% of the time.",
    ]


def test_bars_grow_from_a_common_zero_and_whiskers_reach_a_standard_error(pages: Pages) -> None:
    with reasons_drawn(pages) as (_page, why):
        bars = section(why, "expected value")
        assert bars.locator(".bar-value").all_inner_texts() == ["0 chips", "−2 ± 1 chips", "3 ± 2 chips"]
        left, right = edges(bars.locator(".bar-track").first)
        chip = (right - left) / 8  # from −3 to 5
        zero = left + 3 * chip
        call, to_raise = bars.locator(".bar-fill").nth(1), bars.locator(".bar-fill").nth(2)
        assert edges(call) == pytest.approx((zero - 2 * chip, zero), abs=1)
        assert edges(to_raise) == pytest.approx((zero, zero + 3 * chip), abs=1)
        whiskers = bars.locator(".bar-whisker")
        assert whiskers.count() == 2
        assert edges(whiskers.nth(0)) == pytest.approx((zero - 3 * chip, zero - chip), abs=1)
        assert edges(whiskers.nth(1)) == pytest.approx((zero + chip, zero + 5 * chip), abs=1)


def test_a_strategy_fills_its_bars_up_to_certainty(pages: Pages) -> None:
    with reasons_drawn(pages) as (_page, why):
        strategy = section(why, "strategy")
        assert strategy.locator(".bar-value").all_inner_texts() == ["25 %", "75 %"]
        expect(strategy).to_contain_text("The action was drawn at random: it had a chance of 75 %.")
        left, right = edges(strategy.locator(".bar-track").last)
        start, end = edges(strategy.locator(".bar-fill").last)
        assert (end - start) / (right - left) == pytest.approx(0.75, abs=0.01)


def test_only_similarities_have_bars_behind_them(pages: Pages) -> None:
    with reasons_drawn(pages) as (_page, why):
        table = section(why, "cases").get_by_role("table")
        assert table.locator("td.share").all_inner_texts() == ["100 %", "50 %"]
        assert table.get_by_role("columnheader").all_inner_texts() == [
            "case",
            "similarity",
            "players",
            "weight",
            "the expert",
        ]
        assert table.get_by_role("rowheader").all_inner_texts() == ["12", "7"]


def test_the_range_grid_shows_hands_and_tells_their_numbers(pages: Pages) -> None:
    """By pointer, keyboard and touch, per combo and per cell."""
    with reasons_drawn(pages) as (page, why):
        box = section(why, "what it would raise")
        grid, told = box.get_by_role("grid"), box.get_by_role("status")
        cells = grid.get_by_role("gridcell")
        assert cells.count() == 169
        shown = [cells.nth(place).inner_text() for place in (0, 1, 13, 168)]
        assert shown == ["AA", "AKs", "AKo", "22"]
        assert cells.nth(13).get_attribute("aria-label") == "AKo, 7.7 %"
        expect(box.locator(".range-scale")).to_have_text(re.compile("0 %.*100 %.*how often it raises"))
        cells.nth(1).hover()
        expect(told).to_have_text("AKs: 0.6 % per combo, <0.1 % of the range (4 combos)")
        cells.nth(0).focus()
        expect(told).to_have_text("AA: 0 % per combo, 0 % of the range (3 combos)")
        for key in ("ArrowDown", "ArrowRight", "ArrowLeft", "ArrowLeft"):
            page.keyboard.press(key)
        expect(cells.nth(13)).to_be_focused()
        expect(told).to_contain_text("AKo: 7.7 % per combo")
        cells.nth(168).click()
        expect(told).to_contain_text("22: 100 % per combo, 1.2 % of the range")
        box.get_by_role("button", name="Per cell").click()
        expect(box.locator(".range-scale")).to_have_text(re.compile("0 %.*1.2 %.*share of the whole range"))
        assert cells.nth(168).get_attribute("aria-label") == "22, 1.2 %"
        box.get_by_role("button", name="Per combo").click()


def test_a_belief_is_told_in_words_then_in_bars_then_as_a_grid(pages: Pages) -> None:
    with reasons_drawn(pages, (2400, 1000)) as (_page, why):
        belief = section(why, "Ann: her range")
        expect(belief.locator(".belief-summary")).to_have_text("Ann most likely holds a hand of group 1.")
        assert edges(belief.locator(".belief-bars"))[1] <= edges(belief.locator(".range-box"))[0]


CONTRASTS = """cells => {
    const canvas = document.createElement("canvas").getContext("2d", { willReadFrequently: true });
    const light = (colour) => {
        canvas.fillStyle = colour;
        canvas.fillRect(0, 0, 1, 1);
        const linear = [...canvas.getImageData(0, 0, 1, 1).data].slice(0, 3)
            .map((part) => part / 255)
            .map((part) => part <= 0.04045 ? part / 12.92 : ((part + 0.055) / 1.055) ** 2.4);
        return 0.2126 * linear[0] + 0.7152 * linear[1] + 0.0722 * linear[2];
    };
    return cells.map((cell) => {
        const { color, backgroundColor } = getComputedStyle(cell);
        const [low, high] = [light(color), light(backgroundColor)].sort((a, b) => a - b);
        return [(high + 0.05) / (low + 0.05), light(backgroundColor), cell.scrollWidth <= cell.clientWidth];
    });
}"""


@pytest.mark.parametrize(("size", "theme"), LOOKS)
def test_reasons_fit_and_have_no_grave_fault(pages: Pages, size: tuple[int, int], theme: str) -> None:
    with reasons_drawn(pages, size) as (page, why):
        _fits_without_fault(page, theme)
        cells = why.locator(".range").first.get_by_role("gridcell")
        measured = cells.evaluate_all(CONTRASTS)
        assert min(contrast for contrast, _, _ in measured) >= 4.5
        assert all(fits for _, _, fits in measured), "every label fits into its cell"
        lights = [light for _, light, _ in measured]
        assert max(lights) - min(lights) > 0.6, "the colours use the whole scale"


def _fits_without_fault(page: Page, theme: str) -> None:
    assert page.evaluate("document.documentElement.scrollWidth <= innerWidth")
    page.evaluate(
        """theme => {
            document.documentElement.dataset.theme = theme;
            return Promise.all(document.getAnimations().map((each) => each.finished.catch(() => null)));
        }""",
        theme,
    )
    assert grave_faults(page) == []


# Session


def test_the_session_page_tells_what_the_records_do(
    pages: Pages, stored: StoredSessions, evening: Evening
) -> None:
    told = summary(finished_hands(stored.hands("evening"), evening.plan, "ann"), evening.plan, "You", "You")
    with pages.drawn("#/session/evening") as page:
        won = page.locator(".figure-box dd").first.inner_text().replace("−", "-")
        assert won == f"{told['net'][-1]:+.10g} small bets"
        label = page.locator(".chart-drawing").get_attribute("aria-label")
        assert label is not None
        assert f"all hands {told['net'][-1]:+.1f} small bets" in label.replace("−", "-")
        rows = page.get_by_role("region", name="Player statistics").get_by_role("rowheader")
        assert rows.all_inner_texts() == ["You", "Always Call", "Random"]
        page.get_by_text("Chart as a table").click()
        last = page.locator(".chart-table tbody tr").last
        assert last.get_by_role("rowheader").inner_text() == "60"
        cells = last.get_by_role("cell").all_inner_texts()
        assert [cell.replace("−", "-") for cell in cells[:3]] == [
            f"{told[name][-1]:+.1f}" for name in ("net", "showdown", "other")
        ]


def test_hands_are_listed_and_anybodys_results_can_be_seen(pages: Pages, evening: Evening) -> None:
    with pages.drawn("#/session/evening") as page:
        rows = page.get_by_role("region", name="Hands", exact=True).locator("tbody tr")
        assert rows.count() == 50
        page.get_by_role("button", name="Show more hands").click()
        assert rows.count() == 60
        assert rows.last.get_by_role("link").get_attribute("href") == "#/replay/evening/1"
        page.get_by_label("Results of").select_option("Random")
        won = sum(evening.won("Random")) / 10
        expect(page.locator(".figure-box dd").first).to_have_text(f"{won:+g} small bets".replace("-", "−"))


def test_results_are_shown_in_the_unit_of_choice(
    pages: Pages, stored: StoredSessions, evening: Evening
) -> None:
    told = summary(finished_hands(stored.hands("evening"), evening.plan, "ann"), evening.plan, "You", "You")
    net, mean = told["net"][-1], told["rate"]["mean"]
    with pages.drawn("#/session/evening", own=True) as page:
        figures = page.locator(".figure-box dd > span")
        expect(figures.nth(1)).to_have_text(f"{mean:+.3f} small bets per hand".replace("-", "−"))
        for choice, won, rate, axis in (
            ("blinds", f"{net:+g} big blinds", f"{mean:+.3f} big blinds per hand", "won, in big blinds"),
            ("chips", dollars(10 * net, 0), f"{dollars(10 * mean, 2)} per hand", "won, in dollars"),
        ):
            page.evaluate("choice => localStorage.setItem('railbird.unit', choice)", choice)
            page.reload()
            expect(figures.first).to_have_text(won.replace("-", "−"))
            expect(figures.nth(1)).to_have_text(rate.replace("-", "−"))
            expect(page.locator(".chart-axis").last).to_have_text(axis)
        own = page.get_by_role("region", name="Player statistics").get_by_role("row").nth(1)
        expect(own).to_contain_text(dollars(10 * net, 0).replace("-", "−"))
        assert "sb" not in page.locator("main").inner_text().split()


def dollars(amount: float, decimals: int) -> str:
    return f"{'-' if amount < 0 else '+'}${abs(amount):,.{decimals}f}"


def test_decisions_are_reviewed_explained_and_linked_to_their_step(pages: Pages) -> None:
    with pages.drawn("#/session/evening/review") as page:
        expect(page.get_by_label("Reviewer")).to_have_value("equilibrium")
        findings = page.locator(".finding")
        expect(findings).to_have_count(10)
        answer = page.locator(".review-answer")
        expect(answer).to_contain_text(
            "Equilibrium would have acted differently in 120 of your 100 decisions"
        )
        expect(answer).to_contain_text("3 more were too close to call")
        expect(findings.first).to_contain_text("Your action: call 10")
        expect(findings.first).to_contain_text("Equilibrium: raise to 20")
        costs = [text.split()[0] for text in page.locator(".finding-cost").all_inner_texts()]
        assert costs == sorted(costs, key=lambda text: float(text.replace("−", "-")))
        why = findings.first.get_by_role("button", name="Why?")
        why.click()
        expect(findings.first.locator(".why-summary")).to_have_text("It is better so.")
        expect(why).to_have_attribute("aria-expanded", "true")
        page.get_by_role("button", name="Show 30 more").click()
        expect(findings).to_have_count(40)
        hand = findings.first.get_by_role("link")
        number = hand.inner_text().removeprefix("Hand ").partition(",")[0]
        hand.click()
        expect(page.get_by_role("heading", name=f"Hand {number}")).to_be_visible()
        expect(page.locator(".replay-said")).to_have_text(re.compile("^Step 1 of "))
        page.get_by_role("link", name="Session").click()
        expect(findings).to_have_count(10)
        pots = page.get_by_role("region", name="Biggest pots").locator("tbody tr td:nth-child(3)")
        found = [int(text.replace(",", "")) for text in pots.all_inner_texts()]
        assert found == sorted(found, reverse=True)
        assert len(found) == 5


def test_a_review_in_progress_can_be_stopped(pages: Pages) -> None:
    with pages.drawn("#/session/evening") as page:
        page.get_by_label("Reviewer").select_option("patience")
        page.get_by_role("button", name="Review my decisions").click()
        expect(page.get_by_role("progressbar", name="Hands reviewed")).to_be_visible()
        page.get_by_role("button", name="Stop").click()
        expect(page.get_by_role("alert").filter(has_text="this was stopped")).to_be_visible()
        expect(page.get_by_role("button", name="Review my decisions")).to_be_enabled()


def test_the_duplicate_is_asked_and_answered_on_the_page(pages: Pages) -> None:
    with pages.drawn("#/session/evening") as page:
        page.get_by_label("Bot in your seat").select_option("jagbot")
        page.get_by_role("button", name="Compare").click()
        answer = page.locator(".duplicate-answer")
        expect(answer).to_contain_text(
            "In 60 hands you won 0.750 small bets per hand more than Jagbot. The difference may still be luck."
        )
        expect(answer).to_contain_text("+0.250 small bets per hand (95 % interval −0.750 … +1.250)")


def test_only_agents_that_play_the_game_are_offered_as_a_duplicate(pages: Pages) -> None:
    with pages.drawn("#/session/evening") as page:
        expect(page.locator("#duplicate-agent option")).to_have_count(4)
        offered = page.locator("#duplicate-agent option").evaluate_all(
            "options => options.map((option) => option.value)"
        )
        assert offered == ["always-call", "jagbot", "equilibrium", "patience"]


@pytest.mark.parametrize(
    ("faults", "words"),
    [
        (0, None),
        (1, "A bot failed once and checked or folded instead."),
        (1200, "Bots failed 1,200 times and checked or folded instead."),
    ],
)
def test_the_duplicate_tells_that_agents_were_at_fault(pages: Pages, faults: int, words: str | None) -> None:
    rate = {"unit": "sb/h", "mean": 0.5, "low": None, "high": None, "hands": 60}
    result = {"own": rate, "agent": rate, "difference": rate, "faults": faults}
    with pages.drawn("#/session/evening", own=True) as page:
        page.route("**/api/sessions/evening/duplicate", lambda route: route.fulfill(json={"job": "again"}))
        page.route(
            "**/api/jobs/again",
            lambda route: route.fulfill(json={"done": 60, "of": 60, "result": result, "error": None}),
        )
        page.get_by_role("button", name="Compare").click()
        answer = page.locator(".duplicate-answer")
        expect(answer).to_contain_text("In 60 hands you won 0.500 small bets per hand more")
        notes = answer.locator(".note")
        assert notes.all_inner_texts() == ([] if words is None else [words])


@pytest.mark.parametrize(("size", "theme"), LOOKS)
def test_the_session_page_fits_and_has_no_grave_fault(
    pages: Pages, size: tuple[int, int], theme: str
) -> None:
    with pages.drawn("#/session/evening/review", size) as page:
        page.locator(".finding").get_by_role("button", name="Why?").first.click()
        page.get_by_text("Chart as a table").click()
        page.get_by_text("What the columns mean").click()
        _fits_without_fault(page, theme)


# Replay


def test_a_replay_is_stepped_by_buttons_slider_list_and_keys(pages: Pages, evening: Evening) -> None:
    hand = max(evening.hands, key=lambda hand: hand.step)
    last = hand.step + stages_before_result(hand.state)
    with pages.drawn(f"#/replay/evening/{hand.number}") as page:
        said = page.locator(".replay-said")

        def at(step: int) -> None:
            expect(said).to_have_text(re.compile(f"^Step {step} of {last}: "))

        at(0)
        assert page.get_by_role("button", name="Step back").is_disabled()
        page.get_by_role("button", name="Step forward").click()
        at(1)
        for key, step in (("ArrowRight", 2), ("ArrowLeft", 1), ("End", last), ("ArrowRight", last)):
            page.keyboard.press(key)
            at(step)
        page.keyboard.press("Home")
        at(0)
        page.get_by_role("slider", name="Step").press("ArrowRight")
        at(1)
        page.locator(".replay-steps button").nth(3).click()
        at(3)
        assert page.locator(".replay-steps [aria-current=step]").count() == 1


def test_a_replay_begins_at_a_step_plays_by_itself_and_is_copied_as_text(
    pages: Pages, evening: Evening
) -> None:
    hand = max(evening.hands, key=lambda hand: hand.step)
    last = hand.step + stages_before_result(hand.state)
    with pages.drawn(f"#/replay/evening/{hand.number}/2", own=True) as page:
        page.context.grant_permissions(["clipboard-read", "clipboard-write"])
        said = page.locator(".replay-said")
        expect(said).to_have_text(re.compile("^Step 2 of "))
        page.get_by_label("Speed").select_option("fast")
        page.clock.install()
        page.locator("h1").focus()
        page.keyboard.press("Space")
        expect(said).to_have_text(re.compile("^Step 3 of "))
        page.clock.run_for(600)
        expect(said).to_have_text(re.compile("^Step 4 of "))
        page.get_by_role("button", name="Pause").click()
        page.clock.run_for(5000)
        expect(said).to_have_text(re.compile("^Step 4 of "))
        page.get_by_role("button", name="Play").click()
        page.clock.run_for(600 * last)
        expect(said).to_have_text(re.compile(f"^Step {last} of "))
        page.get_by_role("button", name="Play").click()
        expect(said).to_have_text(re.compile("^Step 0 of "))
        page.keyboard.press("ArrowRight")
        expect(page.get_by_role("button", name="Play")).to_be_visible()
        page.get_by_role("button", name="Copy as text").click()
        expect(page.locator("#announcements")).to_contain_text(f"Hand {hand.number} copied")
        (copied,) = read_pokerstars(page.evaluate("navigator.clipboard.readText()").splitlines())
        assert isinstance(copied, HandRecord)
        assert copied.actions() == hand.state.actions
        page.evaluate("Object.defineProperty(navigator, 'clipboard', { value: undefined })")
        page.get_by_role("button", name="Copy as text").click()
        by_hand = page.get_by_role("dialog").get_by_role("textbox", name=f"Hand {hand.number}")
        expect(by_hand).to_have_value(re.compile("^PokerStars Hand #.*SUMMARY", re.DOTALL))


def test_every_action_of_an_agent_stands_beside_its_reasons(pages: Pages, evening: Evening) -> None:
    hand = max(evening.hands, key=lambda hand: hand.step)
    with pages.drawn(f"#/replay/evening/{hand.number}") as page:
        for step, node in enumerate(hand.state.node.path):
            page.keyboard.press("ArrowRight")
            reasons = page.locator(".replay-why")
            if hand.players[node.act.seat] == "You":
                expect(reasons).to_contain_text("There are no reasons for this step.")
            else:
                expect(reasons).to_contain_text(f"step {step} of hand {hand.number}")


def test_keys_no_longer_step_once_the_page_is_left(pages: Pages) -> None:
    with pages.drawn("#/replay/evening/1") as page:
        page.get_by_role("link", name="Session").click()
        expect(page.get_by_role("heading", name="How everyone played")).to_be_visible()
        page.keyboard.press("ArrowRight")
        assert page.locator(".replay-said").count() == 0


# Tournaments


def tournament(hands: int, *order: str) -> dict[str, Any]:
    """A tournament that is being played, of which everybody has played so many hands."""
    rate = {"mean": 1.0, "low": None, "high": None} if hands else None
    players = [
        {
            "label": label,
            "name": label.capitalize(),
            "agent": "random",
            "hands": hands,
            "net": 10,
            "rate": rate,
        }
        for label in order
    ]
    return {
        "id": "cup",
        "game": "limit-2p",
        "game_title": "Limit heads-up, $10/$20",
        "agents": ["random", "random"],
        "names": sorted(order),
        "hands": 100,
        "matches": 1,
        "seed": 7,
        "made": TIME,
        "command": "railbird …",
        "state": "playing",
        "before": 0,
        "progress": {"hands": hands, "all_hands": 200, "matches": 0, "all_matches": 1},
        "error": "",
        "unit": SMALL_BETS,
        "players": sorted(players, key=lambda player: str(player["label"])),
        "standings": {"total_bankroll": list(order), "instant_runoff": None},
        "crosstable": {label: {} for label in order},
        "void": [],
    }


def test_nobody_leads_a_tournament_before_the_first_hand(pages: Pages) -> None:
    with pages.drawn("#/session/evening", own=True) as page:
        now = tournament(0, "ann", "bob")
        page.route("**/api/tournaments/cup", lambda route: route.fulfill(json=now))
        page.evaluate("location.hash = '#/tournament/cup'")
        first = page.locator(".tournament tbody th").first
        expect(first).to_have_text("Ann")
        said = page.locator("#announcements p")
        with page.expect_response("**/api/tournaments/cup"):
            pass
        assert said.all_inner_texts() == []
        standings = page.get_by_role("region", name="Standings")
        standings.focus()
        now = tournament(20, "bob", "ann")
        expect(first).to_have_text("Bob")
        expect(standings).to_be_focused()
        now = tournament(40, "ann", "bob")
        expect(first).to_have_text("Ann")
        assert said.all_inner_texts() == ["Bob leads.", "Ann leads."]
