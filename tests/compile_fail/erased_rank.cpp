// SPDX-License-Identifier: MIT
// An `erased` cannot be assigned an expression of another rank than its own.
// sentence: erased = expression: [batch, 512] x [batch, 1, 512]: the shape is not the declared one
// reason: declared_shape_differs
// max_lines: 8
#include <koila/graph/lower.hpp>
#include <koila/ops.hpp>

using namespace koila;

int main() {
  input<batch, 512> x{"x"};
  input<batch, 1, 512> wrong{"wrong"};
#ifdef MISTAKE
  erased<batch, 512> h = wrong;
#else
  erased<batch, 512> h = x;
#endif
}
