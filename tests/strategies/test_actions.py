"""Letters for bets, and real bets read as letters (sartre-2012 §6.2 and §6.3)."""

from fractions import Fraction

import pytest

from railbird.engine.actions import CALL, FOLD, raise_to
from railbird.engine.games import named_game
from railbird.engine.setup import Setup
from railbird.strategies.actions import (
    LIMIT,
    POT_SHARES,
    SARTRE,
    AbstractionError,
    ActionAbstraction,
    Choice,
    hard_translation,
    legal_places,
    raise_share,
    soft_translation,
)

BLINDS_50_100 = Setup.of(named_game("nolimit-2p"))


def test_letters_are_shares_of_the_pot_after_a_call() -> None:
    # The button has posted 50 of 100: after a call the pot is 200.
    choices = SARTRE.choices(BLINDS_50_100.tree.root.view)
    assert [(choice.letter, choice.action) for choice in choices] == [
        ("f", FOLD),
        ("c", CALL),
        ("h", raise_to(200)),
        ("i", raise_to(250)),
        ("p", raise_to(300)),
        ("d", raise_to(500)),
        ("v", raise_to(1100)),
        ("t", raise_to(2100)),
        ("a", raise_to(20000)),
    ]
    assert [choice.share for choice in choices[2:-1]] == list(POT_SHARES.values())[1:]


def test_a_bet_below_the_least_raise_is_left_out_and_one_beyond_the_stack_is_all_in() -> None:
    tree = Setup.of(named_game("nolimit-2p:stack=450")).tree
    letters = {choice.letter: choice.action for choice in SARTRE.choices(tree.root.view)}
    assert "q" not in letters
    assert letters["p"] == raise_to(300)
    assert letters["a"] == raise_to(450)
    assert "d" not in letters
    after = tree.after(tree.root, raise_to(300))
    assert [choice.letter for choice in SARTRE.choices(after.view)] == ["f", "c", "a"]
    assert [choice.letter for choice in ActionAbstraction("fchp").choices(after.view)] == ["f", "c", "p"]


def test_nobody_folds_where_checking_is_free_and_raises_beyond_the_cap() -> None:
    tree = Setup.of(named_game("limit-2p")).tree
    node = tree.after(tree.root, CALL)
    assert [choice.letter for choice in LIMIT.choices(node.view)] == ["c", "r"]
    for amount in (20, 30, 40):
        node = tree.after(node, raise_to(amount))
    assert [choice.letter for choice in LIMIT.choices(node.view)] == ["f", "c"]


def test_a_word_for_every_number_of_raises_in_the_round() -> None:
    actions = ActionAbstraction("fcha/fcp/fca")
    assert (actions.letters, str(actions)) == ("fchpa", "fcha/fcp/fca")
    tree = BLINDS_50_100.tree
    node, found = tree.root, []
    for amount in (200, 600, 1800):
        found.append("".join(choice.letter for choice in actions.choices(node.view)))
        node = tree.after(node, raise_to(amount))
    found.append("".join(choice.letter for choice in actions.choices(node.view)))
    node = tree.after(node, CALL)  # the next round begins with the first word
    found.append("".join(choice.letter for choice in actions.choices(node.view)))
    assert found == ["fcha", "fcp", "fca", "fca", "cha"]


def test_one_word_is_the_same_as_repeating_it() -> None:
    view = BLINDS_50_100.tree.after(BLINDS_50_100.tree.root, raise_to(300)).view
    assert ActionAbstraction("fcpa").choices(view) == ActionAbstraction("fcpa/fcpa").choices(view)


def test_merged_trees_have_the_same_actions() -> None:
    actions = ActionAbstraction("fcha/fcp-merged")
    assert (actions.letters, actions.words, str(actions)) == ("fchpa", ("fcha", "fcp"), "fcha/fcp-merged")
    assert (actions.is_merged, ActionAbstraction("fcha/fcp").is_merged) == (True, False)


@pytest.mark.parametrize(
    "notation",
    ["", "cf", "fcap", "fcpp", "fcx", "fcph", "fcpa/", "/fc", "fcpa/cf", "-merged", "fcr-", "fcr-merge"],
)
def test_other_words_are_no_abstraction(notation: str) -> None:
    with pytest.raises(AbstractionError, match="is not an action abstraction: write fc"):
        ActionAbstraction(notation)


