// SPDX-License-Identifier: MIT
#include "ops/elementwise.hpp"

namespace koila::test {

TEST_CASE("clamp_max") {
  const auto f = [](const auto& x, const auto& bound) { return clamp_max(x, bound); };
  check_bounded<struct clamp_max>(f, [](const at::Tensor& x, const auto& bound) { return at::clamp_max(x, bound); });
  SECTION("refused") {
    const at::Tensor a = at::rand({2, 3}), b = at::rand({2, 4}), yes = at::ones({3}, at::kBool);
    refused([&] { f(a, b); }, "clamp_max: [2, 3] x [2, 4]: not broadcastable");
    const input<dtype::unknown, any> x{"x"};
    refused([&] { run(clamp_max(x, true), x = yes); }, "clamp_max: bool[3] x []: no rule for booleans");
  }
}

}  // namespace koila::test
