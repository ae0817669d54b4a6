package railbird.meerkat;

import com.biotools.meerkat.Action;
import com.biotools.meerkat.Card;
import com.biotools.meerkat.GameInfo;
import com.biotools.meerkat.Hand;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/**
 * What one player has seen of a hand: Meerkat's events, from which it makes the views that a brain reads.
 *
 * <p>Meerkat counts seats around the table and names amounts in dollars: what is called, and what is raised on top. A
 * brain counts positions from the left of the button, in chips, and a raise is always raise-to.
 */
final class ObservedHand {
    private static final String RANKS = "23456789TJQKA";
    private static final String SUITS = "shdc";

    private final GameInfo info;
    private final Chips chips;
    private final Map<Integer, Long> stackBySeat = new HashMap<>();
    private final Map<Integer, Long> blindBySeat = new HashMap<>();
    private final Map<Integer, Long> anteBySeat = new HashMap<>();
    private final List<Object> actions = new ArrayList<>();
    private final Map<Integer, String> shown = new TreeMap<>();
    private final Map<Integer, Double> wonBySeat = new HashMap<>();

    private int ownSeat = -1;
    private String holeCards;

    // By position, from the first action on.
    private List<Integer> seats;
    private long[] stacks;
    private long[] left;
    private long[] bets;
    private boolean[] folded;
    private int stage;

    /** A hand that begins: nobody has posted anything. */
    ObservedHand(GameInfo info, Chips chips) {
        this.info = info;
        this.chips = chips;
        for (int seat = 0; seat < info.getNumSeats(); seat++) {
            stackBySeat.put(seat, chips.rounded(info.getBankRoll(seat)));
        }
    }

    void deal(Card first, Card second, int seat) {
        ownSeat = seat;
        holeCards = text(first) + text(second);
    }

    /** Whether the player is dealt in. */
    boolean isPlayed() {
        return holeCards != null;
    }

    /** Whether somebody can still answer a bet, so that a new stage is bet. */
    boolean isBet() {
        int able = 0;
        for (int position = 0; seats != null && position < seats.size(); position++) {
            able += !folded[position] && left[position] > 0 ? 1 : 0;
        }
        return able > 1;
    }

    void begin(int newStage) {
        if (newStage > stage) {
            stage = newStage;
            if (seats != null) {
                Arrays.fill(bets, 0);
            }
        }
    }

    void act(int seat, Action action) throws Fault {
        switch (action.getType()) {
            case Action.SMALL_BLIND:
                blindBySeat.put(seat, chips.exactly(info.getSmallBlindSize()));
                break;
            case Action.BIG_BLIND:
                blindBySeat.put(seat, chips.exactly(info.getBigBlindSize()));
                break;
            case Action.POST_BLIND:
                blindBySeat.put(seat, chips.exactly(action.getAmount()));
                break;
            case Action.POST_ANTE:
            case Action.POST_DEAD_BLIND:
                anteBySeat.merge(seat, chips.exactly(action.getAmount()), Long::sum);
                break;
            default:
                if (isPlayed()) {
                    bet(seat, action);
                }
        }
    }

    private void bet(int seat, Action action) throws Fault {
        switch (action.getType()) {
            case Action.FOLD:
                fold(position(seat));
                break;
            case Action.SIT_OUT: // in the middle of a hand it folds, unless the player was not in it
                settle();
                if (seats.contains(seat) && !folded[position(seat)]) {
                    fold(position(seat));
                }
                break;
            case Action.CHECK:
            case Action.CALL:
                call(position(seat));
                break;
            case Action.BET:
            case Action.RAISE:
                raise(position(seat), action.getToCall() + action.getAmount());
                break;
            default: // mucked hands, returned bets: nothing that a decision depends on
                break;
        }
    }

    private void fold(int position) {
        folded[position] = true;
        actions.add(List.of("fold", 0));
    }

    private void call(int position) {
        pay(position, toCall(position));
        actions.add(List.of("call", 0));
    }

