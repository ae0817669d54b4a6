// A stand-in for the header of OpenHoldem's user DLL, with the functions that the DLL exports.
#pragma once
#define __stdcall
#define DLL_IMPLEMENTS extern "C"
DLL_IMPLEMENTS double __stdcall ProcessQuery(const char* query);
DLL_IMPLEMENTS void __stdcall DLLUpdateOnNewFormula();
DLL_IMPLEMENTS void __stdcall DLLUpdateOnConnection();
DLL_IMPLEMENTS void __stdcall DLLUpdateOnHandreset();
DLL_IMPLEMENTS void __stdcall DLLUpdateOnNewRound();
DLL_IMPLEMENTS void __stdcall DLLUpdateOnMyTurn();
DLL_IMPLEMENTS void __stdcall DLLUpdateOnHeartbeat();
