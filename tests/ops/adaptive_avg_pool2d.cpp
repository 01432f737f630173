#include "check.hpp"

#include <ATen/ops/adaptive_avg_pool2d.h>

namespace koila::test {

TEST_CASE("adaptive_avg_pool2d") {
  for (const std::vector<std::int64_t>& s : std::vector<std::vector<std::int64_t>>{{1, 1}, {3, 2}, {5, 6}, {7, 4}}) {
    const auto f = [=](const auto& x) { return adaptive_avg_pool2d(x, list(s[0], s[1])); };
    const auto g = [=](const at::Tensor& x) -> at::Tensor { return at::adaptive_avg_pool2d(x, s); };
    check(f, g, per_sample(normal({3, 2, 5, 6})));
    check(ask{.twice = false}, f, g, per_sample(normal({3, 2, 5, 6}), 1));
  }
  const auto f = [](const auto& x) { return adaptive_avg_pool2d(x, output_size = 2); };
  const std::vector<std::int64_t> two(2, 2);
  const auto g = [&](const at::Tensor& x) -> at::Tensor { return at::adaptive_avg_pool2d(x, two); };
  for (const std::int64_t n : {0, 1, 5}) check(f, g, per_sample(normal({n, 2, 5, 6})));
  check(f, g, whole(normal({2, 5, 6})));
  check(f, g, per_sample(normal({2, 3, 5, 6}), 2));
  const at::Tensor odd = at::where(normal({2, 3, 5, 6}) > 1, NAN, at::where(normal({2, 3, 5, 6}) > 1, INFINITY, 1.0));
  same(f(odd), g(odd));
  check_typed([](const auto& x) { return adaptive_avg_pool2d(x, 2_c); }, g,
              std::pair{input<batch, 2, 5, 6>{}, normal({5, 2, 5, 6}).to(at::kFloat)});
  STATIC_REQUIRE(std::same_as<result_of<struct adaptive_avg_pool2d, shape<batch, 2, 5, 6>, decltype(1_c)>,
                              shape<batch, index_t{2}, index_t{1}, index_t{1}>>);
  STATIC_REQUIRE(!Accepts<struct adaptive_avg_pool2d, shape<batch, 2, 5, 6>>);
  STATIC_REQUIRE(!Accepts<struct adaptive_avg_pool2d, shape<batch, 2, 5, 6>, decltype(-1_c)>);
  STATIC_REQUIRE(!Accepts<struct adaptive_avg_pool2d, shape<batch, 2, 5, 6>, decltype(kernel_size = 1_c)>);
  const at::Tensor t = at::rand({2, 2, 5, 6}), flat = at::rand({3}), whole_numbers = at::ones({2, 2, 5, 6}, at::kLong);
  refused([&] { adaptive_avg_pool2d(t, -1); }, "adaptive_avg_pool2d: [2, 2, 5, 6], output_size -1: a size is out of range");
  refused([&] { adaptive_avg_pool2d(flat, 2); }, "adaptive_avg_pool2d: [3], output_size 2: no rule for these ranks");
  refused([&] { adaptive_avg_pool2d(whole_numbers, 2); },
          "adaptive_avg_pool2d: int64[2, 2, 5, 6], output_size 2: not a floating-point dtype");
}

}  // namespace koila::test
