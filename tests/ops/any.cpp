#include "check.hpp"

namespace koila::test {

TEST_CASE("any") {
  const at::Tensor t = at::arange(84).view({7, 4, 3}).remainder(5).sub(2).clamp_min(0);  // (samples, 4, 3), with zeros
  for (const auto type : {at::kBool, at::kByte, at::kInt, at::kLong, at::kFloat, at::kDouble, at::kHalf})
    for (const int batch : {0, 1, 2})
      for (const lie how : {lie::dense, lie::reversed, lie::spread}) {
        const bound x = bind({t.to(type), batch}, at::kFloat, how);
        const auto ask_for = [&](const auto& f, const auto& g) {
          compare({}, f(x.leaf), f(x.value), [&](const auto& v) { return g(v[0]); }, {x}, {});
        };
        ask_for([](const auto& v) { return any(v); }, [](const at::Tensor& v) { return at::any(v); });
        ask_for([](const auto& v) { return any(v, 0_c); }, [](const at::Tensor& v) { return at::any(v, 0); });
        ask_for([](const auto& v) { return any(v, dim = -1, keepdim = true); },
                [](const at::Tensor& v) { return at::any(v, -1, true); });
        ask_for([](const auto& v) { return any(v, list(0_c, 2_c)); },
                [](const at::Tensor& v) { return at::any(v, at::IntArrayRef{0, 2}, false); });
      }
  for (const at::Tensor& few : {at::zeros({0, 3}), at::ones({0, 3}, at::kBool), at::ones({1, 1}, at::kLong), at::zeros({})}) {
    const bound x = leaf(few, static_cast<int>(few.dim()) - 1);
    compare({}, any(x.leaf), any(x.value), [](const auto& v) { return at::any(v[0]); }, {x}, {});
    compare({}, any(x.leaf, -1), any(x.value, -1), [](const auto& v) { return at::any(v[0], -1); }, {x}, {});
  }
  const at::Tensor odd = at::tensor({NAN, 0.0F, -0.0F, 0.0F, INFINITY, 1.0F}).view({3, 2});  // (3, 2)
  same(any(odd, 1), at::any(odd, 1));
  check_typed([](const auto& x) { return any(x, 1_c); }, [](const at::Tensor& x) { return at::any(x, 1); },
              std::pair{input<boolean, batch, 3>{}, at::ones({5, 3}, at::kBool)});

  const input<any, any> x{"x"};
  const at::Tensor two = at::rand({2, 3});
  refused([&] { run(any(x, dim = 2), x = two); }, "any: [2, 3], dim 2: dimension out of range");
  STATIC_REQUIRE(!Accepts<struct any_of, shape<batch, 3>, decltype(kernel_size = 1_c)>);
}

}  // namespace koila::test
