"""Reviews: how a decision is judged, in which order decisions are listed, and what the reviewer may know."""

from collections.abc import Callable, Iterator
from dataclasses import replace
from math import inf
from random import Random
from typing import Any

import msgspec
import pytest
from fastapi.testclient import TestClient

from railbird.agent import ActionValue, Agent, Decision, HandResult, make_agent
from railbird.cards import format_cards, parse_cards
from railbird.engine.actions import CALL, FOLD, Action, raise_to
from railbird.engine.events import DealHole, Reveal
from railbird.engine.games import named_game
from railbird.explanation import Deferred, Explanation
from railbird.interfaces.company import strongest_agent
from railbird.interfaces.web.study import review as module
from railbird.interfaces.web.study import review_routes
from railbird.interfaces.web.study.questions import Cancelled, StudyError, WrittenHand
from railbird.interfaces.web.study.review import ActionJudgement, Reviewed, ReviewQuestion, judge, review
from railbird.interfaces.web.table.people import SeatedPerson, SharedTable
from railbird.interfaces.web.table.session_plan import PERSON
from railbird.observation import Observation
from railbird.store.addresses import StoreFull
from railbird.store.sessions import HandBegun, HandOver, SettingsChanged, StoredReviews, StoredSessions
from railbird.store.store import open_store
from served_sessions import FakeThinkers, served
from web_evenings import Evening, play_evening


@pytest.fixture(scope="module")
def stored(tmp_path_factory: pytest.TempPathFactory) -> Iterator[StoredSessions]:
    with open_store(tmp_path_factory.mktemp("reviews") / "sessions.db") as opened:
        yield StoredSessions(opened)


@pytest.fixture(scope="module")
def evening(stored: StoredSessions) -> Evening:
    return play_evening(stored, "evening", hands=30, voided=4, unfinished=True)


def question_of(evening: Evening, **changed: Any) -> ReviewQuestion:
    hands = [WrittenHand(hand.number, hand.start(), hand.done()) for hand in evening.hands]
    asked = ReviewQuestion(evening.plan.game(), "You", "simbot", tuple(evening.plan.names), hands, "seed")
    return replace(asked, **changed)


def reviewed(
    question: ReviewQuestion, agent: Agent, cancelled: Callable[[], bool] = lambda: False
) -> Reviewed:
    told: list[tuple[int, int]] = []
    found = review(question, lambda _, __: agent, lambda done, of: told.append((done, of)), cancelled)
    assert told == [(done, len(question.hands)) for done in range(len(question.hands) + 1)]
    return found


# How a decision is judged

VALUED = Decision(
    raise_to(40),
    values=(ActionValue(FOLD, 0, 2), ActionValue(CALL, 4, 1), ActionValue(raise_to(40), 10, 0)),
)
MIXED = Decision(CALL, strategy=((FOLD, 0.0), (CALL, 0.9), (raise_to(100), 0.08), (raise_to(1000), 0.02)))


@pytest.mark.parametrize(
    ("decision", "own", "expected"),
    [
        (VALUED, raise_to(40), ActionJudgement("value", 0, 0)),
        (VALUED, raise_to(60), ActionJudgement("value", 0, 0)),
        (VALUED, CALL, ActionJudgement("value", 6, 1)),
        (VALUED, FOLD, ActionJudgement("value", 10, 2)),
        (Decision(CALL, values=(ActionValue(CALL, 3, 0),)), FOLD, ActionJudgement("value", 3, 0)),
        (MIXED, CALL, ActionJudgement("chance", chance=0.9)),
        (MIXED, FOLD, ActionJudgement("chance", chance=0.0)),
        (MIXED, raise_to(250), ActionJudgement("chance", chance=0.08)),
        (MIXED, raise_to(400), ActionJudgement("chance", chance=0.02)),
        (Decision(CALL, strategy=((CALL, 1.0),)), raise_to(20), ActionJudgement("chance", chance=0.0)),
        (Decision(CALL), CALL, ActionJudgement("action", chance=1.0)),
        (Decision(CALL), FOLD, ActionJudgement("action", chance=0.0)),
    ],
)
def test_an_action_is_judged_by_what_the_agent_states(
    decision: Decision, own: Action, expected: ActionJudgement
) -> None:
    assert judge(decision, own) == expected


@pytest.mark.parametrize(
    ("judgement", "listed", "close"),
    [
        (ActionJudgement("value", 6, 3), True, False),
        (ActionJudgement("value", 6, 3.1), False, True),
        (ActionJudgement("value", 6, inf), False, True),
        (ActionJudgement("value", 0, 0), False, False),
        (ActionJudgement("chance", chance=0.1), True, False),
        (ActionJudgement("chance", chance=0.11), False, False),
        (ActionJudgement("action", chance=0.0), True, False),
        (ActionJudgement("action", chance=1.0), False, False),
    ],
)
def test_what_chance_could_explain_is_not_listed(
    judgement: ActionJudgement, listed: bool, close: bool
) -> None:
    assert (judgement.is_listed, judgement.is_close) == (listed, close)


