// SPDX-License-Identifier: MIT
#include "ops/pairs.hpp"

namespace koila::test {

TEST_CASE("add") {
  const auto f = [](const auto& a, const auto& b) { return add(a, b); };
  check_arithmetic(f, [](const auto& a, const auto& b) { return a + b; },
                   {at::kBool, at::kInt, at::kLong, at::kFloat, at::kDouble});
  SECTION("a number beside an expression") {
    check([](const auto& a) { return add(a, add(a, true)); }, [](const at::Tensor& a) { return at::add(a, a + 1); },
          per_sample(normal({5, 2})));
  }
  SECTION("integers that no float64 holds: exact beside a tensor, refused in an expression") {
    const at::Tensor ids = at::arange(3);
    const input<int64, batch> id{"id"};
    constexpr std::int64_t odd = 9007199254740993, most = std::numeric_limits<std::int64_t>::max();
    for (const std::int64_t n : {odd, -odd, most - 2}) {
      CHECK(at::equal(add(ids, n), ids + n));
      CHECK(at::equal(add(n, ids), ids + n));
      CHECK_THROWS_AS(add(id, n), std::invalid_argument);
    }
    CHECK(at::equal(run(add(id, odd - 1), id = ids), ids + (odd - 1)));
    CHECK_THROWS_WITH(add(ids, std::numeric_limits<std::uint64_t>::max()),
                      Catch::Matchers::ContainsSubstring("koila: the integer 18446744073709551615 is no constant"));
  }
  SECTION("shapes that do not broadcast") { refuses_to_broadcast(f, "add"); }
}

}  // namespace koila::test