def choices(*shares: int) -> list[Choice]:
    return [Choice(letter, CALL, Fraction(share, 20)) for letter, share in zip("pa", shares, strict=True)]


def test_hard_translation_divides_bets_by_ratio_and_not_by_distance() -> None:
    # sartre-2012, Fig. 6: a pot of 20, bets of 20 (the pot) and 400 (all-in). √(20 · 400) = 89.4
    bets = choices(20, 400)
    assert hard_translation(bets, Fraction(89, 20)).letter == "p"
    assert hard_translation(bets, Fraction(90, 20)).letter == "a"
    assert hard_translation(bets, Fraction(400, 20)).letter == "a"
    assert hard_translation(bets, Fraction(20, 20)).letter == "p"
    assert hard_translation(bets, Fraction(1, 20)).letter == "p"
    assert hard_translation(bets, Fraction(500, 20)).letter == "a"


def test_soft_translation_is_certain_at_the_abstract_bets_and_even_between_them_by_ratio() -> None:
    bets = choices(25, 400)
    assert soft_translation(bets, Fraction(25, 20)) == {"p": 1.0}
    assert soft_translation(bets, Fraction(400, 20)) == {"a": 1.0}
    assert soft_translation(bets, Fraction(1, 20)) == {"p": 1.0}
    assert soft_translation(bets, Fraction(900, 20)) == {"a": 1.0}
    assert soft_translation(bets, Fraction(100, 20)) == pytest.approx({"p": 0.5, "a": 0.5})
    # Eq. 4 and 5 by hand for b = 50: x/b = 1/2, b/y = 1/8, x/y = 1/16.
    assert soft_translation(bets, Fraction(50, 20)) == pytest.approx({"p": 7 / 8, "a": 1 / 8})


def test_without_bets_nothing_can_be_translated() -> None:
    with pytest.raises(AbstractionError, match="no bet here"):
        soft_translation([Choice("c", CALL, Fraction(0))], Fraction(1))


def test_the_share_of_a_raise_is_that_of_its_letter() -> None:
    view = BLINDS_50_100.tree.root.view
    assert raise_share(view, 300) == 1
    assert raise_share(view, 200) == Fraction(1, 2)


@pytest.mark.parametrize(
    ("letters", "to", "found"),
    [
        ("fcqhipdvta", 300, "p"),
        ("fcqhipdvta", 290, "ip"),
        ("fcqhipdvta", 101, "q"),  # a quarter of the pot is 50, less than the least raise
        ("fcqhipdvta", 160, "qh"),
        ("fcqhipdvta", 3000, "ta"),
        ("fcqhipdvta", 20000, "a"),
        ("fcqhipdvt", 20000, "t"),
        ("fcpa", 120, "p"),
    ],
)
def test_a_bet_is_read_as_one_of_the_next_letters(letters: str, to: int, found: str) -> None:
    readable = ActionAbstraction(letters).readable(BLINDS_50_100.tree.root.view, to)
    assert "".join(choice.letter for choice in readable) == found


def test_there_are_no_letters_beyond_all_in_unless_it_is_none() -> None:
    view = Setup.of(named_game("nolimit-2p:stack=450")).tree.root.view
    assert [choice.letter for choice in SARTRE.readable(view, 400)] == ["p", "a"]
    assert [choice.letter for choice in ActionAbstraction("fcpdv").readable(view, 400)] == ["p", "d"]


def test_letters_that_are_not_legal_become_the_next_larger_one_or_a_call() -> None:
    legal, places = legal_places("fcqhpa", {"c": CALL, "h": raise_to(200), "a": raise_to(900)})
    assert legal == (CALL, raise_to(200), raise_to(900))
    assert [str(legal[place]) for place in places] == [
        "call", "call", "raise to 200", "raise to 200", "raise to 900", "raise to 900",
    ]  # fmt: skip
    assert legal_places("fcpa", {"f": FOLD, "c": CALL}) == ((FOLD, CALL), (0, 1, 1, 1))
