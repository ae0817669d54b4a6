import pytest

from railbird.cards import (
    CardError,
    format_card,
    format_cards,
    make_card,
    parse_card,
    parse_cards,
    rank_of,
    require_distinct,
    suit_of,
)


def test_every_card_is_written_as_rank_and_suit_and_read_back() -> None:
    for card in range(52):
        assert parse_card(format_card(card)) == card
        assert make_card(rank_of(card), suit_of(card)) == card


def test_the_deck_begins_with_the_deuce_of_clubs_and_ends_with_the_ace_of_spades() -> None:
    assert (format_card(0), format_card(51)) == ("2c", "As")


def test_cards_may_be_written_with_or_without_spaces() -> None:
    assert parse_cards("AhTd") == parse_cards(" Ah  Td ") == (50, 33)
    assert format_cards((50, 33)) == "AhTd"
    assert format_cards((50, 33), " ") == "Ah Td"
    assert parse_cards("") == ()


@pytest.mark.parametrize("text", ["AH", "10h", "Xh", "Ax", "hA", "", "A", "Ahh", "١h"])
def test_text_that_is_no_card_is_named(text: str) -> None:
    with pytest.raises(CardError, match="is not a card"):
        parse_card(text)


def test_half_a_card_at_the_end_is_named() -> None:
    with pytest.raises(CardError, match="ends in half a card, 'T'"):
        parse_cards("AhT")


def test_the_same_card_twice_is_refused_and_named() -> None:
    with pytest.raises(CardError, match="Ah appears twice"):
        parse_cards("AhKdAh")
    with pytest.raises(CardError, match="2c appears twice"):
        require_distinct([0, 5, 0])


@pytest.mark.parametrize("card", [-1, 52])
def test_numbers_outside_the_deck_are_no_cards(card: int) -> None:
    with pytest.raises(CardError, match=f"{card} is not a card"):
        format_card(card)
    with pytest.raises(CardError, match=f"{card} is not a card"):
        require_distinct([card])
    with pytest.raises(CardError, match="no card has rank 13"):
        make_card(13, 0)
