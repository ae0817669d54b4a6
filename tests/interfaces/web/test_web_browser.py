"""The table in a real browser: by mouse, by keys, on a phone, through broken lines, for eyes and for ears."""

import re
from collections.abc import Iterator

import pytest
from playwright.sync_api import Browser, Page, expect

from browsing import (
    PHONE,
    WIDE,
    Wire,
    act,
    browsing,
    deal_by_hand,
    grave_faults,
    hand_number,
    lines,
    own_cards,
    play_hand,
    sit_down,
    turn,
    visit,
)
from web_client import address_in, served_process


@pytest.fixture(scope="module")
def address(tmp_path_factory: pytest.TempPathFactory) -> Iterator[str]:
    """A server with a home of its own."""
    home = tmp_path_factory.mktemp("home")
    with served_process(home, "serve", "--port", 0, "--workers", 1) as (_process, line):
        yield address_in(line)


def test_a_session_by_mouse(browser: Browser, address: str) -> None:
    with browsing(browser, address) as page:
        page.get_by_text("Limit, heads-up", exact=True).click()
        page.get_by_label("Seat 1").select_option("always-call")
        page.get_by_label("Bot speed").select_option("instant")
        page.get_by_role("button", name="Play", exact=True).click()
        expect(
            page.get_by_role("heading", name="Limit heads-up, $10/$20, against Always Call")
        ).to_be_visible()
        turn(page)
        deal_by_hand(page)
        for hand in (1, 2):
            assert hand_number(page) == hand
            raised = False

            def click(page: Page) -> None:
                nonlocal raised
                bet = turn(page).get_by_role("button", name="Bet 10")
                if not raised and bet.count():
                    raised = True
                    bet.click()
                else:
                    turn(page).locator("[data-name=call]").click()

            play_hand(page, click)
            assert any(line.startswith("You bet 10") for line in lines(page))
            assert "wins" in lines(page)[-1] or "You win" in lines(page)[-1]
            if hand == 1:
                page.get_by_role("button", name="Deal the next hand").click()
                turn(page)
        expect(page.locator(".hands-played")).to_have_text("2 hands")
        net = page.locator(".net strong").inner_text()
        page.get_by_role("button", name="Options").click()
        page.get_by_role("button", name="End the session").click()
        page.get_by_role("button", name="End session").click()
        hands = page.get_by_role("region", name="Hands", exact=True)
        expect(hands.get_by_role("link", name="Hand 2")).to_be_visible()
        # The strongest agent of the game looks at the decisions at once.
        expect(page.locator(".review-answer")).to_contain_text(re.compile(r"your \d+ decisions"))
        page.get_by_role("navigation", name="Pages").get_by_role("link", name="Lobby").click()
        session = page.locator(".session")
        expect(session).to_contain_text("2 hands")
        expect(session).to_contain_text(net)
        expect(session.get_by_role("link", name="Resume")).to_have_count(0)


def test_a_hand_left_behind_is_resumed_first_and_a_drawer_leaves_its_actions_free(
    browser: Browser, address: str
) -> None:
    with browsing(browser, address, PHONE) as page:
        expect(page.get_by_role("region", name="Hand in progress")).to_have_count(0)
        sit_down(page, "limit-2p", ["always-call"])
        turn(page)
        visit(page, "#/")
        resume = page.get_by_role("link", name="Resume your hand")
        expect(page.get_by_role("region", name="Hand in progress")).to_contain_text(
            "Hand 1 is waiting for you"
        )
        tops = [
            page.locator(part).evaluate("part => part.getBoundingClientRect().top")
            for part in (".resume", ".lobby-head", ".session", ".new-table")
        ]
        assert tops == sorted(tops)
        assert page.locator("main a").first.inner_text() == "Resume your hand"
        assert not grave_faults(page)
        resume.click()
        turn(page)
        page.get_by_role("button", name="Strength").click()
        expect(page.locator(".side dd").first).to_be_visible()
        drawer, bar = page.locator(".side").bounding_box(), page.locator(".actions").bounding_box()
        assert drawer is not None
        assert bar is not None
        assert drawer["y"] + drawer["height"] <= bar["y"] + 1
        assert bar["y"] + bar["height"] <= PHONE[1] + 1
        act(page, lambda page: turn(page).locator("[data-name=call]").click())
        expect(page.locator(".side")).to_be_visible()


