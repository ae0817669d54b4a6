import com.biotools.meerkat.Action;
import com.biotools.meerkat.Card;
import com.biotools.meerkat.GameInfo;
import com.biotools.meerkat.Hand;
import com.biotools.meerkat.Player;
import com.biotools.meerkat.util.Preferences;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.function.Consumer;
import railbird.meerkat.RailbirdPlayer;

/**
 * A table that calls its players in the order in which OpenTestbed's dealer does.
 *
 * <p>What happens is told on standard input, a line for each event, with tabs between its words; whoever is asked for an
 * action answers on standard output.
 */
public final class TestTable implements GameInfo {
    private final Map<Integer, Player> players = new LinkedHashMap<>();
    private String[] hand = new String[0];
    private String[] names = new String[0];
    private double[] bankRolls = new double[0];
    private double toCall;
    private Hand board = new Hand();

    public static void main(String[] arguments) throws IOException {
        TestTable table = new TestTable();
        BufferedReader lines = new BufferedReader(new InputStreamReader(System.in));
        for (String line = lines.readLine(); line != null; line = lines.readLine()) {
            table.perform(line.split("\t"));
        }
    }

    private void perform(String[] words) {
        int seat = words.length > 1 && words[1].matches("[0-9]") ? Integer.parseInt(words[1]) : -1;
        switch (words[0]) {
            case "player": // seat, preferences
                Preferences preferences = new Preferences();
                for (int place = 2; place < words.length; place++) {
                    String[] parts = words[place].split("=", 2);
                    preferences.setPreference(parts[0], parts[1]);
                }
                players.put(seat, new RailbirdPlayer());
                players.get(seat).init(preferences);
                break;
            case "hand": // number, betting, small blind, big blind, button, big blind's seat, then names and bankrolls
                begin(words);
                everybody(player -> player.gameStartEvent(this));
                everybody(player -> player.stageEvent(0));
                break;
            case "deal":
                everybody(Player::dealHoleCardsEvent);
                break;
            case "cards":
                if (players.containsKey(seat)) {
                    players.get(seat).holeCards(card(words[2], 0), card(words[2], 1), seat);
                }
                break;
            case "ask": // seat, amount to call
                toCall = Double.parseDouble(words[2]);
                Action answer = players.get(seat).getAction();
                System.out.println(answer.getType() + "\t" + answer.getToCall() + "\t" + answer.getAmount());
                break;
            case "act": // seat, type, amount to call, amount
                Action action = new Action(
                        Integer.parseInt(words[2]), Double.parseDouble(words[3]), Double.parseDouble(words[4]));
                everybody(player -> player.actionEvent(seat, action));
                everybody(Player::gameStateChanged);
                break;
            case "stage": // its number, the new cards of the board
                for (int place = 0; place < words[2].length() / 2; place++) {
                    board.addCard(card(words[2], place));
                }
                everybody(player -> player.stageEvent(seat));
                break;
            case "show":
                everybody(player -> player.showdownEvent(seat, card(words[2], 0), card(words[2], 1)));
                break;
            case "win":
                everybody(player -> player.winEvent(seat, Double.parseDouble(words[2]), ""));
                break;
            case "over":
                everybody(Player::gameOverEvent);
                break;
            default:
                throw new IllegalArgumentException(words[0]);
        }
    }

    private void begin(String[] words) {
        hand = words;
        int seats = (words.length - 7) / 2;
        names = new String[seats];
        bankRolls = new double[seats];
        for (int seat = 0; seat < seats; seat++) {
            names[seat] = words[7 + 2 * seat];
            bankRolls[seat] = Double.parseDouble(words[8 + 2 * seat]);
        }
        board = new Hand();
    }

    private void everybody(Consumer<Player> call) {
        players.values().forEach(call);
    }

    private static Card card(String cards, int place) {
        return new Card(cards.substring(2 * place, 2 * place + 2));
    }

    @Override
    public long getGameID() {
        return Long.parseLong(hand[1]);
    }

    @Override
    public int getNumSeats() {
        return names.length;
    }

    @Override
    public int getButtonSeat() {
        return Integer.parseInt(hand[5]);
    }

    @Override
    public int getBigBlindSeat() {
        return Integer.parseInt(hand[6]);
    }

    @Override
    public double getSmallBlindSize() {
        return Double.parseDouble(hand[3]);
    }

    @Override
    public double getBigBlindSize() {
        return Double.parseDouble(hand[4]);
    }

    @Override
    public boolean isFixedLimit() {
        return hand[2].equals("limit");
    }

    @Override
    public boolean isPotLimit() {
        return hand[2].equals("pot-limit");
    }

    @Override
    public boolean inGame(int seat) {
        return bankRolls[seat] > 0;
    }

    @Override
    public String getPlayerName(int seat) {
        return names[seat];
    }

    @Override
    public double getBankRoll(int seat) {
        return bankRolls[seat];
    }

    @Override
    public double getAmountToCall(int seat) {
        return toCall;
    }

    @Override
    public Hand getBoard() {
        return board;
    }
}
