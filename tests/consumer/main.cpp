// SPDX-License-Identifier: MIT
#include <ATen/ops/full.h>
#include <koila/koila.hpp>

#include <iostream>

int main() {
  using namespace koila;
  input<batch, 3> x{"x"};
  input<2, 3> w{"w"};
  at::Tensor y = run(relu(linear(x, w)), x = at::full({4, 3}, 2.0f), w = at::full({2, 3}, 0.5f));  // (batch, 2)
  std::cout << y << '\n';
  return y.size(0) == 4 && y.size(1) == 2 && *y.mutable_data_ptr<float>() == 3.0f ? 0 : 1;
}