def test_a_session_by_keys_alone(browser: Browser, address: str) -> None:
    with browsing(browser, address) as page:
        _tab_to(page, "input[name=game]")
        page.keyboard.press("ArrowDown")
        expect(page.locator("input[value=limit-heads-up]")).to_be_checked()
        _tab_to(page, "#speed")
        page.keyboard.type("Instant")
        _tab_to(page, "#opponent-0")
        page.keyboard.type("always-c")
        _tab_to(page, "button[type=submit]")
        page.keyboard.press("Enter")
        turn(page)
        _tab_to(page, "[data-tool=options]", backwards=True)
        page.keyboard.press("Enter")
        _tab_to(page, "dialog input[type=checkbox]")
        page.keyboard.press("Space")
        page.keyboard.press("Escape")

        play_hand(page, lambda page: page.keyboard.press("c"))
        # Everything that happened was said, and every turn was announced.
        said = page.locator("#announcements p").all_inner_texts()
        for line in lines(page):
            assert any(text.startswith(line) for text in said), line
        assert page.locator("#urgent").inner_text().startswith("Your turn: ")

        page.keyboard.press("?")
        _tab_to(page, "[data-command=fold]")
        page.keyboard.press("Enter")
        page.keyboard.press("x")
        page.keyboard.press("Escape")
        expect(page.get_by_role("dialog")).to_have_count(0)
        page.locator("h1").focus()
        page.keyboard.press("Enter")
        expect(page.locator(".history h2")).to_have_text("Hand 2")
        turn(page)
        while not page.get_by_role("button", name="Fold").count():
            act(page, lambda page: page.keyboard.press("r"))
            expect(
                page.locator(".table.over").or_(page.get_by_role("group", name="Your turn", exact=True))
            ).to_be_visible()
            if page.locator(".table.over").count():
                page.keyboard.press("Enter")
                turn(page)
        page.keyboard.press("f")
        page.keyboard.press("x")
        expect(page.locator(".table.over")).to_be_visible()
        assert "You fold" in lines(page)


def _tab_to(page: Page, selector: str, *, backwards: bool = False) -> None:
    """Press Tab until something like this has the focus."""
    for _ in range(80):
        if page.evaluate("selector => document.activeElement.matches(selector)", selector):
            return
        page.keyboard.press("Shift+Tab" if backwards else "Tab")
    raise AssertionError(f"{selector} cannot be reached with Tab")


def test_a_line_that_is_cut_and_a_page_that_is_loaded_anew_come_back_to_the_same_point(
    browser: Browser, address: str
) -> None:
    with browsing(browser, address) as page:
        wire = Wire(page)
        sit_down(page, "limit-3p", ["always-call", "random"])
        turn(page)
        act(page, lambda page: page.keyboard.press("c"))

        def point() -> tuple[object, ...]:
            offered = turn(page).get_by_role("button").all_inner_texts()
            board = page.locator(".board").get_attribute("aria-label")
            return hand_number(page), lines(page), own_cards(page), board, offered

        before = point()
        wire.cut()
        page.wait_for_function("() => document.querySelector('.felt .note').hidden === false")
        expect(page.locator(".felt .note")).to_be_hidden()
        assert wire.opened == 2
        assert point() == before
        page.reload()
        assert point() == before
        act(page, lambda page: page.keyboard.press("c"))


def test_a_table_that_is_gone_is_not_asked_for_again(browser: Browser, address: str) -> None:
    with browsing(browser, address) as page:
        wire = Wire(page)
        sit_down(page, "limit-2p", ["always-call"])
        turn(page)
        wire.refusal = (4404, "there is no such session")
        wire.cut()
        notice = page.locator(".felt .note")
        expect(notice).to_contain_text("There is no such session.")
        page.wait_for_timeout(1500)
        assert wire.opened == 2
        page.keyboard.press("c")
        expect(page.locator(".action-message")).to_have_text("The connection is closed.")
        notice.get_by_role("link", name="Back to the lobby").click()
        expect(page.get_by_role("heading", name="Take a seat")).to_be_visible()


def test_a_server_that_is_full_says_so_and_is_asked_again_slowly(browser: Browser, address: str) -> None:
    with browsing(browser, address) as page:
        wire = Wire(page)
        sit_down(page, "limit-2p", ["always-call"])
        turn(page)
        wire.refusal = (1013, "too many tables are open")
        wire.cut()
        notice = page.locator(".felt .note")
        expect(notice).to_have_text("Too many tables are open; reconnecting …")
        page.wait_for_timeout(2500)
        assert wire.opened == 2
        expect(notice).to_be_visible()
        wire.refusal = None
        expect(notice).to_be_hidden()
        assert wire.opened == 3
        act(page, lambda page: page.keyboard.press("c"))


