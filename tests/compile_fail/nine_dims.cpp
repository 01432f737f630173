// SPDX-License-Identifier: MIT
// A shape can have at most eight dims.
// expect: more than 8 dimensions
// max_lines: 17
#include <koila/ops.hpp>

using namespace koila;

#ifdef MISTAKE
input<batch, 1, 2, 3, 4, 5, 6, 7, 8> x{"x"};
#else
input<batch, 1, 2, 3, 4, 5, 6, 7> x{"x"};
#endif
