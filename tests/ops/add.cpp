#include "family/pairs.hpp"

namespace koila::test {

TEST_CASE("add") {
  const auto f = [](const auto& a, const auto& b) { return add(a, b); };
  check_arithmetic(f, [](const auto& a, const auto& b) { return a + b; },
                   {at::kBool, at::kInt, at::kLong, at::kFloat, at::kDouble});
  SECTION("a number beside an expression") {
    check([](const auto& a) { return add(a, add(a, true)); }, [](const at::Tensor& a) { return at::add(a, a + 1); },
          per_sample(normal({5, 2})));
  }
  SECTION("shapes that do not broadcast") { refuses_to_broadcast(f, "add"); }
}

}  // namespace koila::test