def test_ten_players_on_a_phone(browser: Browser, address: str) -> None:
    with browsing(browser, address, PHONE) as page:
        assert page.evaluate("document.documentElement.scrollWidth") <= PHONE[0]
        sit_down(page, "limit-10max", ["always-call"] * 9)
        turn(page)
        assert page.evaluate("document.documentElement.scrollWidth") <= PHONE[0]
        bar = page.locator(".actions").bounding_box()
        assert bar is not None
        plates = [plate.bounding_box() for plate in page.locator(".plate").all()]
        assert len(plates) == 10
        for box in plates:
            assert box is not None
            assert 0 <= box["x"] <= PHONE[0] - box["width"]
            assert box["y"] + box["height"] <= bar["y"], "the actions cover a player"
        for one, box in enumerate(plates):
            for other in plates[:one]:
                assert box is not None
                assert other is not None
                apart = (
                    box["x"] + box["width"] <= other["x"] + 4
                    or other["x"] + other["width"] <= box["x"] + 4
                    or box["y"] + box["height"] <= other["y"]
                    or other["y"] + other["height"] <= box["y"]
                )
                assert apart, "two players cover each other"
        for button in turn(page).get_by_role("button").all():
            box = button.bounding_box()
            assert box is not None
            assert 44 <= box["height"] <= PHONE[1] - box["y"]
        page.get_by_role("button", name="Strength").click()
        expect(page.locator(".side")).to_contain_text("equity against 9 random hands")
        page.get_by_role("button", name="Close the panel").click()
        turn(page).get_by_role("button").first.click()


@pytest.mark.parametrize("size", [PHONE, (700, 900), (1024, 768), WIDE, (1920, 1080)], ids=str)
def test_the_dealer_button_covers_no_text_and_no_card(
    browser: Browser, address: str, size: tuple[int, int]
) -> None:
    with browsing(browser, address, size) as page:
        sit_down(page, "limit-10max", ["always-call"] * 9)
        turn(page)
        assert page.locator(".button-disc").count() == 1
        covered = page.evaluate(
            """() => {
                const texts = (plate) => [...plate.querySelectorAll("p")].flatMap((line) => {
                    const range = document.createRange();
                    range.selectNodeContents(line);
                    return [...range.getClientRects()].map((box) => [box, line.textContent]);
                });
                const meets = (one, other) =>
                    one.left < other.right && other.left < one.right &&
                    one.top < other.bottom && other.top < one.bottom;
                const disc = document.querySelector(".button-disc");
                const plates = [...document.querySelectorAll(".plate")];
                for (const plate of plates) {
                    plate.querySelector(".chips-behind").textContent = "1,234,567½";
                    plate.querySelector(".last").textContent = "raises to 1,234,567";
                }
                return plates.flatMap((plate) => {
                    plate.append(disc);
                    const box = disc.getBoundingClientRect();
                    const cards = [...document.querySelectorAll(".holding .card")]
                        .map((card) => [card.getBoundingClientRect(), card.getAttribute("aria-label")]);
                    return [...plates.flatMap(texts), ...cards]
                        .filter(([other]) => other.width && meets(box, other))
                        .map(([, words]) => words);
                });
            }"""
        )
        assert covered == []


def test_training_is_marked_open_and_explained_at_once(browser: Browser, address: str) -> None:
    with browsing(browser, address, refusals=1) as page:
        page.get_by_text("Limit, three players", exact=True).click()
        page.get_by_label("Training: results do not count").check()
        page.get_by_label("Deal me only these starting hands").fill("AA, nonsense")
        page.get_by_label("Seat 1").select_option("always-call")
        page.get_by_label("Seat 2").select_option("random")
        page.get_by_role("button", name="Play", exact=True).click()
        expect(page.get_by_role("alert").filter(has_text="nonsense")).to_be_visible()
        page.get_by_label("Deal me only these starting hands").fill("AA")
        page.get_by_label("Bot speed").select_option("instant")
        page.get_by_role("button", name="Play", exact=True).click()
        turn(page)
        deal_by_hand(page)
        expect(page.get_by_text("training: does not count")).to_be_visible()
        expect(page.locator(".holding .card.back")).to_have_count(0)
        expect(page.locator(".holding .card")).to_have_count(6)
        assert all(card is not None and card.startswith("ace of ") for card in own_cards(page))
        page.locator(".why-button").last.click()
        expect(page.locator(".side .why-title")).to_be_visible()
        play_hand(page, lambda page: page.keyboard.press("c"))
        expect(page.locator(".hands-played")).to_have_text("0 hands")
        _is_within(page, 1000, 660)
        expect(page.locator(".net strong")).to_have_text("0 small bets")


