// What is to be seen of a table, and the actions of a hand, which follow from it.
//
// OpenHoldem reads a table from the screen: who has how many chips, and who still plays, whenever it is our turn. It does
// not say who did what in between. That follows from the chips: nobody acts twice between two of our turns of a round,
// and nobody raises after our last turn of one, or it would not have been the last.
#pragma once

#include <algorithm>
#include <cmath>
#include <cstdlib>
#include <map>
#include <string>
#include <vector>

#include "OpenHoldemFunctions.h"
#include "brain.h"

typedef std::vector<long long> Chips;

const int kMostChairs = 10;

inline std::string card(const std::string& rank, const std::string& suit) {
    const int high = static_cast<int>(GetSymbol(rank.c_str())), colour = static_cast<int>(GetSymbol(suit.c_str()));
    if (high < 2 || high > 14 || colour < 0 || colour > 3) throw Fault("a card on the screen cannot be read");
    return std::string(1, "23456789TJQKA"[high - 2]) + "hdcs"[colour];
}

struct Table {
    double chip;              // what a chip of the brain is worth, in dollars
    int round;                // 0 before the flop
    std::vector<int> chairs;  // who was dealt in, from the left of the button
    int me;                   // our position among them
    Chips balances, bets;
    std::vector<bool> playing;
    std::string hole_cards, board;

    static Table read() {
        Table table;
        table.chip = std::atof(setting("RAILBIRD_CHIP", "0.01").c_str());
        if (!(table.chip > 0)) throw Fault("RAILBIRD_CHIP is not the worth of a chip in dollars, such as 0.01");
        table.round = static_cast<int>(GetSymbol("betround")) - 1;
        const int all = static_cast<int>(GetSymbol("nchairs")), dealer = static_cast<int>(GetSymbol("dealerchair"));
        const int dealt = static_cast<int>(GetSymbol("playersdealtbits"));
        const int left = static_cast<int>(GetSymbol("playersplayingbits"));
        table.me = -1;
        for (int step = 1; step <= all && all <= kMostChairs; step++) {
            const int chair = (dealer + step) % all;
            if (!(dealt >> chair & 1)) continue;
            if (chair == static_cast<int>(GetSymbol("userchair"))) table.me = static_cast<int>(table.chairs.size());
            table.chairs.push_back(chair);
            table.balances.push_back(table.chips(GetSymbol(("balance" + std::to_string(chair)).c_str())));
            table.bets.push_back(table.chips(GetSymbol(("currentbet" + std::to_string(chair)).c_str())));
            table.playing.push_back(left >> chair & 1);
        }
        if (table.me < 0 || table.chairs.size() < 2 || table.round < 0 || table.round > 3)
            throw Fault("the table cannot be read: it is not clear who was dealt in");
        for (const char* place : {"0", "1"})
            table.hole_cards += card("$$pr" + std::string(place), "$$ps" + std::string(place));
        for (int place = 0; place < (table.round ? table.round + 2 : 0); place++)
            table.board += card("$$cr" + std::to_string(place), "$$cs" + std::to_string(place));
        return table;
    }

    long long chips(double dollars) const { return std::llround(dollars / chip); }

    // Without the rounding error of the product.
    double dollars(long long chips) const { return std::round(chips * chip * 1e6) / 1e6; }

    // Names may be missing, and several players may have the same.
    std::vector<std::string> labels() const {
        std::vector<std::string> names, labels;
        for (int chair : chairs) {
            const char* name = GetPlayerName(chair);
            names.push_back(name ? name : "");
        }
        for (size_t each = 0; each < names.size(); each++) {
            const bool is_clear = !names[each].empty() && std::count(names.begin(), names.end(), names[each]) == 1;
            labels.push_back(is_clear ? names[each] : "chair " + std::to_string(chairs[each]));
        }
        return labels;
    }

    bool is_limit() const { return GetSymbol("lim") == 2; }

    std::string game(size_t size) const {
        const std::string big = std::to_string(chips(GetSymbol("bblind")));
        const std::string small = std::to_string(chips(GetSymbol("sblind")));
        const std::string twice = std::to_string(2 * chips(GetSymbol("bblind")));
        const char* betting = is_limit() ? "limit" : GetSymbol("lim") == 1 ? "potlimit" : "nolimit";
        const std::string rules = setting("RAILBIRD_RULES", is_limit() ? "cap=4,free-folds=yes" : "free-folds=yes");
        return std::string(betting) + "-" + std::to_string(size) + (size < 4 ? "p" : "max") + ":blinds=" + small + "/" +
               big + (is_limit() ? ",bets=" + big + "/" + twice : "") + "," + rules;
    }
};

class Hand {
public:
    void forget() { begun_ = false; }

    // Everyone's actions up to our turn at this table.
    void follow(const Table& table) {
        if (!begun_) begin(table);
        if (table.chairs != chairs_) throw Fault("the players changed during the hand");
        for (int count = 0; round_ != table.round || actor() != table.me || has_acted(table); count++) {
            if (actor() < 0 || round_ > table.round || count > 100)
                throw Fault("what happened since our last turn cannot be told from the chips");
            act(actor(), table);
            while (round_ < table.round && actor() < 0) next_round();
        }
    }

