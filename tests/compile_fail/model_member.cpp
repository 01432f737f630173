// SPDX-License-Identifier: MIT
// For a mistake in a model's operator(), the error message shows the line of the mistake, not the
// line that calls operator().
// sentence: linear: [batch, 512] x [10, 256]: in_features differ
// reason: in_features_differ
// max_lines: 9
#include <koila/ops.hpp>

using namespace koila;

struct mlp {
  parameter<512, 784> w1{"w1"};
  parameter<512> b1{"b1"};
  parameter<10, 512> w2{"w2"};
  parameter<10, 256> wrong{"wrong"};
  auto operator()(const auto& x) const {
    auto h = relu(linear(x, w1, b1));
#ifdef MISTAKE
    return linear(h, wrong);
#else
    return linear(h, w2);
#endif
  }
};

int main() {
  input<batch, 784> x{"x"};
  mlp net;
  auto y = net(x);
}
