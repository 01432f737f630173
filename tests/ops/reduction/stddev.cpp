// SPDX-License-Identifier: MIT
#include "ops/check_reduction.hpp"

namespace koila::test {

TEST_CASE("std") {
  const auto f = [](const auto&... x) { return koila::std(x...); };
  // Uses fixed values: if a random deviation happens to be small, the derivatives are
  // ill-conditioned.
  const auto values = [](at::IntArrayRef sizes) {
    return at::arange(1, c10::multiply_integers(sizes) + 1, at::kDouble).square().sin().view(sizes);
  };
  check_spread(f, [](const at::Tensor& x, auto... chosen) { return at::std(x, chosen...); }, values);

  const input<dtype::unknown, any, any> x{"x"};
  const at::Tensor t = at::rand({2, 3}), whole_numbers = at::ones({2, 3}, at::kLong);
  refused([&] { run(koila::std(x, dim = 2), x = t); }, "std: [2, 3], dim 2: dimension out of range");
  refused([&] { run(koila::std(x), x = whole_numbers); }, "std: int64[2, 3]: not a floating-point dtype");
}

}  // namespace koila::test
