#include "check.hpp"

namespace koila::test {

TEST_CASE("ones") {
  const at::Tensor want = at::ones({2, 3});
  same(run(koila::ones(2, 3)), want);
  same(run(koila::ones(list(2, 3))), want);
  same(run(koila::ones(2_c, 3_c)), want);
  same(run(koila::ones(list())), at::ones({}));
  same(run(koila::ones(0)), at::ones({0}));
  const auto value = [](const auto& x, const auto& y) {  // with a tensor it is an expression too
    if constexpr (Tensor<std::remove_cvref_t<decltype(x)>>) return run(y);
    else return y;
  };
  check([=](const auto& x) { return value(x, add(mul(koila::ones(2, 3), x), x)); },
        [](const at::Tensor& x) { return at::ones({2, 3}) * x + x; }, per_sample(normal({5, 2, 3})));
  STATIC_REQUIRE(std::is_same_v<shape_t<decltype(koila::ones(2_c, 3_c))>, shape_t<input<2, 3>>>);
  STATIC_REQUIRE(std::is_same_v<shape_t<decltype(koila::ones(2, 3_c))>, shape_t<input<any, 3>>>);

  STATIC_REQUIRE(!Accepts<struct ones, decltype(kernel_size = 1_c)>);
  STATIC_REQUIRE(!Accepts<struct ones, decltype(-1_c)>);
  refused([&] { run(koila::ones(2, -1)); }, "ones of (2, -1): a size is out of range");
}

}  // namespace koila::test
