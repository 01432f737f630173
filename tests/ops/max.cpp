#include "check.hpp"

namespace koila::test {

TEST_CASE("max") {
  const auto f = [](const auto& x) { return max(x); };
  const auto g = [](const at::Tensor& x) { return at::max(x); };
  for (const auto& s : some_sizes(1)) {
    const at::Tensor t = normal(s.sizes), few = (t * 2).round();  // with and without ties
    if (t.numel() == 0) continue;
    check(f, g, per_sample(few, s.batch));
    for (int d = -2; d < 2; ++d)
      for (const bool keep : {false, true})
        if (const int rank = static_cast<int>(s.sizes.size()); d >= -rank && d < rank) {
          const operand x = per_sample(keep ? t : few, s.batch);
          check([=](const auto& v) { return std::get<0>(max(v, d, keepdim = keep)); },
                [=](const at::Tensor& v) { return std::get<0>(at::max(v, d, keep)); }, x);
          check([=](const auto& v) { return std::get<1>(max(v, d, keepdim = keep)); },
                [=](const at::Tensor& v) { return std::get<1>(at::max(v, d, keep)); }, x);
        }
  }
  check(f, g, whole(normal({})));
  check([](const auto& x) { return std::get<0>(max(x, 0)); }, [](const at::Tensor& x) { return std::get<0>(at::max(x, 0)); },
        whole(normal({})));
  check_typed([](const auto& x) { return std::get<0>(max(x, -1_c)); },
              [](const at::Tensor& x) { return std::get<0>(at::max(x, -1)); },
              std::pair{input<batch, 3>{}, normal({5, 3}).to(at::kFloat)});
  {
    const input<batch, 3> x{"x"};
    const at::Tensor t = normal({5, 3}).to(at::kFloat);  // (samples, 3)
    const auto [values, indices] = max(x, dim = 1_c);
    same(run(values, x = t), std::get<0>(at::max(t, 1)));
    same(run(indices, x = t), std::get<1>(at::max(t, 1)));
  }
  const at::Tensor odd = at::tensor({NAN, 1.0F, INFINITY, -INFINITY, NAN, NAN}).view({3, 2});  // (3, 2)
  same(std::get<0>(max(odd, -1)), std::get<0>(at::max(odd, -1)));
  same(std::get<1>(max(odd, -1)), std::get<1>(at::max(odd, -1)));
  same(f(odd), g(odd));

  const input<any, any> x{"x"};
  const at::Tensor t = at::rand({2, 3}), none = at::rand({0, 3});
  refused([&] { run(std::get<0>(max(x, 2)), x = t); }, "max: [2, 3], dim 2: dimension out of range");
  refused([&] { run(max(x), x = none); }, "max: [0, 3]: a dim without elements has no such value");
  STATIC_REQUIRE(!Accepts<struct max_values, shape<batch, 3>, decltype(dim = 2_c)>);
}

}  // namespace koila::test
