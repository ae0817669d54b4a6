package com.biotools.meerkat;

/** A stand-in with the signatures that the client needs. */
public final class Card {
    private final int rank;
    private final int suit;

    public Card(String text) {
        rank = "23456789TJQKA".indexOf(text.charAt(0));
        suit = "shdc".indexOf(text.charAt(1));
    }

    public int getRank() {
        return rank;
    }

    public int getSuit() {
        return suit;
    }
}
