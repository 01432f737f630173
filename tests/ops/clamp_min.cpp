#include "elementwise.hpp"

namespace koila::test {

TEST_CASE("clamp_min") {
  SECTION("by a number") {
    const auto f = [](const auto& x) { return clamp_min(x, 0.5); };
    const auto g = [](const at::Tensor& x) { return at::clamp_min(x, 0.5); };
    check_unary<struct clamp_min>(f, g);
    check_integers(f, g, {at::kBool, at::kByte, at::kInt, at::kLong});
    check_integers([](const auto& x) { return clamp_min(x, 1); }, [](const at::Tensor& x) { return at::clamp_min(x, 1); },
                   {at::kBool, at::kByte, at::kInt, at::kLong});
  }
  SECTION("by a value") {
    const auto f = [](const auto& x, const auto& bound) { return clamp_min(x, bound); };
    const auto g = [](const at::Tensor& x, const at::Tensor& bound) { return at::clamp_min(x, bound); };
    check({}, f, g, broadcasting_pairs());
    check_promotion(f, g, {at::kBool, at::kInt, at::kLong, at::kFloat, at::kDouble});
    const at::Tensor a = at::rand({2, 3}), b = at::rand({2, 4});
    refused([&] { f(a, b); }, "clamp_min: [2, 3] x [2, 4]: not broadcastable");
    const input<dtype::unknown, any> x{"x"};
    const at::Tensor yes = at::ones({3}, at::kBool);
    refused([&] { run(clamp_min(x, true), x = yes); }, "clamp_min: bool[3] x []: no rule for booleans");
  }
}

}  // namespace koila::test
