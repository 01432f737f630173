#pragma once
// KOILA_COLD marks functions that run once per plan, not once per step. With koila::header_only
// every user's file compiles them, so the compiler is told to spend little time on them. The
// library koila::koila compiles them once, optimised for speed.
#ifdef KOILA_HEADER_ONLY
#define KOILA_COLD __attribute__((cold))
#else
#define KOILA_COLD
#endif
