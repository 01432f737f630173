// SPDX-License-Identifier: MIT
// An `erased` cannot be initialised with an expression of another dtype than its own.
// sentence: erased = expression: [batch, 512] x float64[batch, 512]: the dtype is not the
//    declared one
// reason: declared_dtype_differs
// max_lines: 8
#include <koila/graph/lower.hpp>
#include <koila/ops.hpp>

using namespace koila;

int main() {
  input<batch, 512> x{"x"};
  input<float64, batch, 512> wrong{"wrong"};
#ifdef MISTAKE
  erased<batch, 512> h = relu(wrong);
#else
  erased<batch, 512> h = relu(x);
#endif
}
