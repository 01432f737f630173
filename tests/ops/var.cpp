#include "check_reduction.hpp"

namespace koila::test {

TEST_CASE("var") {
  const auto f = [](const auto&... x) { return var(x...); };
  check_spread(f, [](const at::Tensor& x, auto... how) { return at::var(x, how...); }, normal);

  const input<dtype::unknown, any, any> x{"x"};
  const at::Tensor t = at::rand({2, 3}), whole_numbers = at::ones({2, 3}, at::kLong);
  refused([&] { run(var(x, dim = 2), x = t); }, "var: [2, 3], dim 2: dimension out of range");
  refused([&] { run(var(x), x = whole_numbers); }, "var: int64[2, 3]: not a floating-point dtype");
  STATIC_REQUIRE(!Accepts<struct var, shape<batch, 3>, decltype(kernel_size = 1_c)>);
}

}  // namespace koila::test
