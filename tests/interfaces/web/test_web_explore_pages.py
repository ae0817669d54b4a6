"""The pages about cases, networks, agents and tournaments in a real browser, by mouse and by keyboard."""

import re
from collections.abc import Iterator

import pytest
from playwright.sync_api import Browser, Page, Route, expect

from browsing import PATIENCE, PHONE, browsing, grave_faults, turn, visit
from railbird.agent import display_name
from railbird.agents.casper.agent import pack_path
from railbird.agents.provenance import sources
from railbird.bayes.inference import posterior
from railbird.bayes.text import percent
from railbird.bayes.xdsl.files import read_xdsl
from railbird.cbr.packs.files import read_pack
from railbird.interfaces.ratings import MEANINGS, shipped_ratings
from railbird.interfaces.web.explore import knowledge
from railbird.opponents.network.nodes import state_title
from web_client import address_in, served_process


@pytest.fixture(scope="module")
def address(tmp_path_factory: pytest.TempPathFactory) -> Iterator[str]:
    home = tmp_path_factory.mktemp("home")
    with served_process(home, "serve", "--port", 0, "--workers", 1) as (_process, line):
        yield address_in(line)


def width_beyond(page: Page) -> int:
    """How many pixels the page is wider than the window."""
    found: int = page.evaluate("document.documentElement.scrollWidth - innerWidth")
    return found


def test_cases_are_filtered_and_their_neighbours_shown(browser: Browser, address: str) -> None:
    base = read_pack(pack_path("casper01")).bases["flop"]
    place = base.schema.place("hand strength")
    strong = int((base.values[:, place] >= 0.9).sum())
    with browsing(browser, address) as page:
        visit(page, "#/explore")
        packs = page.locator("section", has=page.get_by_role("heading", name="Case bases"))
        packs.get_by_role("link", name="casper01").click()
        page.get_by_role("navigation", name="Case bases").get_by_role(
            "link", name=re.compile("^flop")
        ).click()
        results = page.locator(".case-results h2")
        expect(results).to_have_text(f"All {len(base):,} cases")
        page.get_by_label("hand strength, at least").fill("0.9")
        expect(results).to_have_text(f"{strong:,} cases of {len(base):,}")
        page.reload()
        expect(results).to_have_text(f"{strong:,} cases of {len(base):,}")
        assert grave_faults(page) == []
        page.get_by_role("region", name="Cases").get_by_role("link").first.click()
        neighbours = page.get_by_role("region", name="Neighbours").locator("tbody tr")
        expect(neighbours).to_have_count(12)
        page.get_by_label("showing at most").select_option("5")
        expect(neighbours).to_have_count(7)
        assert grave_faults(page) == []


def test_evidence_is_set_and_cleared_by_keyboard(browser: Browser, address: str) -> None:
    network = read_xdsl(knowledge.item(knowledge.NETWORKS, "baycarp").path)
    with browsing(browser, address) as page:
        visit(page, "#/explore/networks/baycarp")
        group = page.get_by_role("region", name=re.compile("^starting-hand group, given VPIP"))

        def expect_shown(evidence: dict[str, str]) -> None:
            for state, number in zip(
                network.structure.variable("HandGroup").states,
                posterior(network, evidence)["HandGroup"].tolist(),
                strict=True,
            ):
                title = state_title("HandGroup", state)
                button = group.get_by_role("button", name=re.compile(f"^{title} "))
                expect(button.locator(".share-text")).to_have_text(percent(number).replace("%", " %"))

        expect_shown({})
        raised = page.get_by_role("region", name="action before the flop", exact=True).get_by_role(
            "button", name=re.compile("^raise ")
        )
        raised.focus()
        page.keyboard.press("Enter")
        expect(raised).to_have_attribute("aria-pressed", "true")
        expect_shown({"Action": "Raise"})
        expect(
            page.get_by_role("button", name="Clear evidence: action before the flop: raise")
        ).to_be_visible()
        assert grave_faults(page) == []
        page.keyboard.press("Space")
        expect(raised).to_have_attribute("aria-pressed", "false")
        expect_shown({})


def test_an_agent_leads_to_a_table_with_it(browser: Browser, address: str) -> None:
    with browsing(browser, address) as page:
        visit(page, "#/explore/agents")
        assert grave_faults(page) == []
        page.get_by_role("link", name="CASPER02", exact=True).click()
        expect(page.get_by_role("heading", name="CASPER02")).to_be_visible()
        expect(page.locator(".knowledge li")).to_have_text([*sources("casper02")])
        page.get_by_role("link", name="Play against CASPER02").click()
        expect(page.get_by_label("Seat 1")).to_have_value("casper02")


