package com.biotools.meerkat;

import com.biotools.meerkat.util.Preferences;

/** A stand-in with the signatures that the client needs. */
public interface Player extends GameObserver {
    void init(Preferences preferences);

    void holeCards(Card first, Card second, int seat);

    Action getAction();
}
