// SPDX-License-Identifier: MIT
#include "ops/check.hpp"

namespace koila::test {

TEST_CASE("causal_fill") {
  for (const double otherwise : {0.0, 2.5}) {
    const auto f = [=](const auto& x) { return causal_fill(x, otherwise); };
    const auto g = [=](const at::Tensor& x) {
      return at::where(at::ones(x.sizes().slice(static_cast<std::size_t>(x.dim() - 2)), at::kBool).tril(), x,
                       otherwise);
    };
    for (const auto& s : some_sizes(2)) check(f, g, per_sample(normal(s.sizes), s.batch));
    check(f, g, whole(normal({3, 4})));
    check_typed(f, g, std::pair{input<batch, 3, 4>{}, normal({5, 3, 4}).to(at::kFloat)});
    const at::Tensor odd = at::tensor({NAN, INFINITY, -INFINITY, 0.0F}).view({2, 2});
    same(f(odd), g(odd));
  }
  const at::Tensor flat = at::rand({3});
  refused([&] { causal_fill(flat); }, "causal_fill: [3]: no rule for these ranks");
}

}  // namespace koila::test