def _is_within(page: Page, width: int, height: int) -> None:
    """A history that is longer than the window scrolls inside its frame, and pushes nothing out of sight."""
    page.set_viewport_size({"width": width, "height": height})
    page.get_by_role("button", name="Close the panel").click()
    log = page.locator(".history > .log")
    assert log.evaluate("log => log.scrollHeight > log.clientHeight")
    boxes = [line.bounding_box() for line in log.locator("> li > span:first-child").all()]
    tops = [box["y"] for box in boxes if box is not None]
    ends = [box["y"] + box["height"] for box in boxes if box is not None]
    assert all(end <= top + 1 for end, top in zip(ends, tops[1:], strict=False)), "lines cover each other"
    bar = page.locator(".actions").bounding_box()
    assert bar is not None
    assert bar["y"] + bar["height"] <= height


def test_reasons_of_live_opponents_wait_for_the_end_of_the_hand(browser: Browser, address: str) -> None:
    with browsing(browser, address) as page:
        sit_down(page, "limit-2p", ["always-call"])
        turn(page)
        deal_by_hand(page)
        expect(page.locator(".holding .card.back")).to_have_count(2)
        page.keyboard.press("w")
        expect(page.locator(".side")).to_contain_text("when the hand is over")
        play_hand(page, lambda page: page.keyboard.press("c"))
        expect(page.locator(".why-button")).not_to_have_count(0)
        page.keyboard.press("w")
        expect(page.locator(".side .why-title")).to_have_text("Always Call checks")
        expect(page.locator(".holding .card.back")).to_have_count(0)


def test_the_range_of_an_opponent_is_drawn_when_it_is_asked_for(browser: Browser, address: str) -> None:
    with browsing(browser, address) as page:
        sit_down(page, "limit-2p", ["probtriple"])
        turn(page)
        deal_by_hand(page)
        play_hand(page, lambda page: page.keyboard.press("c"))
        expect(page.locator(".why-button")).not_to_have_count(0)
        page.keyboard.press("w")
        expect(page.locator(".side .why-title")).to_be_visible()
        expect(page.locator(".side .why-range table.range")).to_have_count(0)
        page.get_by_role("button", name="Show range").click()
        grids = page.locator(".side .why-range table.range")
        expect(grids.first).to_be_visible()
        expect(grids.first.get_by_role("gridcell")).to_have_count(169)
        expect(
            page.get_by_role("heading", name=re.compile(r"^(check|call \d+): [\d.]+ % of all hands$")).first
        ).to_be_in_viewport()
        expect(grids.first).to_be_in_viewport(ratio=0.9)
        expect(page.get_by_role("button", name="Show range")).to_have_count(0)


def test_an_advisor_says_what_it_would_do_and_why(browser: Browser, address: str) -> None:
    with browsing(browser, address) as page:
        sit_down(page, "limit-2p", ["always-raise"])
        turn(page)
        page.keyboard.press("a")
        page.get_by_label("What would this bot do in your seat?").select_option("always-fold")
        page.get_by_role("button", name="Ask").click()
        expect(page.locator(".advice .why-title")).to_contain_text("fold")
        expect(page.locator(".advice .why-summary")).to_be_visible()


def test_the_replayer_goes_through_a_hand_with_all_cards_open(browser: Browser, address: str) -> None:
    with browsing(browser, address) as page:
        session = sit_down(page, "limit-3p", ["always-call", "always-call"])
        turn(page)
        deal_by_hand(page)
        play_hand(page, lambda page: page.keyboard.press("c"))
        held, board = own_cards(page), page.locator(".board").get_attribute("aria-label")
        visit(page, f"#/session/{session}")
        page.locator(f"a[href='#/replay/{session}/1']").first.click()
        expect(page.get_by_role("heading", name="Hand 1")).to_be_visible()
        expect(page.locator(".board .card:not(.place)")).to_have_count(0)
        expect(page.locator(".holding .card.back")).to_have_count(0)
        assert own_cards(page) == held
        page.keyboard.press("ArrowRight")
        page.keyboard.press("ArrowRight")
        expect(page.get_by_role("status").filter(has_text="2 of")).to_be_visible()
        page.keyboard.press("End")
        assert page.locator(".board").get_attribute("aria-label") == board
        expect(page.locator(".why").or_(page.locator(".replay-why"))).not_to_have_count(0)


