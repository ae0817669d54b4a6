"""Hand histories of card rooms, written by us as the rooms and their converters print them (`histories/`)."""

from fractions import Fraction
from io import BytesIO
from pathlib import Path

import pytest

from folders import HISTORIES
from railbird.cards import format_cards
from railbird.engine.betting_tree import BettingTree
from railbird.engine.events import Award, Return, Reveal
from railbird.engine.record import HandRecord
from railbird.engine.rules import Antes, Betting
from railbird.notation.files import find_hands
from railbird.notation.formats import FORMATS, format_named, recognise
from railbird.notation.reading import BadHand, NotationError

FILES = {
    "pokerstars_tournaments.txt": "pokerstars",
    "pokerstars_dialects.txt": "pokerstars",
    "ggpoker.txt": "ggpoker",
    "winamax.txt": "winamax",
    "partypoker.txt": "partypoker",
    "888poker.txt": "888poker",
    "ipoker.xml": "ipoker",
}
TEXTS = {name: (HISTORIES / name).read_text(encoding="utf-8") for name in FILES}
HANDS = {
    found.reading.hand_id: found.reading
    for name in FILES
    for found in find_hands(HISTORIES / name)
    if isinstance(found.reading, HandRecord)
}

PAYOFFS = {
    "PokerStars-3001": {"Bo": -270, "Cy": -1485, "Di": -85, "Ann": 1840},
    "PokerStars-3002": {"Fay": -25, "Gus": 50, "Ed": -25},
    "PokerStars-3003": {"Hal": -50, "Ida": 300, "Jo": -250},
    "PokerStars-3004": {"Lou": -10, "Moe": -40, "Kim": 50},
    "PokerStars-3101": {"Bo": -100, "Cy": -600, "Ann": 635},
    "PokerStars-3102": {"Ed": -200, "Fay": 200, "Di": 0},
    "PokerMaster-3103": {"身轻如燕": -400, "Gus": -600, "Hal": -1000, "Ida": 2000},
    "PokerStars-3104": {"Jo": -200, "Kim": 200},
    "GGPoker-RC4001": {"a1b2c3d4": -50, "e5f6a7b8": -3300, "11aa22bb": -200, "99cc88dd": -50, "Hero": 3250},
    "GGPoker-TM4002": {"Hero": 9690, "31afb6e2": -9690},
    "Winamax-910116-28-5001": {"Ann Lee": 195, "Bo": -200, "Cy folds": -15},
    "Winamax-1182-31-5002": {"Fay": -250, "Gus": -169, "Di": 469, "Ed": -50},
    "Winamax-3357764-1085-5003": {"Jo": -25, "Kim": 90, "Hal": -75, "Ida": 0},
    "PartyPoker-6001": {"Ann": -25, "Di": -2000, "Cy": -75, "Bo Diddley": 1900},
    "PartyPoker-6002": {"Hal": -1000, "Fay": 2300, "Gus": -1500, "Ed": 0},
    "PartyPoker-6003": {"Jo": -600, "Ida": 600},
    "PartyPoker-6004x9bwt": {"Moe": -30000, "Kim": -565, "Lou": 30565},
    "888poker-7001": {"Bo": -50, "Cy": -400, "Di": -150, "Ann": 550},
    "888poker-7002": {"Gus": -500, "Ed": 1375, "Fay": -1000},
    "888poker-7003": {"Ida": -720, "Jo": -1320, "Hal": 2040},
    "iPoker-8001": {"Ann": -5, "Bo": -10, "Cy & Co": -604, "Di": 558, "Ed": 0},
    "iPoker-8002": {"Bo": -5, "Cy & Co": -10, "Ed": 13, "Ann": 0},
    "iPoker-8003": {"Gus": -480, "Hal": -25, "Fay": 505},
}


def notes(hand_id: str) -> dict[str, str]:
    return dict(HANDS[hand_id].details.notes)


def test_every_hand_of_every_room_is_read_with_its_winnings() -> None:
    assert {
        hand_id: dict(zip(hand.players, hand.payoffs, strict=True)) for hand_id, hand in HANDS.items()
    } == PAYOFFS
    for hand in HANDS.values():
        assert hand.state().is_over


