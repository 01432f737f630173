// SPDX-License-Identifier: MIT
// An `erased` cannot be initialised with an expression of another shape than its own.
// sentence: erased = expression: [batch, 512] x [batch, 256]: the shape is not the declared one
// reason: declared_shape_differs
// max_lines: 8
#include <koila/graph/lower.hpp>
#include <koila/ops.hpp>

using namespace koila;

int main() {
  input<batch, 784> x{"x"};
  parameter<512, 784> w{"w"};
  parameter<256, 784> wrong{"wrong"};
#ifdef MISTAKE
  erased<batch, 512> h = relu(linear(x, wrong));
#else
  erased<batch, 512> h = relu(linear(x, w));
#endif
}
