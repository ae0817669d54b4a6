"""The end of a hand is told in stages: no card and no result before its time; and what happens between hands."""

import asyncio
from collections.abc import Iterator
from itertools import pairwise
from random import Random

import msgspec
import pytest

from railbird.cards import format_card, parse_cards
from railbird.engine.actions import CALL, FOLD, raise_to
from railbird.engine.games import named_game
from railbird.engine.json_form import rules_to_json
from railbird.engine.setup import Setup
from railbird.engine.state import State
from railbird.hands.evaluator import evaluate
from railbird.interfaces.web.table import pace
from railbird.interfaces.web.table.dealt_hand import DealtHand
from railbird.interfaces.web.table.ending import stages_before_result
from railbird.interfaces.web.table.messages import RefusedMessage, Speed
from railbird.interfaces.web.table.session_plan import SessionPlan
from railbird.interfaces.web.table.session_state import SessionState
from railbird.interfaces.web.table.views import HandView, TableViewer, hand_view
from railbird.rng import Stream
from railbird.store.sessions import StoredHand
from web_client import Person, Refusal, Seat, Serving, View, serving
from web_secrets import cards_in

NAMES = tuple("ABCDEF")
RULES = rules_to_json(named_game("nolimit-2p"))


def hand_of(game: str, *actions: str, cards: str | None = None, seed: str = "ending") -> DealtHand:
    """A hand in which so much was done: `f`, `c`, or the amount of a raise, `most` for the highest."""
    setup = Setup.of(named_game(game))
    state = (
        State.deal(setup, Stream.from_seed(seed))
        if cards is None
        else State(setup, tuple(parse_cards(cards)))
    )
    for action in actions:
        most = state.legal_actions.raise_maximum
        choices = {"f": FOLD, "c": CALL, "most": raise_to(most)}
        state.act(choices[action] if action in choices else raise_to(int(action)))
    players = len(setup.stacks)
    return DealtHand(1, state, NAMES[:players], tuple(range(players)), players - 1)


def seated(chair: int) -> TableViewer:
    """A player, who sees no other cards than the own ones."""
    return TableViewer(chair, NAMES[chair], frozenset([NAMES[chair]]))


def told(hand: DealtHand, stage: int | None, viewer: TableViewer | None = None) -> HandView:
    names = NAMES[: len(hand.chairs)]
    return hand_view(hand, viewer or seated(0), names, names, hand.state.setup.stacks, stage)


def text_of(view: HandView) -> str:
    return msgspec.json.encode(view).decode()


ALL_IN = "Ah Ad 7c 2d As Kc Kd 9h 3s"


def test_an_all_in_before_the_flop_is_run_out_street_by_street() -> None:
    hand = hand_of("nolimit-2p", "most", "c", cards=ALL_IN)
    assert stages_before_result(hand.state) == 5
    views = [told(hand, stage) for stage in range(6)]
    assert [len(view.board) for view in views] == [0, 0, 3, 4, 5, 5]
    assert [view.round for view in views] == ["preflop", "preflop", "flop", "turn", "river", "river"]
    assert [view.chairs[1].cards for view in views] == [[None, None], *[["7c", "2d"]] * 5]
    assert [view.chairs[0].bet for view in views] == [20000, 0, 0, 0, 0, 0]
    assert [view.chairs[0].stack for view in views] == [0] * 5 + [40000]
    assert [view.chairs[1].won for view in views] == [None] * 5 + [-20000]
    assert [view.chairs[0].made[:10] for view in views] == ["", "", *["full house"] * 4]
    ending = [line.kind for line in views[-1].log if line.kind not in ("post", "hole")]
    assert ending == ["act", "act", "reveal", "reveal", "board", "board", "board", "award"]
    assert views[-1].chairs[0].best == ["Ah", "Ad", "As", "Kc", "Kd"]
    assert [chair.best for view in views for chair in view.chairs if chair.best] == [views[-1].chairs[0].best]
    assert told(hand, None) == views[-1]


def test_who_folded_shows_nothing_in_a_run_out() -> None:
    hand = hand_of("nolimit-3p:stack=400", "most", "f", "c", cards="Ah Ad 7c 2d 4c 4d As Kc Kd 9h 3s")
    views = [told(hand, stage, seated(1)) for stage in range(6)]
    assert [view.chairs[0].cards[0] for view in views] == [None] * 6
    assert [view.chairs[2].cards[0] for view in views] == [None, *["4c"] * 5]
    assert views[0].chairs[2].state == views[4].chairs[2].state == "all-in"


