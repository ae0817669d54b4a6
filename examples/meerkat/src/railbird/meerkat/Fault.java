package railbird.meerkat;

/** Why there is no decision: a sentence for the log. */
final class Fault extends Exception {
    private static final long serialVersionUID = 1;

    /** Whether only the session was lost, so that another one may help. */
    final boolean lostSession;

    Fault(String sentence) {
        this(sentence, false);
    }

    Fault(String sentence, boolean lostSession) {
        super(sentence);
        this.lostSession = lostSession;
    }
}
