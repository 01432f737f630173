// SPDX-License-Identifier: MIT
// The mistake is in a loss whose expression also calls a model.
// sentence: cross_entropy: [batch, 10] x [batch]: shapes differ
// reason: shapes_differ
// max_lines: 8
#include <koila/ops.hpp>

using namespace koila;

struct mlp {
  parameter<512, 784> w1{"w1"};
  parameter<512> b1{"b1"};
  parameter<10, 512> w2{"w2"};
  parameter<10> b2{"b2"};
  auto operator()(const auto& x) const { return linear(relu(linear(x, w1, b1)), w2, b2); }
};

int main() {
  input<batch, 784> x{"x"};
  input<int64, batch> label{"label"};
  input<batch> target{"target"};
  mlp net;
#ifdef MISTAKE
  auto loss = cross_entropy(net(x), target);
#else
  auto loss = cross_entropy(net(x), label);
#endif
}