def test_namesakes_have_one_name_everywhere_and_results_the_unit_of_choice(
    browser: Browser, address: str
) -> None:
    with browsing(browser, address) as page:
        session = sit_down(page, "limit-3p", ["jagbot:profile=maniac"] * 2)
        turn(page)
        deal_by_hand(page)
        names = ["You", "Maniac Jagbot 1", "Maniac Jagbot 2"]
        plates = page.locator(".plate .name")
        expect(plates).to_have_text(names)
        tip, name = page.locator(".tip"), plates.nth(2).locator(".named")
        expect(tip).to_be_hidden()
        expect(name).to_have_attribute("title", "jagbot:profile=maniac")
        name.focus()
        expect(tip).to_have_text("jagbot:profile=maniac")
        expect(tip).to_be_in_viewport(ratio=1)
        page.keyboard.press("Escape")
        expect(tip).to_be_hidden()
        play_hand(page, lambda page: page.keyboard.press("f"))
        told = " ".join(page.locator(".log").all_inner_texts())
        assert set(re.findall(r"Maniac Jagbot \d", told)) == set(names[1:])
        page.locator(".why-button").first.click()
        title = page.locator(".side .why-title")
        expect(title).to_have_text(re.compile(r"^Maniac Jagbot [12] "))
        expect(title.locator(".named")).to_have_attribute("title", "jagbot:profile=maniac")
        net = page.locator(".net strong")
        expect(net).to_have_text(re.compile(r"^(0|[+−][0-9.]+) small bets?$"))
        page.get_by_role("button", name="Options").click()
        page.get_by_label("Show results in").select_option("Dollars")
        page.get_by_role("button", name="Close").last.click()
        expect(net).to_have_text(re.compile(r"^[+−]?\$[0-9]+$"))
        visit(page, f"#/session/{session}")
        rows = page.get_by_role("region", name="Player statistics").get_by_role("rowheader")
        expect(rows).to_have_text(names)
        expect(rows.nth(1).locator(".named")).to_have_attribute("title", "jagbot:profile=maniac")
        expect(page.locator(".figure-box dd").first).to_have_text(re.compile(r"^[+−]?\$[0-9]+$"))
        visit(page, "#/")
        mine = page.locator(".session").filter(has_text="against Maniac Jagbot, Maniac Jagbot")
        expect(mine).to_contain_text(re.compile(r"[+−]?\$[0-9]+"))


def test_amounts_by_digits_presets_and_slider(browser: Browser, address: str) -> None:
    with browsing(browser, address) as page:
        sit_down(page, "nolimit-2p", ["always-call"])
        buttons = turn(page)
        deal_by_hand(page)
        amount = page.locator(".amount-number")
        page.keyboard.press("3")
        page.keyboard.type("00")
        expect(buttons.get_by_role("button", name="Raise to 300")).to_be_visible()
        page.keyboard.press("Enter")
        page.wait_for_function("() => document.body.innerText.includes('You raise to 300')")
        expect(turn(page).get_by_role("button", name="Bet 100")).to_be_visible()
        page.get_by_role("button", name="pot").click()
        expect(amount).to_have_value("600")
        amount.fill("50")
        disabled = turn(page).get_by_role("button", name=re.compile("^Bet"))
        expect(disabled).to_be_disabled()
        expect(disabled).to_have_text(re.compile(r"^Bet\s*r?$"))
        page.locator(".amount-slider").press("End")
        expect(amount).to_have_value("19700")
        turn(page).get_by_role("button", name="All-in 19,700").click()
        expect(page.locator(".table.over")).to_be_visible()
        assert "You go all-in for 19,700" in lines(page)