@pytest.mark.parametrize("name", FILES)
def test_a_room_is_recognised_whatever_the_file_is_called(name: str, tmp_path: Path) -> None:
    assert recognise(TEXTS[name].splitlines()[:64]).name == FILES[name]
    file = tmp_path / "hands.txt"
    file.write_bytes(TEXTS[name].replace("\n", "\r\n").encode("utf-16"))
    assert all(found.reading == HANDS[found.reading.hand_id] for found in find_hands(file))  # type: ignore[union-attr]


@pytest.mark.parametrize(
    ("hand_id", "venue", "currency", "chip"),
    [
        ("PokerStars-3001", "PokerStars", "", 1),
        ("PokerMaster-3103", "PokerMaster", "CNY", Fraction(1, 100)),
        ("PokerStars-3104", "PokerStars", "INR", Fraction(1, 100)),
        ("GGPoker-RC4001", "GGPoker", "USD", Fraction(1, 100)),
        ("GGPoker-TM4002", "GGPoker", "", 1),
        ("Winamax-910116-28-5001", "Winamax", "EUR", Fraction(1, 100)),
        ("Winamax-1182-31-5002", "Winamax", "", 1),
        ("Winamax-3357764-1085-5003", "Winamax", "", Fraction(1, 100)),
        ("PartyPoker-6001", "PartyPoker", "USD", Fraction(1, 100)),
        ("PartyPoker-6003", "PartyPoker", "", 1),
        ("888poker-7001", "888poker", "USD", Fraction(1, 100)),
        ("888poker-7003", "888poker", "", 1),
        ("iPoker-8001", "iPoker", "GBP", Fraction(1, 100)),
        ("iPoker-8003", "iPoker", "", 1),
    ],
)
def test_money_is_cents_of_its_currency_and_tournaments_have_chips(
    hand_id: str, venue: str, currency: str, chip: Fraction
) -> None:
    details = HANDS[hand_id].details
    assert (details.venue, details.currency, details.chip) == (venue, currency, chip)


def test_tournaments_are_noted_with_number_buy_in_level_and_bounties() -> None:
    found = notes("PokerStars-3001")
    assert (found["tournament"], found["buy in"]) == ("77001", "$4.40+$4.40+$1.20 USD")
    assert (found["level"], found["bounties"]) == ("Level XII", "Ann $5.50, Bo $4.40, Cy $9, Di $4.40")
    assert "Bo finished the tournament in 1020th place" in found["remarks"]
    assert notes("PokerStars-3002")["level"] == "Match Round II, Level V"
    mixed = notes("PokerStars-3004")
    assert (mixed["kind"], mixed["mixed game"], mixed["buy in"]) == ("Zoom", "Mixed Hold'em", "50FPP")
    assert notes("GGPoker-TM4002")["buy in"] == "H-04: $1,050 Daily No Limit Hold'em Event, $25M GTD"
    assert notes("Winamax-1182-31-5002")["tournament number"] == "27536269"
    assert notes("PartyPoker-6003")["tournament"] == "59001"
    assert notes("PartyPoker-6004x9bwt")["buy in"] == "$3.0 + $0.3"
    assert notes("888poker-7003")["buy in"] == "0,90 $ + 0,10 $"
    assert notes("iPoker-8003")["buy in"] == "£0.93+£0.07"


def test_antes_are_matched_unless_one_player_pays_for_all() -> None:
    assert HANDS["PokerStars-3001"].rules.ante_rule is Antes.MATCHED
    assert HANDS["PokerStars-3003"].rules.ante_rule is Antes.DEAD
    assert HANDS["PokerStars-3003"].setup.antes == (0, 100, 0)


def test_blinds_may_be_all_in_or_swallowed_by_the_ante() -> None:
    assert HANDS["PokerStars-3001"].setup.blinds == (185, 700, 0, 0)
    assert HANDS["PokerStars-3002"].setup.blinds == (100, 200, 0)
    assert HANDS["Winamax-1182-31-5002"].setup.blinds == (200, 400, 0, 0)
    awards = [event for event in HANDS["Winamax-1182-31-5002"].events if isinstance(event, Award)]
    assert awards == [Award(2, 0, 557), Award(2, 1, 162)]


def test_blinds_that_rise_after_the_first_line_are_those_posted() -> None:
    assert HANDS["GGPoker-TM4002"].setup.blinds == (100, 50)


