// SPDX-License-Identifier: MIT
// The error message does not grow if the mistake is nested five levels deep.
// sentence: matmul: [batch, 128] x [64, 10]: inner dimensions differ
// reason: inner_dimensions_differ
// max_lines: 8
#include <koila/ops.hpp>

using namespace koila;

int main() {
  input<batch, 784> x{"x"};
  parameter<784, 256> w1{"w1"};
  parameter<256, 128> w2{"w2"};
  parameter<128, 10> w3{"w3"};
  parameter<64, 10> wrong{"wrong"};
#ifdef MISTAKE
  auto y = relu(sigmoid(matmul(relu(matmul(relu(matmul(x, w1)), w2)), wrong)) * 2);
#else
  auto y = relu(sigmoid(matmul(relu(matmul(relu(matmul(x, w1)), w2)), w3)) * 2);
#endif
}
