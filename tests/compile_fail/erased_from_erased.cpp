// SPDX-License-Identifier: MIT
// An `erased` cannot be assigned an `erased` of another shape.
// sentence: erased = expression: [batch, 512] x [512, batch]: the shape is not the declared one
// reason: declared_shape_differs
// max_lines: 8
#include <koila/graph/lower.hpp>
#include <koila/ops.hpp>

using namespace koila;

int main() {
  input<batch, 512> x{"x"};
  erased<batch, 512> h = x;
  erased<512, batch> wrong = transpose(x, 0_c, 1_c);
#ifdef MISTAKE
  h = wrong;
#else
  h = transpose(wrong, 0_c, 1_c);
#endif
}
