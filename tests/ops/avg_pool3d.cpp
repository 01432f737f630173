#include "check.hpp"

#include <ATen/ops/avg_pool3d.h>

namespace koila::test {

TEST_CASE("avg_pool3d") {
  struct config {
    std::int64_t kernel, stride, padding;
    bool ceil, with_padding;
    std::int64_t divisor;
  };
  for (const config c : {config{2, 2, 0, false, true, 0}, config{3, 1, 1, false, false, 0}, config{3, 2, 1, true, true, 0},
                         config{3, 2, 1, true, false, 0}, config{2, 3, 0, true, true, 5}, config{1, 1, 0, false, true, 0}}) {
    const auto f = [=](const auto& x) {
      return avg_pool3d(x, c.kernel, c.stride, c.padding, c.ceil, count_include_pad = c.with_padding,
                        divisor_override = c.divisor);
    };
    const auto g = [=](const at::Tensor& x) {
      return at::avg_pool3d(x, c.kernel, c.stride, c.padding, c.ceil, c.with_padding,
                            c.divisor == 0 ? std::nullopt : std::optional(c.divisor));
    };
    check(f, g, per_sample(normal({3, 2, 4, 3, 5})));
    check(ask{.twice = false}, f, g, per_sample(normal({3, 2, 4, 3, 5}), 1));
  }
  const auto f = [](const auto& x) { return avg_pool3d(x, 2); };
  const auto g = [](const at::Tensor& x) { return at::avg_pool3d(x, 2); };
  for (const std::int64_t n : {0, 1, 5}) check(f, g, per_sample(normal({n, 2, 4, 3, 5})));
  check(f, g, whole(normal({2, 4, 3, 5})));
  check(f, g, per_sample(normal({2, 3, 4, 3, 5}), 2));
  const at::Tensor odd = at::where(normal({2, 3, 4, 3, 5}) > 1, NAN, at::where(normal({2, 3, 4, 3, 5}) > 1, INFINITY, 1.0));
  same(f(odd), g(odd));
  check_typed([](const auto& x) { return avg_pool3d(x, 3_c, padding = 1_c); },
              [](const at::Tensor& x) { return at::avg_pool3d(x, 3, at::IntArrayRef{}, 1); },
              std::pair{input<batch, 2, 4, 3, 5>{}, normal({5, 2, 4, 3, 5}).to(at::kFloat)});
  STATIC_REQUIRE(std::same_as<result_of<struct avg_pool3d, shape<batch, 2, 4, 3, 5>, decltype(2_c)>,
                              shape<batch, index_t{2}, index_t{2}, index_t{1}, index_t{2}>>);
  STATIC_REQUIRE(std::same_as<result_of<struct avg_pool3d, shape<batch, 2, 4, 3, 5>, decltype(2)>,
                              shape<batch, index_t{2}, any, any, any>>);
  STATIC_REQUIRE(!Accepts<struct avg_pool3d, shape<batch, 2, 4, 3, 5>>);
  STATIC_REQUIRE(!Accepts<struct avg_pool3d, shape<batch, 2, 4, 3, 5>, decltype(9_c)>);
  STATIC_REQUIRE(!Accepts<struct avg_pool3d, shape<batch, 2, 4, 3, 5>, decltype(2_c), decltype(padding = 2_c)>);
  STATIC_REQUIRE(!Accepts<struct avg_pool3d, shape<batch, 2, 4, 3, 5>, decltype(2_c), decltype(groups = 2_c)>);
  const at::Tensor t = at::rand({2, 2, 4, 3, 5}), flat = at::rand({3}), whole_numbers = at::ones({2, 2, 4, 3, 5}, at::kLong);
  refused([&] { avg_pool3d(t, 9); }, "avg_pool3d: [2, 2, 4, 3, 5], kernel_size 9: the kernel is larger than the input");
  refused([&] { avg_pool3d(t, 2, 0); }, "avg_pool3d: [2, 2, 4, 3, 5], kernel_size 2, stride 0: a size is out of range");
  STATIC_REQUIRE(!Accepts<struct avg_pool3d, shape<unranked>, decltype(list(2, 2, 2, 2))>);
  refused([&] { avg_pool3d(flat, 2); }, "avg_pool3d: [3], kernel_size 2: no rule for these ranks");
  refused([&] { avg_pool3d(whole_numbers, 2); }, "avg_pool3d: int64[2, 2, 4, 3, 5], kernel_size 2: not a floating-point dtype");
}

}  // namespace koila::test