def test_blinds_out_of_turn_are_live_or_dead_as_in_their_room() -> None:
    gg = HANDS["GGPoker-RC4001"]
    assert (gg.setup.blinds, gg.setup.antes) == ((50, 100, 200, 0, 0), (0, 0, 0, 50, 0))
    assert gg.setup.first == 3
    out_of_position = HANDS["Winamax-3357764-1085-5003"].setup
    assert (out_of_position.blinds, out_of_position.antes) == ((25, 50, 50, 0), (0, 0, 25, 0))
    assert HANDS["PartyPoker-6001"].setup.antes == (0, 0, 25, 0)
    assert HANDS["PartyPoker-6002"].setup.blinds == (1000, 1500, 1000, 0)
    assert HANDS["888poker-7001"].setup.antes == (0, 0, 50, 0)
    assert HANDS["iPoker-8002"].setup.antes == (0, 0, 5, 0)
    assert HANDS["PokerMaster-3103"].setup.blinds == (200, 400, 800, 0)


def test_blinds_that_a_text_does_not_post_follow_from_the_level_and_the_button() -> None:
    setup = HANDS["PartyPoker-6003"].setup
    assert (HANDS["PartyPoker-6003"].players, setup.blinds) == (("Jo", "Ida"), (600, 300))


def test_who_refuses_to_post_is_not_dealt_in() -> None:
    assert "Zoe" not in HANDS["888poker-7001"].players
    assert notes("888poker-7001")["remarks"] == "Zoe does not post"


@pytest.mark.parametrize(
    ("hand_id", "seat", "amount", "rake"),
    [
        ("PokerStars-3101", 2, 750, 65),
        ("PokerStars-3102", 1, 200, 0),
        ("Winamax-910116-28-5001", 1, 300, 20),
        ("PartyPoker-6002", 1, 1500, 200),
        ("PartyPoker-6004x9bwt", 0, 15000, 0),
        ("888poker-7001", 3, 600, 50),
        ("888poker-7002", 2, 1000, 125),
        ("iPoker-8001", 2, 46, 61),
        ("iPoker-8002", 2, 20, 2),
    ],
)
def test_an_uncalled_bet_is_returned_however_the_room_counts_it(
    hand_id: str, seat: int, amount: int, rake: int
) -> None:
    hand = HANDS[hand_id]
    assert Return(seat, amount) in hand.events
    assert hand.rake == rake


def test_limit_games_have_the_bets_of_their_room() -> None:
    for hand_id, bets in (
        ("PokerStars-3004", (20, 20, 40, 40)),
        ("PartyPoker-6002", (1500, 1500, 3000, 3000)),
        ("888poker-7002", (1000, 1000, 2000, 2000)),
    ):
        rules = HANDS[hand_id].rules
        assert (rules.betting, rules.bet_sizes) == (Betting.LIMIT, bets)


def test_cards_are_read_in_every_notation() -> None:
    assert format_cards(HANDS["iPoker-8001"].cards[4:8]) == "AcQhKdTs"
    assert format_cards(HANDS["GGPoker-RC4001"].cards[-5:]) == "Kd9s7h2c2d"
    party = HANDS["PartyPoker-6001"]
    assert Reveal(1, None) in party.events
    assert format_cards(party.cards[2:4]) == "AhKd"


# What is refused

