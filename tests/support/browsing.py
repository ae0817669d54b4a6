"""A browser in front of a served table: pages that must stay without an error, and what can be read off them."""

import re
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import Any, Literal

from axe_playwright_python.sync_playwright import Axe
from playwright.sync_api import Browser, Locator, Page, WebSocketRoute, expect

WIDE = (1280, 800)
PHONE = (360, 740)
GRAVE = ("serious", "critical")
PATIENCE = 60_000
"""Milliseconds that something may take on a busy machine."""
TURN = "[role=group][aria-label='Your turn']"
USUAL: dict[str, Any] = {"name": "You", "speed": "instant", "watch": False, "training": None}


@contextmanager
def browsing(
    browser: Browser,
    address: str,
    size: tuple[int, int] = WIDE,
    *,
    refusals: int = 0,
    motion: Literal["reduce", "no-preference"] = "reduce",
) -> Iterator[Page]:
    """A page of somebody new in the lobby. At the end nothing may have been written to the console: only so many
    answers of the server that refuse something, which the browser itself reports."""
    context = browser.new_context(viewport={"width": size[0], "height": size[1]}, reduced_motion=motion)
    context.set_default_timeout(PATIENCE)
    expect.set_options(timeout=PATIENCE)
    page = context.new_page()
    told: list[str] = []
    page.on("console", lambda message: told.append(f"{message.type}: {message.text}"))
    page.on("pageerror", lambda error: told.append(f"exception: {error}"))
    try:
        page.goto(address)
        expect(page.get_by_role("heading", name="Take a seat")).to_be_visible()
        yield page
        refused = [line for line in told if re.match(r"error: Failed to load resource.* 422", line)]
        assert [line for line in told if line not in refused] == []
        assert len(refused) == refusals
    finally:
        context.close()


def sit_down(page: Page, game: str, opponents: list[str], **wanted: Any) -> str:
    """Begin a session as the lobby does, and go to its table; the session's name."""
    answer = page.evaluate(
        """async (wanted) => {
            const headers = { "Content-Type": "application/json" };
            const answer = await fetch("/api/sessions", { method: "POST", headers, body: JSON.stringify(wanted) });
            return answer.json();
        }""",
        USUAL | {"game": game, "opponents": opponents} | wanted,
    )
    assert "id" in answer, answer
    session: str = answer["id"]
    visit(page, f"#/table/{session}")
    return session


def visit(page: Page, place: str) -> None:
    """Go to another page of the same frame, and wait until it is drawn."""
    page.evaluate("place => { location.hash = place; }", place)
    expect(page.locator(f".page[data-address='{place}']:not([aria-busy]) h1")).to_be_visible()


def turn(page: Page) -> Locator:
    """The buttons of the person's turn, once it has come."""
    await_sight(page, TURN)
    return page.get_by_role("group", name="Your turn", exact=True)


def await_sight(page: Page, selector: str) -> None:
    """Wait until one of these elements is visible; this looks at every frame, `expect` ever more rarely."""
    page.wait_for_function(
        "selector => [...document.querySelectorAll(selector)].some((each) => each.checkVisibility())",
        arg=selector,
    )


def hand_number(page: Page) -> int:
    """Which hand is played."""
    return int(page.locator(".history h2").inner_text().removeprefix("Hand "))


def lines(page: Page) -> list[str]:
    """The history of this hand."""
    return [
        line.strip() for line in page.locator(".history > .log > li > span:first-child").all_inner_texts()
    ]


def own_cards(page: Page) -> list[str | None]:
    """What the person holds, in words."""
    return [card.get_attribute("aria-label") for card in page.locator(".chair.you .holding .card").all()]


def deal_by_hand(page: Page) -> None:
    """The next hand only when it is asked for."""
    page.get_by_role("button", name="Options").click()
    page.get_by_label("Deal the next hand automatically").uncheck()
    page.keyboard.press("Escape")
    page.locator("h1").focus()


def act(page: Page, press: Callable[[Page], object]) -> None:
    """Do something at the table, and wait until the history tells of it."""
    before = page.locator(".history > .log > li").count()
    press(page)
    page.wait_for_function(
        "before => document.querySelectorAll('.history > .log > li').length !== before", arg=before
    )


def play_hand(page: Page, press: Callable[[Page], object]) -> None:
    """Let `press` act at every turn until the hand is over and the next one has not begun."""
    over = page.locator(".table.over")
    while True:
        await_sight(page, f".table.over, {TURN}")
        if over.count():
            return
        act(page, press)


def grave_faults(page: Page, *rules: str) -> list[str]:
    """What axe-core calls serious or critical on this page, by all its rules or by these.

    It need not load all style sheets once more: only an experimental rule, which is off, looks at them.
    """
    options: dict[str, Any] = {"resultTypes": ["violations"], "preload": {"assets": ["media"]}}
    if rules:
        options["runOnly"] = list(rules)
    found = Axe().run(page, options=options).response["violations"]
    return [
        f"{fault['id']}: {[node['html'][:120] for node in fault['nodes']]}"
        for fault in found
        if fault["impact"] in GRAVE
    ]


class Wire:
    """The line between a page and its table, which can be cut, and refused when it is opened again."""

    def __init__(self, page: Page) -> None:
        self.opened = 0
        self.refusal: tuple[int, str] | None = None
        """The code and the sentence with which the next lines are closed."""
        self._line: WebSocketRoute | None = None
        page.route_web_socket(re.compile(r"/table$"), self._open)

    def _open(self, line: WebSocketRoute) -> None:
        self.opened += 1
        if self.refusal is None:
            line.connect_to_server()
            self._line = line
        else:
            line.close(code=self.refusal[0], reason=self.refusal[1])

    def cut(self) -> None:
        """End the line without a word."""
        assert self._line is not None
        self._line.close()