def test_a_choice_before_the_turn_holds_for_the_price_that_was_seen(browser: Browser, address: str) -> None:
    with browsing(browser, address) as page:
        sit_down(page, "limit-3p", ["always-call", "always-raise"], speed="slow")
        # The raiser acts first before the flop, and last after it.
        _choose(page, "Call 5")
        expect(turn(page).get_by_role("button", name="Call 15")).to_be_visible()
        assert lines(page)[-1] == "Always Raise raises to 20"
        act(page, lambda page: page.keyboard.press("c"))
        act(page, lambda page: turn(page).get_by_role("button", name="Check").click())
        _choose(page, "Call any")
        page.wait_for_function("() => document.body.innerText.includes('You call 10')")
        assert lines(page)[-3:] == ["Always Call checks", "Always Raise bets 10", "You call 10"]


def _choose(page: Page, words: str) -> None:
    """Choose before the turn, while nobody acts: the others would not wait for the test."""
    early = page.get_by_role("group", name="Choose before your turn")
    expect(early).to_be_visible()
    page.keyboard.press("p")
    expect(page.get_by_role("button", name="Continue")).to_be_visible()
    early.get_by_role("button", name=words, exact=True).click()
    expect(early.get_by_role("button", name=words, exact=True)).to_have_attribute("aria-pressed", "true")
    page.keyboard.press("p")


def test_a_fold_that_was_chosen_before_the_turn_stands_at_any_price(browser: Browser, address: str) -> None:
    with browsing(browser, address) as page:
        sit_down(page, "limit-3p", ["always-call", "always-raise"], speed="slow")
        _choose(page, "Fold")
        page.wait_for_function("() => document.body.innerText.includes('You fold')")
        assert lines(page)[-2:] == ["Always Raise raises to 20", "You fold"]


def test_check_fold_folds_to_a_bet(browser: Browser, address: str) -> None:
    with browsing(browser, address) as page:
        sit_down(page, "limit-3p", ["always-call", "always-raise"], speed="slow")
        act(page, lambda page: turn(page).get_by_role("button", name="Call 15").click())
        act(page, lambda page: turn(page).get_by_role("button", name="Check").click())
        _choose(page, "Check/fold")
        page.wait_for_function("() => document.body.innerText.includes('You fold')")
        assert lines(page)[-3:] == ["Always Call checks", "Always Raise bets 10", "You fold"]


@pytest.mark.parametrize("words", ["Check/fold", "Call any"])
def test_a_choice_for_any_price_ends_with_the_round_and_checks_where_that_is_free(
    browser: Browser, address: str, words: str
) -> None:
    with browsing(browser, address) as page:
        sit_down(page, "limit-2p", ["always-call"], speed="slow")
        _choose(page, words)
        page.wait_for_function("() => document.body.innerText.includes('You check')")
        told = lines(page)
        assert told[told.index("You check") - 1] == "Always Call calls 5"
        act(page, lambda page: turn(page).get_by_role("button", name="Check").click())
        _choose(page, words)
        # The other one checks, and a card is dealt that nobody had seen when this was chosen.
        expect(page.locator(".action-message")).to_contain_text(f"“{words}” was cancelled")
        turn(page)
        assert lines(page).count("You check") == 2


def test_the_fields_of_an_amount_leave_letters_to_the_table(browser: Browser, address: str) -> None:
    with browsing(browser, address) as page:
        sit_down(page, "nolimit-2p", ["always-call"])
        turn(page)
        deal_by_hand(page)
        number, slider = page.locator(".amount-number"), page.locator(".amount-slider")
        page.keyboard.press("r")
        expect(number).to_be_focused()
        page.keyboard.press("r")
        page.wait_for_function("() => document.body.innerText.includes('You raise to 200')")

        expect(turn(page).get_by_role("button", name="Bet 100")).to_be_visible()
        page.keyboard.press("7")
        page.keyboard.type("509")
        page.keyboard.press("Backspace")
        expect(number).to_have_value("750")
        page.keyboard.press("ArrowUp")
        expect(number).to_have_value("800")
        page.keyboard.press("Escape")
        expect(page.locator(".actions")).to_be_focused()
        expect(number).to_have_value("800")
        page.keyboard.press("r")
        expect(number).to_be_focused()
        act(page, lambda page: page.keyboard.press("c"))
        assert "You check" in lines(page)

        turn(page)
        slider.focus()
        page.keyboard.press("ArrowRight")
        expect(number).to_have_value("200")
        page.keyboard.press("Escape")
        expect(slider).not_to_be_focused()
        slider.focus()
        act(page, lambda page: page.keyboard.press("c"))
        assert lines(page).count("You check") == 2

        turn(page)
        slider.focus()
        page.keyboard.press("End")
        page.keyboard.press("Enter")
        page.wait_for_function("() => document.body.innerText.includes('You go all-in for 19,800')")