# The list


class Valuer(Agent):
    """Values actions by a rule that a test can repeat, and remembers what it saw."""

    def __init__(self) -> None:
        self.seen: list[Observation] = []
        self.left: list[bool] = []
        self.ended: list[HandResult] = []

    def act(self, observation: Observation) -> Decision:
        self.seen.append(observation)
        self.left.append(observation.node.left_before)
        legal = observation.legal_actions
        actions = [
            CALL,
            *([FOLD] if legal.fold else []),
            *([raise_to(legal.raise_minimum)] * legal.can_raise),
        ]
        values = tuple(ActionValue(action, value_of(observation, action), 0.1) for action in actions)
        best = max(values, key=lambda value: value.chips)
        return Decision(best.action, Explanation(f"hand {observation.hand_number}"), values=values)

    def end_hand(self, result: HandResult) -> None:
        self.ended.append(result)


def value_of(observation: Observation, action: Action) -> float:
    kind = {"fold": 0, "call": 1}.get(str(action), 2)
    return float((observation.hand_number * 7 + observation.pot * 3 + kind * 11) % 13)


def test_every_decision_is_judged_and_the_most_expensive_are_listed_first(
    evening: Evening, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(module, "MOST_FINDINGS", 7)
    found = reviewed(question_of(evening), agent := Valuer())
    expected = []
    for hand in evening.hands:
        for step, node in enumerate(hand.state.node.path):
            if hand.players[node.act.seat] == "You":
                seen = hand.before(step).observation(node.act.seat)
                values = [value.chips for value in Valuer().act(seen).values]
                cost = max(values) - value_of(seen, node.act.action)
                expected.append((cost, hand.number, step))
    costs = [cost for cost, _, _ in expected if cost > 0]
    assert (found.measure, found.decisions, found.faults) == ("value", len(expected), 0)
    assert (found.different, found.cost) == (len(costs), sum(costs))
    assert [finding.judgement.cost for finding in found.findings] == sorted(costs, reverse=True)[:7]
    for finding in found.findings:
        assert (finding.judgement.cost, finding.hand, finding.step) in expected
    assert len(agent.seen) == len(expected)
    told = found.to_json("simbot")
    assert [line["cost"] for line in told["findings"]] == [each.judgement.cost for each in found.findings]
    assert f'"summary":"hand {found.findings[0].hand}"' in told["reasons"][0].replace('": ', '":')


def test_the_rarest_actions_come_first_where_no_values_are_known(evening: Evening) -> None:
    found = reviewed(question_of(evening), make_agent("probtriple"))
    assert (found.measure, found.cost) == ("chance", 0.0)
    orders = [(each.judgement.chance, -each.observation.pot) for each in found.findings]
    assert orders == sorted(orders)
    assert all(chance <= module.RARE for chance, _ in orders)
    assert {line["cost"] for line in found.to_json("probtriple")["findings"]} == {None}


def test_the_same_seed_gives_the_same_review(evening: Evening) -> None:
    question = question_of(evening, hands=question_of(evening).hands[:6])
    first, second = (reviewed(question, make_agent("simbot:trials=50")).to_json("simbot") for _ in range(2))
    assert first == second
    assert first["measure"] == "value"


def test_decisions_in_which_the_agent_fails_are_left_out(evening: Evening) -> None:
    class Failing(Valuer):
        def act(self, observation: Observation) -> Decision:
            if len(self.seen) == 4:
                raise ZeroDivisionError
            return super().act(observation)

    found = reviewed(question_of(evening), Failing())
    assert (found.decisions, found.faults) == (4, 3)


def test_reasons_that_cannot_be_given_do_not_end_a_review(evening: Evening) -> None:
    def sections() -> Any:
        raise ZeroDivisionError

    class Silent(Valuer):
        def act(self, observation: Observation) -> Decision:
            decision = super().act(observation)
            return replace(decision, explanation=Explanation("So it is.", (), Deferred(sections)))

    told = reviewed(question_of(evening), Silent()).to_json("simbot")
    assert all("So it is." in text for text in told["reasons"])


def test_a_review_can_be_cancelled_and_needs_finished_hands(evening: Evening) -> None:
    with pytest.raises(Cancelled):
        reviewed(question_of(evening), Valuer(), lambda: True)
    hand = evening.hands[0]
    begun = WrittenHand(hand.number, hand.start(), "")
    with pytest.raises(StudyError, match="hand 1 is not over"):
        reviewed(question_of(evening, hands=[begun]), Valuer())


# What the reviewer knows


def test_the_reviewer_sees_the_players_cards_and_nothing_that_comes_later(evening: Evening) -> None:
    reviewed(question_of(evening), agent := Valuer())
    hands = {hand.number: hand for hand in evening.hands}
    for seen in agent.seen:
        hand = hands[seen.hand_number]
        assert seen.players[seen.seat] == "You"
        assert seen.hole_cards == hand.state.hole_cards(seen.seat)
        assert seen == hand.before(len(seen.node.path)).observation(seen.seat)
    assert not any(agent.left), "no situation was played on before the agent was asked"
    for result in agent.ended:
        shown = {event.seat for event in result.events if isinstance(event, Reveal) and event.cards}
        for event in result.events:
            if isinstance(event, DealHole) and event.seat != result.seat and event.seat not in shown:
                assert event.cards is None


def test_cards_that_were_never_shown_do_not_change_a_review(evening: Evening) -> None:
    """Everything hidden from the player is dealt differently: the review is the same, word for word."""
    random = Random(3)
    question = question_of(evening)
    changed, different = [], 0
    for hand, written in zip(evening.hands, question.hands, strict=True):
        state = hand.state
        shown = state.live_seats if state.is_showdown else ()
        cards = list(parse_cards(written.start["cards"]))
        players = len(hand.players)
        open_places = {
            place
            for seat, player in enumerate(hand.players)
            if player == "You" or seat in shown
            for place in (2 * seat, 2 * seat + 1)
        } | set(range(2 * players, 2 * players + len(state.board)))
        hidden = [place for place in range(len(cards)) if place not in open_places]
        known = {cards[place] for place in open_places}
        others = random.sample([card for card in range(52) if card not in known], len(hidden))
        for place, card in zip(hidden, others, strict=True):
            cards[place] = card
        different += bool(hidden)
        changed.append(replace(written, start={**written.start, "cards": format_cards(cards)}))
    assert different > 10
    told = [
        reviewed(replace(question, hands=hands), make_agent("simbot:trials=50")).to_json("simbot")
        for hands in (question.hands, changed)
    ]
    assert told[0] == told[1]
    assert told[0]["findings"]


# Over HTTP


@pytest.fixture
def thinkers() -> FakeThinkers:
    return FakeThinkers()


@pytest.fixture
def client(stored: StoredSessions, evening: Evening, thinkers: FakeThinkers) -> Iterator[TestClient]:
    with TestClient(served(stored, thinkers), headers={"player": "ann"}) as opened:
        yield opened


def ended(client: TestClient, job: str, player: str = "ann") -> Any:
    for _ in range(1000):
        state = client.get(f"/api/jobs/{job}", headers={"player": player}).json()
        if state["result"] is not None or state["error"] is not None:
            return state
    raise AssertionError(f"the job does not end: {state}")


def test_a_review_is_asked_answered_kept_and_out_of_date_after_another_hand(
    client: TestClient, stored: StoredSessions
) -> None:
    played = play_evening(stored, "short", hands=5)
    route = "/api/sessions/short/review"
    assert client.get(route).json() == {"agent": strongest_agent(named_game("limit-3p")), "kept": None}
    reply = client.post(route, json={"agent": "simbot"})
    assert reply.status_code == 202
    state = ended(client, reply.json()["job"])
    assert (state["error"], state["done"], state["of"]) == (None, 5, 5)
    result = state["result"]
    assert (result["agent"], result["name"], result["hands"]) == ("simbot", "Simbot", 5)
    assert "reasons" not in result
    assert client.get(route).json()["kept"] == result
    first = result["findings"][0]
    why = client.get(f"{route}/{first['hand']}/{first['step']}").json()
    assert why["explanation"]["summary"] == "It is better so."
    for place in ("1/99", "one/2", f"{'9' * 40}/1", "-1/0"):
        assert client.get(f"{route}/{place}").status_code in (404, 422)
    start = played.hands[0].start()
    stored.write([HandBegun("short", 6, start, True)])
    assert client.get(route).json()["kept"] == result
    stored.write([HandOver("short", 6, {"won": "0"}, None)])
    assert client.get(route).json()["kept"] is None
    assert client.get(f"{route}/{first['hand']}/{first['step']}").status_code == 404


def test_a_restarted_server_shows_the_same_review_and_its_reasons_at_once(
    client: TestClient, stored: StoredSessions
) -> None:
    play_evening(stored, "kept", hands=5)
    route = "/api/sessions/kept/review"
    result = ended(client, client.post(route, json={"agent": "simbot"}).json()["job"])["result"]
    place = f"{route}/{result['findings'][0]['hand']}/{result['findings'][0]['step']}"
    why = client.get(place).text
    idle = FakeThinkers()
    with TestClient(served(stored, idle), headers={"player": "ann"}) as later:
        assert later.get(route).json()["kept"] == result
        assert later.get(place).text == why
        for stranger in ("bob", "eve"):
            assert later.get(route, headers={"player": stranger}).status_code == 404
            assert later.get(place, headers={"player": stranger}).status_code == 404
    assert not idle.reviewed


def test_the_review_of_another_version_is_not_shown(
    client: TestClient, stored: StoredSessions, monkeypatch: pytest.MonkeyPatch
) -> None:
    play_evening(stored, "upgraded", hands=3)
    route = "/api/sessions/upgraded/review"
    with monkeypatch.context() as patch:
        patch.setattr(review_routes, "__version__", "0.0.9")
        result = ended(client, client.post(route, json={"agent": "simbot"}).json()["job"])["result"]
        assert client.get(route).json()["kept"] == result
    assert client.get(route).json()["kept"] is None
    first = result["findings"][0]
    assert client.get(f"{route}/{first['hand']}/{first['step']}").status_code == 404


def test_a_review_that_cannot_be_kept_says_so(
    client: TestClient, stored: StoredSessions, monkeypatch: pytest.MonkeyPatch
) -> None:
    def keep(*_: object) -> None:
        raise StoreFull("/home/ann/sessions.db: disk full")

    monkeypatch.setattr(StoredReviews, "keep", keep)
    job = client.post("/api/sessions/evening/review", json={"agent": "simbot"}).json()["job"]
    assert ended(client, job)["error"] == "the disk of the server is full: nothing was changed"


def test_everybody_at_a_table_is_reviewed_as_they_saw_it(
    client: TestClient, stored: StoredSessions, thinkers: FakeThinkers
) -> None:
    plan = play_evening(stored, "friends", hands=6).plan
    people = [SeatedPerson("ann", "You", 0), SeatedPerson("bob", "Random", 2, since=2)]
    agents = [PERSON, "always-call", PERSON]
    shared = msgspec.structs.replace(plan, agents=agents, shared=SharedTable("secret", people))
    stored.write([SettingsChanged("friends", shared.to_json())])
    route = "/api/sessions/friends/review"
    for player, label, first in (("ann", "You", 1), ("bob", "Random", 3)):
        headers = {"player": player}
        assert client.get(route, headers=headers).json()["kept"] is None
        job = client.post(route, json={"agent": "simbot"}, headers=headers).json()["job"]
        result = ended(client, job, player)["result"]
        assert client.get(route, headers=headers).json()["kept"] == result
        asked = thinkers.reviewed[-1]
        assert (asked.label, [hand.number for hand in asked.hands]) == (label, list(range(first, 7)))
        assert set(asked.players) == {"You", "Always Call", "Random"}
    assert client.get(route, headers={"player": "eve"}).status_code == 404
    assert client.get(f"{route}/1/0", headers={"player": "bob"}).status_code == 404


@pytest.mark.parametrize(
    ("session", "body", "status", "sentence"),
    [
        ("evening", {"agent": "nobody"}, 422, "no agent is called 'nobody'"),
        ("evening", {}, 422, "not valid"),
        ("evening", {"agent": "simbot", "hands": 3}, 422, "not valid"),
        ("rail", {"agent": "simbot"}, 422, "only bots play at this table"),
        ("none", {"agent": "simbot"}, 422, "there are no finished hands yet"),
        ("hers", {"agent": "simbot"}, 404, "there is no such session"),
    ],
)
def test_a_review_that_cannot_be_made_is_refused(
    client: TestClient, stored: StoredSessions, session: str, body: Any, status: int, sentence: str
) -> None:
    if stored.session(session) is None:
        owner = "eve" if session == "hers" else "ann"
        hands = 0 if session == "none" else 2
        play_evening(stored, session, owner=owner, hands=hands, watching=session == "rail")
    reply = client.post(f"/api/sessions/{session}/review", json=body)
    assert reply.status_code == status
    assert sentence in reply.json()["error"]


def test_a_job_is_stopped_by_its_owner_alone(client: TestClient) -> None:
    job = client.post("/api/sessions/evening/review", json={"agent": "patience"}).json()["job"]
    assert client.delete(f"/api/jobs/{job}", headers={"player": "eve"}).status_code == 404
    assert client.get(f"/api/jobs/{job}").json()["error"] is None
    compared = client.post("/api/sessions/evening/duplicate", json={"agent": "jagbot"}).json()["job"]
    assert ended(client, compared)["error"] is None
    assert client.get(f"/api/jobs/{job}").json()["error"] is None, "a comparison does not end a review"
    assert client.delete(f"/api/jobs/{job}").status_code == 200
    assert client.get(f"/api/jobs/{job}").json()["error"] == "this was stopped before it was finished"
