"""What happens at the table is seen to happen, and nothing else moves; panels belong to a moment; controls hold."""

import json
import re
from collections.abc import Iterator
from typing import Any, Literal

import pytest
from playwright.sync_api import Browser, Page, WebSocketRoute, expect

from browsing import (
    PHONE,
    await_sight,
    browsing,
    deal_by_hand,
    grave_faults,
    play_hand,
    sit_down,
    turn,
    visit,
)
from railbird.engine.actions import CALL, raise_to
from railbird.engine.wording import Wording
from railbird.interfaces.web.table import pace
from web_client import serving

RECORD = """() => {
    const seen = window.seen = { boxes: {}, boards: [], titles: [], moved: [], arrived: [], sounds: 0 };
    const box = (element) => {
        const { x, y, width, height } = element.getBoundingClientRect();
        return [x + scrollX, y + scrollY, width, height].map(Math.round).join(" ");
    };
    const keep = (list, value) => { if (list.at(-1) !== value) list.push(value); };
    const note = () => {
        const parts = document.querySelectorAll(".plate, .felt, .board, .rail");
        if (!document.querySelector(".plate")) return;
        for (const [number, part] of parts.entries()) {
            const name = `${part.className} ${number}`;
            keep(seen.boxes[name] ??= [], box(part));
        }
        const board = document.querySelectorAll(".board .card:not(.place)").length;
        const result = document.querySelector(".result") ? " result" : "";
        keep(seen.boards, `${board}${result}`);
        keep(seen.titles, document.title);
    };
    const observed = { subtree: true, childList: true, attributes: true, characterData: true };
    new MutationObserver(note).observe(document.documentElement, observed);
    const animate = Element.prototype.animate;
    Element.prototype.animate = function (frames, options) {
        seen.moved.push(this.className);
        const motion = animate.call(this, frames, options);
        motion.finished.then(() => { if (this.isConnected) seen.arrived.push(this.className); });
        return motion;
    };
    const start = AudioScheduledSourceNode.prototype.start;
    AudioScheduledSourceNode.prototype.start = function (...when) {
        seen.sounds += 1;
        return start.apply(this, when);
    };
}"""


BLANK = """() => {
    const root = document.documentElement;
    const shown = (frame) => [...frame.querySelectorAll("*:not(.unseen, #announcements *, #urgent *)")];
    return [root, ...document.querySelectorAll("main, .history, .log, .earlier")].flatMap((frame) => {
        const room = frame.scrollHeight - frame.clientHeight;
        if (room <= 1) return [];
        const top = frame === root ? -scrollY : frame.getBoundingClientRect().top - frame.scrollTop;
        const last = Math.max(...shown(frame).map((each) => each.getBoundingClientRect().bottom));
        const rest = top + frame.scrollHeight - last;
        const bad = rest > 24 || (frame === root && innerWidth > 960);
        return bad ? [[frame.className || frame.nodeName, room, rest]] : [];
    });
}"""


CUT = """() => [...document.querySelectorAll(".plate :is(.front, .chips-behind, .last)")]
    .filter(({ scrollWidth, clientWidth, scrollHeight, clientHeight }) =>
        scrollWidth > clientWidth || scrollHeight > clientHeight + 1)
    .map((line) => line.textContent)"""