def add_heads_upper(route: Route) -> None:
    """The lobby with one more agent, which plays heads-up only."""
    reply = route.fetch()
    lobby = reply.json()
    plays = ["limit-2p", "nolimit-2p"]
    lobby["agents"].append(
        {
            "name": "heads-upper",
            "title": "Heads-Upper",
            "summary": "",
            "papers": [],
            "parameters": [],
            "plays": plays,
        }
    )
    route.fulfill(response=reply, json=lobby)


def test_an_agent_is_offered_where_it_plays(browser: Browser, address: str) -> None:
    with browsing(browser, address) as page:
        page.route("**/api/lobby", add_heads_upper)
        visit(page, "#/?opponent=heads-upper")
        first = page.get_by_label("Seat 1")
        expect(page.get_by_role("radio", name=re.compile("^Limit, heads-up"))).to_be_checked()
        expect(first).to_have_value("heads-upper")
        first.select_option("simbot")
        page.locator(".opponent summary").first.click()
        means = page.locator(".known-parameters dt", has_text="trials=500 whole number")
        expect(means.locator("+ dd")).to_contain_text("simulated hands")
        page.get_by_label("Parameters of opponent 1").fill("trials=50")
        first.focus()
        expect(page.locator(".tip")).to_have_text("simbot:trials=50")
        first.select_option("heads-upper")
        expect(page.locator(".tip")).to_have_text("heads-upper")
        expect(first.locator("option[value=sartre-3p]")).to_have_count(0)
        page.get_by_role("radio", name=re.compile("^Limit, ring game")).check()
        first.select_option("heads-upper")
        page.get_by_role("radio", name="3", exact=True).check()
        expect(first.locator("option[value=heads-upper]")).to_have_count(0)
        expect(first.locator("option[value=sartre-3p]")).to_have_count(1)


def test_a_newcomer_finds_opponents_by_their_stars(browser: Browser, address: str) -> None:
    ratings = shipped_ratings()
    with browsing(browser, address) as page:
        page.get_by_role("radio", name=re.compile("^No-limit, ring game")).check()
        expect(page.get_by_text("No bot here plays this game well yet.")).to_be_visible()
        expect(page.locator(".recommended-table")).to_have_count(0)
        expect(page.locator(".opponent .stars").first).to_have_text("Not rated")

        page.get_by_role("radio", name=re.compile("^Limit, heads-up")).check()
        expect(page.get_by_text("No bot here plays this game well yet.")).to_be_hidden()
        choice = page.get_by_label("Seat 1")
        ranked = [option.get_attribute("value") for option in choice.locator("option").all()]
        heads_up = ratings["limit-2p"].ratings
        assert ranked == [agent for agent in heads_up if ":" not in agent]
        for agent in (ranked[0], ranked[-1]):
            assert agent is not None
            choice.select_option(agent)
            rating = heads_up[agent]
            stars = page.locator(".opponent .stars")
            expect(stars).to_have_text("★" * rating.stars + "☆" * (5 - rating.stars))
            words = f"{rating.stars} of 5 stars: {MEANINGS[rating.stars]}"
            sign, margin = "−" if rating.mean < 0 else "+", f"{rating.margin:.2f}"
            figure = f"{sign}{abs(rating.mean):.2f} ± {margin} small bets per hand in a tournament of "
            expect(stars).to_have_attribute("aria-label", words)
            expect(stars).to_have_attribute("title", re.compile(re.escape(figure)))
            page.locator(".opponent-stars .named").focus()
            expect(page.locator(".tip:not([hidden])")).to_contain_text(figure)
        assert grave_faults(page) == []

        page.get_by_role("radio", name=re.compile("^Limit, three players")).check()
        page.get_by_label("Bot speed").select_option("instant")
        page.get_by_role("button", name="Play at the toughest table").click()
        strongest = list(ratings["limit-3p"].ratings)
        for agent in strongest[:2]:
            expect(page.get_by_role("heading", level=1)).to_contain_text(display_name(agent))
        turn(page)
        page.get_by_role("button", name="Advisor").click()
        expect(page.get_by_label("What would this bot do in your seat?")).to_have_value(strongest[0])


