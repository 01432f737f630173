// SPDX-License-Identifier: MIT
// An `erased` cannot be assigned an expression of another shape than its own.
// sentence: erased = expression: [batch, 512] x [batch, 256]: the shape is not the declared one
// reason: declared_shape_differs
// max_lines: 8
#include <koila/graph/lower.hpp>
#include <koila/ops.hpp>

using namespace koila;

int main() {
  input<batch, 512> x{"x"};
  parameter<512, 512> w{"w"};
  parameter<256, 512> wrong{"wrong"};
  erased<batch, 512> h = x;
#ifdef MISTAKE
  h = relu(linear(h, wrong));
#else
  h = relu(linear(h, w));
#endif
}
