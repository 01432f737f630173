// SPDX-License-Identifier: MIT
#include "ops/elementwise.hpp"

namespace koila::test {

TEST_CASE("clamp") {
  SECTION("between numbers") {
    const auto f = [](const auto& x) { return koila::clamp(x, -0.5, 1.5); };
    const auto g = [](const at::Tensor& x) { return at::clamp(x, -0.5, 1.5); };
    check_unary<struct clamp>(f, g);
    check_integers(f, g, {at::kBool, at::kByte, at::kInt, at::kLong});
    check_integers([](const auto& x) { return koila::clamp(x, 0, 1); },
                   [](const at::Tensor& x) { return at::clamp(x, 0, 1); }, {at::kBool, at::kByte, at::kInt, at::kLong});
    check([](const auto& x) { return koila::clamp(x, 1, -1); }, [](const at::Tensor& x) { return at::clamp(x, 1, -1); },
          per_sample(normal({5, 3})));
  }
  SECTION("bounds by name") {
    check([](const auto& x) { return koila::clamp(x, koila::min = 0); },
          [](const at::Tensor& x) { return at::clamp(x, 0); }, per_sample(normal({5, 3})));
    check([](const auto& x) { return koila::clamp(x, koila::max = 0.5); },
          [](const at::Tensor& x) { return at::clamp_max(x, 0.5); }, per_sample(normal({5, 3})));
    const auto f = [](const auto& x, const auto& lo) { return koila::clamp(x, koila::max = 1, koila::min = lo); };
    check(
        f, [](const at::Tensor& x, const at::Tensor& lo) { return at::clamp(x, lo, at::ones_like(lo)); },
        per_sample(normal({5, 3})), whole(normal({3}) - 1));
    const at::Tensor a = at::rand({2, 3}), b = at::rand({2, 4});
    refused([&] { koila::clamp(a, koila::min = b); }, "clamp_min: [2, 3] x [2, 4]: not broadcastable");
    refused([&] { koila::clamp(a, koila::max = b, koila::min = a); },
            "clamp: [2, 3] x [2, 3] x [2, 4]: not broadcastable");
  }
  SECTION("between values") {
    const auto f = [](const auto& x, const auto& lo, const auto& hi) { return koila::clamp(x, lo, hi); };
    const auto g = [](const at::Tensor& x, const at::Tensor& lo, const at::Tensor& hi) { return at::clamp(x, lo, hi); };
    check(f, g, per_sample(normal({5, 3})), whole(normal({3}) - 1), whole(normal({}) + 1));
    // Some lower bounds are larger than the upper bounds.
    check(f, g, whole(normal({4, 1})), per_sample(normal({5})), per_sample(normal({5})));
    check(
        f,  // LibTorch's own gradient fails if x is broadcast to a bound's shape
        [](const at::Tensor& x, const at::Tensor& lo, const at::Tensor& hi) {
          return at::minimum(at::maximum(x, lo), hi);
        },
        per_sample(normal({2, 5}), 1), whole(normal({2, 1}) - 1), per_sample(normal({3, 1, 5}) + 1, 2));
    check([](const auto& x, const auto& lo) { return koila::clamp(x, lo, 0.5); },
          [](const at::Tensor& x, const at::Tensor& lo) {
            return at::clamp(x, lo, at::scalar_tensor(0.5, lo.options()));
          },
          per_sample(normal({5, 3})), whole(normal({3}) - 1));
    const at::Tensor a = at::rand({2, 3}), b = at::rand({2, 4}), yes = at::ones({3}, at::kBool);
    refused([&] { f(a, b, b); }, "clamp: [2, 3] x [2, 4] x [2, 4]: not broadcastable");
    refused([&] { f(yes, yes, yes); }, "clamp: bool[3] x bool[3] x bool[3]: no rule for booleans");
  }
}

}  // namespace koila::test