    std::string view(const Table& table) const {
        std::vector<std::string> players;
        for (const std::string& label : labels_) players.push_back(quoted(label));
        return "{\"hand_number\":" + number_ + ",\"seat\":" + std::to_string(table.me) + ",\"hole_cards\":" +
               quoted(table.hole_cards) + ",\"board\":" + quoted(table.board) + ",\"actions\":" + list(actions_) +
               ",\"players\":" + list(players) + ",\"stacks\":" + list(stacks_) + ",\"antes\":" +
               list(Chips(chairs_.size(), ante_)) + "}";
    }

    long long to_call(int position) const {
        return std::min(highest() - bets_[position], stacks_[position] - paid_[position]);
    }

    // The fields of a match: who we are, and everyone in the order of the chairs.
    std::string match(const Table& table) const {
        std::map<int, std::string> seated;
        for (size_t each = 0; each < chairs_.size(); each++) seated[chairs_[each]] = quoted(labels_[each]);
        std::vector<std::string> players;
        for (const auto& each : seated) players.push_back(each.second);
        return "\"label\":" + quoted(labels_[table.me]) + ",\"players\":" + list(players);
    }

    // Everything that a seat can raise to.
    long long all_in(int position) const { return bets_[position] + stacks_[position] - paid_[position]; }

private:
    void begin(const Table& table) {
        if (table.round != 0) throw Fault("the hand was joined after its beginning");
        const size_t count = table.chairs.size();
        chairs_ = table.chairs;
        labels_ = table.labels();
        ante_ = table.chips(GetSymbol("ante"));
        stacks_.clear();
        for (size_t each = 0; each < count; each++)
            stacks_.push_back(table.balances[each] + table.bets[each] + ante_);
        paid_.assign(count, ante_);
        bets_.assign(count, 0);
        folded_.assign(count, false);
        actions_.clear();
        round_ = 0;
        const int small = count == 2 ? 1 : 0, big = 1 - small;  // heads-up the button posts the small blind
        post(small, table.chips(GetSymbol("sblind")));
        big_blind_ = table.chips(GetSymbol("bblind"));
        post(big, big_blind_);
        open((big + 1) % static_cast<int>(count));
        number_ = hand_number();
        begun_ = true;
    }

    // The digits of the casino's number, the last ones if there are many; where it has none, we count.
    std::string hand_number() {
        const char* known = GetHandnumber();
        std::string digits;
        for (const char* each = known ? known : ""; *each; each++)
            if (*each >= '0' && *each <= '9') digits += *each;
        if (digits.empty()) return std::to_string(++hands_);
        return std::to_string(std::atoll(digits.substr(digits.size() > 15 ? digits.size() - 15 : 0).c_str()));
    }

    void post(int position, long long blind) { pay(position, std::min(blind, stacks_[position] - paid_[position])); }

    void pay(int position, long long amount) {
        paid_[position] += amount;
        bets_[position] += amount;
    }

    // What is to be matched: before the flop at least the big blind, even if it could not be posted in full.
    long long highest() const {
        return std::max(*std::max_element(bets_.begin(), bets_.end()), round_ ? 0 : big_blind_);
    }

    bool can_act(int position) const { return !folded_[position] && paid_[position] < stacks_[position]; }

    void open(int first) {
        acted_.assign(chairs_.size(), false);
        next_ = first;
    }

    void next_round() {
        round_++;
        bets_.assign(chairs_.size(), 0);
        open(0);
    }

    // Who acts next in this round; -1 when it is over.
    int actor() const {
        const int count = static_cast<int>(chairs_.size());
        for (int step = 0; step < count; step++) {
            const int position = (next_ + step) % count;
            if (can_act(position) && (!acted_[position] || bets_[position] < highest())) return position;
        }
        return -1;
    }

    // Whether it is our turn again, and not still: somebody paid or folded since.
    bool has_acted(const Table& table) const {
        for (size_t each = 0; each < chairs_.size(); each++) {
            if (stacks_[each] - table.balances[each] != paid_[each]) return true;
            if (!table.playing[each] && !folded_[each]) return true;
        }
        return false;
    }

    // A seat acts: what it did follows from what it paid until now, this round's bets excepted if it acted earlier.
    void act(int position, const Table& table) {
        const bool plays = table.playing[position], is_earlier = round_ < table.round;
        long long paid = stacks_[position] - table.balances[position] - paid_[position];
        if (is_earlier && plays) paid -= table.bets[position];
        const long long due = to_call(position);
        if (paid < 0) throw Fault("chips came back to a player during the hand");
        if (paid > due) {
            pay(position, paid);
            actions_.push_back("[\"raise\"," + std::to_string(bets_[position]) + "]");
        } else if (paid == due && (plays || is_earlier)) {
            pay(position, due);
            actions_.push_back("[\"call\",0]");
        } else if (plays) {
            throw Fault("a player paid less than it had to, but plays on");
        } else {
            folded_[position] = true;
            actions_.push_back("[\"fold\",0]");
        }
        acted_[position] = true;
        next_ = (position + 1) % static_cast<int>(chairs_.size());
    }

    bool begun_ = false;
    long long hands_ = 0, ante_ = 0, big_blind_ = 0;
    std::string number_;
    std::vector<int> chairs_;
    Chips stacks_, paid_, bets_;
    std::vector<bool> folded_, acted_;
    std::vector<std::string> labels_, actions_;
    int round_ = 0, next_ = 0;
};