def test_the_tour_leads_from_the_lobby_to_the_table_by_keys_alone(browser: Browser, address: str) -> None:
    with browsing(browser, address, PHONE) as page:
        page.get_by_role("button", name="Theme").click()
        page.get_by_role("button", name="Theme").click()
        card = page.get_by_role("dialog")
        page.get_by_role("button", name="Take the tour").press("Enter")
        expect(card.get_by_role("heading")).to_be_focused()
        expect(card).to_contain_text("step 1 of 6")
        assert grave_faults(page) == []
        page.keyboard.press("Tab")
        page.keyboard.press("Enter")
        expect(card).to_contain_text("step 2 of 6")
        page.get_by_role("button", name="Play at the friendly table").press("Enter")
        for step, part in (
            (3, ".actions"),
            (4, ".history"),
            (5, "[data-tool=advisor]"),
            (6, "[data-tool=options]"),
        ):
            expect(card).to_contain_text(f"step {step} of 6")
            expect(card.get_by_role("heading")).to_be_focused()
            toured = page.locator(".toured")
            assert toured.evaluate("(part, wanted) => part.matches(wanted)", part)
            expect(toured).to_be_in_viewport()
            card.get_by_role("button").nth(0 if step == 3 else 1).press("Enter")
        expect(card).to_have_count(0)
        expect(page.locator(".toured")).to_have_count(0)
        visit(page, "#/")
        expect(page.get_by_role("button", name="Take the tour")).to_have_count(0)

        page.get_by_role("button", name="What do the stars mean?").press("Enter")
        help_dialog = page.get_by_role("dialog", name="Help")
        expect(help_dialog.locator(":focus dt")).to_have_text("Stars")
        assert grave_faults(page) == []
        terms = help_dialog.locator("dt").all_inner_texts()
        assert terms == sorted(terms, key=str.casefold)
        page.get_by_label("Find a term").fill("voluntarily")
        expect(help_dialog.locator("dt:visible")).to_have_text(["VPIP"])
        page.get_by_role("button", name="Take the tour").press("Enter")
        expect(card).to_contain_text("step 1 of 6")
        page.keyboard.press("Escape")
        expect(card).to_have_count(0)
        assert width_beyond(page) <= 0


def test_a_tournament_offers_the_agents_that_play_its_game(browser: Browser, address: str) -> None:
    with browsing(browser, address) as page:
        page.route("**/api/lobby", add_heads_upper)
        visit(page, "#/tournament")
        for game, ticks in (("limit-2p", 1), ("nolimit-2p", 1), ("nolimit-3p", 0)):
            page.get_by_label("Game").select_option(game)
            expect(page.get_by_role("checkbox", name="Heads-Upper")).to_have_count(ticks)


def test_a_tournament_is_begun_watched_and_removed_on_a_phone(browser: Browser, address: str) -> None:
    with browsing(browser, address, PHONE) as page:
        visit(page, "#/tournament")
        expect(page.get_by_role("button", name="Start")).to_be_enabled()
        checked = page.locator(".new-tournament :checked[type=checkbox]")
        while checked.count():
            checked.first.uncheck()
        expect(page.get_by_role("button", name="Start")).to_be_disabled()
        for name in ("Always Call", "Always Raise", "Random"):
            page.get_by_label(name, exact=True).check()
        page.get_by_label("Deals per match").fill("20")
        page.get_by_role("button", name="Start").click()
        expect(page.get_by_text("Finished: 120 hands in 3 matches.")).to_be_visible(timeout=3 * PATIENCE)
        expect(page.get_by_role("region", name="Standings").locator("tbody tr")).to_have_count(3)
        assert width_beyond(page) == 0
        assert grave_faults(page) == []
        with page.expect_download() as download:
            page.get_by_role("link", name="Download results").click()
        assert download.value.suggested_filename.endswith(".json")
        page.get_by_role("button", name="Remove").click()
        expect(page.get_by_text("None yet.")).to_be_visible()


def test_pages_fit_a_phone_and_have_no_grave_fault_in_the_dark(browser: Browser, address: str) -> None:
    with browsing(browser, address, PHONE) as page:
        page.emulate_media(color_scheme="dark")
        for place, drawn in (
            ("explore/cases/baycarp/flop", ".case-results tbody tr"),
            ("explore/case/baycarp/flop/5", ".neighbours tbody tr"),
            ("explore/networks/baycarp", ".share-text:not(:empty)"),
            ("explore/agents/simbot", ".known-parameters"),
        ):
            visit(page, f"#/{place}")
            expect(page.locator(drawn).first).to_be_visible()
            assert width_beyond(page) == 0, place
            assert grave_faults(page) == [], place
