// SPDX-License-Identifier: MIT
// A function that returns an `erased` cannot return an expression of another shape.
// sentence: erased = expression: [batch, 512] x [batch, 784]: the shape is not the declared one
// reason: declared_shape_differs
// max_lines: 8
#include <koila/graph/lower.hpp>
#include <koila/ops.hpp>

using namespace koila;

auto hidden(const input<batch, 784>& x, const parameter<512, 784>& w) -> erased<batch, 512> {
#ifdef MISTAKE
  return relu(x) + sum(w);
#else
  return relu(linear(x, w));
#endif
}

int main() { auto h = hidden(input<batch, 784>{"x"}, parameter<512, 784>{"w"}); }
