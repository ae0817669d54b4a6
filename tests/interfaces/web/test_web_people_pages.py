"""Several people in their browsers: an invitation, a seat, the clock, sitting out, leaving, and being removed."""

import re
from collections.abc import Iterator

import pytest
from playwright.sync_api import Browser, Page, expect

from browsing import PHONE, browsing, grave_faults, own_cards, visit
from railbird.interfaces.web.table import pace
from web_client import Serving, serving


@pytest.fixture(scope="module")
def server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Serving]:
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(pace, "STEPS", dict.fromkeys(pace.STEPS, 0.005))
        patch.setattr(pace, "AFTER_HAND", dict.fromkeys(pace.AFTER_HAND, 0.05))
        with serving(tmp_path_factory.mktemp("people") / "store.db") as running:
            yield running


def call_until_over(pages: dict[str, Page], hand: int) -> None:
    """Everybody checks or calls until the next hand is dealt, or this one is over and no other follows."""
    history = pages["Ann"].locator(".history h2")
    while True:
        moment = pages["Ann"].locator(".table.over")
        turns = [page.get_by_role("group", name="Your turn", exact=True) for page in pages.values()]
        for page in pages.values():
            page.wait_for_timeout(20)
        if moment.count() or history.inner_text() != f"Hand {hand}":
            return
        for turn in turns:
            if turn.count():
                turn.locator("[data-name=call]").click()
                expect(turn).to_have_count(0)


STATISTICS = """async (chosen) => {
    const { chooseStatistics, drawStatistics } = await import("/static/table/plate_statistics.js");
    if (chosen !== null) chooseStatistics(chosen);
    const found = { hands: 20, vpip: 25, pfr: 10, aggression: 1.5 };
    const lines = [null, { host: false }].map((together) =>
        drawStatistics({ name: "Bob" }, { together, statistics: { Bob: found } }));
    return lines.map((line) => line?.title ?? null);
}"""


def test_statistics_are_on_plates_by_choice(browser: Browser, server: Serving) -> None:
    line = "VPIP 25 %, PFR 10 %, aggression 1.5, in 20 hands"
    with browsing(browser, server.address) as page:
        assert page.evaluate(STATISTICS, None) == [None, line]
        assert page.evaluate(STATISTICS, True) == [line, line]
        assert page.evaluate(STATISTICS, False) == [None, line]


def test_friends_play_by_invitation(browser: Browser, server: Serving) -> None:
    with (
        browsing(browser, server.address, refusals=1) as ann,
        browsing(browser, server.address, PHONE, refusals=1) as bob,
    ):
        # The host opens a table: a name is needed, and the usual one will not do.
        ann.get_by_label("Players at the table").or_(ann.locator("[name=seats][value='3']")).last.check(
            force=True
        )
        ann.get_by_label("Invite people").check()
        assert ann.get_by_label("Training: results do not count").is_hidden()
        ann.get_by_label("Seats for people, including yours").select_option("2")
        ann.get_by_label("Bot speed").select_option("instant")
        ann.locator("#opponent-0").select_option("always-call")
        begin = ann.locator(".begin").get_by_role("button", name="Open the table")
        begin.click()
        expect(
            ann.get_by_role("alert").filter(has_text="choose a name for the others to see")
        ).to_be_visible()
        ann.get_by_label("Your name").fill("Ann")
        begin.click()
        expect(ann.locator(".together")).to_contain_text("1 person, 1 free seat")
        assert ann.get_by_role("button", name="Advisor").is_hidden()
        assert ann.get_by_role("button", name="Strength").is_hidden()
        ann.get_by_role("button", name="People", exact=True).click()
        link = ann.get_by_label("Invitation link: anyone who opens it can take a free seat").input_value()
        assert link.startswith(f"{server.address}#/invite/")
        ann.keyboard.press("Escape")

        # The guest, on a phone: a name that is taken is refused, another one has a seat.
        invitation = link.removeprefix(server.address)
        visit(bob, invitation)
        expect(bob.get_by_role("heading", name="Ann invites you to play")).to_be_visible()
        expect(bob.get_by_text("You have 30 seconds for each decision.")).to_be_visible()
        bob.get_by_label("Your name at the table").fill("ann")
        bob.get_by_role("button", name="Take a seat").click()
        expect(
            bob.get_by_role("alert").filter(has_text="somebody at this table is already called")
        ).to_be_visible()
        bob.get_by_label("Your name at the table").fill("Bob")
        assert not grave_faults(bob)
        bob.get_by_role("button", name="Take a seat").click()
        expect(bob.locator(".chairs .chair").first).to_have_class("chair out you")
        expect(bob.get_by_text("The host deals the first hand.")).to_be_visible()
        assert bob.get_by_role("button", name="Pause").is_hidden()

        # They play from their own seats; the clock runs for both to see; nobody sees the other's cards.
        ann.get_by_role("button", name="Deal the first hand").click()
        for page in (ann, bob):
            expect(page.get_by_role("timer")).to_contain_text(" s")
        assert None not in own_cards(ann)
        for page, other in ((ann, "1"), (bob, "0")):
            cards = page.locator(f".chair[data-chair='{other}'] .holding .card")
            expect(cards).to_have_count(2)
            assert [card.get_attribute("aria-label") for card in cards.all()] == ["hidden card"] * 2
        assert not grave_faults(ann)
        assert not grave_faults(bob)
        bob.get_by_role("button", name="Sit out").click()
        expect(bob.get_by_role("button", name="Come back")).to_be_visible()
        call_until_over({"Ann": ann, "Bob": bob}, 1)
        expect(ann.locator(".chair[data-chair='1'] .last")).to_have_text("sitting out")

        # A reload brings the guest back to the same seat; then the guest leaves, and may review the hand.
        bob.reload()
        expect(bob.locator(".chairs .chair.you")).to_have_attribute("data-chair", "1")
        bob.get_by_role("button", name="People", exact=True).click()
        bob.get_by_role("button", name="Leave the table").click()
        expect(bob).to_have_url(re.compile("#/session/"))
        expect(ann.locator(".together")).to_contain_text("1 person, 1 free seat")

        # The guest returns under the same name, and the host removes this person between hands.
        visit(bob, invitation)
        expect(bob.get_by_label("Your name at the table")).to_have_value("Bob")
        bob.get_by_role("button", name="Take a seat").click()
        expect(ann.locator(".together")).to_contain_text("2 people")
        ann.get_by_role("button", name="Pause").click()
        ann.get_by_role("button", name="People", exact=True).click()
        ann.get_by_role("button", name="Remove Bob").click()
        expect(bob.locator(".felt .note")).to_contain_text("The host has removed you from the table")
