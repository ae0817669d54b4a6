package com.biotools.meerkat;

/** A stand-in with the signatures that the client needs. */
public interface GameInfo {
    long getGameID();

    int getNumSeats();

    int getButtonSeat();

    int getBigBlindSeat();

    double getSmallBlindSize();

    double getBigBlindSize();

    boolean isFixedLimit();

    boolean isPotLimit();

    boolean inGame(int seat);

    String getPlayerName(int seat);

    double getBankRoll(int seat);

    double getAmountToCall(int seat);

    Hand getBoard();
}