REFUSED = [
    (
        "pokerstars_tournaments.txt",
        "Ann collected 895",
        "Ann collected 894",
        "Ann gets 3325, but collected 3324",
    ),
    (
        "pokerstars_tournaments.txt",
        "Total pot 75 | Rake 0",
        "Total pot 75 | Rake 5",
        "75 is collected and 5 raked",
    ),
    (
        "pokerstars_tournaments.txt",
        "Gus: posts the ante 25 and is all-in\n",
        "",
        "nobody posts the big blind",
    ),
    ("pokerstars_tournaments.txt", "Fay: shows [Qd", "Gus: folds\nFay: shows [Qd", "Gus is all-in and folds"),
    (
        "pokerstars_tournaments.txt",
        "Level I (50/100)",
        "Level I (100/50)",
        "the blinds 100/50 are inconsistent",
    ),
    (
        "pokerstars_dialects.txt",
        "raises $6 to $6",
        "raises $7 to $6",
        "Ann raises 200 by 700, which is not 600",
    ),
    (
        "pokerstars_dialects.txt",
        "Total pot $12.35 |",
        "Total pot $12.30 |",
        "a total pot of 1230, but 1300 was paid",
    ),
    ("pokerstars_dialects.txt", "bet ($4) returned", "bet ($3) returned", "300 is returned to Fay"),
    ("ggpoker.txt", "[9s 7h Kd] [2c]", "[9s 7h Kc] [2c]", "the TURN does not add its cards"),
    ("ggpoker.txt", "Jackpot $1 ", "Jackpot $2 ", "6550 is collected and 450 raked, but the pot has 6900"),
    (
        "ggpoker.txt",
        "*** FLOP *** [Kd 9s",
        "Cash Drop to Pot : total $5\n*** FLOP *** [Kd 9s",
        "the house adds chips",
    ),
    ("winamax.txt", "| Rake 0.20€", "| Rake 0.30€", "695 is collected and 30 raked"),
    ("winamax.txt", "and won 3.95€", "and won 3.90€", "Ann Lee wins 3.90€, but collected 395"),
    ("winamax.txt", "Holdem no limit (0.02", "Omaha pot limit (0.02", "the game is Omaha pot limit"),
    ("winamax.txt", "Board: [Qh 2h Td]", "Board: [Qh 2h Tc]", "the board in the summary differs"),
    ("winamax.txt", "Kim bets 1\n", "Hold-up to Pot: total 2€\n", "the house adds chips"),
    (
        "partypoker.txt",
        "Bo Diddley wins $39 USD",
        "Bo Diddley wins $29 USD",
        "2900 is collected, but the pot has 4100",
    ),
    ("partypoker.txt", "Fay wins $53 USD\n", "", "the hand stops before anybody wins"),
    ("partypoker.txt", "Ida wins 5,120 chips", "Ida wins 5,110 chips", "10 is raked in a tournament"),
    (
        "partypoker.txt",
        "is all-In  [$18 USD]",
        "is all-In  [$17 USD]",
        "Di has 100 chips left, but the text disagrees",
    ),
    ("partypoker.txt", "$50 USD NL Texas Hold'em", "$50 USD PL Omaha", "is not a supported game"),
    (
        "888poker.txt",
        "Ann collected [ $9.50 ]",
        "Ann collected [ $17.50 ]",
        "1750 is collected, but the pot has 1000",
    ),
    ("888poker.txt", "Cy calls [$3]", "Cy calls [$4]", "Cy calls 400, but there are 300 chips to call"),
    ("888poker.txt", "Ann raises [$4]", "Ann raises [$1.50]", "Ann raises with, but seat 3 can raise"),
    ("ipoker.xml", 'win="£11.62"', 'win="£12.62"', "1308 is collected, but the pot has 1223"),
    ("ipoker.xml", 'bet="£6.04"', 'bet="£6.05"', "Di bets 605 in total, but the actions cost 604"),
    ("ipoker.xml", 'type="7" sum="465"', 'type="77" sum="465"', "an action of the unknown type '77'"),
    ("ipoker.xml", 'dealer="1" win="985"', 'dealer="0" win="985"', "no seat has the button"),
    ("ipoker.xml", "<gametype>Holdem NL</gametype>", "<gametype>Omaha PL</gametype>", "the game is Omaha PL"),
    ("ipoker.xml", 'type="7" sum="465"', 'type="7" sum="-465"', "'-465' is not an amount"),
    ("ipoker.xml", 'seat="3" name="', 'seat="12345678901234567890" name="', "has a seat beyond number 99"),
    ("partypoker.txt", "is all-In  [$18 USD]", "is all-In  [-$18 USD]", "'-$18 USD' is not an amount"),
    ("888poker.txt", "Cy calls [$3]", "Cy calls [$3²]", "'$3²' is not an amount"),
    (
        "winamax.txt",
        "Total pot 6.95€ | Rake 0.20€\n",
        "Total pot 6.95€ | Rake 0.20€\nTotal pot 1€ | No rake\n",
        "the total pot is given twice",
    ),
]


@pytest.mark.parametrize(("name", "old", "new", "sentence"), REFUSED)
def test_a_hand_that_contradicts_itself_is_refused_alone(
    name: str, old: str, new: str, sentence: str, tmp_path: Path
) -> None:
    assert old in TEXTS[name]
    file = tmp_path / name
    file.write_text(TEXTS[name].replace(old, new, 1), encoding="utf-8")
    found = [one.reading for one in find_hands(file, format_named(FILES[name]))]
    (bad,) = [one for one in found if isinstance(one, BadHand)]
    assert sentence in bad.reason
    assert len(found) == sum(hand_id in HANDS for hand_id in ids_of(name))