def test_a_showdown_on_the_river_shows_the_last_call_first_and_a_fold_only_its_result() -> None:
    hand = hand_of("limit-2p", *"cccccc", "20", "c", cards=ALL_IN)
    assert stages_before_result(hand.state) == 1
    last, over = told(hand, 0), told(hand, 1)
    assert (last.chairs[1].cards, last.chairs[1].won, last.chairs[1].last) == ([None, None], None, "calls 20")
    assert [chair.bet for chair in last.chairs] == [20, 20]
    assert (over.chairs[0].won, over.chairs[0].best) == (30, ["Ah", "Ad", "As", "Kc", "Kd"])
    folded = hand_of("limit-2p", "20", "f")
    assert stages_before_result(folded.state) == 0
    assert told(folded, 0) == told(folded, None)
    assert [chair.best for chair in told(folded, None).chairs] == [[], []]


def test_every_stage_tells_what_the_one_before_told_and_no_card_of_a_later_one() -> None:
    random = Random(20)
    run_out = 0
    for number in range(150):
        game = random.choice(
            ("nolimit-2p:stack=400", "nolimit-3p:stack=300", "nolimit-6max:stack=200", "limit-3p")
        )
        hand = hand_of(game, seed=f"{number}")
        state = hand.state
        while state.actor is not None:
            legal = state.legal_actions
            action = random.choice((FOLD, CALL, CALL, raise_to(legal.raise_maximum)))
            state.act(action if legal.allows(action) else CALL)
        stages = stages_before_result(state)
        run_out += stages > 1
        for viewer in (seated(0), TableViewer(None, None, None)):
            views = [told(hand, stage, viewer) for stage in range(stages + 1)]
            board = [format_card(card) for card in state.board]
            for view, following in pairwise(views):
                assert following.log[: len(view.log)] == view.log
                assert following.board[: len(view.board)] == view.board
                assert cards_in(text_of(view)).isdisjoint(board[len(view.board) :])
                assert all(chair.won is None and not chair.best for chair in view.chairs)
                assert all(line.kind != "award" for line in view.log)
            if stages and viewer.sees is not None:
                assert all(None in chair.cards for chair in views[0].chairs if not chair.you)
            for chair in views[-1].chairs:
                if chair.best:
                    seven = [card for card in chair.cards if card is not None] + views[-1].board
                    assert set(chair.best) <= set(seven)
                    assert evaluate(" ".join(chair.best)) == evaluate(" ".join(seven))
    assert run_out > 30


def test_a_server_that_was_killed_in_a_run_out_shows_its_end_at_once() -> None:
    plan = SessionPlan(RULES, ["You", "bot"], ["", "always-call"])
    state = SessionState("evening", plan)
    hand, seating = state.deal()
    state.begin(hand, seating)
    for _ in range(2):
        assert not state.is_telling
        legal = hand.state.legal_actions
        state.act(hand, raise_to(legal.raise_maximum) if legal.can_raise else CALL)
    assert state.is_telling
    assert (len(state.view(1, "ann").board), state.view(1, "ann").phase) == (0, "playing")
    assert state.tell_on()
    assert state.tell_on()
    assert len(state.view(2, "ann").board) == 3
    with pytest.raises(RefusedMessage, match="no decisions left"):
        state.own_hand("ann", 1, 2)

    again = SessionState("evening", plan)
    assert again.take_up([StoredHand("evening", 1, hand.start(), hand.done(), True, False, None, {})]) == []
    view = again.view(3, "ann")
    assert len(view.board) == 5
    assert [chair.won for chair in view.chairs] != [None, None]
    again.end()
    state.end()
    assert again.view(4, "ann") == state.view(4, "ann")


def test_at_instant_speed_and_while_forwarding_the_end_is_told_at_once() -> None:
    cases: tuple[tuple[Speed, bool], ...] = (("instant", False), ("slow", True))
    for speed, forwarding in cases:
        state = SessionState("evening", SessionPlan(RULES, ["You", "bot"], ["", "always-call"], speed=speed))
        hand, seating = state.deal()
        state.begin(hand, seating)
        state.forwarding = forwarding
        state.act(hand, raise_to(hand.state.legal_actions.raise_maximum))
        state.act(hand, CALL)
        assert not state.is_telling
        assert len(state.view(1, "ann").board) == 5


# At a table


