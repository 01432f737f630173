#include "check.hpp"

namespace koila::test {

TEST_CASE("cumsum") {
  for (const auto& s : some_sizes(1))
    for (int d = -2; d < 2; ++d)
      if (const int rank = static_cast<int>(s.sizes.size()); d >= -rank && d < rank)
        check([=](const auto& x) { return cumsum(x, dim = d); }, [=](const at::Tensor& x) { return at::cumsum(x, d); },
              per_sample(d < 0 ? normal(s.sizes).clamp_min(-0.5) : positive(s.sizes), s.batch));
  const auto f = [](const auto& x) { return cumsum(x, -1_c); };
  const auto g = [](const at::Tensor& x) { return at::cumsum(x, -1); };
  check(f, g, whole(normal({3, 4})));
  check(f, g, whole(normal({})));
  check(f, g, per_sample(at::tensor({2.0, 0.0, 3.0, 5.0, 0.0, 0.0, 7.0, 1.0, 4.0}, at::kDouble).view({3, 3})));
  check_typed(f, g, std::pair{input<batch, 3>{}, normal({5, 3}).to(at::kFloat)});
  const at::Tensor odd = at::tensor({1.0F, NAN, 1.0F, INFINITY, 0.0F, -INFINITY}).view({2, 3});  // (2, 3)
  same(f(odd), g(odd));
  for (const auto type : {at::kBool, at::kByte, at::kInt, at::kLong, at::kHalf, at::kBFloat16})
    for (const int d : {0, 1}) {
      const bound x = leaf(at::arange(21).view({7, 3}).remainder(5).to(type), 0);  // (samples, 3)
      compare({}, cumsum(x.leaf, d), cumsum(x.value, d), [=](const auto& t) { return at::cumsum(t[0], d); }, {x},
              {.gradients = false});
    }
  const at::Tensor t = at::rand({2, 3});
  refused([&] { cumsum(t, dim = 2); }, "cumsum: [2, 3], dim 2: dimension out of range");
  STATIC_REQUIRE(!Accepts<struct cumsum, shape<batch, 3>>);
  STATIC_REQUIRE(!Accepts<struct cumsum, shape<batch, 3>, decltype(dim = 2_c)>);
}

}  // namespace koila::test
