// SPDX-License-Identifier: MIT
#include "ops/drawn.hpp"

namespace koila::test {

TEST_CASE("feature_alpha_dropout") {
  for (const int d : {0, 1, 2}) {
    const bound x = some_input({7, 11, 5}, d);
    const auto y = let(feature_alpha_dropout(x.leaf, ops::p = 0.25));
    const at::Tensor value = drawn(y, x), slope = drawn(gradient(sum(y), x.leaf), x);
    const double alpha = 1.7580993408473766, a = 1 / std::sqrt((alpha * alpha * 0.25 + 1) * 0.75);
    const at::Tensor kept = slope.ne(0);
    same(slope, kept.to(at::kDouble) * a);
    same(value, at::where(kept, x.value, -alpha) * a + alpha * a * 0.25);
    CHECK(kept.eq(kept.narrow(2, 0, 1)).all().item<bool>());  // keeps or drops whole channels
    CHECK(kept.any().item<bool>());
    CHECK(kept.logical_not().any().item<bool>());
  }
  check([](const auto& x) { return feature_alpha_dropout(x, ops::p = 1); },
        [](const at::Tensor& x) { return at::feature_alpha_dropout(x, 1, true); }, per_sample(normal({5, 3})));
  const at::Tensor x = at::rand({3});
  refused([&] { feature_alpha_dropout(x); }, "feature_alpha_dropout: [3]: no rule for these ranks");
}

}  // namespace koila::test
