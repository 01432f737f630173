// SPDX-License-Identifier: MIT
#include "ops/check_activation.hpp"

namespace koila::test {

TEST_CASE("glu") {
  const auto f = [](const auto& x) { return glu(x); };
  const auto g = [](const at::Tensor& x) { return at::glu(x); };
  for (const auto n : batches) {
    check(f, g, per_sample(normal({n, 6})));
    check(f, g, per_sample(normal({3, n, 2}), 1));
    for (const int d : {1, -1, -2})
      check([=](const auto& x) { return glu(x, dim = d); }, [=](const at::Tensor& x) { return at::glu(x, d); },
            per_sample(normal({n, 4, 2})));
    check([](const auto& x) { return glu(x, 0); }, [](const at::Tensor& x) { return at::glu(x, 0); },
          per_sample(normal({2 * n, 3})));
  }
  check(f, g, whole(normal({3, 0})));
  check_typed(f, g, std::pair{input<batch, 4>{}, normal({5, 4}).to(at::kFloat)});
  check_typed([](const auto& x) { return glu(x, 0_c); }, [](const at::Tensor& x) { return at::glu(x, 0); },
              std::pair{input<4, batch>{}, normal({4, 5}).to(at::kFloat)});
  for (const auto type : {at::kDouble, at::kFloat, at::kHalf, at::kBFloat16}) {
    const at::Tensor odd = extremes().to(type);
    same(f(odd), g(odd));
  }
  const at::Tensor t = at::rand({2, 3}), s = at::rand({});
  refused([&] { glu(t); }, "glu: [2, 3], dim -1: the dim is not divisible by it");
  refused([&] { glu(t, 2); }, "glu: [2, 3], dim 2: dimension out of range");
  refused([&] { glu(s); }, "glu: [], dim -1: no rule for these ranks");
  refuses_dtype(f, at::kLong, "glu: int64[3], dim -1: not a floating-point dtype");
  STATIC_REQUIRE(!Accepts<struct glu, shape<batch, 3>>);
}

}  // namespace koila::test
