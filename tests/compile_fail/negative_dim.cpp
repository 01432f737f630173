// SPDX-License-Identifier: MIT
// The type of an input cannot have a negative dim.
// expect: a dim is not negative: for one that is not known write any, or an axis
// max_lines: 17
#include <koila/ops.hpp>

using namespace koila;

#ifdef MISTAKE
input<batch, -1> x{"x"};
#else
input<batch, any> x{"x"};
#endif
