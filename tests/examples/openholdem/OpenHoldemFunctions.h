// A stand-in for the functions of OpenHoldem that a user DLL may call.
#pragma once
double __stdcall GetSymbol(const char* name);
char* __stdcall GetHandnumber();
char* __stdcall GetPlayerName(int chair);
void WriteLog(char* format, ...);