@pytest.fixture(scope="module")
def address(tmp_path_factory: pytest.TempPathFactory) -> Iterator[str]:
    """At slow speed the next hand comes in an hour."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(pace, "STEPS", {**dict.fromkeys(pace.STEPS, 0.05), "instant": 0.002})
        patch.setattr(pace, "ENDING", {"slow": 0.05, "normal": 0.1, "fast": 0.05, "instant": 0.0})
        patch.setattr(pace, "AFTER_HAND", {**dict.fromkeys(pace.AFTER_HAND, 0.0), "slow": 3600.0})
        with serving(tmp_path_factory.mktemp("motion") / "store.db") as running:
            yield running.address


def seen(page: Page) -> dict[str, Any]:
    found: dict[str, Any] = page.evaluate("window.seen")
    return found


def still(page: Page) -> None:
    """Nothing on the table has changed its place or size since the first view."""
    boxes = seen(page)["boxes"]
    assert len(boxes) > 3
    assert {name: places for name, places in boxes.items() if len(places) > 1} == {}


def all_in(page: Page) -> None:
    turn(page)
    page.locator(".amount-slider").press("End")
    page.locator(".amount-slider").press("Enter")


def test_an_all_in_is_run_out_while_plates_and_felt_stay(browser: Browser, address: str) -> None:
    with browsing(browser, address, motion="no-preference") as page:
        page.evaluate(RECORD)
        sit_down(page, "nolimit-3p", ["always-call", "always-fold"], speed="normal")
        turn(page)
        deal_by_hand(page)
        assert page.title() == "Your turn · Railbird"
        page.get_by_role("button", name="Options").click()
        page.get_by_label("Sounds").check()
        page.keyboard.press("Escape")
        chimed = seen(page)["sounds"]
        assert chimed > 0
        all_in(page)
        expect(page.locator(".table.over")).to_be_visible()
        found = seen(page)
        assert found["boards"] == ["0", "3", "4", "5", "5 result"]
        assert found["titles"][-2:] == ["Your turn · Railbird", "Table · Railbird"]
        assert found["sounds"] > chimed
        assert {"card", "bet", "moving-chips"} <= {kind.split()[0] for kind in found["moved"]}
        lit = page.locator(".board .card.lit, .winner:not(:has(~ .winner)) .card.lit")
        assert lit.count() >= 5
        assert page.locator(".chair:not(.winner) .card.lit").count() == 0
        page.keyboard.press("p")
        expect(page.locator(".round")).to_have_text("paused")
        page.get_by_role("button", name="Continue and deal").click()
        turn(page)
        expect(page.locator(".moving-chips")).to_have_count(0)
        found = seen(page)
        assert found["arrived"].count("moving-chips") == found["moved"].count("moving-chips") >= 3
        still(page)


def test_nothing_jumps_and_no_name_is_cut_at_any_size(browser: Browser, address: str) -> None:
    with browsing(browser, address) as page:
        page.evaluate(RECORD)
        company = [
            "pokibot:profile=loose-passive",
            "always-raise",
            "always-fold",
            "always-call",
            "always-call",
        ]
        sit_down(page, "limit-6max", company)
        turn(page)
        deal_by_hand(page)
        assert page.locator(".position").all_inner_texts() == ["SB", "BB", "UTG", "HJ", "CO", "BTN"]
        for width, height in (PHONE, (1024, 768)):
            page.set_viewport_size({"width": width, "height": height})
            page.evaluate("window.seen.boxes = {}")
            play_hand(page, lambda page: page.keyboard.press("c"))
            await_sight(page, ".why-button")
            # Whatever scrolls ends with something that can be seen; in a wide window the page itself does not scroll.
            assert page.evaluate(BLANK) == []
            page.keyboard.press("p")
            expect(page.get_by_role("button", name="Continue and deal")).to_be_visible()
            page.locator("h1").focus()
            page.keyboard.press("Enter")
            turn(page)
            still(page)
            assert page.evaluate(CUT) == []
        assert seen(page)["moved"] == []


def test_few_players_have_positions_too(browser: Browser, address: str) -> None:
    with browsing(browser, address) as page:
        for game, names in (("nolimit-2p", ["BB", "BTN/SB"]), ("limit-3p", ["SB", "BB", "BTN"])):
            sit_down(page, game, ["always-call"] * (len(names) - 1))
            turn(page)
            assert page.locator(".position").all_inner_texts() == names


MOTIONS = """() => {
    window.moved = [];
    const note = (card, how) => window.moved.push([card.className, card.dataset.key ?? "", how]);
    const animate = Element.prototype.animate;
    Element.prototype.animate = function (frames, options) {
        note(this, Object.keys(frames).join());
        return animate.call(this, frames, options);
    };
    document.addEventListener("animationstart", ({ target, animationName }) => {
        if (target.matches(".card, .bet")) note(target, animationName);
    });
}"""


def test_a_card_moves_once_when_it_is_new_and_is_never_unseen(browser: Browser, address: str) -> None:
    cases: tuple[tuple[str, Literal["reduce", "no-preference"], bool], ...] = (
        ("instant", "no-preference", False),
        ("fast", "reduce", False),
        ("fast", "no-preference", True),
    )
    with browsing(browser, address) as page:
        page.evaluate(MOTIONS)
        for speed, motion, moves in cases:
            visit(page, "#/")  # the table before plays on until it is left
            page.emulate_media(reduced_motion=motion)
            page.evaluate("window.moved = []")
            sit_down(page, "limit-2p", ["always-call", "random"], watch=True, speed=speed)
            expect(page.locator(".history h2")).to_have_text(re.compile("^Hand ([2-9]|..+)$"))
            moved = page.evaluate("window.moved")
            cards = [key for kind, key, _how in moved if "card" in kind]
            assert bool(cards) is moves, moved
            assert len(cards) == len(set(cards))
            assert {how for _kind, _key, how in moved} <= {"transform"}


class Delayed:
    """A line on which answers of one type wait until they are let go."""

    def __init__(self, page: Page, kind: str) -> None:
        self.kind = kind
        self.waiting: list[str | bytes] = []
        self._line: WebSocketRoute | None = None
        page.route_web_socket(re.compile(r"/table$"), self._open)

    def _open(self, line: WebSocketRoute) -> None:
        self._line = line
        server = line.connect_to_server()
        server.on_message(self._hear)

    def _hear(self, message: str | bytes) -> None:
        assert self._line is not None
        if json.loads(message)["type"] == self.kind:
            self.waiting.append(message)
        else:
            self._line.send(message)

    def wait(self, page: Page) -> None:
        """Wait until an answer is here."""
        while not self.waiting:
            page.wait_for_timeout(10)

    def let_go(self) -> None:
        """Send everything that waits."""
        assert self._line is not None
        while self.waiting:
            self._line.send(self.waiting.pop(0))


def test_panels_tell_their_moment_and_a_late_answer_replaces_nothing(browser: Browser, address: str) -> None:
    with browsing(browser, address) as page:
        delayed = Delayed(page, "strength")
        sit_down(page, "limit-2p", ["always-call"])
        turn(page)
        deal_by_hand(page)
        side, when = page.locator(".side"), page.locator(".side-when")
        page.keyboard.press("s")
        expect(when).to_have_text("Hand 1, preflop")
        delayed.wait(page)
        page.keyboard.press("a")
        page.get_by_label("What would this bot do in your seat?").select_option("always-fold")
        page.get_by_role("button", name="Ask").click()
        expect(page.locator(".advice .why-title")).to_be_visible()
        expect(when).to_have_text("Hand 1, preflop")
        delayed.let_go()
        page.locator("h1").focus()
        page.keyboard.press("c")
        # The advice stands, and belongs to a decision that was taken.
        expect(when).to_have_text("From hand 1, preflop")
        expect(side.locator("h2")).to_have_text("Advisor")
        expect(page.locator(".advice .why-title")).to_be_visible()
        page.keyboard.press("s")
        expect(when).to_have_text("Hand 1, flop")
        delayed.wait(page)
        page.get_by_role("button", name="Close the panel").click()
        delayed.let_go()
        play_hand(page, lambda page: page.keyboard.press("c"))
        expect(side).to_be_hidden()
        # The bot acted once in every round; its reasons follow its actions.
        expect(page.locator(".why-button")).to_have_count(4)
        page.keyboard.press("w")
        expect(when).to_have_text("Hand 1, river")
        page.locator("h1").focus()
        page.keyboard.press("Enter")
        expect(when).to_have_text("From hand 1, river")
        assert grave_faults(page, "color-contrast") == []
        # Next to the table, the panel leaves it as it is.
        wide = ((1024, 768), (1440, 900))
        beside = [felt_at(page, size) for size in wide]
        page.get_by_role("button", name="Close the panel").click()
        expect(page.locator(".history")).to_be_visible()
        assert [felt_at(page, size) for size in wide] == beside


def felt_at(page: Page, size: tuple[int, int]) -> object:
    """Where the felt is in a window of this size."""
    page.set_viewport_size({"width": size[0], "height": size[1]})
    return page.locator(".felt").bounding_box()


def test_the_next_hand_is_counted_down_stopped_and_held(browser: Browser, address: str) -> None:
    with browsing(browser, address, PHONE) as page:
        sit_down(page, "limit-2p", ["always-call"], speed="slow")
        turn(page)
        play_hand(page, lambda page: page.keyboard.press("c"))
        note = page.locator(".countdown")
        expect(note).to_have_text(re.compile(r"^Next hand in 3\d\d\d s$"))
        page.locator(".why-button").last.click()
        waits = page.locator(".side").get_by_text("Next hand waits while this is open.")
        expect(waits).to_be_visible()
        expect(note).to_have_text("The next hand waits while an explanation is open.")
        page.get_by_role("button", name="Close the panel").click()
        expect(note).to_have_text(re.compile(r"^Next hand in 3\d\d\d s$"))
        deal_by_hand(page)
        expect(note).to_be_empty()
        expect(page.get_by_role("button", name="Deal the next hand")).to_be_visible()
        page.get_by_role("button", name="Pause", exact=True).click()
        page.get_by_role("button", name="Continue and deal").click()
        expect(page.locator(".history h2")).to_have_text("Hand 2")
        expect(page.get_by_role("button", name="Pause")).to_be_visible()


def test_amounts_snap_to_blinds_and_presets_are_ones_own(browser: Browser, address: str) -> None:
    with browsing(browser, address) as page:
        sit_down(page, "nolimit-2p", ["always-call"])
        turn(page)
        deal_by_hand(page)
        number, slider = page.locator(".amount-number"), page.locator(".amount-slider")
        presets = page.locator(".presets button")
        assert presets.all_inner_texts() == ["2.5×", "3×", "4×", "all-in"]
        presets.first.click()
        expect(number).to_have_value("250")
        slider.press("ArrowRight")
        expect(number).to_have_value("300")
        slider.press("ArrowLeft")
        slider.press("ArrowLeft")
        slider.press("ArrowLeft")
        expect(number).to_have_value("200")
        for place in (0.2, 0.37, 0.61, 0.8):
            box = slider.bounding_box()
            assert box is not None
            page.mouse.click(box["x"] + place * box["width"], box["y"] + box["height"] / 2)
            assert int(number.input_value()) % 100 == 0
        number.fill("437")
        expect(turn(page).get_by_role("button", name="Raise to 437")).to_be_enabled()
        presets.last.click()
        expect(turn(page).get_by_role("button", name="All-in 20,000")).to_be_enabled()
        assert presets.last.get_attribute("title") == "All-in 20,000"

        page.get_by_role("button", name="Options").click()
        before, flop = page.get_by_label("Before the flop"), page.get_by_label("Flop", exact=True)
        before.fill("2x, 2.2× nonsense")
        before.press("Tab")
        expect(before).to_have_attribute("aria-invalid", "true")
        expect(page.get_by_text("is not a list of bet sizes")).to_be_visible()
        before.fill("2x 3.5x pot")
        flop.fill("1/3 75% 1000% all-in")
        flop.press("Tab")
        expect(before).to_have_value("2× 3.5× pot")
        assert grave_faults(page) == []
        page.keyboard.press("Escape")
        assert presets.all_inner_texts() == ["2×", "3.5×", "pot"]
        page.reload()
        turn(page)
        presets.nth(1).click()
        turn(page).get_by_role("button", name="Raise to 350").click()
        expect(turn(page).get_by_role("button", name="Bet 100")).to_be_visible()
        # A preset that is below the least bet or above the stack is not offered.
        assert presets.all_inner_texts() == ["⅓", "75%", "1000%", "all-in"]
        presets.nth(1).click()
        expect(number).to_have_value("525")
        number.fill("5")
        bet = turn(page).locator("[data-name=raise]")
        expect(bet).to_be_disabled()
        assert re.sub(r"\s+r?$", "", bet.inner_text()) == "Bet"


WORDS = """async () => {
    const { callWords, raiseWords } = await import("/static/words/action_words.js");
    const offer = { verb: "raise", most: 900, all_in: true };
    return [
        callWords(0, 900), callWords(300, 900), callWords(300, 300),
        raiseWords(offer, null), raiseWords(offer, 450), raiseWords(offer, 900),
        raiseWords({ ...offer, all_in: false }, 900), raiseWords({ ...offer, verb: "bet" }, 450),
    ];
}"""


def test_actions_are_worded_as_in_the_history(browser: Browser, address: str) -> None:
    with browsing(browser, address) as page:
        found = page.evaluate(WORDS)
    calls = [
        Wording(to_call=price, to_match=600, bet=0, stack=stack) for price, stack in ((300, 900), (300, 300))
    ]
    raises = Wording(to_call=300, to_match=300, bet=0, stack=900)
    named = [each.name(CALL) for each in calls]
    assert [words.lower() for words in found] == [
        "check",
        *named,
        "raise",
        raises.name(raise_to(450)),
        raises.name(raise_to(900)),
        "raise to 900",
        "bet 450",
    ]
