#pragma once
// Marks functions that run once a plan, not once a step. With koila::header_only every user's file
// compiles them, so there compilers are told to spend little time on them; koila::koila compiles
// them once, for speed.
#ifdef KOILA_HEADER_ONLY
#define KOILA_COLD __attribute__((cold))
#else
#define KOILA_COLD
#endif
