// SPDX-License-Identifier: MIT
// All dims of a parameter must be numbers.
// expect: every dim of a parameter is a number
// max_lines: 9
#include <koila/ops.hpp>

using namespace koila;

#ifdef MISTAKE
parameter<512, batch> w{"w"};
#else
parameter<512, 784> w{"w"};
#endif
