// SPDX-License-Identifier: MIT
// The mistake is an operand of a C++ operator (here +) inside a model's operator().
// sentence: add: [batch, 512] x [batch, 784]: not broadcastable
// reason: not_broadcastable
// max_lines: 9
#include <koila/ops.hpp>

using namespace koila;

struct residual {
  parameter<512, 784> w{"w"};
  parameter<784, 512> v{"v"};
  auto operator()(const auto& x) const {
    auto h = relu(linear(x, w));
#ifdef MISTAKE
    return h + x;
#else
    return linear(h, v) + x;
#endif
  }
};

int main() {
  input<batch, 784> x{"x"};
  auto y = residual{}(x);
}
