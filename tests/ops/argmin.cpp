#include "check.hpp"

namespace koila::test {

TEST_CASE("argmin") {
  for (const auto& s : some_sizes(1)) {
    const at::Tensor t = (normal(s.sizes) * 2).round();  // with ties
    if (t.numel() == 0) continue;
    check([](const auto& x) { return argmin(x); }, [](const at::Tensor& x) { return at::argmin(x); }, per_sample(t, s.batch));
    for (int d = -2; d < 2; ++d)
      if (const int rank = static_cast<int>(s.sizes.size()); d >= -rank && d < rank)
        check([=](const auto& x) { return argmin(x, dim = d, keepdim = d > 0); },
              [=](const at::Tensor& x) { return at::argmin(x, d, d > 0); }, per_sample(t, s.batch));
  }
  check([](const auto& x) { return argmin(x, keepdim = true); },
        [](const at::Tensor& x) { return at::argmin(x, std::nullopt, true); }, per_sample(normal({3, 5}), 1));
  for (const auto& t : {normal({}), normal({1, 1})})
    check([](const auto& x) { return argmin(x, 0); }, [](const at::Tensor& x) { return at::argmin(x, 0); }, whole(t));
  check_typed([](const auto& x) { return argmin(x, -1_c); }, [](const at::Tensor& x) { return at::argmin(x, -1); },
              std::pair{input<batch, 3>{}, normal({5, 3}).to(at::kFloat)});
  for (const auto type : {at::kByte, at::kInt, at::kLong, at::kHalf, at::kBFloat16})
    for (const int d : {0, 1}) {
      const bound x = leaf(at::arange(21).view({7, 3}).remainder(5).to(type), 0);  // (samples, 3)
      compare({}, argmin(x.leaf, d), argmin(x.value, d), [=](const auto& t) { return at::argmin(t[0], d); }, {x},
              {.gradients = false});
    }
  const at::Tensor odd = at::tensor({NAN, 1.0F, INFINITY, -INFINITY, NAN, NAN}).view({3, 2});  // (3, 2)
  same(argmin(odd, -1), at::argmin(odd, -1));
  same(argmin(odd), at::argmin(odd));

  const input<dtype::unknown, any, any> x{"x"};
  const at::Tensor t = at::rand({2, 3}), none = at::rand({0, 3}), truth = at::ones({2, 3}, at::kBool);
  refused([&] { run(argmin(x, dim = 2), x = t); }, "argmin: [2, 3], dim 2: dimension out of range");
  refused([&] { run(argmin(x, dim = 0), x = none); }, "argmin: [0, 3], dim 0: a dim without elements has no such value");
  refused([&] { run(argmin(x), x = truth); }, "argmin: bool[2, 3]: no rule for booleans");
  STATIC_REQUIRE(!Accepts<struct argmin, shape<batch, 3>, decltype(dim = 2_c)>);
}

}  // namespace koila::test