def ids_of(name: str) -> list[str]:
    return [
        found.reading.hand_id
        for found in find_hands(HISTORIES / name)
        if isinstance(found.reading, HandRecord)
    ]


def test_a_game_that_is_cut_off_is_refused_and_does_not_change_the_next_one(tmp_path: Path) -> None:
    file = tmp_path / "cut.xml"
    text = TEXTS["ipoker.xml"]
    place = text.index("<game ")
    cut = '<game gamecode="1">\n<general><startdate>2001-01-01 00:00:00</startdate>\n'
    file.write_text(text[:place] + cut + text[place:], encoding="utf-8")
    first, *others = find_hands(file)
    assert isinstance(first.reading, BadHand)
    assert first.reading.reason == "the game has no end, or is too long"
    assert first.line == text[:place].count("\n") + 1
    assert [one.reading for one in others] == [HANDS[hand_id] for hand_id in ids_of("ipoker.xml")]


def test_unclear_winnings_are_refused(tmp_path: Path) -> None:
    """The bet that nobody called is as large as a usual rake, so the pot does not tell whether it is included."""
    text = TEXTS["888poker.txt"].partition("\n\n\n")[0]
    text = text.replace("Ann bets [$6]", "Ann bets [$1]").replace("$9.50", "$9.95")
    file = tmp_path / "hands.txt"
    file.write_text(text, encoding="utf-8")
    (found,) = find_hands(file)
    assert isinstance(found.reading, BadHand)
    assert (
        found.reading.reason == "the text does not say whether the uncalled bet of 100 is among the winnings"
    )


@pytest.mark.parametrize(
    ("line", "what"),
    [
        (
            "Bovada Hand #3598529326 TBL#1 HOLDEM No Limit - 2018-04-10 16:01:17",
            "hands of Bovada or Ignition",
        ),
        (
            "\ufeffFull Tilt Poker Game #326: Table Play (6 max) - $1/$2 - Limit Hold'em",
            "hands of Full Tilt Poker",
        ),
        ("Stage #3017000000: Holdem  No Limit $1 - 2009-07-01", "hands of Absolute Poker or UltimateBet"),
        (
            "Hand #19179 - Holdem (No Limit) - $10.00/$20.00 - 2023/11/03 20:57:05 UTC",
            "the Winning Poker Network",
        ),
        (
            "GAME #4402 Version:18.9.3.4 Uncalled:Y Texas Hold'em NL €0.05/€0.10",
            "in the form of PokerTracker",
        ),
        ('<description type="Holdem" stakes="Limit $0.02/$0.04"/>', "hands of Merge"),
        ("***** History for hand R5-75443872-61 *****", "hands of OnGame"),
        ("PokerStars Tournament #1731156709, No Limit Hold'em", "a tournament summary"),
    ],
)
def test_other_rooms_are_recognised_and_named(line: str, what: str) -> None:
    with pytest.raises(NotationError, match=rf"the file holds .*{what}.*, which Railbird does not read"):
        recognise([line, "Seat 1: Ann ($10 in chips)"], Path("hands.txt"))


def test_rooms_are_documented() -> None:
    page = (Path(__file__).parents[2] / "docs" / "hand-files.md").read_text(encoding="utf-8")
    assert [form.name for form in FORMATS if f"| `{form.name}` |" not in page] == []


@pytest.mark.parametrize(
    "name", [*FILES, "pokerstars_limit.txt", "pokerstars_no_limit.txt", "poker_academy.txt"]
)
def test_hands_replayed_in_one_call_are_those_replayed_step_by_step(
    name: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Also hands with a wrong line, which are refused for the same reason."""
    text = (HISTORIES / name).read_text(encoding="utf-8")
    changes = [
        ("folds", "checks"),
        ("checks", "folds"),
        ("calls", "checks"),
        ("bets", "raises"),
        ("all-in", ""),
    ]
    texts = [text, *(text.replace(old, new, 1) for old, new in changes)]
    texts += [text[: len(text) // 2] + text[len(text) // 2 :].replace(old, new, 3) for old, new in changes]
    form = FILES.get(name, "poker-academy" if "academy" in name else "pokerstars")

    def readings() -> list[list[HandRecord | BadHand]]:
        return [
            [found.reading for found in find_hands(BytesIO(text.encode()), format_named(form))]
            for text in texts
        ]

    at_once = readings()
    monkeypatch.setattr(BettingTree, "after_all", lambda *_: None)
    assert at_once == readings()
