package com.biotools.meerkat;

/** A stand-in with the signatures that the client needs. */
public class Action {
    public static final int FOLD = 0;
    public static final int CHECK = 1;
    public static final int CALL = 2;
    public static final int BET = 3;
    public static final int RAISE = 4;
    public static final int SMALL_BLIND = 5;
    public static final int BIG_BLIND = 6;
    public static final int POST_BLIND = 7;
    public static final int MUCK = 9;
    public static final int POST_ANTE = 10;
    public static final int SIT_OUT = 11;
    public static final int POST_DEAD_BLIND = 12;

    private final int type;
    private final double toCall;
    private final double amount;

    public Action(int type, double toCall, double amount) {
        this.type = type;
        this.toCall = toCall;
        this.amount = amount;
    }

    public int getType() {
        return type;
    }

    public double getToCall() {
        return toCall;
    }

    public double getAmount() {
        return amount;
    }

    public static Action foldAction(double toCall) {
        return new Action(FOLD, toCall, 0);
    }

    public static Action checkOrFoldAction(double toCall) {
        return toCall > 0 ? foldAction(toCall) : new Action(CHECK, 0, 0);
    }

    public static Action callAction(double toCall) {
        return toCall > 0 ? new Action(CALL, toCall, 0) : new Action(CHECK, 0, 0);
    }

    public static Action raiseAction(double toCall, double amount) {
        return new Action(toCall > 0 ? RAISE : BET, toCall, amount);
    }
}