def test_folding_from_the_field_of_an_amount_and_letters_in_other_fields(
    browser: Browser, address: str
) -> None:
    with browsing(browser, address) as page:
        sit_down(page, "nolimit-2p", ["always-raise"])
        turn(page)
        deal_by_hand(page)
        page.keyboard.press("a")
        advisor = page.get_by_label("What would this bot do in your seat?")
        expect(advisor).to_be_focused()
        page.keyboard.press("f")
        page.keyboard.press("r")
        expect(advisor).to_be_focused()
        turn(page)
        page.get_by_role("button", name="Close the panel").click()
        page.locator(".amount-number").focus()
        page.keyboard.press("f")
        expect(page.locator(".table.over")).to_be_visible()
        assert "You fold" in lines(page)


def test_agents_among_themselves_are_watched_paused_and_forwarded(browser: Browser, address: str) -> None:
    with browsing(browser, address) as page:
        sit_down(page, "limit-2p", ["always-call", "always-call"], watch=True, speed="slow")
        expect(page.get_by_text("watching", exact=True)).to_be_visible()
        page.get_by_role("button", name="Fast-forward").click()
        expect(page.locator(".table.over")).to_be_visible()
        page.keyboard.press("p")
        expect(page.get_by_role("button", name="Continue", exact=True)).to_be_visible()
        expect(page.get_by_role("button", name="Advisor")).to_be_hidden()


def test_no_page_has_a_grave_fault_for_those_who_cannot_see_well(browser: Browser, address: str) -> None:
    with browsing(browser, address) as page:
        session = sit_down(page, "limit-2p", ["always-call"], training={"face_up": True, "hands": ""})
        turn(page)
        deal_by_hand(page)
        play_hand(page, lambda page: page.keyboard.press("c"))
        page.keyboard.press("Enter")
        turn(page)
        page.keyboard.press("w")
        expect(page.locator(".side .why-title")).to_be_visible()
        found = {"table": _grave_in_both_themes(page)}
        page.keyboard.press("?")
        found["keys"] = _grave_in_both_themes(page)
        for place in ("", f"session/{session}", f"replay/{session}/1", "explore", "tournament"):
            visit(page, f"#/{place}")
            found[place] = _grave_in_both_themes(page)
        assert {place: faults for place, faults in found.items() if faults} == {}


def _grave_in_both_themes(page: Page) -> list[str]:
    """Themes differ in their colours only."""
    faults = []
    for theme, rules in (("light", ()), ("dark", ("color-contrast",))):
        page.evaluate("theme => { document.documentElement.dataset.theme = theme; }", theme)
        faults += [f"{theme}: {fault}" for fault in grave_faults(page, *rules)]
    return faults


def test_a_session_is_removed_for_good_after_a_question(browser: Browser, address: str) -> None:
    with browsing(browser, address) as page:
        for opponent in ("always-call", "always-raise"):
            sit_down(page, "limit-2p", [opponent])
            turn(page)
        visit(page, "#/")
        sessions = page.locator(".session")
        expect(sessions).to_have_count(2)
        unfinished = sessions.filter(has_text="against Always Call")
        dialog = page.get_by_role("dialog", name="Remove this session?")
        unfinished.get_by_role("button", name="Remove").click()
        expect(dialog).to_contain_text("It is not finished.")
        assert grave_faults(page) == []
        dialog.get_by_role("button", name="Keep").click()
        expect(dialog).to_have_count(0)
        expect(sessions).to_have_count(2)
        unfinished.get_by_role("button", name="Remove").click()
        with page.expect_response(re.compile(r"/api/sessions/")) as answered:
            dialog.get_by_role("button", name="Remove").click()
        asked = answered.value.request
        assert (asked.method, asked.url.partition("?")[2]) == ("DELETE", "remove=true")
        expect(sessions).to_have_count(1)
        expect(page.get_by_role("heading", name="Your sessions")).to_be_focused()
        page.reload()
        expect(sessions).to_have_count(1)
        expect(sessions).to_contain_text("against Always Raise")
        sessions.get_by_role("button", name="Remove").press("Enter")
        dialog.get_by_role("button", name="Remove").press("Enter")
        expect(page.get_by_text("Your sessions will appear here")).to_be_visible()
