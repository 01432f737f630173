#include "check.hpp"

#include <ATen/ops/max_pool2d.h>

namespace koila::test {

TEST_CASE("max_pool2d") {
  struct config {
    std::int64_t kernel, stride, padding, dilation;
    bool ceil;
  };
  for (const config c : {config{2, 2, 0, 1, false}, config{3, 1, 1, 1, false}, config{2, 3, 1, 1, true},
                         config{2, 2, 1, 2, true}, config{3, 2, 0, 1, true}, config{1, 1, 0, 1, false}}) {
    const auto f = [=](const auto& x) { return max_pool2d(x, c.kernel, c.stride, c.padding, c.dilation, c.ceil); };
    const auto g = [=](const at::Tensor& x) { return at::max_pool2d(x, c.kernel, c.stride, c.padding, c.dilation, c.ceil); };
    check(f, g, per_sample(normal({3, 2, 5, 6})));
    check(ask{.twice = false}, f, g, per_sample(normal({3, 2, 5, 6}).sign(), 1));  // many maxima, the samples on the channels
  }
  const auto f = [](const auto& x) { return max_pool2d(x, 2); };
  const auto g = [](const at::Tensor& x) { return at::max_pool2d(x, 2); };
  for (const std::int64_t n : {0, 1, 5}) check(f, g, per_sample(normal({n, 2, 5, 6})));
  check(f, g, whole(normal({2, 5, 6})));
  check(f, g, per_sample(normal({2, 3, 5, 6}), 2));
  const bound odd = leaf(at::where(normal({3, 2, 5, 6}) > 0.8, NAN, at::where(normal({3, 2, 5, 6}) > 0, -INFINITY, 1.0)), 0);
  compare({}, f(odd.leaf), f(odd.value), [&](const auto& t) { return g(t[0]); }, {odd}, {.gradients = false});
  const at::Tensor dy = g(odd.value), seen = odd.value.detach().set_requires_grad(true);
  g(seen).backward(at::ones_like(dy));
  pool_of p;
  p.n = 2, p.kernel_size = 2;
  same(max_pool_backward(at::ones_like(dy), odd.value, pooling = p), seen.grad());
  check_typed([](const auto& x) { return max_pool2d(x, 3_c, padding = 1_c); },
              [](const at::Tensor& x) { return at::max_pool2d(x, 3, at::IntArrayRef{}, 1); },
              std::pair{input<batch, 2, 5, 6>{}, normal({5, 2, 5, 6}).to(at::kFloat)});
  STATIC_REQUIRE(std::same_as<result_of<struct max_pool2d, shape<batch, 2, 5, 6>, decltype(2_c)>,
                              shape<batch, index_t{2}, index_t{2}, index_t{3}>>);
  STATIC_REQUIRE(
      std::same_as<result_of<struct max_pool2d, shape<batch, 2, 5, 6>, decltype(2)>, shape<batch, index_t{2}, any, any>>);
  STATIC_REQUIRE(!Accepts<struct max_pool2d, shape<batch, 2, 5, 6>>);
  STATIC_REQUIRE(!Accepts<struct max_pool2d, shape<batch, 2, 5, 6>, decltype(9_c)>);
  STATIC_REQUIRE(!Accepts<struct max_pool2d, shape<batch, 2, 5, 6>, decltype(2_c), decltype(padding = 2_c)>);
  STATIC_REQUIRE(!Accepts<struct max_pool2d, shape<batch, 2, 5, 6>, decltype(2_c), decltype(groups = 2_c)>);
  const at::Tensor t = at::rand({2, 2, 5, 6}), flat = at::rand({3}), whole_numbers = at::ones({2, 2, 5, 6}, at::kLong);
  refused([&] { max_pool2d(t, 9); }, "max_pool2d: [2, 2, 5, 6], kernel_size 9: the kernel is larger than the input");
  refused([&] { max_pool2d(t, 2, 0); }, "max_pool2d: [2, 2, 5, 6], kernel_size 2, stride 0: a size is out of range");
  STATIC_REQUIRE(!Accepts<struct max_pool2d, shape<unranked>, decltype(list(2, 2, 2, 2))>);
  refused([&] { max_pool2d(flat, 2); }, "max_pool2d: [3], kernel_size 2: no rule for these ranks");
  refused([&] { max_pool2d(whole_numbers, 2); }, "max_pool2d: int64[2, 2, 5, 6], kernel_size 2: not a floating-point dtype");
}

}  // namespace koila::test
