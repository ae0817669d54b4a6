package railbird.meerkat;

import com.biotools.meerkat.Action;
import com.biotools.meerkat.Card;
import com.biotools.meerkat.GameInfo;
import com.biotools.meerkat.Player;
import com.biotools.meerkat.util.Preferences;
import java.util.LinkedHashMap;
import java.util.Map;

/**
 * A Meerkat player whose decisions are made by an agent in `railbird brain`: the arms and eyes of baycarp-2011, figure
 * 6.2.
 *
 * <p>It never disturbs its table: without a decision it checks or folds, and says in a line on standard error why.
 */
public final class RailbirdPlayer implements Player {
    /** Rules that Meerkat does not state: as in OpenTestbed, and otherwise refusing nothing that a table may allow. */
    private static final String TOLERANT =
            "short-blind=posted,reopening=any-raise,min-raise=kept,needs-caller=no,free-folds=yes";

    private Preferences preferences;
    private Brain brain;
    private Chips chips;
    private GameInfo info;
    private ObservedHand hand;
    private int seat = -1;
    private int size;
    private Map<String, Object> match = Map.of();

    /** An event or a question, whose fault is not the table's problem. */
    private interface Step {
        void run() throws Fault;
    }

    @Override
    public void init(Preferences playerPreferences) {
        preferences = playerPreferences;
        attempt(this::prepare);
    }

    private void prepare() throws Fault {
        chips = new Chips(preference("RAILBIRD_CHIP", "0.01"));
        brain = new Brain(preference("RAILBIRD_URL", "http://127.0.0.1:8000"),
                preference("RAILBIRD_AGENT", "baycarp2"), preferences.getDoublePreference("RAILBIRD_SECONDS", 60));
        Runtime.getRuntime().addShutdownHook(new Thread(brain::close));
    }

    @Override
    public void gameStartEvent(GameInfo gameInfo) {
        info = gameInfo;
        hand = null;
        if (brain != null) {
            attempt(() -> hand = new ObservedHand(gameInfo, chips));
        }
    }

    @Override
    public void dealHoleCardsEvent() {
        // What matters are the own cards, which follow.
    }

    @Override
    public void holeCards(Card first, Card second, int ownSeat) {
        seat = ownSeat;
        observe(() -> hand.deal(first, second, ownSeat));
    }

    @Override
    public void actionEvent(int position, Action action) {
        observe(() -> hand.act(position, action));
    }

    @Override
    public void gameStateChanged() {
        // The action was heard in actionEvent; the brain hears it in the next view.
    }

    @Override
    public void stageEvent(int stage) {
        observe(() -> hand.begin(stage));
        if (hand != null && hand.isPlayed() && brain.listens() && hand.isBet()) {
            attempt(() -> brain.tell(match(), "views", Map.of("view", hand.view())));
        }
    }

    @Override
    public void showdownEvent(int position, Card first, Card second) {
        if (hand != null && hand.isPlayed()) {
            observe(() -> hand.show(position, first, second));
        }
    }

    @Override
    public void winEvent(int position, double amount, String handName) {
        observe(() -> hand.win(position, amount));
    }

    @Override
    public void gameOverEvent() {
        if (hand != null && hand.isPlayed() && brain.wantsEndings()) {
            attempt(() -> brain.tell(match(), "endings", hand.ending()));
        }
        hand = null;
    }

    @Override
    public Action getAction() {
        Action[] decided = new Action[1];
        attempt(() -> {
            if (brain == null) {
                prepare();
            }
            if (hand == null) {
                throw new Fault("this hand cannot be followed, so the brain was not asked");
            }
            Map<String, Object> decision = brain.decide(match(), hand.view());
            decided[0] = hand.action(decision);
            explain(decision);
        });
        return decided[0] != null ? decided[0] : checkOrFold();
    }

    /** The match that the hand belongs to: another one begins when the stakes change, or more players sit down. */
    private Map<String, Object> match() throws Fault {
        size = Math.max(size, hand.players());
        String rules = preference("RAILBIRD_RULES", info.isFixedLimit() ? "cap=4" : "");
        String game = hand.game(size, rules.isBlank() ? TOLERANT : rules + "," + TOLERANT);
        if (!game.equals(match.get("game"))) {
            Map<String, Object> begun = new LinkedHashMap<>();
            begun.put("game", game);
            begun.put("label", hand.ownLabel());
            begun.put("players", hand.labels());
            String stream = preference("RAILBIRD_STREAM", "");
            String seed = preference("RAILBIRD_SEED", "");
            if (!stream.isEmpty()) {
                begun.put("stream", stream);
            } else if (!seed.isEmpty()) {
                begun.put("seed", seed);
            }
            match = begun;
        }
        return match;
    }

    private Action checkOrFold() {
        try {
            return Action.checkOrFoldAction(info.getAmountToCall(seat));
        } catch (RuntimeException unknown) {
            return Action.foldAction(0.0);
        }
    }

    private void explain(Map<String, Object> decision) {
        Object reasons = decision.get("explanation");
        if (reasons instanceof Map && preferences.getBooleanPreference("DEBUG", false)) {
            System.out.println("railbird: " + ((Map<?, ?>) reasons).get("summary"));
        }
    }

    /** After an event that cannot be understood, the rest of the hand cannot be either. */
    private void observe(Step event) {
        if (hand != null && !attempt(event)) {
            hand = null;
        }
    }

    private boolean attempt(Step step) {
        try {
            step.run();
            return true;
        } catch (Fault fault) {
            System.err.println("railbird: " + fault.getMessage());
        } catch (RuntimeException surprise) { // whatever a table does, its player must not end it
            System.err.println("railbird: internal error: " + surprise);
        }
        return false;
    }

    private String preference(String name, String usual) {
        String value = preferences.getPreference(name, usual);
        return value == null ? usual : value.trim();
    }
}