    private void raise(int position, double dollars) throws Fault {
        // The part of a chip that a stack may have is bet with the last whole one.
        long paid = chips.rounded(dollars) >= left[position] ? left[position] : chips.exactly(dollars);
        if (paid <= toCall(position)) {
            call(position);
        } else {
            pay(position, paid);
            actions.add(List.of("raise", bets[position]));
        }
    }

    private void pay(int position, long paid) {
        left[position] -= paid;
        bets[position] += paid;
    }

    private long toCall(int position) {
        return Math.min(Arrays.stream(bets).max().getAsLong() - bets[position], left[position]);
    }

    void show(int seat, Card first, Card second) throws Fault {
        shown.put(position(seat), text(first) + text(second));
    }

    void win(int seat, double dollars) {
        wonBySeat.merge(seat, dollars, Double::sum);
    }

    /** How many players are dealt in. */
    int players() throws Fault {
        settle();
        return seats.size();
    }

    /** The labels of the players who are dealt in, in the order of their seats. */
    List<String> labels() throws Fault {
        settle();
        List<String> labels = new ArrayList<>();
        seats.stream().sorted().forEach(seat -> labels.add(label(seat)));
        return labels;
    }

    String ownLabel() {
        return label(ownSeat);
    }

    /** Names may be missing, and several players may have the same. */
    private String label(int seat) {
        String name = info.getPlayerName(seat);
        for (int other = 0; name != null && other < info.getNumSeats(); other++) {
            if (other != seat && name.equals(info.getPlayerName(other))) {
                return name + " (seat " + seat + ")";
            }
        }
        return name == null || name.isBlank() ? "seat " + seat : name;
    }

    /** The name of the game for a number of players, with the stakes of this hand and further rules. */
    String game(int players, String rules) throws Fault {
        long small = chips.exactly(info.getSmallBlindSize());
        long big = chips.exactly(info.getBigBlindSize());
        String betting = info.isFixedLimit() ? "limit" : info.isPotLimit() ? "potlimit" : "nolimit";
        String bets = info.isFixedLimit() ? ",bets=" + big + "/" + 2 * big : "";
        return betting + "-" + players + (players < 4 ? "p" : "max") + ":blinds=" + small + "/" + big + bets
                + (rules.isBlank() ? "" : "," + rules.trim());
    }

    /** Everything so far, as a brain reads it. */
    Map<String, Object> view() throws Fault {
        settle();
        Map<String, Object> view = new LinkedHashMap<>();
        view.put("hand_number", Math.floorMod(info.getGameID(), 1L << 53));
        view.put("seat", position(ownSeat));
        view.put("hole_cards", holeCards);
        view.put("board", board());
        view.put("actions", new ArrayList<>(actions));
        List<String> players = new ArrayList<>();
        List<Long> blinds = new ArrayList<>();
        List<Long> antes = new ArrayList<>();
        List<Long> chipsBehind = new ArrayList<>();
        for (int position = 0; position < seats.size(); position++) {
            int seat = seats.get(position);
            players.add(label(seat));
            blinds.add(blindBySeat.getOrDefault(seat, 0L));
            antes.add(anteBySeat.getOrDefault(seat, 0L));
            chipsBehind.add(stacks[position]);
        }
        view.put("players", players);
        view.put("stacks", chipsBehind);
        view.put("blinds", blinds);
        view.put("antes", antes);
        view.put("first", (position(info.getBigBlindSeat()) + 1) % seats.size());
        return view;
    }

    /** The end of the hand, as a brain reads it: what was shown, and if somebody mucked, what everyone won. */
    Map<String, Object> ending() throws Fault {
        Map<String, Object> view = view();
        Map<String, Object> open = new LinkedHashMap<>();
        int hidden = 0;
        int live = 0;
        for (int position = 0; position < seats.size(); position++) {
            live += folded[position] ? 0 : 1;
            if (!folded[position] && position != position(ownSeat)) {
                hidden += shown.containsKey(position) ? 0 : 1;
            }
            if (shown.containsKey(position) && position != position(ownSeat)) {
                open.put(String.valueOf(position), shown.get(position));
            }
        }
        if (!open.isEmpty()) {
            view.put("shown", open);
        }
        Map<String, Object> ending = new LinkedHashMap<>();
        ending.put("view", view);
        if (live > 1 && hidden > 0) {
            ending.put("payoffs", payoffs());
        }
        return ending;
    }

