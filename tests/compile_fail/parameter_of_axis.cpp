// SPDX-License-Identifier: MIT
// A parameter's dims are numbers.
// expect: every dim of a parameter is a number
// max_lines: 9
#include <koila/ops.hpp>

using namespace koila;

#ifdef MISTAKE
parameter<512, batch> w{"w"};
#else
parameter<512, 784> w{"w"};
#endif
