// SPDX-License-Identifier: MIT
#include "ops/elementwise.hpp"

namespace koila::test {

TEST_CASE("clamp_min") {
  const auto f = [](const auto& x, const auto& bound) { return clamp_min(x, bound); };
  check_bounded<struct clamp_min>(f, [](const at::Tensor& x, const auto& bound) { return at::clamp_min(x, bound); });
  SECTION("refused") {
    const at::Tensor a = at::rand({2, 3}), b = at::rand({2, 4}), yes = at::ones({3}, at::kBool);
    refused([&] { f(a, b); }, "clamp_min: [2, 3] x [2, 4]: not broadcastable");
    const input<dtype::unknown, any> x{"x"};
    refused([&] { run(clamp_min(x, true), x = yes); }, "clamp_min: bool[3] x []: no rule for booleans");
  }
}

}  // namespace koila::test