    /** What everyone won or lost; a bet that nobody called is returned before, or part of what is won. */
    private List<Long> payoffs() throws Fault {
        int count = seats.size();
        long[] paid = new long[count];
        Arrays.setAll(paid, position -> stacks[position] - left[position]);
        long[] ordered = paid.clone();
        Arrays.sort(ordered);
        long uncalled = ordered[count - 1] - ordered[count - 2];
        List<Long> payoffs = new ArrayList<>();
        long sum = 0;
        for (int position = 0; position < count; position++) {
            long won = chips.exactly(wonBySeat.getOrDefault(seats.get(position), 0.0)) - paid[position];
            payoffs.add(won);
            sum += won;
        }
        if (sum == -uncalled && uncalled > 0) {
            int payer = 0;
            while (paid[payer] < ordered[count - 1]) {
                payer++;
            }
            payoffs.set(payer, payoffs.get(payer) + uncalled);
        } else if (sum != 0) {
            throw new Fault("the chips that were won in hand " + info.getGameID() + " differ from those that were bet by "
                    + Math.abs(sum) + ", so the brain cannot be told its result");
        }
        return payoffs;
    }

    /** The brain's action as Meerkat's: the amount of a raise is what is put on top of a call. */
    Action action(Map<String, Object> decision) throws Fault {
        Object action = decision.get("action");
        if (!(action instanceof List) || ((List<?>) action).size() != 2 || !(((List<?>) action).get(1) instanceof Long)) {
            throw new Fault("the brain's decision has no action");
        }
        int own = position(ownSeat);
        double toCall = chips.dollars(toCall(own));
        String kind = String.valueOf(((List<?>) action).get(0));
        switch (kind) {
            case "fold":
                return Action.checkOrFoldAction(toCall);
            case "call":
                return Action.callAction(toCall);
            case "raise":
                long to = (Long) ((List<?>) action).get(1);
                return Action.raiseAction(toCall, chips.dollars(to - bets[own] - toCall(own)));
            default:
                throw new Fault("the brain's decision is '" + kind + "', which is not an action");
        }
    }

    private int position(int seat) throws Fault {
        settle();
        int found = seats.indexOf(seat);
        if (found < 0) {
            throw new Fault("seat " + seat + " acts in hand " + info.getGameID() + ", but was not dealt in");
        }
        return found;
    }

    /** Before the first action: who is dealt in is known now, and all blinds are posted. */
    private void settle() throws Fault {
        if (seats != null) {
            return;
        }
        List<Integer> dealt = new ArrayList<>();
        for (int step = 1; step <= info.getNumSeats(); step++) {
            int seat = (info.getButtonSeat() + step) % info.getNumSeats();
            if (info.inGame(seat)) {
                dealt.add(seat);
            }
        }
        if (dealt.size() < 2 || !dealt.contains(ownSeat)) {
            throw new Fault("hand " + info.getGameID() + " cannot be followed: it is not clear who is dealt in");
        }
        seats = dealt;
        stacks = new long[dealt.size()];
        left = new long[dealt.size()];
        bets = new long[dealt.size()];
        folded = new boolean[dealt.size()];
        for (int position = 0; position < dealt.size(); position++) {
            int seat = dealt.get(position);
            stacks[position] = stackBySeat.get(seat);
            long ante = Math.min(anteBySeat.getOrDefault(seat, 0L), stacks[position]);
            left[position] = stacks[position] - ante;
            pay(position, Math.min(blindBySeat.getOrDefault(seat, 0L), left[position]));
        }
    }

    private String board() {
        Hand board = info.getBoard();
        StringBuilder cards = new StringBuilder();
        for (int place = 1; board != null && place <= board.size(); place++) {
            cards.append(text(board.getCard(place)));
        }
        return cards.toString();
    }

    private static String text(Card card) {
        return "" + RANKS.charAt(card.getRank()) + SUITS.charAt(card.getSuit());
    }
}
