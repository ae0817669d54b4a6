// A user DLL for OpenHoldem whose decisions are made by an agent in `railbird brain` (README.md).
//
// 1. `Table::read` takes down what there is to see at our turn.
// 2. `Hand::follow` finds everyone's actions since the last one.
// 3. `Brain::decide` sends all of them and receives an action, once for each turn.
// 4. `ProcessQuery` answers OpenHoldem's questions about it. Without a decision we check or fold.

#define USER_DLL
#define _CRT_SECURE_NO_WARNINGS
#include "user.h"
#include "OpenHoldemFunctions.h"

#include <algorithm>
#include <cstdlib>
#include <cstring>
#include <exception>
#include <string>

#include "brain.h"
#include "hand.h"

namespace {

void log(const std::string& sentence) {
    std::string line = "[railbird] ";
    for (char each : sentence) line += each == '%' ? "%%" : std::string(1, each);
    line += "\n";
    WriteLog(const_cast<char*>(line.c_str()));
}

struct Decision {
    double allin, betsize, raise, call, check, fold;
};

Hand hand;
Brain brain;
size_t most_players = 0;  // of a hand at this table
std::string asked;        // the view that was decided
Decision decided;

Decision decision(const Table& table, const std::string& answer) {
    const size_t start = answer.find("\"action\":[\"");
    if (start == std::string::npos) throw Fault("the brain's answer has no action");
    const std::string action = answer.substr(start + 11);  // raise",20] and what follows
    const std::string kind = action.substr(0, action.find('"'));
    const long long due = hand.to_call(table.me);
    Decision made = {};
    if (kind == "raise") {
        const long long to = std::atoll(action.c_str() + kind.size() + 2);
        if (table.is_limit()) made.raise = 1;
        else made.betsize = table.dollars(to), made.allin = to == hand.all_in(table.me);
    } else if (kind == "call") {
        made.call = due > 0, made.check = due == 0;
    } else {
        made.fold = due > 0, made.check = due == 0;
    }
    return made;
}

void decide() {
    try {
        const Table table = Table::read();
        hand.follow(table);
        const std::string view = hand.view(table);
        if (view == asked) return;
        most_players = std::max(most_players, table.chairs.size());
        decided = decision(table, brain.decide(table.game(most_players), hand.match(table), view));
        asked = view;
    } catch (const std::exception& fault) {
        log(fault.what());
        asked.clear();
        decided = Decision();
        (GetSymbol("call") > 0 ? decided.fold : decided.check) = 1;
    }
}

}  // namespace

DLL_IMPLEMENTS double __stdcall ProcessQuery(const char* query) {
    if (!query) return 0;
    if (!std::strcmp(query, "dll$alli")) return decided.allin;
    if (!std::strcmp(query, "dll$betsize")) return decided.betsize;
    if (!std::strcmp(query, "dll$rais")) return decided.raise;
    if (!std::strcmp(query, "dll$call")) return decided.call;
    if (!std::strcmp(query, "dll$check")) return decided.check;
    if (!std::strcmp(query, "dll$fold")) return decided.fold;
    return 0;
}

DLL_IMPLEMENTS void __stdcall DLLUpdateOnMyTurn() { decide(); }

DLL_IMPLEMENTS void __stdcall DLLUpdateOnHandreset() { hand.forget(), asked.clear(); }

DLL_IMPLEMENTS void __stdcall DLLUpdateOnConnection() {
    hand.forget(), asked.clear(), brain.forget();
    most_players = 0;
}

DLL_IMPLEMENTS void __stdcall DLLUpdateOnNewFormula() {}

DLL_IMPLEMENTS void __stdcall DLLUpdateOnNewRound() {}

DLL_IMPLEMENTS void __stdcall DLLUpdateOnHeartbeat() {}

#ifdef _WIN32
BOOL APIENTRY DllMain(HANDLE, DWORD reason, LPVOID) {
    if (reason == DLL_PROCESS_ATTACH) InitializeOpenHoldemFunctionInterface();
    return TRUE;
}
#endif
