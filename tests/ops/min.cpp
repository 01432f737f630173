#include "check.hpp"

namespace koila::test {

TEST_CASE("min") {
  const auto f = [](const auto& x) { return min(x); };
  const auto g = [](const at::Tensor& x) { return at::min(x); };
  for (const auto& s : some_sizes(1)) {
    const at::Tensor t = normal(s.sizes), few = (t * 2).round();  // with and without ties
    if (t.numel() == 0) continue;
    check(f, g, per_sample(few, s.batch));
    for (int d = -2; d < 2; ++d)
      for (const bool keep : {false, true})
        if (const int rank = static_cast<int>(s.sizes.size()); d >= -rank && d < rank) {
          const operand x = per_sample(keep ? t : few, s.batch);
          check([=](const auto& v) { return std::get<0>(min(v, d, keepdim = keep)); },
                [=](const at::Tensor& v) { return std::get<0>(at::min(v, d, keep)); }, x);
          check([=](const auto& v) { return std::get<1>(min(v, d, keepdim = keep)); },
                [=](const at::Tensor& v) { return std::get<1>(at::min(v, d, keep)); }, x);
        }
  }
  check(f, g, whole(normal({})));
  check([](const auto& x) { return std::get<0>(min(x, 0)); }, [](const at::Tensor& x) { return std::get<0>(at::min(x, 0)); },
        whole(normal({})));
  check_typed([](const auto& x) { return std::get<0>(min(x, -1_c)); },
              [](const at::Tensor& x) { return std::get<0>(at::min(x, -1)); },
              std::pair{input<batch, 3>{}, normal({5, 3}).to(at::kFloat)});
  {
    const input<batch, 3> x{"x"};
    const at::Tensor t = normal({5, 3}).to(at::kFloat);  // (samples, 3)
    const auto [values, indices] = min(x, dim = 1_c);
    same(run(values, x = t), std::get<0>(at::min(t, 1)));
    same(run(indices, x = t), std::get<1>(at::min(t, 1)));
  }
  const at::Tensor odd = at::tensor({NAN, 1.0F, INFINITY, -INFINITY, NAN, NAN}).view({3, 2});  // (3, 2)
  same(std::get<0>(min(odd, -1)), std::get<0>(at::min(odd, -1)));
  same(std::get<1>(min(odd, -1)), std::get<1>(at::min(odd, -1)));
  same(f(odd), g(odd));

  const input<any, any> x{"x"};
  const at::Tensor t = at::rand({2, 3}), none = at::rand({0, 3});
  refused([&] { run(std::get<0>(min(x, 2)), x = t); }, "min: [2, 3], dim 2: dimension out of range");
  refused([&] { run(min(x), x = none); }, "min: [0, 3]: a dim without elements has no such value");
  STATIC_REQUIRE(!Accepts<struct min_values, shape<batch, 3>, decltype(dim = 2_c)>);
}

}  // namespace koila::test
