#include "check.hpp"

namespace koila::test {

TEST_CASE("amax") {
  const auto all = [](const auto& x) { return amax(x); };
  const auto all_of = [](const at::Tensor& x) { return at::amax(x); };
  for (const auto& s : some_sizes(1)) {
    const at::Tensor t = normal(s.sizes), few = (t * 2).round();  // with and without ties
    if (t.numel() == 0) continue;
    check(all, all_of, per_sample(t, s.batch));
    check(all, all_of, per_sample(few, s.batch));
    for (int d = -2; d < 2; ++d)
      if (const int rank = static_cast<int>(s.sizes.size()); d >= -rank && d < rank)
        check([=](const auto& x) { return amax(x, dim = d, keepdim = d > 0); },
              [=](const at::Tensor& x) { return at::amax(x, d, d > 0); }, per_sample(d < 0 ? few : t, s.batch));
  }
  for (const int batch : {0, 1, 2})
    check([](const auto& x) { return amax(x, list(0_c, -1_c)); },
          [](const at::Tensor& x) { return at::amax(x, at::IntArrayRef{0, -1}); }, per_sample(normal({3, 5, 2}), batch));
  check(all, all_of, whole(normal({})));
  check([](const auto& x) { return amax(x, 1_c); }, [](const at::Tensor& x) { return at::amax(x, 1); }, whole(normal({0, 3})));
  check_typed([](const auto& x) { return amax(x, -1_c); }, [](const at::Tensor& x) { return at::amax(x, -1); },
              std::pair{input<batch, 3>{}, normal({5, 3}).to(at::kFloat)});

  const at::Tensor odd = at::tensor({NAN, 1.0F, INFINITY, -INFINITY, -0.0F, 0.0F}).view({3, 2});  // (3, 2)
  same(amax(odd, -1), at::amax(odd, -1));
  same(all(odd), all_of(odd));
  for (const auto type : {at::kBool, at::kByte, at::kInt, at::kLong, at::kHalf, at::kBFloat16})
    for (const int d : {0, 1}) {
      const bound x = leaf(at::arange(21).view({7, 3}).remainder(5).to(type), 0);  // (samples, 3)
      compare({}, amax(x.leaf, d), amax(x.value, d), [=](const auto& t) { return at::amax(t[0], d); }, {x},
              {.gradients = false});
    }

  const input<any, any> x{"x"};
  const at::Tensor t = at::rand({2, 3}), none = at::rand({0, 3});
  refused([&] { run(amax(x, dim = 2), x = t); }, "amax: [2, 3], dim 2: dimension out of range");
  refused([&] { run(amax(x, dim = 0), x = none); }, "amax: [0, 3], dim 0: a dim without elements has no such value");
  refused([&] { amax(none); }, "amax: [0, 3]: a dim without elements has no such value");
  STATIC_REQUIRE(!Accepts<struct amax, shape<batch, 3>, decltype(list(1_c, 1_c))>);
}

}  // namespace koila::test
