// SPDX-License-Identifier: MIT
// The error message does not grow after a chain of fourteen ops.
// sentence: matmul: [batch, 128] x [64, 10]: inner dimensions differ
// reason: inner_dimensions_differ
// max_lines: 8
#include <koila/ops.hpp>

using namespace koila;

int main() {
  input<batch, 128> x{"x"};
  parameter<128, 128> w{"w"};
  parameter<128, 10> last{"last"};
  parameter<64, 10> wrong{"wrong"};
  auto a = relu(matmul(relu(matmul(relu(matmul(x, w)), w)), w));
  auto b = relu(matmul(relu(matmul(relu(matmul(a, w)), w)), w));
#ifdef MISTAKE
  auto y = relu(matmul(b, wrong));
#else
  auto y = relu(matmul(b, last));
#endif
}
