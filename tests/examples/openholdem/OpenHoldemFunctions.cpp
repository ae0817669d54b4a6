// A table for tests, which the test itself describes by callbacks.
#include "user.h"
#include "OpenHoldemFunctions.h"

#include <cstdarg>
#include <cstdio>

namespace {
double (*symbol)(const char*);
const char* (*text)(int);
void (*report)(const char*);
}  // namespace

// Values of symbols, texts (players' names by chair, and the number of the hand by -1), and lines of the log.
extern "C" void UseTable(double (*symbols)(const char*), const char* (*texts)(int), void (*log)(const char*)) {
    symbol = symbols, text = texts, report = log;
}

double __stdcall GetSymbol(const char* name) { return symbol(name); }

char* __stdcall GetHandnumber() { return const_cast<char*>(text(-1)); }

char* __stdcall GetPlayerName(int chair) { return const_cast<char*>(text(chair)); }

void WriteLog(char* format, ...) {
    char line[1000];
    va_list values;
    va_start(values, format);
    std::vsnprintf(line, sizeof line, format, values);
    va_end(values);
    report(line);
}
