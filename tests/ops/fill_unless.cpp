#include "check.hpp"

namespace koila::test {

TEST_CASE("fill_unless") {
  const auto truths = [](at::IntArrayRef sizes) { return normal(sizes) > 0; };
  for (const double otherwise : {0.0, -1e30}) {
    const auto f = [=](const auto& x, const auto& mask) { return fill_unless(x, mask, otherwise); };
    const auto g = [=](const at::Tensor& x, const at::Tensor& mask) {
      return at::where(mask, x, at::scalar_tensor(otherwise, x.options()));
    };
    check({}, f, g, broadcasting_pairs(normal, +truths));
    check_typed(f, g, std::pair{input<batch, 4>{}, normal({5, 4}).to(at::kFloat)},
                std::pair{input<boolean, batch, 1>{}, truths({5, 1})});
    const at::Tensor odd = at::tensor({NAN, INFINITY, -INFINITY, 0.0F}), mask = at::tensor({1, 0, 1, 0}).to(at::kBool);
    same(f(odd, mask), g(odd, mask));
  }
  STATIC_REQUIRE(!Accepts<struct fill_unless, shape<batch, 3>, shape<boolean, 3>, decltype(kernel_size = 1_c)>);
  const at::Tensor x = at::rand({2, 3}), mask = at::ones({4}, at::kBool);
  refused([&] { fill_unless(x, x); }, "fill_unless: [2, 3] x [2, 3]: the mask is not of booleans");
  refused([&] { fill_unless(x, mask); }, "fill_unless: [2, 3] x bool[4]: not broadcastable");
}

}  // namespace koila::test