@pytest.fixture(scope="module")
def server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Serving]:
    """Normal speed tells endings fast; at slow speed nothing goes on by itself."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(pace, "STEPS", dict.fromkeys(pace.STEPS, 0.001))
        patch.setattr(pace, "ENDING", {"slow": 3600.0, "normal": 0.03, "fast": 0.03, "instant": 0.0})
        patch.setattr(pace, "AFTER_HAND", {"slow": 3600.0, "normal": 0.0, "fast": 0.0, "instant": 0.0})
        with serving(tmp_path_factory.mktemp("ending") / "store.db") as running:
            yield running


@pytest.fixture
def person(server: Serving) -> Person:
    return Person(server.address)


async def all_in(seat: Seat) -> View:
    """Bet everything at the next turn."""
    view = await seat.own_turn()
    await seat.act("raise", view["actions"]["raise"]["most"])
    return view


def test_everybody_at_the_table_sees_a_run_out_stage_by_stage(person: Person) -> None:
    session = person.begin("nolimit-2p", ["always-call"], speed="normal")

    async def play() -> None:
        async with person.seat(session) as seat, person.seat(session) as twin:
            await seat.ask("settings", auto_deal=False)
            await all_in(seat)
            for each in (seat, twin):
                await each.until(lambda view: view["phase"] == "over")
                seen = [view for view in each.views if view["to_act"] is None and view["hand"]]
                boards = [len(view["board"]) for view in seen]
                assert boards == sorted(boards)
                assert {0, 3, 4, 5} <= set(boards)
                for view in seen[:-1]:
                    if view["phase"] == "playing":
                        assert (view["net"], view["hands"], view["reasons"]) == (0, 0, [])
                        assert all(chair["won"] is None for chair in view["chairs"])
            assert person.get(f"/api/sessions/{session}")["hands"] == 1

    asyncio.run(play())


def test_nothing_is_said_of_the_cards_to_come_and_a_run_out_can_be_skipped(
    server: Serving, person: Person
) -> None:
    session = person.begin("nolimit-2p", ["always-call"], speed="slow")

    async def play() -> None:
        async with person.seat(session) as seat:
            await all_in(seat)
            view = await seat.until(lambda view: view["to_act"] is None)
            assert view["board"] == []
            now = {"hand": view["hand"], "step": view["step"]}
            with pytest.raises(Refusal, match="no decisions left"):
                await seat.ask("strength", **now)
            with pytest.raises(Refusal, match="not your turn"):
                await seat.ask("advise", agent="probtriple", **now)
            with pytest.raises(Refusal, match="when the hand is over"):
                await seat.ask("why", hand=view["hand"], step=1)
            assert person.get(f"/api/sessions/{session}/hands") == []
            await seat.ask("forward")
            view = await seat.until(lambda view: view["phase"] == "over")
            assert len(view["board"]) == 5

    asyncio.run(play())
    assert server.web.sessions.totals(session)[0] == 1


def test_who_leaves_during_a_run_out_has_played_the_hand(server: Serving, person: Person) -> None:
    session = person.begin("nolimit-2p", ["always-call"], speed="slow")

    async def play() -> None:
        async with person.seat(session) as seat:
            await all_in(seat)
            await seat.until(lambda view: view["to_act"] is None)
            await seat.ask("leave")
            view = await seat.until(lambda view: view["phase"] == "closed")
            assert len(view["board"]) == 5

    asyncio.run(play())
    assert server.web.sessions.totals(session)[0] == 1


# Between hands


def test_the_next_hand_is_counted_down_held_and_dealt_as_one_wishes(person: Person) -> None:
    session = person.begin("limit-2p", ["always-call"])

    async def play() -> None:
        async with person.seat(session) as seat, person.seat(session) as twin:
            await seat.ask("settings", auto_deal=False)
            await seat.play_hand()
            assert seat.view["countdown"] is None
            # Slow: the countdown is an hour.
            await seat.ask("settings", speed="slow", auto_deal=True)
            view = await seat.until(lambda view: view["countdown"] is not None)
            assert 0 < view["countdown"] <= 3_600_000
            await seat.ask("settings", auto_deal=False)
            view = await seat.until(lambda view: not view["auto_deal"])
            assert view["countdown"] is None
            # At normal speed the next hand would come at once, but it waits for whoever reads.
            await seat.ask("hold", held=True)
            await twin.until(lambda view: view["held"])
            await seat.ask("settings", speed="normal", auto_deal=True)
            await seat.until(lambda view: view["auto_deal"])
            assert (seat.view["phase"], seat.view["countdown"]) == ("over", None)
            await twin.ask("hold", held=True)
            await seat.ask("hold", held=False)
            number = seat.view["hand"]
            assert (await seat.answer("why", hand=number, step=0))["round"] == "preflop"
            assert (await seat.until(lambda view: view["held"]))["hand"] == number
            await twin.ask("hold", held=False)
            await seat.until(lambda view: view["hand"] == number + 1)
            await seat.ask("settings", auto_deal=False, speed="instant")
            await seat.play_hand()

            # A request deals also when somebody reads or the table is paused, and the table goes on.
            await seat.ask("hold", held=True)
            await seat.ask("pause")
            await seat.until(lambda view: view["paused"])
            await seat.ask("deal")
            view = await seat.own_turn()
            assert (view["hand"], view["paused"]) == (number + 2, False)
            with pytest.raises(Refusal, match="a hand is in progress"):
                await seat.ask("deal")
            await seat.play_hand()
            await twin.ask("hold", held=True)
        # Who is gone holds nothing.
        async with person.seat(session) as seat:
            await seat.until(lambda view: not view["held"])

    asyncio.run(play())
