package com.biotools.meerkat;

/** A stand-in with the signatures that the client needs. */
public interface GameObserver {
    void actionEvent(int seat, Action action);

    void stageEvent(int stage);

    void showdownEvent(int seat, Card first, Card second);

    void gameStartEvent(GameInfo info);

    void dealHoleCardsEvent();

    void gameOverEvent();

    void winEvent(int seat, double amount, String handName);

    void gameStateChanged();
}
