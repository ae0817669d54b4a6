package com.biotools.meerkat;

import java.util.ArrayList;
import java.util.List;

/** A stand-in with the signatures that the client needs; cards are counted from 1. */
public final class Hand {
    private final List<Card> cards = new ArrayList<>();

    public boolean addCard(Card card) {
        return cards.add(card);
    }

    public int size() {
        return cards.size();
    }

    public Card getCard(int place) {
        return cards.get(place - 1);
    }
}
